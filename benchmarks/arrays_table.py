"""Bugs that depend on the elements or the shape of one array, and arrays in which they hide."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

# the largest side of the two that an array has, by about how many elements that makes at most
SIDES = {64: 8, 2_000: 45, 150_000: 388}


class Bug(NamedTuple):
    """A condition under which a program fails, and the options of the arrays that it is given.

    `least` is what the smallest failing array has: elements, elements that are not zero, and, of
    whole numbers, their sum without signs.
    """

    name: str
    dtype: str
    options: dict[str, Any]
    fails: Callable[[Any], Any]
    least: tuple[int, ...]

    def is_smallest(self, array: Any) -> bool:
        """Say whether no smaller array has the bug."""
        found = [array.size, int(np.count_nonzero(array))]
        if array.dtype.kind in "iu":
            found.append(sum(abs(item) for item in array.ravel().tolist()))
        return tuple(found) == self.least


SIGNED = {"min": -1.0, "max": 1.0}
UNIT = {"min": 0.0, "max": 1.0}
LABELS = {"min": 0, "max": 9}
SPECIAL = {"allow_nan": True, "allow_infinity": True}

BUGS = [
    Bug("an element is zero", "float64", SIGNED, lambda x: (x == 0).any(), (1, 0)),
    Bug("no element is zero", "uint8", {}, lambda x: (x != 0).all(), (1, 1, 1)),
    Bug("an element is near the largest", "float32", UNIT, lambda x: (x > 0.99).any(), (1, 1)),
    Bug("an element is nan", "float32", SPECIAL, lambda x: np.isnan(x).any(), (1, 1)),
    Bug("an element is infinite", "float64", SPECIAL, lambda x: np.isinf(x).any(), (1, 1)),
    Bug(
        "all are equal, and not zero",
        "float64",
        SIGNED,
        lambda x: x[0, 0] and x.min() == x.max(),
        (1, 1),
    ),
    Bug("all are zero", "float32", UNIT, lambda x: not x.any(), (1, 0)),
    Bug("the sum is zero", "float64", SIGNED, lambda x: x.sum() == 0, (1, 0)),
    Bug("the sum is negative", "float64", SIGNED, lambda x: x.sum() < 0, (1, 1)),
    Bug(
        "two neighbours are equal", "int32", {}, lambda x: (x[:, 1:] == x[:, :-1]).any(), (2, 0, 0)
    ),
    Bug(
        "a row rises",
        "int64",
        LABELS,
        lambda x: (x[0, 1:] >= x[0, :-1]).all() and x[0].any(),
        (1, 1, 1),
    ),
    Bug(
        "the first is the largest",
        "float64",
        SIGNED,
        lambda x: _above(x[0, 0], x.ravel()[1:]),
        (2, 1),
    ),
    Bug("the last is negative", "float32", SIGNED, lambda x: x[-1, -1] < 0, (1, 1)),
    Bug("an element is at the upper bound", "float32", UNIT, lambda x: (x == 1).any(), (1, 1)),
    Bug("the mean is high", "float64", UNIT, lambda x: x.mean() > 0.7, (1, 1)),
    Bug("a side is 1", "uint8", {}, lambda x: 1 in x.shape, (1, 0, 0)),
    Bug("wider than high", "uint8", {}, lambda x: x.shape[1] > x.shape[0], (2, 0, 0)),
    Bug("an integer over 2**31", "int64", {}, lambda x: (x > 2**31).any(), (1, 1, 2**31 + 1)),
    Bug("a denormal", "float32", SIGNED, lambda x: _between(abs(x), 0, 2.0**-126).any(), (1, 1)),
    Bug("a negative zero", "float64", SIGNED, lambda x: ((x == 0) & np.signbit(x)).any(), (1, 0)),
    Bug(
        "all differ, and there are some",
        "int64",
        {},
        lambda x: x.size > 3 and _distinct(x),
        (4, 3, 4),
    ),
    Bug(
        "a class is missing",
        "int64",
        LABELS,
        lambda x: x.size > 9 and len(np.unique(x)) < 10,
        (10, 0, 0),
    ),
    Bug("every class occurs", "int64", LABELS, lambda x: len(np.unique(x)) == 10, (10, 9, 45)),
    Bug(
        "a value over 250 in a corner",
        "uint8",
        {},
        lambda x: x[0, 0] > 250 or x[-1, -1] > 250,
        (1, 1, 251),
    ),
]


def _above(value: Any, others: Any) -> bool:
    return bool(others.size) and bool(value > others.max())


def _between(values: Any, low: float, high: float) -> Any:
    return (values > low) & (values < high)


def _distinct(array: Any) -> bool:
    return len(np.unique(array)) == array.size
