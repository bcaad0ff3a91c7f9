"""What a search has come to so far: in numbers, and how its target fares."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Self

from annotest.discovery.targets import Target
from annotest.engine.child.results import (
    INVALID,
    REACHED,
    Attempt,
    Attempted,
    InputResult,
    OracleFailed,
)
from annotest.engine.shards import Shard
from annotest.facts import Failure, PreconditionRate, TargetInfo, TargetResult
from annotest.kinds import Kind, Status, status_of
from annotest.plan.preconditions import Precondition
from annotest.plan.strategy import Tally
from annotest.records import record

# Hypothesis gives up when it is all but sure that fewer than 1% of the inputs are valid, which
# takes it some 460 tries; a handful of inputs found by then is no test
STARVED_AFTER, STARVED_BELOW = 400, 10


@dataclass
class Counts:
    """Inputs reached, calls made, inputs thrown away, and what they cost."""

    reached: int = 0
    calls: int = 0
    discarded: int = 0
    blocked: int = 0
    prevented: int = 0
    lost: float = 0.0
    slowest: float = 0.0

    def count(self, result: InputResult) -> None:
        """Count what came of one input."""
        self.reached += result in REACHED
        self.calls += result in (InputResult.RAN, InputResult.FAILED)
        self.discarded += result in INVALID

    @property
    def is_starved(self) -> bool:
        """Whether valid inputs are too rare to find."""
        few = self.discarded > STARVED_AFTER and self.reached < STARVED_BELOW
        return self.reached == 0 or few

    def why_starved(self, tally: Tally) -> str:
        """Say what refuses nearly all inputs."""
        said = f"{self.reached} of {self.reached + self.discarded} inputs were valid"
        if tally.unsolved and not self.reached:
            return f"{said}; {tally.unsolved}"
        if not tally.asked:
            return f"{said}; a .where(…) or a generator's precondition refuses nearly all"
        worst = min(rates_of(tally), key=lambda rate: rate.held / rate.asked)
        return f"{said}; {worst.text} held for {worst.held} of {worst.asked}"


def rates_of(tally: Tally) -> tuple[PreconditionRate, ...]:
    """Return how often each precondition was asked, and held."""
    return tuple(
        PreconditionRate(asked.annotation.text(), asked.annotation.site, times, tally.held[asked])
        for asked, times in tally.asked.items()
    )


@dataclass
class SearchRun:
    """What a whole search has come to: inputs by their digests and how they failed, what is told.

    `reported` are the fingerprints of failures.
    """

    reported: set[str]
    prevented: set[str] = field(default_factory=set)
    failed_as: dict[str, str] = field(default_factory=dict)
    began: float = field(default_factory=lambda: monotonic())  # looked up late: tests set it

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        return monotonic() - self.began


@dataclass
class ShardRun:
    """What the search of one shard has come to, which must not depend on the shards before it.

    `run` are the inputs that were run, by their digests; `undrawn` counts what was refused of
    systematic cases. `failed_before` says that a failure was found before the search had to begin
    again. `outcomes` counts the random inputs by how they failed, "" being those that passed;
    `stopped` says why there need be no more of them.
    """

    shard: Shard
    target: TargetInfo
    counts: Counts = field(default_factory=Counts)
    failures: dict[str, Failure] = field(default_factory=dict)
    run: set[str] = field(default_factory=set)
    undrawn: int = 0
    blocked_by: str = ""
    failed_before: bool = False
    is_wrong: bool = False
    exhausted: bool = False
    unfinished: str = ""
    stopped: str = ""
    outcomes: Counter[str] = field(default_factory=Counter)
    began: float = field(default_factory=lambda: monotonic())  # looked up late: tests set it

    def __post_init__(self) -> None:
        self.number, self.examples = self.shard.number, self.shard.examples

    @property
    def is_last(self) -> bool:
        """Whether there is no sense in searching another shard."""
        return self.exhausted or self.is_wrong or self.unfinished != ""

    def result(self, tally: Tally) -> TargetResult:
        """Return how the target has fared in this shard."""
        status, reason = self._status(tally)
        return TargetResult(
            self.target,
            status,
            self.counts.calls,
            self.counts.discarded,
            monotonic() - self.began,
            reason,
            self.blocked_by if status == Status.BLOCKED else "",
            rates_of(tally),
            self.counts.slowest,
            self.exhausted,
            self.unfinished,
        )

    def _status(self, tally: Tally) -> tuple[Status, str]:
        called = [shown for shown in self.failures.values() if shown.kind is not Kind.GENERATOR]
        if self.is_wrong:
            return Status.ERROR, "an annotation is wrong"
        own = [shown for shown in called if shown.target.id == self.target.id]
        if self.failed_before or any(shown.is_finding for shown in own):
            return Status.FAILED, self.stopped
        aside = next((shown for shown in self.failures.values() if _is_untested(shown)), None)
        if aside is not None:
            return status_of(aside.verdict), aside.remarks[0]
        if self.counts.prevented:
            return Status.PREVENTED, "the guard kept calls from what they do"
        if self.counts.reached == 0 and self.blocked_by:
            return Status.BLOCKED, f"no input could be built: see finding {self.blocked_by}"
        if self.counts.is_starved and not self.unfinished:
            return Status.STARVED, self.counts.why_starved(tally)
        return Status.PASSED, ""


@record
class Handover:
    """What a search has come to that the log does not tell, for the process that goes on with it.

    `tallied` says how often each precondition was asked and held.
    """

    whole: SearchRun
    shard: ShardRun
    tallied: list[tuple[int, int]]

    @classmethod
    def read(cls, data: bytes) -> Self | None:
        """Return a handover from its bytes, if there are any."""
        handover: Self | None = pickle.loads(data) if data else None
        return handover

    def written(self) -> bytes:
        """Return the handover as bytes."""
        return pickle.dumps(self)


def _is_untested(failure: Failure) -> bool:
    """Say whether a failure that is no finding has kept a target from being tested."""
    return not failure.is_finding and status_of(failure.verdict) is not Status.PASSED


def attempted(make: Callable[[], Attempt], tally: Tally, target: Target) -> Attempted:
    """Make an attempt; return it as data: preconditions stay in the process they are of."""
    attempt: Attempt | OracleFailed
    try:
        attempt = make()
    except OracleFailed as failed:
        attempt = failed
    listed = _preconditions(target)
    refused = listed.index(tally.refused_by) if tally.refused_by in listed else None
    return Attempted(attempt, (tallied(tally, target), refused))


def tallied(tally: Tally, target: Target) -> list[tuple[int, int]]:
    """Return how often each precondition of a target was asked and held."""
    listed = _preconditions(target)
    return [(tally.asked[precondition], tally.held[precondition]) for precondition in listed]


def add_tallied(counts: list[tuple[int, int]], tally: Tally, target: Target) -> None:
    """Count in how often preconditions were asked and held in another process."""
    for precondition, (asked, held) in zip(_preconditions(target), counts, strict=True):
        if asked:
            tally.asked[precondition] += asked
            tally.held[precondition] += held


def attempt_of(made: Attempted, tally: Tally, target: Target) -> Attempt:
    """Return what came of an attempt in another process, adding its tally to ours."""
    if isinstance(made.attempt, OracleFailed):
        raise made.attempt
    listed = _preconditions(target)
    counts, refused = made.tallied
    add_tallied(counts, tally, target)
    tally.refused_by = None if refused is None else listed[refused]
    return made.attempt


def take_up_tally(counts: list[tuple[int, int]], tally: Tally, target: Target) -> None:
    """Count preconditions as another process did, whatever has been counted here."""
    for precondition in _preconditions(target):
        del tally.asked[precondition], tally.held[precondition]
    add_tallied(counts, tally, target)


def _preconditions(target: Target) -> tuple[Precondition, ...]:
    assert target.plan is not None
    return target.plan.preconditions
