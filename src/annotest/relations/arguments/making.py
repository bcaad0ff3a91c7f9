"""From constraints to nodes, for each of the ways in which a call can be made."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Set
from typing import Any

from annotest.constraints import Constraint
from annotest.constraints._sizes import Side
from annotest.constraints._structure import Alternatives, Fields, Row
from annotest.relations.arguments.items import Beside, ItemMaker, Series
from annotest.relations.arguments.nodes import (
    Drawn,
    Late,
    Measured,
    Node,
    Record,
    Sides,
    Starred,
)
from annotest.relations.reading.symbols import Symbol
from annotest.relations.solving.domains import item_domain
from annotest.relations.solving.terms import Variable

Variation = dict[str, int]


def axes(constraint: Constraint, path: str) -> Iterator[tuple[str, int]]:
    """Yield where a constraint can be met in several ways, and in how many."""
    match constraint.structure:
        case Alternatives(constraints):
            yield path, len(constraints)
            for place, inner in enumerate(constraints):
                yield from axes(inner, f"{path}|{place}")
        case Row(elements):
            for place, inner in enumerate(elements):
                yield from axes(inner, f"{path}[{place}]")
        case Fields(record):
            for key, (inner, optional) in record.items():
                if optional:
                    yield f"{path}[{key!r}]?", 2
                yield from axes(inner, f"{path}[{key!r}]")


class Maker(ItemMaker):
    """Makes the nodes of a call, for one of the ways in which it can be made.

    Of the arguments that are only `measured`, no more than the length is asked.
    """

    def __init__(
        self, variation: Variation, terms: Callable[[Side], Symbol], measured: Set[str]
    ) -> None:
        super().__init__()
        self._variation = variation
        self._terms = terms
        self._measured = measured

    def _sharing(self, count: int) -> ItemMaker:
        return self  # of an argument, every part is made

    def union(self, constraint: Any, path: str) -> Node:
        if path not in self._variation:
            return self.drawn(constraint, path)
        place = self._variation[path]
        return self._alternative(constraint.structure.constraints[place], path, place)

    def drawn(self, constraint: Constraint, path: str) -> Node:
        if constraint.is_named:
            return Late(constraint, self._needed(constraint))
        return Drawn(path, constraint) if path.isidentifier() else Beside(constraint)

    def _needed(self, constraint: Constraint) -> tuple[Measured, ...]:
        sides = (side for side in constraint.needed_sides() if not side.is_open)
        return tuple(Measured(side, self._terms(side)) for side in sides)

    def _alternative(self, constraint: Constraint, path: str, place: int) -> Node:
        inner = Maker({}, self._terms, self._measured)
        prefix = f"{path}|{place}"
        inner._variation = {
            path + key.removeprefix(prefix): value
            for key, value in self._variation.items()
            if key.startswith(prefix)
        }
        return inner.node(constraint, path)

    def series(self, constraint: Any, path: str) -> Node:
        found = super().series(constraint, path)
        if not isinstance(found, Series):
            return found
        if path in self._measured and item_domain(found.element) is None:
            found = dataclasses.replace(found, room=0)
        if found.lengths[0] > 0 and found.element.is_named:
            return dataclasses.replace(found, needed=self._needed(found.element))
        return found

    def sides(self, constraint: Any, path: str) -> Node:
        parts: list[list[Measured]] = [[]]
        starred, anonymous = None, []
        for place, side in enumerate(constraint.structure.sides):
            if side.starred:
                starred = Starred(f"*{side.text}" if side.text != "..." else f"{path}.any")
                parts.append([])
            elif side.text == "_":
                anonymous.append(f"{path}[{place}]")
                parts[-1].append(Measured(side, Variable(anonymous[-1])))
            else:
                parts[-1].append(Measured(side, self._terms(side)))
        after = tuple(parts[1]) if starred else ()
        return Sides(tuple(parts[0]), starred, after, tuple(anonymous))

    def record(self, constraint: Any, path: str) -> Node:
        items = []
        for key, (one, optional) in constraint.structure.record.items():
            inside = f"{path}[{key!r}]"
            if optional and not self._variation.get(f"{inside}?", 0):
                continue
            items.append((key, self.node(one, inside)))
        return Record(tuple(items))
