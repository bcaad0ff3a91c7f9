"""What came of one attempt at a call, as plain data: it may come from another process."""

from __future__ import annotations

from dataclasses import dataclass

from annotest import guard
from annotest.errors import Mistake
from annotest.events import TargetInfo
from annotest.oracles.crash import Crash

# what came of an input, as one byte of the log
RAN, KNOWN, REFUSED, UNBUILT, FAILED, WRONG, REPEATED = range(1, 8)
INVALID = (REFUSED, UNBUILT)


@dataclass(frozen=True)
class Fault:
    """What went wrong: a crash, and whose it is."""

    kind: str
    info: TargetInfo
    crash: Crash
    output: str = ""


@dataclass(frozen=True)
class Outcome:
    """What came of one attempt; plain data, as it may come from another process."""

    result: int
    fault: Fault | None = None
    mistake: Mistake | None = None
    prevented: tuple[guard.Blocked, ...] = ()
    seconds: float = 0.0
