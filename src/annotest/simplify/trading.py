"""Moves that make one size smaller and another one larger, wherever arrays share them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

from annotest.constraints._sizes import aligned
from annotest.simplify.moves import (
    MOST_REFUSED,
    Extent,
    Moving,
    extents,
    known_arrays,
    whole_numbers,
)
from annotest.simplify.sizing import few_below, resized
from annotest.simplify.slots import ArraySlot, Path, Slot

# of more sizes there are too many pairs, and of so many larger ones all are tried
MOST_SIZES, FEW_LARGER = 12, 16
# where a side is empty, others may be as long as one likes
MOST_LARGER = 1 << 20

Group = tuple[Extent, ...]


def trade_shared(slots: Sequence[Slot]) -> Moving:
    """Make one side shorter and another one longer, each in all arrays that share it."""
    groups = list(_shared(slots))
    if len(groups) > MOST_SIZES:
        return
    for shorter, longer in itertools.permutations(groups, 2):
        sides = [(side.slot.path, side.axis) for side in (*shorter, *longer)]
        if len(set(sides)) == len(sides):
            yield from _trade(shorter, longer)


def _trade(shorter: Group, longer: Group) -> Moving:
    allowed = tried = 0
    for size in filter(None, few_below(shorter[0].size)):
        refused = 0
        for other in _larger(shorter, size, longer):
            wanted = [*((side, size) for side in shorter), *((side, other) for side in longer)]
            fitted = yield resized(wanted)
            allowed, tried = allowed + fitted, tried + 1
            refused = 0 if fitted else refused + 1
            if refused >= MOST_REFUSED:
                break  # beyond that, sizes are not allowed
        if not allowed and tried > 3 * MOST_REFUSED:
            return  # it is these two that are not to be changed


def _shared(slots: Sequence[Slot]) -> Iterator[Group]:
    """Yield sides that belong together: of one name, with the number of that name; or equal.

    An array can only grow if we know its simplest element. Others are left out.
    """
    sides = extents(known_arrays(slots))
    named: dict[str, list[Extent]] = {}
    for side in sides:
        named.setdefault(_name(side), []).append(side)
    alone = named.pop("", [])
    numbers = {number.slot.path: number for number in whole_numbers(slots)}
    for name, group in named.items():
        number = numbers.get((name,))
        yield (*group, number) if number is not None else tuple(group)
    yield from ((side,) for side in alone)
    for size in dict.fromkeys(side.size for side in alone):
        equal = tuple(side for side in alone if side.size == size)
        if len(equal) > 1:
            yield equal


def _name(extent: Extent) -> str:
    """Return the name that a shape gives a side; nothing where it has none, or another's."""
    assert isinstance(extent.slot, ArraySlot)
    by_axis = dict(aligned(extent.slot.constraint.named_sides(), extent.slot.array.ndim))
    text = by_axis[extent.axis].text if extent.axis in by_axis else ""
    return text if text.isidentifier() and text != "_" else ""


def _larger(shorter: Group, size: int, longer: Group) -> list[int]:
    """Return larger sizes of one group that leave fewer elements when the other has this size."""
    now, step = longer[0].size, 1
    before, most = _count([(shorter, shorter[0].size), (longer, now)]), now
    while step < MOST_LARGER and _count([(shorter, size), (longer, most + step)]) < before:
        most += step
        step *= 2
    while step := step // 2:
        if _count([(shorter, size), (longer, most + step)]) < before:
            most += step
    few = {*range(now + 1, now + FEW_LARGER), *range(most - FEW_LARGER, most + 1)}
    sizes = {*few, *(most * part // 8 for part in range(8)), now * shorter[0].size // size}
    return sorted(size for size in sizes if now < size <= most)


def _count(wanted: list[tuple[Group, int]]) -> int:
    """Return how many elements the arrays of some groups have with these sizes."""
    shapes: dict[Path, list[int]] = {}
    for group, size in wanted:
        for side in group:
            if isinstance(side.slot, ArraySlot):
                shapes.setdefault(side.slot.path, list(side.slot.array.shape))[side.axis] = size
    return sum(map(math.prod, shapes.values()))
