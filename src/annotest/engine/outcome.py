"""What came of one attempt at a call, as plain data: it may come from another process."""

from __future__ import annotations

from typing import Any

from annotest import guard
from annotest.errors import Mistake
from annotest.events import Failure, InputDescribed, TargetInfo
from annotest.frozen import frozen
from annotest.oracles.crash import Crash

# what came of an input, as one byte of the log
RAN, KNOWN, REFUSED, UNBUILT, FAILED, WRONG, REPEATED = range(1, 8)
INVALID = (REFUSED, UNBUILT)


@frozen
class Fault:
    """What went wrong: a crash, and whose it is."""

    kind: str
    info: TargetInfo
    crash: Crash
    output: str = ""

    def on(self, described: InputDescribed, seen_in: str, **more: Any) -> Failure:
        """Return the failure that this fault makes of an input, seen in a target."""
        crash = self.crash
        return Failure(
            self.info,
            self.kind,
            crash.fingerprint,
            crash.exception_type,
            crash.message,
            crash.frames,
            crash.location,
            described.call,
            described.inputs,
            seen_in=seen_in,
            output=self.output,
            **more,
        )


@frozen
class Outcome:
    """What came of one attempt; plain data, as it may come from another process."""

    result: int
    fault: Fault | None = None
    mistake: Mistake | None = None
    prevented: tuple[guard.Blocked, ...] = ()
    seconds: float = 0.0


@frozen
class Attempted:
    """An attempt made in another process.

    `tallied` says how often each precondition was asked and held there, and which refused.
    """

    outcome: Outcome
    tallied: tuple[list[tuple[int, int]], int | None]
