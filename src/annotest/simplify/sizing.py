"""Moves in small steps: sizes that halving leaps over, because they must be multiples of others."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from annotest.simplify import arrays
from annotest.simplify.moves import (
    MOST_TRADED,
    Changes,
    Extent,
    Moving,
    are_apart,
    cut_all,
    extents,
    groups,
    whole_numbers,
    without,
)
from annotest.simplify.slots import ArraySlot, NumberSlot, Path, Slot

# so many of the least sizes, and of those just below, are tried one by one
FEW = 16
# the divisors of what is larger are not looked for
LARGEST_DIVIDED = 10**6


def resize(slots: Sequence[Slot]) -> Moving:
    """Try a few smaller sizes of a list, a side or a number, and of equal ones together."""
    numbers = _few_numbers(slots)
    alone = [[one] for one in numbers]
    for group in filter(are_apart, itertools.chain(alone, groups(extents(slots), numbers))):
        for size in few_below(group[0].size):
            yield resized([(one, size) for one in group])


def scale(slots: Sequence[Slot]) -> Moving:
    """Make a size smaller, and with it all that are multiples of it."""
    sized = [one for one in extents(slots) + _few_numbers(slots) if one.size > 0]
    for size in sorted({one.size for one in sized}):
        group = [one for one in sized if one.size % size == 0]
        if len(group) > 1 and are_apart(group):
            for smaller in filter(None, few_below(size)):
                yield resized([(one, one.size // size * smaller) for one in group])


def trade_sides(slots: Sequence[Slot]) -> Moving:
    """Make one side of arrays shorter and another one longer, with fewer elements in all."""
    for group in _alike(slots):
        for one, other in itertools.combinations(range(group[0].array.ndim), 2):
            shape = list(group[0].array.shape)
            for area in filter(None, few_below(shape[one] * shape[other])):
                for side in divisors(area):
                    shape[one], shape[other] = side, area // side
                    yield [(slot.path, arrays.reshaped(slot, tuple(shape))) for slot in group]


def _alike(slots: Sequence[Slot]) -> Iterator[list[ArraySlot]]:
    """Yield each array, and those of one shape together."""
    found = [one for one in slots if isinstance(one, ArraySlot) and one.simplest is not None]
    yield from ([one] for one in found)
    for shape in dict.fromkeys(one.array.shape for one in found):
        same = [one for one in found if one.array.shape == shape]
        if len(same) > 1:
            yield same


def trade_for_numbers(slots: Sequence[Slot]) -> Moving:
    """Make a list or a side shorter and a number larger, as products and sums need it."""
    sized = extents(slots)
    outside = _numbers_outside(slots, sized)
    for group in filter(are_apart, groups(sized, [])):
        size = group[0].size
        for smaller, number in itertools.product(filter(None, few_below(size)), outside):
            raised = {size, number.size + size - smaller, -(-number.size * size // smaller)}
            for larger in sorted(one for one in raised if one > number.size):
                yield resized([(number, larger), *((one, smaller) for one in group)])


def cut_front(slots: Sequence[Slot]) -> Moving:
    """Cut items from the front, and lower the numbers that may be places in what is left."""
    sized = extents(slots)
    outside = _numbers_outside(slots, sized)
    for group in filter(are_apart, groups(sized, [])):
        places = [one for one in outside if 0 < one.size <= group[0].size]
        for count in sorted({1, *(one.size for one in places)}, reverse=True):
            lowered = [one for one in places if one.size >= count]
            for together in [lowered, *([one] for one in lowered)]:
                lower = [(one.slot.path, one.size - count) for one in together]
                yield from (changes + lower for changes in cut_all(group, 0, count))


def few_below(size: int) -> list[int]:
    """Return sizes below one: the least, the next ones, and those that divisors of it make."""
    parts = divisors(size)
    found = {*range(FEW), *range(size - FEW, size), *parts, *(size - part for part in parts)}
    return sorted(one for one in found if 0 <= one < size)


@lru_cache(1000)
def divisors(size: int) -> tuple[int, ...]:
    """Return what divides a size, if it is not huge."""
    if not 0 < size <= LARGEST_DIVIDED:
        return ()
    small = [one for one in range(1, math.isqrt(size) + 1) if size % one == 0]
    return tuple(sorted({*small, *(size // one for one in small)}))


def _few_numbers(slots: Sequence[Slot]) -> list[Extent]:
    numbers = whole_numbers(slots)
    return numbers if len(numbers) <= MOST_TRADED else []


def _numbers_outside(slots: Sequence[Slot], sized: Sequence[Extent]) -> list[Extent]:
    """Return the numbers that are no items of something with a size."""
    paths = {one.slot.path for one in sized}
    return [
        one
        for one in _few_numbers(slots)
        if not any(one.slot.path[: len(path)] == path for path in paths)
    ]


def resized(wanted: Sequence[tuple[Extent, int]]) -> Changes:
    """Return the changes that give each its new size; lists do not grow."""
    shapes: dict[Path, list[int]] = {}
    changed: dict[Path, Any] = {}
    for extent, size in wanted:
        slot = extent.slot
        if isinstance(slot, ArraySlot):
            shape = shapes.setdefault(slot.path, list(slot.array.shape))
            shape[extent.axis] = size
            changed[slot.path] = slot
        elif isinstance(slot, NumberSlot):
            changed[slot.path] = size
        else:
            changed[slot.path] = without(slot.recipe, size, slot.size - size)
    for path, shape in shapes.items():
        changed[path] = arrays.reshaped(changed[path], tuple(shape))
    return list(changed.items())
