"""A target under way: its shards and failures so far, and its shards put together in the end."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from annotest.facts import (
    MOST_OF_A_LINE,
    Failure,
    PreconditionRate,
    TargetInfo,
    TargetResult,
    line_and_type,
)
from annotest.kinds import Status, Verdict

# what the whole target is, if one of its shards is so: the first that applies
_WORST = (Status.ERROR, Status.FAILED, Status.PREVENTED, Status.ENVIRONMENT, Status.NOTED)
# and what it is only if all of them are
_ALL = (Status.PASSED, Status.UNFINISHED, Status.STARVED, Status.BLOCKED)


@dataclass
class SoFar:
    """How many inputs of a target have been run: in shards that have ended, and in the others."""

    ended: int = 0
    shards: dict[int, int] = field(default_factory=dict)

    @property
    def inputs_run(self) -> int:
        """How many there are in all."""
        return self.ended + sum(self.shards.values())

    def note(self, shard: int, inputs_run: int) -> None:
        """Note how far a shard has come; where it begins again, nothing is taken back."""
        self.shards[shard] = max(self.shards.get(shard, 0), inputs_run)

    def end(self, results: dict[int, TargetResult]) -> None:
        """Note that shards have ended."""
        for number, result in results.items():
            self.ended += max(self.shards.pop(number, 0), result.inputs_run)


@dataclass
class TargetUnderWay:
    """One target under way: what is known of it, and what is still to come."""

    module: int
    place: int
    info: TargetInfo
    results: dict[int, TargetResult] = field(default_factory=dict)
    failures: dict[str, Failure] = field(default_factory=dict)
    settling: int = 0
    _settled: Counter[Any] = field(default_factory=Counter)

    def add(self, results: dict[int, TargetResult]) -> None:
        """Keep how the shards of one task fared, as one result."""
        self.results[min(results)] = merge_results(results)

    def take(self, failures: tuple[Failure, ...]) -> None:
        """Keep, of each failure, the one from the first shard, whichever came first."""
        for failure in failures:
            old = self.failures.get(failure.fingerprint)
            if old is None or failure.origin.shard < old.origin.shard:
                self.failures[failure.fingerprint] = failure

    def unsettled(self) -> list[Failure]:
        """Return the failures to be settled: not those of a constructor with its own search."""
        return [
            failure
            for failure in self.failures.values()
            if not failure.final
            and (failure.is_finding or failure.verdict is Verdict.SUSPICIOUS)
            and (failure.target.id == self.info.id or failure.origin.can_shrink)
        ]

    @property
    def has_finding(self) -> bool:
        """Whether a failure of its is a finding, and not left to the search of a constructor."""
        return any(
            failure.is_finding
            and (failure.target.id == self.info.id or failure.origin.can_shrink or failure.died)
            for failure in self.failures.values()
        )

    def chosen(self, failures: list[Failure]) -> list[Failure]:
        """Return those to be settled now: of one line and type a few, the others stay as seen."""
        chosen = []
        for failure in failures:
            self._settled[line_and_type(failure)] += 1
            if self._settled[line_and_type(failure)] <= MOST_OF_A_LINE:
                chosen.append(failure)
        return chosen

    @property
    def slowest(self) -> float:
        """How long the slowest of its calls took."""
        return max((result.slowest for result in self.results.values()), default=0.0)


def merge_results(results: dict[int, TargetResult]) -> TargetResult:
    """Return how a target fared, from how its shards fared."""
    shards = _counted(results)
    decided = _deciding(shards)
    alike = (shard.reason for shard in shards if shard.status == decided.status and shard.reason)
    return replace(
        decided,
        reason=next(alike, ""),
        inputs_run=sum(shard.inputs_run for shard in shards),
        inputs_discarded=sum(shard.inputs_discarded for shard in shards),
        seconds=sum(shard.seconds for shard in shards),
        preconditions=_rates(shards),
        slowest=max(shard.slowest for shard in shards),
        exhausted=shards[-1].exhausted,
        unfinished=_unfinished(results),
    )


def _unfinished(results: dict[int, TargetResult]) -> str:
    """Return why not all of its inputs were run; one shard may have run all that there are."""
    if any(shard.exhausted for shard in results.values()):
        return ""
    return next((shard.unfinished for shard in results.values() if shard.unfinished), "")


def _counted(results: dict[int, TargetResult]) -> list[TargetResult]:
    """Return the shards up to the first that tried every input there is: the rest repeat it."""
    shards = []
    for _, shard in sorted(results.items()):
        shards.append(shard)
        if shard.exhausted:
            break
    return shards


def _deciding(shards: list[TargetResult]) -> TargetResult:
    for status in (*_WORST, *_ALL):
        for shard in shards:
            if shard.status == status:
                return shard
    return shards[0]


def _rates(shards: list[TargetResult]) -> tuple[PreconditionRate, ...]:
    rates: dict[tuple[str, object], PreconditionRate] = {}
    for rate in (rate for shard in shards for rate in shard.preconditions):
        key = (rate.text, rate.site)
        before = rates.get(key)
        if before is not None:
            rate = replace(rate, asked=rate.asked + before.asked, held=rate.held + before.held)
        rates[key] = rate
    return tuple(rates.values())
