"""Failures → findings: one bug, one finding."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from annotest.errors import Mistake, Site
from annotest.events import (
    AnnotestFailed,
    Event,
    FailureFound,
    MistakeFound,
    NothingAsked,
    NotTestableFound,
    Prevented,
    RunEnded,
    RunStarted,
    TargetFinished,
    Warned,
)
from annotest.facts import Failure, NotTestable, TargetInfo, TargetResult
from annotest.kinds import ASIDES, Kind, Status, Verdict
from annotest.records import record


@record
class Finding:
    """One bug: its clearest failure, the other targets that show it, and when it was first seen.

    `seconds_to_find` are those of the run up to then; none where it was not found by a run.
    """

    failure: Failure
    also_in: tuple[str, ...] = ()
    seconds_to_find: float = 0.0

    @property
    def id(self) -> str:
        """The bug's identity."""
        return self.failure.fingerprint

    @property
    def verdict(self) -> Verdict:
        """What it is taken for."""
        if self.failure.is_finding and self.failure.repeats is not None:
            return Verdict.FLAKY
        is_error = self.failure.is_finding and self.failure.kind is Kind.GENERATOR
        return Verdict.GENERATOR_ERROR if is_error else self.failure.verdict


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
    nothing_asked: str = ""
    _failures: dict[str, dict[str, Failure]] = field(default_factory=dict)
    _began: float = field(default_factory=monotonic)
    _first_seen: dict[str, float] = field(default_factory=dict)

    def take(self, event: Event) -> None:
        """Take in one event of the run."""
        take = _TAKING.get(type(event))
        if take is not None:
            take(self, event)

    def _take_failed(self, event: AnnotestFailed) -> None:
        if event.mistake is None:
            self.internal_errors.append(event.text)
        else:
            _once(self.mistakes, event.mistake)

    def _take_found(self, event: FailureFound) -> None:
        """Keep a failure; its final form takes the place of the one seen first."""
        failure = event.failure
        self._first_seen.setdefault(failure.fingerprint, monotonic() - self._began)
        seen = self._failures.setdefault(failure.fingerprint, {})
        old = seen.get(failure.seen_in)
        if old is None or not old.final:
            seen[failure.seen_in] = failure

    def _take_start(self, event: RunStarted) -> None:
        self.seed, self.files, self._began = event.seed, event.files, monotonic()

    def _take_nothing(self, event: NothingAsked) -> None:
        self.nothing_asked = event.reason

    def _take_end(self, event: RunEnded) -> None:
        self.seconds, self.interrupted = event.seconds, event.interrupted

    @property
    def results(self) -> list[TargetResult]:
        """How each target fared, in the order of files and lines."""
        return sorted(self._results, key=lambda result: _place(result.target))

    @property
    def findings(self) -> list[Finding]:
        """The bugs, in the order of the files and lines of their targets."""
        return [finding for finding in self._all if finding.verdict not in ASIDES]

    @property
    def asides(self) -> list[Finding]:
        """What failed and is not held against the code, by verdict."""
        # a file that does not parse, and that a module imports, is told of once
        told = {finding.failure.location for finding in self.findings}
        asides = [
            aside
            for aside in self._all
            if aside.failure.kind is not Kind.SYNTAX or aside.failure.location not in told
        ]
        return [aside for verdict in ASIDES for aside in asides if aside.verdict is verdict]

    @property
    def _all(self) -> list[Finding]:
        findings = [
            _finding(list(group.values()), self._first_seen[key])
            for key, group in self._failures.items()
        ]
        return sorted(findings, key=_order)

    @property
    def errors(self) -> list[Mistake]:
        """The mistakes that cost something, warnings left out."""
        return [mistake for mistake in self.mistakes if not mistake.warning]

    @property
    def not_testable(self) -> list[NotTestable]:
        """The functions that nothing tests: beside them, from outside, or inherited."""
        tested = {key for result in self.results for key in _keys(result.target)}
        return [lacking for lacking in self._not_testable if tested.isdisjoint(_keys(lacking))]

    @property
    def untested(self) -> list[Mistake]:
        """The functions that somebody has annotated and nothing tests, as warnings."""
        # a method of an abstract class is tested on the classes that inherit it
        tested = {(result.target.file, result.target.line) for result in self.results}
        return [
            _untested(function)
            for function in self.not_testable
            if function.annotated and (function.file, function.line) not in tested
        ]

    @property
    def warnings(self) -> list[Mistake]:
        """The mistakes that cost nothing."""
        return [mistake for mistake in self.mistakes if mistake.warning]

    def count(self, status: Status) -> int:
        """Return how many targets ended so."""
        return sum(result.status == status for result in self.results)

    def exit_status(self) -> int:
        """Return the exit status of DESIGN's table."""
        if self.internal_errors:
            return 3
        if self.findings:
            return 1
        untested = (Status.STARVED, Status.PREVENTED, Status.ENVIRONMENT)
        if self.errors or any(map(self.count, untested)):
            return 2
        statuses = {result.status for result in self._results}
        if not statuses - {Status.SKIPPED, Status.UNFINISHED}:
            return 5
        return 0


def _once(listed: list[Any], new: Any) -> None:
    if new not in listed:
        listed.append(new)


_TAKING: dict[type, Callable[[Report, Any], None]] = {
    FailureFound: Report._take_found,
    Prevented: lambda report, event: _once(report.prevented, event),
    MistakeFound: lambda report, event: _once(report.mistakes, event.mistake),
    Warned: lambda report, event: _once(report.notices, event.text),
    TargetFinished: lambda report, event: report._results.append(event.result),
    NotTestableFound: lambda report, event: report._not_testable.append(event.function),
    AnnotestFailed: Report._take_failed,
    NothingAsked: Report._take_nothing,
    RunStarted: Report._take_start,
    RunEnded: Report._take_end,
}


def _keys(function: TargetInfo | NotTestable) -> set[tuple[Any, ...]]:
    """Return what tells functions apart: their names; a method that is inherited, by its line."""
    inherited = function.file, function.line, function.qualname.rpartition(".")[2]
    return {(function.file, function.qualname), inherited}


def _place(target: TargetInfo) -> tuple[str, int, str]:
    return target.file, target.line, target.qualname


def _order(finding: Finding) -> tuple[Any, ...]:
    failure = finding.failure
    place = failure.location
    where = ("", 0) if place is None else (place.file, place.line)
    return _place(failure.target), where, failure.exception_type, not failure.final, finding.id


def _finding(failures: list[Failure], seconds_to_find: float) -> Finding:
    """Choose the failure with the shortest trace: the target nearest to the bug."""
    # a constructor that is called by guess, and for an annotated method too, is a finding
    held = [failure for failure in failures if failure.is_finding] or failures

    def distance(failure: Failure) -> tuple[int, bool, str]:
        return len(failure.frames or ()), failure.seen_in != failure.target.id, failure.seen_in

    best = min(held, key=distance)
    others = sorted(failure.seen_in for failure in failures if failure.seen_in != best.seen_in)
    also_in = tuple(name for name in others if name != best.target.id)
    return Finding(best, also_in, seconds_to_find)


def _untested(function: NotTestable) -> Mistake:
    reason = f"annotated, but not tested: {function.reason}"
    remedy = f"add {function.add}" if function.add else ""
    site, name = Site(function.file, function.line), function.qualname
    return Mistake(site, name, reason, remedy, name, warning=True)
