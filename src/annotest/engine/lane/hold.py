"""The hold on the process of a worker: what is shared with it, and whether it still runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from signal import SIGCONT
from typing import TYPE_CHECKING

from annotest import process
from annotest.discovery.scan import ModuleFile
from annotest.engine.base.bases import Bases
from annotest.engine.worker.worker import Worker, WorkerOptions
from annotest.events import Event
from annotest.process.limits import Limits

if TYPE_CHECKING:
    from annotest.engine.child.attempt import Attempts, InProcess

POLL = 0.05


def attempts_below(
    worker: Worker, place: int, attempts: InProcess, call_limit: float, shielded: bool
) -> Attempts:
    """Return what makes attempts that may die, in processes below that of a worker."""
    # imported late: listing and writing need no Hypothesis
    if not worker.options.way.spawns:
        from annotest.engine.child.isolated import Isolated

        return Isolated(attempts, call_limit, shielded)
    from annotest.engine.lane.apart import Apart

    return Apart.below(worker, place, attempts, call_limit)


@dataclass
class Hold:
    """A worker's process, or none; with a shield before it, the process held is the shield's."""

    has_shield: bool
    board: process.Blackboard = field(default_factory=process.Blackboard)
    output: process.Output = field(default_factory=process.Output)
    segments: process.Segments = field(default_factory=process.Segments)
    pid: int = 0
    _status: int = 0

    def start(
        self,
        file: ModuleFile,
        options: WorkerOptions,
        limits: Limits,
        in_place: bool,
        bases: Bases | None = None,
    ) -> bool:
        """Start a worker; say whether it begins with what a base has imported."""
        self.jobs, self._events = process.Channel(), process.Channel()
        self.board.clear()
        self.output.clear()  # what an earlier worker printed does not count
        jobs, events = self.jobs, self._events
        board, output, segments = self.board, self.output, self.segments
        given = jobs, events, board, output, segments, limits, attempts_below, in_place
        worker = Worker(file, options, *given)
        begun = bases.start(worker) if bases else 0
        self.pid = begun or options.way.start_worker(worker)
        self.jobs.writing_end()
        self._events.reading_end()
        return begun > 0

    @property
    def worker(self) -> int:
        """The worker's own process."""
        return process.behind(self.pid) if self.has_shield else self.pid

    @property
    def phase(self) -> int:
        """What the worker was doing when it was last heard of."""
        return self.board.read().phase

    def next_event(self) -> Event | None:
        """Return what the worker tells next, or None for now; Gone when it has ended."""
        event: Event | None = self._events.receive(POLL)
        if event is None:
            # not by the pipe alone: what the code under test left running may keep it open
            self._check(process.reap_if_ended(self.pid))
            if process.is_stopped(self.pid) or process.is_stopped(self.worker):
                raise process.Gone  # by the code under test: it would never answer
        return event

    def check_shield(self) -> None:
        """Find out whether the user's code did something to the parent of its process."""
        if self.has_shield and self.pid:
            self._check(process.status_if_ended(self.pid))

    def _check(self, status: int | None) -> None:
        if status is not None:
            self.pid, self._status = 0, status
            raise process.Gone

    def wake(self, child: int) -> None:
        """Let a child go on that one of its own calls, made in another process, has stopped."""
        if self.phase == process.IDLE and process.is_stopped(child):
            process.send_signal(child, SIGCONT)

    def kill(self) -> int:
        """End the worker, if it has not ended, and all that it left; return how it ended."""
        if self.pid:
            process.kill(self.pid)
            self._status = process.reap(self.pid)
            self.pid = 0
        self.jobs.close()
        self._events.close()
        process.end_strays()
        self.segments.remove()
        self.segments.clear()
        return self._status

    def close(self) -> None:
        """Give back what is shared with workers."""
        self.board.close()
        self.output.close()
        self.segments.close()
