"""Named dimensions: shapes as text, in which a name means one number throughout a call."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
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
        """Return the shape with numbers for its names: as text where some sides stay open.

        An optional side is there where its name means a number.
        """
        meant = {name for name, value in names.names.items() if value is not None}
        sides = self.with_sides(meant).sides
        if not any(side.is_open for side in sides):
            return tuple(side.size(names.names) for side in sides)
        texts = (_open_text(side) or str(side.size(names.names)) for side in sides)
        return " ".join(texts)

    def with_sides(self, present: Collection[str]) -> NamedShape:
        """Return the shape with these optional sides, and without the others."""
        if not any(side.optional for side in self.sides):
            return self
        kept = (side for side in self.sides if not side.optional or side.text in present)
        return NamedShape(" ".join(_open_text(side) or side.text for side in kept))

    def mismatches(self, value: Any, at: str = "value") -> Iterator[Mismatch]:
        choices = (self.with_sides(present) for present in presences(self.optional_names))
        reasons = (list(shape._wrong(value, at)) for shape in choices)
        yield from min(reasons, key=len)

    @cached_property
    def optional_names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(side.text for side in self.sides if side.optional))

    def _wrong(self, value: Any, at: str) -> Iterator[Mismatch]:
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


def presences(names: Sequence[str]) -> list[frozenset[str]]:
    """Return which of some optional sides may be there, the fewest first."""
    counts = range(len(names) + 1)
    return [frozenset(some) for count in counts for some in combinations(names, count)]


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
