"""What is tried before chance: each choice of a call pinned once, then pairs of choices.

The cases come in a fixed order that depends on the plan alone. First each choice at each of its
pins with all others at their simplest, then the same with the others drawn at random, then rows
that together have every pair of pins of two choices.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any

from annotest.constraints import Constraint, ints
from annotest.constraints._dims import LARGEST_SIDE, SMALLEST_SIDE
from annotest.constraints._structure import Wholes
from annotest.expr import Generated, walk
from annotest.plan.narrowing import (
    BASE,
    LEFT_OUT,
    MARKS,
    Path,
    Pin,
    Pins,
    ends_of,
    factors_in,
    pins_of,
    single,
)
from annotest.plan.pinning import Dimension, PinsOfPlans
from annotest.plan.planner import Planner
from annotest.plan.steps import Plan
from annotest.records import record

# of a choice with more pins, and of more choices, not all are paired
MOST_PINS, MOST_PAIRED = 8, 16
# related choices that are pinned together: three of them hardly ever fit
MOST_RELATED = 2


@record
class Factor:
    """A choice of a call, or of the call that makes an object for it."""

    plan: Plan
    path: Path
    pins: tuple[Pin, ...]

    def name_in(self, plan: Plan) -> str:
        """Return what a person calls it who looks at a plan."""
        first, *inside = self.path
        parts = (part if part in MARKS else f"[{part!r}]" for part in inside if part != BASE)
        name = "".join((first.name if isinstance(first, Dimension) else first, *parts))
        if plan is self.plan:
            return name
        return f"{name} of {getattr(self.plan.factory.function, '__name__', 'what makes it')}"

    @property
    def is_related(self) -> bool:
        """Whether the choice stands in a relation to others."""
        first, model = self.path[0], self.plan.model
        return model is not None and (isinstance(first, Dimension) or first in model.names)


@record
class SystematicCase:
    """What is pinned in one input, and whether all else is drawn or as simple as can be."""

    pinned: tuple[tuple[Factor, Pin], ...]
    is_random: bool

    @property
    def pins(self) -> PinsOfPlans:
        """What is pinned, by plan and path."""
        pins: dict[int, Pins] = {}
        for factor, pin in self.pinned:
            pins.setdefault(id(factor.plan), {})[factor.path] = pin
        return pins


def cases(plan: Plan, planner: Planner) -> Iterator[SystematicCase]:
    """Yield what is tried first, one after the other."""
    factors = factors_of(plan, planner)
    singles = [(factor, pin) for factor in factors for pin in factor.pins]
    # the simplest call has everything left out that may be: random search begins with it
    given = [pinned for pinned in singles if pinned[1] is not LEFT_OUT]
    yield from (SystematicCase((pinned,), False) for pinned in given)
    yield from (SystematicCase((pinned,), True) for pinned in singles)
    yield from (SystematicCase(tuple(row), True) for row in _rows(factors))


def factors_of(plan: Plan, planner: Planner) -> list[Factor]:
    """Return the choices of a call in declared order, then those of what makes its objects."""
    return [
        Factor(each, path, pins)
        for each in with_makers(plan, planner)
        if id(each.factory.function) not in planner.recursive
        for path, pins in _choices(each)
    ]


def with_makers(plan: Plan, planner: Planner) -> list[Plan]:
    """Return the plan of a call, then those of what makes its objects, and theirs."""
    plans = [plan]
    for reached in plans:
        plans += [other for other in _made_from(reached, planner) if other not in plans]
    return plans


def _made_from(plan: Plan, planner: Planner) -> Iterator[Plan]:
    for node in (node for draw in plan.draws for node in walk(draw.strategy)):
        if isinstance(node, Generated) and id(node.factory) in planner.plans:
            yield planner.plans[id(node.factory)]


def _choices(plan: Plan) -> Iterator[tuple[Path, tuple[Pin, ...]]]:
    constraints = {p.name: p.constraint for p in plan.parameters}
    left_out = plan.left_out
    for draw in plan.draws:
        constraint = constraints.get(draw.key)
        if constraint is not None:
            yield from factors_in(constraint, (draw.key,), draw.key in left_out)
    if plan.model is not None and plan.model.ways:
        for name in plan.model.dimensions:
            pins = _sizes(plan.model.dims.get(name) or ints(SMALLEST_SIDE, LARGEST_SIDE))
            if len(pins) > 1:
                yield (Dimension(name),), pins


def _sizes(constraint: Constraint) -> tuple[Pin, ...]:
    structure = constraint.structure
    if isinstance(structure, Wholes):  # of sizes, the ends are telling, and not each of a few
        return tuple(map(single, ends_of(structure.values)))
    return tuple(pins_of(constraint))


def _rows(factors: list[Factor]) -> Iterator[list[tuple[Factor, Pin]]]:
    """Yield rows of pins, at most one of each factor, that have all pairs between them."""
    pins = [_few(factor.pins) for factor in factors[:MOST_PAIRED]]
    waiting = dict.fromkeys(
        ((first, pin), (second, other))
        for first, second in combinations(range(len(pins)), 2)
        for pin in range(len(pins[first]))
        for other in range(len(pins[second]))
    )
    related = {place for place in range(len(pins)) if factors[place].is_related}
    while waiting:
        row = dict(next(iter(waiting)))
        for place in range(len(pins)):
            full = place in related and len(related & row.keys()) >= MOST_RELATED
            if place not in row and not full:
                row |= _most_telling(place, len(pins[place]), row, waiting)
        for pair in combinations(sorted(row.items()), 2):
            waiting.pop(pair, None)
        yield [(factors[place], pins[place][pin]) for place, pin in row.items()]


def _most_telling(
    place: int, count: int, row: dict[int, int], waiting: Iterable[Any]
) -> dict[int, int]:
    """Return the pin of a factor that has most pairs with others that still wait, if any."""
    gains = [
        sum(tuple(sorted(((place, pin), taken))) in waiting for taken in row.items())
        for pin in range(count)
    ]
    best = max(gains)
    return {place: gains.index(best)} if best else {}


def _few(pins: tuple[Pin, ...]) -> tuple[Pin, ...]:
    return pins if len(pins) <= MOST_PINS else (*pins[: MOST_PINS - 1], pins[-1])
