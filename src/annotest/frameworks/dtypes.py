"""Data types of arrays, by name: what numbers they hold."""

from __future__ import annotations

import math
from numbers import Complex, Integral, Real
from typing import Any

from annotest.records import record

_FLOATS = {16: 65504, 32: 2**128 - 2**104, 64: 2**1024 - 2**970}
# the parts of complex numbers are floats of half their bits
_LARGEST = {"float": _FLOATS, "complex": {2 * bits: most for bits, most in _FLOATS.items()}}


@record
class Format:
    """Floats that NumPy does not have: so many binary digits, normal ones from 2**least on."""

    digits: int
    least: int
    largest: float
    has_infinity: bool = True

    def rounded(self, value: float, up: bool) -> float:
        """Return the nearest such float on the upper or the lower side of a number."""
        if value == 0 or math.isinf(value):
            return value
        step = 2.0 ** (max(math.frexp(value)[1] - 1, self.least) - self.digits + 1)
        near = step * (math.ceil(value / step) if up else math.floor(value / step))
        if abs(near) <= self.largest:
            return near
        return math.copysign(math.inf if (near > 0) == up else self.largest, near)

    def beyond(self, value: float, up: bool) -> float:
        """Return the nearest such float above or below a number, another one than that."""
        return self.rounded(math.nextafter(value, math.inf if up else -math.inf), up)


@record
class DType:
    """A data type; `kind` is bool, int, uint, float or complex.

    Floats of a `format` are held by NumPy in floats of `bits` bits, and rounded when an array of
    their framework is built.
    """

    name: str
    kind: str
    bits: int
    format: Format | None = None

    @property
    def held_as(self) -> str:
        """The dtype of the NumPy array that holds such elements."""
        return self.name if self.format is None else f"{self.kind}{self.bits}"

    @property
    def is_whole(self) -> bool:
        """Whether it holds whole numbers."""
        return self.kind in ("int", "uint")

    def holds(self, value: Any) -> bool:
        """Say whether a Python value is one of its numbers, or very close to one."""
        if type(value).__name__ in ("bool", "bool_"):  # Python's own, and NumPy's
            return self.kind == "bool"
        kind = type(value)
        if not issubclass(kind, Real):
            return issubclass(kind, Complex) and self.kind == "complex"
        if self.is_whole and not issubclass(kind, Integral):
            return False
        low, high = self.range
        finite = -math.inf < value < math.inf
        return (low <= value <= high) if finite else not self.is_whole

    @property
    def range(self) -> tuple[int, int]:
        """The smallest and the largest of its whole numbers."""
        if self.kind == "bool":
            return 0, -1  # it has none
        if self.format is not None:
            return -int(self.format.largest), int(self.format.largest)
        if self.kind in _LARGEST:
            largest = _LARGEST[self.kind][self.bits]
            return -largest, largest
        if self.kind == "uint":
            return 0, 2**self.bits - 1
        return -(2 ** (self.bits - 1)), 2 ** (self.bits - 1) - 1


def _of_kind(kind: str, *widths: int) -> dict[str, DType]:
    return {f"{kind}{bits}": DType(f"{kind}{bits}", kind, bits) for bits in widths}


# the names that all frameworks share, first those of an array whose dtype is not said
NUMBERS = {
    **_of_kind("int", 8, 16, 32, 64),
    **_of_kind("uint", 8, 16, 32, 64),
    **_of_kind("float", 16, 32, 64),
}
DTYPES = {**NUMBERS, "bool": DType("bool", "bool", 8), **_of_kind("complex", 64, 128)}
# those that some frameworks have besides
FORMATTED = {
    name: DType(name, "float", 32, format)
    for name, format in {
        "bfloat16": Format(8, -126, (2 - 2**-7) * 2.0**127),
        "float8_e4m3fn": Format(4, -6, 448.0, has_infinity=False),
        "float8_e5m2": Format(3, -14, 57344.0),
    }.items()
}

# what NumPy's programs call some of them
SHORT_NAMES = {"int": "int64", "uint": "uint64", "float": "float64"}
SHORT_NAMES |= {"half": "float16", "double": "float64", "short": "int16", "long": "int64"}
