"""Boxes: what is known of each variable of a call, while its values are chosen one by one."""

from __future__ import annotations

import math
from typing import Any

from annotest.relations.solving.variables import Name

INF = math.inf


class Empty(Exception):
    """No value is left."""


class Box:
    """The bounds of the variables that are numbers, and the values of those that are chosen."""

    __slots__ = ("bounds", "changed", "values")

    def __init__(
        self, bounds: dict[Name, tuple[float, float]], values: dict[Name, Any] | None = None
    ) -> None:
        self.bounds = bounds
        self.values = {} if values is None else values
        # in the order of the changes, so that what follows does not depend on hashes
        self.changed: dict[Name, None] = {}

    def copy(self) -> Box:
        """Return a box that can be narrowed without changing this one."""
        return Box(self.bounds.copy(), self.values.copy())

    def assign(self, name: Name, value: Any) -> None:
        """Choose the value of a variable; bounds say nothing of one that is no number."""
        self.values[name] = value
        if name in self.bounds and isinstance(value, int | float):
            self.bounds[name] = (value, value)

    def narrow(self, name: Name, low: float, high: float, whole: bool) -> None:
        """Keep a variable within bounds; Empty where none of its values are."""
        least, most = self.bounds[name]
        if whole:
            low = math.ceil(low) if low > -INF else low
            high = math.floor(high) if high < INF else high
        if low <= least and high >= most:
            return
        low, high = max(low, least), min(high, most)
        if low > high:
            raise Empty
        self.bounds[name] = (low, high)
        self.changed[name] = None


def product(bound: float, other: float) -> float:
    """Multiply bounds: nothing times infinity is nothing."""
    return 0 if bound == 0 or other == 0 else bound * other


def hull(values: list[float]) -> tuple[float, float]:
    """Return the smallest and the largest of some bounds."""
    return min(values), max(values)
