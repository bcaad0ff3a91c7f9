"""Simpler arrays: smaller ones, and those of which fewer elements matter.

A large array stays a recipe as long as it is large. What is cut from its bulk is either made
anew from the same seed, or taken as it is.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from typing import Any

from annotest.large import LARGE, SORTED, Constant, LargeArray
from annotest.plan.recipe import Applied, Made
from annotest.simplify.slots import ArraySlot

# in a large array, so many elements may differ from all others for it to be written by them
MOST_PLACED = 64
# in so many pieces lists and arrays are looked through
MOST_PIECES = 256


def cut(slot: ArraySlot, axes: tuple[int, ...], start: int, count: int) -> Iterator[Any]:
    """Yield recipes that lack so many elements along some axes."""
    shape = list(slot.array.shape)
    for axis in axes:
        shape[axis] -= count
    recipe = slot.recipe
    made_anew = isinstance(recipe, LargeArray) and not recipe.placed and recipe.contents is None
    if made_anew and math.prod(shape) > LARGE:
        yield dataclasses.replace(recipe, shape=tuple(shape))
        if isinstance(recipe.fill, Constant):
            return
    import numpy as np  # late: there are arrays, so it is loaded

    array = slot.array
    for axis in axes:
        array = np.delete(array, slice(start, start + count), axis=axis)
    yield as_recipe(array, slot.simplest)


def reshaped(slot: ArraySlot, shape: tuple[int, ...]) -> Any:
    """Return the recipe of another shape; what is cut off and not the simplest moves inside."""
    recipe, simplest = slot.recipe, slot.simplest
    if isinstance(recipe, LargeArray) and _has_any_shape(recipe) and math.prod(shape) > LARGE:
        return dataclasses.replace(recipe, shape=shape)
    import numpy as np  # late: there are arrays, so it is loaded

    shared = tuple(map(slice, map(min, shape, slot.array.shape)))
    if simplest is None:
        return slot.array[shared]
    array = np.full(shape, simplest, slot.array.dtype)
    array[shared] = slot.array[shared]
    rest = slot.array.copy()
    rest[shared] = simplest
    _move_others(rest.ravel(), array.reshape(-1), simplest)
    return as_recipe(array, simplest)


def _has_any_shape(recipe: LargeArray) -> bool:
    """Say whether what a recipe says means the same in every shape."""
    return not recipe.placed and recipe.contents in (None, SORTED)


def _move_others(flat: Any, to: Any, simplest: Any) -> None:
    """Put what is not the simplest in one array where the other one is, if there is room."""
    import numpy as np

    others = flat[other_places(flat, simplest)]
    room = np.delete(np.arange(to.size), other_places(to, simplest))
    if len(others) <= len(room):
        to[room[: len(others)]] = others


def blank(slot: ArraySlot) -> Iterator[Any]:
    """Yield the recipe of a large array whose bulk is the simplest, and with less placed in it."""
    recipe, constant = slot.recipe, Constant(slot.simplest)
    if not isinstance(recipe, LargeArray):
        return
    if recipe.fill != constant:
        yield dataclasses.replace(recipe, fill=constant, placed=())
        yield dataclasses.replace(recipe, fill=constant)
    if recipe.placed:
        yield dataclasses.replace(recipe, placed=())
    for place in range(len(recipe.placed)):
        fewer = recipe.placed[:place] + recipe.placed[place + 1 :]
        yield dataclasses.replace(recipe, placed=fewer)


def emptied(slot: ArraySlot, pieces: int) -> Iterator[Any]:
    """Yield recipes in which one of so many pieces has only the simplest elements."""
    recipe, simplest = slot.recipe, slot.simplest
    if isinstance(recipe, LargeArray) and recipe.fill == Constant(simplest):
        return  # its elements are made simpler one by one
    flat = slot.array.ravel()
    places = other_places(flat, simplest)
    count = len(places) // pieces if pieces <= MOST_PIECES else 0
    for start in range(0, len(places), count) if count else ():
        copy = flat.copy()
        copy[places[start : start + count]] = simplest
        yield as_recipe(copy.reshape(slot.array.shape), simplest)


def other_places(flat: Any, simplest: Any) -> Any:
    """Return where an array has something else than the simplest element."""
    import numpy as np

    same = flat == np.array(simplest, flat.dtype)
    if flat.dtype.kind == "f":
        same &= np.signbit(flat) == np.signbit(flat.dtype.type(simplest))
    return np.flatnonzero(~same)


def as_recipe(array: Any, simplest: Any) -> Any:
    """Return an array in few words where it is large and nearly all the same, else as it is."""
    if array.size <= LARGE or simplest is None:
        return array
    flat = array.ravel()
    places = other_places(flat, simplest)
    if len(places) > MOST_PLACED:
        return array
    placed = tuple((int(place), flat[place].item()) for place in places)
    return LargeArray(array.shape, array.dtype.name, Constant(simplest), placed)


def is_wordy(recipe: Any) -> bool:
    """Say whether a recipe holds a large array element by element, which nobody wants to read."""
    if isinstance(recipe, dict):
        return any(map(is_wordy, recipe.values()))
    if isinstance(recipe, list | tuple):
        return any(map(is_wordy, recipe))
    if isinstance(recipe, Made):
        return is_wordy(recipe.values)
    if isinstance(recipe, Applied):
        return is_wordy(recipe.value)
    return hasattr(recipe, "tobytes") and recipe.size > LARGE


def with_element(recipe: Any, place: int, value: Any) -> Any:
    """Return a recipe with another element in one place."""
    if isinstance(recipe, LargeArray) and recipe.contents is None:
        placed = dict(recipe.placed)
        placed[place] = value
        kept = tuple(item for item in placed.items() if recipe.fill != Constant(item[1]))
        return dataclasses.replace(recipe, placed=kept)
    # what is placed in a large array with contents is arranged afterwards: not so what is put here
    copy = recipe.build() if isinstance(recipe, LargeArray) else recipe.copy()
    copy.flat[place] = value
    return copy
