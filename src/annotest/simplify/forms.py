"""The arguments of a call, as the minimiser sees them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from annotest.plan.planner import Planner
from annotest.plan.recipe import DIMENSIONS, Factory
from annotest.plan.steps import Plan
from annotest.simplify.fitting import arguments_of, call_fits, holds, values_of
from annotest.simplify.slots import ArraySlot, Items, NumberSlot, Optional, Slot, slots_of_call

Recipes = dict[str, Any]
# smaller is simpler: items and elements, then distances of numbers, then arguments given, then
# numbers below zero
Measure = tuple[int, float, int, int]


class Form:
    """What the recipes of a plan must satisfy, and how simple they are."""

    def __init__(self, plan: Plan, planner: Planner) -> None:
        self._plan = plan
        self._by_factory = {id(own.factory): own for own in planner.plans.values()}
        self._arguments = list(arguments_of(plan))

    def _plan_of(self, factory: Factory) -> Plan | None:
        return self._by_factory.get(id(factory))

    @cached_property
    def calls_nothing(self) -> bool:
        """Whether building the arguments calls none of the user's code."""
        return all(draw.is_plain for draw in self._plan.draws)

    def slots(self, recipes: Recipes) -> Iterator[Slot]:
        """Yield what can be made simpler."""
        return slots_of_call(self._arguments, recipes, (), self._plan_of)

    def size(self, recipes: Recipes) -> int:
        """Return how many items and elements a call has."""
        return sum(slot.size for slot in self.slots(recipes) if isinstance(slot, Items | ArraySlot))

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
        if not call_fits(self._plan, self._arguments, recipes, self._plan_of, before):
            return False
        # whether preconditions hold that call the user's code is told when the call is made
        return not self.calls_nothing or holds(self._plan, self.resized(recipes))

    def resized(self, recipes: Recipes) -> Recipes:
        """Return recipes with the named dimensions that their arguments have now."""
        sizes = self._plan.sizes
        if sizes is None or not recipes.get(DIMENSIONS):
            return recipes
        values = values_of(self._plan, recipes)
        if values is None:
            return recipes
        now = {name: size for name, size in sizes.of(values).items() if size is not None}
        return {**recipes, DIMENSIONS: {**recipes[DIMENSIONS], **now}}
