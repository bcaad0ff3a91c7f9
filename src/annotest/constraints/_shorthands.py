"""Shorthands: lists that name their element type."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import KW_ONLY, InitVar, dataclass
from functools import cached_property
from typing import Any, ClassVar

from annotest.constraints._base import Constraint, Mismatch
from annotest.constraints._checking import keep_bounds, refuse_empty
from annotest.constraints._containers import Lists, Sized
from annotest.constraints._numbers import Bools, Floats, Ints, whole
from annotest.constraints._text import Strs
from annotest.errors import InvalidAnnotation
from annotest.expr import Expr, st


class _Shorthand(Sized):
    """A list constraint that names its element type."""

    hashable: ClassVar[bool] = False

    default_span: ClassVar[int] = 2

    @property
    def elements(self) -> Constraint:
        """The constraint of the elements."""
        raise NotImplementedError(type(self).__name__)  # each shorthand has its own

    def strategy(self) -> Expr:
        low, high = self.lengths
        return st.lists(self.elements.strategy(), min_size=low, max_size=high)

    def as_result(self) -> Constraint:
        lengths: dict[str, Any] = {"min_len": self.min_len, "max_len": self.max_len}
        said = lengths if self.len is None else {"len": self.len}
        return Lists(self._elements_as_said(), **said).as_result()

    def _elements_as_said(self) -> Constraint:
        """Return the constraint of the elements without the defaults of a list's own."""
        return self.elements

    def mismatches(self, value: Any, at: str = "value") -> Iterator[Mismatch]:
        low, high = self.lengths
        yield from Lists(self.elements, min_len=low, max_len=high).mismatches(value, at)


@dataclass(frozen=True, eq=False, repr=False)
class IntLists(_Shorthand, name="int_lists"):
    """Lists of whole numbers."""

    _: KW_ONLY
    min_len: int = 1
    max_len: int | None = None
    min: int | None = None
    max: int | None = None
    len: int | str | None = None
    min_value: InitVar[int | None] = None
    max_value: InitVar[int | None] = None

    def __post_init__(self, min_value: int | None, max_value: int | None) -> None:
        keep_bounds(self, min_value, max_value, whole)
        self.check_lengths(1)
        refuse_empty(self, *self.bounds)

    @property
    def bounds(self) -> tuple[int, int]:
        """The smallest and the largest element, with the default for an end left out."""
        low = self.min
        if low is None:
            low = 1 if self.max is None or self.max >= 1 else self.max - 5
        return low, low + 5 if self.max is None else self.max

    @property
    def elements(self) -> Constraint:
        low, high = self.bounds
        return Ints(low, high)

    def _elements_as_said(self) -> Constraint:
        return Ints(self.min, self.max)


@dataclass(frozen=True, eq=False, repr=False)
class FloatLists(_Shorthand, name="float_lists"):
    """Lists of floating-point numbers."""

    _: KW_ONLY
    min_len: int = 1
    max_len: int | None = None
    min: float | None = None
    max: float | None = None
    exclude_min: bool = False
    exclude_max: bool = False
    allow_nan: bool = False
    allow_infinity: bool = False
    width: int = 64
    len: int | str | None = None
    min_value: InitVar[float | None] = None
    max_value: InitVar[float | None] = None

    def __post_init__(self, min_value: float | None, max_value: float | None) -> None:
        keep_bounds(self, min_value, max_value, lambda owner, name, bound: bound)
        self.check_lengths(1)
        try:
            self.elements  # noqa: B018 - made once to see that it can be
        except InvalidAnnotation as error:
            raise InvalidAnnotation(f"{self!r}: {error.reason}", error.remedy) from None

    def without_nan(self) -> Constraint:
        return dataclasses.replace(self, allow_nan=False) if self.allow_nan else self

    @cached_property
    def ordinary(self) -> Constraint | None:
        inner = self.elements.ordinary
        if inner is None or inner == self.elements:
            return inner and self
        low, high = self.lengths
        named = isinstance(self.len, str)
        return Lists(inner, len=self.len) if named else Lists(inner, min_len=low, max_len=high)

    @property
    def elements(self) -> Constraint:
        return Floats(
            self.min,
            self.max,
            exclude_min=self.exclude_min,
            exclude_max=self.exclude_max,
            allow_nan=self.allow_nan,
            allow_infinity=self.allow_infinity,
            width=self.width,
        )


@dataclass(frozen=True, eq=False, repr=False)
class BoolLists(_Shorthand, name="bool_lists"):
    """Lists of True and False."""

    _: KW_ONLY
    min_len: int = 1
    max_len: int | None = None
    len: int | str | None = None

    def __post_init__(self) -> None:
        self.check_lengths(1)

    @property
    def elements(self) -> Constraint:
        return Bools()


@dataclass(frozen=True, eq=False, repr=False)
class StrLists(_Shorthand, name="str_lists"):
    """Lists of text."""

    _: KW_ONLY
    min_len: int = 1
    max_len: int | None = None
    alphabet: str | None = None
    pattern: str | None = None
    len: int | str | None = None

    def __post_init__(self) -> None:
        self.check_lengths(1)
        self.elements  # noqa: B018 - made once to see that it can be

    @property
    def elements(self) -> Constraint:
        return Strs(alphabet=self.alphabet, pattern=self.pattern)
