"""Reading what is said of many items at once: loops, sums, products and extremes."""

from __future__ import annotations

import ast
from typing import NamedTuple

from annotest.relations.reading.comparing import Comparer
from annotest.relations.reading.sequences import as_term, listed, unpacked
from annotest.relations.reading.symbols import (
    ArraySymbol,
    Distinct,
    ElementBound,
    Elements,
    Filtered,
    Listed,
    NotUnderstood,
    Symbol,
    Unsized,
)
from annotest.relations.solving.conditions import (
    Always,
    Compare,
    Condition,
    Needed,
    either,
    is_exact,
    is_opaque,
    together,
)
from annotest.relations.solving.dividing import Power
from annotest.relations.solving.guarded import Guarded
from annotest.relations.solving.terms import (
    Extreme,
    Number,
    Product,
    Term,
    Total,
    Variable,
    added,
    multiplied,
)
from annotest.relations.solving.variables import Name, StandIn

# loops inside each other with more turns than that are checked as a whole
MOST_TURNS = 400


class LoopReader(Comparer):
    """Reads loops; `local` holds the loop variables, `stand_ins` the bounds of unknown items."""

    local: dict[str, Symbol]
    stand_ins: dict[Name, tuple[float, float]]

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
        turns = self._turns(node.generators)
        parts = []
        for turn in turns:
            with Bound(self, turn.row):
                said = self.condition(node.elt)
            # of a list whose length is open, nothing is known but that one item of it must fit
            some = (Compare(one, "!=", Number(0)) for one in turn.lengths)
            guard = together([*some, turn.guard])
            parts.append(either([guard.negated(), said]) if every else together([guard, said]))
        found = together(parts) if every else either(parts)
        return Needed(found) if any(turn.lengths for turn in turns) else found

    def set_comprehension(self, node: ast.SetComp) -> Symbol:
        """Read a set comprehension."""
        return Distinct(self.comprehension(node))

    def comprehension(self, node: ast.GeneratorExp | ast.ListComp | ast.SetComp) -> Symbol:
        """Read a list comprehension over items that are known one by one."""
        turns = self._turns(node.generators)
        if any(turn.lengths for turn in turns):
            raise NotUnderstood
        items = []
        for turn in turns:
            with Bound(self, turn.row):
                items.append((turn.guard, self.read(node.elt)))
        if any(guard != Always(True) for guard, _ in items):
            return Filtered(tuple(items))
        return Listed(tuple(item for _, item in items), list)

    def _turns(self, loops: list[ast.comprehension]) -> list[Turn]:
        """Return the turns of loops inside each other."""
        loop, *inside = loops
        items, lengths = self._items(loop, len(loops) == 1 and not loop.ifs)
        turns: list[Turn] = []
        for item in items:
            row = unpacked(loop.target, item)
            with Bound(self, row):
                guard = together(self.condition(one) for one in loop.ifs)
                if guard == Always(False):
                    continue
                inner = self._turns(inside) if inside else [Turn({}, Always(True), ())]
            for turn in inner:
                needed = together([guard, turn.guard])
                turns.append(Turn({**row, **turn.row}, needed, lengths + turn.lengths))
            if inside and len(turns) > MOST_TURNS:
                raise NotUnderstood
        return turns

    def _items(self, loop: ast.comprehension, alone: bool) -> tuple[list[Symbol], tuple[Term, ...]]:
        """Return what a loop goes through, and the length of that where it is open."""
        found = self.read(loop.iter)
        if loop.is_async or (isinstance(found, ArraySymbol) and not alone):
            raise NotUnderstood
        if isinstance(found, ArraySymbol):
            return [found.element], ()
        if isinstance(found, Unsized):
            return [self.item_of(found)], (found.length,)
        return list(listed(found).items), ()

    def item_of(self, found: Unsized) -> Term:
        if found.is_whole is None:
            raise NotUnderstood
        return self._stand_in(found, found.is_whole)

    def _stand_in(self, items: Unsized, is_whole: bool) -> Term:
        name = StandIn(len(self.stand_ins))
        self.stand_ins[name] = (items.low, items.high)
        return Variable(name, is_whole)

    def total(self, found: Symbol) -> Term:
        if isinstance(found, Unsized):
            mean = self._stand_in(found, False)
            return Total(mean, found.length) if found.is_whole else Product(mean, found.length)
        return added(*(guarded(guard, _counted(item), 0) for guard, item in filtered(found).items))

    def product(self, found: Symbol) -> Term:
        if isinstance(found, Unsized):
            return Power(self._stand_in(found, False), found.length)
        return multiplied(
            [guarded(guard, as_term(item), 1) for guard, item in filtered(found).items]
        )

    def extreme(self, largest: bool, *found: Symbol) -> Symbol:
        if len(found) == 1 and isinstance(found[0], Unsized):
            return self.item_of(found[0])
        if len(found) == 1 and isinstance(found[0], ArraySymbol):
            return ElementBound(found[0].element, largest)
        items = listed(found[0]).items if len(found) == 1 else found
        if not items:
            raise NotUnderstood
        return Extreme(tuple(as_term(item) for item in items), largest)


def filtered(found: Symbol) -> Filtered:
    """Return a list as items of which each may be there or not."""
    if isinstance(found, Filtered):
        return found
    return Filtered(tuple((Always(True), item) for item in listed(found).items))


def guarded(guard: Condition, term: Term, otherwise: int) -> Term:
    """Return a term that is there where a condition holds."""
    if guard == Always(True):
        return term
    if not is_exact(guard) or is_opaque(guard):
        raise NotUnderstood
    return Guarded(guard, term, otherwise)


def _counted(item: Symbol) -> Term:
    """Return an item of a sum: a condition counts as one where it holds."""
    return guarded(item, Number(1), 0) if isinstance(item, Condition) else as_term(item)


class Turn(NamedTuple):
    """A turn of loops: the values of the loop variables, and the condition to be there at all.

    `lengths` are those of lists whose length is open: it stands for an unknown number of turns.
    """

    row: dict[str, Symbol]
    guard: Condition
    lengths: tuple[Term, ...]


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
