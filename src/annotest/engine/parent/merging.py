"""Shards of one target, put together again."""

from __future__ import annotations

from dataclasses import replace

from annotest.facts import PreconditionRate, TargetResult
from annotest.kinds import Status

# what the whole target is, if one of its shards is so: the first that applies
_WORST = (Status.ERROR, Status.FAILED, Status.PREVENTED)
# and what it is only if all of them are
_ALL = (Status.PASSED, Status.UNFINISHED, Status.STARVED, Status.BLOCKED)


def merge_results(results: dict[int, TargetResult]) -> TargetResult:
    """Return how a target fared, from how its shards fared."""
    listed = _counted(results)
    first = _deciding(listed)
    return replace(
        first,
        inputs_run=sum(one.inputs_run for one in listed),
        inputs_discarded=sum(one.inputs_discarded for one in listed),
        seconds=sum(one.seconds for one in listed),
        preconditions=_rates(listed),
        slowest=max(one.slowest for one in listed),
        unfinished=next((one.unfinished for one in listed if one.unfinished), ""),
    )


def _counted(results: dict[int, TargetResult]) -> list[TargetResult]:
    """Return the shards up to the first that tried every input there is: the rest repeat it."""
    found = []
    for _, one in sorted(results.items()):
        found.append(one)
        if one.exhausted:
            break
    return found


def _deciding(results: list[TargetResult]) -> TargetResult:
    for status in (*_WORST, *_ALL):
        for one in results:
            if one.status == status:
                return one
    return results[0]


def _rates(results: list[TargetResult]) -> tuple[PreconditionRate, ...]:
    found: dict[tuple[str, object], PreconditionRate] = {}
    for rate in (rate for one in results for rate in one.preconditions):
        key = (rate.text, rate.site)
        before = found.get(key)
        if before is not None:
            rate = replace(rate, asked=rate.asked + before.asked, held=rate.held + before.held)
        found[key] = rate
    return tuple(found.values())
