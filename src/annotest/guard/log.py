"""The log: what was blocked since the last call began, and whether it explains an exception."""

from __future__ import annotations

import builtins

from annotest.guard.data import NOTHING, Allowed, Blocked
from annotest.guard.explain import explanation
from annotest.guard.landlock import NO_KERNEL, Kernel

globals()["__builtins__"] = vars(builtins).copy()


class Log:
    """What the guard blocked in this process; a forked child has a log of its own.

    `kernel` says whether Landlock is on. A log made by hand is that of a process without a guard.
    """

    KEPT = 100

    def __init__(self, allowed: Allowed = NOTHING, kernel: Kernel = NO_KERNEL) -> None:
        self.kernel = kernel
        self._allowed = allowed
        self._blocked: dict[Blocked, None] = {}

    def start_call(self) -> None:
        """Forget what the last call did."""
        if self._blocked:
            self._blocked = {}

    @property
    def blocked(self) -> tuple[Blocked, ...]:
        """What was blocked since the last start of a call, each thing once, in order."""
        return tuple(self._blocked)

    def add(self, blocked: Blocked) -> None:
        """Keep one thing that was blocked; beyond the first hundred, no more."""
        if len(self._blocked) < self.KEPT:
            self._blocked[blocked] = None

    def explains(self, error: BaseException) -> Blocked | None:
        """Return what the guard blocked if that is what an exception comes from."""
        return explanation(error, self._allowed, self.kernel)
