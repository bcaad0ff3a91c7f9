"""A sweep: brute force over the calls that are simpler than the best, up to a number of tries."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from typing import Any

from annotest.simplify.forms import Form, Measure, Recipes
from annotest.simplify.moves import elements_of
from annotest.simplify.paths import put_all
from annotest.simplify.slots import ArraySlot, ChoiceSlot, Items, NumberSlot, Path, Slot

# calls that one sweep looks at, and the different sizes of lists and arrays among them
MOST_LOOKED_AT = 2000
MOST_SIZES = 40
# of more items and elements, all together, the sizes are not varied
LARGEST = 12
# numbers that are varied together, and shapes that one array is given
MOST_NUMBERS, MOST_SHAPES = 40, 500


class Sweep:
    """The calls of the same form as one that are simpler than it."""

    def __init__(self, form: Form, best: Recipes, measure: Measure) -> None:
        self._form = form
        self._best = best
        self._size, self._far = measure[:2]
        self._looked_at = 0

    def run(self, attempt: Callable[[Recipes], bool]) -> bool:
        """Try the calls, beginning where there are few of them; say whether one was taken."""
        frames = list(itertools.islice(self._frames(), MOST_SIZES))
        waiting = [(frame.cost(0), place, 0) for place, frame in enumerate(frames)]
        while waiting:
            cost, place, far = heappop(waiting)
            frame = frames[place]
            if far > frame.farthest or (frame.size == self._size and far > self._far):
                continue
            for recipes in frame.calls(far):
                self._looked_at += 1
                if self._looked_at > MOST_LOOKED_AT:
                    return False
                if attempt(recipes):
                    return True
            heappush(waiting, (cost + frame.cost(far + 1), place, far + 1))
        return False

    def _frames(self) -> Iterator[Numbering]:
        """Yield the best call in all smaller sizes, the smallest first, with simplest values."""
        slots = list(self._form.slots(self._best))
        sized = [
            slot for slot in slots if isinstance(slot, Items | ArraySlot) and _is_outer(slot, slots)
        ]
        others = sum(slot.size for slot in slots if isinstance(slot, Items | ArraySlot)) - sum(
            slot.size for slot in sized
        )
        choices = [list(_resized(slot, self._size - others)) for slot in sized]
        ways = itertools.islice(itertools.product(*choices), 10 * MOST_SIZES)
        ordered = sorted(ways, key=lambda way: sum(size for size, _ in way))
        for way in ordered:
            size = others + sum(own for own, _ in way)
            if size > self._size:
                return
            changes = [(slot.path, recipe) for slot, (_, recipe) in zip(sized, way, strict=True)]
            frame = Numbering(self._form, put_all(self._best, changes), size)
            if frame.count <= MOST_NUMBERS:
                yield frame


class Numbering:
    """Calls that differ in their numbers only."""

    def __init__(self, form: Form, recipes: Recipes, size: int) -> None:
        self.size = size
        self._recipes = recipes
        self._knobs = [_knob(slot) for slot in _apart(list(_numbers(form.slots(recipes))))]
        self.count = len(self._knobs)
        self.farthest = sum(len(places) - 1 for _, places in self._knobs)

    def cost(self, far: int) -> int:
        """Return about how many calls are so far from the simplest."""
        return math.comb(far + len(self._knobs), far)

    def calls(self, far: int) -> Iterator[Recipes]:
        """Yield the calls whose numbers are so far from the simplest, all together."""
        for places in _shared_out(far, [len(values) - 1 for _, values in self._knobs]):
            for chosen in itertools.product(
                *(values[place] for place, (_, values) in zip(places, self._knobs, strict=True))
            ):
                paths = (path for path, _ in self._knobs)
                yield put_all(self._recipes, list(zip(paths, chosen, strict=True)))


Knob = tuple[Path, list[list[Any]]]
MOST_VALUES = 64


def _knob(slot: NumberSlot | ChoiceSlot) -> Knob:
    """Return where a number stands, and its values by their distance from the simplest."""
    if isinstance(slot, ChoiceSlot):
        return slot.path, [[option] for option in slot.options[: slot.place + 1]]
    if slot.values is None:
        return slot.path, [[slot.value]]
    step, by_distance = slot.values.step, []
    for far in range(MOST_VALUES):
        near = dict.fromkeys((slot.simplest + far * step, slot.simplest - far * step))
        by_distance.append([value for value in near if value in slot.values])
        if not by_distance[-1]:
            by_distance.pop()
            break
    return slot.path, by_distance


def _numbers(slots: Iterator[Slot]) -> Iterator[NumberSlot | ChoiceSlot]:
    for slot in slots:
        if isinstance(slot, NumberSlot | ChoiceSlot):
            yield slot
        elif isinstance(slot, ArraySlot) and slot.simplest is not None and slot.size <= LARGEST:
            yield from elements_of(slot, every=True)


def _apart(knobs: list[NumberSlot | ChoiceSlot]) -> list[NumberSlot | ChoiceSlot]:
    """Leave out a choice where parts of what is chosen vary too: another one has no such parts."""
    paths = [slot.path for slot in knobs]
    return [
        knob
        for place, knob in enumerate(knobs)
        if isinstance(knob, NumberSlot)
        or not any(
            other[: len(knob.path)] == knob.path for at, other in enumerate(paths) if at != place
        )
    ]


def _shared_out(total: int, most: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield the ways to divide a distance between numbers that allow so much each."""
    if not most:
        if total == 0:
            yield ()
        return
    rest = sum(most[1:])
    for first in range(max(0, total - rest), min(total, most[0]) + 1):
        for others in _shared_out(total - first, most[1:]):
            yield (first, *others)


def _is_outer(slot: Items | ArraySlot, slots: list[Slot]) -> bool:
    """Say whether a list or an array is in no other one, and has none inside."""
    others = [other for other in slots if isinstance(other, Items | ArraySlot)]
    inner = [other.path for other in others if other is not slot]
    path = slot.path
    return not any(path[: len(other)] == other or other[: len(path)] == path for other in inner)


def _resized(slot: Items | ArraySlot, most: int) -> Iterator[tuple[int, Any]]:
    """Yield a list or an array in every size, with the simplest contents."""
    if isinstance(slot, ArraySlot):
        yield from _reshaped(slot, most)
        return
    simplest = None if slot.element is None else slot.element.simplest()
    if simplest is None or not isinstance(slot.recipe, list | tuple) or most > LARGEST:
        yield slot.size, slot.recipe
        return
    for size in range(slot.least, most + 1):
        yield size, type(slot.recipe)([simplest] * size)


def _reshaped(slot: ArraySlot, most: int) -> Iterator[tuple[int, Any]]:
    import numpy as np  # late: there are arrays, so it is loaded

    if slot.simplest is None or most > LARGEST:
        yield slot.size, slot.array
        return
    each = (shape for dims in range(slot.array.ndim + 2) for shape in _shapes(dims, most))
    for shape in itertools.islice(each, MOST_SHAPES):
        array = np.full(shape, slot.simplest, slot.array.dtype)
        if slot.constraint.admits(array, slot.dtype):
            yield array.size, array


def _shapes(dims: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield the shapes with so many sides and no more elements than that."""
    if dims == 0:
        yield ()
        return
    for side in range(most + 1):
        for rest in _shapes(dims - 1, most // side if side else most):
            yield (side, *rest)
