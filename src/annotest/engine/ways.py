"""How processes come to be: forked from others, or spawned where nothing is to be forked."""

from __future__ import annotations

from signal import SIGKILL

from annotest import process
from annotest.errors import UsageError
from annotest.records import record

# the processes that targets are tested in: forks of the one that imported their module, or fresh
# ones that import it again, which are spawned where nothing is to be forked at all
AUTO, FORK, FRESH, SPAWN = "auto", "fork", "fresh", "spawn"


def way_of(asked: str) -> ProcessWay:
    """Return the way of making processes that was asked for, or that this system has."""
    if asked == FORK and not process.can_fork():
        raise UsageError("--processes fork: this system cannot fork; leave the option out")
    return ProcessWay(asked, spawns=asked == SPAWN or not process.can_fork())


@record
class ProcessWay:
    """How the processes of a run come to be; all that depends on it is asked of it.

    Either lanes and workers are forks of the parent, which has imported what they share. Or each
    process is a new Python, begun on the ground of the one that spawned it.
    """

    asked: str
    spawns: bool
    ground: process.Ground | None = None

    @property
    def has_shield(self) -> bool:
        """Whether a process stands between a worker and its lane."""
        # what runs in that very process may harm its parent, which is not to be one of ours
        return process.CAN_SHIELD and not self.spawns

    def is_fresh(self, threads: int) -> bool:
        """Say whether each job has a worker of its own, where importing left so many threads."""
        return self.spawns or self.asked == FRESH or (self.asked == AUTO and threads > 1)

    def said(self, threads: int) -> str:
        """Say in what each target is tested, and why."""
        how = "a fresh process" if self.is_fresh(threads) else "a fork of the imported module"
        why = "importing it left no threads running"
        if self.asked != AUTO:
            why = f"asked for with --processes {self.asked}"
        elif self.spawns:
            why = "this system cannot fork"
        elif threads > 1:
            why = f"importing it left {threads} threads running, which do not survive a fork"
        return f"{how}{', spawned' * self.spawns}: {why}"

    @property
    def has_bases(self) -> bool:
        """Whether workers may be forked from processes that have imported what modules share."""
        # it takes a system on which the processes of another one can be adopted
        return self.has_shield and self.asked != FRESH

    def start(self, program: process.Program, parent_death: int = SIGKILL) -> int:
        """Run a program of ours in a process of its own; return the id of that."""
        if self.spawns:
            return process.spawn(program, parent_death, self.ground or process.Ground.here())
        return process.fork(program.run, program.failed, parent_death)

    def start_worker(self, worker: process.Program, adopted_by: int = 0) -> int:
        """Run a worker, behind a shield if there is one, whose id is then returned.

        With `adopted_by` it becomes a child of that process as soon as this one ends.
        """
        if not self.has_shield:
            return self.start(worker)
        return process.shielded(lambda: self.start(worker), worker.failed, adopted_by)

    def from_here(self) -> ProcessWay:
        """Return the way by which processes begin as this one is now."""
        return ProcessWay(self.asked, self.spawns, process.Ground.here() if self.spawns else None)
