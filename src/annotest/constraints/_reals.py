"""Floating-point numbers."""

from __future__ import annotations

import dataclasses
import math
import numbers
from collections.abc import Iterator
from dataclasses import KW_ONLY, InitVar, dataclass
from functools import cached_property
from typing import Any, ClassVar

from annotest.constraints._base import Constraint, Mismatch
from annotest.constraints._checking import keep_bounds, refuse_empty
from annotest.constraints._formats import (
    LARGEST_HALF,
    WIDTHS,
    neighbour,
    representable,
    rounded,
)
from annotest.constraints._special import chosen, special_reals
from annotest.constraints._structure import Reals
from annotest.errors import InvalidAnnotation
from annotest.expr import Expr, st
from annotest.frameworks.dtypes import DType
from annotest.source import shown


def real(owner: str, name: str, value: Any) -> float | None:
    """Return a bound as a float; an infinite bound is none at all."""
    if value is None:
        return None
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise InvalidAnnotation(
            f"{owner}({name}={shown(value)}): {name} must be a number, got {type(value).__name__}",
            f"give {name} as a float",
        )
    bound = float(value)
    if math.isnan(bound):
        raise InvalidAnnotation(
            f"{owner}({name}=nan): no number compares with nan", f"leave {name} out"
        )
    return None if math.isinf(bound) else bound


@dataclass(frozen=True, eq=False, repr=False)
class Floats(Constraint, name="floats"):
    """Floating-point numbers in an open, half-open or closed range; finite unless allowed."""

    kind: ClassVar[type | None] = float

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

    @cached_property
    def structure(self) -> Reals:
        return Reals(*self.ends, self.width, self.allow_nan, self.allow_infinity)

    def simplest(self) -> Any:
        return _simplest_real(*self.ends)

    def special_values(self) -> tuple[Any, ...]:
        return chosen(special_reals(self.structure), self)

    def without_nan(self) -> Constraint:
        return dataclasses.replace(self, allow_nan=False) if self.allow_nan else self

    def as_element(self, dtype: DType) -> Constraint | None:
        if dtype.kind != "float":
            return self if dtype.kind == "complex" else None
        return dataclasses.replace(self, width=min(self.width, dtype.bits))

    def array_options(self, dtype: DType) -> dict[str, Any] | None:
        if dtype.kind != "float" or self.width != dtype.bits:
            return None
        names = ("min", "max", "exclude_min", "exclude_max", "allow_nan", "allow_infinity")
        options = {name: getattr(self, name) for name in names}
        return {
            name: option
            for name, option in options.items()
            if option is not None and option is not False
        }

    def fill_ends(self) -> tuple[Any, Any] | None:
        return self.structure.ends

    def with_ends(self) -> Constraint:
        # without bounds Hypothesis draws doubles, and gives up where one is too large
        return Floats(*self.structure.ends, width=self.width) if self.structure.is_finite else self

    def suspects(self, flat: Any, dtype: DType) -> Any:
        if dtype.kind != "float" or self.width != dtype.bits:
            return None
        low, high = self.ends
        outside = False if self.allow_nan else flat != flat
        outside = outside if self.allow_infinity else outside | (abs(flat) == math.inf)
        outside = outside if low is None else outside | (flat < low)
        outside = outside if high is None else outside | (flat > high)
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
