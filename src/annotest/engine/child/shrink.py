"""Shrinking: the smallest input that shows one failure.

Hypothesis draws the input again and makes what it is drawn from smaller; then our own minimiser
makes the input itself simpler, knowing the constraints and the relations between arguments.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import Any

from hypothesis.errors import HypothesisException

from annotest import process
from annotest.engine.child.attempt import Attempts
from annotest.engine.child.bench import Bench
from annotest.engine.child.excluding import excluding
from annotest.engine.child.footprint import Footprint
from annotest.engine.child.results import Attempt, InputResult
from annotest.engine.child.rounds import Choices, Drawing, Stop, recipes_of, run_from, skip
from annotest.engine.child.telling import Teller
from annotest.engine.jobs import ShrinkInput
from annotest.engine.shards import digest
from annotest.events import FailureFound, Shrunk, Warned
from annotest.facts import Failure, Fault, Origin
from annotest.plan import pickling, plain
from annotest.plan.pinning import NoSuchCall
from annotest.plan.recipe import START, Start, started
from annotest.plan.strategy import DrawFailed, Tally
from annotest.process.own import os
from annotest.records import record
from annotest.simplify import Form, Minimiser, Spent

# the minimiser has as much time as Hypothesis took, but not less or more than that
LEAST_SECONDS, MOST_SECONDS = 2.0, 6.0


@record
class _Shown:
    """An input that failed, and how."""

    fault: Fault
    recipes: dict[str, Any]
    data: bytes
    start: Start | None


class _Found(Exception):
    """Tells Hypothesis that the failure has shown itself."""


class Shrink:
    """Draws the failing input again and makes it smaller, within a time."""

    def __init__(self, bench: Bench, job: ShrinkInput, attempts: Attempts, tally: Tally) -> None:
        plan, planner = bench.target.plan, bench.contents.planner
        assert plan is not None
        self.failure, self.target = job.failure, bench.target
        self.attempts, self.is_isolated = attempts, job.isolated
        self.form, self.live = Form(plan, planner), planner.live
        self.teller, self.send = Teller(bench), bench.send
        self.seconds = min(bench.limits.shrink, job.max_seconds)
        self.begin_drawing = partial(bench.board.write, process.DRAWING)
        self.drawing = Drawing(plan, planner, tally, (self.begin_drawing, lambda: None))
        self.began = monotonic()
        self.earlier: Iterator[int] | None = iter(self.failure.origin.results)
        self.best: _Shown | None = None
        self.choices = Choices()
        self.others: set[str] = set()
        self.tries = 0
        self.footprint = Footprint()
        recipe = self.failure.recipe
        self.start: Start | None = pickling.load(recipe, self.live).get(START) if recipe else None

    def run(self) -> None:
        """Report the smallest input found; nothing when the failure does not show again."""
        if self.failure.origin.plain:
            self._run_again()
        else:
            self._shrink_choices()
        if self.best is None:
            return
        drawn = self.best
        self._minimise(drawn)
        choices = self.choices.last if self.best is drawn else b""
        excluded_by = self._excluded_by(self.best.recipes)
        told = replace(self._told(self.best, choices), final=True, excluded_by=excluded_by)
        self.send(Shrunk(told))

    def _run_again(self) -> None:
        """Run an input that was not drawn once more, as it is."""
        recipes = recipes_of(self.failure.origin, self.form, self.live)
        if recipes is not None:
            self._fails(started(recipes, None))

    def _shrink_choices(self) -> None:
        """Have Hypothesis make smaller what the input is drawn from."""
        self._shrink()
        if self.best is None:
            # what is drawn may depend on what the calls did before: make them this time
            self.earlier = None
            self._shrink()

    def _shrink(self) -> None:
        self.choices = Choices(self.failure.origin.choices)
        self.begin_drawing()
        try:
            run_from(self.failure.origin, self.drawing, self._input, self.choices)
        except (_Found, Stop, NoSuchCall, HypothesisException):
            return  # found and shrunk, or not found; or found, and it did not fail again
        except Exception:
            if self.best is None:
                raise
            # in the end Hypothesis shows the input to itself: its repr is the user's code

    def _input(self, recipes: Any) -> None:
        before = None if self.earlier is None or self.best else next(self.earlier, None)
        if before is not None:
            skip(before, self.failure.origin.is_one_draw)
            return
        if isinstance(recipes, DrawFailed):
            self._tell_hypothesis(self.attempts.not_built(recipes.error, {}), {}, b"")
            return
        data = self.teller.dump(recipes)
        if self.earlier is not None and self.best is None and not self._is_wanted(data):
            raise Stop
        if self.best is not None and monotonic() - self.began > self.seconds:
            # out of time: only the smallest failing input known still fails
            if data == self.best.data:
                raise _Found
            return
        self._tell_hypothesis(self._attempt(recipes, data), recipes, data)

    def _tell_hypothesis(self, made: Attempt, recipes: dict[str, Any], data: bytes) -> None:
        if self._judge(made, recipes, data):
            raise _Found
        skip(made.result)

    def _is_wanted(self, data: bytes) -> bool:
        wanted = self.failure.origin.digest
        return not wanted or bool(self.failure.origin.choices) or digest(data) == wanted

    def _minimise(self, drawn: _Shown) -> None:
        """Make the input simpler by its constraints, if it can be kept when it is."""
        if not drawn.recipes or not plain.written(drawn.recipes, self.live):
            return
        took = min(max(LEAST_SECONDS, monotonic() - self.began), MOST_SECONDS)
        if self.failure.origin.case is not None:
            took = MOST_SECONDS  # what is pinned, Hypothesis could not make smaller
        self.until = min(self.began + self.seconds, monotonic() + took)
        drawn = self._begun_at_zero(drawn)
        minimiser = Minimiser(self.form, drawn.recipes, self._fails, self._go_on)
        try:
            simplest = minimiser.run()
        except Exception as error:  # our own fault, which must not cost what has been found
            simplest = minimiser.told
            why = f"{type(error).__name__}: {error}".partition("\n")[0]
            self.send(Warned(f"finding {self.failure.fingerprint} may not be the smallest: {why}"))
        if simplest is drawn.recipes:
            self.best = drawn
        elif self.best and simplest is not self.best.recipes:
            self._fails(simplest)  # what came after it cannot be told in few words

    def _begun_at_zero(self, drawn: _Shown) -> _Shown:
        """Return the input with the plainest seed for random numbers, if it fails with that."""
        before, self.start = self.start, Start(0)
        if drawn.start is not None and self._fails(drawn.recipes):
            return self.best or drawn
        self.start = before
        return drawn

    def _excluded_by(self, recipes: dict[str, Any]) -> str:
        if not self.failure.is_finding or self.failure.died:
            return ""

        def passes(other: dict[str, Any]) -> bool:
            return self._attempt(other, self.teller.dump(other)).result is InputResult.RAN

        return excluding(self.target, self.form, recipes, passes)

    def _go_on(self) -> None:
        if monotonic() > self.until:
            raise Spent

    def _fails(self, recipes: dict[str, Any]) -> bool:
        """Make a call that was not drawn; say whether it fails as wanted."""
        data = self.teller.dump(recipes)
        return self._judge(self._attempt(recipes, data), recipes, data)

    def _attempt(self, recipes: dict[str, Any], data: bytes) -> Attempt:
        self.tries += 1
        self.teller.progress(0, f"shrinking, {self.tries} tries")
        if self.start is not None:  # of what is smaller, another seed would be made
            recipes = started(recipes, self.start)
        made = self.attempts(recipes, data)
        if made.is_spoilt and not self.is_isolated:
            os._exit(1)  # all that follows would fail here: once more, with the calls apart
        self.footprint.look()
        return made

    def _judge(self, made: Attempt, recipes: dict[str, Any], data: bytes) -> bool:
        """Say whether the failure showed itself, and keep the input; report others."""
        told = recipes, data, made.start
        shown = {fault.fingerprint: _Shown(fault, *told) for fault in made.faults}
        wanted = shown.pop(self.failure.fingerprint, None)
        for key in shown.keys() - self.others:
            self.others.add(key)
            self.send(FailureFound(self._told(shown[key])))
        if wanted is not None:
            self.best = wanted
        return wanted is not None

    def _told(self, shown: _Shown, choices: bytes = b"") -> Failure:
        """Return a failure as it is reported; without choices, the input itself is kept."""
        case = self.failure.origin.case
        origin = Origin(choices=choices, case=case)
        # what is drawn for a systematic case is best kept as it is: the cases may change;
        # and choices would not tell how random numbers begin
        if shown.recipes and (not choices or case is not None or shown.start is not None):
            written = plain.written(started(shown.recipes, shown.start), self.live)
            origin = Origin(plain=written) if written or not choices else origin
        return self.teller.failure(shown.fault, shown.recipes, shown.data, origin, shown.start)
