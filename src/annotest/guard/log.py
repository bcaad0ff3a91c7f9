"""The log: what was blocked since the last call began, and whether it explains an exception."""

from __future__ import annotations

import builtins
from json import dumps, loads
from os import fstat, ftruncate, getpid, pread, write

from annotest.guard.data import NOTHING, Allowed, Blocked
from annotest.guard.explain import explanation
from annotest.guard.landlock import NO_KERNEL, Kernel
from annotest.process.memory import file_in_memory

globals()["__builtins__"] = vars(builtins).copy()


class Log:
    """What the guard blocked in this process, and in those that a call has forked.

    These write it to a file in memory that they share with the process of the call. `kernel` says
    whether Landlock is on. A log made by hand is that of a process without a guard.
    """

    KEPT = 100

    def __init__(self, allowed: Allowed = NOTHING, kernel: Kernel = NO_KERNEL) -> None:
        self.kernel = kernel
        self._allowed = allowed
        self._blocked: dict[Blocked, None] = {}
        self._pid = getpid()
        self._shared = file_in_memory(appends=True)

    def start_call(self) -> None:
        """Forget what the last call did; this process makes the next one."""
        if self._blocked:
            self._blocked = {}
        self._pid = getpid()
        descriptor = self._shared.fileno()
        if fstat(descriptor).st_size:
            ftruncate(descriptor, 0)

    @property
    def blocked(self) -> tuple[Blocked, ...]:
        """What was blocked since the last start of a call, each thing once, in order."""
        return tuple({**self._blocked, **dict.fromkeys(self._elsewhere())})

    def add(self, blocked: Blocked) -> None:
        """Keep one thing that was blocked; beyond the first hundred, no more."""
        if blocked in self._blocked or len(self._blocked) >= self.KEPT:
            return
        self._blocked[blocked] = None
        if getpid() != self._pid:
            line = dumps([blocked.action, blocked.what, blocked.allow])
            try:
                write(self._shared.fileno(), line.encode() + b"\n")
            except OSError:
                return  # closed by the code under test

    def _elsewhere(self) -> list[Blocked]:
        """Return what was blocked in processes that the call has forked."""
        descriptor = self._shared.fileno()
        try:
            text = pread(descriptor, fstat(descriptor).st_size, 0)
            return [Blocked(*loads(line)) for line in text.splitlines()]
        except (OSError, ValueError):  # closed by the code under test, or written to
            return []

    def explains(self, error: BaseException) -> Blocked | None:
        """Return what the guard blocked if that is what an exception comes from."""
        return explanation(error, self._allowed, self.kernel)
