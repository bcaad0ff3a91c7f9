"""Loops: what is said of items one after the other."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from annotest.relations.reading.comparing import truth
from annotest.relations.reading.reducing import item_of, of_all
from annotest.relations.reading.sequences import listed, unpacked
from annotest.relations.reading.symbols import (
    ArraySymbol,
    Distinct,
    Elements,
    FilteredItems,
    Listed,
    NotUnderstood,
    Reads,
    Symbol,
    Unsized,
)
from annotest.relations.solving.conditions import (
    Always,
    Compare,
    Condition,
    Needed,
    either,
    together,
)
from annotest.relations.solving.terms import Number, Term

# loops inside each other with more turns than that are checked as a whole
MOST_TURNS = 400


class Turn(NamedTuple):
    """A turn of loops: the values of the loop variables, and the condition to be there at all.

    `lengths` are those of lists whose length is open: it stands for an unknown number of turns.
    """

    row: dict[str, Symbol]
    guard: Condition
    lengths: tuple[Term, ...]


def quantified(reader: Reads, every: bool, node: ast.expr) -> Condition:
    """Read all(…) and any(…) over something that can be gone through."""
    if not isinstance(node, ast.GeneratorExp | ast.ListComp):
        items = reader.read(node)
        if isinstance(items, Elements):
            return of_all(items, every)
        parts = [truth(item) for item in listed(items).items]
        return together(parts) if every else either(parts)
    turns = _turns(reader, node.generators)
    parts = []
    for turn in turns:
        with _bound(reader, turn.row):
            said = reader.condition(node.elt)
        # of a list whose length is open, nothing is known but that one item of it must fit
        some = (Compare(length, "!=", Number(0)) for length in turn.lengths)
        guard = together([*some, turn.guard])
        parts.append(either([guard.negated(), said]) if every else together([guard, said]))
    whole = together(parts) if every else either(parts)
    return Needed(whole) if any(turn.lengths for turn in turns) else whole


def set_comprehension(reader: Reads, node: ast.SetComp) -> Symbol:
    """Read a set comprehension."""
    return Distinct(comprehension(reader, node))


def comprehension(reader: Reads, node: ast.GeneratorExp | ast.ListComp | ast.SetComp) -> Symbol:
    """Read a list comprehension over items that are known one by one."""
    turns = _turns(reader, node.generators)
    if any(turn.lengths for turn in turns):
        raise NotUnderstood
    items = []
    for turn in turns:
        with _bound(reader, turn.row):
            items.append((turn.guard, reader.read(node.elt)))
    if any(guard != Always(True) for guard, _ in items):
        return FilteredItems(tuple(items))
    return Listed(tuple(item for _, item in items), list)


def _turns(reader: Reads, loops: list[ast.comprehension]) -> list[Turn]:
    """Return the turns of loops inside each other."""
    loop, *inside = loops
    items, lengths = _items(reader, loop, len(loops) == 1 and not loop.ifs)
    turns: list[Turn] = []
    for item in items:
        row = unpacked(loop.target, item)
        with _bound(reader, row):
            guard = together(reader.condition(test) for test in loop.ifs)
            if guard == Always(False):
                continue
            inner = _turns(reader, inside) if inside else [Turn({}, Always(True), ())]
        for turn in inner:
            needed = together([guard, turn.guard])
            turns.append(Turn({**row, **turn.row}, needed, lengths + turn.lengths))
        if inside and len(turns) > MOST_TURNS:
            raise NotUnderstood
    return turns


def _items(
    reader: Reads, loop: ast.comprehension, alone: bool
) -> tuple[list[Symbol], tuple[Term, ...]]:
    """Return what a loop goes through, and the length of that where it is open."""
    items = reader.read(loop.iter)
    if loop.is_async or (isinstance(items, ArraySymbol) and not alone):
        raise NotUnderstood
    if isinstance(items, ArraySymbol):
        return [items.element], ()
    if isinstance(items, Unsized):
        return [item_of(reader, items)], (items.length,)
    return list(listed(items).items), ()


@contextmanager
def _bound(reader: Reads, row: dict[str, Symbol]) -> Iterator[None]:
    """Have loop variables stand for something, while the body of a loop is read."""
    before = reader.local
    reader.local = {**before, **row}
    try:
        yield
    finally:
        reader.local = before
