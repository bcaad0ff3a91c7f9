"""One input, run again."""

from __future__ import annotations

from typing import Any

from annotest import process
from annotest.discovery.targets import Target
from annotest.engine.calling import make_call
from annotest.plan.strategy import Tally, run_steps


def replay(target: Target, recipes: dict[str, Any], board: process.Blackboard) -> None:
    """Run one input again to its end, however that is."""
    assert target.plan is not None
    board.write(process.BUILDING, 0)
    values = run_steps(target.plan.steps, recipes, Tally())
    if values is None:
        return
    board.write(process.CALLING, 0)
    try:
        make_call(target, values)
    except BaseException:
        return  # an exception ends a call too: only its time is in question
