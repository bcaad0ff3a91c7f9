"""Complex numbers."""

from __future__ import annotations

import cmath
import dataclasses
import math
import numbers
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, ClassVar

from annotest.constraints._base import Constraint, Mismatch
from annotest.constraints._formats import representable
from annotest.constraints._numbers import Floats, real
from annotest.constraints._ordinary import LARGEST, SMALLEST
from annotest.constraints._structure import Reals
from annotest.expr import Expr, st
from annotest.frameworks.dtypes import DType

# the share by which rounding the parts may make a number larger, in each width
_ROUNDING = {64: 2.0**-22, 128: 2.0**-51}


@dataclass(frozen=True, eq=False, repr=False)
class Complexes(Constraint, name="complexes"):
    """Complex numbers, none farther from zero than `max_magnitude`; finite unless allowed.

    With a `max_magnitude` those other than 0 may be `_apart` from it.
    """

    kind: ClassVar[type | None] = complex

    _: KW_ONLY
    max_magnitude: float | None = None
    width: int = 128
    allow_nan: bool = False
    allow_infinity: bool = False
    _apart: float = 0.0

    def __post_init__(self) -> None:
        largest = real("complexes", "max_magnitude", self.max_magnitude)
        object.__setattr__(self, "max_magnitude", largest)
        if self.width not in _ROUNDING:
            raise self.refuse("has a wrong width: expected 64 or 128", "use width=64")
        if largest is None:
            return
        if largest < 0:
            raise self.refuse(
                f"allows nothing: max_magnitude={largest} is below 0",
                "make max_magnitude at least 0",
            )
        if self.allow_infinity:
            raise self.refuse(
                "allows infinity beyond its max_magnitude", "drop allow_infinity or max_magnitude"
            )

    def _apart_strategy(self) -> Expr:
        assert self.max_magnitude is not None
        most, width = self.max_magnitude / math.sqrt(2), self.width // 2
        part = Floats(-most, most, width=width, _apart=self._apart).strategy()
        return st.builds(complex, part, part)

    def strategy(self) -> Expr:
        if self._apart:
            return self._apart_strategy()
        options: dict[str, Any] = {}
        if self.max_magnitude is not None:
            options["max_magnitude"] = self.max_magnitude
        if self.width != 128:
            options["width"] = self.width
        nan = self.allow_nan and self.max_magnitude is None
        drawn = st.complex_numbers(**options, allow_nan=nan, allow_infinity=self.allow_infinity)
        if self.allow_nan and not nan:
            return st.one_of(drawn, st.just(complex(math.nan, math.nan)))
        return drawn

    def mismatches(self, value: Any, at: str = "value") -> Iterator[Mismatch]:
        if isinstance(value, bool) or not isinstance(value, numbers.Complex):
            yield Mismatch(at, "a complex number", value)
        elif cmath.isnan(value):
            if not self.allow_nan:
                yield Mismatch(at, "a complex number that is not nan", value)
        elif cmath.isinf(value):
            if not self.allow_infinity:
                yield Mismatch(at, "a finite complex number", value)
        else:
            yield from self._out_of_range(complex(value), at, value)

    def _out_of_range(self, number: complex, at: str, value: Any) -> Iterator[Mismatch]:
        largest = self.max_magnitude
        if largest is not None:
            size = math.hypot(number.real, number.imag)
            if size > largest * (1 + _ROUNDING[self.width]):
                yield Mismatch(f"abs({at})", f"at most {largest}", size)
                return
            if 0 < size * (1 + _ROUNDING[self.width]) < self._apart:
                yield Mismatch(f"abs({at})", f"0, or at least {self._apart}", size)
                return
        if not all(representable(part, self.width // 2) for part in (number.real, number.imag)):
            yield Mismatch(at, f"a {self.width}-bit complex number", value)

    def simplest(self) -> Any:
        return 0j

    def simpler(self, value: Any) -> Iterator[Any]:
        near: list[complex] = []
        given = complex(value)
        if cmath.isfinite(given):
            whole = complex(math.trunc(given.real), math.trunc(given.imag))
            for number in (whole, given):
                near += [complex(number.real, 0), complex(0, number.imag), number]
        for other in dict.fromkeys((0j, 1 + 0j, 1j, *near)):
            if other == given:
                return
            if other in self:
                yield other

    def without_nan(self) -> Constraint:
        return dataclasses.replace(self, allow_nan=False) if self.allow_nan else self

    @cached_property
    def ordinary(self) -> Constraint | None:
        is_open = self.max_magnitude is None or self.allow_nan or self.allow_infinity
        if not is_open:
            return None
        largest = min(LARGEST, self.max_magnitude or LARGEST)
        return Complexes(max_magnitude=largest, width=self.width, _apart=SMALLEST)

    def as_element(self, dtype: DType) -> Constraint | None:
        if dtype.kind != "complex":
            return None
        return dataclasses.replace(self, width=min(self.width, dtype.bits))

    def array_options(self, dtype: DType) -> dict[str, Any] | None:
        if self.max_magnitude is not None or self.width != dtype.bits:
            return None
        return {name: True for name in ("allow_nan", "allow_infinity") if getattr(self, name)}

    def fill_ends(self) -> tuple[Any, Any] | None:
        """Return the ends of the real and of the imaginary parts."""
        if self.max_magnitude is not None:
            return None
        return Reals(None, None, self.width // 2, self.allow_nan, self.allow_infinity).ends

    def suspects(self, flat: Any, dtype: DType) -> Any:
        if self.max_magnitude is not None or self.width != dtype.bits:
            return None
        outside = flat != flat
        for part in (flat.real, flat.imag):
            outside = outside | (abs(part) == math.inf)
        return outside
