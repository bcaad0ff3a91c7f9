"""One target from beginning to end: searched, its failures shrunk and run again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from time import monotonic

from annotest import process
from annotest.engine.deaths import fault_of
from annotest.engine.jobs import (
    DescribeInput,
    Job,
    ProbeTarget,
    ReplayInput,
    RunTarget,
    ShrinkInput,
)
from annotest.engine.lane.ended import Ended
from annotest.engine.lane.repeating import Repeating
from annotest.engine.lane.supervisor import InternalError, ModuleWorker
from annotest.engine.shards import SearchOptions
from annotest.engine.worker.worker import project_of
from annotest.events import (
    Event,
    FailureFound,
    FailureSuspected,
    HowTested,
    InputDescribed,
    JobResult,
    MadeWay,
    MistakeFound,
    Replayed,
    SearchEnded,
    ShardEnded,
    Shrunk,
    Warned,
)
from annotest.facts import Failure, Fault, TargetInfo, TargetResult
from annotest.kinds import Kind, Status
from annotest.process.limits import size_text

MOST_DEATHS = 4
TWICE = ", twice"
SLOW_KINDS = (Kind.TIMEOUT, Kind.MEMORY, Kind.OUTPUT)
# a call that takes so many times as long as the slowest so far is taken for a hang while shrinking
SLOWER, SHORTEST = 20, 1.0
# seconds for a call that nobody called valid
LONGEST_PROBE = 10.0
# limits that a call alone may not reach, by what was done then
_DOUBTFUL = (
    (Kind.TIMEOUT, process.CALLING),
    (Kind.MEMORY, process.BUILDING),
    (Kind.MEMORY, process.CALLING),
    (Kind.MEMORY, process.IDLE),
)
# how the calls of a shrinking are kept from the process that shrinks: isolated, and shielded too
_SAFER = ((False, False), (True, False), (True, True))


@dataclass
class TargetRun:
    """One target, as the process that supervises its worker sees it."""

    worker: ModuleWorker
    place: int
    info: TargetInfo
    listen: Callable[[Event], None]
    failures: dict[str, Failure] = field(default_factory=dict)
    suspected: list[Failure] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.limits = self.worker.limits
        self.call_limit = self.info.call_limit(self.limits.call)
        if not self.info.annotated:  # nor may building an instance take longer
            self.limits = replace(self.limits, call=self.call_limit)
        self.project = project_of(self.worker.file, self.worker.options)

    def _do(self, job: Job) -> Ended:
        return self.worker.do(job, self.call_limit, self._take, self.limits)

    def _take(self, event: Event) -> None:
        """Pass an event on; remember failures, and drop those that tell nothing new."""
        if isinstance(event, FailureFound):
            failure = self._confirmed(event.failure)
            if not _is_better(failure, self.failures.get(failure.fingerprint)):
                return
            self.failures[failure.fingerprint] = failure
            event = FailureFound(failure)
        self.listen(event)

    def _confirmed(self, failure: Failure) -> Failure:
        """Say of a call that was suspected to hang, and did so again, that it was twice."""
        suspected = [(suspect.fingerprint, suspect.recipe) for suspect in self.suspected]
        is_seen = (failure.fingerprint, failure.recipe) in suspected
        return _twice(failure) if is_seen else failure

    def search(self, options: SearchOptions) -> dict[int, TargetResult]:
        """Search shards; return how each fared.

        When the child dies, the search goes on with each call in a child of its own. When more
        dies than the child, another process comes between.
        """
        results = self._search(options)
        if options.beyond and options.shards.first == 0:
            limit = min(self.call_limit, LONGEST_PROBE)
            self.worker.do(ProbeTarget(self.place, options.seed, limit), limit, self._take)
        return results

    def _search(self, options: SearchOptions) -> dict[int, TargetResult]:
        results: dict[int, TargetResult] = {}
        for _ in range(MOST_DEATHS):
            ended = self._searched(options)
            struck = ended.took_worker and not options.shielded
            if not struck:  # by any call up to now, which must be made again to know by which
                shards = [event for event in ended.results if isinstance(event, ShardEnded)]
                results.update({shard.number: shard.result for shard in shards})
            if ended.last(SearchEnded) and not struck:
                return results
            waiting = options.shards.after(results)
            if ended.phase == process.DRAWING and not struck and self.worker.grows_careful():
                # of what a precondition calls, most likely; other inputs are drawn from now on
                options = replace(options, shards=waiting, resume=b"")
                continue
            if struck:
                self._suspect(self._failure_of(ended))
            elif (given_up := self._died(ended)) is not None:
                results[waiting.first] = given_up
                return results
            options = self._safer(replace(options, shards=waiting), ended, struck)
        status = Status.FAILED if self.failures else Status.ERROR
        text = f"its process died {MOST_DEATHS} times"
        first = options.shards.after(results).first
        results[first] = TargetResult(self.info, status, unfinished=text, reason=text)
        return results

    def _safer(self, options: SearchOptions, ended: Ended, struck: bool) -> SearchOptions:
        """Return how a search goes on, or begins again, after its process has died."""
        drawn = {key for key, failure in self.failures.items() if failure.origin.can_shrink}
        return replace(
            options,
            isolated=True,
            shielded=options.isolated or struck,
            resume=b"" if struck else ended.log,
            reported=options.reported | drawn,
        )

    def _searched(self, options: SearchOptions) -> Ended:
        """Search until the end or a death, in one child after the other where they grow."""
        results: list[JobResult] = []
        while True:
            ended = self._searched_in_child(options)
            made_way = ended.last(MadeWay)
            results += ended.results
            if made_way is None or ended.took_worker:
                return replace(ended, results=results)
            self._tell_of_growth(made_way.grown)
            done = {event.number for event in results if isinstance(event, ShardEnded)}
            waiting, handover = options.shards.after(done), made_way.handover
            options = replace(options, shards=waiting, resume=ended.log, handover=handover)

    def _tell_of_growth(self, grown: int) -> None:
        said = f"the process of {self.info.qualname} has grown by {size_text(grown)}"
        if not grown:
            said = f"a call has spoilt the device for the process of {self.info.qualname}"
        self.listen(HowTested(self.info.file, f"{said}: its search goes on in a new one"))

    def _searched_in_child(self, options: SearchOptions) -> Ended:
        job = RunTarget(self.place, options, self.call_limit)
        try:
            return self._do(job)
        except InternalError:
            if options.isolated:
                raise
            # the code under test may have upset its own process: keep it out of ours
            apart = replace(job, options=replace(options, isolated=True))
            return self._do(apart)

    def _died(self, ended: Ended) -> TargetResult | None:
        """Report that a search died, with the input; return a result if it is not to go on."""
        if ended.phase == process.DRAWING and ended.exceeded is Kind.TIMEOUT and not ended.recipe:
            limit = max(self.call_limit, self.limits.call)
            slow = f"drawing one input took longer than {limit:g} s"
            remedy = "a .where(…) may never hold, or a generator's precondition hang"
            self.listen(MistakeFound(self.info.mistake(slow, remedy)))
            return TargetResult(self.info, Status.ERROR, reason="an annotation is wrong")
        failure = self._failure_of(ended)
        if not failure.is_finding:
            self._take(FailureFound(failure))
            return TargetResult(self.info, Status.NOTED, inputs_run=1, reason=failure.message)
        if (ended.exceeded, ended.phase) in _DOUBTFUL:
            # it may only have been slow once, or what calls before it left was too much
            self._suspect(failure)
        else:
            self._take(FailureFound(failure))
        return None

    def _suspect(self, failure: Failure) -> None:
        """Keep what may be a failure of that input: the search that goes on will tell."""
        self.suspected.append(failure)
        self.listen(FailureSuspected(failure))

    def _failure_of(self, ended: Ended) -> Failure:
        is_part = ended.phase == process.DRAWING
        described = self._described(ended.recipe, is_part)
        return self._fault_of(ended).on(
            self.info.id,
            described.call,
            described.inputs,
            recipe=b"" if is_part else ended.recipe,  # a part cannot be run again
        )

    def _fault_of(self, ended: Ended) -> Fault:
        return fault_of(ended.death, self.info, self.project, self.limits, self.call_limit)

    def _described(self, recipe: bytes, is_part: bool) -> InputDescribed:
        ended = self._do(DescribeInput(self.place, recipe, is_part)) if recipe else Ended()
        return ended.last(InputDescribed) or InputDescribed("", ())

    def settle(self, failure: Failure, slowest: float, max_seconds: float) -> None:
        """Shrink a failing input, run it again, and report what has become of it."""
        self.failures[failure.fingerprint] = failure
        self.shrink_until = monotonic() + max_seconds
        smaller = self._shrunk(failure, slowest)
        tried = [
            (shown, Repeating(partial(self._fails_again, shown), shown.kind in SLOW_KINDS))
            for shown in (smaller, failure)
            if shown is not None
        ]
        settled, repeating = tried[0]
        for shown, again in tried:
            # without a recipe it cannot be taken to another process
            if not shown.recipe or again.fails_always():
                settled = _twice(shown) if shown.recipe else shown
                break
        else:
            settled = replace(settled, repeats=repeating.rate())
        self.listen(FailureFound(replace(settled, final=True)))

    def _shrunk(self, failure: Failure, slowest: float) -> Failure | None:
        """Return the failure with a smaller input, if there is one."""
        if not failure.origin.can_shrink:
            return None
        limit = self.call_limit
        if failure.kind is Kind.TIMEOUT:
            limit = min(limit, max(SHORTEST, SLOWER * slowest))
        smaller = None
        for isolated, shielded in _SAFER[1:] if failure.died else _SAFER:
            # a call may have killed the process that shrinks: once more, in greater safety
            smaller, died = self._try_shrinking(failure, limit, isolated, shielded)
            if smaller or (isolated and not died and failure.kind is not Kind.DIED):
                break
        if smaller and failure.kind is Kind.TIMEOUT:  # whose limit was a shorter one
            return replace(smaller, message=failure.message)
        return smaller

    def _try_shrinking(
        self, failure: Failure, limit: float, isolated: bool, shielded: bool
    ) -> tuple[Failure | None, bool]:
        """Return the failure with a smaller input, if there is one; and whether the job died."""
        seconds = max(0.0, self.shrink_until - monotonic())
        job = ShrinkInput(self.place, failure, limit, isolated, shielded, seconds)
        try:
            ended = self._do(job)
        except InternalError as error:
            why = (str(error).strip().splitlines() or [""])[-1]
            said = f"finding {failure.fingerprint} could not be made smaller: {why}"
            self.listen(Warned(said))
            return None, False
        if ended.phase == process.CALLING:
            self._died(ended)
        shrunk = ended.last(Shrunk)
        return shrunk.failure if shrunk else None, ended.status != 0

    def _fails_again(self, failure: Failure) -> bool:
        """Run an input once more in a fresh child; say whether it fails in the same way."""
        ended = self._do(ReplayInput(self.place, failure.recipe))
        replayed = ended.last(Replayed)
        again: Iterable[Fault] = replayed.failures if replayed else ()
        if replayed is None or ended.took_worker:
            again = [self._fault_of(ended)]
        return any(fault.fingerprint == failure.fingerprint for fault in again)


def _is_better(new: Failure, old: Failure | None) -> bool:
    """Say whether one report of a failure is to replace an earlier one of the same failure."""
    if old is None:
        return True
    if new.final or old.final:
        return new.final
    return new.origin.can_shrink and not old.origin.can_shrink


def _twice(failure: Failure) -> Failure:
    if failure.kind is not Kind.TIMEOUT or failure.message.endswith(TWICE):
        return failure
    return replace(failure, message=failure.message + TWICE)
