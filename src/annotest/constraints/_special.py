"""The values at which programs go wrong: bounds, zeros, ones, the edges of number formats."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable
from typing import Any

from annotest.constraints._formats import neighbour
from annotest.constraints._structure import Reals

MOST = 24
_EDGES = (7, 8, 15, 16, 31, 32, 53, 63)
_TINY = {16: (2.0**-24, 2.0**-14), 32: (2.0**-149, 2.0**-126), 64: (5e-324, 2.0**-1022)}


def chosen(values: Iterable[Any], inside: Container[Any]) -> tuple[Any, ...]:
    """Return those of some special values that a constraint has, the most telling ones first."""
    kept = {repr(value): value for value in values if value in inside}  # -0.0 is not 0.0
    return tuple(kept.values())[:MOST]


def special_wholes(low: int, high: int) -> list[int]:
    """Return whole numbers that are special in a range, and some beyond it."""
    special = [0, low, high, 1, -1, low + 1, high - 1, 2, -2]
    for power in reversed(_EDGES):
        special += [2**power, 2**power - 1, -(2**power), -(2**power) - 1]
    return special


def special_reals(reals: Reals) -> list[float]:
    """Return floats that are special in a range, and some beyond it."""
    low, high, width = reals.low, reals.high, reals.width
    special = [0.0, math.nan, math.inf, -math.inf, *reals.ends, 1.0, -1.0]
    for bound, inward in ((low, True), (high, False)):
        special += [] if bound is None else [neighbour(bound, width, inward)]
    special += [] if low is not None and low >= 0 else [-0.0]  # as Hypothesis has it
    smallest, normal = _TINY[width]
    special += [smallest, -smallest, neighbour(normal, width, False), normal, -normal]
    special += [neighbour(1.0, width, True), neighbour(1.0, width, False), 0.5, -0.5]
    return [*special, 2.0**24, 2.0**53, 65504.0, 255.0, 256.0, 1e-5, 10.0, -10.0]
