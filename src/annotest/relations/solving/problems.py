"""Problems: variables with their values, and conditions. Values are chosen one by one.

Variables come in a fixed order. Each is chosen from the values that its bounds, narrowed by all
conditions, and the conditions that it completes leave over. Where nothing is left, the one before
it takes its next value.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from typing import Any

from annotest.relations.solving.boxes import Box, Empty
from annotest.relations.solving.checked import Checked
from annotest.relations.solving.conditions import All, Compare, Condition, Either, conjuncts
from annotest.relations.solving.cycles import goes_round
from annotest.relations.solving.domains import Domain, choice, whole_numbers
from annotest.relations.solving.levels import Allowance, Level, Stated
from annotest.relations.solving.ordering import ordered
from annotest.relations.solving.searching import Picker, Unsolvable, Walk
from annotest.relations.solving.terms import Number, Variable
from annotest.relations.solving.variables import Branch, Name, Named, StandIn

UNARY = 1 << 16
ROUNDS = 3
TRIED, MOSTLY = 24, 0.6
NOTHING = Named("")  # where conditions have no variables


class Problem:
    """Variables and conditions, ready to be solved any number of times.

    The variables are in the best order, with the `first` before all others. `declared` are all
    their values, `domains` those that are possible at all.
    """

    def __init__(
        self,
        domains: dict[Name, Domain],
        stated: Iterable[Stated],
        first: Sequence[Name] = (),
        given: Sequence[Name] = (),
    ) -> None:
        self.given = tuple(given)
        self.declared = dict(domains)
        # what was said, taken apart: the parts of one thing stand together in a list
        self._said = [self._taken_apart(said) for said in stated]
        self.stated = tuple(part for parts in self._said for part in parts)
        self.conditions = tuple(part.condition for part in self.stated)
        self.domains = dict(self.declared)
        numbers = {name: domain for name, domain in self.domains.items() if domain.is_number}
        self.root = Box({name: (domain.low, domain.high) for name, domain in numbers.items()})
        self._touching: dict[Name, list[Condition]] = {}
        for part in self.conditions:
            for name in set(part.variables()):
                self._touching.setdefault(name, []).append(part)
        self._refuse_contradictions()
        self._narrow_domains()
        self.order = ordered(self.domains, self.conditions, first, self.root)
        self.levels = [self._level(name) for name in self.order]
        self._on_given = Level(NOTHING, choice((None,)))
        self._close()

    def _taken_apart(self, said: Stated) -> list[Stated]:
        """Return the conditions that must all hold for something that was said."""
        parts = map(self._branched, conjuncts(said.condition))
        return [said._replace(condition=part) for part in parts]

    def _branched(self, part: Condition) -> Condition:
        """Choose one of the alternatives where all elements of an array must satisfy the same."""
        domains = self.declared
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

    def _refuse_contradictions(self) -> None:
        """Refuse what cannot hold, whatever is chosen: bounds may not say it, Python does."""
        constants = [part for part in self.stated if not any(True for _ in part.variables())]
        states = [part.condition.state(self.root) for part in constants]
        open_ = tuple(part for part, state in zip(constants, states, strict=True) if state is None)
        checking = Level(NOTHING, choice((None,)), open_)
        chosen = {name for name, domain in self.domains.items() if domain.is_chosen}
        if (
            False in states
            or not checking.passing((None,), self.root)
            or goes_round(self.conditions, chosen)
        ):
            raise Empty

    def _narrow_domains(self) -> None:
        """Forget the values that no condition leaves possible from the beginning."""
        self._filter_alone()
        if not self.given:
            self._propagate(self.root, self.conditions)
            self._cut_to_bounds()
        elif all(_is_bounded(self.declared[name]) for name in self.given):
            self._propagate(self.root.copy(), self.conditions)  # Empty where it cannot be

    def _filter_alone(self) -> None:
        """Keep, of each variable, the values that satisfy the conditions on it alone."""
        for name, domain in list(self.domains.items()):
            alone = tuple(part for part in self.stated if set(part.variables()) == {name})
            if alone and domain.values is not None and len(domain.values) <= UNARY:
                kept = Level(name, domain, alone).passing(domain.values, self.root)
                if not kept:
                    raise Empty
                if domain.is_number:
                    self.domains[name] = whole_numbers(kept)
                    self.root.bounds[name] = (min(kept), max(kept))
                else:
                    self.domains[name] = choice(kept)

    def _cut_to_bounds(self) -> None:
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

    def _close(self) -> None:
        """Give each condition to the last of its variables, to be checked there."""
        place = {name: number for number, name in enumerate(self.order)}
        place.update(dict.fromkeys(self.given, -1))
        for part in self.stated:
            names = set(part.variables())
            if names and names <= place.keys():
                last = max(place[name] for name in names)
                level = self.levels[last] if last >= 0 else self._on_given
                level.stated += (part,)

    def closed_at(self, level: Level) -> list[tuple[Stated, bool]]:
        """Return what the user said that a variable completes, and whether that is all of it."""
        here = {id(part) for part in level.stated}
        whole = {id(part) for parts in self._said if {*map(id, parts)} <= here for part in parts}
        return [(part, id(part) in whole) for part in level.stated if part.text]

    def must_be_number(self, name: Name) -> bool:
        """Say whether a variable is reckoned with in any case.

        It is not where Python checks it: `k == "same" or k < n` is met by a k that is text.
        """
        touching = self._touching.get(name, ())
        return any(not isinstance(part, Either) and _reckons_with(name, part) for part in touching)

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
        return Walk(self.levels, self.chosen, picker, budget or Allowance()).run(box)

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


def _reckons_with(name: Name, condition: Condition) -> bool:
    if parts := condition.inside():
        return any(_reckons_with(name, part) for part in parts)
    return not isinstance(condition, Checked) and name in condition.variables()


def _is_bounded(domain: Domain) -> bool:
    return math.isfinite(domain.low) and math.isfinite(domain.high)
