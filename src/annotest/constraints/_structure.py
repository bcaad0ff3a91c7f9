"""What values are made of, as their constraint tells those who take values apart.

There are few structures and many constraints: relations and the minimiser know the structures only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from annotest.constraints._formats import neighbour
from annotest.constraints._sizes import Side
from annotest.records import record

if TYPE_CHECKING:
    from annotest.constraints._base import Constraint


class ValuePart(NamedTuple):
    """One item of a value: where it stands, and what it must satisfy."""

    key: Any
    constraint: Constraint
    item: Any


class Structure:
    """How values are put together; what is not said below is not known."""

    shows_sizes: ClassVar[bool] = False  # whether `parts` reaches all that may have named sizes

    def parts(self, value: Any) -> Iterator[ValuePart]:
        """Yield the items of a value, those left out that have no place of their own."""
        yield from ()

    @property
    def numbers(self) -> range | None:
        """All values, where they are the whole numbers of a range."""
        return None

    @property
    def ends(self) -> tuple[Any, Any] | None:
        """The smallest and the largest finite value, where the values are numbers."""
        return None

    @property
    def is_whole(self) -> bool:
        """Whether the values are whole numbers."""
        return False

    @property
    def is_bounded(self) -> bool:
        """Whether the annotation says between which ends the numbers lie."""
        return False


@record
class Undivided(Structure):
    """Values that are taken as a whole: text with a pattern, what others have invented."""


@record
class Wholes(Structure):
    """The whole numbers of a range."""

    is_whole = True
    is_bounded = True

    values: range

    @property
    def numbers(self) -> range:
        return self.values

    @property
    def ends(self) -> tuple[int, int]:
        return self.values[0], self.values[-1]


@record
class Reals(Structure):
    """The floats of a width between two ends, None where there is none.

    Those other than 0 are at least `apart` from it.
    """

    low: float | None
    high: float | None
    width: int
    has_nan: bool
    has_infinity: bool
    apart: float = 0.0

    @property
    def ends(self) -> tuple[float, float]:
        largest = neighbour(math.inf, self.width, False)
        low = -largest if self.low is None else self.low
        return low, largest if self.high is None else self.high

    @property
    def is_finite(self) -> bool:
        """Whether neither NaN nor an infinity is among them."""
        return not (self.has_nan or self.has_infinity)

    @property
    def is_bounded(self) -> bool:
        return self.low is not None and self.high is not None


@record
class ListedValues(Structure):
    """Values that are listed, the simplest first; a function of the user's may list them."""

    listing: Callable[[], Sequence[Any]]

    @property
    def values(self) -> Sequence[Any]:
        """The values, listed anew each time."""
        return self.listing()

    @property
    def ends(self) -> tuple[int, int] | None:
        values = self.values
        return (min(values), max(values)) if _are_whole(values) else None

    @property
    def is_whole(self) -> bool:
        return _are_whole(self.values)


def _are_whole(values: Sequence[Any]) -> bool:
    return all(type(value) is int for value in values)


@record
class Row(Structure):
    """A tuple with a constraint for each of its items."""

    shows_sizes = True

    elements: tuple[Constraint, ...]

    def parts(self, value: Any) -> Iterator[ValuePart]:
        items = value if isinstance(value, tuple) else ()
        for place, (element, item) in enumerate(zip(self.elements, items, strict=False)):
            yield ValuePart(place, element, item)


@record
class Repeated(Structure):
    """Any number of items; `element` is None where they have no places.

    `side` is the length where it is given by names, and `differ` says that no two items are equal.
    """

    shows_sizes = True

    kind: type[Any]
    lengths: tuple[int, int]
    element: Constraint | None = None
    side: Side | None = None
    differ: bool = False

    def parts(self, value: Any) -> Iterator[ValuePart]:
        if self.element is not None and isinstance(value, self.kind):
            for place, item in enumerate(value):
                yield ValuePart(place, self.element, item)


@record
class Fields(Structure):
    """A dict with a constraint for each key, and whether the key may be left out."""

    shows_sizes = True

    record: dict[Any, tuple[Constraint, bool]]

    def parts(self, value: Any) -> Iterator[ValuePart]:
        for key, item in value.items() if isinstance(value, dict) else ():
            if key in self.record:
                yield ValuePart(key, self.record[key][0], item)


@record
class Maps(Structure):
    """A dict with any number of keys of one constraint, and values of another."""

    keys: Constraint
    values: Constraint
    lengths: tuple[int, int]

    def parts(self, value: Any) -> Iterator[ValuePart]:
        for key, item in value.items() if isinstance(value, dict) else ():
            yield ValuePart(key, self.values, item)


@record
class Alternatives(Structure):
    """Values of any of several constraints."""

    shows_sizes = True

    constraints: tuple[Constraint, ...]


@record
class Shaped(Structure):
    """Arrays of elements; the constraint itself knows about dtypes and contents."""

    shows_sizes = True

    shape: Constraint


@record
class NamedSides(Structure):
    """Shape tuples whose sides are named."""

    sides: tuple[Side, ...]


@record
class Broadcasting(Structure):
    """Shape tuples that broadcast to the shape of an argument, or to one that is known."""

    shows_sizes = True

    to: str | tuple[int, ...]
    least: int


@record
class Narrowed(Structure):
    """The values of another constraint for which a predicate holds."""

    base: Constraint
    predicate: Callable[[Any], Any]


@record
class Derived(Structure):
    """What a function makes of the values of another constraint."""

    base: Constraint
    function: Callable[[Any], Any]


@record
class Built(Structure):
    """What a custom generator builds, or the instances of a class in some modes."""

    generator: Any
    modes: tuple[str, ...] = ("",)


STRUCTURES: tuple[type[Structure], ...] = tuple(Structure.__subclasses__())
