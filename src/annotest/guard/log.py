"""The log: what was blocked since the last call began, and whether it explains an exception."""

from __future__ import annotations

import builtins
import os
from json import dumps, loads
from os import _exit, fstat, ftruncate, getpid, pread, write
from typing import NoReturn

from annotest.guard.data import NOTHING, Allowed, Blocked
from annotest.guard.explain import explanation, printed_by_what_ended
from annotest.guard.landlock import NO_KERNEL, Kernel
from annotest.process.memory import file_in_memory

globals()["__builtins__"] = vars(builtins).copy()

_TOLD = 3


class Log:
    """What the guard blocked in this process, and in those that it or a call has forked.

    These write it to a file in memory that they share: one may die, and another judge that.
    `kernel` says whether Landlock is on. A log made by hand is that of a process without a guard.
    """

    KEPT = 100

    def __init__(self, allowed: Allowed = NOTHING, kernel: Kernel = NO_KERNEL) -> None:
        self.kernel = kernel
        self._allowed = allowed
        self._blocked: dict[Blocked, None] = {}
        self._at_import: tuple[Blocked, ...] = ()
        self._last: tuple[int, Blocked] | None = None  # with the process that it was blocked in
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
        return tuple({**self._blocked, **self._elsewhere()})

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a person must know of a failure that is not explained by what was blocked."""
        before = {"before it": self.blocked, "while it was imported": self._at_import}
        return tuple(
            f"prevented {when}: {self._listed(blocked)}"
            for when, blocked in before.items()
            if blocked
        )

    def _listed(self, blocked: tuple[Blocked, ...]) -> str:
        more = [f"{len(blocked) - _TOLD} more"] if len(blocked) > _TOLD else []
        return ", ".join([*map(self._allowed.shown, blocked[:_TOLD]), *more])

    def end_import(self) -> None:
        """Remember what was blocked while the module was imported: calls may feel it."""
        self._at_import = self.blocked
        self.start_call()

    def add(self, blocked: Blocked) -> None:
        """Keep one thing that was blocked; beyond the first hundred, no more."""
        self._last = getpid(), blocked
        if blocked in self._blocked or len(self._blocked) >= self.KEPT:
            return
        self._blocked[blocked] = None
        self._share(blocked, False)

    def watch_ends(self) -> None:
        """Note which processes that a call forks are refused something and end with a status."""

        def leave(status: int) -> NoReturn:
            if status and self._last and self._last[0] == getpid() != self._pid:
                self._share(self._last[1], True)
            _exit(status)

        os._exit = leave

    def _share(self, blocked: Blocked, ended: bool) -> None:
        try:
            line = dumps([[blocked.action, blocked.what, blocked.allow], ended, getpid()])
            write(self._shared.fileno(), line.encode() + b"\n")
        except Exception:
            return  # code under test has closed the file, or replaced what this stands on

    def _elsewhere(self) -> dict[Blocked, bool]:
        """Return what was blocked in other processes, and whether these ended for it."""
        descriptor = self._shared.fileno()
        try:
            text = pread(descriptor, fstat(descriptor).st_size, 0)
            lines = [loads(line) for line in text.splitlines()]
            return {Blocked(*blocked): ended for blocked, ended, pid in lines if pid != getpid()}
        except (OSError, ValueError, TypeError):  # closed by the code under test, or written to
            return {}

    def explains(self, error: BaseException, printed: str = "") -> Blocked | None:
        """Return what the guard blocked if that is what an exception comes from.

        A process or a thread of the call may have ended for it, and the exception tell of that
        only: then the process had a status, or either has `printed` what it ended with.
        """
        explained = explanation(error, self._allowed, self.kernel, self.blocked)
        elsewhere = self._elsewhere()
        ended = [blocked for blocked, has_ended in elsewhere.items() if has_ended]
        return explained or next(iter(ended), None) or printed_by_what_ended(printed, elsewhere)
