"""Reading what is said of many items at once: loops, sums, products and extremes."""

from __future__ import annotations

import ast
from typing import Any

from annotest.relations.comparing import Comparer
from annotest.relations.conditions import Compare, Condition, Needed, either, together
from annotest.relations.dividing import Power
from annotest.relations.sequences import as_term, listed, unpacked
from annotest.relations.symbols import (
    ArraySymbol,
    ElementBound,
    Elements,
    Listed,
    NotUnderstood,
    Symbol,
    Unsized,
)
from annotest.relations.terms import Extreme, Number, Term, Variable, added, multiplied


class LoopReader(Comparer):
    """Reads loops; `local` holds the loop variables, `stand_ins` the bounds of unknown items."""

    local: dict[str, Symbol]
    stand_ins: dict[str, tuple[float, float]]

    def read(self, node: ast.expr) -> Symbol:
        """Return what an expression stands for."""
        raise NotImplementedError(type(self).__name__)  # the whole reader has it

    def condition(self, node: ast.expr) -> Condition:
        """Return the condition that an expression states."""
        raise NotImplementedError(type(self).__name__)  # the whole reader has it

    def of_all(self, elements: Elements, every: bool) -> Condition:
        if not every:
            raise NotUnderstood
        return elements.condition

    def quantified(self, every: bool, node: ast.expr) -> Symbol:
        """Read all(…) and any(…) over something that can be gone through."""
        if not isinstance(node, ast.GeneratorExp | ast.ListComp):
            found = self.read(node)
            if isinstance(found, Elements):
                return self.of_all(found, every)
            parts = [self.truth(one) for one in listed(found).items]
            return together(parts) if every else either(parts)
        rows = self._rows(node.generators)
        parts = []
        for row in rows:
            with Bound(self, row):
                parts.append(self.condition(node.elt))
        if isinstance(rows, Endless):
            # of lists whose length is open, nothing is known but that one item must fit
            empty = Compare(rows.length, "==", Number(0))
            some = either([empty, *parts]) if every else together([empty.negated(), *parts])
            return Needed(some)
        return together(parts) if every else either(parts)

    def comprehension(self, node: ast.GeneratorExp | ast.ListComp) -> Symbol:
        """Read a list comprehension over items that are known one by one."""
        rows = self._rows(node.generators)
        if isinstance(rows, Endless):
            raise NotUnderstood
        items = []
        for row in rows:
            with Bound(self, row):
                items.append(self.read(node.elt))
        return Listed(tuple(items), list)

    def _rows(self, generators: list[ast.comprehension]) -> Any:
        """Return the values of the loop variables, one dict for each turn."""
        if len(generators) != 1 or generators[0].ifs or generators[0].is_async:
            raise NotUnderstood
        loop = generators[0]
        found = self.read(loop.iter)
        if isinstance(found, ArraySymbol):
            return [unpacked(loop.target, found.element)]
        if isinstance(found, Unsized):
            item = self.item_of(found)
            return Endless([unpacked(loop.target, item)], found.length)
        return [unpacked(loop.target, item) for item in listed(found).items]

    def item_of(self, found: Unsized) -> Term:
        if found.is_whole is None:
            raise NotUnderstood
        name = f"item {len(self.stand_ins)}"
        self.stand_ins[name] = (found.low, found.high)
        return Variable(name, found.is_whole)

    def _stand_in(self, low: float, high: float) -> Term:
        name = f"item {len(self.stand_ins)}"
        self.stand_ins[name] = (low, high)
        return Variable(name, False)

    def total(self, found: Symbol) -> Term:
        if isinstance(found, Unsized):
            return multiplied([self._stand_in(found.low, found.high), found.length])
        return added(*(as_term(item) for item in listed(found).items))

    def product(self, found: Symbol) -> Term:
        if isinstance(found, Unsized):
            return Power(self._stand_in(found.low, found.high), found.length)
        return multiplied([as_term(item) for item in listed(found).items])

    def extreme(self, largest: bool, *found: Symbol) -> Symbol:
        if len(found) == 1 and isinstance(found[0], Unsized):
            return self.item_of(found[0])
        if len(found) == 1 and isinstance(found[0], ArraySymbol):
            return ElementBound(found[0].element, largest)
        items = listed(found[0]).items if len(found) == 1 else found
        if not items:
            raise NotUnderstood
        return Extreme(tuple(as_term(item) for item in items), largest)


class Endless(list[Any]):
    """One turn of a loop that stands for an unknown number of them."""

    def __init__(self, rows: list[Any], length: Term) -> None:
        super().__init__(rows)
        self.length = length


class Bound:
    """Loop variables, while the body of a loop is read."""

    def __init__(self, reader: LoopReader, row: dict[str, Symbol]) -> None:
        self._reader = reader
        self._row = row

    def __enter__(self) -> None:
        self._before = self._reader.local
        self._reader.local = {**self._before, **self._row}

    def __exit__(self, *error: object) -> None:
        self._reader.local = self._before
