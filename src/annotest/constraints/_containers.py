"""Lists, tuples, sets and their shorthands."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, ClassVar

from annotest.constraints._base import Constraint, Mismatch
from annotest.constraints._checking import checked, checked_lengths
from annotest.constraints._sizes import Meanings, NoSize, Side, read_length
from annotest.constraints._structure import Repeated, Row, Structure
from annotest.expr import Expr, Ref, st

SPAN = 10
# the longest list whose length is a dimension
MOST_NAMED = 10_000

repr_function = Ref("builtins", "repr")


def wrong_length(value: Any, low: int, high: int | None, at: str) -> Iterator[Mismatch]:
    """Yield the reason why a length is outside low..high."""
    if len(value) < low:
        yield Mismatch(f"len({at})", f"at least {low}", len(value))
    elif high is not None and len(value) > high:
        yield Mismatch(f"len({at})", f"at most {high}", len(value))


def too_short(least: int) -> list[int]:
    """Return the lengths just below the shortest one: one less, and none at all."""
    return sorted({least - 1, 0}) if least else []


def check_distinct(owner: Constraint, elements: Constraint, low: int) -> None:
    """Refuse more distinct elements than there are."""
    count = elements.count()
    if count is not None and low > count:
        raise owner.refuse(
            f"allows nothing: {low} distinct elements are wanted and {elements!r} has {count}",
            "lower min_len or widen the elements",
        )


def refuse_late(owner: Constraint, elements: Constraint) -> None:
    """Refuse elements that must differ and are known only when they are built."""
    if elements.is_built_late():
        raise owner.refuse(
            "wants elements that differ, which .map and objs tell only when they are built",
            "list them with froms, or build the whole in a generator",
        )


def distinct_size(elements: Constraint, high: int) -> int:
    """Return how many distinct elements there can be, `high` at most."""
    count = elements.count()
    return high if count is None else min(high, count)


class Sized(Constraint):
    """What the constraints with a length share."""

    elements: Any
    min_len: int
    max_len: int | None
    len: int | str | None = None
    default_span: ClassVar[int] = SPAN
    open_ends: ClassVar[Mapping[str, Any]] = {"max_len": sys.maxsize}
    kind: ClassVar[type | None] = list

    @cached_property
    def structure(self) -> Structure:
        side = next(iter(self.named_sides()), None)
        differ = getattr(self, "unique", False)
        return Repeated(list, self.lengths, self.elements, side, differ)

    def beyond(self) -> Iterator[Constraint]:
        changed: Any = dataclasses.replace
        for length in too_short(self.lengths[0]) if self.len is None else ():
            yield changed(self, min_len=length, max_len=length)

    def named_sides(self) -> tuple[Side, ...]:
        return (Side(self.len),) if isinstance(self.len, str) else ()

    def sized(self, names: Meanings) -> Constraint:
        made = super().sized(names)
        for side in self.named_sides():
            object.__setattr__(made, "len", side.size(names.names))
        return made

    @property
    def lengths(self) -> tuple[int, int]:
        """The shortest and the longest length."""
        if isinstance(self.len, str):
            return 0, MOST_NAMED
        if self.len is not None:
            return self.len, self.len
        high = self.max_len
        return self.min_len, self.min_len + self.default_span if high is None else high

    def check_lengths(self, least: int) -> None:
        """Check min_len, max_len and len, `least` being the default of min_len."""
        if isinstance(self.len, str):
            read_length(self.name, self.len, self.len)
        else:
            checked_lengths(self, self.len, None, ("len", "len"))
        if self.len is not None and (self.min_len != least or self.max_len is not None):
            raise self.refuse("says its length twice", "give len, or min_len and max_len")
        checked_lengths(self, self.min_len, self.max_len, ("min_len", "max_len"))


@dataclass(frozen=True, eq=False, repr=False)
class Lists(Sized, name="lists"):
    """Lists whose elements satisfy one constraint."""

    hashable: ClassVar[bool] = False

    positional: ClassVar[tuple[str, ...]] = ("elements",)
    elements: Constraint
    _: KW_ONLY
    len: int | str | None = None
    min_len: int = 0
    max_len: int | None = None
    unique: bool = False

    def __post_init__(self) -> None:
        checked("lists", self.elements)
        self.check_lengths(0)
        if self.unique:
            refuse_late(self, self.elements)
            check_distinct(self, self.elements, self.lengths[0])

    def sized(self, names: Meanings) -> Constraint:
        made = super().sized(names)
        count = self.elements.count() if self.unique else None
        if count is not None and made.lengths[0] > count:  # type: ignore[attr-defined]
            raise NoSize(f"{made!r}")  # more that differ than there are
        return made

    def without_nan(self) -> Constraint:
        inner = self.elements.without_nan() if self.elements.kind is float else self.elements
        return self if inner is self.elements else dataclasses.replace(self, elements=inner)

    def strategy(self) -> Expr:
        low, high = self.lengths
        if not self.unique:
            return st.lists(self.elements.strategy(), min_size=low, max_size=high)
        high = distinct_size(self.elements, high)
        # repr tells apart what cannot be hashed (lists, arrays)
        how = {"unique": True} if self.elements.fits_sets() else {"unique_by": repr_function}
        return st.lists(self.elements.strategy(), min_size=low, max_size=high, **how)

    def mismatches(self, value: Any, at: str = "value") -> Iterator[Mismatch]:
        if not isinstance(value, list):
            yield Mismatch(at, "a list", value)
            return
        yield from wrong_length(value, *self.lengths, at)
        for place, item in enumerate(value):
            yield from self.elements.mismatches(item, f"{at}[{place}]")
        if self.unique and len(set(map(repr, value))) < len(value):
            yield Mismatch(at, "elements that all differ", value)


@dataclass(frozen=True, eq=False, repr=False)
class Tuples(Sized, name="tuples"):
    """Tuples of fixed elements, or of any number of elements of one constraint."""

    star: ClassVar[str] = "elements"
    kind: ClassVar[type | None] = tuple
    elements: tuple[Constraint, ...]
    min_len: int | None  # type: ignore[assignment]
    max_len: int | None

    def __init__(
        self,
        *elements: Constraint,
        min_len: int | None = None,
        max_len: int | None = None,
    ) -> None:
        object.__setattr__(self, "elements", elements)
        object.__setattr__(self, "min_len", min_len)
        object.__setattr__(self, "max_len", max_len)
        for element in elements:
            checked("tuples", element)
        if self.is_fixed:
            return
        if len(elements) != 1:
            raise self.refuse(
                "gives lengths for a tuple of fixed elements",
                "use one element with min_len and max_len, or drop them",
            )
        checked_lengths(self, min_len, max_len, ("min_len", "max_len"))

    def __repr__(self) -> str:
        parts = [repr(element) for element in self.elements]
        for name in ("min_len", "max_len"):
            if getattr(self, name) is not None:
                parts.append(f"{name}={getattr(self, name)}")
        return f"tuples({', '.join(parts)})"

    def as_result(self) -> Constraint:
        if self.is_fixed:
            return self._with_parts_changed(lambda part: part.as_result())
        return super().as_result()

    @property
    def is_fixed(self) -> bool:
        """Whether the number of elements is fixed."""
        return self.min_len is None and self.max_len is None

    @property
    def lengths(self) -> tuple[int, int]:
        if self.is_fixed:
            return len(self.elements), len(self.elements)
        low = self.min_len or 0
        return low, low + SPAN if self.max_len is None else self.max_len

    @cached_property
    def structure(self) -> Structure:
        if self.is_fixed:
            return Row(self.elements)
        return Repeated(tuple, self.lengths, self.elements[0])

    def strategy(self) -> Expr:
        if self.is_fixed:
            return st.tuples(*(element.strategy() for element in self.elements))
        low, high = self.lengths
        return st.lists(self.elements[0].strategy(), min_size=low, max_size=high).map(tuple)

    def beyond(self) -> Iterator[Constraint]:
        if not self.is_fixed:
            for length in too_short(self.lengths[0]):
                yield Tuples(*self.elements, min_len=length, max_len=length)
            return
        for place, element in enumerate(self.elements):
            before, after = self.elements[:place], self.elements[place + 1 :]
            yield from (Tuples(*before, outside, *after) for outside in element.beyond())

    def mismatches(self, value: Any, at: str = "value") -> Iterator[Mismatch]:
        if not isinstance(value, tuple):
            yield Mismatch(at, "a tuple", value)
            return
        wrong = list(wrong_length(value, *self.lengths, at))
        yield from wrong
        elements = self.elements if self.is_fixed else self.elements * len(value)
        for place, (element, item) in enumerate(zip(elements, value, strict=False)):
            yield from element.mismatches(item, f"{at}[{place}]")

    def count(self) -> int | None:
        total = 1
        for element in self.elements:
            count = element.count()
            if count is None or not self.is_fixed:
                return None
            total *= count
        return total


@dataclass(frozen=True, eq=False, repr=False)
class Sets(Sized, name="sets"):
    """Sets whose elements satisfy one constraint."""

    hashable: ClassVar[bool] = False
    kind: ClassVar[type | None] = set

    positional: ClassVar[tuple[str, ...]] = ("elements",)
    elements: Constraint
    _: KW_ONLY
    min_len: int = 0
    max_len: int | None = None

    def __post_init__(self) -> None:
        checked("sets", self.elements)
        checked_lengths(self, self.min_len, self.max_len, ("min_len", "max_len"))
        if not self.elements.fits_sets():
            raise self.refuse("has elements that cannot be in a set", "use tuples for the elements")
        if self.min_len > 1:
            refuse_late(self, self.elements)
        check_distinct(self, self.elements, self.min_len)

    @cached_property
    def structure(self) -> Structure:
        return Repeated(set, self.lengths)

    def of_length(self, length: int) -> Constraint | None:
        count = self.elements.count()
        if count is not None and count < length:
            return None
        return dataclasses.replace(self, min_len=length, max_len=length)

    def strategy(self) -> Expr:
        low, high = self.lengths
        high = distinct_size(self.elements, high)
        return st.sets(self.elements.strategy(), min_size=low, max_size=high)

    def mismatches(self, value: Any, at: str = "value") -> Iterator[Mismatch]:
        if not isinstance(value, (set, frozenset)):
            yield Mismatch(at, "a set", value)
            return
        yield from wrong_length(value, *self.lengths, at)
        for item in value:
            yield from self.elements.mismatches(item, f"an element of {at}")
