"""Calls just outside the annotations, for who asks for them: what fails there is no finding."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from hypothesis.errors import HypothesisException

from annotest.discovery.targets import CLASS_METHOD, CONSTRUCTOR, Target
from annotest.engine.child.attempt import InProcess
from annotest.engine.child.bench import Bench
from annotest.engine.child.rounds import run_round
from annotest.engine.child.telling import Teller
from annotest.engine.jobs import ProbeTarget
from annotest.engine.shards import seed_from
from annotest.errors import InvalidAnnotation
from annotest.events import FailureFound
from annotest.facts import Fault, Origin
from annotest.kinds import Kind, Verdict
from annotest.plan.beyond import Beyond, beyond
from annotest.plan.planner import NotPlanned
from annotest.plan.strategy import DrawFailed, Interpreter, Tally

# of each kind: the simplest call, and a few others
CALLS = 4
# what the function refuses by itself is as it should be, and of such inputs nothing is suspicious
_UNTOLD = (Verdict.REJECTED, Verdict.SUSPICIOUS)


def probe(bench: Bench, job: ProbeTarget) -> None:
    """Make a few calls beyond each annotation of a target, and tell of those that fail."""
    reported: set[str] = set()
    for number, aside in enumerate(beyond(bench.target.signature)):
        target = _planned(bench, aside)
        if target is not None:
            probes = _Probes(replace(bench, target=target), job, aside.said, reported)
            probes.run(seed_from(job.seed, number))


def _planned(bench: Bench, aside: Beyond) -> Target | None:
    """Return the target with its annotations changed; None where no call can be so."""
    target = bench.target
    function = target.function.__init__ if target.kind == CONSTRUCTOR else target.function
    owner = target.owner if target.needs_instance else None
    cls = target.owner if target.kind == CLASS_METHOD else None
    planner = bench.contents.planner
    try:
        plan = planner.plan_function(function, aside.signature, owner, cls)
    except (NotPlanned, InvalidAnnotation):
        return None
    return replace(target, signature=aside.signature, plan=plan)


class _Probes:
    """The calls beyond one annotation."""

    def __init__(self, bench: Bench, job: ProbeTarget, said: str, reported: set[str]) -> None:
        self._bench, self._said, self._reported = bench, said, reported
        tally = Tally()
        interpreter = Interpreter(bench.contents.planner, tally)
        assert bench.target.plan is not None
        self._strategy = interpreter.recipes(bench.target.plan, lambda: None, lambda: None)
        self._attempts = bench.apart(InProcess(bench, tally), job.call_limit, False)
        self._teller = Teller(bench)

    def run(self, seed: int) -> None:
        """Draw the calls, and make them."""
        try:
            run_round(self._strategy, self._call, seed, CALLS)
        except HypothesisException:
            return  # there is no such call: a precondition refuses it

    def _call(self, recipes: Any) -> None:
        if isinstance(recipes, DrawFailed):
            return
        data = self._teller.dump(recipes)
        made = self._attempts(recipes, data)
        told = recipes, data, Origin(), made.start
        for fault in self._telling(made.faults):
            self._reported.add(fault.fingerprint)
            self._bench.send(FailureFound(self._teller.failure(fault, *told)))

    def _telling(self, faults: tuple[Fault, ...]) -> Iterator[Fault]:
        """Yield what is worth telling."""
        for fault in faults:
            is_told = fault.fingerprint in self._reported or fault.verdict in _UNTOLD
            if not is_told and fault.kind is not Kind.GENERATOR:
                remarks = (f"just outside {self._said}",)
                yield replace(fault, verdict=Verdict.BEYOND, remarks=remarks)
