"""The values at which programs go wrong: bounds, zeros, ones, the edges of number formats."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from annotest.constraints import Constraint, bools, floats, ints
from annotest.constraints._numbers import neighbour

MOST = 24
_EDGES = (7, 8, 15, 16, 31, 32, 53, 63)
_TINY = {16: (2.0**-24, 2.0**-14), 32: (2.0**-149, 2.0**-126), 64: (5e-324, 2.0**-1022)}


def special_values(element: Constraint) -> tuple[Any, ...]:
    """Return the special values among those of a constraint, the most telling ones first."""
    if isinstance(element, ints):
        return _chosen(_wholes(*element.bounds), element)
    if isinstance(element, floats):
        return _chosen(_reals(element), element)
    return (True, False) if isinstance(element, bools) else ()


def _chosen(values: Iterable[Any], element: Constraint) -> tuple[Any, ...]:
    found = {repr(value): value for value in values if value in element}  # -0.0 is not 0.0
    return tuple(found.values())[:MOST]


def _wholes(low: int, high: int) -> list[int]:
    found = [0, low, high, 1, -1, low + 1, high - 1, 2, -2]
    for power in reversed(_EDGES):
        found += [2**power, 2**power - 1, -(2**power), -(2**power) - 1]
    return found


def _reals(element: Any) -> list[float]:
    low, high = element.ends
    found = [0.0, math.nan, math.inf, -math.inf, *finite_ends(element), 1.0, -1.0]
    for bound, inward in ((low, True), (high, False)):
        found += [] if bound is None else [neighbour(bound, element.width, inward)]
    found += [] if low is not None and low >= 0 else [-0.0]  # as Hypothesis has it
    smallest, normal = _TINY[element.width]
    found += [smallest, -smallest, neighbour(normal, element.width, False), normal, -normal]
    found += [neighbour(1.0, element.width, True), neighbour(1.0, element.width, False), 0.5, -0.5]
    return [*found, 2.0**24, 2.0**53, 65504.0, 255.0, 256.0, 1e-5, 10.0, -10.0]


def finite_ends(element: Any) -> tuple[float, float]:
    """Return the smallest and the largest finite value of a constraint of floats."""
    low, high = element.ends
    largest = neighbour(math.inf, element.width, False)
    return -largest if low is None else low, largest if high is None else high
