"""From constraints to nodes, for each of the ways in which a call can be made."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Set
from typing import Any

from annotest import frameworks
from annotest.constraints import Constraint
from annotest.constraints._sizes import Side
from annotest.relations.arguments.array_nodes import (
    Array,
    Broadcast,
    Sides,
    Starred,
    ends_of,
    within_named,
)
from annotest.relations.arguments.axes import Alternative, Present, Variation
from annotest.relations.arguments.items import Beside, ItemMaker, Series
from annotest.relations.arguments.nodes import (
    Drawn,
    Fixed,
    Late,
    Measured,
    Node,
    Record,
    Several,
)
from annotest.relations.reading.sequences import as_term
from annotest.relations.reading.symbols import Listed, NotUnderstood, Symbol
from annotest.relations.solving.boxes import Empty
from annotest.relations.solving.conditions import Compare
from annotest.relations.solving.domains import item_domain
from annotest.relations.solving.terms import Number, Term, Variable, added, multiplied, negated
from annotest.relations.solving.variables import Group, Member, Name, Named, Unnamed


class Maker(ItemMaker):
    """Makes the nodes of a call, for one of the ways in which it can be made.

    Of the arguments that are only `measured`, no more than the length is asked.
    """

    def __init__(
        self,
        variation: Variation,
        terms: Callable[[Side], Symbol],
        measured: Set[Name],
        argument: Callable[[Maker, str], Node],
    ) -> None:
        super().__init__()
        self._variation = variation
        self._terms = terms
        self._measured = measured
        self._argument = argument

    def argument(self, constraint: Constraint, name: str) -> Node:
        """Return the node of an argument."""
        return self.node(constraint, Named(name), Named(name))

    def _sharing(self, count: int) -> ItemMaker:
        return self  # of an argument, every part is made

    def union(self, constraint: Any, path: Name, axis: Name) -> Node:
        if axis not in self._variation:
            return self.drawn(constraint, path, axis)
        place = self._variation[axis]
        taken = constraint.structure.constraints[place]
        return self.node(taken, path, Alternative(axis, place))

    def drawn(self, constraint: Constraint, path: Name, axis: Name) -> Node:
        if constraint.is_named:
            return Late(constraint, self._needed(constraint), self._ranges(constraint))
        return Drawn(constraint) if isinstance(path, Named) else Beside(constraint)

    def _needed(self, constraint: Constraint) -> tuple[Measured, ...]:
        sides = (side for part in constraint.needed_parts() for side in part.named_sides())
        return tuple(Measured(side, self._terms(side)) for side in sides if not side.is_open)

    def _ranges(self, constraint: Constraint) -> tuple[Compare, ...]:
        """Return that named bounds leave a number, wherever there must be one."""
        parts: Iterator[Any] = constraint.needed_parts()
        return tuple(self._range(part) for part in parts if part.named_bounds())

    def _range(self, array: Any) -> Compare:
        low, high = ends_of(array, self._term)
        return Compare(low, "<=", high)

    def series(self, constraint: Any, path: Name, axis: Name) -> Node:
        node = super().series(constraint, path, axis)
        if not isinstance(node, Series):
            return node
        if path in self._measured and item_domain(node.element) is None:
            node = dataclasses.replace(node, room=0)
        if node.lengths[0] > 0 and node.element.is_named:
            needed, bounds = self._needed(node.element), self._ranges(node.element)
            return dataclasses.replace(node, needed=needed, bounds=bounds)
        return node

    def sides(self, constraint: Any, path: Name, axis: Name) -> Node:
        parts: list[list[Measured]] = [[]]
        starred = None
        anonymous: list[Name] = []
        for place, side in enumerate(constraint.structure.sides):
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

    def array(self, constraint: Any, path: Name, axis: Name) -> Node:
        node = super().array(constraint, path, axis)
        if not isinstance(node, Array):
            return node
        element = Variable(node.element, node.is_whole)
        said = [*within_named(constraint, self._term, element, element)]
        shape = node.shape.symbol({})
        if constraint.unique and node.is_whole and isinstance(shape, Listed):
            low, high = ends_of(constraint, self._term)
            sides = [*map(as_term, shape.items)]
            said.append(Compare(multiplied(sides), "<=", added(high, negated(low), Number(1))))
        return dataclasses.replace(node, named=tuple(said))

    def _term(self, side: Side) -> Term:
        try:
            return as_term(self._terms(side))
        except NotUnderstood:
            raise Empty from None

    def broadcast(self, constraint: Any, path: Name, axis: Name) -> Node:
        to, least = constraint.structure.to, constraint.structure.least
        other = self._argument(self, to) if isinstance(to, str) else None
        if isinstance(other, Fixed):  # a default
            view = frameworks.view(other.value)
            if view is None:
                raise Empty
            return Broadcast(path, Several(tuple(map(Fixed, view.shape))), least)
        if isinstance(other, Array):
            return Broadcast(path, other.shape, least)
        return self.drawn(constraint, path, axis)

    def record(self, constraint: Any, path: Name, axis: Name) -> Node:
        nodes: dict[Any, Node] = {}
        for key, (part, optional) in constraint.structure.record.items():
            inside = Member(axis, key)
            if not optional or self._variation.get(Present(inside), 0):
                nodes[key] = self.node(part, Member(path, key), inside)
        return Record(tuple(nodes.values()), tuple(nodes))
