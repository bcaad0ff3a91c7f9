"""Domains: the values of variables."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from typing import Any

from annotest.constraints import Constraint
from annotest.constraints._structure import ListedValues, Reals, Wholes
from annotest.records import record
from annotest.relations.solving.boxes import INF

LARGEST = sys.float_info.max
MOST_VALUES = 1 << 60


@record
class Domain:
    """The values of a variable: listed, a range, or (`values` None) the floats between bounds.

    Of those, all but 0 should be `apart` from it.
    """

    values: Sequence[Any] | None
    low: float = -INF
    high: float = INF
    is_number: bool = True
    is_chosen: bool = True
    apart: float = 0.0

    @property
    def size(self) -> float:
        """How many values there are."""
        return INF if self.values is None else len(self.values)

    def clear_of_zero(self, number: float, low: float, high: float) -> float:
        """Return a float that lies between bounds, or one near it that is apart from zero."""
        if not 0 < abs(number) < self.apart:
            return number
        beside = math.copysign(self.apart, number)
        return next((near for near in (beside, 0.0, -beside) if low <= near <= high), number)


def whole_numbers(values: Sequence[int]) -> Domain:
    """Return the domain of some whole numbers."""
    return Domain(values, min(values), max(values)) if len(values) else Domain((), 1, 0)


def choice(values: Sequence[Any]) -> Domain:
    """Return the domain of some values that are no numbers to reckon with."""
    return Domain(values, is_number=False)


def common(domain: Domain, other: Domain) -> Domain:
    """Return the values that two domains of the same variable have in common."""
    if domain.values is None or other.values is None or domain == other:
        return domain
    both = [value for value in domain.values if value in other.values]
    return whole_numbers(both) if domain.is_number else choice(both)


def stand_in(low: float, high: float) -> Domain:
    """Return the domain of a number that only narrows others and is never chosen."""
    return Domain(None, low, high, is_chosen=False)


def item_domain(constraint: Constraint) -> Domain | None:
    """Return the values of a constraint of single values, or None for another."""
    domain_of = DOMAINS.get(type(constraint.structure))
    return None if domain_of is None else domain_of(constraint.structure)


def _whole_domain(structure: Wholes) -> Domain | None:
    low, high = structure.ends
    # None where there are too many to have places
    return None if high - low > MOST_VALUES else Domain(structure.values, low, high)


def _real_domain(structure: Reals) -> Domain | None:
    if not structure.is_finite or structure.width != 64:
        return None
    return Domain(None, *structure.ends, apart=structure.apart)


def _listed_domain(structure: ListedValues) -> Domain:
    values = structure.values
    if values and all(type(value) is int for value in values):
        return whole_numbers(sorted(set(values)))
    return choice(values)


# the structures of single values
DOMAINS: dict[type, Callable[[Any], Domain | None]] = {
    Wholes: _whole_domain,
    Reals: _real_domain,
    ListedValues: _listed_domain,
}
