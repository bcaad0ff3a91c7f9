"""The search on one target: valid inputs, one after the other, until the budget is spent.

It runs in a child process. A failure is reported when it is first seen, shrunk, and set aside, and
the search goes on for further bugs within the same budget.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, given, reject, seed, settings
from hypothesis.errors import Flaky, HypothesisException, Unsatisfiable

from annotest import process
from annotest.discovery.targets import CONSTRUCTOR, Found, Target, factory_info
from annotest.engine import wrong
from annotest.engine.calling import UnfitArguments, make_call, written_call, written_inputs
from annotest.engine.options import (
    BLOCKED,
    ERROR,
    FAILED,
    PASSED,
    STARVED,
    SearchOptions,
    digest,
)
from annotest.errors import Mistake
from annotest.events import (
    Event,
    Failure,
    FailureFound,
    MistakeFound,
    PreconditionRate,
    Progress,
    SearchEnded,
    TargetInfo,
    TargetResult,
)
from annotest.oracles.crash import Project, crash_of, is_failure
from annotest.plan.pickling import RecipeDumper
from annotest.plan.preconditions import PreconditionFailed
from annotest.plan.recipe import BuildFailed, Factory
from annotest.plan.strategy import DrawFailed, FilterFailed, Interpreter, Tally, run_steps
from annotest.spec import Example

SHRINK_SECONDS = 30.0
PROGRESS_EVERY = 0.1
# Hypothesis gives up when it is all but sure that fewer than 1% of the inputs are valid, which
# takes it some 460 tries; a handful of inputs found by then is no test
STARVED_AFTER, STARVED_BELOW = 400, 10


class _Found(Exception):
    """Tells Hypothesis that the bug now being shrunk has shown itself."""


class _Stop(BaseException):
    """Ends the search at once; not an Exception, so that Hypothesis lets it through."""


@dataclass
class _Counts:
    reached: int = 0
    calls: int = 0
    discarded: int = 0
    blocked: int = 0


@dataclass
class Search:
    """The state of one search."""

    target: Target
    found: Found
    project: Project
    options: SearchOptions
    board: process.Blackboard
    send: Callable[[Event], None]
    folders: tuple[str, ...] = ()
    began: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        assert self.target.plan is not None
        self.plan = self.target.plan
        self.pid = os.getpid()
        self.tally = Tally()
        self.dumper = RecipeDumper(self.found.planner.live)
        self.counts = _Counts()
        self.failures: dict[str, Failure] = {}
        self.settled: set[str] = set()
        self.run_before: set[int] = set()
        self.blocked_by = ""
        self.wrong = False
        self.current = ""
        self.shrinking_since = 0.0
        self.smallest = b""
        self.reported_at = 0.0

    def run(self) -> None:
        """Search, report the failures, and say how it ended."""
        try:
            self._search()
        except _Stop:
            pass
        self.send(SearchEnded(self._result()))

    def _search(self) -> None:
        for place, recipes in enumerate(self.plan.examples):
            before = self.counts.discarded
            instance = self._instance_recipe()
            if instance is None:
                break  # the search itself will say why none can be had
            self._attempt({**instance, **recipes}, shrinkable=False)
            if self.counts.discarded > before and not self.counts.blocked:
                self._refuse_example(place)
        if not self.plan.draws:
            self._attempt({}, shrinkable=False)
            return
        interpreter = Interpreter(self.found.planner, self.tally)
        strategy = interpreter.recipes(self.plan, self._begin_drawing, self._count_refused)
        for number in itertools.count():
            before = self.counts.reached
            found_bug = self._round(strategy, number)
            if self.wrong:
                return
            # a round that ends with a bug says nothing about what else there is
            if not found_bug and (self._is_starved() or self.counts.reached == before):
                return

    def _refuse_example(self, place: int) -> None:
        note = self.target.signature.of_kind(Example)[place]
        condition = self.tally.refused_by
        assert condition is not None
        self._stop_with(wrong.invalid_example(note, condition, self.target))

    def _instance_recipe(self) -> dict[str, Any] | None:
        """Return a simplest instance for the examples of a method, or None if there is none."""
        if not self.target.needs_instance:
            return {}
        interpreter = Interpreter(self.found.planner, Tally())
        strategy = interpreter.generated(self.target.owner)
        drawn: list[Any] = []

        @settings(
            max_examples=1, database=None, deadline=None, suppress_health_check=list(HealthCheck)
        )
        @given(strategy)
        def first(recipe: Any) -> None:
            drawn.append(recipe)

        try:
            first()
        except (HypothesisException, BuildFailed, PreconditionFailed, FilterFailed):
            return None
        return {self.target.signature.self_name: drawn[0]}

    def _begin_drawing(self) -> None:
        self.board.write(process.DRAWING, self.counts.calls)

    def _count_refused(self) -> None:
        self.counts.discarded += 1

    def _round(self, strategy: Any, number: int) -> bool:
        """Run until the budget is spent or a new bug is found and shrunk; say which."""
        self.current, self.smallest = "", b""
        # never fewer than a few: the first ones of a round are the simplest, and often known
        remaining = max(10, self.options.max_examples - self.counts.reached)

        @seed(self.options.seed + number)
        @settings(
            max_examples=remaining,
            phases=(Phase.generate, Phase.shrink),
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            report_multiple_bugs=False,
            print_blob=False,
            verbosity=Verbosity.quiet,
        )
        @given(strategy)
        def property_holds(recipes: Any) -> None:
            self._input(recipes)

        try:
            property_holds()
        except _Found:
            self._settle(flaky=False)
            return True
        except Unsatisfiable:
            return False
        except Flaky:
            if not self.current:
                raise
            self._settle(flaky=True)
            return True
        except HypothesisException as error:
            self._stop_with(wrong.undrawable(error, self.target))
        return False

    def _settle(self, flaky: bool) -> None:
        """Set the bug that was shrunk aside, and report its smallest input."""
        if flaky:
            failure = replace(self.failures[self.current], flaky=True)
            self.failures[self.current] = failure
        self.settled.add(self.current)
        self.send(FailureFound(self.failures[self.current]))
        self.current, self.smallest = "", b""

    def _input(self, recipes: Any) -> None:
        """Deal with one drawn input."""
        if self.current and time.monotonic() - self.shrinking_since > SHRINK_SECONDS:
            # out of time: only the smallest failing input known still fails
            if not isinstance(recipes, DrawFailed) and self.dumper.dump(recipes) == self.smallest:
                raise _Found
            return
        if isinstance(recipes, DrawFailed):
            self._user_code_failed(recipes.error, {}, shrinkable=True)
            return
        self._attempt(recipes, shrinkable=True)

    def _attempt(self, recipes: dict[str, Any], shrinkable: bool) -> None:
        """Build the values, check the preconditions, make the call."""
        self._check_budget()
        data = self.dumper.dump(recipes)
        if self._is_known(data):
            return
        self.board.write(process.BUILDING, self.counts.calls, data)
        try:
            values = run_steps(self.plan.steps, recipes, self.tally)
        except (BuildFailed, PreconditionFailed, FilterFailed) as error:
            self._user_code_failed(error, recipes, shrinkable)
            return
        if values is None:
            self.counts.discarded += 1
            self.run_before.discard(hash(data))  # refused again, should it come again
            if shrinkable:
                reject()
            return
        self._count_call()
        self.board.write(process.CALLING, self.counts.calls, data)
        try:
            make_call(self.target, values)
        except UnfitArguments as error:
            self._user_code_failed(
                BuildFailed(Factory(self.target.function, ()), error), recipes, shrinkable
            )
        except BaseException as error:
            self._end_copies()
            if is_failure(error):
                self._failed(error, recipes, shrinkable)
        finally:
            self._end_copies()
            self.board.write(process.IDLE, self.counts.calls)

    def _end_copies(self) -> None:
        """End this process if it is a copy that the call forked and let come back here."""
        if os.getpid() != self.pid:
            os._exit(0)

    def _check_budget(self) -> None:
        """End the search when its budget is spent; a bug being shrunk is brought to its end."""
        if self.current:
            return
        limit = self.options.max_seconds
        if limit is not None and time.monotonic() - self.began > limit:
            raise _Stop
        if self.counts.reached >= self.options.max_examples:
            raise _Stop

    def _is_known(self, data: bytes) -> bool:
        """Say whether an input has been run already, or has killed an earlier child."""
        if data and digest(data) in self.options.avoid:
            return True
        if self.current or not data:
            return False
        known = hash(data) in self.run_before
        self.run_before.add(hash(data))
        return known

    def _count_call(self) -> None:
        self.counts.calls += 1
        if not self.current:
            self.counts.reached += 1
        now = time.monotonic()
        if now - self.reported_at > PROGRESS_EVERY:
            self.reported_at = now
            self.send(Progress(self.counts.calls))

    def _failed(self, error: BaseException, recipes: dict[str, Any], shrinkable: bool) -> None:
        kind = "exit" if isinstance(error, SystemExit) else "exception"
        self._report(error, kind, self.target.info, recipes, shrinkable)

    def _user_code_failed(
        self, error: Exception, recipes: dict[str, Any], shrinkable: bool
    ) -> None:
        """A generator, a constructor or an annotation failed before the call."""
        if isinstance(error, BuildFailed):
            self.counts.blocked += 1
            self.counts.discarded += 1
            self._build_failed(error, recipes, shrinkable)
            if shrinkable:
                reject()
            return
        assert isinstance(error, PreconditionFailed | FilterFailed)
        self._stop_with(wrong.raising_annotation(error, recipes, self.target))

    def _build_failed(self, failed: BuildFailed, recipes: dict[str, Any], shrinkable: bool) -> None:
        factory = failed.factory
        if not is_failure(failed.error):
            self._stop_with(wrong.leaving_generator(factory, self.target))
        info = factory_info(factory)
        kind = "exception" if factory.is_constructor else "generator"
        if isinstance(failed.error, SystemExit) and factory.is_constructor:
            kind = "exit"
        is_target = any(
            t.kind == CONSTRUCTOR and t.function is factory.function and t.plan is not None
            for t in self.found.targets
        )
        # the constructor's own search shrinks its bugs
        self._report(failed.error, kind, info, recipes, shrinkable and not is_target)

    def _report(
        self,
        error: BaseException,
        kind: str,
        info: TargetInfo,
        recipes: dict[str, Any],
        shrinkable: bool,
    ) -> None:
        crash = crash_of(error, self.project, kind, info.id)
        key = crash.fingerprint
        if kind == "generator" or info.id != self.target.info.id:
            self.blocked_by = key
        if key in self.settled:
            return
        is_new = key not in self.failures
        if is_new or key == self.current:
            self.failures[key] = Failure(
                info,
                kind,
                key,
                crash.exception_type,
                crash.message,
                crash.frames,
                crash.location,
                written_call(self.target, recipes, self.folders) if self._drawn(recipes) else "",
                written_inputs(self.target, recipes),
                self.failures[key].seconds_to_find if not is_new else self._elapsed(),
                self.target.info.id,
            )
        if is_new:
            self.send(FailureFound(self.failures[key]))
        if not shrinkable:
            if info.id != self.target.info.id:
                self.settled.add(key)
            return
        if not self.current:
            self.current, self.shrinking_since = key, time.monotonic()
        if key == self.current:
            self.smallest = self.dumper.dump(recipes)
            raise _Found

    def _drawn(self, recipes: dict[str, Any]) -> bool:
        return bool(recipes) or not self.plan.draws

    def _elapsed(self) -> float:
        return time.monotonic() - self.began

    def _stop_with(self, mistake: Mistake) -> None:
        self.wrong = True
        self.send(MistakeFound(mistake))
        raise _Stop

    def _result(self) -> TargetResult:
        counts = self.counts
        status, reason = self._status()
        rates = tuple(
            PreconditionRate(
                one.annotation.text(),
                one.annotation.site,
                self.tally.asked[one],
                self.tally.held[one],
            )
            for one in self.tally.asked
        )
        return TargetResult(
            self.target.info,
            status,
            counts.calls,
            counts.discarded,
            self._elapsed(),
            reason,
            self.blocked_by if status == BLOCKED else "",
            rates,
        )

    def _status(self) -> tuple[str, str]:
        counts = self.counts
        own = [one for one in self.failures.values() if one.target.id == self.target.info.id]
        if self.wrong:
            return ERROR, "an annotation is wrong"
        if own:
            return FAILED, ""
        if counts.reached == 0 and self.blocked_by:
            return BLOCKED, f"no input could be built: see finding {self.blocked_by}"
        if self._is_starved():
            return STARVED, self._why_starved()
        return PASSED, ""

    def _is_starved(self) -> bool:
        """Say whether valid inputs are too rare to find."""
        counts = self.counts
        few = counts.discarded > STARVED_AFTER and counts.reached < STARVED_BELOW
        return counts.reached == 0 or few

    def _why_starved(self) -> str:
        tried = self.counts.reached + self.counts.discarded
        said = f"{self.counts.reached} of {tried} inputs were valid"
        if not self.tally.asked:
            return f"{said}; a .where(…) or a generator's precondition refuses nearly all"
        worst = min(self.tally.asked, key=lambda one: self.tally.held[one] / self.tally.asked[one])
        held, asked = self.tally.held[worst], self.tally.asked[worst]
        return f"{said}; {worst.annotation.text()} held for {held} of {asked}"
