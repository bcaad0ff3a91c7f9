"""What a worker must know, and how processes come to be."""

from __future__ import annotations

from signal import SIGKILL
from typing import TYPE_CHECKING, Protocol

from annotest import guard, process
from annotest.records import record

if TYPE_CHECKING:  # listing and writing need no Hypothesis
    from annotest.engine.child.attempt import Attempts, InProcess
    from annotest.engine.worker.worker import Worker


class ProcessWay(Protocol):
    """How the processes of a run come to be; all that depends on it is asked of it."""

    @property
    def forks(self) -> bool:
        """Whether processes begin with what their parent has imported."""

    @property
    def has_shield(self) -> bool:
        """Whether a process stands between a worker and its lane."""

    def is_fresh(self, threads: int) -> bool:
        """Say whether each job has a worker of its own, where importing left so many threads."""

    def said(self, threads: int) -> str:
        """Say in what each target is tested, and why."""

    def start(self, program: process.Program, parent_death: int = SIGKILL) -> int:
        """Run a program of ours in a process of its own; return the id of that."""

    def start_worker(self, worker: Worker) -> int:
        """Run a worker, behind a shield if there is one, whose id is then returned."""

    def from_here(self) -> ProcessWay:
        """Return the way by which processes begin as this one is now."""

    def apart(
        self, worker: Worker, place: int, attempts: InProcess, call_limit: float, shielded: bool
    ) -> Attempts:
        """Return what makes attempts that may die, for a target of a worker."""


@record
class WorkerOptions:
    """What a worker must know to look at its module."""

    way: ProcessWay
    every: bool = False
    folders: tuple[str, ...] = ()
    scanned: frozenset[str] = frozenset()
    allowed: guard.Allowed | None = None
    scratch: str = ""
    searches: bool = False
    careful: bool = False
