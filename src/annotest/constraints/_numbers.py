"""Whole numbers and Booleans."""

from __future__ import annotations

import numbers
import operator
from collections.abc import Iterator
from dataclasses import KW_ONLY, InitVar, dataclass
from functools import cached_property
from typing import Any, ClassVar

from annotest.constraints._base import Constraint, Mismatch
from annotest.constraints._checking import keep_bounds, refuse_empty
from annotest.constraints._special import chosen, special_wholes
from annotest.constraints._structure import ListedValues, Wholes
from annotest.errors import InvalidAnnotation
from annotest.expr import Expr, ours, st
from annotest.frameworks.dtypes import DType
from annotest.source import shown

SPAN = 1000


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
    return operator.index(value)


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

    def __post_init__(self, min_value: int | None, max_value: int | None) -> None:
        keep_bounds(self, min_value, max_value, whole)
        step = whole("ints", "multiple_of", self.multiple_of)
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

    def said_of(self, name: str) -> str:
        low, high = self.bounds
        return f"{name} in {low}..{high}" if self.multiple_of is None else super().said_of(name)

    def as_element(self, dtype: DType) -> Constraint | None:
        if not dtype.is_whole:
            return self
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
