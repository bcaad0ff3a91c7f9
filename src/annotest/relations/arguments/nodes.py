"""Nodes: an argument as variables to be chosen, and as the recipe made of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from annotest.constraints import Constraint
from annotest.constraints._arrays import ArrayConstraint
from annotest.constraints._dims import LARGEST_SIDE, SMALLEST_SIDE
from annotest.constraints._formats import neighbour, rounded
from annotest.constraints._sizes import MOST_STARRED, Meanings, Side
from annotest.constraints._structure import Reals
from annotest.errors import InvalidAnnotation
from annotest.frozen import frozen
from annotest.relations.reading.symbols import (
    ArraySymbol,
    Choice,
    Given,
    Known,
    Listed,
    RecordSymbol,
    Symbol,
    Unknown,
    Unsized,
)
from annotest.relations.solving.boxes import INF, Box
from annotest.relations.solving.conditions import Compare, Condition, Ranged, together
from annotest.relations.solving.domains import Domain, choice, common, stand_in, whole_numbers
from annotest.relations.solving.problems import Unsolvable
from annotest.relations.solving.terms import Number, Variable, added

Sizes = dict[str, int]


class Drawer(Protocol):
    """Who draws what is no variable."""

    def value(self, constraint: Constraint) -> Any: ...
    def items(self, constraint: Constraint, count: int) -> list[Any]: ...
    def array(self, constraint: Constraint, changed: dict[str, Any]) -> Any: ...
    def once(self, constraint: Constraint) -> Any: ...


@dataclass
class Solution:
    """All that has been chosen for a call, from which its recipes are made.

    `known` are the values that names have without being chosen: defaults, what was built before.
    """

    box: Box
    sizes: Sizes
    drawer: Drawer
    known: Mapping[str, Any]

    @cached_property
    def meanings(self) -> Meanings:
        """What names in sizes mean in this call."""
        values = self.box.values
        dtypes = {name[6:]: value for name, value in values.items() if name.startswith("dtype ")}
        return Meanings({**self.known, **values}, dtypes)


@frozen
class Measured:
    """A side, and what it is in conditions."""

    side: Side
    symbol: Symbol

    def size(self, solution: Solution) -> int:
        """Return the size that was chosen for it."""
        if isinstance(self.symbol, Variable):
            return int(solution.box.values[self.symbol.name])
        return self.side.size(solution.meanings.names)


class Node:
    """One argument, or a part of one."""

    is_chosen = True  # else it is drawn

    def symbol(self, sizes: Sizes) -> Symbol:
        """Return what it is called in conditions; `sizes` are the lengths known so far."""
        raise NotImplementedError(type(self).__name__)  # each node has its own

    def sizes(self, known: Sizes) -> dict[str, Domain]:
        """Return the variables that say how long things are, of those that are there for sure.

        How many lists there are in a list is known when its own length is.
        """
        return {}

    def domains(self, sizes: Sizes) -> dict[str, Domain]:
        """Return its other variables."""
        return {}

    def items(self, sizes: Sizes) -> list[dict[str, Domain]]:
        """Return the variables of the items of each list: they are needed together or not."""
        return []

    def sides(self) -> list[Measured]:
        """Return the sizes that must be there: they must not be negative."""
        return []

    def named_lengths(self) -> list[tuple[str, Side]]:
        """Return the variables of lengths that are named, with what they must be."""
        return []

    def recipe(self, solution: Solution) -> Any:
        """Return the recipe that chosen values make."""
        raise NotImplementedError(type(self).__name__)  # each node has its own


@frozen
class Scalar(Node):
    """One variable."""

    path: str
    domain: Domain

    def symbol(self, sizes: Sizes) -> Symbol:
        if not self.domain.is_number:
            values = self.domain.values or ()
            return Choice(self.path, all(type(one) is bool for one in values))
        return Variable(self.path, self.domain.values is not None)

    def domains(self, sizes: Sizes) -> dict[str, Domain]:
        return {self.path: self.domain}

    def recipe(self, solution: Solution) -> Any:
        return solution.box.values[self.path]


@frozen
class Fixed(Node):
    """A value that is known."""

    value: Any

    def symbol(self, sizes: Sizes) -> Symbol:
        return Known(self.value)

    def recipe(self, solution: Solution) -> Any:
        return self.value


@frozen
class Drawn(Node):
    """A value that is drawn before the others are chosen."""

    is_chosen = False

    path: str
    constraint: Constraint

    def symbol(self, sizes: Sizes) -> Symbol:
        return Given(self.path)

    def recipe(self, solution: Solution) -> Any:
        return solution.box.values[self.path]


@frozen
class Late(Node):
    """A value that mentions dimensions somewhere inside, drawn when they are chosen."""

    is_chosen = False

    constraint: Constraint
    needed: tuple[Measured, ...] = ()

    def symbol(self, sizes: Sizes) -> Symbol:
        return Unknown()

    def domains(self, sizes: Sizes) -> dict[str, Domain]:
        return shared_dtypes(self.constraint)

    def sides(self) -> list[Measured]:
        return list(self.needed)

    def recipe(self, solution: Solution) -> Any:
        return solution.drawer.once(self.constraint.sized(solution.meanings))


@frozen
class Several(Node):
    """A tuple of nodes."""

    nodes: tuple[Node, ...]

    def symbol(self, sizes: Sizes) -> Symbol:
        return Listed(tuple(node.symbol(sizes) for node in self.nodes))

    def sizes(self, known: Sizes) -> dict[str, Domain]:
        return merged(node.sizes(known) for node in self.nodes)

    def domains(self, sizes: Sizes) -> dict[str, Domain]:
        return merged(node.domains(sizes) for node in self.nodes)

    def items(self, sizes: Sizes) -> list[dict[str, Domain]]:
        return [one for node in self.nodes for one in node.items(sizes)]

    def sides(self) -> list[Measured]:
        return [side for node in self.nodes for side in node.sides()]

    def named_lengths(self) -> list[tuple[str, Side]]:
        return [length for node in self.nodes for length in node.named_lengths()]

    def recipe(self, solution: Solution) -> Any:
        return tuple(node.recipe(solution) for node in self.nodes)


@frozen
class Starred(Node):
    """Sides of any number, in the middle of a named shape."""

    path: str

    @property
    def size(self) -> str:
        """The variable that says how many there are."""
        return f"len({self.path})"

    def parts(self, sizes: Sizes) -> tuple[Measured, ...]:
        """Return the sides."""
        names = (f"{self.path}[{place}]" for place in range(sizes[self.size]))
        return tuple(Measured(Side("_"), Variable(name)) for name in names)

    def sizes(self, known: Sizes) -> dict[str, Domain]:
        return {self.size: whole_numbers(range(MOST_STARRED + 1))}

    def domains(self, sizes: Sizes) -> dict[str, Domain]:
        sides = whole_numbers(range(SMALLEST_SIDE, LARGEST_SIDE + 1))
        return {f"{self.path}[{place}]": sides for place in range(sizes.get(self.size, 0))}


@frozen
class Sides(Node):
    """A named shape."""

    before: tuple[Measured, ...]
    starred: Starred | None = None
    after: tuple[Measured, ...] = ()
    anonymous: tuple[str, ...] = ()

    def symbol(self, sizes: Sizes) -> Symbol:
        if self.starred is not None and self.starred.size not in sizes:
            count = Number(len(self.before) + len(self.after))
            return Unsized(added(Variable(self.starred.size), count), 0, INF, tuple, True)
        return Listed(tuple(part.symbol for part in self._parts(sizes)))

    def _parts(self, sizes: Sizes) -> tuple[Measured, ...]:
        between = () if self.starred is None else self.starred.parts(sizes)
        return (*self.before, *between, *self.after)

    def sizes(self, known: Sizes) -> dict[str, Domain]:
        return {} if self.starred is None else self.starred.sizes(known)

    def domains(self, sizes: Sizes) -> dict[str, Domain]:
        own = whole_numbers(range(SMALLEST_SIDE, LARGEST_SIDE + 1))
        found = dict.fromkeys(self.anonymous, own)
        return found if self.starred is None else found | self.starred.domains(sizes)

    def sides(self) -> list[Measured]:
        return [*self.before, *self.after]

    def recipe(self, solution: Solution) -> Any:
        return tuple(part.size(solution) for part in self._parts(solution.sizes))


@frozen
class Array(Node):
    """An array: its shape and dtype are chosen, its contents drawn within bounds."""

    path: str
    shape: Node
    dtype: Node
    constraint: ArrayConstraint
    low: float
    high: float
    is_whole: bool
    has_bounds: bool = True  # else the contents are given, and a condition on them is a filter

    @property
    def has_dtypes(self) -> bool:
        """Whether its dtype is to be chosen."""
        return not isinstance(self.dtype, Fixed)

    @property
    def element(self) -> str:
        """The variable that stands for each of its elements."""
        return f"{self.path}[…]"

    def symbol(self, sizes: Sizes) -> Symbol:
        element = Variable(self.element, self.is_whole)
        shape, dtype = self.shape.symbol(sizes), self.dtype.symbol(sizes)
        return ArraySymbol(shape, dtype, element, self.constraint.framework)

    def sizes(self, known: Sizes) -> dict[str, Domain]:
        return self.shape.sizes(known)

    def domains(self, sizes: Sizes) -> dict[str, Domain]:
        own = {self.element: stand_in(self.low, self.high)}
        return own | self.shape.domains(sizes) | self.dtype.domains(sizes)

    def items(self, sizes: Sizes) -> list[dict[str, Domain]]:
        return self.shape.items(sizes)

    def sides(self) -> list[Measured]:
        return self.shape.sides()

    def named_lengths(self) -> list[tuple[str, Side]]:
        return self.shape.named_lengths()

    def within_dtype(self) -> Condition:
        """Return that the elements lie where the dtype has numbers."""
        ends = {one: self._ends(one) for one in self.constraint.dtypes}
        if isinstance(self.dtype, Scalar):
            return Ranged(self.element, self.dtype.path, tuple(ends.items()))
        low, high = ends[self.dtype.value]  # type: ignore[attr-defined]
        element = Variable(self.element, self.is_whole)
        return together([Compare(Number(low), "<=", element), Compare(element, "<=", Number(high))])

    def _ends(self, dtype: str) -> tuple[float, float]:
        """Return the ends between which a bound leaves a value, however it is rounded."""
        element = self.constraint.element(dtype)
        assert element is not None
        known: Any = element.structure
        if isinstance(known, Reals) and not known.has_infinity:
            largest = neighbour(neighbour(INF, known.width, False), known.width, False)
            return -largest, largest
        return known.ends if known.is_whole else (-INF, INF)

    def recipe(self, solution: Solution) -> Any:
        drawer = solution.drawer
        shape, dtype = self.shape.recipe(solution), self.dtype.recipe(solution)
        low, high = solution.box.bounds.get(self.element, (self.low, self.high))
        changed: dict[str, Any] = {"shape": shape, "dtype": dtype}
        if not self.has_bounds or (low, high) == (self.low, self.high):
            return drawer.array(self.constraint, changed)
        least, most = self._ends(dtype)
        if low > max(self.low, least):
            changed |= {"min": _inside(low, dtype, True), "exclude_min": False}
        if high < min(self.high, most):
            changed |= {"max": _inside(high, dtype, False), "exclude_max": False}
        try:
            return drawer.array(self.constraint, changed)
        except InvalidAnnotation:
            raise Unsolvable from None  # no value of this dtype lies between the bounds


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

    def symbol(self, sizes: Sizes) -> Symbol:
        return RecordSymbol({key: node.symbol(sizes) for key, node in self.pairs})

    def sizes(self, known: Sizes) -> dict[str, Domain]:
        return merged(node.sizes(known) for _, node in self.pairs)

    def domains(self, sizes: Sizes) -> dict[str, Domain]:
        return merged(node.domains(sizes) for _, node in self.pairs)

    def items(self, sizes: Sizes) -> list[dict[str, Domain]]:
        return [one for _, node in self.pairs for one in node.items(sizes)]

    def sides(self) -> list[Measured]:
        return [side for _, node in self.pairs for side in node.sides()]

    def named_lengths(self) -> list[tuple[str, Side]]:
        return [length for _, node in self.pairs for length in node.named_lengths()]

    def recipe(self, solution: Solution) -> Any:
        return {key: node.recipe(solution) for key, node in self.pairs}


def shared_dtypes(constraint: Constraint) -> dict[str, Domain]:
    """Return the dtypes that arrays inside a constraint share with others, as variables."""
    parts: Iterable[Any] = constraint.with_parts()
    shared = (array for array in parts if array.shared_dtype())
    return merged({f"dtype {array.shared_dtype()}": choice(array.dtypes)} for array in shared)


def merged(found: Iterable[dict[str, Domain]]) -> dict[str, Domain]:
    """Return variables together, each with the values that all leave it."""
    every: dict[str, Domain] = {}
    for one in found:
        for name, domain in one.items():
            every[name] = common(every[name], domain) if name in every else domain
    return every
