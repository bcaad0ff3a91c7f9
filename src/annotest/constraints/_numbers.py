"""Whole numbers, floating-point numbers and Booleans."""

from __future__ import annotations

import dataclasses
import math
import numbers
import operator
from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, InitVar, dataclass
from functools import cached_property
from typing import Any, ClassVar

from annotest.constraints._base import Constraint, Mismatch
from annotest.constraints._checking import keep_bounds, refuse_empty
from annotest.constraints._formats import (
    LARGEST,
    WIDTHS,
    neighbour,
    representable,
    rounded,
)
from annotest.constraints._ordinary import is_left_open, ordinary_bounds, sides_of_zero
from annotest.constraints._special import chosen, special_reals, special_wholes
from annotest.constraints._structure import ListedValues, Reals, Wholes
from annotest.errors import InvalidAnnotation
from annotest.expr import Expr, ours, st
from annotest.frameworks.dtypes import DType
from annotest.source import shown

SPAN = 1000
MOST_DIGITS = 420  # the product of ten such numbers can still be printed
_MOST_BITS = (10**MOST_DIGITS).bit_length()


@dataclass(frozen=True, eq=False, repr=False)
class Bools(Constraint, name="bools"):
    """True and False."""

    kind: ClassVar[type | None] = bool

    def strategy(self) -> Expr:
        return st.booleans()

    def mismatches(self, value: Any, at: str = "value") -> Iterator[Mismatch]:
        if type(value) is not bool:
            yield Mismatch(at, "True or False", value)

    def count(self) -> int | None:
        return 2

    @cached_property
    def structure(self) -> ListedValues:
        return ListedValues(_both)

    def simplest(self) -> Any:
        return False

    def special_values(self) -> tuple[Any, ...]:
        return True, False

    def as_element(self, dtype: DType) -> Constraint | None:
        return self if dtype.kind == "bool" else None

    def array_options(self, dtype: DType) -> dict[str, Any] | None:
        return {}

    def suspects(self, flat: Any, dtype: DType) -> Any:
        return flat != flat if dtype.kind == "bool" else None


def _both() -> tuple[bool, bool]:
    return False, True


def whole(owner: str, name: str, value: Any) -> int | None:
    """Return a bound as an int; None stays None."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise InvalidAnnotation(
            f"{owner}({name}={shown(value)}): {name} must be a whole number, "
            f"got {type(value).__name__}",
            f"give {name} as an int",
        )
    number = operator.index(value)
    if number.bit_length() > _MOST_BITS:
        raise InvalidAnnotation(
            f"{owner}({name}=…): {name} has more than {MOST_DIGITS:,} digits",
            "use a number that is nearer to 0",
        )
    return number


@dataclass(frozen=True, eq=False, repr=False)
class Ints(Constraint, name="ints"):
    """Whole numbers from `min` to `max`, both included; `bool` is not an int."""

    kind: ClassVar[type | None] = int

    min: int | None = None
    max: int | None = None
    _: KW_ONLY
    multiple_of: int | None = None
    min_value: InitVar[int | None] = None
    max_value: InitVar[int | None] = None

    open_ends: ClassVar[Mapping[str, Any]] = {"min": -math.inf, "max": math.inf}

    def __post_init__(self, min_value: int | None, max_value: int | None) -> None:
        keep_bounds(self, min_value, max_value, whole)
        object.__setattr__(self, "multiple_of", whole("ints", "multiple_of", self.multiple_of))
        step = self.multiple_of
        if step is not None and step < 1:
            raise self.refuse("has a wrong multiple_of: expected at least 1", "use a positive step")
        low, high = self.bounds
        refuse_empty(self, low, high)
        if not self.values:
            raise self.refuse(
                f"allows nothing: no multiple of {step} lies between {low} and {high}",
                "widen the range or drop multiple_of",
            )

    @property
    def bounds(self) -> tuple[int, int]:
        """The smallest and the largest value, with the default for an end left out."""
        if self.min is not None and self.max is not None:
            return self.min, self.max
        if self.min is not None:
            return self.min, SPAN if self.min <= SPAN else self.min + SPAN
        if self.max is not None:
            return 0 if self.max >= 0 else self.max - SPAN, self.max
        return 0, SPAN

    @property
    def values(self) -> range:
        """The values, in order."""
        low, high = self.bounds
        step = self.multiple_of or 1
        return range(-(-low // step) * step, high + 1, step)

    def strategy(self) -> Expr:
        if self.multiple_of is None:
            low, high = self.bounds
            return st.integers(min_value=low, max_value=high)
        if self.values[-1] - self.values[0] >= 2**60:  # more values than a sequence can have
            return ours.multiples(self.multiple_of, *self.bounds)
        return st.sampled_from(self.values)

    def mismatches(self, value: Any, at: str = "value") -> Iterator[Mismatch]:
        # bool is an int subclass, but True is not a layer count
        if isinstance(value, bool) or not isinstance(value, numbers.Integral):
            yield Mismatch(at, "a whole number", value)
            return
        low, high = self.bounds
        number = operator.index(value)
        if number < low:
            yield Mismatch(at, f"at least {low}", value)
        elif number > high:
            yield Mismatch(at, f"at most {high}", value)
        elif self.multiple_of and number % self.multiple_of:
            yield Mismatch(at, f"a multiple of {self.multiple_of}", value)

    def count(self) -> int | None:
        low, high = self.bounds
        return (high - low) // (self.multiple_of or 1) + 1

    @cached_property
    def structure(self) -> Wholes:
        return Wholes(self.values)

    def simplest(self) -> Any:
        return nearest_to_zero(self.values)

    def special_values(self) -> tuple[Any, ...]:
        return chosen(special_wholes(*self.bounds), self)

    def beyond(self) -> Iterator[Constraint]:
        low, high, step = self.values[0], self.values[-1], self.multiple_of or 1
        # an end that nobody gave is no claim about what is valid, and one number is meant
        outside = [low - step] * (self.min is not None and low < high)
        outside += [high + step] * (self.max is not None and low < high)
        yield from (Ints(value, value) for value in outside)

    def said_of(self, name: str) -> str:
        low, high = self.bounds
        return f"{name} in {low}..{high}" if self.multiple_of is None else super().said_of(name)

    def as_element(self, dtype: DType) -> Constraint | None:
        (least, most), (low, high) = dtype.range, self.bounds
        return self if least <= low and high <= most else None

    def array_options(self, dtype: DType) -> dict[str, Any] | None:
        if not dtype.is_whole or self.multiple_of is not None:
            return None
        low, high = self.bounds
        return {"min": low, "max": high}

    def fill_ends(self) -> tuple[Any, Any] | None:
        return self.bounds if self.multiple_of is None else None

    def suspects(self, flat: Any, dtype: DType) -> Any:
        if not dtype.is_whole:
            return None
        low, high = self.bounds
        outside = (flat < low) | (flat > high)
        return outside if self.multiple_of is None else outside | (flat % self.multiple_of != 0)


def nearest_to_zero(values: range) -> int:
    """Return the value of a range that is nearest to zero."""
    if values[0] >= 0:
        return values[0]
    if values[-1] <= 0:
        return values[-1]
    above = values[-(values[0] // values.step)]  # the first that is not negative
    below = above - values.step
    return above if above <= -below else below


def real(owner: str, name: str, value: Any) -> float | None:
    """Return a bound as a float; an infinite bound is none at all."""
    if value is None:
        return None
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise InvalidAnnotation(
            f"{owner}({name}={shown(value)}): {name} must be a number, got {type(value).__name__}",
            f"give {name} as a float",
        )
    try:
        bound = float(value)
    except OverflowError:  # of an int
        bound = math.inf if value > 0 else -math.inf
    if math.isnan(bound):
        raise InvalidAnnotation(
            f"{owner}({name}=nan): no number compares with nan", f"leave {name} out"
        )
    if bound == {"min": math.inf, "max": -math.inf}.get(name):
        beyond = "above" if name == "min" else "below"
        raise InvalidAnnotation(
            f"{owner}({name}={bound}) allows nothing: no number is {beyond} that",
            f"leave {name} out",
        )
    return None if math.isinf(bound) else bound


@dataclass(frozen=True, eq=False, repr=False)
class Floats(Constraint, name="floats"):
    """Floating-point numbers in an open, half-open or closed range; finite unless allowed.

    Between two ends there may be none near 0, but 0 itself: those are `_apart` from it.
    """

    kind: ClassVar[type | None] = float

    min: float | None = None
    max: float | None = None
    _: KW_ONLY
    exclude_min: bool = False
    exclude_max: bool = False
    allow_nan: bool = False
    allow_infinity: bool = False
    width: int = 64
    _apart: float = 0.0
    min_value: InitVar[float | None] = None
    max_value: InitVar[float | None] = None

    def __post_init__(self, min_value: float | None, max_value: float | None) -> None:
        keep_bounds(self, min_value, max_value, real)
        self._check_options()
        self._check_range()

    def _check_options(self) -> None:
        if self.width not in WIDTHS:
            raise self.refuse("has a wrong width: expected 16, 32 or 64", "use width=32")
        for end, bound in (("min", self.min), ("max", self.max)):
            if getattr(self, f"exclude_{end}") and bound is None:
                raise self.refuse(
                    f"opens an end it does not have: exclude_{end}=True without {end}",
                    f"give {end}, or leave exclude_{end} out",
                )
        if self.allow_infinity and self.min is not None and self.max is not None:
            raise self.refuse(
                "allows infinity between two finite bounds", "drop allow_infinity or a bound"
            )

    def _check_range(self) -> None:
        low, high = self.ends
        refuse_empty(self, self.min, self.max)
        beyond = low == math.inf or high == -math.inf
        if beyond or (low is not None and high is not None and low > high):
            raise self.refuse(
                f"allows nothing: no {self.width}-bit float lies between its ends",
                "widen the range",
            )

    @property
    def ends(self) -> tuple[float | None, float | None]:
        """The smallest and largest finite value inside, None where there is no bound."""
        if not self._apart:
            return self._between
        low, high = self._between
        values = [end for side in self._sides for end in side]
        values += [0.0] * (low <= 0 <= high)  # type: ignore[operator]
        return min(values, default=math.inf), max(values, default=-math.inf)

    @property
    def _sides(self) -> list[tuple[float, float]]:
        """The ends of the numbers above and below 0 that are apart from it."""
        low, high = self._between
        assert low is not None
        assert high is not None
        return sides_of_zero(low, high, self._apart, self.width)

    @property
    def _between(self) -> tuple[float | None, float | None]:
        low, high = self.min, self.max
        if low is not None:
            start = rounded(low, self.width, up=True)
            low = neighbour(start, self.width, True) if self.exclude_min and start == low else start
        if high is not None:
            start = rounded(high, self.width, up=False)
            high = (
                neighbour(start, self.width, False) if self.exclude_max and start == high else start
            )
        return low, high

    def _apart_strategy(self) -> Expr:
        zero = [Floats(0, 0, width=self.width)] * (0.0 in self)
        # numbers below 1 as often as those above, and all more often than 0
        parts = (
            Floats(max(low, start), min(high, end), width=self.width)
            for low, high in self._sides
            for start, end in ((1, math.inf), (0, 1), (-math.inf, -1), (-1, 0))
            if max(low, start) < min(high, end)
        )
        drawn = [part.strategy() for part in (*zero, *parts)]
        return drawn[0] if len(drawn) == 1 else st.one_of(*drawn)

    def strategy(self) -> Expr:
        if self._apart:
            return self._apart_strategy()
        options: dict[str, Any] = {}
        low, high = self.ends
        # an open end is said as the user did, where the bound itself can be written
        open_low = self.exclude_min and representable(self.min or 0.0, self.width)
        open_high = self.exclude_max and representable(self.max or 0.0, self.width)
        if low is not None:
            options["min_value"] = self.min if open_low else low
        if high is not None:
            options["max_value"] = self.max if open_high else high
        if open_low:
            options["exclude_min"] = True
        if open_high:
            options["exclude_max"] = True
        if self.width != 64:
            options["width"] = self.width
        bounded = low is not None or high is not None
        if self.width in LARGEST and not self.allow_infinity and (bounded or not self.allow_nan):
            # else Hypothesis draws larger ones too, and gives up: up to half of all arrays
            largest = LARGEST[self.width]
            options = {"min_value": -largest, "max_value": largest} | options
        nan = self.allow_nan and not bounded
        numbers_ = st.floats(**options, allow_nan=nan, allow_infinity=self.allow_infinity)
        if self.allow_nan and bounded:
            return st.one_of(numbers_, st.just(math.nan))
        return numbers_

    def mismatches(self, value: Any, at: str = "value") -> Iterator[Mismatch]:
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            yield Mismatch(at, "a number", value)
        elif math.isnan(value):
            if not self.allow_nan:
                yield Mismatch(at, "a number that is not nan", value)
        elif math.isinf(value) and not self.allow_infinity:
            yield Mismatch(at, "a finite number", value)
        else:
            yield from self._out_of_range(float(value), at, value)

    def _out_of_range(self, number: float, at: str, value: Any) -> Iterator[Mismatch]:
        low, high = self.min, self.max
        if low is not None and (number < low or (self.exclude_min and number == low)):
            yield Mismatch(at, f"{'above' if self.exclude_min else 'at least'} {low}", value)
        elif high is not None and (number > high or (self.exclude_max and number == high)):
            yield Mismatch(at, f"{'below' if self.exclude_max else 'at most'} {high}", value)
        elif 0 < abs(number) < self._apart:
            yield Mismatch(at, f"0, or at least {self._apart} from it", value)
        elif not representable(number, self.width):
            yield Mismatch(at, f"a {self.width}-bit float", value)

    @cached_property
    def structure(self) -> Reals:
        return Reals(*self.ends, self.width, self.allow_nan, self.allow_infinity, self._apart)

    def simplest(self) -> Any:
        return _simplest_real(*self.ends)

    def special_values(self) -> tuple[Any, ...]:
        return chosen(special_reals(self.structure), self)

    def beyond(self) -> Iterator[Constraint]:
        outside = [] if self.min is None else [self.min - (not self.exclude_min)]
        outside += [] if self.max is None else [self.max + (not self.exclude_max)]
        yield from (Floats(value, value) for value in outside if value not in self)

    def without_nan(self) -> Constraint:
        return dataclasses.replace(self, allow_nan=False) if self.allow_nan else self

    @cached_property
    def ordinary(self) -> Constraint | None:
        if not is_left_open(self):
            return None
        try:
            return dataclasses.replace(self, **ordinary_bounds(self))
        except InvalidAnnotation:
            return self  # none is ordinary

    def as_element(self, dtype: DType) -> Constraint | None:
        if dtype.kind != "float":
            return self if dtype.kind == "complex" else None
        return dataclasses.replace(self, width=min(self.width, dtype.bits))

    def array_options(self, dtype: DType) -> dict[str, Any] | None:
        if dtype.kind != "float" or self.width != dtype.bits:
            return None
        names = ["min", "max", "exclude_min", "exclude_max", "allow_nan", "allow_infinity"]
        names += ["_apart"] * bool(self._apart)
        options = {name: getattr(self, name) for name in names}
        return {
            name: option
            for name, option in options.items()
            if option is not None and option is not False
        }

    def fill_ends(self) -> tuple[Any, Any] | None:
        if self._apart:
            return next(iter(self._sides), None)
        return self.structure.ends

    def with_ends(self) -> Constraint:
        # without bounds Hypothesis draws doubles, and gives up where one is too large
        if self._apart:
            return self
        return Floats(*self.structure.ends, width=self.width) if self.structure.is_finite else self

    def suspects(self, flat: Any, dtype: DType) -> Any:
        if dtype.kind != "float" or self.width != dtype.bits:
            return None
        low, high = self.ends
        outside = False if self.allow_nan else flat != flat
        outside = outside if self.allow_infinity else outside | (abs(flat) == math.inf)
        outside = outside if low is None else outside | (flat < low)
        outside = outside if high is None else outside | (flat > high)
        if self._apart:
            least = rounded(self._apart, self.width, up=True)
            outside = outside | ((flat != 0) & (abs(flat) < least))
        return flat != flat if outside is False else outside


def _simplest_real(low: float | None, high: float | None) -> float:
    """Return the whole number nearest to zero, or the end that is."""
    if (low is None or low <= 0) and (high is None or high >= 0):
        return 0.0
    if low is not None and low > 0:
        whole = float(math.ceil(low))
        return whole if high is None or whole <= high else low
    assert high is not None
    whole = float(math.floor(high))
    return whole if low is None or whole >= low else high
