"""Symbols: what the names in a precondition stand for, before there are values."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any, Protocol

from annotest.records import record
from annotest.relations.solving.conditions import Condition
from annotest.relations.solving.terms import Term
from annotest.relations.solving.variables import Name

# what reading an expression raises where it would raise for any values too
RAISED = (TypeError, ValueError, ArithmeticError, LookupError, AttributeError)


class NotUnderstood(Exception):
    """An expression is not one that values can be built for."""


@dataclass(frozen=True, eq=False)
class Known:
    """A value."""

    value: Any


@record
class Choice:
    """A variable whose values are no numbers to reckon with; `is_bool` if True and False."""

    name: Name
    is_bool: bool = False


@record
class Listed:
    """A list or tuple of so many items."""

    items: tuple[Symbol, ...]
    kind: type = tuple


@record
class FilteredItems:
    """The items of a list, each with the condition to be there at all."""

    items: tuple[tuple[Condition, Symbol], ...]


@record
class Unsized:
    """A list or tuple whose length is a variable; its items lie between bounds, if any.

    `is_whole` says whether they are whole numbers; None if they are no numbers at all.
    """

    length: Term
    low: float
    high: float
    kind: type = tuple
    is_whole: bool | None = None


@record
class ArraySymbol:
    """An array: its sides, its dtype, and a stand-in for each of its elements."""

    shape: Symbol
    dtype: Symbol
    element: Term
    framework: str


@record
class Elements:
    """Something that is true or not of each element of an array."""

    condition: Condition
    some: bool = True


@record
class ElementBound:
    """The largest or the smallest element of an array."""

    element: Term
    largest: bool


@record
class DtypeSymbol:
    """The dtype of an array."""

    symbol: Symbol
    framework: str


@record
class RecordSymbol:
    """A dict with these keys."""

    items: dict[Any, Symbol]

    def __hash__(self) -> int:
        return id(self)


@record
class Given:
    """A value that is drawn, and built, before the others are chosen."""


@record
class Unknown:
    """A value of which nothing is known."""


@record
class Sorted:
    """The items of a list in order."""

    of: Symbol
    reverse: bool = False
    distinct: bool = False


@record
class Counting:
    """The numbers from 0 up to a variable: `range(n)`."""

    length: Term


@record
class Distinct:
    """The items of a list, each once."""

    of: Symbol


Symbol = (
    Term
    | Condition
    | Known
    | Choice
    | Listed
    | FilteredItems
    | Unsized
    | ArraySymbol
    | Elements
    | ElementBound
    | DtypeSymbol
    | RecordSymbol
    | Given
    | Unknown
    | Sorted
    | Counting
    | Distinct
)


class Reads(Protocol):
    """Who reads expressions: what names stand for, and what an expression says."""

    symbols: dict[str, Symbol]
    scope: dict[str, Any]
    local: dict[str, Symbol]

    def read(self, node: ast.expr) -> Symbol: ...
    def condition(self, node: ast.expr) -> Condition: ...
    def stand_in(self, items: Unsized, is_whole: bool) -> Term: ...
