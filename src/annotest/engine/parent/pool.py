"""The pool: lanes side by side, the tasks shared out among them, what comes back put together."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from math import ceil
from time import monotonic

from annotest import process
from annotest.discovery.scan import ModuleFile
from annotest.engine.lane.keeping import Keeper
from annotest.engine.lane.lane import Lane, remove_scratch
from annotest.engine.tasks import Answer, Lost, Open, SearchTarget, Settle, Task
from annotest.engine.worker.worker import WorkerOptions
from annotest.events import Event, Failure, FailureFound, FailureSuspected, LaneWorks, Tick
from annotest.process.limits import Limits

POLL = 0.1


@dataclass
class Hold:
    """The parent's hold on one lane."""

    number: int
    options: WorkerOptions
    limits: Limits
    keeper: Keeper
    task: Task | None = None
    file: ModuleFile | None = None
    pid: int = 0
    ending: str = ""
    retried: bool = False
    suspected: list[Failure] = field(default_factory=list)

    def start(self) -> None:
        self.tasks, self.events = process.Channel(), process.Channel()
        lane = Lane(self.options, self.limits, self.keeper, self.tasks, self.events)
        self.pid = process.start(lane, self.options.spawned, signal.SIGTERM)
        self.tasks.writing_end()
        self.events.reading_end()
        self.file = None

    def give(self, task: Task) -> None:
        self.task, self.file = task, task.file
        self.tasks.send(task)

    def received(self) -> Iterator[Event | Answer]:
        """Yield what has come so far; Gone at the end."""
        while (message := self.events.receive(0)) is not None:
            yield message

    def has_ended(self) -> bool:
        """Say whether the lane's process has ended, seen by itself and not by its pipe."""
        if process.is_stopped(self.pid):
            process.kill(self.pid)  # by the code under test: it would never answer
            self.ending = "was stopped by a signal"
            process.reap(self.pid)
        else:
            status = process.reap_if_ended(self.pid)
            if status is None:
                return False
            self.ending = process.describe_status(status)
        self.pid = 0
        return True

    def stop(self) -> None:
        """End the lane, politely, and then for certain."""
        self.tasks.close()
        if self.pid:
            _terminate(self.pid)
            until = monotonic() + 5
            while process.reap_if_ended(self.pid) is None and monotonic() < until:
                process.wait_for([], 0.01)
            process.kill(self.pid)
            process.reap(self.pid)
            self.pid = 0
        self.events.close()
        remove_scratch(self.options.scratch)


def _terminate(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGTERM)
    except ProcessLookupError:
        return


@dataclass
class Pool:
    """Lanes, and the tasks that wait for them."""

    lanes: list[Hold]
    listen: Callable[[Event], None]
    answered: Callable[[Task, Answer], None]
    budget: Callable[[SearchTarget | Settle], float]
    settles_last: bool = False
    unopened: deque[ModuleFile] = field(default_factory=deque)
    waiting: list[Task] = field(default_factory=list)

    def run(self, deadline: float | None) -> None:
        """Do every task, or those for which there is time until the deadline."""
        try:
            for lane in self.lanes:
                lane.start()
            while self._busy() or self.waiting or self.unopened:
                if deadline is not None and monotonic() > deadline:
                    return
                self._share_out()
                self._listen_to_lanes()
        finally:
            self._hear_the_rest()
            for lane in self.lanes:
                lane.stop()
            process.end_strays()

    def _hear_the_rest(self) -> None:
        """Take in what lanes have said that are about to be stopped."""
        for lane in self._busy():
            try:
                for message in lane.received():
                    self._take(lane, message)
            except process.Gone:
                continue

    def suspected(self) -> list[Failure]:
        """Return the calls that took too long once, and have not been made again yet."""
        return [one for lane in self.lanes for one in lane.suspected]

    def _busy(self) -> list[Hold]:
        return [lane for lane in self.lanes if lane.task is not None]

    def _share_out(self) -> None:
        for lane in self.lanes:
            if lane.task is None:
                task = self._next_for(lane)
                if task is None:
                    return
                self.listen(LaneWorks(lane.number, _described(task)))
                lane.retried = False
                lane.give(task)

    def _next_for(self, lane: Hold) -> Task | None:
        """Choose a lane's next task: of its own module, a module nobody has seen, another's."""
        ready = self.waiting
        if self.settles_last:  # when nothing else is left to be given its time
            ready = [one for one in ready if not isinstance(one, Settle)]
        own = [one for one in ready if lane.file and one.file.path == lane.file.path]
        task = _first(own)
        if task is None and self.unopened:
            return Open(self.unopened.popleft())
        task = task or _first(ready) or _first(self.waiting)
        if task is None:
            return None
        self.waiting.remove(task)
        return self._with_budget(task)

    def _with_budget(self, task: Task) -> Task:
        if isinstance(task, SearchTarget):
            task = self._share_of(task)
            seconds = self.budget(task)
            return replace(task, options=replace(task.options, max_seconds=seconds))
        if isinstance(task, Settle):
            return replace(task, max_seconds=self.budget(task))
        return task

    def _share_of(self, task: SearchTarget) -> SearchTarget:
        """Take some shards only, where other lanes would have nothing to do."""
        shards = task.options.shards
        searches = sum(isinstance(one, SearchTarget) for one in self.waiting)
        if searches + len(self.unopened) >= len(self.lanes) or len(shards) == 1:
            return task
        count = ceil(len(shards) / len(self.lanes))
        rest = replace(task.options, shards=shards[count:])
        if rest.shards:
            self.waiting.insert(0, replace(task, options=rest))
        return replace(task, options=replace(task.options, shards=shards[:count]))

    def _listen_to_lanes(self) -> None:
        process.wait_for([lane.events for lane in self._busy()], POLL)
        self.listen(Tick())
        for lane in self._busy():
            try:
                ended = lane.has_ended()  # before reading, so that its last words are heard
                for message in lane.received():
                    self._take(lane, message)
                if ended:
                    raise process.Gone
            except process.Gone:
                self._lost(lane)

    def _take(self, lane: Hold, message: Event | Answer) -> None:
        if isinstance(message, Answer):
            task, lane.task = lane.task, None
            assert task is not None
            lane.suspected.clear()
            self.listen(LaneWorks(lane.number, ""))
            self.answered(task, message)
            return
        if isinstance(message, FailureSuspected):
            lane.suspected.append(message.failure)
        elif isinstance(message, FailureFound):
            key = message.failure.fingerprint
            lane.suspected = [one for one in lane.suspected if one.fingerprint != key]
        self.listen(message)

    def _lost(self, lane: Hold) -> None:
        """Start a lane again that has ended; its task is tried once more, but only once."""
        task, lane.task = lane.task, None
        lane.stop()
        process.end_strays([one.pid for one in self.lanes if one.pid])
        lane.start()
        if task is None:
            return
        if lane.retried:
            self.answered(task, Lost(lane.ending))
            return
        lane.retried = True
        self.listen(LaneWorks(lane.number, _described(task)))
        lane.give(_apart(task))


def _apart(task: Task) -> Task:
    """Keep the calls of a search in processes of their own: one may have killed the lane."""
    if not isinstance(task, SearchTarget):
        return task
    return replace(task, options=replace(task.options, isolated=True))


def _first(tasks: list[Task]) -> Task | None:
    """Return the next of the tasks: what was found is settled first."""
    return next((one for one in tasks if isinstance(one, Settle)), tasks[0] if tasks else None)


def _described(task: Task) -> str:
    if isinstance(task, Open):
        return f"importing {task.file.path}"
    if isinstance(task, Settle):
        return f"{task.info.qualname} (shrinking)"
    return task.info.qualname
