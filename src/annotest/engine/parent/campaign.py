"""A whole test run: every module opened, every target searched, every failure settled."""

from __future__ import annotations

import os
import tempfile
from collections import deque
from dataclasses import dataclass, field, replace
from math import ceil, inf
from time import monotonic
from typing import TYPE_CHECKING

from annotest.database import Database
from annotest.discovery.scan import ModuleFile
from annotest.discovery.targets import METHOD, PROPERTY
from annotest.engine.lane.keeping import Keeper
from annotest.engine.lane.lane import remove_scratch
from annotest.engine.options import SearchOptions, seed_from, shards_of
from annotest.engine.parent.merging import merge_results
from annotest.engine.parent.pool import Hold, Pool
from annotest.engine.parent.selection import matches
from annotest.engine.tasks import (
    Answer,
    Lost,
    Open,
    Opened,
    Searched,
    SearchTarget,
    Settle,
    Settled,
    Task,
    TaskFailed,
)
from annotest.engine.worker.importing import import_death, module_info
from annotest.errors import Site
from annotest.events import (
    AnnotestFailed,
    Event,
    Failure,
    FailureFound,
    ModuleOpened,
    Progress,
    TargetInfo,
    TargetResult,
    Warned,
)
from annotest.kinds import Kind, Status

if TYPE_CHECKING:
    from annotest.engine.parent.run import Run

# of the time left to a run, the share given to searching; the rest is for shrinking
SEARCHING = 0.8


@dataclass
class _Target:
    """One target under way: what is known of it, and what is still to come."""

    file: ModuleFile
    place: int
    info: TargetInfo
    shards: set[int]
    results: dict[int, TargetResult] = field(default_factory=dict)
    failures: dict[str, Failure] = field(default_factory=dict)
    settling: int = 0
    until: float | None = None

    def take(self, failures: tuple[Failure, ...]) -> None:
        """Keep, of each failure, the one from the first shard, whichever came first."""
        for one in failures:
            old = self.failures.get(one.fingerprint)
            if old is None or one.origin.shard < old.origin.shard:
                self.failures[one.fingerprint] = one

    def unsettled(self) -> list[Failure]:
        """Return the failures to be settled: not those of a constructor with its own search."""
        return [
            one
            for one in self.failures.values()
            if not one.final and (one.target.id == self.info.id or one.origin.can_shrink)
        ]


class Campaign:
    """Gives the pool its tasks, and makes results of the answers."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._options = run.options
        self._targets: dict[tuple[str, int], _Target] = {}
        self._foreign: list[tuple[ModuleFile, int, TargetInfo]] = []
        self._progress: dict[str, dict[int, int]] = {}
        self._seen: set[tuple[str, int, str]] = set()
        self._unopened = {file.path: file for file in run.scanned.modules}

    def run(self) -> None:
        """Test everything; what is not done when the time is up is named."""
        scratch = tempfile.mkdtemp(prefix="annotest-")
        seconds = self._options.run_seconds
        self._deadline = None if seconds is None else monotonic() + seconds
        self._pool = self._make_pool(os.path.realpath(scratch))
        why = "the run's time was spent"
        try:
            self._pool.run(self._deadline)
        except KeyboardInterrupt:
            why = "the run was interrupted"
            raise
        finally:
            remove_scratch(scratch)
            self._name_unfinished(why)

    def _make_pool(self, scratch: str) -> Pool:
        options, folder = self._run.worker_options(), self._options.database
        database = Database(folder) if folder else None
        keeper = Keeper(database, self._options.root, self._options.limits)
        for warning in keeper.looked_through():
            self._run.listen(warning)
        lanes = []
        for number in range(self._options.workers):
            own = os.path.join(scratch, str(number))
            allowed = self._options.allowed
            if allowed is not None:
                allowed = replace(allowed, folders=(own, *allowed.folders))
            given = replace(
                options,
                allowed=allowed,
                scratch=own,
                searches=True,
            )
            lanes.append(Hold(number, given, self._options.limits, keeper))
        files = deque(self._run.scanned.modules)
        limited = self._deadline is not None
        return Pool(lanes, self._listen, self._answered, self._seconds_for, limited, files)

    def _answered(self, task: Task, answer: Answer) -> None:
        if isinstance(answer, Opened):
            self._opened(task.file, answer)
        elif isinstance(answer, TaskFailed):
            self._run.listen(AnnotestFailed(answer.text))
            self._failed(task)
        elif isinstance(answer, Lost):
            self._lost(task, f"the process that watches over it {answer.ending}")
            self._failed(task)
        elif isinstance(task, SearchTarget) and isinstance(answer, Searched):
            self._searched(self._targets[task.file.path, task.place], task, answer)
        elif isinstance(task, Settle) and isinstance(answer, Settled):
            self._settled(self._targets[task.file.path, task.place], task, answer)

    def _opened(self, file: ModuleFile, opened: Opened) -> None:
        run = self._run
        del self._unopened[file.path]
        run.announce(file, opened.import_failed, opened.discovered)
        if opened.discovered is not None and opened.imported is not None:
            targets = list(enumerate(opened.discovered.targets))
            own = [(place, info) for place, info in targets if _is_own(file, info)]
            self._foreign += [(file, *one) for one in targets if one not in own]
            site = opened.imported.module_test
            run.listen(ModuleOpened(file.path, len(targets) + (site is not None)))
            if site is not None:
                self._module_tested(file, site, opened.imported.seconds)
            for place, info in own:
                self._add(file, place, info)
        if not self._unopened:
            self._add_foreign()

    def _add_foreign(self) -> None:
        """Add what modules annotate from outside, when it is known what they annotate inside."""
        order = {file.path: place for place, file in enumerate(self._run.scanned.modules)}
        for file, place, info in sorted(self._foreign, key=lambda one: order[one[0].path]):
            self._add(file, place, info)

    def _module_tested(self, file: ModuleFile, site: Site, seconds: float) -> None:
        # the worker is a fresh process that imported the module: that was the test
        info = module_info(file, site.line)
        if matches(self._options.select, info.id):
            self._run.finish(TargetResult(info, Status.PASSED, inputs_run=1, seconds=seconds))
        else:
            self._run.finish(TargetResult(info, Status.SKIPPED, reason="not selected"))

    def _add(self, file: ModuleFile, place: int, info: TargetInfo) -> None:
        key = (os.path.realpath(info.file), info.line, info.qualname)
        if info.file and key in self._seen:
            return  # another module led to it already
        self._seen.add(key)
        if not matches(self._options.select, info.id):
            self._run.finish(TargetResult(info, Status.SKIPPED, reason="not selected"))
        elif info.error:
            self._run.finish(TargetResult(info, Status.ERROR, reason="an annotation is wrong"))
        else:
            shards = shards_of(self._examples_of(info))
            target = _Target(file, place, info, {one.number for one in shards})
            self._targets[file.path, place] = target
            options = SearchOptions(seed_from(self._run.seed, info.id), shards)
            self._pool.waiting.append(SearchTarget(file, place, info, options))

    def _examples_of(self, info: TargetInfo) -> int:
        """Return how many inputs a target gets: one where nothing is drawn."""
        if not info.inputs and info.kind not in (METHOD, PROPERTY):
            return 1
        return info.examples or self._examples()

    def _examples(self) -> int:
        """Return how many inputs each target gets."""
        total = self._options.run_examples
        if total is None:
            return self._options.max_examples
        targets = sum(len(file.names) or 1 for file in self._run.scanned.modules)
        return max(1, min(self._options.max_examples, total // targets))

    def _seconds_for(self, task: SearchTarget | Settle) -> float:
        """Return how long a task may take."""
        return self._search_time(task) if isinstance(task, SearchTarget) else self._shrink_time()

    def _shrink_time(self) -> float:
        """Return how long one failure may be shrunk: half of its share, to run it again too."""
        if self._deadline is None:
            return inf
        waiting = 1 + sum(isinstance(one, Settle) for one in self._pool.waiting)
        left = max(0.0, self._deadline - monotonic())
        return left / 2 / ceil(waiting / len(self._pool.lanes))

    def _search_time(self, task: SearchTarget) -> float:
        """Return what is left of a target's time."""
        target = self._targets[task.file.path, task.place]
        if target.until is None:
            target.until = monotonic() + self._seconds_of(task.info)
        return max(0.0, target.until - monotonic())

    def _seconds_of(self, info: TargetInfo) -> float:
        """Return how long a target may be searched: its own limit, or its share of the run's."""
        asked_for = [info.seconds, self._options.target_seconds]
        limits = [one for one in asked_for if one is not None] or [self._options.limits.target]
        if self._deadline is not None:
            waiting = sum(isinstance(one, SearchTarget) for one in self._pool.waiting)
            waiting += sum(len(file.names) or 1 for file in self._unopened.values())
            lanes = len(self._pool.lanes)
            left = SEARCHING * max(0.0, self._deadline - monotonic()) * lanes
            limits.append(left / max(lanes, waiting + 1))
        return min(limits)

    def _searched(self, target: _Target, task: SearchTarget, answer: Searched) -> None:
        target.results.update(answer.results)
        target.take(answer.failures)
        # shards that were not searched because nothing was left to draw, or no time
        stopped = any(one.exhausted or one.unfinished for one in answer.results.values())
        stopped |= any(one.status == Status.ERROR for one in answer.results.values())
        if stopped:
            target.shards -= {one.number for one in task.options.shards} - set(answer.results)
        if not target.shards <= set(target.results):
            return
        slowest = max((one.slowest for one in target.results.values()), default=0.0)
        self._settle(target, target.unsettled(), slowest)
        if not target.settling:
            self._finish(target)

    def _settle(self, target: _Target, failures: list[Failure], slowest: float) -> None:
        for failure in failures:
            target.settling += 1
            self._pool.waiting.append(
                Settle(target.file, target.place, target.info, failure, slowest)
            )

    def _settled(self, target: _Target, task: Settle, answer: Settled) -> None:
        new = [one for one in answer.others if one.fingerprint not in target.failures]
        target.take(tuple(new))
        self._settle(target, new, task.slowest)
        target.settling -= 1
        if not target.settling:
            self._finish(target)

    def _finish(self, target: _Target) -> None:
        del self._targets[target.file.path, target.place]
        self._run.finish(merge_results(target.results))

    def _lost(self, task: Task, what: str) -> None:
        """Tell of a task that has cost two lanes."""
        if isinstance(task, Open):
            message = f"{what} while the module was imported, twice"
            self._run.announce(task.file, import_death(task.file, Kind.DIED, message), None)
        elif isinstance(task, Settle):
            # by the input that was run again: it is reported as it was first seen
            known = task.failure.fingerprint
            self._run.listen(Warned(f"finding {known} was not run again: {what}, twice"))
        else:
            self._run.listen(AnnotestFailed(f"{task.info.id}: {what}, twice"))

    def _failed(self, task: Task) -> None:
        if isinstance(task, SearchTarget):
            target = self._targets[task.file.path, task.place]
            reason = "annotest itself failed on this target"
            result = TargetResult(task.info, Status.ERROR, reason=reason)
            results = {one.number: result for one in task.options.shards}
            self._searched(target, task, Searched(results, ()))
        elif isinstance(task, Settle):
            self._settled(self._targets[task.file.path, task.place], task, Settled())
        else:
            self._unopened.pop(task.file.path, None)
            if not self._unopened:
                self._add_foreign()

    def _never_ended(self, info: TargetInfo, why: str) -> TargetResult:
        inputs_run = sum(self._progress.get(info.id, {}).values())
        return TargetResult(info, Status.UNFINISHED, inputs_run, unfinished=why)

    def _listen(self, event: Event) -> None:
        if isinstance(event, Progress) and not event.doing:
            event = self._so_far(event)
        self._run.listen(event)

    def _so_far(self, event: Progress) -> Progress:
        """Return how far a whole target has come: a search that begins again takes nothing back."""
        shards = self._progress.setdefault(event.target, {})
        shards[event.shard] = max(shards.get(event.shard, 0), event.inputs_run)
        return replace(event, inputs_run=sum(shards.values()))

    def _name_unfinished(self, why: str) -> None:
        """Name the targets that were not brought to their end, and what may hang in them."""
        for one in self._pool.suspected():
            said = f"{one.message}; the run ended before the call was made again"
            self._run.listen(FailureFound(replace(one, message=said)))
        for target in self._targets.values():
            if target.results:
                result = merge_results(target.results)
                self._run.finish(replace(result, unfinished=why))
            else:
                self._run.finish(self._never_ended(target.info, why))
        for file in self._unopened.values():
            info = module_info(file, 1)
            self._run.finish(TargetResult(info, Status.UNFINISHED, unfinished=why))


def _is_own(file: ModuleFile, info: TargetInfo) -> bool:
    return not info.file or os.path.realpath(info.file) == os.path.realpath(file.path)
