"""Shapes that broadcast to the shape of another argument."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, ClassVar

from annotest.constraints._base import Constraint, Mismatch
from annotest.constraints._checking import checked_lengths
from annotest.constraints._shapes import NpShapes
from annotest.constraints._sizes import Meanings, NoSize
from annotest.constraints._structure import Broadcasting
from annotest.errors import InvalidAnnotation
from annotest.expr import Expr, ours
from annotest.source import shown


@dataclass(frozen=True, eq=False, repr=False)
class Broadcasts(Constraint, name="broadcasts"):
    """Shapes that broadcast to that of an argument: some of its last sides, each as it is or 1."""

    kind: ClassVar[type | None] = tuple
    positional: ClassVar[tuple[str, ...]] = ("to",)

    to: str | tuple[int, ...]
    _: KW_ONLY
    min_dims: int = 0

    def __post_init__(self) -> None:
        is_shape = type(self.to) is tuple and all(type(side) is int for side in self.to)
        if not is_shape and not (isinstance(self.to, str) and self.to.isidentifier()):
            raise InvalidAnnotation(
                f"broadcasts({shown(self.to)}) expects the name of an argument, or a shape",
                "write broadcasts('x') or broadcasts((3, 4))",
            )
        checked_lengths(self, self.min_dims, None, ("min_dims", "min_dims"))

    def shaped_after(self) -> str:
        return self.to if isinstance(self.to, str) else ""

    def decides(self) -> bool:
        return not self.shaped_after()

    @cached_property
    def structure(self) -> Broadcasting:
        return Broadcasting(self.to, self.min_dims)

    def strategy(self) -> Expr:
        if isinstance(self.to, str):
            return NpShapes(min_dims=self.min_dims).strategy()
        return ours.broadcasting(self.to, min_dims=self.min_dims)

    def sized(self, names: Meanings) -> Constraint:
        if isinstance(self.to, str) and self.to not in names.shapes:
            raise NoSize(self.to)
        shape = names.shapes[self.to] if isinstance(self.to, str) else self.to
        return Broadcasts(shape, min_dims=self.min_dims)

    def mismatches(self, value: Any, at: str = "value") -> Iterator[Mismatch]:
        if not isinstance(value, tuple):
            yield Mismatch(at, "a shape tuple", value)
        elif len(value) < self.min_dims:
            yield Mismatch(f"len({at})", f"at least {self.min_dims}", len(value))
        elif isinstance(self.to, tuple) and not _broadcasts(value, self.to):
            yield Mismatch(at, f"a shape that broadcasts to {self.to}", value)


def _broadcasts(shape: tuple[int, ...], to: tuple[int, ...]) -> bool:
    pairs = zip(reversed(shape), reversed(to), strict=False)
    return len(shape) <= len(to) and all(side in (1, wanted) for side, wanted in pairs)
