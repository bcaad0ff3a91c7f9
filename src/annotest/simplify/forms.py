"""The arguments of a call, as the minimiser sees them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from annotest.plan.planner import Planner
from annotest.plan.preconditions import PreconditionFailed
from annotest.plan.recipe import DIMENSIONS, LEFT_OUT, BuildFailed, Factory
from annotest.plan.steps import Draw, Plan
from annotest.plan.strategy import FilterFailed, Tally, run_steps
from annotest.simplify.fitting import agree, arguments_of, fits, values_of
from annotest.simplify.slots import ArraySlot, Items, NumberSlot, Optional, Slot, slots_of

Recipes = dict[str, Any]
# smaller is simpler: items and elements, then distances of numbers, then arguments given, then
# numbers below zero
Measure = tuple[int, float, int, int]


class Form:
    """What the recipes of a plan must satisfy, and how simple they are."""

    def __init__(self, plan: Plan, planner: Planner) -> None:
        self._plan = plan
        self._by_factory = {id(one.factory): one for one in planner.plans.values()}
        self._arguments = {key: (one, optional) for key, one, optional in arguments_of(plan)}
        self._later = tuple(step for step in plan.steps if not isinstance(step, Draw))

    def _plan_of(self, factory: Factory) -> Plan | None:
        return self._by_factory.get(id(factory))

    @cached_property
    def calls_nothing(self) -> bool:
        """Whether building the arguments calls none of the user's code."""
        return all(draw.is_plain for draw in self._plan.draws)

    def slots(self, recipes: Recipes) -> Iterator[Slot]:
        """Yield what can be made simpler."""
        for key, (constraint, optional) in self._arguments.items():
            recipe = recipes.get(key, LEFT_OUT)
            if constraint is None or recipe is LEFT_OUT:
                continue
            if optional:
                yield Optional((key,), LEFT_OUT)
            yield from slots_of(constraint, recipe, (key,), self._plan_of)

    def size(self, recipes: Recipes) -> int:
        """Return how many items and elements a call has."""
        return sum(one.size for one in self.slots(recipes) if isinstance(one, Items | ArraySlot))

    def measure(self, recipes: Recipes) -> Measure:
        """Return how large and how far from the simplest values a call is."""
        size, far, given, negative = 0, 0.0, 0, 0
        for slot in self.slots(recipes):
            if isinstance(slot, Optional):
                given += 1
                continue
            if isinstance(slot, Items | ArraySlot):
                size += slot.size
            if not isinstance(slot, Items):
                far += slot.distance
            if isinstance(slot, NumberSlot):
                negative += slot.value < 0
        return size, far, given, negative

    def fits(self, recipes: Recipes, before: Recipes | None = None) -> bool:
        """Say whether the annotations allow a call; what is as it was `before` is taken for fit."""
        for key, (constraint, optional) in self._arguments.items():
            recipe = recipes.get(key, LEFT_OUT)
            if before is not None and recipe is before.get(key):
                continue
            if recipe is LEFT_OUT:
                if not optional:
                    return False
            elif constraint is not None and not fits(constraint, recipe, self._plan_of):
                return False
        # nothing is built of values that the annotations forbid
        return agree(self._plan, recipes) and self._satisfy(self.resized(recipes))

    def _satisfy(self, recipes: Recipes) -> bool:
        """Say whether the preconditions hold, where that can be told without the user's code."""
        if not self.calls_nothing:
            return True  # it is told when the call is made
        try:
            return run_steps(self._later, recipes, Tally(), self._plan.sizes) is not None
        except (BuildFailed, PreconditionFailed, FilterFailed):
            return False

    def resized(self, recipes: Recipes) -> Recipes:
        """Return recipes with the named dimensions that their arguments have now."""
        sizes = self._plan.sizes
        if sizes is None or not recipes.get(DIMENSIONS):
            return recipes
        values = values_of(self._plan, recipes)
        if values is None:
            return recipes
        found = {name: size for name, size in sizes.of(values).items() if size is not None}
        return {**recipes, DIMENSIONS: {**recipes[DIMENSIONS], **found}}
