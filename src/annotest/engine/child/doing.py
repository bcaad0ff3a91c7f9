"""Does the jobs of a child: search a target, shrink a failing input, run one input again."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from annotest import frameworks, process
from annotest.engine.child.attempt import Attempts, InProcess, remember_modules
from annotest.engine.child.bench import Bench
from annotest.engine.child.calling import written_call, written_inputs, written_part
from annotest.engine.child.counting import attempted
from annotest.engine.child.results import Attempt, InputResult
from annotest.engine.child.rounds import Damaged, draw_a_little, recipes_from
from annotest.engine.child.search import Search
from annotest.engine.child.shrink import Shrink
from annotest.engine.child.surroundings import Surroundings
from annotest.engine.child.telling import Teller
from annotest.engine.jobs import (
    DAMAGED,
    NO_LONGER_VALID,
    AttemptInput,
    DescribeInput,
    ExplainTarget,
    ReplayInput,
    Reproduce,
    RunTarget,
    ShrinkInput,
    TargetJob,
)
from annotest.events import InputDescribed, Prevented, Replayed, Unreproducible
from annotest.facts import Origin
from annotest.oracles.project import library_folders
from annotest.plan import pickling
from annotest.plan.strategy import Interpreter, Tally
from annotest.simplify import Form

NOT_KEPT = "what makes its input was not kept; the report of the run shows its call"


def warm_up() -> None:
    """Have done once, before forks, what every child would have to do."""
    importlib.import_module("annotest.engine.child.isolated")
    draw_a_little()
    if any(frameworks.imported()):
        importlib.import_module("annotest.plan.arrays")
    remember_modules()
    library_folders()


def do(bench: Bench, job: TargetJob) -> None:
    """Do a job, and send what comes of it."""
    _DOING[type(job)](bench, job)


def _search(bench: Bench, job: RunTarget) -> None:
    tally, options = Tally(), job.options
    attempts = _attempts(bench, tally, job.call_limit, options.isolated, options.shielded)
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


def _shrink(bench: Bench, job: ShrinkInput) -> None:
    tally = Tally()
    interpreter = Interpreter(bench.found.planner, tally)
    plan = bench.target.plan
    assert plan is not None

    def drawing() -> None:
        bench.board.write(process.DRAWING)

    Shrink(
        job.failure,
        interpreter.recipes(plan, drawing, lambda: None),
        Form(plan, bench.found.planner),
        bench.found.planner.live,
        _attempts(bench, tally, job.call_limit, job.isolated, job.shielded),
        _teller(bench),
        bench.send,
        min(bench.limits.shrink, job.max_seconds),
    ).run()


def _describe(bench: Bench, job: DescribeInput) -> None:
    bench.board.write(process.BUILDING)  # under the limit of building
    recipes = pickling.load(job.recipe, bench.found.planner.live)
    written = written_part if job.is_part else written_call
    call = written(bench.target, recipes, bench.folders())
    bench.send(InputDescribed(call, written_inputs(bench.target, recipes)))


def _replay(bench: Bench, job: ReplayInput) -> None:
    recipes = pickling.load(job.recipe, bench.found.planner.live)
    made = _in_process(bench, Tally())(recipes, job.recipe)
    _tell(bench, made, recipes, job.recipe, Origin())


def _attempt(bench: Bench, job: AttemptInput) -> None:
    bench.board.write(process.BUILDING, job.recipe)
    tally = Tally()
    recipes = pickling.load(job.recipe, bench.found.planner.live)
    attempts = _in_process(bench, tally)
    bench.send(attempted(lambda: attempts(recipes, job.recipe), tally, bench.target))


def _reproduce(bench: Bench, job: Reproduce) -> None:
    """Draw the input of an earlier run again, and run it."""
    bench.board.write(process.DRAWING)
    origin = job.origin
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
    made = _in_process(bench, Tally())(recipes, b"")
    if made.result is InputResult.REFUSED:
        bench.send(Unreproducible("its input is no longer valid: a precondition refuses it"))
        return
    for blocked in made.prevented:
        what = (blocked.action, blocked.what, blocked.allow)
        bench.send(Prevented(bench.target.info, *what, True))
    _tell(bench, made, recipes, b"", origin)


def _explain(bench: Bench, job: ExplainTarget) -> None:
    from annotest.engine.child.explaining import explain  # no search needs it

    explain(bench, job.seed)


_DOING: dict[type[TargetJob], Callable[[Bench, Any], None]] = {
    RunTarget: _search,
    ShrinkInput: _shrink,
    DescribeInput: _describe,
    ReplayInput: _replay,
    AttemptInput: _attempt,
    Reproduce: _reproduce,
    ExplainTarget: _explain,
}


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
    return bench.apart(attempts, call_limit, shielded) if isolated else attempts


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
