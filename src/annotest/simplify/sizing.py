"""Moves to other sizes, one by one: halving jumps over those that must be multiples of others."""

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
    known_arrays,
    whole_numbers,
    without,
)
from annotest.simplify.slots import ArraySlot, NumberSlot, Path, Slot

# so many of the least sizes, and of those just below, are tried one by one
FEW = 16
# of more sizes there are too many threes
MOST_SHIFTED = 8
# the divisors of what is larger are not looked for
LARGEST_DIVIDED = 10**6


def resize(slots: Sequence[Slot]) -> Moving:
    """Try a few smaller sizes of a list, a side or a number, and of equal ones together."""
    numbers = _few_numbers(slots)
    alone = [[extent] for extent in numbers]
    for group in filter(are_apart, itertools.chain(alone, groups(extents(slots), numbers))):
        for size in few_below(group[0].size):
            yield resized([(extent, size) for extent in group])


def scale(slots: Sequence[Slot]) -> Moving:
    """Make a size smaller, and with it all that are multiples of it."""
    sized = [extent for extent in extents(slots) + _few_numbers(slots) if extent.size > 0]
    for size in sorted({extent.size for extent in sized}):
        group = [extent for extent in sized if extent.size % size == 0]
        if len(group) > 1 and are_apart(group):
            for smaller in filter(None, few_below(size)):
                yield resized([(extent, extent.size // size * smaller) for extent in group])


def shift(slots: Sequence[Slot]) -> Moving:
    """Make three sizes and numbers smaller by the same, as differences need it; others do two."""
    sized = [extent for extent in whole_numbers(slots) + extents(slots) if extent.size > 0]
    if len(sized) > MOST_SHIFTED:
        return
    for group in map(list, itertools.combinations(sized, 3)):
        if len({extent.size for extent in group}) > 1 and are_apart(group):
            fewer = min(extent.size for extent in group)
            while fewer:
                yield resized([(extent, extent.size - fewer) for extent in group])
                fewer //= 2


def trade_sides(slots: Sequence[Slot]) -> Moving:
    """Make one side of arrays shorter and another one longer, with fewer elements in all."""
    for group in _alike(slots):
        for axis, other in itertools.combinations(range(group[0].array.ndim), 2):
            shape = list(group[0].array.shape)
            for area in filter(None, few_below(shape[axis] * shape[other])):
                for side in divisors(area):
                    shape[axis], shape[other] = side, area // side
                    yield [(slot.path, arrays.reshaped(slot, tuple(shape))) for slot in group]


def _alike(slots: Sequence[Slot]) -> Iterator[list[ArraySlot]]:
    """Yield each array, and those of one shape together."""
    known = known_arrays(slots)
    yield from ([slot] for slot in known)
    for shape in dict.fromkeys(slot.array.shape for slot in known):
        same = [slot for slot in known if slot.array.shape == shape]
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
            for larger in sorted(size for size in raised if size > number.size):
                yield resized([(number, larger), *((extent, smaller) for extent in group)])


def cut_front(slots: Sequence[Slot]) -> Moving:
    """Cut items from the front, and lower the numbers that may be places in what is left."""
    sized = extents(slots)
    outside = _numbers_outside(slots, sized)
    for group in filter(are_apart, groups(sized, [])):
        places = [number for number in outside if 0 < number.size <= group[0].size]
        for count in sorted({1, *(number.size for number in places)}, reverse=True):
            lowered = [number for number in places if number.size >= count]
            for together in [lowered, *([number] for number in lowered)]:
                lower = [(number.slot.path, number.size - count) for number in together]
                yield from (changes + lower for changes in cut_all(group, 0, count))


def few_below(size: int) -> list[int]:
    """Return sizes below one: the least, the next ones, and those that divisors of it make."""
    parts = divisors(size)
    sizes = {*range(FEW), *range(size - FEW, size), *parts, *(size - part for part in parts)}
    return sorted(smaller for smaller in sizes if 0 <= smaller < size)


@lru_cache(1000)
def divisors(size: int) -> tuple[int, ...]:
    """Return what divides a size, if it is not huge."""
    if not 0 < size <= LARGEST_DIVIDED:
        return ()
    small = [divisor for divisor in range(1, math.isqrt(size) + 1) if size % divisor == 0]
    return tuple(sorted({*small, *(size // divisor for divisor in small)}))


def _few_numbers(slots: Sequence[Slot]) -> list[Extent]:
    numbers = whole_numbers(slots)
    return numbers if len(numbers) <= MOST_TRADED else []


def _numbers_outside(slots: Sequence[Slot], sized: Sequence[Extent]) -> list[Extent]:
    """Return the numbers that are no items of something with a size."""
    paths = {extent.slot.path for extent in sized}
    return [
        extent
        for extent in _few_numbers(slots)
        if not any(extent.slot.path[: len(path)] == path for path in paths)
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
