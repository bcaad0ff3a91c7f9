"""The supervising side of a worker: jobs sent, events read, limits enforced, deaths survived."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import monotonic

from annotest import process
from annotest.discovery.scan import ModuleFile
from annotest.engine.jobs import Job, OpenModule, WriteTests
from annotest.engine.lane.ended import Ended
from annotest.engine.postmortem import DUMP_SIGNAL
from annotest.engine.worker.importing import import_death
from annotest.engine.worker.options import WorkerOptions
from annotest.engine.worker.worker import Worker
from annotest.events import (
    AnnotestFailed,
    Discovered,
    Event,
    HowTested,
    Imported,
    ImportFailed,
    JobEnded,
    JobResult,
    JobStarted,
)
from annotest.kinds import Kind
from annotest.process.limits import Limits, size_text

POLL = 0.05
ANNOTATIONS = "its annotations were read"


class InternalError(Exception):
    """annotest itself failed in a child; the text is what the child printed."""


class ModuleWorker:
    """A worker and the hold on it.

    One that works in place, without children, is started afresh for each job, unless it is kept.
    """

    def __init__(
        self,
        file: ModuleFile,
        options: WorkerOptions,
        limits: Limits,
        listen: Callable[[Event], None],
        is_kept: bool = False,
    ) -> None:
        self.file = file
        self.limits = limits
        self.options = options
        self.listen = listen
        self._board = process.Blackboard()
        self._output = process.Output()
        self._segments = process.Segments()
        self._pid = self._status = 0
        self._is_kept = is_kept
        self._fresh_each_time = options.way.is_fresh(threads=1)
        self._has_shield = options.way.has_shield
        self._in_place = self.is_used = False
        self.imported: Imported | None = None
        self.import_failed: ImportFailed | None = None
        self.discovered: Discovered | None = None

    def start(self) -> None:
        """Start the worker and wait until it has looked at its module.

        Planning calls what preconditions call. Where that ends or hangs the worker, another one
        plans without.
        """
        self._start()
        if self.imported is not None and self.import_failed is not None and self.grows_careful():
            self._start()

    def grows_careful(self) -> bool:
        """Have the next worker call nothing that preconditions call; say if this one did."""
        if self.options.careful:
            return False
        self.options = replace(self.options, careful=True)
        self._kill()
        return True

    def _start(self) -> None:
        self._forget_module()
        self._in_place, self.is_used = self._fresh_each_time, False
        self._jobs, self._events = process.Channel(), process.Channel()
        worker = Worker(
            self.file,
            self.options,
            self._jobs,
            self._events,
            self._board,
            self._output,
            self._segments,
            self.limits,
            self._in_place,
        )
        self._board.clear()
        self._output.clear()  # what an earlier worker printed does not count
        self._pid = self.options.way.start_worker(worker)
        self._jobs.writing_end()
        self._events.reading_end()
        self._read_module()

    def _forget_module(self) -> None:
        self.imported, self.import_failed, self.discovered = None, None, None

    def opens_too(self, file: ModuleFile) -> bool:
        """Have a worker that is still in order look at another module too; say if it could."""
        if not self._pid or self._is_spent():
            return False
        self.file = file
        self._forget_module()
        self._output.clear()
        try:
            self._jobs.send(OpenModule(file))
            self._read_module()
        except (process.Gone, InternalError):
            return False
        return self.import_failed is None

    def _read_module(self) -> None:
        try:
            self._read_events_of_module()
            self._check_shield()
        except process.Gone:
            self._import_ended()

    def _read_events_of_module(self) -> None:
        until = monotonic() + self.limits.imports
        watch = process.Watch(self.limits, self.limits.imports, self._board, self._output)
        while self.discovered is None or self.imported is None:
            is_planning = self.imported is not None
            event = self._next_event()
            if event is not None:
                self._take_module(event)
                if self.imported is not None and not is_planning and not self.options.careful:
                    until = monotonic() + self.limits.planning
                continue
            exceeded = Kind.TIMEOUT if monotonic() > until else watch.exceeded(self._worker_id())
            if exceeded:
                self._kill()
                self._import_failure(*self._import_excess(exceeded))
                return

    def _worker_id(self) -> int:
        return process.behind(self._pid) if self._has_shield else self._pid

    def _next_event(self) -> Event | None:
        """Return what the worker tells next, or None for now; Gone when it has ended."""
        event: Event | None = self._events.receive(POLL)
        if event is None:
            # not by the pipe alone: what the code under test left running may keep it open
            status = process.reap_if_ended(self._pid)
            if status is not None:
                self._pid, self._status = 0, status
                raise process.Gone
            if process.is_stopped(self._pid) or process.is_stopped(self._worker_id()):
                raise process.Gone  # by the code under test: it would never answer
        return event

    def _buried(self) -> int:
        """Clean up after a worker that has ended; return its status."""
        if self._pid:
            process.kill(self._pid)  # it may live, and be of no use any more
            self._status = process.reap(self._pid)
            self._pid = 0
        self._kill()
        return self._status

    def _import_ended(self) -> None:
        status = self._buried()
        self.discovered = None
        if self.import_failed is None:
            what = process.describe_status(status)
            # what harms its parent may go on for a while
            is_reading = self.imported is not None and not process.was_sent(status)
            doing = ANNOTATIONS if is_reading else "the module was imported"
            self._import_failure(Kind.DIED, f"the process {what} while {doing}", what)

    def _take_module(self, event: Event) -> None:
        if isinstance(event, AnnotestFailed):
            raise InternalError(event.text)
        if isinstance(event, ImportFailed):
            self.import_failed = event
        elif isinstance(event, Imported):
            self.imported = event
            self._choose_processes(event.threads)
        elif isinstance(event, Discovered):
            self.discovered = event
        else:
            self.listen(event)

    def _choose_processes(self, threads: int) -> None:
        """Choose between forking children from the worker and starting afresh for each job."""
        self._fresh_each_time = self.options.way.is_fresh(threads)
        said = f"each target in {self.options.way.said(threads)}"
        self.listen(HowTested(self.file.path, said))

    def _import_excess(self, exceeded: Kind) -> tuple[Kind, str]:
        doing = "importing the module" if self.imported is None else "reading its annotations"
        if exceeded is Kind.TIMEOUT:
            return Kind.TIMEOUT, f"{doing} took longer than {self.limits.imports:g} s"
        limit = size_text(getattr(self.limits, exceeded))
        did = "used" if exceeded is Kind.MEMORY else "printed"
        of = " of memory" if exceeded is Kind.MEMORY else ""
        return exceeded, f"{doing} {did} more than {limit}{of}"

    def _import_failure(self, kind: Kind, message: str, ending: str = "") -> None:
        self.import_failed = import_death(self.file, kind, message, ending, self._output.tail())

    @property
    def is_running(self) -> bool:
        """Whether there is a worker; one that a job killed has been seen to be gone."""
        return self._pid != 0

    @property
    def phase(self) -> int:
        """What the worker was doing when it was last heard of."""
        return self._board.read().phase

    @property
    def output(self) -> str:
        """The end of what the worker has printed."""
        return self._output.tail()

    def stop(self) -> None:
        """End the worker and give everything back."""
        self._kill()
        self._board.close()
        self._output.close()
        self._segments.close()

    def _kill(self) -> None:
        if self._pid:
            process.kill(self._pid)
            process.reap(self._pid)
            self._pid = 0
        self._jobs.close()
        self._events.close()
        process.end_strays()
        self._segments.remove()
        self._segments.clear()

    def _is_spent(self) -> bool:
        """Say whether a running worker is not to do another job."""
        if not self._fresh_each_time or self._is_kept:
            return False
        return self.is_used or not self._in_place

    def ensure_running(self) -> None:
        """Start the worker, if there is none that may do a job."""
        if self._pid and not self._is_spent():
            return
        if self._pid:
            self._kill()
        self.start()
        if self.discovered is None:
            raise InternalError(f"{self.file.path} could be imported once, but not again")

    def do(
        self,
        job: Job,
        call_limit: float,
        listen: Callable[[Event], None] | None = None,
        limits: Limits | None = None,
    ) -> Ended:
        """Have one job done; kill the child when it goes past a limit.

        What the job tells goes to `listen`; both this and the limits are the worker's unless given.
        """
        self.ensure_running()
        self.is_used = not isinstance(job, WriteTests)  # which runs no code of the user's
        self._board.clear()
        self._board.start_log()
        ended, made = Ended(), self._segments.mark()
        try:
            self._jobs.send(job)
            watch = self._watch_over(job, call_limit, limits or self.limits)
            self._follow(ended, watch, listen or self.listen)
        except process.Gone:
            self._note_end(ended)
        if not self._in_place:  # which may use them again
            self._segments.remove(made)
        if ended.internal:
            raise InternalError(ended.internal)
        if not ended.exceeded:
            self._note_board(ended)
        if ended.took_worker and ended.phase == process.IDLE:
            ended.phase = process.CALLING  # a call did it, and came back before the end
        return ended

    def _note_end(self, ended: Ended) -> None:
        """Note that the worker itself has ended."""
        ended.status = self._buried()
        ended.output = self._output.tail()
        ended.took_worker = not self._in_place or process.was_sent(ended.status)

    def _watch_over(self, job: Job, call_limit: float, limits: Limits) -> process.Watch:
        """Return what watches a job; one that limits the calls in its own children has more."""
        if job.makes_calls_apart:
            limits = replace(limits, memory=2 * limits.memory, output=0)
        started = not job.makes_calls_apart
        return process.Watch(limits, call_limit, self._board, self._output, started)

    def _note_board(self, ended: Ended) -> None:
        reading = self._board.read()
        ended.phase, ended.recipe = reading.phase, reading.recipe
        ended.log = self._board.read_log()

    def _follow(self, ended: Ended, watch: process.Watch, listen: Callable[[Event], None]) -> None:
        child = self._worker_id() if self._in_place else 0
        looked_at = monotonic()
        while True:
            event = self._next_event()
            if isinstance(event, JobStarted):
                child = event.pid
            elif isinstance(event, JobEnded):
                self._check_shield()
                ended.status, ended.output = event.status, event.output
                return
            elif event is not None and not ended.exceeded:
                # what it says after that is not to be believed: the kill may have come in between
                _take(event, ended, listen)
            if child and not ended.exceeded and monotonic() - looked_at >= POLL:
                self._enforce(watch, child, ended)
                self._wake(child)
                looked_at = monotonic()

    def _check_shield(self) -> None:
        """Find out whether the user's code did something to the parent of its process."""
        if not self._has_shield or not self._pid:
            return
        status = process.status_if_ended(self._pid)
        if status is not None:
            self._pid, self._status = 0, status
            raise process.Gone

    def _wake(self, child: int) -> None:
        """Let a child go on that one of its own calls, made in another process, has stopped."""
        if self.phase == process.IDLE and process.is_stopped(child):
            process.resume(child)

    def _enforce(self, watch: process.Watch, child: int, ended: Ended) -> None:
        ended.exceeded = watch.exceeded(child)
        if ended.exceeded:
            # looked at before the child is disturbed: it may go on to its next input
            self._note_board(ended)
            process.ask_for_dump(child, DUMP_SIGNAL)
            process.kill(child)


def _take(event: Event, ended: Ended, listen: Callable[[Event], None]) -> None:
    if isinstance(event, JobResult):
        ended.results.append(event)
    elif isinstance(event, AnnotestFailed):
        ended.internal = event.text  # raised when the child has ended: its events are its own
    else:
        listen(event)
