"""Named dimensions: shapes as text, in which a name means one number throughout a call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from annotest.constraints._base import Constraint, Mismatch
from annotest.constraints._sizes import Meanings, NoSize, Side, aligned, read_shape
from annotest.constraints._structure import NamedSides
from annotest.expr import Expr, ours

# the values of a dimension about which nothing else is said
SMALLEST_SIDE, LARGEST_SIDE = 1, 8


@dataclass(frozen=True, eq=False, repr=False)
class NamedShape(Constraint):
    """Shape tuples whose sides are named; the names mean the same in the whole call."""

    name: ClassVar[str] = "named shape"
    kind: ClassVar[type | None] = tuple
    text: str

    def __post_init__(self) -> None:
        read_shape("a shape", self.text)

    @property
    def sides(self) -> tuple[Side, ...]:
        """The parts of the shape."""
        return read_shape("a shape", self.text)

    @cached_property
    def structure(self) -> NamedSides:
        return NamedSides(self.sides)

    def __repr__(self) -> str:
        return repr(self.text)

    def strategy(self) -> Expr:
        return ours.named_shapes(self.text)

    def decides(self) -> bool:
        return False  # the names are known to the whole call only

    def filled(self, names: Meanings) -> tuple[int, ...] | str:
        """Return the shape with numbers for its names: as text where some sides stay open."""
        if not any(side.is_open for side in self.sides):
            return tuple(side.size(names.names) for side in self.sides)
        texts = (_open_text(side) or str(side.size(names.names)) for side in self.sides)
        return " ".join(texts)

    def mismatches(self, value: Any, at: str = "value") -> Iterator[Mismatch]:
        if not isinstance(value, tuple):
            yield Mismatch(at, "a shape tuple", value)
            return
        fixed = [side for side in self.sides if not side.starred]
        starred = len(fixed) < len(self.sides)
        if len(value) < len(fixed) or (not starred and len(value) > len(fixed)):
            wanted = f"at least {len(fixed)}" if starred else f"{len(fixed)}"
            yield Mismatch(f"len({at})", f"{wanted} sides as in {self.text!r}", len(value))
            return
        yield from self._wrong_sides(value, at)

    def _wrong_sides(self, value: tuple[Any, ...], at: str) -> Iterator[Mismatch]:
        """Yield the sides that differ from what the others make them, as far as these tell."""
        placed = aligned(self.sides, len(value))
        known: dict[str, int] = {}
        for place, side in placed:
            if side.names == (side.text,):
                known.setdefault(side.text, value[place])
        for place, side in placed:
            if side.is_open or side.roots or not known.keys() >= set(side.names):
                continue
            wanted = _wanted(side, known)
            if wanted is None:
                yield Mismatch(f"{at}[{place}]", f"a size {side.text}, which is none", value[place])
            elif wanted != value[place]:
                said = f"{wanted}" if side.text.isdigit() else f"{side.text} = {wanted}"
                yield Mismatch(f"{at}[{place}]", said, value[place])


def _wanted(side: Side, known: dict[str, int]) -> int | None:
    try:
        return side.size(known)
    except NoSize:
        return None


def _open_text(side: Side) -> str:
    if not side.is_open:
        return ""
    return f"*{side.text}" if side.starred and side.text != "..." else side.text


def starred_in(constraint: Constraint) -> dict[str, str]:
    """Return the names that stand for several sides, with the slice of a shape that they are."""
    slices: dict[str, str] = {}
    for part in constraint.with_parts():
        sides = part.named_sides()
        for place, side in enumerate(sides):
            if side.starred and side.text != "...":
                before, after = place or "", place + 1 - len(sides) or ""
                slices.setdefault(side.text, f"[{before}:{after}]" if len(sides) > 1 else "")
    return slices
