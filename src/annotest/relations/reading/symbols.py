"""Symbols: what the names in a precondition stand for, before there are values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotest.frozen import frozen
from annotest.relations.solving.conditions import Condition
from annotest.relations.solving.terms import Term

# what reading an expression raises where it would raise for any values too
RAISED = (TypeError, ValueError, ArithmeticError, LookupError, AttributeError)


class NotUnderstood(Exception):
    """An expression is not one that values can be built for."""


@dataclass(frozen=True, eq=False)
class Known:
    """A value."""

    value: Any


@frozen
class Choice:
    """A variable whose values are no numbers to reckon with; `is_bool` if True and False."""

    name: str
    is_bool: bool = False


@frozen
class Listed:
    """A list or tuple of so many items."""

    items: tuple[Any, ...]
    kind: type = tuple


@frozen
class Filtered:
    """The items of a list, each with the condition to be there at all."""

    items: tuple[tuple[Condition, Any], ...]


@frozen
class Unsized:
    """A list or tuple whose length is a variable; its items lie between bounds, if any.

    `is_whole` says whether they are whole numbers; None if they are no numbers at all.
    """

    length: Term
    low: float
    high: float
    kind: type = tuple
    is_whole: bool | None = None


@frozen
class ArraySymbol:
    """An array: its sides, its dtype, and a stand-in for each of its elements."""

    shape: Any
    dtype: Any
    element: Any
    framework: str


@frozen
class Elements:
    """Something that is true or not of each element of an array."""

    condition: Condition
    some: bool = True


@frozen
class ElementBound:
    """The largest or the smallest element of an array."""

    element: Any
    largest: bool


@frozen
class DtypeSymbol:
    """The dtype of an array."""

    symbol: Any
    framework: str


@frozen
class RecordSymbol:
    """A dict with these keys."""

    items: dict[str, Any]

    def __hash__(self) -> int:
        return id(self)


@frozen
class Given:
    """A value that is drawn, and built, before the others are chosen."""

    name: str


@frozen
class Unknown:
    """A value of which nothing is known."""


@frozen
class Sorted:
    """The items of a list in order."""

    of: Any
    reverse: bool = False
    distinct: bool = False


@frozen
class Counting:
    """The numbers from 0 up to a variable: `range(n)`."""

    length: Term


@frozen
class Distinct:
    """The items of a list, each once."""

    of: Any


Symbol = Any
