"""Nodes: an argument as variables to be chosen, and as the recipe made of them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Protocol

from annotest.constraints import Constraint, floats, ints, np_arrays, same
from annotest.constraints._dims import (
    LARGEST_SIDE,
    MOST_STARRED,
    SMALLEST_SIDE,
    named_in,
    resolved,
    with_parts,
)
from annotest.constraints._numbers import neighbour, rounded
from annotest.frozen import frozen
from annotest.relations.boxes import INF, Box
from annotest.relations.conditions import Compare, Condition, Ranged, together
from annotest.relations.domains import (
    Domain,
    choice,
    common,
    item_domain,
    stand_in,
    whole_numbers,
)
from annotest.relations.symbols import (
    ArraySymbol,
    Choice,
    Given,
    Known,
    Listed,
    RecordSymbol,
    Symbol,
    Unsized,
)
from annotest.relations.terms import Number, Term, Variable, added

MOST_ITEMS = 100  # a list with more items than that is drawn as a whole
Sizes = dict[str, int]


class Drawer(Protocol):
    """Who draws what is no variable."""

    def value(self, constraint: Constraint) -> Any: ...
    def items(self, constraint: Constraint, count: int) -> list[Any]: ...
    def array(self, constraint: Constraint, changed: dict[str, Any]) -> Any: ...
    def once(self, constraint: Constraint) -> Any: ...


class Node:
    """One argument, or a part of one."""

    def symbol(self, sizes: Sizes | None) -> Symbol:
        """Return what it is called in conditions; `sizes` are the lengths, once they are known."""
        raise NotImplementedError(type(self).__name__)  # each node has its own

    def sizes(self) -> dict[str, Domain]:
        """Return the variables that say how long things are."""
        return {}

    def domains(self, sizes: Sizes) -> dict[str, Domain]:
        """Return its other variables."""
        return {}

    def items(self, sizes: Sizes) -> list[dict[str, Domain]]:
        """Return the variables of the items of each list: they are needed together or not."""
        return []

    def sides(self) -> list[Term]:
        """Return the sides: they must not be negative."""
        return []

    def recipe(self, box: Box, sizes: Sizes, drawer: Drawer) -> Any:
        """Return the recipe that chosen values make."""
        raise NotImplementedError(type(self).__name__)  # each node has its own


@frozen
class Scalar(Node):
    """One variable."""

    path: str
    domain: Domain

    def symbol(self, sizes: Sizes | None) -> Symbol:
        if not self.domain.is_number:
            values = self.domain.values or ()
            return Choice(self.path, all(type(one) is bool for one in values))
        return Variable(self.path, self.domain.values is not None)

    def domains(self, sizes: Sizes) -> dict[str, Domain]:
        return {self.path: self.domain}

    def recipe(self, box: Box, sizes: Sizes, drawer: Drawer) -> Any:
        return box.values[self.path]


@frozen
class Fixed(Node):
    """A value that is known."""

    value: Any

    def symbol(self, sizes: Sizes | None) -> Symbol:
        return Known(self.value)

    def recipe(self, box: Box, sizes: Sizes, drawer: Drawer) -> Any:
        return self.value


@frozen
class Drawn(Node):
    """A value that is drawn before the others are chosen."""

    path: str
    constraint: Constraint

    def symbol(self, sizes: Sizes | None) -> Symbol:
        return Given(self.path)

    def recipe(self, box: Box, sizes: Sizes, drawer: Drawer) -> Any:
        return box.values[self.path]


@frozen
class Late(Node):
    """A value that mentions dimensions somewhere inside, drawn when they are chosen."""

    constraint: Constraint

    def symbol(self, sizes: Sizes | None) -> Symbol:
        return self  # nothing that a condition understands

    def domains(self, sizes: Sizes) -> dict[str, Domain]:
        return shared_dtypes(self.constraint)

    def recipe(self, box: Box, sizes: Sizes, drawer: Drawer) -> Any:
        return drawer.once(resolved(self.constraint, box.values))


@frozen
class Several(Node):
    """A tuple of nodes."""

    nodes: tuple[Node, ...]

    def symbol(self, sizes: Sizes | None) -> Symbol:
        return Listed(tuple(node.symbol(sizes) for node in self.nodes))

    def sizes(self) -> dict[str, Domain]:
        return _merged(node.sizes() for node in self.nodes)

    def domains(self, sizes: Sizes) -> dict[str, Domain]:
        return _merged(node.domains(sizes) for node in self.nodes)

    def items(self, sizes: Sizes) -> list[dict[str, Domain]]:
        return [one for node in self.nodes for one in node.items(sizes)]

    def recipe(self, box: Box, sizes: Sizes, drawer: Drawer) -> Any:
        return tuple(node.recipe(box, sizes, drawer) for node in self.nodes)


@frozen
class Series(Node):
    """A list or tuple of any length, whose items satisfy one constraint."""

    path: str
    kind: type
    length: Term
    lengths: tuple[int, int]
    element: Constraint

    @property
    def _size(self) -> str:
        return f"len({self.path})"

    def _own_length(self) -> bool:
        return isinstance(self.length, Variable) and self.length.name == self._size

    def symbol(self, sizes: Sizes | None) -> Symbol:
        domain = item_domain(self.element)
        low, high, whole = -INF, INF, None
        if domain is not None and domain.is_number:
            low, high, whole = domain.low, domain.high, domain.values is not None
        if sizes is None:
            return Unsized(self.length, low, high, self.kind, whole)
        if domain is None or sizes[self._size] > MOST_ITEMS:
            return Unsized(Number(sizes[self._size]), low, high, self.kind, whole)
        count = sizes[self._size]
        items = tuple(self._item(place).symbol(sizes) for place in range(count))
        return Listed(items, self.kind)

    def _item(self, place: int) -> Scalar:
        domain = item_domain(self.element)
        assert domain is not None
        return Scalar(f"{self.path}[{place}]", domain)

    def sizes(self) -> dict[str, Domain]:
        low, high = self.lengths
        return {self._size: whole_numbers(range(low, high + 1))}

    def domains(self, sizes: Sizes) -> dict[str, Domain]:
        return shared_dtypes(self.element)

    def items(self, sizes: Sizes) -> list[dict[str, Domain]]:
        count = sizes[self._size]
        if item_domain(self.element) is None or count > MOST_ITEMS:
            return []
        return [_merged(self._item(place).domains(sizes) for place in range(count))]

    def recipe(self, box: Box, sizes: Sizes, drawer: Drawer) -> Any:
        count = sizes[self._size]
        if f"{self.path}[0]" in box.values:
            return self.kind(box.values[f"{self.path}[{place}]"] for place in range(count))
        if named_in(self.element):
            element = resolved(self.element, box.values)
            return self.kind(drawer.once(element) for _ in range(count))
        return self.kind(drawer.items(self.element, count))


@frozen
class Starred(Node):
    """Sides of any number, in the middle of a named shape."""

    path: str

    @property
    def size(self) -> str:
        """The variable that says how many there are."""
        return f"len({self.path})"

    def symbols(self, sizes: Sizes) -> tuple[Symbol, ...]:
        """Return the sides."""
        return tuple(Variable(f"{self.path}[{place}]") for place in range(sizes[self.size]))

    def sizes(self) -> dict[str, Domain]:
        return {self.size: whole_numbers(range(MOST_STARRED + 1))}

    def domains(self, sizes: Sizes) -> dict[str, Domain]:
        sides = whole_numbers(range(SMALLEST_SIDE, LARGEST_SIDE + 1))
        return {f"{self.path}[{place}]": sides for place in range(sizes[self.size])}


@frozen
class Sides(Node):
    """A named shape."""

    before: tuple[Symbol, ...]
    starred: Starred | None = None
    after: tuple[Symbol, ...] = ()
    anonymous: tuple[str, ...] = ()

    def symbol(self, sizes: Sizes | None) -> Symbol:
        if self.starred is None:
            return Listed(self.before)
        if sizes is None:
            count = Number(len(self.before) + len(self.after))
            return Unsized(added(Variable(self.starred.size), count), 0, INF, tuple, True)
        return Listed((*self.before, *self.starred.symbols(sizes), *self.after))

    def sizes(self) -> dict[str, Domain]:
        return {} if self.starred is None else self.starred.sizes()

    def domains(self, sizes: Sizes) -> dict[str, Domain]:
        own = whole_numbers(range(SMALLEST_SIDE, LARGEST_SIDE + 1))
        found = dict.fromkeys(self.anonymous, own)
        return found if self.starred is None else found | self.starred.domains(sizes)

    def sides(self) -> list[Term]:
        return [one for one in (*self.before, *self.after) if isinstance(one, Term)]

    def recipe(self, box: Box, sizes: Sizes, drawer: Drawer) -> Any:
        found = self.symbol(sizes)
        return tuple(_number(item, box) for item in found.items)


def _number(symbol: Symbol, box: Box) -> int:
    if isinstance(symbol, Known):
        return int(symbol.value)
    low, _ = symbol.bounds(box)
    return int(low)


@frozen
class Array(Node):
    """An array: its shape and dtype are chosen, its contents drawn within bounds."""

    path: str
    shape: Node
    dtype: Node
    constraint: Constraint
    low: float
    high: float
    is_whole: bool
    has_bounds: bool = True  # else the contents are given, and a condition on them is a filter

    @property
    def element(self) -> str:
        """The variable that stands for each of its elements."""
        return f"{self.path}[…]"

    def symbol(self, sizes: Sizes | None) -> Symbol:
        element = Variable(self.element, self.is_whole)
        return ArraySymbol(self.shape.symbol(sizes), self.dtype.symbol(sizes), element)

    def sizes(self) -> dict[str, Domain]:
        return self.shape.sizes()

    def domains(self, sizes: Sizes) -> dict[str, Domain]:
        own = {self.element: stand_in(self.low, self.high)}
        return own | self.shape.domains(sizes) | self.dtype.domains(sizes)

    def items(self, sizes: Sizes) -> list[dict[str, Domain]]:
        return self.shape.items(sizes)

    def sides(self) -> list[Term]:
        return self.shape.sides()

    def within_dtype(self) -> Condition:
        """Return that the elements lie where the dtype has numbers."""
        ends = {one: self._ends(one) for one in self.constraint.dtypes}  # type: ignore[attr-defined]
        if isinstance(self.dtype, Scalar):
            return Ranged(self.element, self.dtype.path, tuple(ends.items()))
        low, high = ends[self.dtype.value]  # type: ignore[attr-defined]
        element = Variable(self.element, self.is_whole)
        return together([Compare(Number(low), "<=", element), Compare(element, "<=", Number(high))])

    def _ends(self, dtype: str) -> tuple[float, float]:
        """Return the ends between which a bound leaves a value, however it is rounded."""
        element = self.constraint.element(dtype)  # type: ignore[attr-defined]
        if isinstance(element, ints):
            return element.bounds
        if not isinstance(element, floats) or element.allow_infinity:
            return -INF, INF
        largest = neighbour(neighbour(INF, element.width, False), element.width, False)
        return -largest, largest

    def recipe(self, box: Box, sizes: Sizes, drawer: Drawer) -> Any:
        shape = self.shape.recipe(box, sizes, drawer)
        dtype = self.dtype.recipe(box, sizes, drawer)
        low, high = box.bounds.get(self.element, (self.low, self.high))
        changed: dict[str, Any] = {"shape": shape, "dtype": dtype}
        if not self.has_bounds or (low, high) == (self.low, self.high):
            return drawer.array(self.constraint, changed)
        least, most = self._ends(dtype)
        if low > max(self.low, least):
            changed |= {"min": _inside(low, dtype, True), "exclude_min": False}
        if high < min(self.high, most):
            changed |= {"max": _inside(high, dtype, False), "exclude_max": False}
        return drawer.array(self.constraint, changed)


def _inside(bound: float, dtype: str, up: bool) -> float:
    """Return a bound that holds for a dtype too, in which the other side may be rounded."""
    width = {"float16": 16, "float32": 32}.get(dtype)
    if width is None or not math.isfinite(bound):
        return bound
    return neighbour(rounded(float(bound), width, up=up), width, up)


@frozen
class Record(Node):
    """A dict with these keys."""

    pairs: tuple[tuple[Any, Node], ...]

    def symbol(self, sizes: Sizes | None) -> Symbol:
        return RecordSymbol({key: node.symbol(sizes) for key, node in self.pairs})

    def sizes(self) -> dict[str, Domain]:
        return _merged(node.sizes() for _, node in self.pairs)

    def domains(self, sizes: Sizes) -> dict[str, Domain]:
        return _merged(node.domains(sizes) for _, node in self.pairs)

    def items(self, sizes: Sizes) -> list[dict[str, Domain]]:
        return [one for _, node in self.pairs for one in node.items(sizes)]

    def recipe(self, box: Box, sizes: Sizes, drawer: Drawer) -> Any:
        return {key: node.recipe(box, sizes, drawer) for key, node in self.pairs}


def shared_dtypes(constraint: Constraint) -> dict[str, Domain]:
    """Return the dtypes that arrays inside a constraint share with others, as variables."""
    arrays = (one for one in with_parts(constraint) if isinstance(one, np_arrays))
    shared = (one for one in arrays if isinstance(one.dtype, same))
    return _merged({f"dtype {one.dtype.label}": choice(one.dtypes)} for one in shared)


def _merged(found: Iterator[dict[str, Domain]]) -> dict[str, Domain]:
    merged: dict[str, Domain] = {}
    for one in found:
        for name, domain in one.items():
            merged[name] = common(merged[name], domain) if name in merged else domain
    return merged
