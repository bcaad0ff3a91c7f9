"""Moves: ways to make a call simpler, the boldest first.

A move yields changes that belong together. The minimiser makes them, and keeps them if the
annotations allow the call and it still fails.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import Any

from annotest.constraints._formats import nearest
from annotest.simplify import arrays
from annotest.simplify.slots import (
    LARGEST_COUNTED,
    ArraySlot,
    ChoiceSlot,
    Items,
    NumberSlot,
    Optional,
    Path,
    Slot,
)

# numbers that are far from the simplest one are tried near that first, in leaps of so many times
LEAP = 16
Changes = list[tuple[Path, Any]]
# yields what to try next, and is told whether the annotations allowed it
Moving = Generator[Changes, bool, None]
# elements of an array that are made simpler one by one
FEW_ELEMENTS = 64
# of more numbers there are too many pairs
MOST_TRADED = 24
# pieces of one size that are not allowed, before others of that size are not even tried
MOST_REFUSED = 8
# how far one number is moved up while another comes down
NEAR = (1, 2, 3, 4, 6, 8, 16)
MAGNITUDES = (1.0, 1e3, 1e6, 1e15, 1e30, 1e60, 1e120, 1e240)


def leave_out(slots: Sequence[Slot]) -> Moving:
    """Leave arguments and keys out, and take simpler alternatives."""
    for slot in slots:
        if isinstance(slot, Optional):
            yield [(slot.path, slot.without)]
        elif isinstance(slot, ChoiceSlot):
            yield from ([(slot.path, option)] for option in slot.options[: slot.place])


class Extent:
    """Something with a size that can be cut: a list, or one side of an array, or a number."""

    def __init__(self, slot: Items | ArraySlot | NumberSlot, axis: int = 0) -> None:
        self.slot = slot
        self.axis = axis

    @property
    def size(self) -> int:
        """How long it is."""
        if isinstance(self.slot, NumberSlot):
            return int(self.slot.value)
        if isinstance(self.slot, ArraySlot):
            return int(self.slot.array.shape[self.axis])
        return self.slot.size


def without(recipe: Any, start: int, count: int) -> Any:
    """Return a list, text, dict or set that lacks so many of the items from `start` on."""
    if isinstance(recipe, dict):
        kept = list(recipe.items())
        return dict(kept[:start] + kept[start + count :])
    if isinstance(recipe, set | frozenset):
        kept = sorted(recipe, key=repr)
        return type(recipe)(kept[:start] + kept[start + count :])
    return recipe[:start] + recipe[start + count :]


def extents(slots: Sequence[Slot]) -> list[Extent]:
    """Return all that has a size."""
    sized = []
    for slot in slots:
        if isinstance(slot, Items):
            sized.append(Extent(slot))
        elif isinstance(slot, ArraySlot):
            sized += [Extent(slot, axis) for axis in range(slot.array.ndim)]
    return sized


def whole_numbers(slots: Sequence[Slot]) -> list[Extent]:
    """Return the whole numbers: each may say how large something is."""
    return [Extent(number) for number in _wholes(slots)]


def _wholes(slots: Iterable[Slot]) -> list[NumberSlot]:
    numbers = (slot for slot in slots if isinstance(slot, NumberSlot))
    return [number for number in numbers if number.values is not None]


def cut(slots: Sequence[Slot], pieces: int) -> Moving:
    """Take a piece away: from one list or side, or from all that are equally long at once."""
    sized = extents(slots)
    for group in filter(are_apart, groups(sized, whole_numbers(slots))):
        size = group[0].size
        count = size // pieces
        refused = 0
        starts = range(0, size - count + 1, count) if count else range(0)
        if pieces > arrays.MOST_PIECES:
            starts = starts[-1:]  # of so small ones, only that at the end
        for start in starts:
            for changes in cut_all(group, start, count):
                refused = 0 if (yield changes) else refused + 1
            if refused >= MOST_REFUSED:
                break  # it is the size that is not allowed, wherever it is cut


def groups(sized: list[Extent], numbers: list[Extent]) -> Iterator[list[Extent]]:
    """Yield each thing with a size alone, then those of equal size that may belong together."""
    yield from ([extent] for extent in sized if extent.size)
    for size in sorted({extent.size for extent in sized if extent.size}, reverse=True):
        equal = [extent for extent in sized if extent.size == size]
        named = [extent for extent in numbers if extent.size == size]
        if len(equal) > 1:
            yield equal
        if named:
            yield equal + named
            for number in named:
                yield from ([extent, number] for extent in equal if len(equal) + len(named) > 2)
        if len(equal) > 2:
            pairs = ((a, b) for n, a in enumerate(equal) for b in equal[n + 1 :])
            yield from ([a, b] for a, b in pairs)


def are_apart(group: list[Extent]) -> bool:
    """Say whether none of a group lies inside another one."""
    paths = {extent.slot.path for extent in group}
    pairs = itertools.permutations(paths, 2)
    return not any(inner[: len(outer)] == outer for outer, inner in pairs)


def cut_all(group: list[Extent], start: int, count: int) -> Iterator[Changes]:
    """Cut the same items from all; an array with two sides in the group is cut on both."""
    slots = {extent.slot.path: extent.slot for extent in group}
    ways: list[list[Any]] = []
    for path, slot in slots.items():
        if isinstance(slot, ArraySlot):
            axes = tuple(extent.axis for extent in group if extent.slot.path == path)
            ways.append(list(arrays.cut(slot, axes, start, count)))
        elif isinstance(slot, NumberSlot):
            ways.append([slot.value - count])
        else:
            ways.append([without(slot.recipe, start, count)])
    # what is made anew goes together, and what is taken as it is
    for number in range(max(len(way) for way in ways)):
        chosen = [way[min(number, len(way) - 1)] for way in ways]
        yield list(zip(slots, chosen, strict=True))


def merge(slots: Sequence[Slot]) -> Moving:
    """Take an item of a list away and add it to the one before, as a sum needs it."""
    for slot in slots:
        if not isinstance(slot, Items) or not isinstance(slot.recipe, list | tuple):
            continue
        items = list(slot.recipe)
        if not all(type(number) in (int, float) for number in items):
            continue
        for place in range(1, len(items)):
            merged = [*items[: place - 1], items[place - 1] + items[place], *items[place + 1 :]]
            yield [(slot.path, type(slot.recipe)(merged))]


def blank_arrays(slots: Sequence[Slot]) -> Moving:
    """Make the bulk of large arrays the simplest."""
    for slot in known_arrays(slots):
        yield from ([(slot.path, recipe)] for recipe in arrays.blank(slot))


def empty_arrays(slots: Sequence[Slot], pieces: int) -> Moving:
    """Make a piece of an array the simplest at once."""
    for slot in known_arrays(slots):
        yield from ([(slot.path, recipe)] for recipe in arrays.emptied(slot, pieces))


def known_arrays(slots: Sequence[Slot]) -> list[ArraySlot]:
    """Return the arrays whose simplest element is known."""
    known = (slot for slot in slots if isinstance(slot, ArraySlot))
    return [slot for slot in known if slot.simplest is not None]


def numbers_in(slots: Sequence[Slot]) -> list[NumberSlot | ChoiceSlot]:
    """Return the numbers, those in small arrays too, that are not the simplest yet."""
    numbers: list[NumberSlot | ChoiceSlot] = []
    for slot in slots:
        if isinstance(slot, NumberSlot | ChoiceSlot):
            numbers.append(slot)
        elif isinstance(slot, ArraySlot) and slot.simplest is not None:
            numbers += elements_of(slot)
    return [number for number in numbers if number.distance > 0]


def elements_of(slot: ArraySlot, every: bool = False) -> Iterator[NumberSlot | ChoiceSlot]:
    """Yield the elements of an array as numbers: those that are not the simplest, if few."""
    flat = slot.array.ravel()
    if flat.dtype.kind == "c":
        return
    places = range(len(flat)) if every else arrays.other_places(flat, slot.simplest).tolist()
    if len(places) > FEW_ELEMENTS:
        return
    values = slot.element.structure.numbers
    for place in places:
        path, value = (*slot.path, place), flat[place].item()
        if type(value) is float:
            value = float(str(flat[place]))  # as short as the dtype allows
        if type(value) is bool:
            yield ChoiceSlot(path, int(value), (False, True))
        else:
            yield NumberSlot(path, value, slot.simplest, values)


def lower(slots: Sequence[Slot]) -> Moving:
    """Bring numbers nearer to their simplest values, each alone, then equal ones together."""
    numbers = [number for number in numbers_in(slots) if isinstance(number, NumberSlot)]
    for number in numbers:
        yield from ([(number.path, value)] for value in nearer(number))
    for value in dict.fromkeys(number.value for number in numbers):
        equal = [number for number in numbers if number.value == value]
        if len(equal) > 1:
            for simpler in nearer(equal[0]):
                yield [(number.path, simpler) for number in equal]


def nearer(number: NumberSlot) -> Iterator[Any]:
    """Yield values that are simpler than a number, the simplest first."""
    value, simplest = number.value, number.simplest
    if number.values is None:
        yield from (nearest(real, number.width) for real in _nearer_real(value, simplest))
        return
    step = number.values.step
    away = (value - simplest) // step
    yield simplest
    if value < 0 and -value in number.values:
        yield -value
    near = 4
    while near * LEAP < abs(away):  # what passes is quick, and what fails may hang
        yield simplest + (near if away > 0 else -near) * step
        near *= LEAP
    part = away // 2 if away > 0 else -(-away // 2)
    while part:
        yield value - part * step
        part = part // 2 if part > 0 else -(-part // 2)


def _nearer_real(value: float, simplest: float) -> Iterator[float]:
    yield simplest
    if not math.isfinite(value):
        return
    if value < 0 and simplest >= 0:
        yield -value
    for digits in (0, 1, 2):
        scale = 10.0**digits
        below, above = (value, value)
        if abs(value) < LARGEST_COUNTED:
            below, above = math.floor(value * scale) / scale, math.ceil(value * scale) / scale
        if below == above:
            yield from _grid_below(value, simplest, scale)
            return
        yield from (below, above) if value > simplest else (above, below)


def _grid_below(value: float, simplest: float, scale: float) -> Iterator[float]:
    """Yield numbers nearer to the simplest one that have no more digits, the nearest first."""
    if abs(value) >= LARGEST_COUNTED:
        yield from (math.copysign(size, value) for size in MAGNITUDES if size < abs(value))
        return
    whole, away = round(value * scale), round((value - simplest) * scale)
    part = int(away / 2) or away
    while part:
        yield (whole - part) / scale
        part = int(part / 2)


def trade(slots: Sequence[Slot]) -> Moving:
    """Bring one number down and another one up by less, as products and sums need it."""
    small = (array for array in known_arrays(slots) if array.size <= FEW_ELEMENTS)
    numbers = _wholes([*slots, *(item for array in small for item in elements_of(array, True))])
    for high in numbers if len(numbers) <= MOST_TRADED else ():
        down = _steps_down(high)
        for other in numbers:
            if other is high:
                continue
            for fewer, value in down:
                for up in NEAR:
                    if up >= fewer:
                        break
                    for moved in (other.value + up, other.value - up):
                        if moved in (other.values or ()):
                            yield [(high.path, value), (other.path, moved)]


def _steps_down(number: NumberSlot) -> list[tuple[int, int]]:
    """Return values nearer to the simplest, with how much nearer they are."""
    away = int(number.distance)
    sign = 1 if number.value > number.simplest else -1
    steps = sorted({1, 2, 3, 4, away // 4, away // 2, away - away // 4, away} - {0})
    return [(step, number.value - sign * step) for step in steps if step <= away]
