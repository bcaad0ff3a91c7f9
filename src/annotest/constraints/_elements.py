"""Whether the elements of an array satisfy a constraint: all at once where that can be said."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotest.constraints._base import Constraint
from annotest.frameworks.dtypes import DType


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
