"""A lane: a process of our own that takes tasks, one at a time, and supervises their workers.

It never imports the code under test. When the process that started it ends, however it ends, the
lane ends everything below it and goes too.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NoReturn

from annotest import process
from annotest.discovery.scan import ModuleFile
from annotest.engine.base.bases import Bases
from annotest.engine.base.sharing import Chains
from annotest.engine.keeping import Journal, JournalRecord, Keep, Suspect, Withdraw
from annotest.engine.lane.supervisor import InternalError, ModuleWorker
from annotest.engine.lane.target import TargetRun
from annotest.engine.scratch import clear_scratch, make_scratch, remove_scratch
from annotest.engine.tasks import (
    Answer,
    Open,
    Opened,
    Searched,
    SearchTarget,
    Settle,
    Settled,
    Task,
    TaskFailed,
)
from annotest.engine.worker.worker import WorkerOptions
from annotest.events import AnnotestFailed, Event, FailureFound, FailureSuspected
from annotest.facts import Failure
from annotest.process.limits import Limits


class _Ends(BaseException):
    """This process has been told to end."""


@dataclass
class Lane:
    """The lane's own side."""

    files: tuple[ModuleFile, ...]
    options: WorkerOptions
    limits: Limits
    journal: Journal
    chains: Chains
    tasks: process.Channel
    events: process.Channel
    _worker: ModuleWorker | None = field(default=None, init=False)
    _is_settling: bool = field(default=False, init=False)

    def run(self) -> None:
        """Do tasks until there are no more, or nobody is left who wants them done."""
        self.tasks.reading_end()
        self.events.writing_end()
        signal.signal(signal.SIGTERM, _end)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        process.adopt_orphans()
        make_scratch(self.options.scratch)
        self._bases = Bases(self.chains, self.options, self.limits)
        try:
            while True:
                self.events.send(self._do(self.tasks.receive()))
                clear_scratch(self.options.scratch)
        except (_Ends, process.Gone):
            return
        finally:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            try:
                self._close()
                self._bases.close()
            finally:  # whatever state the worker was in
                process.end_strays()
                remove_scratch(self.options.scratch)
                with suppress(OSError):  # the run's, if we are the last
                    os.rmdir(os.path.dirname(self.options.scratch))

    def failed(self, text: str) -> None:
        """Tell that annotest itself failed in this process."""
        self.events.send(AnnotestFailed(text))

    def _listen(self, event: Event) -> None:
        if isinstance(event, FailureSuspected) and event.failure.is_finding:
            self._write(Suspect, event.failure)
        elif isinstance(event, FailureFound) and event.failure.is_finding:
            # on disk before anybody is told; what is met while another one is made smaller may
            # have been made smaller by another lane
            is_final = event.failure.final or not self._is_settling
            self._write(Keep if is_final else Suspect, event.failure)
        self.events.send(event)
        for warning in self.journal.new_warnings():
            self.events.send(warning)

    def _write(self, kind: type[JournalRecord], failure: Failure) -> None:
        assert self._worker is not None
        self.journal.write(kind(failure, self._worker.file.path))

    def _do(self, task: Task) -> Answer:
        try:
            return _DOING[type(task)](self, task)
        except InternalError as error:
            return TaskFailed(error.told)

    def _open(self, task: Task) -> Opened:
        self._close()
        given = self.files[task.module], self.options, self.limits, self._listen
        self._worker = worker = ModuleWorker(*given, bases=self._bases)
        worker.start()
        failed = worker.opened.import_failed
        if failed is not None and failed.failure.is_finding:
            self._write(Keep, failed.failure)
        return worker.opened

    def _close(self) -> None:
        if self._worker is not None:
            worker, self._worker = self._worker, None
            worker.stop()

    def _search(self, task: SearchTarget) -> Searched:
        run = self._target(task)
        results = run.search(task.options)
        self._clear_up(run)
        return Searched(results, tuple(run.failures.values()))

    def _settle(self, task: Settle) -> Settled:
        run = self._target(task)
        self._is_settling = True
        try:
            run.settle(task.failure, task.slowest, task.max_seconds)
        finally:
            self._is_settling = False
        self._clear_up(run)
        key = task.failure.fingerprint
        return Settled(
            tuple(failure for failure in run.failures.values() if failure.fingerprint != key)
        )

    def _clear_up(self, run: TargetRun) -> None:
        """Forget the calls that were suspected and did it only once."""
        for suspected in run.suspected:
            if suspected.fingerprint not in run.failures:
                self._write(Withdraw, suspected)

    def _target(self, task: SearchTarget | Settle) -> TargetRun:
        file = self.files[task.module]
        if self._worker is None or self._worker.file is not file:
            self._open(task)
        assert self._worker is not None
        if self._worker.opened.discovered is None:
            said = f"{file.path} could be imported once, but not again"
            raise InternalError(AnnotestFailed(said))
        return TargetRun(self._worker, task.place, task.info, self._listen)


_DOING: dict[type, Callable[[Lane, Any], Answer]] = {
    Open: Lane._open,
    SearchTarget: Lane._search,
    Settle: Lane._settle,
}


def _end(number: int, frame: object) -> NoReturn:
    raise _Ends
