"""Random inputs, of which a fixed share has ordinary floats: 0, or neither tiny nor huge ones.

On any float a healthy layer overflows. What NaN, infinity or a rounding error tells is known only
of inputs that are ordinary, and chance alone draws too few of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

import hypothesis.strategies as st

from annotest.plan.narrowing import Pin, Pins
from annotest.plan.pinning import NoSuchCall, PinsOfPlans
from annotest.plan.planner import Planner
from annotest.plan.steps import Plan
from annotest.plan.strategy import Interpreter, Needed, Tally
from annotest.plan.systematic import with_makers

# so many of so many inputs, wherever the annotations leave floats open: one in three, and a few
# more for those that come twice
SHARE, OF = 3, 8


def ordinary_pins(plan: Plan, planner: Planner) -> PinsOfPlans:
    """Return what must be pinned for all floats of a call to be ordinary."""
    pins = {id(each): _pins_of(each) for each in with_makers(plan, planner)}
    return {plan_id: pinned for plan_id, pinned in pins.items() if pinned}


def _pins_of(plan: Plan) -> Pins:
    known = {p.name: p.constraint for p in plan.parameters}
    pins: Pins = {}
    for draw in plan.draws:
        constraint = known.get(draw.key)
        ordinary = None if constraint is None else constraint.ordinary
        if ordinary is not None and ordinary is not constraint:
            pins[draw.key,] = Pin("ordinary", ordinary, may_be_left_out=True)
    return pins


def random_recipes(
    plan: Plan,
    planner: Planner,
    tally: Tally,
    started: Callable[[], None],
    refused: Callable[[], None],
    needed: Needed | None = None,
) -> Any:
    """Return the strategy of a call's recipes at random; see `Interpreter.recipes`."""
    pins = ordinary_pins(plan, planner)
    if not pins:
        return Interpreter(planner, tally).recipes(plan, started, refused, needed)

    def recipes(pins: PinsOfPlans | None) -> Any:
        return Interpreter(planner, tally, pins).recipes(plan, _nothing, refused, needed)

    return _mixed(started, _Shares(recipes(None), partial(recipes, pins)))


def _nothing() -> None:
    """Have told already that an input is drawn."""


class _Shares:
    """The strategies of all inputs and of ordinary ones, which is made when it is first needed."""

    def __init__(self, every: Any, make: Callable[[], Any]) -> None:
        self.every = every
        self._make = make

    @cached_property
    def ordinary(self) -> Any:
        """The strategy of ordinary inputs; of all where the relations allow no ordinary one."""
        try:
            return self._make()
        except NoSuchCall:
            return self.every


_WHICH = st.integers(0, OF - 1)


@st.composite
def _mixed(draw: Any, started: Callable[[], None], shares: _Shares) -> Any:
    started()
    # the last numbers are the largest ones: what is shrunk is drawn from all inputs
    return draw(shares.ordinary if draw(_WHICH) >= OF - SHARE else shares.every)
