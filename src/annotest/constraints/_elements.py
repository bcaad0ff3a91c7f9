"""Whether the elements of an array satisfy a constraint: all at once where that can be said."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from annotest.constraints._base import Constraint
from annotest.constraints._choices import Froms
from annotest.constraints._numbers import Floats
from annotest.constraints._structure import ListedValues, Reals
from annotest.frameworks.dtypes import DType


def as_formatted(element: Constraint, dtype: DType) -> Constraint | None:
    """Return the elements that stay what they are when they are rounded to a dtype's format.

    Between ends that are such numbers, rounding leads to none outside. None if that is not known.
    """
    assert dtype.format is not None
    made_of, rounded = element.structure, dtype.format.rounded
    if isinstance(made_of, ListedValues):
        values = [number for number in made_of.values if rounded(float(number), True) == number]
        return Froms(values) if values else None
    if isinstance(element, Floats) and isinstance(made_of, Reals):
        return _between_formatted(element, made_of, dtype)
    numbers = made_of.numbers
    whole = 2**dtype.format.digits  # up to there each whole number is one of the format
    return element if numbers and -whole <= numbers[0] and numbers[-1] <= whole else None


def _between_formatted(element: Floats, made_of: Reals, dtype: DType) -> Constraint | None:
    form = dtype.format
    assert form is not None
    infinite = made_of.has_infinity and form.has_infinity
    low, high = (None, None) if infinite else (-form.largest, form.largest)
    if element.min is not None:
        low = (form.beyond if element.exclude_min else form.rounded)(element.min, True)
    if element.max is not None:
        high = (form.beyond if element.exclude_max else form.rounded)(element.max, False)
    if low is not None and high is not None and not -math.inf < low <= high < math.inf:
        return None
    special: dict[str, Any] = {"allow_nan": made_of.has_nan, "allow_infinity": infinite}
    special["_apart"] = form.rounded(made_of.apart, True)
    return Floats(low, high, **special, width=dtype.bits)


def first_outside(
    array: Any, element: Constraint, dtype: DType
) -> tuple[list[int], Any, str] | None:
    """Return index, value and what is expected instead of the first element outside, if any."""
    flat = array.ravel()
    suspects = element.suspects(flat, dtype)
    places = range(flat.size) if suspects is None else suspects.nonzero()[0].tolist()
    items = flat.tolist() if suspects is None else flat
    whole = dtype.kind == "float" and element.structure.is_whole
    for place in places:
        item = items[place] if suspects is None else items[place].item()
        item = int(item) if whole and item == item // 1 else item
        reason = next(iter(element.mismatches(item, "")), None)
        if reason is not None:
            return list(unraveled(place, array.shape)), item, reason.expected
    return None


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
