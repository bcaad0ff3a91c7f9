"""Does the jobs of a child: search a target, shrink a failing input, run one input again."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from contextlib import suppress
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
from annotest.engine.child.telling import Teller
from annotest.engine.jobs import (
    DAMAGED,
    NO_LONGER_VALID,
    AttemptInput,
    DescribeInput,
    ExplainTarget,
    ProbeTarget,
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
from annotest.plan.strategy import Tally

_PATIENCE = 2.0
NOT_KEPT = "what makes its input was not kept; the report of the run shows its call"


def warm_up(makes_arrays: bool = False) -> None:
    """Have done once, before forks, what every child would have to do."""
    importlib.import_module("annotest.engine.child.isolated")
    draw_a_little()
    if makes_arrays or any(frameworks.imported()):
        with suppress(ImportError):  # without NumPy, whoever draws an array is told so
            importlib.import_module("annotest.plan.arrays")
    frameworks.random_sources()  # NumPy imports its own when they are first looked at
    remember_modules()
    library_folders()


def do(bench: Bench, job: TargetJob) -> None:
    """Do a job, and send what comes of it."""
    _DOING[type(job)](bench, job)


def _search(bench: Bench, job: RunTarget) -> None:
    attempts = _attempts(bench, job.call_limit, job.options.isolated, job.options.shielded)
    Search(bench, job.options, *attempts).run()


def _shrink(bench: Bench, job: ShrinkInput) -> None:
    Shrink(bench, job, *_attempts(bench, job.call_limit, job.isolated, job.shielded)).run()


def _describe(bench: Bench, job: DescribeInput) -> None:
    bench.board.write(process.BUILDING)  # under the limit of building
    recipes = pickling.load(job.recipe, bench.contents.planner.live)
    written = written_part if job.is_part else written_call
    call = written(bench.target, recipes, bench.folders())
    bench.send(InputDescribed(call, written_inputs(bench.target, recipes)))


def _replay(bench: Bench, job: ReplayInput) -> None:
    recipes = pickling.load(job.recipe, bench.contents.planner.live)
    made = InProcess(bench, Tally(), _PATIENCE)(recipes, job.recipe)
    _tell(bench, made, recipes, job.recipe, Origin())


def _attempt(bench: Bench, job: AttemptInput) -> None:
    bench.board.write(process.BUILDING, job.recipe)
    tally = Tally()
    recipes = pickling.load(job.recipe, bench.contents.planner.live)
    attempts = InProcess(bench, tally)
    bench.send(attempted(lambda: attempts(recipes, job.recipe), tally, bench.target))


def _reproduce(bench: Bench, job: Reproduce) -> None:
    """Draw the input of an earlier run again, and run it."""
    bench.board.write(process.DRAWING)
    origin = job.origin
    try:
        recipes = recipes_from(origin, bench.target, bench.contents)
    except Damaged:
        bench.send(Unreproducible(DAMAGED))
        return
    if recipes is None:
        drawn = origin.can_shrink or origin.example is not None
        bench.send(Unreproducible(NO_LONGER_VALID if drawn else NOT_KEPT))
        return
    teller = Teller(bench)
    bench.send(teller.described(recipes))
    data = teller.dump(recipes)
    made = InProcess(bench, Tally(), _PATIENCE)(recipes, data)
    if made.result is InputResult.REFUSED:
        bench.send(Unreproducible("its input is no longer valid: a precondition refuses it"))
        return
    for blocked in made.prevented:
        what = (blocked.action, blocked.what, blocked.allow)
        bench.send(Prevented(bench.target.info, *what, blocked == made.excuse))
    _tell(bench, made, recipes, data, origin)


def _explain(bench: Bench, job: ExplainTarget) -> None:
    from annotest.engine.child.explaining import explain  # no search needs it

    explain(bench, job.seed)


def _probe(bench: Bench, job: ProbeTarget) -> None:
    from annotest.engine.child.probing import probe  # few runs ask for it

    probe(bench, job)


_DOING: dict[type[TargetJob], Callable[[Bench, Any], None]] = {
    RunTarget: _search,
    ShrinkInput: _shrink,
    DescribeInput: _describe,
    ProbeTarget: _probe,
    ReplayInput: _replay,
    AttemptInput: _attempt,
    Reproduce: _reproduce,
    ExplainTarget: _explain,
}


def _tell(
    bench: Bench, made: Attempt, recipes: dict[str, Any], data: bytes, origin: Origin
) -> None:
    teller = Teller(bench)
    told = recipes, data, origin, made.start
    failures = (teller.failure(fault, *told) for fault in made.faults)
    bench.send(Replayed(tuple(failures)))


def _attempts(
    bench: Bench, call_limit: float, isolated: bool, shielded: bool
) -> tuple[Attempts, Tally]:
    """Return what makes the calls of a job, and what counts their preconditions."""
    attempts = InProcess(bench, Tally())
    makes = bench.apart(attempts, call_limit, shielded) if isolated else attempts
    return makes, attempts.tally
