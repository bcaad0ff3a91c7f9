"""What an oracle is: it sees a call before and after, may have it made again, and finds faults.

A new oracle is one file with a class that has the methods of `Oracle`, and one call of
`annotest.oracles.register`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from annotest.errors import Site
from annotest.facts import Fault
from annotest.kinds import Kind
from annotest.oracles import fingerprints
from annotest.oracles.project import Project
from annotest.records import record

if TYPE_CHECKING:  # reports need an oracle's words, and no targets
    from annotest.discovery.targets import Target


@record
class Returned:
    """The call came back; of a generator the items, of a coroutine what it came to."""

    value: Any


@record
class Raised:
    """The call ended with an exception, which leaving with `sys.exit` is too."""

    error: BaseException


Outcome = Returned | Raised

# makes the call once more, with other values for some arguments, and gives what came of that
Again = Callable[[Mapping[str, Any]], Outcome]


@record
class TargetCall:
    """One call of a target: `values` are the arguments that are passed, by name.

    After the call they are the same objects, as the call has left them.
    """

    target: Target
    project: Project
    values: dict[str, Any]

    def fault(self, oracle: str, message: str, what: str = "") -> Fault:
        """Return what an oracle other than the crash oracle has against this call.

        `what` tells the faults apart that one oracle may find with one target. It is part of the
        finding's identity, so it holds names and no values.
        """
        info = self.target.info
        key = fingerprints.of_promise(oracle, info.id, what)
        place = Site(info.file, info.line)
        return Fault(info, Kind.ORACLE, oracle, key, message=message, location=place)


class Oracle(Protocol):
    """Says what is wrong with a call.

    Every oracle is asked about every call, in the order of their registration, also about one
    that raised: the crash oracle speaks then, and others may stay silent. Each fault with a
    fingerprint of its own becomes a failure of its own, and is shrunk by itself. A call that
    raises because the guard refused it something is not held against its function, whatever an
    oracle says. Where the process dies no oracle is asked: the engine speaks for the crash oracle.

    What an oracle raises is its own error: annotest has failed then, not the function.
    """

    name: str

    def before(self, call: TargetCall) -> Any:
        """Return what `judge` is to remember from before the call, such as copies of arguments."""

    def judge(
        self, call: TargetCall, outcome: Outcome, state: Any, again: Again
    ) -> Iterable[Fault]:
        """Return what is wrong; `state` is what `before` gave.

        `again` makes one more call of the target, under the same guard and limits, and with time
        of its own. Its arguments are built afresh, and those named are replaced by what is given.
        Preconditions are not asked about these. What kills or hangs it counts as a death of the
        call.
        """
