"""The supervising side of a worker: jobs sent, events read, limits enforced, deaths survived."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import monotonic

from annotest import process
from annotest.discovery.scan import ModuleFile
from annotest.engine.base.bases import Bases
from annotest.engine.jobs import Job, OpenModule, WriteTests
from annotest.engine.lane.ended import Ended
from annotest.engine.lane.hold import POLL, Hold
from annotest.engine.tasks import Opened
from annotest.engine.worker.importing import import_death
from annotest.engine.worker.worker import WorkerOptions
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
from annotest.kinds import Kind, Verdict
from annotest.process.limits import Limits, size_text

ANNOTATIONS = "its annotations were read"


class InternalError(Exception):
    """annotest itself failed in a child, which told what it could."""

    def __init__(self, told: AnnotestFailed) -> None:
        super().__init__(told.text)
        self.told = told


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
        bases: Bases | None = None,
    ) -> None:
        self.file = file
        self.limits = limits
        self.options = options
        self.listen = listen
        self.opened = Opened()
        self._hold = Hold(options.way.has_shield)
        self._is_kept = is_kept
        self._bases = bases
        self._fresh_each_time = options.way.is_fresh(threads=1)
        self._in_place = self.is_used = False

    def start(self) -> None:
        """Start the worker and wait until it has looked at its module.

        Planning calls what preconditions call. Where that ends or hangs the worker, another one
        plans without.
        """
        self._start()
        if self.opened.imported and self.opened.import_failed and self.grows_careful():
            self._start()

    def grows_careful(self) -> bool:
        """Have the next worker call nothing that preconditions call; say if this one did."""
        if self.options.careful:
            return False
        self.options = replace(self.options, careful=True)
        self._hold.kill()
        return True

    def _start(self) -> None:
        self._in_place, self.is_used = self._fresh_each_time, False
        given = self.file, self.options, self.limits, self._in_place
        from_base = self._hold.start(*given, self._bases)
        self._read_module()
        failed = self.opened.import_failed
        if from_base and failed and failed.failure.verdict is not Verdict.ENVIRONMENT:
            # judged by itself: what others share may have been imported in another order
            self._bases = None
            self._hold.kill()
            self._start()

    def opens_too(self, file: ModuleFile) -> bool:
        """Have a worker that is still in order look at another module too; say if it could."""
        if not self.is_running or self._is_spent():
            return False
        self.file = file
        self._hold.output.clear()
        try:
            self._hold.jobs.send(OpenModule(file))
            self._read_module()
        except (process.Gone, InternalError):
            return False
        return self.opened.import_failed is None

    def _read_module(self) -> None:
        self.opened = Opened()
        try:
            self._read_events_of_module()
            self._hold.check_shield()
        except process.Gone:
            self._import_ended(self._hold.kill())

    def _read_events_of_module(self) -> None:
        until = monotonic() + self.limits.imports
        watch = process.Watch(self.limits, self.limits.imports, self._hold.board, self._hold.output)
        while not (self.opened.discovered and self.opened.imported):
            event = self._hold.next_event()
            if event is not None:
                self._take_module(event)
                if isinstance(event, Imported) and not self.options.careful:
                    until = monotonic() + self.limits.planning
                continue
            exceeded = Kind.TIMEOUT if monotonic() > until else watch.exceeded(self._hold.worker)
            if exceeded:
                self._hold.kill()
                self._import_failure(*self._import_excess(exceeded))
                return

    def _import_ended(self, status: int) -> None:
        failed, imported = self.opened.import_failed, self.opened.imported
        self.opened = replace(self.opened, discovered=None)
        if failed is None:
            what = process.describe_status(status)
            # what harms its parent may go on for a while
            is_reading = imported is not None and not process.was_sent(status)
            doing = ANNOTATIONS if is_reading else "the module was imported"
            self._import_failure(Kind.DIED, f"the process {what} while {doing}", what)

    def _take_module(self, event: Event) -> None:
        if isinstance(event, AnnotestFailed):
            raise InternalError(event)
        if isinstance(event, ImportFailed):
            self.opened = replace(self.opened, import_failed=event)
        elif isinstance(event, Imported):
            self.opened = replace(self.opened, imported=event)
            self._choose_processes(event.threads)
        elif isinstance(event, Discovered):
            self.opened = replace(self.opened, discovered=event)
        else:
            self.listen(event)

    def _choose_processes(self, threads: int) -> None:
        """Choose between forking children from the worker and starting afresh for each job."""
        self._fresh_each_time = self.options.way.is_fresh(threads)
        said = f"each target in {self.options.way.said(threads)}"
        self.listen(HowTested(self.file.path, said))

    def _import_excess(self, exceeded: Kind) -> tuple[Kind, str]:
        is_reading = self.opened.imported is not None
        doing = "reading its annotations" if is_reading else "importing the module"
        if exceeded is Kind.TIMEOUT:
            return Kind.TIMEOUT, f"{doing} took longer than {self.limits.imports:g} s"
        limit = size_text(getattr(self.limits, exceeded))
        did = "used" if exceeded is Kind.MEMORY else "printed"
        of = " of memory" if exceeded is Kind.MEMORY else ""
        return exceeded, f"{doing} {did} more than {limit}{of}"

    def _import_failure(self, kind: Kind, message: str, ending: str = "") -> None:
        failed = import_death(self.file, kind, message, ending, self.output)
        self.opened = replace(self.opened, import_failed=failed)

    @property
    def is_running(self) -> bool:
        """Whether there is a worker; one that a job killed has been seen to be gone."""
        return self._hold.pid != 0

    @property
    def phase(self) -> int:
        """What the worker was doing when it was last heard of."""
        return self._hold.phase

    @property
    def output(self) -> str:
        """The end of what the worker has printed."""
        return self._hold.output.tail()

    def stop(self) -> None:
        """End the worker and give everything back."""
        self._hold.kill()
        self._hold.close()

    def _is_spent(self) -> bool:
        """Say whether a running worker is not to do another job."""
        if not self._fresh_each_time or self._is_kept:
            return False
        return self.is_used or not self._in_place

    def ensure_running(self) -> None:
        """Start the worker, if there is none that may do a job."""
        if self.is_running:
            if not self._is_spent():
                return
            self._hold.kill()
        self.start()
        if self.opened.discovered is None:
            said = f"{self.file.path} could be imported once, but not again"
            raise InternalError(AnnotestFailed(said))

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
        hold = self._hold
        hold.board.clear()
        hold.board.start_log()
        ended, made = Ended(), hold.segments.mark()
        try:
            hold.jobs.send(job)
            watch = self._watch_over(job, call_limit, limits or self.limits)
            self._follow(ended, watch, listen or self.listen)
        except process.Gone:  # the worker itself has ended
            ended.status = hold.kill()
            ended.output = self.output
            ended.took_worker = not self._in_place or process.was_sent(ended.status)
        if not self._in_place:  # which may use them again
            hold.segments.remove(made)
        if ended.internal:
            raise InternalError(ended.internal)
        if not ended.exceeded:
            self._note_board(ended)
        if ended.took_worker and ended.phase == process.IDLE:
            ended.phase = process.CALLING  # a call did it, and came back before the end
        return ended

    def _watch_over(self, job: Job, call_limit: float, limits: Limits) -> process.Watch:
        """Return what watches a job; one that limits the calls in its own children has more."""
        if job.makes_calls_apart:
            limits = replace(limits, memory=2 * limits.memory, output=0)
        started = not job.makes_calls_apart
        return process.Watch(limits, call_limit, self._hold.board, self._hold.output, started)

    def _note_board(self, ended: Ended) -> None:
        reading = self._hold.board.read()
        ended.phase, ended.recipe = reading.phase, reading.recipe
        ended.log = self._hold.board.read_log()

    def _follow(self, ended: Ended, watch: process.Watch, listen: Callable[[Event], None]) -> None:
        child = self._hold.worker if self._in_place else 0
        looked_at = monotonic()
        while True:
            event = self._hold.next_event()
            if isinstance(event, JobStarted):
                child = event.pid
            elif isinstance(event, JobEnded):
                self._hold.check_shield()
                ended.status, ended.output = event.status, event.output
                return
            elif event is not None and not ended.exceeded:
                # what it says after that is not to be believed: the kill may have come in between
                _take(event, ended, listen)
            if child and not ended.exceeded and monotonic() - looked_at >= POLL:
                self._enforce(watch, child, ended)
                self._hold.wake(child)
                looked_at = monotonic()

    def _enforce(self, watch: process.Watch, child: int, ended: Ended) -> None:
        ended.exceeded = watch.exceeded(child)
        if ended.exceeded:
            # looked at before the child is disturbed: it may go on to its next input
            self._note_board(ended)
            hangs = ended.exceeded is Kind.TIMEOUT
            process.ask_for_dump(child, self._hold.output, hangs)
            process.kill(child)


def _take(event: Event, ended: Ended, listen: Callable[[Event], None]) -> None:
    if isinstance(event, JobResult):
        ended.results.append(event)
    elif isinstance(event, AnnotestFailed):
        ended.internal = event  # raised when the child has ended: its events are its own
    else:
        listen(event)
