"""Lanes in processes of this machine."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass, replace
from time import monotonic

from annotest import process
from annotest.discovery.scan import ModuleFile
from annotest.engine.base.sharing import Chains
from annotest.engine.keeping import Journal
from annotest.engine.lane.lane import Lane
from annotest.engine.parent.executor import Message
from annotest.engine.scratch import new_scratch, remove_scratch
from annotest.engine.tasks import Lost, Task
from annotest.engine.worker.worker import WorkerOptions
from annotest.process.limits import Limits

# how long a lane may take to end its workers
PATIENCE = 5.0


@dataclass
class LocalExecutor:
    """Starts lanes as processes below this one, each with a scratch folder of its own."""

    size: int
    files: tuple[ModuleFile, ...]
    options: WorkerOptions
    limits: Limits
    journal: Journal
    chains: Chains

    def __post_init__(self) -> None:
        self._lanes: dict[int, _Hold] = {}
        self._scratch = ""

    def start(self) -> None:
        """Make a folder for the lanes, each of which is started for its first task."""
        self._scratch = new_scratch()

    def _lane(self, number: int) -> _Hold:
        if number not in self._lanes:
            given = self._options_of(number), self.limits, self.journal, self.chains
            lane = _Hold(number, self.files, *given)
            lane.start()
            self._lanes[number] = lane
        return self._lanes[number]

    def _options_of(self, number: int) -> WorkerOptions:
        own = os.path.join(self._scratch, str(number))
        return replace(self.options.with_scratch(own), searches=True)

    def give(self, lane: int, task: Task) -> None:
        """Send a task to a lane."""
        try:
            self._lane(lane).tasks.send(task)
        except process.Gone:
            return  # it has ended: that is seen when it is listened to

    def messages(self, timeout: float) -> Iterator[tuple[int, Message]]:
        """Wait for lanes to say something; yield that, and start those again that have ended."""
        process.wait_for([lane.events for lane in self._lanes.values()], timeout)
        for lane in self._lanes.values():
            try:
                ended = lane.has_ended()  # before reading, so that its last words are heard
                for message in lane.received():
                    yield lane.number, message
                if ended:
                    raise process.Gone
            except process.Gone:
                yield lane.number, self._started_again(lane)

    def _started_again(self, lane: _Hold) -> Lost:
        lane.stop()
        process.end_strays([other.pid for other in self._lanes.values() if other.pid])
        lane.start()
        return Lost(lane.ending)

    def stop(self) -> list[tuple[int, Message]]:
        """End the processes of the lanes, and all that they have started."""
        lanes = self._lanes.values()
        try:
            return [(lane.number, message) for lane in lanes for message in lane.rest()]
        finally:
            for lane in lanes:
                lane.ask_to_end()  # all of them, before any is waited for
            for lane in lanes:
                lane.stop()
            process.end_strays()
            remove_scratch(self._scratch)


@dataclass
class _Hold:
    """The hold on the process of one lane."""

    number: int
    files: tuple[ModuleFile, ...]
    options: WorkerOptions
    limits: Limits
    journal: Journal
    chains: Chains
    pid: int = 0
    ending: str = ""
    is_ending: bool = False

    def start(self) -> None:
        self.is_ending = False
        self.tasks, self.events = process.Channel(), process.Channel()
        given = self.options, self.limits, self.journal, self.chains
        lane = Lane(self.files, *given, self.tasks, self.events)
        self.pid = self.options.way.start(lane, signal.SIGTERM)
        self.tasks.writing_end()
        self.events.reading_end()

    def received(self) -> Iterator[Message]:
        """Yield what has come so far; Gone at the end."""
        while (message := self.events.receive(0)) is not None:
            yield message

    def rest(self) -> Iterator[Message]:
        """Yield what has come, before the lane is stopped."""
        try:
            yield from self.received()
        except process.Gone:
            return

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

    def ask_to_end(self) -> None:
        """Tell the lane to end, once: a second signal would come while it clears up."""
        if self.pid and not self.is_ending:
            process.send_signal(self.pid, signal.SIGTERM)
            self.is_ending = True

    def stop(self) -> None:
        """End the lane, politely, and then for certain."""
        self.tasks.close()
        if self.pid:
            self.ask_to_end()
            until = monotonic() + PATIENCE
            while process.reap_if_ended(self.pid) is None and monotonic() < until:
                process.wait_for([], 0.01)
            process.kill(self.pid)
            process.reap(self.pid)
            self.pid = 0
        self.events.close()
        remove_scratch(self.options.scratch)
