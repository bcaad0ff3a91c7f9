"""From the source of a precondition to a condition on variables."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from annotest.relations.reading.comparing import compared, truth
from annotest.relations.reading.functions import FUNCTIONS, NEAR, SPECIAL, key_of, method_of, near
from annotest.relations.reading.loops import comprehension, quantified, set_comprehension
from annotest.relations.reading.reducing import item_of, product
from annotest.relations.reading.sequences import (
    as_term,
    is_boolean,
    is_sequence,
    joined,
    length_of,
    listed,
    slice_length,
    whole_number,
)
from annotest.relations.reading.symbols import (
    RAISED,
    ArraySymbol,
    DtypeSymbol,
    Elements,
    Given,
    Known,
    Listed,
    NotUnderstood,
    RecordSymbol,
    Symbol,
    Unsized,
)
from annotest.relations.reading.templates import checked, names_in
from annotest.relations.solving.conditions import (
    UNDECIDED,
    Always,
    Condition,
    either,
    together,
)
from annotest.relations.solving.dividing import Power, Quotient, Ratio, Remainder
from annotest.relations.solving.selecting import Selected
from annotest.relations.solving.terms import Term, Variable, added, multiplied, negated
from annotest.relations.solving.variables import Computed, Name, StandIn


class Reader:
    """Reads expressions over symbols.

    `symbols` says what the arguments and dimensions stand for, `scope` holds all other names.
    What a reader asks for on the way: `stand_ins`, numbers that stand for items not yet known, and
    `given`, expressions of values that are drawn before the others.
    """

    def __init__(self, symbols: dict[str, Symbol], scope: dict[str, Any]) -> None:
        self.symbols = symbols
        self.scope = scope
        self.stand_ins: dict[Name, tuple[float, float]] = {}
        self.given: dict[Name, ast.expr] = {}
        self.local: dict[str, Symbol] = {}

    def stand_in(self, items: Unsized, is_whole: bool) -> Term:
        """Return a number that lies where the items of a list do."""
        name = StandIn(len(self.stand_ins))
        self.stand_ins[name] = (items.low, items.high)
        return Variable(name, is_whole)

    # conditions

    def condition(self, node: ast.expr) -> Condition:
        """Return the condition that an expression states."""
        try:
            return self._condition(node)
        except (NotUnderstood, *RAISED):
            pass  # it may still be checked as it is, when all values are there
        return checked(self, node)

    def _condition(self, node: ast.expr) -> Condition:
        if isinstance(node, ast.BoolOp):
            parts = [self._part(value) for value in node.values]
            return together(parts) if isinstance(node.op, ast.And) else either(parts)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.condition(node.operand).negated()
        if isinstance(node, ast.IfExp):
            return self._if(node)
        if isinstance(node, ast.Compare):
            return self._comparisons(node)
        return truth(self.read(node))

    def _part(self, node: ast.expr) -> Condition:
        """Return the condition that a part of a larger one states; an open one if it is unknown."""
        try:
            return self.condition(node)
        except NotUnderstood:
            return UNDECIDED

    def _if(self, node: ast.IfExp) -> Condition:
        test = self.condition(node.test)
        yes, no = self.condition(node.body), self.condition(node.orelse)
        return together([either([test.negated(), yes]), either([test, no])])

    def _comparisons(self, node: ast.Compare) -> Condition:
        sides = [node.left, *node.comparators]
        return together(
            self._comparison(left, sign, right)
            for left, sign, right in zip(sides, node.ops, sides[1:], strict=False)
        )

    def _comparison(self, left: ast.expr, sign: ast.cmpop, right: ast.expr) -> Condition:
        try:
            return truth(compared(self.read(left), sign, self.read(right)))
        except (NotUnderstood, *RAISED):
            return checked(self, ast.Compare(left, [sign], [right]))

    # values

    def read(self, node: ast.expr) -> Symbol:
        """Return what an expression stands for."""
        if not self._is_symbolic(node):
            return Known(self._evaluated(node))
        names = names_in(node)
        bound = {self.local.get(name) or self.symbols.get(name) for name in names} - {None}
        if bound and all(isinstance(symbol, Given) for symbol in bound):
            return self._given(node)
        method = _READERS.get(type(node))
        if method is None:
            raise NotUnderstood
        try:
            return method(self, node)
        except RAISED:
            raise NotUnderstood from None

    def _is_symbolic(self, node: ast.expr) -> bool:
        return not names_in(node).isdisjoint(self.symbols.keys() | self.local.keys())

    def _evaluated(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Constant):
            return node.value
        try:
            code = compile(
                ast.fix_missing_locations(ast.Expression(node)), "<precondition>", "eval"
            )
            return eval(code, self.scope)
        except Exception:
            raise NotUnderstood from None

    def _given(self, node: ast.expr) -> Symbol:
        if isinstance(node, ast.Name):
            return self.name(node)
        name = Computed(ast.unparse(node))
        self.given[name] = node
        return Variable(name, False)

    def name(self, node: ast.Name) -> Symbol:
        """Read a name."""
        if node.id in self.local:
            return self.local[node.id]
        return self.symbols[node.id]

    def constant(self, node: ast.Constant) -> Symbol:
        """Read a constant."""
        return Known(node.value)

    def display(self, node: ast.Tuple | ast.List) -> Symbol:
        """Read a list or tuple display."""
        items: list[Symbol] = []
        for part in node.elts:
            if isinstance(part, ast.Starred):
                items += listed(self.read(part.value)).items
            else:
                items.append(self.read(part))
        return Listed(tuple(items), tuple if isinstance(node, ast.Tuple) else list)

    def comparison(self, node: ast.expr) -> Symbol:
        """Read a comparison, of numbers or of the elements of an array."""
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            return compared(self.read(node.left), node.ops[0], self.read(node.comparators[0]))
        return self._condition(node)

    def either_or(self, node: ast.BoolOp) -> Symbol:
        """Read `a or b` and `a and b`, which are one of their parts."""
        parts = [self.read(part) for part in node.values]
        if all(is_boolean(part) for part in parts):
            return self._condition(node)
        stops = isinstance(node.op, ast.Or)
        for part in parts[:-1]:
            said = truth(part)
            if not isinstance(said, Always):
                raise NotUnderstood
            if said.holds is stops:
                return part
        return parts[-1]

    def if_else(self, node: ast.IfExp) -> Symbol:
        """Read a conditional expression whose condition is known."""
        test = self.condition(node.test)
        if not isinstance(test, Always):
            raise NotUnderstood
        return self.read(node.body if test.holds else node.orelse)

    def unary(self, node: ast.UnaryOp) -> Symbol:
        """Read a sign, or a negation."""
        if isinstance(node.op, ast.Not):
            return self._condition(node)
        term = as_term(self.read(node.operand))
        if isinstance(node.op, ast.USub):
            return negated(term)
        if isinstance(node.op, ast.UAdd):
            return term
        raise NotUnderstood

    def binary(self, node: ast.BinOp) -> Symbol:
        """Read arithmetic, or lists put together."""
        left, right = self.read(node.left), self.read(node.right)
        make = _OPERATIONS.get(type(node.op))
        if make is None:
            raise NotUnderstood
        if isinstance(node.op, ast.Add) and is_sequence(left) and is_sequence(right):
            return joined(left, right)
        if isinstance(left, Elements) or isinstance(right, Elements):
            raise NotUnderstood
        return make(as_term(left), as_term(right))

    def bitwise(self, node: ast.BinOp) -> Symbol:
        """Read `&` and `|` between conditions on the elements of an array."""
        left, right = self.read(node.left), self.read(node.right)
        if isinstance(left, Elements) and isinstance(right, Elements):
            join = together if isinstance(node.op, ast.BitAnd) else either
            return Elements(join([left.condition, right.condition]))
        raise NotUnderstood

    def attribute(self, node: ast.Attribute) -> Symbol:
        """Read an attribute of an array."""
        base = self.read(node.value)
        if not isinstance(base, ArraySymbol):
            raise NotUnderstood
        if node.attr == "shape":
            return base.shape
        if node.attr == "ndim":
            return length_of(base.shape)
        if node.attr == "size":
            return product(self, base.shape)
        if node.attr == "dtype":
            return DtypeSymbol(base.dtype, base.framework)
        raise NotUnderstood

    def subscript(self, node: ast.Subscript) -> Symbol:
        """Read an item or a slice."""
        base = self.read(node.value)
        if isinstance(base, RecordSymbol):
            key = self.read(node.slice)
            if isinstance(key, Known) and key.value in base.items:
                return base.items[key.value]
            raise NotUnderstood
        if isinstance(base, ArraySymbol) or not is_sequence(base):
            raise NotUnderstood
        if isinstance(node.slice, ast.Slice):
            return self._slice(base, node.slice)
        return self._item(base, self.read(node.slice))

    def _item(self, base: Symbol, place: Symbol) -> Symbol:
        number = whole_number(place)
        if isinstance(base, Unsized) and (number is not None or isinstance(place, Term)):
            return item_of(self, base)
        items = listed(base).items
        if number is not None and -len(items) <= number < len(items):
            return items[number]
        if number is None and isinstance(place, Variable) and isinstance(base, Listed) and items:
            return Selected(tuple(as_term(item) for item in items), place)
        raise NotUnderstood

    def _slice(self, base: Symbol, node: ast.Slice) -> Symbol:
        ends = [None if end is None else self._whole(end) for end in (node.lower, node.upper)]
        step = 1 if node.step is None else self._whole(node.step)
        if not isinstance(base, Unsized):
            known = listed(base)
            return Listed(known.items[slice(ends[0], ends[1], step)], known.kind)
        length = slice_length(base.length, ends[0], ends[1], step)
        return Unsized(length, base.low, base.high, base.kind, base.is_whole)

    def _whole(self, node: ast.expr) -> int:
        number = whole_number(self.read(node))
        if number is None:
            raise NotUnderstood
        return number

    def call(self, node: ast.Call) -> Symbol:
        """Read a call of a function that is understood."""
        if isinstance(node.func, ast.Attribute) and self._is_symbolic(node.func.value):
            return method_of(self, self.read(node.func.value), node.func.attr, node)
        function = self._evaluated(node.func)
        if function in (all, any) and len(node.args) == 1:
            return quantified(self, function is all, node.args[0])
        if function in SPECIAL:
            return SPECIAL[function](self, node)
        if (key := key_of(function)) in NEAR:
            return near(self, key, node)
        if node.keywords:
            raise NotUnderstood
        arguments = [self.read(argument) for argument in node.args]
        known = FUNCTIONS.get(key)
        if known is None:
            raise NotUnderstood
        return known(self, *arguments)


_OPERATIONS: dict[type, Callable[[Term, Term], Term]] = {
    ast.Add: lambda a, b: added(a, b),
    ast.Sub: lambda a, b: added(a, negated(b)),
    ast.Mult: lambda a, b: multiplied([a, b]),
    ast.FloorDiv: Quotient,
    ast.Div: Ratio,
    ast.Mod: Remainder,
    ast.Pow: Power,
}
_READERS: dict[type, Callable[[Reader, Any], Symbol]] = {
    ast.Name: Reader.name,
    ast.Constant: Reader.constant,
    ast.Tuple: Reader.display,
    ast.List: Reader.display,
    ast.BoolOp: Reader.either_or,
    ast.Compare: Reader.comparison,
    ast.UnaryOp: Reader.unary,
    ast.BinOp: lambda reader, node: (
        reader.bitwise(node) if isinstance(node.op, ast.BitAnd | ast.BitOr) else reader.binary(node)
    ),
    ast.IfExp: Reader.if_else,
    ast.Attribute: Reader.attribute,
    ast.Subscript: Reader.subscript,
    ast.Call: Reader.call,
    ast.GeneratorExp: comprehension,
    ast.ListComp: comprehension,
    ast.SetComp: set_comprehension,
}
