"""Failures → findings: one bug, one finding."""

from __future__ import annotations

from dataclasses import dataclass, field

from annotest.errors import Mistake, Site
from annotest.events import (
    AnnotestFailed,
    Event,
    Failure,
    FailureFound,
    MistakeFound,
    NotTestable,
    NotTestableFound,
    Prevented,
    RunEnded,
    RunStarted,
    TargetFinished,
    TargetInfo,
    TargetResult,
    Warned,
)
from annotest.frozen import frozen


@frozen
class Finding:
    """One bug: its clearest failure, and the other targets that show it."""

    failure: Failure
    also_in: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The bug's identity."""
        return self.failure.fingerprint


@dataclass
class Report:
    """All that a run has brought."""

    seed: int = 0
    seconds: float = 0.0
    files: int = 0
    _results: list[TargetResult] = field(default_factory=list)
    mistakes: list[Mistake] = field(default_factory=list)
    _not_testable: list[NotTestable] = field(default_factory=list)
    internal_errors: list[str] = field(default_factory=list)
    interrupted: bool = False
    prevented: list[Prevented] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    _failures: dict[str, dict[str, Failure]] = field(default_factory=dict)

    def take(self, event: Event) -> None:
        """Take in one event of the run."""
        if isinstance(event, FailureFound):
            self._take_failure(event.failure)
        elif isinstance(event, Prevented):
            if event not in self.prevented:
                self.prevented.append(event)
        elif isinstance(event, MistakeFound):
            if event.mistake not in self.mistakes:
                self.mistakes.append(event.mistake)
        elif isinstance(event, TargetFinished):
            self._results.append(event.result)
        elif isinstance(event, NotTestableFound):
            self._not_testable.append(event.function)
        elif isinstance(event, Warned):
            if event.text not in self.notices:
                self.notices.append(event.text)
        elif isinstance(event, AnnotestFailed):
            self.internal_errors.append(event.text)
        elif isinstance(event, RunStarted):
            self.seed, self.files = event.seed, event.files
        elif isinstance(event, RunEnded):
            self.seconds, self.interrupted = event.seconds, event.interrupted

    @property
    def results(self) -> list[TargetResult]:
        """How each target fared, in the order of files and lines."""
        return sorted(self._results, key=lambda one: _place(one.target))

    def _take_failure(self, failure: Failure) -> None:
        """Keep a failure; its final form takes the place of the one seen first."""
        seen = self._failures.setdefault(failure.fingerprint, {})
        old = seen.get(failure.seen_in)
        if old is None or not old.final:
            seen[failure.seen_in] = failure

    @property
    def findings(self) -> list[Finding]:
        """The bugs, in the order of the files and lines of their targets."""
        found = [_finding(list(group.values())) for group in self._failures.values()]
        return sorted(found, key=_order)

    @property
    def errors(self) -> list[Mistake]:
        """The mistakes that cost something, warnings left out."""
        return [one for one in self.mistakes if not one.warning]

    @property
    def not_testable(self) -> list[NotTestable]:
        """The functions that nothing tests: neither from beside them nor from outside."""
        tested = {(one.target.file, one.target.qualname) for one in self.results}
        return [one for one in self._not_testable if (one.file, one.qualname) not in tested]

    @property
    def untested(self) -> list[Mistake]:
        """The functions that somebody has annotated and nothing tests, as warnings."""
        return [_untested(one) for one in self.not_testable if one.annotated]

    @property
    def warnings(self) -> list[Mistake]:
        """The mistakes that cost nothing."""
        return [one for one in self.mistakes if one.warning]

    def count(self, status: str) -> int:
        """Return how many targets ended so."""
        return sum(result.status == status for result in self.results)

    def exit_status(self) -> int:
        """Return the exit status of DESIGN's table."""
        if self.internal_errors:
            return 3
        if self._failures:
            return 1
        if self.errors or self.count("starved") or self.count("prevented"):
            return 2
        if not any(one.status not in ("skipped", "unfinished") for one in self._results):
            return 5
        return 0


def _place(target: TargetInfo) -> tuple[str, int, str]:
    return target.file, target.line, target.qualname


def _order(finding: Finding) -> tuple[tuple[str, int, str], tuple[str, int], str]:
    place = finding.failure.location
    where = ("", 0) if place is None else (place.file, place.line)
    return _place(finding.failure.target), where, finding.id


def _finding(failures: list[Failure]) -> Finding:
    """Choose the failure with the shortest trace: the target nearest to the bug."""
    best = min(failures, key=lambda one: (len(one.frames or ()), one.seen_in))
    others = sorted(one.seen_in for one in failures if one.seen_in != best.seen_in)
    return Finding(best, tuple(one for one in others if one != best.target.id))


def _untested(one: NotTestable) -> Mistake:
    reason = f"annotated, but not tested: {one.reason}"
    remedy = f"add {one.add}" if one.add else ""
    return Mistake(Site(one.file, one.line), one.qualname, reason, remedy, one.qualname, True)
