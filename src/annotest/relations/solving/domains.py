"""Domains: the values of variables."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from annotest.constraints import Constraint, bools, floats, froms, ints
from annotest.frozen import frozen
from annotest.relations.solving.boxes import INF

LARGEST = sys.float_info.max
MOST_VALUES = 1 << 60


@frozen
class Domain:
    """The values of a variable: listed, a range, or (`values` None) the floats between bounds."""

    values: Sequence[Any] | None
    low: float = -INF
    high: float = INF
    is_number: bool = True
    is_chosen: bool = True

    @property
    def size(self) -> float:
        """How many values there are."""
        return INF if self.values is None else len(self.values)


def whole_numbers(values: Sequence[int]) -> Domain:
    """Return the domain of some whole numbers."""
    return Domain(values, min(values), max(values)) if len(values) else Domain((), 1, 0)


def choice(values: Sequence[Any]) -> Domain:
    """Return the domain of some values that are no numbers to reckon with."""
    return Domain(values, is_number=False)


def real_numbers(low: float, high: float) -> Domain:
    """Return the domain of the floats between bounds."""
    return Domain(None, low, high)


def common(one: Domain, other: Domain) -> Domain:
    """Return the values that two domains of the same variable have in common."""
    if one.values is None or other.values is None or one == other:
        return one
    both = [value for value in one.values if value in other.values]
    return whole_numbers(both) if one.is_number else choice(both)


def stand_in(low: float, high: float) -> Domain:
    """Return the domain of a number that only narrows others and is never chosen."""
    return Domain(None, low, high, is_chosen=False)


def item_domain(constraint: Constraint) -> Domain | None:
    """Return the values of a constraint of single values, or None for another."""
    if isinstance(constraint, ints):
        values = constraint.values
        if values[-1] - values[0] > MOST_VALUES:
            return None  # too many to have places
        return Domain(values, values[0], values[-1])
    if isinstance(constraint, bools):
        return choice((False, True))
    if isinstance(constraint, floats):
        return _float_domain(constraint)
    if isinstance(constraint, froms):
        return _listed_domain(constraint.listed())
    return None


def _float_domain(constraint: Any) -> Domain | None:
    if constraint.allow_nan or constraint.allow_infinity or constraint.width != 64:
        return None
    low, high = constraint.ends
    return real_numbers(-LARGEST if low is None else low, LARGEST if high is None else high)


def _listed_domain(values: list[Any]) -> Domain:
    if values and all(type(value) is int for value in values):
        return whole_numbers(sorted(set(values)))
    return choice(values)
