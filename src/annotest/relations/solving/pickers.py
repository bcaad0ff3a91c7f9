"""Pickers that need no Hypothesis: to look ahead."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

from annotest.constraints import Constraint
from annotest.relations.solving.domains import Domain
from annotest.relations.solving.searching import Picker
from annotest.relations.solving.variables import Name


class At:
    """Chooses the value at some place."""

    def __init__(self, place: int) -> None:
        self._place = place

    def place(
        self, all_values: Sequence[Any], values: Sequence[Any], chosen: dict[Name, Any]
    ) -> int:
        return min(self._place, len(values) - 1)

    def real(self, domain: Domain, low: float, high: float) -> float:
        # the lowest of all would be too low for any reckoning
        return min(max((0.0, low, high)[self._place % 3], low), high)


class Nothing:
    """Draws nothing, where it is only asked whether a call can be made."""

    def value(self, constraint: Constraint) -> Any:
        return None

    def array(self, constraint: Constraint, changed: dict[str, Any]) -> Any:
        return None

    def once(self, constraint: Constraint) -> Any:
        return None


class AtRandom:
    """Chooses at random."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def place(
        self, all_values: Sequence[Any], values: Sequence[Any], chosen: dict[Name, Any]
    ) -> int:
        return self._chance.randrange(len(values))

    def real(self, domain: Domain, low: float, high: float) -> float:
        return self._chance.uniform(low, high) if math.isfinite(high - low) else low


class Sizing:
    """Chooses lengths, `count` of them, and of everything else the first value that will do."""

    def __init__(self, picker: Picker, attempt: int) -> None:
        self._picker = picker
        self._attempt = attempt
        self.count = 0

    def place(
        self, all_values: Sequence[Any], values: Sequence[Any], chosen: dict[Name, Any]
    ) -> int:
        if len(chosen) >= self.count:
            return 0
        return self._picker.place(all_values, values, chosen) + self._attempt

    def real(self, domain: Domain, low: float, high: float) -> float:
        return min(max(0.0, low), high)
