"""A framework of arrays in plain Python, and its constraint: what a second framework needs."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, ClassVar

from annotest.constraints import ArrayConstraint

MODE = {"strict": False}  # a setting for all code in the process, as frameworks have them


class Toy:
    """An array: its shape, the name of its dtype, its elements in one list."""

    def __init__(self, shape, dtype, items):
        assert prod(shape) == len(items)
        self.shape, self.dtype, self.items = tuple(shape), dtype, list(items)

    def __getitem__(self, index):
        assert len(index) == len(self.shape)
        place = 0
        for side, at in zip(self.shape, index, strict=True):
            place = place * side + at
        return self.items[place]

    def __repr__(self):
        return f"Toy({self.shape}, {self.dtype!r}, {self.items})"


def array(nested, dtype, shape):
    """Return the array of nested lists."""
    made = Toy(shape, dtype, [None] * prod(shape))
    for place, index in enumerate(product(*map(range, shape))):
        item = nested
        for at in index:
            item = item[at]
        made.items[place] = item
    return made


def from_numpy(elements):
    """Return the array with the elements of a NumPy array."""
    return Toy(elements.shape, elements.dtype.name, elements.ravel().tolist())


@dataclass(frozen=True, eq=False, repr=False)
class ToyArrays(ArrayConstraint, name="toy_arrays"):
    """Toy arrays of a shape and a dtype; finite unless allowed."""

    of_framework: ClassVar[str] = "toy_arrays"

    shape: Any = None
    dtype: Any = "float32"


toy_arrays = ToyArrays
