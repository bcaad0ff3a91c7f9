"""Shrinking: the smallest input, as Hypothesis finds it, that shows one failure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

from hypothesis.errors import HypothesisException

from annotest.engine.attempt import Attempts
from annotest.engine.options import digest
from annotest.engine.outcome import INVALID, Outcome
from annotest.engine.rounds import Choices, Rerun, Stop, run_from, skip
from annotest.engine.telling import Teller
from annotest.events import Event, Failure, FailureFound, Origin, Progress, Shrunk
from annotest.plan.strategy import DrawFailed

PROGRESS_EVERY = 0.1


class _Found(Exception):
    """Tells Hypothesis that the failure has shown itself."""


@dataclass
class Shrink:
    """Draws the failing input again and lets Hypothesis make it smaller, within a time."""

    failure: Failure
    strategy: Any
    attempts: Attempts
    teller: Teller
    send: Callable[[Event], None]
    seconds: float

    def __post_init__(self) -> None:
        self.began = monotonic()
        self.rerun: Rerun | None = Rerun(self.failure.origin)
        self.smallest = b""
        self.best: Failure | None = None
        self.others: set[str] = set()
        self.tries = 0
        self.shown_at = 0.0

    def run(self) -> None:
        """Report the smallest input found; nothing when the failure does not show again."""
        self._shrink()
        if self.best is None:
            # what is drawn may depend on what the calls did before: make them this time
            self.rerun = None
            self._shrink()
        if self.best is None:
            return
        origin = Origin(choices=self.choices.last, digest=digest(self.smallest))
        self.send(Shrunk(replace(self.best, origin=origin, final=True)))

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
        self.tries += 1
        self._show_progress()
        self._judge(self.attempts(recipes, data, self.tries), recipes, data)

    def _show_progress(self) -> None:
        now = monotonic()
        if now - self.shown_at > PROGRESS_EVERY:
            self.shown_at = now
            self.send(Progress(self.failure.seen_in, 0, f"shrinking, {self.tries} tries"))

    def _is_wanted(self, data: bytes) -> bool:
        wanted = self.failure.origin.digest
        return not wanted or bool(self.failure.origin.choices) or digest(data) == wanted

    def _judge(self, outcome: Outcome, recipes: dict[str, Any], data: bytes) -> None:
        fault = outcome.fault
        if fault is not None:
            key = fault.crash.fingerprint
            told = self.teller.failure(fault, recipes, data, Origin(), self.failure.seconds_to_find)
            if key == self.failure.fingerprint:
                self.best, self.smallest = told, data
                raise _Found
            if key not in self.others:
                self.others.add(key)
                self.send(FailureFound(told))
        if outcome.result in INVALID:
            skip(outcome.result)
