"""From constraints to nodes, for each of the ways in which a call can be made."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Set
from typing import Any

from annotest.constraints import Constraint, anys, dicts, np_arrays, np_shapes, tuples
from annotest.constraints._dims import NamedShape
from annotest.constraints._shapes import shape_constraint
from annotest.constraints._sizes import Side
from annotest.relations.arguments.items import LISTS, Beside, array_node, scalar_node, series_node
from annotest.relations.arguments.nodes import (
    Drawn,
    Late,
    Measured,
    Node,
    Record,
    Several,
    Sides,
    Starred,
)
from annotest.relations.reading.symbols import Symbol
from annotest.relations.solving.domains import item_domain
from annotest.relations.solving.terms import Variable

Variation = dict[str, int]


def axes(constraint: Constraint, path: str) -> Iterator[tuple[str, int]]:
    """Yield where a constraint can be met in several ways, and in how many."""
    if isinstance(constraint, anys):
        yield path, len(constraint.constraints)
        for place, one in enumerate(constraint.constraints):
            yield from axes(one, f"{path}|{place}")
    elif isinstance(constraint, tuples) and constraint.is_fixed:
        for place, one in enumerate(constraint.elements):
            yield from axes(one, f"{path}[{place}]")
    elif isinstance(constraint, dicts) and isinstance(constraint.keys, dict):
        for key, (one, optional) in constraint.record.items():
            if optional:
                yield f"{path}[{key!r}]?", 2
            yield from axes(one, f"{path}[{key!r}]")


class Maker:
    """Makes the nodes of a call, for one of the ways in which it can be made.

    Of the arguments that are only `measured`, no more than the length is asked.
    """

    def __init__(
        self, variation: Variation, terms: Callable[[Side], Symbol], measured: Set[str]
    ) -> None:
        self._variation = variation
        self._terms = terms
        self._measured = measured

    def node(self, constraint: Constraint, path: str) -> Node:
        """Return the node of an argument or of a part of one."""
        if isinstance(constraint, anys) and path in self._variation:
            place = self._variation[path]
            return self._alternative(constraint.constraints[place], path, place)
        domain = item_domain(constraint)
        if domain is not None:
            return scalar_node(path, domain)
        if isinstance(constraint, tuples) and constraint.is_fixed:
            parts = enumerate(constraint.elements)
            return Several(tuple(self.node(one, f"{path}[{place}]") for place, one in parts))
        if isinstance(constraint, (*LISTS, tuples, np_shapes)):
            return self._series(constraint, path)
        if isinstance(constraint, np_arrays):
            return self._array(constraint, path)
        if isinstance(constraint, NamedShape):
            return self._sides(constraint, path)
        if isinstance(constraint, dicts) and isinstance(constraint.keys, dict):
            return self._record(constraint, path)
        return self._drawn(constraint, path)

    def _drawn(self, constraint: Constraint, path: str) -> Node:
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

    def _series(self, constraint: Any, path: str) -> Node:
        found = series_node(constraint, path)
        if found is None:
            return self._drawn(constraint, path)
        if path in self._measured and item_domain(found.element) is None:
            found = dataclasses.replace(found, room=0)
        if found.lengths[0] > 0 and found.element.is_named:
            return dataclasses.replace(found, needed=self._needed(found.element))
        return found

    def _array(self, constraint: Any, path: str) -> Node:
        shape = self.node(shape_constraint("np_arrays", constraint.shape), f"{path}.shape")
        return array_node(constraint, path, shape) or self._drawn(constraint, path)

    def _sides(self, constraint: NamedShape, path: str) -> Node:
        parts: list[list[Measured]] = [[]]
        starred, anonymous = None, []
        for place, side in enumerate(constraint.sides):
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

    def _record(self, constraint: Any, path: str) -> Node:
        items = []
        for key, (one, optional) in constraint.record.items():
            inside = f"{path}[{key!r}]"
            if optional and not self._variation.get(f"{inside}?", 0):
                continue
            items.append((key, self.node(one, inside)))
        return Record(tuple(items))
