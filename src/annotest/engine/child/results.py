"""What came of one attempt at a call, as plain data: it may come from another process."""

from __future__ import annotations

from enum import IntEnum

from annotest import guard
from annotest.errors import Mistake
from annotest.events import JobResult
from annotest.facts import Fault
from annotest.plan.recipe import Start
from annotest.records import record


class InputResult(IntEnum):
    """What came of one input, as one byte of the log."""

    RAN = 1
    KNOWN = 2
    REFUSED = 3
    UNBUILT = 4
    FAILED = 5
    WRONG = 6
    REPEATED = 7


INVALID = (InputResult.REFUSED, InputResult.UNBUILT)
# an input of an earlier shard counts as one of this shard, as if each were alone
REACHED = (InputResult.RAN, InputResult.FAILED, InputResult.REPEATED)


class OracleFailed(BaseException):
    """An oracle raised: annotest has failed, neither the call nor an annotation.

    Not an Exception, so that Hypothesis lets it through.
    """


@record
class Attempt:
    """What came of one attempt; plain data, as it may come from another process.

    `excuse` is what was prevented if that is why the attempt failed, `start` how the random numbers
    began of which a failing one has drawn some. `is_spoilt` says that no device can be used any
    more in the process that made it.
    """

    result: InputResult
    faults: tuple[Fault, ...] = ()
    mistake: Mistake | None = None
    prevented: tuple[guard.Blocked, ...] = ()
    excuse: guard.Blocked | None = None
    seconds: float = 0.0
    start: Start | None = None
    is_spoilt: bool = False


@record
class Attempted(JobResult):
    """An attempt made in another process, or how an oracle failed there.

    `tallied` says how often each precondition was asked and held there, and which refused.
    """

    attempt: Attempt | OracleFailed
    tallied: tuple[list[tuple[int, int]], int | None]
