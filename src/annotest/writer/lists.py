"""Lists of which the run knows facts: each item, sorted, different, a permutation, the length."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

from annotest.expr import Call, Expr, Generated, Local, Ref, st, walk
from annotest.relations.arguments.items import Series
from annotest.relations.solving.domains import item_domain
from annotest.source import Names, is_writable
from annotest.writer.conditions import renamed_text
from annotest.writer.draws import Bounds, Room, drawn
from annotest.writer.words import Unprintable, bound_in, free_in, parsed

UP, DOWN, DIFFERENT = "up", "down", "different"
BUILTINS = {"all", "len", "list", "range", "set", "sorted", "zip"}

# of a list x, with the variables of a loop in the order of the alphabet
_FACTS = {
    "x == sorted(x)": {UP},
    "sorted(x) == x": {UP},
    "x == sorted(x, reverse=True)": {DOWN},
    "sorted(x, reverse=True) == x": {DOWN},
    "len(set(x)) == len(x)": {DIFFERENT},
    "len(x) == len(set(x))": {DIFFERENT},
}
_ORDERS = {"<=": {UP}, "<": {UP, DIFFERENT}, ">=": {DOWN}, ">": {DOWN, DIFFERENT}}
for _sign, _kinds in _ORDERS.items():
    _FACTS[f"all(a {_sign} b for a, b in zip(x, x[1:]))"] = _kinds
    _FACTS[f"all(x[a] {_sign} x[a + 1] for a in range(len(x) - 1))"] = _kinds


@dataclass
class ListFacts:
    """What is known of one list, and how it is drawn from that."""

    name: str
    node: Series
    kinds: set[str] = field(default_factory=set)
    item: str = ""
    each: list[ast.expr] = field(default_factory=list)
    is_permutation: bool = False

    def take(self, condition: ast.expr) -> list[ast.expr]:
        """Take in a condition on the list; return what it says of the length, if anything."""
        loops = dict(zip(sorted(bound_in(condition)), "abc", strict=False))
        text = renamed_text(ast.unparse(condition), {**loops, self.name: "x"})
        if text in _FACTS and free_in(condition) <= {self.name, *BUILTINS}:
            self.kinds |= _FACTS[text]
            return []
        match condition:
            case ast.Call(ast.Name("all"), [ast.GeneratorExp(each, [loop])], []):
                self._take_each(each, loop)
                return []
            case ast.Compare(
                ast.Call(ast.Name("sorted"), [ast.Name(name)], []),
                [ast.Eq()],
                [ast.Call(ast.Name("list"), [ast.Call(ast.Name("range"), [count], [])], [])],
            ) if name == self.name:
                self.is_permutation = True
                return [parsed(f"len({name}) == {ast.unparse(count)}")]
        raise Unprintable

    def _take_each(self, each: ast.expr, loop: ast.comprehension) -> None:
        item = loop.target.id if isinstance(loop.target, ast.Name) else ""
        is_other = not item or item != (self.item or item)
        if ast.unparse(loop.iter) != self.name or loop.ifs or is_other:
            raise Unprintable
        self.item = item
        self.each.append(each)

    def check(self, longest: int) -> None:
        """Refuse facts that do not go together, or that a list of this length may not have."""
        domain = item_domain(self.node.element)
        values = None if domain is None else domain.values
        few = values is not None and len(values) < longest
        whole = [*(values or ())[:longest]] == [*range(longest)]
        if (
            (self.kinds & {UP, DOWN} and (self.node.kind is tuple or {UP, DOWN} <= self.kinds))
            or (DIFFERENT in self.kinds and (self.each or few))
            or (domain is None and (self.kinds or self.each))
            or (self.is_permutation and (self.kinds or self.each or not whole))
        ):
            raise Unprintable

    def _items(self, bounds: Bounds, names: Names) -> Expr:
        """Return how each item is drawn."""
        domain = item_domain(self.node.element)
        if self.each and domain is not None:
            room = Room(self.item, domain.values, domain.low, domain.high)
            item = drawn(room, self.each, bounds, names)
            if item.listing is not None or item.is_value:
                raise Unprintable
            return item.source
        strategy = self.node.element.strategy()
        is_made = any(isinstance(node, Generated) for node in walk(strategy))
        if is_made or not is_writable(strategy) or self.node.element.is_named:
            raise Unprintable
        return strategy

    def source(self, sizes: tuple[Any, Any], draw: str, bounds: Bounds, names: Names) -> Expr:
        """Return the list, drawn between its smallest and its largest size."""
        options = {"min_size": sizes[0], "max_size": sizes[1]}
        options |= {"unique": True} if DIFFERENT in self.kinds else {}
        whole = st.lists(self._items(bounds, names), **options)
        if self.is_permutation:
            whole = st.permutations(Ref("builtins", "range")(sizes[1]))
        items = Call(Local(draw), (whole,))
        if self.kinds & {UP, DOWN}:
            reverse = {"reverse": True} if DOWN in self.kinds else {}
            items = Ref("builtins", "sorted")(items, **reverse)
        return Ref("builtins", "tuple")(items) if self.node.kind is tuple else items
