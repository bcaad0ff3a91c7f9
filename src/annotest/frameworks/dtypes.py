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
class DType:
    """A data type; `kind` is bool, int, uint, float or complex."""

    name: str
    kind: str
    bits: int

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
