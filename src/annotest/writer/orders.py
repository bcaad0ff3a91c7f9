"""In which order numbers are drawn, and which of them together, so that values fit."""

from __future__ import annotations

import math
import random
from collections import Counter
from typing import Any, NamedTuple

from annotest.relations.pickers import Measuring
from annotest.relations.problems import Problem
from annotest.writer.drafts import Draft

TRIED, FEW = 16, 3
ENOUGH, MOSTLY = 0.9, 0.5
MOST_FORWARD = 4
MOST_COMBINED = 10**6


class Order(NamedTuple):
    """Variables in an order; the first of them, which are `together`, as one draw."""

    names: tuple[str, ...]
    together: tuple[str, ...] = ()


class Measured(NamedTuple):
    """How often values fit that are drawn in an order, and who finds none most often."""

    rate: float
    stuck: str = ""


def measured(draft: Draft, few: int = FEW) -> Measured:
    """Try the draws a number of times; only a few times, if they all succeed."""
    if not draft.rejects or draft.problem.given:
        return Measured(1.0)
    chance, stuck = random.Random(0), Counter[str]()
    for tried in range(TRIED):
        if tried == few and not stuck:
            return Measured(1.0)  # no doubt is left that is worth the time
        name = _without_value(draft, chance)
        if name is not None:
            stuck[name] += 1
    rate = 1 - stuck.total() / TRIED
    return Measured(rate, max(stuck, key=lambda one: stuck[one], default=""))


def _without_value(draft: Draft, chance: random.Random) -> str | None:
    """Try the draws once; Measuring chooses floats, which nothing rejects."""
    problem, box = draft.problem, draft.problem.root.copy()
    written = {level.name: values for level, values in draft.steps}
    chosen: dict[str, Any] = {}
    if draft.together:
        chosen = dict(zip(draft.together, chance.choice(draft.combined), strict=True))
    for name in problem.order:
        if name in chosen:
            box.assign(name, chosen[name])
        elif name in written:
            values = written[name](box)
            if not len(values):
                return name
            box.assign(name, chance.choice(values))
        else:
            box.assign(name, Measuring(chance).real(problem.domains[name], *box.bounds[name]))
    return None


class Orders:
    """The orders to be tried: the planned one, then others, then some variables together."""

    def __init__(self, planned: Problem) -> None:
        self._planned = planned
        self._stuck = ""
        self._forward: list[str] = []

    def after(self, order: Order, problem: Problem, stuck: str) -> Order | None:
        """Return what to try next, where a variable finds no value; None if nothing is left."""
        if order.together:
            return _together(problem, {*order.together}, stuck)
        self._stuck = self._stuck or stuck
        names = _needed(problem, stuck) - {*self._forward}
        if names and len(self._forward) < MOST_FORWARD and not any(map(_is_length, names)):
            self._forward.append(max(names, key=lambda one: _importance(problem, one, stuck)))
            rest = [one for one in problem.order if one not in self._forward]
            return Order((*self._forward, *rest))
        return _together(self._planned, set(), self._stuck)


def _importance(problem: Problem, name: str, stuck: str) -> tuple[Any, ...]:
    """Say how much others depend on a variable: most first, then the one that finds no value."""
    place = problem.order.index(name)
    return len(problem.levels[place].touching), name == stuck, -place


def _needed(problem: Problem, name: str) -> set[str]:
    """Return a variable with all on which it depends when it is drawn."""
    level = problem.levels[problem.order.index(name)]
    return {name, *(one for part in level.closed_by for one in part.variables())}


def _together(problem: Problem, before: set[str], name: str) -> Order | None:
    """Return an order that begins with all on which a variable depends, drawn as one."""
    needed = before | _needed(problem, name)
    if needed == before or any(map(_is_length, needed)):
        return None
    if math.prod(problem.domains[one].size for one in needed) > MOST_COMBINED:
        return None
    together = tuple(one for one in problem.order if one in needed)
    rest = tuple(one for one in problem.order if one not in needed)
    return Order((*together, *rest), together)


def _is_length(name: str) -> bool:
    return name.startswith("len(")
