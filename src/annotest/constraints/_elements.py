"""Whether the elements of an array satisfy a constraint: all at once where that can be said."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from annotest.constraints._base import Constraint
from annotest.constraints._numbers import Bools, Floats, Ints


def first_outside(array: Any, element: Constraint, dtype: str) -> tuple[list[int], Any, str] | None:
    """Return index, value and what is expected instead of the first element outside, if any."""
    flat = array.ravel()
    suspects = _suspects(flat, element, dtype)
    places = range(flat.size) if suspects is None else suspects.nonzero()[0].tolist()
    items = flat.tolist() if suspects is None else flat
    whole = isinstance(element, Ints) and dtype.startswith("float")
    for place in places:
        item = items[place] if suspects is None else items[place].item()
        item = int(item) if whole and item == item // 1 else item
        reason = next(iter(element.mismatches(item, "")), None)
        if reason is not None:
            return list(unraveled(place, array.shape)), item, reason.expected
    return None


def _suspects(flat: Any, element: Constraint, dtype: str) -> Any:
    """Return which elements may be outside; None where each must be looked at."""
    if isinstance(element, Bools) and dtype == "bool":
        return flat != flat
    if isinstance(element, Ints) and "int" in dtype:
        low, high = element.bounds
        outside = (flat < low) | (flat > high)
        return (
            outside if element.multiple_of is None else outside | (flat % element.multiple_of != 0)
        )
    if isinstance(element, Floats) and dtype == f"float{element.width}":
        return _unusual(flat, element)
    return None


def _unusual(flat: Any, element: Floats) -> Any:
    low, high = element.ends
    found = False if element.allow_nan else flat != flat
    found = found if element.allow_infinity else found | (abs(flat) == math.inf)
    found = found if low is None else found | (flat < low)
    found = found if high is None else found | (flat > high)
    return flat != flat if found is False else found


def has_repeated(array: Any) -> bool:
    """Say whether two elements are equal; nan never is."""
    flat = array.flatten()
    flat.sort()
    return bool((flat[1:] == flat[:-1]).any())


def unraveled(place: int, shape: tuple[int, ...]) -> Iterator[int]:
    """Yield the index of a flat place."""
    for axis in range(len(shape)):
        below = 1
        for side in shape[axis + 1 :]:
            below *= side
        yield place // below % shape[axis]
