"""Shrinking: the smallest input that shows one failure.

Hypothesis draws the input again and makes what it is drawn from smaller; then our own minimiser
makes the input itself simpler, knowing the constraints and the relations between arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

from hypothesis.errors import HypothesisException

from annotest.engine.attempt import Attempts
from annotest.engine.options import digest
from annotest.engine.outcome import Outcome
from annotest.engine.rounds import Choices, Rerun, Stop, recipes_of, run_from, skip
from annotest.engine.telling import Teller
from annotest.events import Event, Failure, FailureFound, Origin, Progress, Shrunk
from annotest.plan import plain
from annotest.plan.strategy import DrawFailed
from annotest.simplify import Form, Minimiser, Spent

PROGRESS_EVERY = 0.1
# the minimiser has so much time, or as much as Hypothesis took
LEAST_SECONDS = 2.0


class _Found(Exception):
    """Tells Hypothesis that the failure has shown itself."""


@dataclass
class Shrink:
    """Draws the failing input again and makes it smaller, within a time."""

    failure: Failure
    strategy: Any
    form: Form
    live: list[Any]
    attempts: Attempts
    teller: Teller
    send: Callable[[Event], None]
    seconds: float

    def __post_init__(self) -> None:
        self.began = monotonic()
        self.rerun: Rerun | None = Rerun(self.failure.origin)
        self.smallest = b""
        self.recipes: dict[str, Any] = {}
        self.best: Failure | None = None
        self.others: set[str] = set()
        self.tries = 0
        self.shown_at = 0.0

    def run(self) -> None:
        """Report the smallest input found; nothing when the failure does not show again."""
        if self.failure.origin.plain:
            self._run_again()
        else:
            self._shrink_choices()
        if self.best is None:
            return
        self._minimise()
        self.send(Shrunk(replace(self.best, final=True)))

    def _run_again(self) -> None:
        """Run an input that was not drawn once more, as it is."""
        recipes = recipes_of(self.failure.origin, self.form, self.live)
        if recipes is not None:
            self._fails(recipes)

    def _shrink_choices(self) -> None:
        """Have Hypothesis make smaller what the input is drawn from."""
        self._shrink()
        if self.best is None:
            # what is drawn may depend on what the calls did before: make them this time
            self.rerun = None
            self._shrink()
        if self.best is not None:
            origin = Origin(choices=self.choices.last, digest=digest(self.smallest))
            self.best = replace(self.best, origin=origin)

    def _shrink(self) -> None:
        self.choices = Choices(self.failure.origin.choices)
        try:
            run_from(self.failure.origin, self.strategy, self._input, True, self.choices)
        except (_Found, Stop, HypothesisException):
            return  # found and shrunk, or not found; or found, and it did not fail again
        except Exception:
            if self.best is None:
                raise
            # in the end Hypothesis shows the input to itself: its repr is the user's code

    def _input(self, recipes: Any) -> None:
        before = None if self.rerun is None or self.best else self.rerun.passes_by()
        if before is not None:
            skip(before)
            return
        if isinstance(recipes, DrawFailed):
            self._judge(self.attempts.not_built(recipes.error, {}), {}, b"")
            return
        data = self.teller.dump(recipes)
        if self.rerun is not None and self.best is None and not self._is_wanted(data):
            raise Stop
        if self.best is not None and monotonic() - self.began > self.seconds:
            # out of time: only the smallest failing input known still fails
            if data == self.smallest:
                raise _Found
            return
        outcome = self._attempt(recipes, data)
        if self._judge(outcome, recipes, data):
            raise _Found
        skip(outcome.result)

    def _is_wanted(self, data: bytes) -> bool:
        wanted = self.failure.origin.digest
        return not wanted or bool(self.failure.origin.choices) or digest(data) == wanted

    def _minimise(self) -> None:
        """Make the input simpler by its constraints, if it can be kept when it is."""
        if not self.recipes or not plain.written(self.recipes, self.live):
            return
        took = monotonic() - self.began
        self.until = min(self.began + self.seconds, monotonic() + max(LEAST_SECONDS, took))
        Minimiser(self.form, self.recipes, self._fails_in_time).run()

    def _fails_in_time(self, recipes: dict[str, Any]) -> bool:
        if monotonic() > self.until:
            raise Spent
        return self._fails(recipes)

    def _fails(self, recipes: dict[str, Any]) -> bool:
        """Make a call that was not drawn; say whether it fails as wanted."""
        data = self.teller.dump(recipes)
        return self._judge(self._attempt(recipes, data), recipes, data)

    def _attempt(self, recipes: dict[str, Any], data: bytes) -> Outcome:
        self.tries += 1
        self._show_progress()
        return self.attempts(recipes, data, self.tries)

    def _show_progress(self) -> None:
        now = monotonic()
        if now - self.shown_at > PROGRESS_EVERY:
            self.shown_at = now
            self.send(Progress(self.failure.seen_in, 0, f"shrinking, {self.tries} tries"))

    def _judge(self, outcome: Outcome, recipes: dict[str, Any], data: bytes) -> bool:
        """Say whether the failure showed itself, and keep the input; report others."""
        fault = outcome.fault
        if fault is None:
            return False
        key = fault.crash.fingerprint
        if key != self.failure.fingerprint and key in self.others:
            return False
        origin = Origin(plain=plain.written(recipes, self.live) if recipes else "")
        told = self.teller.failure(fault, recipes, data, origin, self.failure.seconds_to_find)
        if key == self.failure.fingerprint:
            self.best, self.smallest, self.recipes = told, data, recipes
            return True
        self.others.add(key)
        self.send(FailureFound(told))
        return False
