"""How processes come to be: forked from others, or spawned where nothing is to be forked."""

from __future__ import annotations

from signal import SIGKILL
from typing import TYPE_CHECKING

from annotest import process
from annotest.engine.options import AUTO, FORK, FRESH, SPAWN
from annotest.engine.worker.options import ProcessWay
from annotest.engine.worker.worker import Worker
from annotest.errors import UsageError
from annotest.events import Event
from annotest.records import record

if TYPE_CHECKING:  # listing and writing need no Hypothesis
    from annotest.engine.child.attempt import Attempts, InProcess


def way_of(asked: str) -> ProcessWay:
    """Return the way of making processes that was asked for, or that this system has."""
    if asked == FORK and not process.can_fork():
        raise UsageError("--processes fork: this system cannot fork; leave the option out")
    spawns = asked == SPAWN or not process.can_fork()
    return Spawning(asked) if spawns else Forking(asked)


@record
class Forking:
    """Lanes and workers are forks of the parent, which has imported what they share."""

    asked: str = AUTO

    @property
    def forks(self) -> bool:
        return True

    @property
    def has_shield(self) -> bool:
        # what runs in that very process may harm its parent, which is not to be one of ours
        return process.CAN_SHIELD

    def is_fresh(self, threads: int) -> bool:
        return self.asked == FRESH or (self.asked == AUTO and threads > 1)

    def said(self, threads: int) -> str:
        how = "a fresh process" if self.is_fresh(threads) else "a fork of the imported module"
        why = "importing it left no threads running"
        if threads > 1:
            why = f"importing it left {threads} threads running, which do not survive a fork"
        return f"{how}: {why if self.asked == AUTO else _asked_for(self.asked)}"

    def start(self, program: process.Program, parent_death: int = SIGKILL) -> int:
        return process.fork(program.run, program.failed, parent_death)

    def start_worker(self, worker: Worker) -> int:
        if not self.has_shield:
            return self.start(worker)
        return process.shielded(lambda: self.start(worker), worker.failed)

    def from_here(self) -> Forking:
        return self

    def apart(
        self, worker: Worker, place: int, attempts: InProcess, call_limit: float, shielded: bool
    ) -> Attempts:
        from annotest.engine.child.isolated import Isolated

        return Isolated(attempts, call_limit, shielded)


@record
class Spawning:
    """Each process is a new Python, begun on the ground of the one that spawned it."""

    asked: str = SPAWN
    ground: process.Ground | None = None

    @property
    def forks(self) -> bool:
        return False

    @property
    def has_shield(self) -> bool:
        return False

    def is_fresh(self, threads: int) -> bool:
        return True

    def said(self, threads: int) -> str:
        why = "this system cannot fork" if self.asked == AUTO else _asked_for(self.asked)
        return f"a fresh process, spawned: {why}"

    def start(self, program: process.Program, parent_death: int = SIGKILL) -> int:
        return process.spawn(program, parent_death, self.ground or process.Ground.here())

    def start_worker(self, worker: Worker) -> int:
        return self.start(worker)

    def from_here(self) -> Spawning:
        return Spawning(self.asked, process.Ground.here())

    def apart(
        self, worker: Worker, place: int, attempts: InProcess, call_limit: float, shielded: bool
    ) -> Attempts:
        from annotest.engine.lane.apart import Apart
        from annotest.engine.lane.supervisor import ModuleWorker

        given = (worker.file, worker.options, worker.limits, _ignore)
        return Apart(attempts, ModuleWorker(*given, is_kept=True), place, call_limit)


def _asked_for(asked: str) -> str:
    return f"asked for with --processes {asked}"


def _ignore(event: Event) -> None:
    """Tell nobody: what a worker says of its module has been told."""
