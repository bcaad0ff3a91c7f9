"""The search for values: one walk through the variables, with steps back where nothing is left."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from annotest.relations.solving.boxes import INF, Box, Empty
from annotest.relations.solving.domains import Domain
from annotest.relations.solving.levels import ENUMERATED, Allowance, Level
from annotest.relations.solving.variables import Name


class Picker(Protocol):
    """Who chooses."""

    def place(
        self, all_values: Sequence[Any], values: Sequence[Any], chosen: dict[Name, Any]
    ) -> int: ...
    def real(self, domain: Domain, low: float, high: float) -> float: ...


class Unsolvable(Exception):
    """No values were found that satisfy all conditions."""


@dataclass
class _Tried:
    """What has been tried for one variable: from a first place on, round all of its values."""

    box: Box
    values: Sequence[Any] | None
    start: int
    count: int = 0


class Walk:
    """One walk; `chosen` gives a variable a value, and is Empty where others then have none."""

    def __init__(
        self,
        levels: Sequence[Level],
        chosen: Callable[[Level, Box, Any], Box],
        picker: Picker,
        budget: Allowance,
    ) -> None:
        self._levels = levels
        self._chosen = chosen
        self._picker = picker
        self._picked: dict[Name, int] = {}
        self._reals_picked: dict[Name, float] = {}
        self._budget = budget

    def run(self, box: Box) -> Box:
        """Return a box in which every variable has a value; Unsolvable if none was found."""
        levels = self._levels
        done: list[_Tried] = []
        while len(done) < len(levels):
            tried = self._begin(levels[len(done)], box)
            narrowed = self._next(levels[len(done)], tried)
            while narrowed is None:
                if not done or self._budget.is_spent:
                    raise Unsolvable
                tried = done.pop()
                narrowed = self._next(levels[len(done)], tried)
            done.append(tried)
            box = narrowed
        return box

    def _begin(self, level: Level, box: Box) -> _Tried:
        if level.domain.values is None:
            low, high = map(float, box.bounds[level.name])  # whole numbers may have narrowed them
            return _Tried(box, self._reals(level, box, low, high), 0)
        values = level.candidates(box, self._budget)
        if not values:
            return _Tried(box, (), 0)
        if level.name not in self._picked:
            self._picked[level.name] = self._place(level, values, box)
        return _Tried(box, values, self._picked[level.name] % len(values))

    def _reals(self, level: Level, box: Box, low: float, high: float) -> Sequence[Any]:
        """Return a number chosen, and others near it for the case that it does not fit."""
        if level.name not in self._reals_picked:
            self._reals_picked[level.name] = self._picker.real(level.domain, low, high)
        drawn = min(max(self._reals_picked[level.name], low), high)
        drawn = level.domain.clear_of_zero(drawn, low, high)
        if level.closing is None:
            # others may not fit to a huge one: then its digits are taken, without its size
            return [
                drawn,
                *(number for number in (math.frexp(drawn)[0], 0.0) if low <= number <= high),
            ]
        middle = low / 2 + high / 2
        beside = [math.nextafter(number, end) for number in (drawn, middle) for end in (INF, -INF)]
        others = [*beside[:2], low, high, middle, *beside[2:], -drawn]
        tried = [drawn, *(number for number in others if low <= number <= high)]
        return level.passing(tried, box)

    def _place(self, level: Level, values: Sequence[Any], box: Box) -> int:
        everything = level.domain.values
        assert everything is not None
        if len(everything) == 1:
            return 0
        return self._picker.place(everything, values, box.values)

    def _next(self, level: Level, tried: _Tried) -> Box | None:
        """Return the box with the variable's next value, or None if it has no other."""
        values = tried.values or ()
        many = len(values) > ENUMERATED
        while tried.count < len(values) and self._may_try(tried):
            self._budget.steps -= 1
            place = (tried.start + tried.count) % len(values)
            tried.count += 1
            value = values[place]
            if many:
                try:
                    value = level.first_passing(values, place, tried.box, self._budget)
                except Empty:
                    return None  # many have been looked at: it is no use to go on from here
            try:
                return self._chosen(level, tried.box, value)
            except Empty:
                continue
        return None

    def _may_try(self, tried: _Tried) -> bool:
        # what was looked at for other variables does not keep a new one from its first value
        return self._budget.steps > 0 and (not tried.count or not self._budget.is_spent)
