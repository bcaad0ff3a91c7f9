"""A whole test run: every module opened, every target searched, every failure settled."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import chain
from operator import itemgetter

from annotest.discovery.scan import ModuleFile
from annotest.engine.keeping import Keeper
from annotest.engine.parent.announcing import Announcer
from annotest.engine.parent.budget import TimeBudget, targets_in
from annotest.engine.parent.executor import Executor, Message
from annotest.engine.parent.options import RunOptions
from annotest.engine.parent.schedule import Schedule
from annotest.engine.parent.underway import SoFar, TargetUnderWay, merge_results
from annotest.engine.shards import FIRST_FINDING, SearchOptions, seed_from, shards_of
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
    FailureFound,
    FailureSuspected,
    LaneWorks,
    ModuleOpened,
    Progress,
    TargetAdded,
    Tick,
    Warned,
)
from annotest.facts import Failure, TargetInfo, TargetResult
from annotest.kinds import Kind, Status

# so long is waited for lanes before the screen is looked after
POLL = 0.1
# seconds for making the input of a failure smaller that is no finding
MODEST = 2.0


class Campaign:
    """Gives tasks to lanes, and makes results of the answers."""

    def __init__(
        self,
        options: RunOptions,
        files: list[ModuleFile],
        announcer: Announcer,
        executor: Executor,
        keeper: Keeper,
    ) -> None:
        self._seed, self._beyond = options.seed, options.beyond
        self._fail_fast, self._is_over = options.fail_fast, False
        self._announcer = announcer
        self._executor = executor
        self._keeper = keeper
        self._budget = TimeBudget(options, files, executor.size)
        settles_last = self._budget.is_limited and not options.fail_fast
        self._schedule = Schedule(executor.size, files, settles_last)
        self._targets: dict[tuple[int, int], TargetUnderWay] = {}
        self._foreign: list[tuple[int, int, TargetInfo]] = []
        self._progress: dict[str, SoFar] = {}
        self._suspected: dict[int, list[Failure]] = {}
        self._seen: set[tuple[str, int, str]] = set()
        self._files = files
        self._unopened = dict(enumerate(files))

    def run(self) -> None:
        """Test everything; what is not done when the time is up is named."""
        why = "the run's time was spent"
        try:
            self._executor.start()
            self._do_tasks()
            why = FIRST_FINDING if self._is_over else why
        except KeyboardInterrupt:
            why = "the run was interrupted"
            raise
        finally:
            for lane, message in self._executor.stop():
                self._take(lane, message)
            self._name_unfinished(why)

    def _do_tasks(self) -> None:
        while not (self._is_over or self._schedule.is_done or self._budget.is_spent):
            self._share_out()
            for lane, message in self._executor.messages(POLL):
                self._take(lane, message)
            self._listen(Tick())

    def _share_out(self) -> None:
        for lane in self._schedule.idle:
            task = self._schedule.next_for(lane)
            if task is None:
                return
            task = self._prepared(task)
            self._schedule.gave(lane, task)
            self._give(lane, task)

    def _give(self, lane: int, task: Task) -> None:
        self._executor.give(lane, task)
        self._listen(LaneWorks(lane, task.doing))

    def _prepared(self, task: Task) -> Task:
        """Return a task with all that its lane must know: its time, and known failing inputs."""
        if isinstance(task, Settle):
            seconds = self._budget.settle_seconds(self._schedule.settles)
            most = seconds if task.failure.is_finding else min(seconds, MODEST)
            return replace(task, max_seconds=most)
        if not isinstance(task, SearchTarget):
            return task
        waiting = self._schedule.searches_beside(task) + targets_in(self._unopened.values())
        seconds = self._budget.search_seconds(task, waiting)
        known = self._keeper.known(task.info.id)
        for warning in self._keeper.new_warnings():
            self._listen(warning)
        return replace(task, options=replace(task.options, max_seconds=seconds, known=known))

    def _take(self, lane: int, message: Message) -> None:
        if isinstance(message, Answer):
            self._suspected.pop(lane, None)
            self._listen(LaneWorks(lane, ""))
            self._answered(self._schedule.done(lane), message)
        elif isinstance(message, Lost):
            self._lost(lane, message)
        else:
            self._note(lane, message)
            self._listen(message)

    def _note(self, lane: int, event: Event) -> None:
        """Keep in mind which calls took too long once, and have not been made again yet."""
        suspected = self._suspected.setdefault(lane, [])
        if isinstance(event, FailureSuspected):
            suspected.append(event.failure)
        elif isinstance(event, FailureFound):
            key = event.failure.fingerprint
            suspected[:] = [failure for failure in suspected if failure.fingerprint != key]

    def _lost(self, lane: int, lost: Lost) -> None:
        """Have the task of a lane that has ended tried once more; tell if that was done."""
        task = self._schedule.again(lane)
        if task is not None:
            self._give(lane, task)
            return
        task = self._schedule.dropped(lane)
        if task is not None:
            self._tell_lost(task, f"the process that watches over it {lost.ending}")
            self._failed(task)

    def _answered(self, task: Task, answer: Answer) -> None:
        if isinstance(answer, Opened):
            self._opened(task.module, answer)
        elif isinstance(answer, TaskFailed):
            self._listen(answer.told)
            self._failed(task)
        elif isinstance(task, SearchTarget) and isinstance(answer, Searched):
            self._searched(self._target_of(task), task, answer)
        elif isinstance(task, Settle) and isinstance(answer, Settled):
            self._settled(self._target_of(task), answer)

    def _target_of(self, task: SearchTarget | Settle) -> TargetUnderWay:
        return self._targets[task.module, task.place]

    def _opened(self, module: int, opened: Opened) -> None:
        file = self._unopened.pop(module)
        self._announcer.module(file, opened)
        failed = opened.import_failed
        if failed is None:
            self._keeper.passed(module_info(file, 1).id)
        self._end_at(failed is not None and failed.failure.is_finding)
        if opened.discovered is not None and opened.imported is not None:
            targets = list(enumerate(opened.discovered.targets))
            own = [(place, info) for place, info in targets if _is_own(file, info)]
            self._foreign += [(module, *pair) for pair in targets if pair not in own]
            site = opened.imported.module_test
            self._listen(ModuleOpened(file.path, len(targets) + (site is not None)))
            if site is not None:
                self._module_tested(file, site, opened.imported.seconds)
            for place, info in own:
                self._add(module, place, info)
        if not self._unopened:
            self._add_foreign()

    def _add_foreign(self) -> None:
        """Add what modules annotate from outside, when it is known what they annotate inside."""
        for module, place, info in sorted(self._foreign, key=itemgetter(0)):
            self._add(module, place, info)

    def _module_tested(self, file: ModuleFile, site: Site, seconds: float) -> None:
        # the worker is a fresh process that imported the module: that was the test
        info = module_info(file, site.line)
        if self._announcer.selects(file, info):
            result = TargetResult(info, Status.PASSED, inputs_run=1, seconds=seconds)
            self._announcer.finish(result)
        else:
            self._announcer.skipped(info)

    def _add(self, module: int, place: int, info: TargetInfo) -> None:
        key = (os.path.realpath(info.file), info.line, info.qualname)
        if info.file and key in self._seen:
            return  # another module led to it already
        self._seen.add(key)
        self._listen(TargetAdded(info.id))
        if not self._announcer.selects(self._files[module], info):
            self._announcer.skipped(info)
        elif info.error:
            result = TargetResult(info, Status.ERROR, reason="an annotation is wrong")
            self._announcer.finish(result)
        else:
            shards = shards_of(self._budget.examples_of(info))
            self._targets[module, place] = TargetUnderWay(module, place, info)
            seed = seed_from(self._seed, info.id)
            options = SearchOptions(seed, shards, beyond=self._beyond, fail_fast=self._fail_fast)
            self._schedule.add_search(SearchTarget(module, place, info, options))

    def _searched(self, target: TargetUnderWay, task: SearchTarget, answer: Searched) -> None:
        target.add(answer.results)
        target.take(answer.failures)
        self._so_far_of(target.info.id).end(answer.results)
        if any(map(_is_last, answer.results.values())):
            self._schedule.drop_rest(task)
        if self._schedule.is_searching(task):
            return
        self._keeper.tried_again(target.info.id)
        self._settle(target, target.unsettled())

    def _settle(self, target: TargetUnderWay, failures: list[Failure]) -> None:
        """Have failures settled; without any, or when the last one is, the target is done."""
        for failure in target.chosen(failures):
            target.settling += 1
            task = Settle(target.module, target.place, target.info, failure, target.slowest)
            self._schedule.add_settle(task)
        if not target.settling:
            self._end_at(target.has_finding)
            del self._targets[target.module, target.place]
            result = merge_results(target.results)
            if result.status is Status.PASSED and not result.unfinished:
                self._keeper.passed(target.info.id)
            self._announcer.finish(result)

    def _settled(self, target: TargetUnderWay, answer: Settled) -> None:
        new = [failure for failure in answer.others if failure.fingerprint not in target.failures]
        target.take(tuple(new))
        target.settling -= 1
        self._end_at(target.has_finding)
        self._settle(target, [] if self._is_over else new)

    def _end_at(self, has_finding: bool) -> None:
        """End the run with its first finding, where that is asked for."""
        self._is_over |= self._fail_fast and has_finding

    def _tell_lost(self, task: Task, what: str) -> None:
        """Tell of a task that has cost two lanes."""
        if isinstance(task, Open):
            message = f"{what} while the module was imported, twice"
            file = self._files[task.module]
            failed = import_death(file, Kind.DIED, message)
            self._announcer.module(file, Opened(import_failed=failed))
        elif isinstance(task, Settle):
            # by the input that was run again: it is reported as it was first seen
            known = task.failure.fingerprint
            self._listen(Warned(f"finding {known} was not run again: {what}, twice"))
        elif isinstance(task, SearchTarget):
            self._listen(AnnotestFailed(f"{task.info.id}: {what}, twice"))

    def _failed(self, task: Task) -> None:
        if isinstance(task, SearchTarget):
            reason = "annotest itself failed on this target"
            result = TargetResult(task.info, Status.ERROR, reason=reason)
            results = {task.options.shards.first: result}
            self._searched(self._target_of(task), task, Searched(results, ()))
        elif isinstance(task, Settle):
            self._settled(self._target_of(task), Settled())
        else:
            self._unopened.pop(task.module, None)
            if not self._unopened:
                self._add_foreign()

    def _listen(self, event: Event) -> None:
        if isinstance(event, Progress) and not event.doing:
            event = self._so_far(event)
        self._announcer.listen(event)

    def _so_far(self, event: Progress) -> Progress:
        """Return how far a whole target has come: a search that begins again takes nothing back."""
        so_far = self._so_far_of(event.target)
        so_far.note(event.shard, event.inputs_run)
        return replace(event, inputs_run=so_far.inputs_run)

    def _so_far_of(self, target: str) -> SoFar:
        return self._progress.setdefault(target, SoFar())

    def _name_unfinished(self, why: str) -> None:
        """Name the targets that were not brought to their end, and what may hang in them."""
        for failure in chain.from_iterable(self._suspected.values()):
            said = f"{failure.message}; the run ended before the call was made again"
            self._listen(FailureFound(replace(failure, message=said)))
        for target in self._targets.values():
            inputs_run = self._so_far_of(target.info.id).inputs_run
            result = TargetResult(target.info, Status.UNFINISHED, inputs_run)
            if target.results:
                result = merge_results(target.results)
            self._announcer.finish(replace(result, unfinished=why))
        for file in self._unopened.values():
            info = module_info(file, 1)
            self._announcer.finish(TargetResult(info, Status.UNFINISHED, unfinished=why))


def _is_last(shard: TargetResult) -> bool:
    """Say whether there is no sense in searching further shards, or no time."""
    is_wrong = shard.status in (Status.ERROR, Status.NOTED)
    return shard.exhausted or bool(shard.unfinished) or is_wrong


def _is_own(file: ModuleFile, info: TargetInfo) -> bool:
    return not info.file or os.path.realpath(info.file) == os.path.realpath(file.path)
