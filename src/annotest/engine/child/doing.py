"""The jobs of a child: search a target, shrink a failing input, run one input again."""

from __future__ import annotations

import importlib
import sys
from typing import Any

from annotest import process
from annotest.engine.child.attempt import Attempts, InProcess, remember_modules
from annotest.engine.child.bench import Bench
from annotest.engine.child.counting import attempted
from annotest.engine.child.isolated import Isolated
from annotest.engine.child.results import Attempt, Attempted, InputResult
from annotest.engine.child.rounds import Damaged, draw_a_little, recipes_from
from annotest.engine.child.search import Search
from annotest.engine.child.shrink import Shrink
from annotest.engine.child.surroundings import Surroundings
from annotest.engine.child.telling import Teller
from annotest.engine.jobs import DAMAGED, NO_LONGER_VALID
from annotest.engine.options import SearchOptions
from annotest.events import (
    Failure,
    Origin,
    Prevented,
    Replayed,
    Unreproducible,
)
from annotest.oracles.project import library_folders
from annotest.plan import pickling
from annotest.plan.strategy import Interpreter, Tally
from annotest.simplify import Form

__all__ = ["Surroundings", "attempt", "replay", "reproduce", "search", "shrink", "warm_up"]


NOT_KEPT = "what makes its input was not kept; the report of the run shows its call"


def warm_up() -> None:
    """Have done once, before forks, what every child would have to do."""
    draw_a_little()
    if "numpy" in sys.modules:
        importlib.import_module("annotest.plan.arrays")
    remember_modules()
    library_folders()


def search(bench: Bench, options: SearchOptions, call_limit: float) -> None:
    """Search shards of a target's inputs."""
    tally = Tally()
    attempts = _attempts(bench, tally, call_limit, options.isolated, options.shielded)
    Search(
        bench.target,
        bench.found,
        attempts,
        options,
        bench.board,
        tally,
        _teller(bench),
        bench.send,
    ).run()


def shrink(
    bench: Bench,
    failure: Failure,
    call_limit: float,
    isolated: bool,
    shielded: bool,
    max_seconds: float,
) -> None:
    """Make the input of a failure smaller."""
    tally = Tally()
    interpreter = Interpreter(bench.found.planner, tally)
    plan = bench.target.plan
    assert plan is not None

    def drawing() -> None:
        bench.board.write(process.DRAWING, 0)

    Shrink(
        failure,
        interpreter.recipes(plan, drawing, lambda: None),
        Form(plan, bench.found.planner),
        bench.found.planner.live,
        _attempts(bench, tally, call_limit, isolated, shielded),
        _teller(bench),
        bench.send,
        min(bench.limits.shrink, max_seconds),
    ).run()


def replay(bench: Bench, recipe: bytes) -> None:
    """Run one input again, and say what came of it."""
    recipes = pickling.load(recipe, bench.found.planner.live)
    made = _in_process(bench, Tally())(recipes, recipe, 0)
    _tell(bench, made, recipes, recipe, Origin())


def attempt(bench: Bench, recipe: bytes, count: int) -> Attempted:
    """Make one attempt for another process."""
    bench.board.write(process.BUILDING, count, recipe)
    tally = Tally()
    recipes = pickling.load(recipe, bench.found.planner.live)
    attempts = _in_process(bench, tally)
    return attempted(lambda: attempts(recipes, recipe, count), tally, bench.target)


def reproduce(bench: Bench, origin: Origin) -> None:
    """Draw the input of an earlier run again, and run it."""
    bench.board.write(process.DRAWING, 0)
    try:
        recipes = recipes_from(origin, bench.target, bench.found)
    except Damaged:
        bench.send(Unreproducible(DAMAGED))
        return
    if recipes is None:
        drawn = origin.can_shrink or origin.example is not None
        bench.send(Unreproducible(NO_LONGER_VALID if drawn else NOT_KEPT))
        return
    bench.send(_teller(bench).described(recipes))
    made = _in_process(bench, Tally())(recipes, b"", 0)
    if made.result is InputResult.REFUSED:
        bench.send(Unreproducible("its input is no longer valid: a precondition refuses it"))
        return
    for one in made.prevented:
        bench.send(Prevented(bench.target.info, one.action, one.what, one.allow, True))
    _tell(bench, made, recipes, b"", origin)


def _tell(
    bench: Bench, made: Attempt, recipes: dict[str, Any], data: bytes, origin: Origin
) -> None:
    teller = _teller(bench)
    failures = (teller.failure(fault, recipes, data, origin, 0.0) for fault in made.faults)
    bench.send(Replayed(tuple(failures)))


def _attempts(
    bench: Bench, tally: Tally, call_limit: float, isolated: bool, shielded: bool
) -> Attempts:
    attempts = _in_process(bench, tally)
    if not isolated:
        return attempts
    if bench.apart is not None:
        return bench.apart(attempts, call_limit)
    return Isolated(attempts, call_limit, shielded)


def _in_process(bench: Bench, tally: Tally) -> InProcess:
    return InProcess(
        bench.target,
        bench.project,
        bench.board,
        bench.output,
        tally,
        bench.guard_log,
        bench.surroundings or Surroundings(),
        bench.limits,
    )


def _teller(bench: Bench) -> Teller:
    return Teller(bench.target, bench.found, bench.folders)
