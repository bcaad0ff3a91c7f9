"""Limits on a child: time, memory, output. Whoever watches the child kills it."""

from __future__ import annotations

from time import monotonic

from annotest.kinds import Kind
from annotest.plan.lazy import MOST_ITEMS
from annotest.process.board import CALLING, IDLE, Blackboard
from annotest.process.children import PAGE, all_started
from annotest.process.output import Output
from annotest.process.own import open_file
from annotest.records import record

KILOBYTE, MEGABYTE = 1 << 10, 1 << 20
TREE_EVERY = 0.5
LEAST_PLANNING, MOST_PLANNING = 2.0, 10.0


@record
class Limits:
    """What a call, an import and a child may use: seconds of wall-clock time, and bytes.

    Of a lazy result `items` are taken at most, during a share of the time of a call.
    """

    call: float = 60.0
    items: int = MOST_ITEMS
    items_share: float = 0.05
    imports: float = 300.0
    memory: int = 0
    output: int = 100 * MEGABYTE
    target: float = 600.0
    shrink: float = 30.0

    def seconds_of_items(self, timeout: float | None) -> float:
        """How long items of a lazy result are taken, of a target with a time limit of its own."""
        return self.items_share * (timeout or self.call)

    @property
    def planning(self) -> float:
        """How long the annotations of a module may take to read before that is done with care."""
        return max(LEAST_PLANNING, min(MOST_PLANNING, self.call))


def size_text(count: int) -> str:
    """Return a number of bytes as a user would write it."""
    for unit, size in (("MB", MEGABYTE), ("KB", KILOBYTE)):
        if count >= 10 * size or (count >= size and count % size == 0):
            return f"{count // size:,} {unit}"
    return f"{count:,} bytes"


class Watch:
    """Looks after one child while it runs, and after what it starts unless somebody else does."""

    def __init__(
        self,
        limits: Limits,
        call_limit: float,
        board: Blackboard,
        out: Output,
        with_started: bool = True,
    ) -> None:
        self._limits = limits
        self._call_limit = call_limit
        self._board = board
        self._output = out
        self._with_started = with_started
        self._tree_at = monotonic()  # looking through all processes takes a while: not at once

    def exceeded(self, pid: int) -> Kind | None:
        """Return what a child fails of that has gone past a limit."""
        if self._overruns():
            return Kind.TIMEOUT
        if self._prints_too_much():
            return Kind.OUTPUT
        if self._limits.memory and self._memory(pid) > self._limits.memory:
            return Kind.MEMORY
        return None

    def _overruns(self) -> bool:
        phase, since, _ = self._board.read()
        limit = self._call_limit
        if phase != CALLING:  # drawing and building have the usual limit, or more
            limit = max(limit, self._limits.call)
        return phase != IDLE and monotonic() - since > limit

    def _prints_too_much(self) -> bool:
        start = self._board.output_start()  # before the size, which the child may make smaller
        return 0 < self._limits.output < self._output.size - start

    def _memory(self, pid: int) -> int:
        now = monotonic()
        if not self._with_started or now - self._tree_at < TREE_EVERY:
            return resident(pid)
        self._tree_at = now
        tree = all_started(pid)
        total = sum(process.memory for process in tree)
        if total > self._limits.memory and len(tree) > 1:
            # forked processes share pages: count each page once
            total = sum(
                _kilobytes(f"/proc/{process.pid}/smaps_rollup", b"Pss:", process.memory)
                for process in tree
            )
        return total


def resident(pid: int) -> int:
    """Return a process's resident memory in bytes; 0 where it is not known."""
    try:
        with open_file(f"/proc/{pid}/statm", "rb") as file:
            return int(file.read().split()[1]) * PAGE
    except (OSError, IndexError):
        return 0


def _kilobytes(path: str, label: bytes, otherwise: int = 0) -> int:
    """Return the bytes that a line of a file under /proc tells of, or something else without it."""
    try:
        with open_file(path, "rb") as file:
            lines = file.read().splitlines()
    except OSError:
        return otherwise
    return next(
        (int(line.split()[1]) * KILOBYTE for line in lines if line.startswith(label)), otherwise
    )


def machine_memory() -> int:
    """Return how much memory this process and its children may use, in bytes; 0 if unknown."""
    limits = [_kilobytes("/proc/meminfo", b"MemAvailable:"), *map(_number, _CGROUP_FILES)]
    return min((limit for limit in limits if limit), default=0)


_CGROUP_FILES = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def _number(path: str) -> int:
    try:
        with open_file(path, encoding="ascii") as file:
            return int(file.read())
    except (OSError, ValueError):  # no such file, or "max"
        return 0
