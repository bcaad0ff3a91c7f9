"""What some numbers need of others, so that each of them finds room between its ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from annotest.errors import UnwritableValue
from annotest.relations.solving.boxes import Box
from annotest.relations.solving.conditions import Compare, Condition
from annotest.relations.solving.domains import Domain
from annotest.relations.solving.problems import Problem, Stated
from annotest.relations.solving.terms import Number, Term, added
from annotest.relations.solving.variables import Name
from annotest.writer.ends import NotIsolated, difference_of, ends_of

ROUNDS = 3


def room_needed(
    parts: list[Condition], name: Name, ends: tuple[float, float], least: int, root: Box
) -> Iterator[Condition]:
    """Yield that between the ends of an item there are values, at least so many."""
    box = Box({**root.bounds, name: ends})
    lows: list[Term] = [Number(ends[0])]
    highs: list[Term] = [Number(ends[1])]
    for part in parts:
        try:
            for end in ends_of(part, name, set(root.bounds), box):
                (highs if end.is_upper else lows).append(end.term)
        except NotIsolated:
            continue
    for low in lows:
        for high in highs:
            room = difference_of(added(high, Number(1 - max(1, least))), low)
            if room.bounds(box)[0] < 0:
                if not least:
                    raise UnwritableValue("a list that may have to be empty")
                yield Compare(low, "<=", added(high, Number(1 - least)))


def roomy(
    domains: dict[Name, Domain],
    stated: Sequence[Stated],
    first: Sequence[Name] = (),
    given: Sequence[Name] = (),
    last: Mapping[Name, int] = MappingProxyType({}),
    order: Sequence[Name] = (),
) -> Problem:
    """Return a problem in which what two ends of a variable need of others is stated too."""
    problem = Problem(domains, stated, first, given, last, order)
    for _ in range(ROUNDS):
        needed = list(implied(problem, {one.condition for one in stated}))
        if not needed:
            break
        stated = [*stated, *(Stated(one, {}) for one in needed)]
        problem = Problem(domains, stated, first, given, last, order)
    return problem


def implied(problem: Problem, stated: set[Condition]) -> Iterator[Condition]:
    """Yield what must hold of others, for two ends of a variable not to pass each other."""
    for level in problem.levels:
        if not problem.domains[level.name].is_number:
            continue
        known = {*problem.given, *problem.order[: problem.order.index(level.name)]}
        ends = []
        for part in level.closed_by:
            try:
                ends += list(ends_of(part, level.name, known, problem.root))
            except NotIsolated:
                continue
        for low in (one for one in ends if not one.is_upper):
            for high in (one for one in ends if one.is_upper):
                room = difference_of(high.term, low.term)
                names = set(room.variables())
                if low.condition is high.condition or not names or names <= set(problem.given):
                    continue
                sign = "<" if low.is_left_out or high.is_left_out else "<="
                need = Compare(low.term, sign, high.term)
                if need not in stated and room.bounds(problem.root)[0] < 0:
                    yield need
