"""Simpler arrays: smaller ones, and those of which fewer elements matter.

A large array stays a recipe as long as it is large. What is cut from its bulk is either made
anew from the same seed, or taken as it is.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from typing import Any

from annotest.large import LARGE, Constant, LargeArray
from annotest.simplify.slots import Array

# in a large array, so many elements may differ from all others for it to be written by them
MOST_PLACED = 64


def cut(slot: Array, axes: tuple[int, ...], start: int, count: int) -> Iterator[Any]:
    """Yield recipes that lack so many elements along some axes."""
    shape = list(slot.array.shape)
    for axis in axes:
        shape[axis] -= count
    recipe = slot.recipe
    if math.prod(shape) > LARGE and isinstance(recipe, LargeArray) and not recipe.placed:
        yield dataclasses.replace(recipe, shape=tuple(shape))
        if isinstance(recipe.fill, Constant):
            return
    import numpy as np  # late: there are arrays, so it is loaded

    array = slot.array
    for axis in axes:
        array = np.delete(array, slice(start, start + count), axis=axis)
    yield as_recipe(array, slot.simplest)


def emptied(slot: Array) -> Iterator[Any]:
    """Yield recipes in which more elements are the simplest, many at first."""
    recipe, simplest = slot.recipe, slot.simplest
    if isinstance(recipe, LargeArray):
        constant = Constant(simplest)
        if recipe.fill != constant:
            yield dataclasses.replace(recipe, fill=constant, placed=())
            yield dataclasses.replace(recipe, fill=constant)
        for place in range(len(recipe.placed)):
            fewer = recipe.placed[:place] + recipe.placed[place + 1 :]
            yield dataclasses.replace(recipe, placed=fewer)
        if recipe.fill == constant:
            return  # its elements are made simpler one by one
    flat = slot.array.ravel()
    places = other_places(flat, simplest)
    count = len(places)
    while count > 1:
        for start in range(0, len(places), count):
            copy = flat.copy()
            copy[places[start : start + count]] = simplest
            yield as_recipe(copy.reshape(slot.array.shape), simplest)
        count //= 2


def other_places(flat: Any, simplest: Any) -> Any:
    """Return where an array has something else than the simplest element."""
    import numpy as np

    same = flat == np.array(simplest, flat.dtype)
    if flat.dtype.kind == "f":
        same &= np.signbit(flat) == np.signbit(flat.dtype.type(simplest))
    return np.flatnonzero(~same)


def as_recipe(array: Any, simplest: Any) -> Any:
    """Return an array as it is, or in few words where it is large and nearly all the same."""
    if array.size <= LARGE or simplest is None:
        return array
    flat = array.ravel()
    places = other_places(flat, simplest)
    if len(places) > MOST_PLACED:
        return array
    placed = tuple((int(place), flat[place].item()) for place in places)
    return LargeArray(array.shape, array.dtype.name, Constant(simplest), placed)


def with_element(recipe: Any, place: int, value: Any) -> Any:
    """Return a recipe with another element in one place."""
    if isinstance(recipe, LargeArray):
        placed = dict(recipe.placed)
        placed[place] = value
        kept = tuple(one for one in placed.items() if recipe.fill != Constant(one[1]))
        return dataclasses.replace(recipe, placed=kept)
    copy = recipe.copy()
    copy.flat[place] = value
    return copy
