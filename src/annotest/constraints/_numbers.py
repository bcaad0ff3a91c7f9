"""Whole numbers, floating-point numbers and Booleans."""

from __future__ import annotations

import math
import numbers
import operator
import struct
from collections.abc import Iterator
from dataclasses import KW_ONLY, InitVar, dataclass
from typing import Any

from annotest.constraints._base import Constraint, Mismatch, merge_alias
from annotest.errors import InvalidAnnotation
from annotest.expr import Expr, ours, st
from annotest.source import shown

SPAN = 1000


@dataclass(frozen=True, eq=False, repr=False)
class Bools(Constraint, name="bools"):
    """True and False."""

    def strategy(self) -> Expr:
        return st.booleans()

    def mismatches(self, value: Any, at: str = "value") -> Iterator[Mismatch]:
        if type(value) is not bool:
            yield Mismatch(at, "True or False", value)

    def count(self) -> int | None:
        return 2


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
    return operator.index(value)


@dataclass(frozen=True, eq=False, repr=False)
class Ints(Constraint, name="ints"):
    """Whole numbers from `min` to `max`, both included; `bool` is not an int."""

    min: int | None = None
    max: int | None = None
    _: KW_ONLY
    multiple_of: int | None = None
    min_value: InitVar[int | None] = None
    max_value: InitVar[int | None] = None

    def __post_init__(self, min_value: int | None, max_value: int | None) -> None:
        low = merge_alias("ints", "min", self.min, "min_value", min_value)
        high = merge_alias("ints", "max", self.max, "max_value", max_value)
        object.__setattr__(self, "min", whole("ints", "min", low))
        object.__setattr__(self, "max", whole("ints", "max", high))
        step = whole("ints", "multiple_of", self.multiple_of)
        if step is not None and step < 1:
            raise self.refuse("has a wrong multiple_of: expected at least 1", "use a positive step")
        low, high = self.bounds
        if low > high:
            raise self.refuse(
                f"allows nothing: min={low} is above max={high}", "make min at most max"
            )
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


LARGEST_HALF = 65504.0
_FORMATS = {16: ("<e", "<H"), 32: ("<f", "<I"), 64: ("<d", "<Q")}


def representable(value: float, width: int) -> bool:
    """Say whether a float of `width` bits can be exactly `value`."""
    return math.isnan(value) or nearest(value, width) == value


def nearest(value: float, width: int) -> float:
    """Return the float of `width` bits that is nearest to a number."""
    try:
        return float(struct.unpack(_FORMATS[width][0], struct.pack(_FORMATS[width][0], value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def neighbour(value: float, width: int, up: bool) -> float:
    """Return the next float of `width` bits above or below a representable `value`."""
    as_float, as_int = _FORMATS[width]
    if value == 0:
        smallest: float = struct.unpack(as_float, struct.pack(as_int, 1))[0]
        return smallest if up else -smallest
    bits: int = struct.unpack(as_int, struct.pack(as_float, value))[0]
    bits += 1 if (value > 0) == up else -1
    return float(struct.unpack(as_float, struct.pack(as_int, bits))[0])


def rounded(value: float, width: int, up: bool) -> float:
    """Return the float of `width` bits nearest to `value` on the upper or the lower side."""
    near = nearest(value, width)
    if (up and near < value) or (not up and near > value):
        near = neighbour(near, width, up)
    return near


def real(owner: str, name: str, value: Any) -> float | None:
    """Return a bound as a float; an infinite bound is none at all."""
    if value is None:
        return None
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise InvalidAnnotation(
            f"{owner}({name}={shown(value)}): {name} must be a number, got {type(value).__name__}",
            f"give {name} as a float",
        )
    found = float(value)
    if math.isnan(found):
        raise InvalidAnnotation(
            f"{owner}({name}=nan): no number compares with nan", f"leave {name} out"
        )
    return None if math.isinf(found) else found


@dataclass(frozen=True, eq=False, repr=False)
class Floats(Constraint, name="floats"):
    """Floating-point numbers in an open, half-open or closed range; finite unless allowed."""

    min: float | None = None
    max: float | None = None
    _: KW_ONLY
    exclude_min: bool = False
    exclude_max: bool = False
    allow_nan: bool = False
    allow_infinity: bool = False
    width: int = 64
    min_value: InitVar[float | None] = None
    max_value: InitVar[float | None] = None

    def __post_init__(self, min_value: float | None, max_value: float | None) -> None:
        low = merge_alias("floats", "min", self.min, "min_value", min_value)
        high = merge_alias("floats", "max", self.max, "max_value", max_value)
        object.__setattr__(self, "min", real("floats", "min", low))
        object.__setattr__(self, "max", real("floats", "max", high))
        self._check_options()
        self._check_range()

    def _check_options(self) -> None:
        if self.width not in _FORMATS:
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
        if self.min is not None and self.max is not None and self.min > self.max:
            raise self.refuse(
                f"allows nothing: min={self.min} is above max={self.max}", "make min at most max"
            )
        if low is not None and high is not None and low > high:
            raise self.refuse(
                f"allows nothing: no {self.width}-bit float lies between its ends",
                "widen the range",
            )

    @property
    def ends(self) -> tuple[float | None, float | None]:
        """The smallest and largest finite value inside, None where there is no bound."""
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

    def strategy(self) -> Expr:
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
        if self.width == 16 and not bounded and not (self.allow_nan or self.allow_infinity):
            # else Hypothesis draws larger ones too, and throws more than half of them away
            options |= {"min_value": -LARGEST_HALF, "max_value": LARGEST_HALF}
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
        elif not representable(number, self.width):
            yield Mismatch(at, f"a {self.width}-bit float", value)
