"""In which order numbers are drawn, and which of them together, so that values fit."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from annotest.errors import UnwritableValue
from annotest.relations.solving.conditions import Compare, Condition
from annotest.relations.solving.levels import Level
from annotest.relations.solving.problems import Problem
from annotest.relations.solving.terms import Variable
from annotest.relations.solving.variables import Length, Name
from annotest.writer.cases import MOST_LISTED
from annotest.writer.drafts import Draft
from annotest.writer.saying import local_name
from annotest.writer.trials import TRIED, outcome

FEW = 6
ENOUGH, MOSTLY = 0.9, 0.5
MOST_COMBINED = 10**6


class Order(NamedTuple):
    """Variables in an order; some of them, next to each other, may be drawn as one."""

    names: tuple[Name, ...]
    together: tuple[Name, ...] = ()


class Trial(NamedTuple):
    """Draws in an order: how often values fit, and who most often finds none."""

    draft: Draft
    rate: float
    stuck: Name | None = None


Write = Callable[[Order], Draft]


def best_draft(planned: Problem, write: Write) -> Draft:
    """Return the draws in an order in which values fit: the planned one, if they do in that."""
    best = first = _first(planned, write)
    if first.rate < ENOUGH and first.stuck:
        for trial in _others(planned, first.stuck, write):
            best = max(best, trial, key=lambda one: one.rate)
            if best.rate >= ENOUGH:
                break
    if best.rate < MOSTLY:
        raise UnwritableValue("drawn in order, the values would seldom fit")
    return best.draft


def _first(planned: Problem, write: Write) -> Trial:
    """Return the draws in the planned order, or with floats after all they are compared with."""
    try:
        return tried(write(Order(planned.order)), FEW)
    except UnwritableValue:
        names = _floats_last(planned)
        if names == planned.order:
            raise
        return tried(write(Order(names)), FEW)


def _others(planned: Problem, stuck: Name, write: Write) -> Iterator[Trial]:
    """Yield draws in other orders than the planned one, and then of several variables as one."""
    for names in _other_orders(planned, stuck):
        try:
            yield tried(write(Order(names)))
        except UnwritableValue:
            continue
    yield from _joined(planned, stuck, write)


def _joined(planned: Problem, stuck: Name, write: Write) -> Iterator[Trial]:
    """Yield draws of several variables as one, of more where others then find no value."""
    problem, order = planned, _together(planned, set(), stuck)
    while order is not None:
        try:
            trial = tried(write(order))
        except UnwritableValue:
            trial = None
        if trial is not None:
            yield trial
            problem = trial.draft.problem
            if trial.stuck is None:
                return
            stuck = trial.stuck
        order = _together(problem, {*order.together}, stuck)


# measuring


def tried(draft: Draft, few: int = TRIED) -> Trial:
    """Try the draws a number of times; only a few times, if they all succeed."""
    if not draft.rejects or draft.problem.given:
        return Trial(draft, 1.0)
    found = outcome(draft.lines, draft.names, draft.draw_name, draft.stand_ins, few)
    return Trial(draft, found.rate, _variable(draft.problem, found.stuck))


def _variable(problem: Problem, called: str) -> Name | None:
    """Return the variable that gets its value under a name."""
    for name in problem.order:
        own = local_name(name.of if isinstance(name, Length) else name)
        if called in (own, f"{own}_len"):
            return name
    return None


# orders


def _other_orders(problem: Problem, stuck: Name) -> Iterator[tuple[Name, ...]]:
    """Yield orders in which a variable that finds no value is not the last of those it needs."""
    needed = _needed(problem, stuck)
    if any(map(_is_length, needed)):
        return
    yield _made_last(problem.order, _level(problem, stuck).closed_by)
    before = [place for place, one in enumerate(problem.order) if one in needed - {stuck}]
    if before:
        yield _moved(problem.order, stuck, before[-1])


def _moved(order: tuple[Name, ...], name: Name, place: int) -> tuple[Name, ...]:
    rest = [one for one in order if one != name]
    return (*rest[:place], name, *rest[place:])


def _made_last(order: tuple[Name, ...], parts: Sequence[Condition]) -> tuple[Name, ...]:
    """Return an order in which what an equation says a variable is made of comes before it."""
    for part in parts:
        made = _made_by(part)
        if made is not None:
            order = _behind(order, made, part)
    return order


def _floats_last(problem: Problem) -> tuple[Name, ...]:
    """Return an order in which what a float is compared with comes before it."""
    order = problem.order
    for part in problem.conditions:
        name = _compared(part)
        if name is not None and name in order and problem.domains[name].values is None:
            order = _behind(order, name, part)
    return order


def _behind(order: tuple[Name, ...], name: Name, part: Condition) -> tuple[Name, ...]:
    others = [one for one in part.variables() if one in order and one != name]
    if not others or any(map(_is_length, others)):
        return order
    return _moved(order, name, max(order.index(name), *map(order.index, others)))


def _made_by(part: Condition) -> Name | None:
    """Return the variable of which an equation says what it is."""
    return _compared(part) if getattr(part, "sign", "") == "==" else None


def _compared(part: Condition) -> Name | None:
    """Return the variable that is compared with a term of others."""
    if not isinstance(part, Compare):
        return None
    for one, other in ((part.left, part.right), (part.right, part.left)):
        if isinstance(one, Variable) and {*other.variables()} - {one.name}:
            return one.name
    return None


def _together(problem: Problem, before: set[Name], name: Name) -> Order | None:
    """Return an order in which all on which a variable depends are drawn as one.

    First without what an equation makes of them. Where that would be too many combinations, the
    last of them are drawn as one, when the others are drawn.
    """
    needed = before | _needed(problem, name)
    parts = _level(problem, name).closed_by
    made = {one for part in parts if (one := _made_by(part)) is not None}
    if not before and len(needed - made) > 1:
        needed -= made
    if needed == before or any(map(_is_length, needed)):
        return None
    names = tuple(one for one in problem.order if one in needed)
    rest = tuple(one for one in problem.order if one not in needed)
    if _combinations(problem, names) <= MOST_COMBINED:
        return Order((*names, *rest), names)
    last = names[1:]
    while _combinations(problem, last) > MOST_LISTED:
        last = last[1:]
    return Order((*names, *rest), last) if len(last) > 1 and not before else None


def _needed(problem: Problem, name: Name) -> set[Name]:
    """Return a variable with all on which it depends when it is drawn."""
    parts = _level(problem, name).closed_by
    return {name, *(one for part in parts for one in part.variables())}


def _level(problem: Problem, name: Name) -> Level:
    return problem.levels[problem.order.index(name)]


def _combinations(problem: Problem, names: Sequence[Name]) -> float:
    return math.prod(problem.domains[one].size for one in names)


def _is_length(name: Name) -> bool:
    return isinstance(name, Length)
