"""One way to make a call: what its arguments are made of, in which order, and from what."""

from __future__ import annotations

import ast
import builtins
import dataclasses
import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

from annotest.constraints._dims import NamedShape
from annotest.expr import ByRecipe, Call, Expr, Literal, Local
from annotest.large import LARGE
from annotest.relations.arguments.array_nodes import Array, Sides, element_bounds
from annotest.relations.arguments.items import Series
from annotest.relations.arguments.model import Way
from annotest.relations.arguments.nodes import Scalar
from annotest.relations.reading.reader import Reader
from annotest.relations.reading.sequences import as_term
from annotest.relations.reading.statements import Statement
from annotest.relations.reading.symbols import Choice, NotUnderstood, Symbol
from annotest.relations.solving.conditions import is_exact
from annotest.relations.solving.levels import Level
from annotest.relations.solving.terms import Variable
from annotest.relations.solving.variables import Named
from annotest.source import Names, is_writable
from annotest.writer.conditions import formatted
from annotest.writer.draws import PrintedDraw, Room, Span, drawn
from annotest.writer.lists import BUILTINS, ListFacts
from annotest.writer.variables import count_of_sides, length_of, local_name, side_of
from annotest.writer.words import (
    Replacing,
    Unprintable,
    bound_in,
    conjuncts,
    free_in,
    parsed,
)

# names that a composite needs for itself
_RESERVED = {"min", "max", "range", "sorted", "tuple", "len"}
_DIVISIONS = ast.Div, ast.FloorDiv, ast.Mod
_MAY_RAISE = ast.Subscript, ast.Attribute, ast.Call, ast.Pow, ast.comprehension


class Outline:
    """The draws of one way; Unprintable where they are not of the few shapes.

    `texts` are the preconditions as the file may say them, `draw` is the function that draws.
    """

    def __init__(self, way: Way, texts: dict[Statement, str], names: Names, draw: str) -> None:
        self._way, self._names, self._draw = way, names, draw
        self._sizes, problem = way.fixed_lengths, way.plain_problem
        if problem is None or problem.given or {*texts} != {*way.statements}:
            raise Unprintable
        self._problem = problem
        self._locals = {local_name(variable): variable for variable in problem.order}
        self._meanings = Replacing({})
        self._facts: dict[str, ListFacts] = {}
        self._shapes: dict[str, list[str] | None] = {}
        for name in way.names:
            take = _TAKEN_IN.get(type(way.nodes[name]))
            if take is None:
                raise Unprintable  # it is drawn before the others, or its inside depends on them
            take(self, name, way.nodes[name])
        self._refuse_clashes(set().union(*(free_in(parsed(text)) for text in texts.values())))
        self._reader = self._reader_of_locals()
        self._conditions: dict[str, list[ast.expr]] = {local: [] for local in self._locals}
        self._used: set[str] = set()
        self._place(self._said(texts))

    def _reader_of_locals(self) -> Reader:
        symbols: dict[str, Symbol] = {}
        for local, variable in self._locals.items():
            domain = self._problem.declared[variable]
            number = Variable(variable, domain.values is not None)
            symbols[local] = number if domain.is_number else Choice(variable)
        return Reader(symbols, self._way.statements[0].scope if self._way.statements else {})

    def _refuse_clashes(self, mentioned: set[str]) -> None:
        """Refuse names that would mean two things in a composite."""
        known = {*self._way.names, *self._way.dims}
        made = [local_name(name) for name in self._problem.order if not isinstance(name, Named)]
        if {*made, "fitting"} & (known | mentioned) or known & {*_RESERVED, self._draw}:
            raise Unprintable

    # what the arguments are made of

    def _take_list(self, name: str, node: Series) -> None:
        self._facts[name] = ListFacts(name, node)
        size = self._sizes.get(length_of(name))
        length = local_name(length_of(name)) if size is None else str(size)
        self._meanings.of[f"len({name})"] = length

    def _take_array(self, name: str, node: Array) -> None:
        is_sure = all(said.state(self._problem.root) is True for said in node.named)
        if node.constraint.unique and not is_sure:
            raise Unprintable  # how many can differ depends on the others
        self._shapes[name] = sides = self._sides(name, node)
        if isinstance(node.dtype, Scalar):
            path = node.dtype.path  # one of its own is drawn with the array
            touched = any(path in condition.variables() for condition in self._problem.conditions)
            if touched or self._locals.pop(local_name(path), None) is None:
                raise Unprintable
        if sides:
            is_torch = node.constraint.adapter.name == "torch"
            self._meanings.of |= _said_of_shape(name, sides, is_torch)

    def _sides(self, name: str, node: Array) -> list[str] | None:
        """Return the sides of an array; None where its shape has nothing to do with the others."""
        if isinstance(node.shape, Sides):
            if node.shape.starred is not None:
                raise Unprintable
            texts = enumerate(side.text for side in NamedShape(node.constraint.shape).sides)
            return [local_name(side_of(name, at)) if text == "_" else text for at, text in texts]
        count = count_of_sides(name)
        if local_name(count) in self._locals:
            raise Unprintable  # of how many sides it has, others depend
        sides = [local_name(side_of(name, place)) for place in range(self._sizes.get(count, 0))]
        return sides if sides and {*sides} <= self._locals.keys() else None

    # what is said of them

    def _said(self, texts: dict[Statement, str]) -> Iterator[ast.expr]:
        """Yield all conditions, in the order in which they are said."""
        named = (pair for node in self._way.nodes.values() for pair in node.named_lengths())
        sizes = [f"{local_name(name)} == {length.text}" for name, length in named]
        sizes += [f"0 <= {side}" for sides in self._shapes.values() for side in sides or ()]
        sizes += self._ranges()
        if not all(self._is_safe(parsed(text)) for text in sizes):
            raise Unprintable
        yield from map(parsed, sizes)
        usual = {name: vars(builtins)[name] for name in BUILTINS}
        for statement, text in texts.items():
            if any(
                statement.scope.get(name, usually) is not usually for name, usually in usual.items()
            ):
                raise Unprintable
            yield from conjuncts(parsed(text))

    def _place(self, said: Iterator[ast.expr]) -> None:
        """Give each condition to the last name that it mentions: there it is met.

        One that may raise is not asked before others that are said before it, and may guard it.
        """
        order, last = list(self._conditions), 0
        for condition in (part for whole in said for part in self._in_locals(whole)):
            if self._always_holds(condition):
                continue
            names = free_in(condition) & self._locals.keys()
            place = max(map(order.index, names), default=-1)
            if not names or (place < last and not self._is_safe(condition)):
                raise Unprintable
            last = max(place, last)
            self._used |= names
            self._conditions[order[place]].append(condition)

    def _in_locals(self, said: ast.expr) -> list[ast.expr]:
        """Return a condition in the names that are drawn; none for a fact that a list takes in."""
        if bound_in(said) & {*self._way.nodes, *self._locals}:
            raise Unprintable
        conditions = [self._meanings.put_into(said)]
        lists = free_in(conditions[0]) & self._facts.keys()
        each: list[ast.expr] = []
        if len(lists) == 1:
            facts = self._facts[lists.pop()]
            conditions = [self._meanings.put_into(condition) for condition in facts.take(said)]
            parts = [conjuncts(self._meanings.put_into(condition)) for condition in facts.each]
            facts.each = each = [*itertools.chain.from_iterable(parts)]
            self._used |= set().union(*map(free_in, each))
        mentioned = set().union(*map(free_in, [*conditions, *each]))
        if mentioned & ({*self._way.nodes} - {*self._locals}):
            raise Unprintable  # of what is made of others, more is asked than its parts
        return [part for condition in conditions for part in conjuncts(condition)]

    def _is_safe(self, tree: ast.expr) -> bool:
        """Say whether an expression raises for no values."""
        reckoned = [node for node in ast.walk(tree) if isinstance(node, ast.BinOp)]
        spans = [
            self._bounds(operation.right)
            for operation in reckoned
            if isinstance(operation.op, _DIVISIONS)
        ]
        divided = all(span is not None and not span.low <= 0 <= span.high for span in spans)
        return divided and not any(isinstance(node, _MAY_RAISE) for node in ast.walk(tree))

    def _always_holds(self, condition: ast.expr) -> bool:
        """Say whether the values that are possible at all leave nothing to be asked."""
        try:
            said = self._reader.condition(condition)
            domains = [self._problem.declared[name] for name in said.variables()]
            is_whole = all(domain.values is not None for domain in domains)
            return is_whole and is_exact(said) and said.state(self._problem.root) is True
        except (NotUnderstood, KeyError, ArithmeticError):
            return False

    def _bounds(self, tree: ast.expr) -> Span | None:
        """Return what an expression of drawn names lies between; None where that is not known."""
        try:
            term = as_term(self._reader.read(tree))
            return Span(*term.bounds(self._problem.root), term.is_whole)
        except (NotUnderstood, KeyError, ArithmeticError):
            return None

    # how they are drawn

    def _room(self, name: str) -> Room:
        variable = self._locals[name]
        domain, root = self._problem.declared[variable], self._problem.root
        if not domain.is_number:
            return Room(name, domain.values, 0, 0)
        values = None if domain.values is None else Level(variable, domain).within(root)
        return Room(name, values, *root.bounds[variable])

    def draws(self) -> Iterator[tuple[str, PrintedDraw]]:
        """Yield how everything is drawn: single values in the order of the run, then the rest."""
        singles = list(self._singles())
        is_listed = any(draw.listing is not None for _, draw in singles)
        if is_listed and not self._problem.is_mostly_met_at_once:
            raise Unprintable
        yield from singles
        for name, facts in self._facts.items():
            yield name, PrintedDraw(self._list(name, facts), is_value=True)
        for name, sides in self._shapes.items():
            yield name, PrintedDraw(self._array(name, self._constraint(name), sides))

    def _singles(self) -> Iterator[tuple[str, PrintedDraw]]:
        """Yield the single values; lengths only where others need them."""
        lengths = {local_name(length_of(name)): facts for name, facts in self._facts.items()}
        for name, conditions in self._conditions.items():
            if name not in lengths or name in self._used or lengths[name].is_permutation:
                self._used.add(name)
                yield name, drawn(self._room(name), conditions, self._bounds, self._names)

    def _list(self, name: str, facts: ListFacts) -> Expr:
        length = local_name(length_of(name))
        size = self._sizes.get(length_of(name), 0)
        room = self._room(length) if length in self._locals else Room(length, (), size, size)
        facts.check(int(room.high))
        sizes: tuple[Any, Any] = int(room.low), int(room.high)
        sizes = (Local(length), Local(length)) if length in self._used else sizes
        return facts.source(sizes, self._draw, self._bounds, self._names)

    def _constraint(self, name: str) -> Any:
        return self._way.nodes[name].constraint  # type: ignore[attr-defined]

    def _ends(self, name: str) -> dict[str, str]:
        """Return the bounds of the elements of an array that are given by names."""
        bounds = self._constraint(name).named_bounds()
        return {end: formatted(parsed(side.text)) for end, side in bounds.items()}

    def _ranges(self) -> Iterator[str]:
        """Yield that some number lies between the ends of arrays, where names give one of them."""
        for name in filter(self._ends, self._shapes):
            constraint = self._constraint(name)
            low, high, _ = element_bounds(constraint)
            ends = {"min": low, "max": high, **self._ends(name)}
            sign = "<" if constraint.exclude_min or constraint.exclude_max else "<="
            if not {-math.inf, math.inf} & {*ends.values()}:
                yield f"{ends['min']} {sign} {ends['max']}"

    def _array(self, name: str, constraint: Any, sides: list[str] | None) -> Expr:
        ends = {end: Local(text) for end, text in self._ends(name).items()}
        if ends and sides is None:
            raise Unprintable
        if sides is None:
            return _writable(constraint.strategy())
        # as if it were large: that is written on one line
        strategy = _writable(dataclasses.replace(constraint, shape=(LARGE + 1,)).strategy())
        if not isinstance(strategy, ByRecipe):
            raise Unprintable  # several kinds of them
        shape = Local(ast.unparse(ast.Tuple([parsed(side) for side in sides], ast.Load())))
        options = (f"exclude_{end}" for end in ends)
        excluded = {name: Literal(True) for name in options if getattr(constraint, name)}
        return _with(strategy, {"shape": shape, **ends, **excluded})


def _said_of_shape(name: str, sides: list[str], is_torch: bool) -> dict[str, str]:
    """Return what an array with these sides may be asked about its shape, and the answers."""
    shape, count = f"({', '.join(sides)},)", str(len(sides))
    size = " * ".join(f"({side})" for side in sides)
    said = {f"{name}.shape": shape, f"{name}.ndim": count, f"len({name})": sides[0]}
    if not is_torch:
        return said | {f"{name}.size": size}
    said |= {f"{name}.size()": shape, f"{name}.dim()": count, f"{name}.numel()": size}
    every = range(-len(sides), len(sides))
    return said | {f"{name}.size({place})": sides[place] for place in every}


def _with(strategy: Expr, changed: dict[str, Any]) -> Expr:
    """Return a strategy of arrays with other options: its own, or of the arrays it makes."""
    assert isinstance(strategy, ByRecipe)
    function, args, options = strategy.call.function, strategy.call.args, strategy.call.kwargs
    if "shape" in dict(options):
        return Call(function, args, tuple((dict(options) | changed).items()))
    return Call(function, (_with(args[0], changed), *args[1:]), options)


def _writable(source: Expr) -> Expr:
    if not is_writable(source):
        raise Unprintable
    return source


_TAKEN_IN: dict[type, Callable[[Outline, str, Any], None]] = {
    Scalar: lambda outline, name, node: None,  # it is a variable itself
    Series: Outline._take_list,
    Array: Outline._take_array,
}
