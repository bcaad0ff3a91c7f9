"""Data types of arrays, by name: what numbers they hold."""

from __future__ import annotations

from annotest.records import record


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

    @property
    def range(self) -> tuple[int, int]:
        """The smallest and the largest of its whole numbers."""
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
