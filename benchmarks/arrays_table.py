"""Bugs that depend on the elements or the shape of one array, and arrays in which they hide."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

# the largest side of the two that an array has, by about how many elements that makes at most
SIDES = {64: 8, 2_000: 45, 150_000: 388}


class Bug(NamedTuple):
    """A condition under which a program fails, and the options of the arrays that it is given."""

    name: str
    dtype: str
    options: dict[str, Any]
    fails: Callable[[Any], Any]


SIGNED = {"min": -1.0, "max": 1.0}
UNIT = {"min": 0.0, "max": 1.0}
LABELS = {"min": 0, "max": 9}
SPECIAL = {"allow_nan": True, "allow_infinity": True}

BUGS = [
    Bug("an element is zero", "float64", SIGNED, lambda x: (x == 0).any()),
    Bug("no element is zero", "uint8", {}, lambda x: (x != 0).all()),
    Bug("an element is near the largest", "float32", UNIT, lambda x: (x > 0.99).any()),
    Bug("an element is nan", "float32", SPECIAL, lambda x: np.isnan(x).any()),
    Bug("an element is infinite", "float64", SPECIAL, lambda x: np.isinf(x).any()),
    Bug("all are equal, and not zero", "float64", SIGNED, lambda x: x[0, 0] and x.min() == x.max()),
    Bug("all are zero", "float32", UNIT, lambda x: not x.any()),
    Bug("the sum is zero", "float64", SIGNED, lambda x: x.sum() == 0),
    Bug("the sum is negative", "float64", SIGNED, lambda x: x.sum() < 0),
    Bug("two neighbours are equal", "int32", {}, lambda x: (x[:, 1:] == x[:, :-1]).any()),
    Bug("a row rises", "int64", LABELS, lambda x: (x[0, 1:] >= x[0, :-1]).all() and x[0].any()),
    Bug("the first is the largest", "float64", SIGNED, lambda x: _above(x[0, 0], x.ravel()[1:])),
    Bug("the last is negative", "float32", SIGNED, lambda x: x[-1, -1] < 0),
    Bug("an element is at the upper bound", "float32", UNIT, lambda x: (x == 1).any()),
    Bug("the mean is high", "float64", UNIT, lambda x: x.mean() > 0.7),
    Bug("a side is 1", "uint8", {}, lambda x: 1 in x.shape),
    Bug("wider than high", "uint8", {}, lambda x: x.shape[1] > x.shape[0]),
    Bug("an integer over 2**31", "int64", {}, lambda x: (x > 2**31).any()),
    Bug("a denormal", "float32", SIGNED, lambda x: _between(abs(x), 0, 2.0**-126).any()),
    Bug("a negative zero", "float64", SIGNED, lambda x: ((x == 0) & np.signbit(x)).any()),
    Bug("all differ, and there are some", "int64", {}, lambda x: x.size > 3 and _distinct(x)),
    Bug("a class is missing", "int64", LABELS, lambda x: x.size > 9 and len(np.unique(x)) < 10),
    Bug("every class occurs", "int64", LABELS, lambda x: len(np.unique(x)) == 10),
    Bug("a value over 250 in a corner", "uint8", {}, lambda x: x[0, 0] > 250 or x[-1, -1] > 250),
]


def _above(value: Any, others: Any) -> bool:
    return bool(others.size) and bool(value > others.max())


def _between(values: Any, low: float, high: float) -> Any:
    return (values > low) & (values < high)


def _distinct(array: Any) -> bool:
    return len(np.unique(array)) == array.size
