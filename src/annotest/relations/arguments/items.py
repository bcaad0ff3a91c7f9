"""Lists as nodes: how long they are is chosen first, then their items, each a node of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from annotest.constraints import Constraint
from annotest.constraints import _structure as structures
from annotest.constraints._sizes import Side
from annotest.large import SORTED
from annotest.records import record
from annotest.relations.arguments.array_nodes import Array, element_bounds
from annotest.relations.arguments.nodes import (
    Fixed,
    Measured,
    Node,
    Record,
    Scalar,
    Several,
    Sizes,
    Solution,
    merged,
    shared_dtypes,
)
from annotest.relations.reading.symbols import Listed, Symbol, Unknown, Unsized
from annotest.relations.solving.boxes import INF, Box
from annotest.relations.solving.conditions import Compare
from annotest.relations.solving.domains import Domain, choice, item_domain, whole_numbers
from annotest.relations.solving.terms import Number, Term, Variable
from annotest.relations.solving.variables import (
    DtypeOf,
    Length,
    Member,
    Name,
    ShapeOf,
    SharedDtype,
)

MOST_ITEMS = 100  # a list with more items than that is drawn as a whole
MOST_PARTS = 400  # and so are the lists in a list that would have more of them all together


@record
class Beside(Node):
    """A part of an argument that no condition can speak of; it is drawn beside the others."""

    is_chosen = False

    constraint: Constraint

    def symbol(self, sizes: Sizes) -> Symbol:
        return Unknown()

    def recipe(self, solution: Solution) -> Any:
        return solution.drawer.value(self.constraint)


@record
class Series(Node):
    """A list or tuple of any length, whose items satisfy one constraint.

    It is drawn as a whole where it would have more parts than there is room for.
    """

    path: Name
    kind: type
    length: Term
    lengths: tuple[int, int]
    element: Constraint
    room: int = MOST_PARTS
    named: Side | None = None  # its length, where it is given by names
    needed: tuple[Measured, ...] = ()  # sizes of its items, if it has any
    bounds: tuple[Compare, ...] = ()  # and what bounds of them are, if they are named

    @property
    def _size(self) -> Name:
        return Length(self.path)

    def symbol(self, sizes: Sizes) -> Symbol:
        count = sizes.get(self._size)
        if count is not None and self._is_in_parts(count):
            items = (self.item(place, count) for place in range(count))
            return Listed(tuple(item.symbol(sizes) for item in items), self.kind)
        length = self.length if count is None else Number(count)
        domain = item_domain(self.element)
        if domain is None or not domain.is_number:
            return Unsized(length, -INF, INF, self.kind)
        return Unsized(length, domain.low, domain.high, self.kind, domain.values is not None)

    def item(self, place: int, count: int) -> Node:
        """Return the node of one of so many items."""
        maker = ItemMaker(self.room // max(1, count))
        path = Member(self.path, place)
        return maker.node(self.element, path, path)

    def _is_in_parts(self, count: int) -> bool:
        if count > min(self.room, MOST_ITEMS) or self.element.is_named:
            return False
        return self.item(0, count).is_chosen

    def _has_lists_inside(self, count: int) -> bool:
        return self._is_in_parts(count) and bool(self.item(0, count).sizes({}))

    def sizes(self, known: Sizes) -> dict[Name, Domain]:
        low, high = self.lengths
        own: dict[Name, Domain] = {self._size: whole_numbers(range(low, high + 1))}
        count = known.get(self._size, 0)
        if not count or not self._has_lists_inside(count):
            return own
        return own | merged(self.item(place, count).sizes(known) for place in range(count))

    def domains(self, sizes: Sizes) -> dict[Name, Domain]:
        count = sizes.get(self._size, 0)
        if not count or not self._has_lists_inside(count):
            return shared_dtypes(self.element)
        return merged(self.item(place, count).domains(sizes) for place in range(count))

    def items(self, sizes: Sizes) -> list[dict[Name, Domain]]:
        count = sizes.get(self._size, 0)
        if not count or not self._is_in_parts(count):
            return []
        nodes = [self.item(place, count) for place in range(count)]
        if nodes[0].sizes({}):
            return [group for node in nodes for group in node.items(sizes)]
        return [merged(node.domains(sizes) for node in nodes)]

    def sides(self) -> list[Measured]:
        return list(self.needed)

    def conditions(self, sizes: Sizes) -> list[Compare]:
        return list(self.bounds)

    def named_lengths(self) -> list[tuple[Name, Side]]:
        return [] if self.named is None else [(self._size, self.named)]

    def recipe(self, solution: Solution) -> Any:
        count = solution.sizes[self._size]
        if self._is_chosen(solution.box, count):
            return self.kind(self.item(place, count).recipe(solution) for place in range(count))
        if count and self.element.is_named:
            element = self.element.sized(solution.meanings_for(self.element))
            return self.kind(solution.drawer.once(element) for _ in range(count))
        return self.kind(solution.drawer.value(self.element) for _ in range(count))

    def _is_chosen(self, box: Box, count: int) -> bool:
        """Say whether the items are chosen one by one: they are so together, or not at all."""
        if not count or not self._is_in_parts(count):
            return False
        first = self.item(0, count)
        # of an array without sides, there are only the bounds of its elements
        known = box.bounds.keys() | box.values.keys()
        return bool(first.sizes({})) or not known.isdisjoint(first.domains({}))


class ItemMaker:
    """Makes the nodes of items of lists, with room for so many parts, and of parts of them."""

    def __init__(self, room: int = MOST_PARTS) -> None:
        self._room = room

    def node(self, constraint: Constraint, path: Name, axis: Name) -> Node:
        """Return the node of a value, or of a part of one; `axis` is where it is among the ways."""
        domain = item_domain(constraint)
        if domain is not None:
            return scalar_node(path, domain)
        make: Callable[[Any, Name, Name], Node] = getattr(self, MAKING[type(constraint.structure)])
        return make(constraint, path, axis)

    def drawn(self, constraint: Constraint, path: Name, axis: Name) -> Node:
        """Return the node of what is drawn as a whole."""
        return Beside(constraint)

    def union(self, constraint: Any, path: Name, axis: Name) -> Node:
        """Return the node of one of several alternatives."""
        return self.drawn(constraint, path, axis)

    def sides(self, constraint: Any, path: Name, axis: Name) -> Node:
        """Return the node of a shape with named sides."""
        return self.drawn(constraint, path, axis)

    def broadcast(self, constraint: Any, path: Name, axis: Name) -> Node:
        """Return the node of a shape that broadcasts to another."""
        return self.drawn(constraint, path, axis)

    def row(self, constraint: Any, path: Name, axis: Name) -> Node:
        """Return the node of a tuple of fixed elements."""
        elements = constraint.structure.elements
        inner = self._sharing(len(elements))
        parts = (
            inner.node(element, Member(path, place), Member(axis, place))
            for place, element in enumerate(elements)
        )
        return Several(tuple(parts))

    def record(self, constraint: Any, path: Name, axis: Name) -> Node:
        """Return the node of a dict of named keys."""
        record = constraint.structure.record
        if any(optional for _, optional in record.values()):
            return self.drawn(constraint, path, axis)
        inner = self._sharing(len(record))
        nodes = (
            inner.node(part, Member(path, key), Member(axis, key))
            for key, (part, _) in record.items()
        )
        return Record(tuple(nodes), tuple(record))

    def series(self, constraint: Any, path: Name, axis: Name) -> Node:
        """Return the node of a list."""
        node = series_node(constraint.structure, path, self._room)
        return self.drawn(constraint, path, axis) if node is None else node

    def array(self, constraint: Any, path: Name, axis: Name) -> Node:
        """Return the node of an array."""
        shape = self.node(constraint.structure.shape, ShapeOf(path), ShapeOf(axis))
        return array_node(constraint, path, shape) or self.drawn(constraint, path, axis)

    def _sharing(self, count: int) -> ItemMaker:
        """Return what makes the nodes of so many parts."""
        return ItemMaker(self._room // max(1, count))


# for each structure, the method that makes its node where it is no single value that is chosen;
# a test sees to it that none is missing
MAKING: dict[type, str] = {
    structures.Undivided: "drawn",
    structures.Wholes: "drawn",
    structures.Reals: "drawn",
    structures.ListedValues: "drawn",
    structures.Row: "row",
    structures.Repeated: "series",
    structures.Fields: "record",
    structures.Maps: "drawn",
    structures.Alternatives: "union",
    structures.Shaped: "array",
    structures.NamedSides: "sides",
    structures.Broadcasting: "broadcast",
    structures.Narrowed: "drawn",
    structures.Derived: "drawn",
    structures.Built: "drawn",
}


def scalar_node(path: Name, domain: Domain) -> Node:
    """Return the node of a single value."""
    if domain.values is not None and len(domain.values) == 1 and not domain.is_number:
        return Fixed(domain.values[0])
    return Scalar(path, domain)


def series_node(structure: structures.Repeated, path: Name, room: int) -> Series | None:
    """Return the node of a list; None where its items must differ, which is drawn."""
    if structure.differ or structure.element is None:
        return None
    length: Term = Variable(Length(path))
    named = structure.side
    return Series(path, structure.kind, length, structure.lengths, structure.element, room, named)


def array_node(constraint: Any, path: Name, shape: Node) -> Node | None:
    """Return the node of an array; None where it must be drawn as a whole."""
    has_elements = constraint.elements is not None
    if not shape.is_chosen or (has_elements and not constraint.is_named):
        return None
    dtypes = constraint.dtypes
    dtype: Node = Fixed(dtypes[0])
    if constraint.shared_dtype():
        dtype = Scalar(SharedDtype(constraint.shared_dtype()), choice(dtypes))
    elif len(dtypes) > 1:
        dtype = Scalar(DtypeOf(path), choice(dtypes))
    low, high, whole = element_bounds(constraint)
    bounds = constraint.contents in (None, SORTED) and not has_elements
    return Array(path, shape, dtype, constraint, low, high, whole, bounds)
