"""Arrays as nodes: their sides and dtypes are chosen, their contents drawn within bounds."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from annotest.constraints._arrays import ArrayConstraint
from annotest.constraints._dims import LARGEST_SIDE, SMALLEST_SIDE
from annotest.constraints._formats import neighbour, rounded
from annotest.constraints._sizes import MOST_STARRED, Side
from annotest.constraints._structure import Reals
from annotest.errors import InvalidAnnotation
from annotest.records import record
from annotest.relations.arguments.nodes import Measured, Node, Scalar, Sizes, Solution
from annotest.relations.reading.sequences import as_term
from annotest.relations.reading.symbols import ArraySymbol, Listed, Symbol, Unsized
from annotest.relations.solving.boxes import INF, Box
from annotest.relations.solving.conditions import Compare, Condition, together
from annotest.relations.solving.domains import Domain, stand_in, whole_numbers
from annotest.relations.solving.searching import Unsolvable
from annotest.relations.solving.terms import Namer, Number, Product, Term, Variable, added
from annotest.relations.solving.variables import AsThere, Element, Length, Member, Name


@record
class Ranged(Condition):
    """A number lies between ends that depend on the value of another variable."""

    number: Name
    choice: Name
    ends: tuple[tuple[Any, tuple[float, float]], ...]

    def variables(self) -> Iterator[Name]:
        return iter((self.number, self.choice))

    def state(self, box: Box) -> bool | None:
        return None

    def narrow(self, box: Box) -> None:
        for value, (low, high) in self.ends:
            if box.values.get(self.choice) == value:
                box.narrow(self.number, low, high, False)

    def text(self, name: Namer) -> str:
        return "True"


@record
class Starred(Node):
    """Sides of any number, in the middle of a named shape."""

    path: Name

    @property
    def size(self) -> Name:
        """The variable that says how many there are."""
        return Length(self.path)

    def parts(self, sizes: Sizes) -> tuple[Measured, ...]:
        """Return the sides."""
        names = (Member(self.path, place) for place in range(sizes[self.size]))
        return tuple(Measured(Side("_"), Variable(name)) for name in names)

    def sizes(self, known: Sizes) -> dict[Name, Domain]:
        return {self.size: whole_numbers(range(MOST_STARRED + 1))}

    def domains(self, sizes: Sizes) -> dict[Name, Domain]:
        sides = whole_numbers(range(SMALLEST_SIDE, LARGEST_SIDE + 1))
        return {Member(self.path, place): sides for place in range(sizes.get(self.size, 0))}


@record
class Sides(Node):
    """A named shape."""

    before: tuple[Measured, ...]
    starred: Starred | None = None
    after: tuple[Measured, ...] = ()
    anonymous: tuple[Name, ...] = ()

    def symbol(self, sizes: Sizes) -> Symbol:
        if self.starred is not None and self.starred.size not in sizes:
            count = Number(len(self.before) + len(self.after))
            return Unsized(added(Variable(self.starred.size), count), 0, INF, tuple, True)
        return Listed(tuple(part.symbol for part in self._parts(sizes)))

    def _parts(self, sizes: Sizes) -> tuple[Measured, ...]:
        between = () if self.starred is None else self.starred.parts(sizes)
        return (*self.before, *between, *self.after)

    def sizes(self, known: Sizes) -> dict[Name, Domain]:
        return {} if self.starred is None else self.starred.sizes(known)

    def domains(self, sizes: Sizes) -> dict[Name, Domain]:
        own = whole_numbers(range(SMALLEST_SIDE, LARGEST_SIDE + 1))
        sides: dict[Name, Domain] = dict.fromkeys(self.anonymous, own)
        return sides if self.starred is None else sides | self.starred.domains(sizes)

    def sides(self) -> list[Measured]:
        return [*self.before, *self.after]

    def recipe(self, solution: Solution) -> Any:
        return tuple(part.size(solution) for part in self._parts(solution.sizes))


@record
class Broadcast(Node):
    """A shape that broadcasts to another: some of its last sides, each as it is or 1."""

    path: Name
    other: Node
    least: int

    @property
    def _size(self) -> Name:
        return Length(self.path)

    def _kept(self, sizes: Sizes) -> tuple[Term, ...]:
        """Return the sides of the other shape that this one has too; none while that is open."""
        other, count = self.other.symbol(sizes), sizes.get(self._size)
        if count is None or not isinstance(other, Listed):
            return ()
        return tuple(map(as_term, other.items[len(other.items) - count :]))

    def _is_kept(self, place: int) -> Name:
        return AsThere(self.path, place)

    def symbol(self, sizes: Sizes) -> Symbol:
        if self._size not in sizes:
            return Unsized(Variable(self._size), 0, INF, tuple, True)
        return Listed(tuple(self._sides(sizes)))

    def _sides(self, sizes: Sizes) -> Iterator[Term]:
        for place, side in enumerate(self._kept(sizes)):
            kept = Variable(self._is_kept(place))
            yield added(Number(1), Product(kept, added(side, Number(-1))))

    def sizes(self, known: Sizes) -> dict[Name, Domain]:
        other = self.other.symbol(known)
        if not isinstance(other, Listed):
            return {}
        return {self._size: whole_numbers(range(self.least, len(other.items) + 1))}

    def domains(self, sizes: Sizes) -> dict[Name, Domain]:
        places = range(len(self._kept(sizes)))
        return {self._is_kept(place): whole_numbers(range(2)) for place in places}

    def conditions(self, sizes: Sizes) -> list[Compare]:
        # which also has the sides of the other one chosen
        return [Compare(Number(0), "<=", side) for side in self._sides(sizes)]

    def recipe(self, solution: Solution) -> Any:
        count = solution.sizes[self._size]
        sides = self.other.recipe(solution)
        kept = enumerate(sides[len(sides) - count :])
        return tuple(
            side if solution.box.values[self._is_kept(place)] else 1 for place, side in kept
        )


@record
class Array(Node):
    """An array: its shape and dtype are chosen, its contents drawn within bounds."""

    path: Name
    shape: Node
    dtype: Node
    constraint: ArrayConstraint
    low: float
    high: float
    is_whole: bool
    has_bounds: bool = True  # else the contents are given, and a condition on them is a filter
    named: tuple[Compare, ...] = ()  # what bounds that are given by names say of an element

    @property
    def element(self) -> Name:
        """The variable that stands for each of its elements."""
        return Element(self.path)

    def symbol(self, sizes: Sizes) -> Symbol:
        element = Variable(self.element, self.is_whole)
        shape, dtype = self.shape.symbol(sizes), self.dtype.symbol(sizes)
        return ArraySymbol(shape, dtype, element, self.constraint.adapter.name)

    def sizes(self, known: Sizes) -> dict[Name, Domain]:
        return self.shape.sizes(known)

    def domains(self, sizes: Sizes) -> dict[Name, Domain]:
        own: dict[Name, Domain] = {self.element: stand_in(self.low, self.high)}
        return own | self.shape.domains(sizes) | self.dtype.domains(sizes)

    def items(self, sizes: Sizes) -> list[dict[Name, Domain]]:
        return self.shape.items(sizes)

    def sides(self) -> list[Measured]:
        return self.shape.sides()

    def named_lengths(self) -> list[tuple[Name, Side]]:
        return self.shape.named_lengths()

    def conditions(self, sizes: Sizes) -> list[Compare]:
        return [*self.named, *self.shape.conditions(sizes)]

    def shape_of(self, solution: Solution) -> tuple[int, ...]:
        shape: tuple[int, ...] = self.shape.recipe(solution)
        return shape

    def within_dtype(self) -> Condition:
        """Return that the elements lie where the dtype has numbers."""
        ends = {dtype: self._ends(dtype) for dtype in self.constraint.dtypes}
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
        changed |= self.constraint.bounds_in(solution.meanings)
        least, most = self._ends(dtype)
        if low > max(changed.get("min", self.low), least):
            changed |= {"min": _inside(low, dtype, True), "exclude_min": False}
        if high < min(changed.get("max", self.high), most):
            changed |= {"max": _inside(high, dtype, False), "exclude_max": False}
        try:
            return drawer.array(self.constraint, changed)
        except InvalidAnnotation:
            raise Unsolvable from None  # no value of this dtype lies between the bounds


def element_bounds(constraint: Any) -> tuple[float, float, bool]:
    """Return what all elements of an array lie between, whatever its dtype."""
    inside = [constraint.element(dtype).structure for dtype in constraint.dtypes]
    if all(structure.is_whole for structure in inside):
        ends = [structure.ends for structure in inside]
        return min(low for low, _ in ends), max(high for _, high in ends), True
    low, high = constraint.known_bounds
    return -INF if low is None else low, INF if high is None else high, False


def ends_of(constraint: ArrayConstraint, term_of: Callable[[Side], Term]) -> tuple[Term, Term]:
    """Return what the elements of an array lie between, in terms of what names give."""
    low, high, _ = element_bounds(constraint)
    ends: dict[str, Term] = {"min": Number(low), "max": Number(high)}
    ends |= {name: term_of(side) for name, side in constraint.named_bounds().items()}
    return ends["min"], ends["max"]


def within_named(
    constraint: ArrayConstraint, term_of: Callable[[Side], Term], least: Term, most: Term
) -> Iterator[Compare]:
    """Yield what the named bounds of an array say of its least and its largest element."""
    named = constraint.named_bounds()
    if "min" in named:
        yield Compare(term_of(named["min"]), "<" if constraint.exclude_min else "<=", least)
    if "max" in named:
        yield Compare(most, "<" if constraint.exclude_max else "<=", term_of(named["max"]))


def told_by(
    constraint: ArrayConstraint, array: Any, term_of: Callable[[Side], Term]
) -> Iterator[Compare]:
    """Yield what the elements of an array say of the names in its bounds."""
    if not constraint.named_bounds():
        return
    low, high = ends_of(constraint, term_of)
    yield Compare(low, "<=", high)  # of an array without elements, there is nothing else to say
    elements = constraint.adapter.elements(array)
    ordered = elements[elements == elements]  # without NaN
    if ordered.size:
        least, most = Number(ordered.min().item()), Number(ordered.max().item())
        yield from within_named(constraint, term_of, least, most)


def _inside(bound: float, dtype: str, up: bool) -> float:
    """Return a bound that holds for a dtype too, in which the other side may be rounded."""
    width = {"float16": 16, "float32": 32}.get(dtype)
    if width is None or not math.isfinite(bound):
        return bound
    return neighbour(rounded(float(bound), width, up=up), width, up)
