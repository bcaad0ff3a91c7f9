"""Problems: variables with their values, and conditions. Values are chosen one by one.

Variables come in a fixed order. Each is chosen from the values that its bounds, narrowed by all
conditions, and the conditions that it completes leave over. Where nothing is left, the one before
it takes its next value.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from annotest.relations.solving.boxes import INF, Box, Empty
from annotest.relations.solving.conditions import (
    All,
    Checked,
    Compare,
    Condition,
    Either,
    conjuncts,
)
from annotest.relations.solving.cycles import goes_round
from annotest.relations.solving.domains import Domain, choice, whole_numbers
from annotest.relations.solving.levels import ENUMERATED, Allowance, Level
from annotest.relations.solving.ordering import ordered
from annotest.relations.solving.terms import Number, Variable
from annotest.relations.solving.variables import Branch, Name, Named, StandIn

UNARY = 1 << 16
ROUNDS = 3
TRIED, MOSTLY = 24, 0.6
NOTHING = Named("")  # where conditions have no variables


class Picker(Protocol):
    """Who chooses."""

    def place(
        self, all_values: Sequence[Any], values: Sequence[Any], chosen: dict[Name, Any]
    ) -> int: ...
    def real(self, domain: Domain, low: float, high: float) -> float: ...


class Unsolvable(Exception):
    """No values were found that satisfy all conditions."""


class Stated(NamedTuple):
    """A condition, what its other names mean, how the user said it, and as which statement."""

    condition: Condition
    scope: dict[str, Any]
    text: str = ""
    place: int | None = None


class Problem:
    """Variables and conditions, ready to be solved any number of times.

    The variables are in the best order, with the `first` before all others.
    """

    def __init__(
        self,
        domains: dict[Name, Domain],
        stated: Iterable[Stated],
        first: Sequence[Name] = (),
        given: Sequence[Name] = (),
    ) -> None:
        self.given = tuple(given)
        pairs = []
        self._said: dict[int, tuple[str, set[int]]] = {}
        self._places: dict[int, int | None] = {}
        domains = dict(domains)
        for condition, scope, text, place in stated:
            parts = tuple(self._branched(part, domains) for part in conjuncts(condition))
            self._places |= {id(part): place for part in parts}
            together = {id(part) for part in parts}
            pairs += [(part, scope) for part in parts]
            self._said |= {id(part): (text, together) for part in parts}
        self.declared, self.domains = domains, dict(domains)
        self.conditions = tuple(part for part, _ in pairs)
        self.root = Box(
            {
                name: (domain.low, domain.high)
                for name, domain in domains.items()
                if domain.is_number
            }
        )
        self._touching: dict[Name, list[Condition]] = {}
        for part in self.conditions:
            for name in set(part.variables()):
                self._touching.setdefault(name, []).append(part)
        self._check_constants(pairs)
        if goes_round(
            self.conditions, {name for name, domain in domains.items() if domain.is_chosen}
        ):
            raise Empty
        self._filter_alone(pairs)
        if not given:
            self._propagate(self.root, self.conditions)
            self._cut_to_bounds()
        elif all(_is_bounded(domains[name]) for name in given):
            self._propagate(self.root.copy(), self.conditions)  # Empty where it cannot be
        self.order = ordered(self.domains, self.conditions, first, self.root)
        self.levels = [self._level(name) for name in self.order]
        self._on_given = Level(NOTHING, choice((None,)))
        self._close(pairs)

    def _branched(self, part: Condition, domains: dict[Name, Domain]) -> Condition:
        """Have one of several conditions chosen, where all elements of an array must satisfy it."""
        names = [name for name in part.variables() if name in domains]
        if not isinstance(part, Either) or all(domains[name].is_chosen for name in names):
            return part
        if any(isinstance(name, StandIn) or name in self.given for name in names):
            return part
        branch = Variable(Branch(len(domains)))
        domains[branch.name] = whole_numbers(range(len(part.parts)))
        return All(
            tuple(
                Either((Compare(branch, "!=", Number(place)), alternative))
                for place, alternative in enumerate(part.parts)
            )
        )

    def _check_constants(self, pairs: list[tuple[Condition, dict[str, Any]]]) -> None:
        """Refuse what cannot hold, whatever is chosen: bounds may not say it, Python does."""
        constants = [pair for pair in pairs if not any(True for _ in pair[0].variables())]
        states = [pair[0].state(self.root) for pair in constants]
        open_ = tuple(pair for pair, state in zip(constants, states, strict=True) if state is None)
        if False in states or not Level(NOTHING, choice((None,)), open_).passing(
            (None,), self.root
        ):
            raise Empty

    def _filter_alone(self, pairs: list[tuple[Condition, dict[str, Any]]]) -> None:
        """Keep, of each variable, the values that satisfy the conditions on it alone."""
        for name, domain in list(self.domains.items()):
            alone = [pair for pair in pairs if set(pair[0].variables()) == {name}]
            if alone and domain.values is not None and len(domain.values) <= UNARY:
                level = Level(name, domain, tuple(alone))
                kept = level.passing(domain.values, self.root)
                if not kept:
                    raise Empty
                if domain.is_number:
                    self.domains[name] = whole_numbers(kept)
                    self.root.bounds[name] = (min(kept), max(kept))
                else:
                    self.domains[name] = choice(kept)

    def _cut_to_bounds(self) -> None:
        """Forget the values that no condition leaves possible from the beginning."""
        for name, domain in self.domains.items():
            if domain.is_number and domain.values is not None:
                left = Level(name, domain).within(self.root)
                if len(left) < len(domain.values):
                    low, high = self.root.bounds[name]
                    self.domains[name] = Domain(left, low, high)
            if domain.values is not None and not len(domain.values):
                raise Empty

    def _level(self, name: Name) -> Level:
        return Level(name, self.domains[name], touching=tuple(self._touching.get(name, ())))

    def _close(self, pairs: list[tuple[Condition, dict[str, Any]]]) -> None:
        """Give each condition to the last of its variables, to be checked there."""
        place = {name: number for number, name in enumerate(self.order)}
        place.update(dict.fromkeys(self.given, -1))
        by_level: dict[int, list[tuple[Condition, dict[str, Any]]]] = {}
        for part, scope in pairs:
            names = set(part.variables())
            if names and names <= set(place):
                by_level.setdefault(max(place[name] for name in names), []).append((part, scope))
        for number, closed in by_level.items():
            level = self.levels[number] if number >= 0 else self._on_given
            level.stated = tuple(closed)

    def closed_at(self, level: Level) -> list[tuple[Condition, str, bool]]:
        """Return the conditions that a variable completes, and what the user said.

        With each, whether this is all of what was said.
        """
        here = {id(part) for part in level.closed_by}
        said = ((part, *self._said[id(part)]) for part in level.closed_by)
        return [(part, text, together <= here) for part, text, together in said if text]

    def place_of(self, condition: Condition) -> int | None:
        """Return the place of the statement that a condition is part of; None for our own."""
        return self._places[id(condition)]

    def only_checks(self, name: Name) -> bool:
        """Say whether a variable may be anything: it only stands in what is checked as Python."""
        return all(isinstance(part, Checked) for part in self._touching.get(name, ()))

    def _propagate(self, box: Box, waiting: Iterable[Condition]) -> None:
        for _ in range(ROUNDS):
            for part in waiting:
                try:
                    part.narrow(box)
                except OverflowError:
                    continue  # numbers too large for a float narrow nothing
            if not box.changed:
                return
            waiting = {part: None for name in box.changed for part in self._touching.get(name, ())}
            box.changed.clear()

    def solve(
        self, picker: Picker, given: dict[Name, Any] | None = None, budget: Allowance | None = None
    ) -> Box:
        """Choose a value for every variable; Unsolvable if none were found."""
        box = self.root.copy()
        if self.given:
            for name in self.given:
                box.assign(name, (given or {})[name])
            if not self._on_given.passing((None,), box):
                raise Unsolvable
            try:
                self._propagate(box, self.conditions)
            except Empty:
                raise Unsolvable from None
        return _Search(self, picker, budget or Allowance()).run(box)

    @property
    def is_mostly_met_at_once(self) -> bool:
        """Whether values chosen one by one mostly fit, without narrowing and steps back."""
        chance = random.Random(0)
        return sum(self._is_met_at_once(chance) for _ in range(TRIED)) >= MOSTLY * TRIED

    def _is_met_at_once(self, chance: random.Random) -> bool:
        box = self.root.copy()
        for level in self.levels:
            value, values = sum(box.bounds.get(level.name, (0, 0))) / 2, level.domain.values
            try:
                if values is not None:
                    start = chance.randrange(len(values))
                    value = level.first_passing(values, start, box, Allowance())
            except Empty:
                return False
            box.assign(level.name, value)
        return True

    def chosen(self, level: Level, box: Box, value: Any) -> Box:
        """Return a box in which a variable has a value; Empty if that cannot be."""
        narrowed = box.copy()
        narrowed.assign(level.name, value)
        self._propagate(narrowed, level.touching)
        return narrowed


@dataclass
class _Tried:
    """What has been tried for one variable: from a first place on, round all of its values."""

    box: Box
    values: Sequence[Any] | None
    start: int
    count: int = 0


class _Search:
    """One walk through the variables, with steps back where nothing is left."""

    def __init__(self, problem: Problem, picker: Picker, budget: Allowance) -> None:
        self._problem = problem
        self._picker = picker
        self._picked: dict[Name, int] = {}
        self._reals_picked: dict[Name, float] = {}
        self._budget = budget

    def run(self, box: Box) -> Box:
        levels = self._problem.levels
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
                return self._problem.chosen(level, tried.box, value)
            except Empty:
                continue
        return None

    def _may_try(self, tried: _Tried) -> bool:
        # what was looked at for other variables does not keep a new one from its first value
        return self._budget.steps > 0 and (not tried.count or not self._budget.is_spent)


def _is_bounded(domain: Domain) -> bool:
    return math.isfinite(domain.low) and math.isfinite(domain.high)
