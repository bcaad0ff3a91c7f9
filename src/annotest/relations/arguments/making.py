"""From constraints to nodes, for each of the ways in which a call can be made."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Set
from typing import Any

from annotest.constraints import Constraint, anys, dicts, np_arrays, np_shapes, tuples
from annotest.constraints._dims import NamedShape
from annotest.constraints._shapes import shape_constraint
from annotest.constraints._sizes import Side
from annotest.relations.arguments.array_nodes import Sides, Starred
from annotest.relations.arguments.axes import Alternative, Present, Variation
from annotest.relations.arguments.items import LISTS, Beside, array_node, scalar_node, series_node
from annotest.relations.arguments.nodes import Drawn, Late, Measured, Node, Record, Several
from annotest.relations.reading.symbols import Symbol
from annotest.relations.solving.domains import item_domain
from annotest.relations.solving.terms import Variable
from annotest.relations.solving.variables import (
    Group,
    Member,
    Name,
    Named,
    ShapeOf,
    Unnamed,
)


class Maker:
    """Makes the nodes of a call, for one of the ways in which it can be made.

    Of the arguments that are only `measured`, no more than the length is asked.
    """

    def __init__(
        self, variation: Variation, terms: Callable[[Side], Symbol], measured: Set[Name]
    ) -> None:
        self._variation = variation
        self._terms = terms
        self._measured = measured

    def argument(self, constraint: Constraint, name: str) -> Node:
        """Return the node of an argument."""
        return self._node(constraint, Named(name), Named(name))

    def _node(self, constraint: Constraint, path: Name, axis: Name) -> Node:
        """Return the node of a part of an argument; `axis` is where it is among the ways."""
        if isinstance(constraint, anys) and axis in self._variation:
            place = self._variation[axis]
            return self._node(constraint.constraints[place], path, Alternative(axis, place))
        domain = item_domain(constraint)
        if domain is not None:
            return scalar_node(path, domain)
        if isinstance(constraint, tuples) and constraint.is_fixed:
            return self._several(constraint, path, axis)
        if isinstance(constraint, (*LISTS, tuples, np_shapes)):
            return self._series(constraint, path)
        if isinstance(constraint, np_arrays):
            return self._array(constraint, path, axis)
        if isinstance(constraint, NamedShape):
            return self._sides(constraint, path)
        if isinstance(constraint, dicts) and isinstance(constraint.keys, dict):
            return self._record(constraint, path, axis)
        return self._drawn(constraint, path)

    def _drawn(self, constraint: Constraint, path: Name) -> Node:
        if constraint.is_named:
            return Late(constraint, self._needed(constraint))
        return Drawn(constraint) if isinstance(path, Named) else Beside(constraint)

    def _needed(self, constraint: Constraint) -> tuple[Measured, ...]:
        sides = (side for side in constraint.needed_sides() if not side.is_open)
        return tuple(Measured(side, self._terms(side)) for side in sides)

    def _several(self, constraint: Any, path: Name, axis: Name) -> Node:
        parts = enumerate(constraint.elements)
        return Several(
            tuple(
                self._node(part, Member(path, place), Member(axis, place)) for place, part in parts
            )
        )

    def _series(self, constraint: Any, path: Name) -> Node:
        found = series_node(constraint, path)
        if found is None:
            return self._drawn(constraint, path)
        if path in self._measured and item_domain(found.element) is None:
            found = dataclasses.replace(found, room=0)
        if found.lengths[0] > 0 and found.element.is_named:
            return dataclasses.replace(found, needed=self._needed(found.element))
        return found

    def _array(self, constraint: Any, path: Name, axis: Name) -> Node:
        sides = shape_constraint("np_arrays", constraint.shape)
        shape = self._node(sides, ShapeOf(path), ShapeOf(axis))
        return array_node(constraint, path, shape) or self._drawn(constraint, path)

    def _sides(self, constraint: NamedShape, path: Name) -> Node:
        parts: list[list[Measured]] = [[]]
        starred = None
        anonymous: list[Name] = []
        for place, side in enumerate(constraint.sides):
            if side.starred:
                starred = Starred(Group(side.text) if side.text != "..." else Unnamed(path))
                parts.append([])
            elif side.text == "_":
                anonymous.append(Member(path, place))
                parts[-1].append(Measured(side, Variable(anonymous[-1])))
            else:
                parts[-1].append(Measured(side, self._terms(side)))
        after = tuple(parts[1]) if starred else ()
        return Sides(tuple(parts[0]), starred, after, tuple(anonymous))

    def _record(self, constraint: Any, path: Name, axis: Name) -> Node:
        items = []
        for key, (part, optional) in constraint.record.items():
            inside = Member(axis, key)
            if optional and not self._variation.get(Present(inside), 0):
                continue
            items.append((key, self._node(part, Member(path, key), inside)))
        return Record(tuple(items))
