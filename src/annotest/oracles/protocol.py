"""What an oracle is: it sees a call before and after, may have it made again, and finds faults.

A new oracle is one file with a class that has the methods of `Oracle`, and one call of
`annotest.oracles.register`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from annotest.errors import Site
from annotest.facts import Fault
from annotest.kinds import Kind, Verdict
from annotest.oracles import fingerprints
from annotest.oracles.ordinary import is_ordinary, made_ordinarily
from annotest.oracles.project import Project
from annotest.records import record

if TYPE_CHECKING:  # reports need an oracle's words, and no targets
    from annotest.discovery.targets import Target


@record
class Returned:
    """The call came back: with a value, or, where it is `lazy`, a list of items."""

    value: Any
    lazy: bool = False

    def each(self) -> Iterator[tuple[str, Any]]:
        """Yield what was returned, each item of a lazy result by itself, behind what it is."""
        if not self.lazy:
            yield "", self.value
            return
        for place, item in enumerate(self.value):
            yield f"item {place}: ", item


@record
class Raised:
    """The call ended with an exception, which leaving with `sys.exit` is too."""

    error: BaseException


Outcome = Returned | Raised


class Again(Protocol):
    """Makes the call once more, everything built afresh."""

    def __call__(self, changes: Mapping[str, Any], luck: int = 0, late: bool = False) -> Outcome:
        """Make the call with other values for some arguments; return what came of that.

        With other `luck`, random numbers begin elsewhere: if it comes `late`, in the call only,
        after the same arguments were built.
        """

    def built(self, luck: int = 0) -> dict[str, Any]:
        """Build the arguments, the instance of a method among them, and make no call."""


@dataclass(frozen=True, eq=False)
class TargetCall:
    """One call of a target: `values` are the arguments that are passed, by name.

    After the call they are the same objects, as the call has left them. `seen` are all arguments,
    with the defaults of those that are left out, and `sizes` gives the named dimensions. `recipes`
    are what the arguments are built from.
    """

    target: Target
    project: Project
    values: dict[str, Any]
    seen: dict[str, Any] = field(default_factory=dict)
    sizes: Callable[[], Mapping[str, Any]] = dict
    recipes: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def is_ordinary(self) -> bool:
        """Whether its inputs are such that oracles may judge numbers.

        To be asked before it, where the call may change them.
        """
        parameters = self.target.signature.parameters
        given = {p.name: self.values[p.name] for p in parameters if p.name in self.values}
        known = {p.name: p.constraint for p in parameters}
        return is_ordinary(given, known) and made_ordinarily(self.recipes)

    @cached_property
    def names(self) -> dict[str, Any]:
        """What names mean in this call: those of arguments and of dimensions."""
        return {**self.seen, **self.sizes()}

    def fault(
        self,
        oracle: str,
        message: str,
        what: str = "",
        site: Site | None = None,
        verdict: Verdict = Verdict.BUG,
    ) -> Fault:
        """Return what an oracle other than the crash oracle has against this call.

        `what` tells the faults apart that one oracle may find with one target. It is part of the
        finding's identity, so it holds names and no values. `site` is where the promise stands.
        """
        info = self.target.info
        key = fingerprints.of_promise(oracle, info.id, what)
        place = site or Site(info.file, info.line)
        kind = Kind.ORACLE
        return Fault(info, kind, oracle, key, message=message, location=place, verdict=verdict)


class Oracle(Protocol):
    """Says what is wrong with a call.

    Every oracle is asked about every call, in the order of their registration, also about one
    that raised: the crash oracle speaks then, and others may stay silent. Each fault with a
    fingerprint of its own becomes a failure of its own, and is shrunk by itself. A call that
    raises because the guard refused it something is not held against its function, whatever an
    oracle says. Where the process dies no oracle is asked: the engine speaks for the crash oracle.

    What an oracle raises is its own error: annotest has failed then, not the function. If what a
    user wrote raises, `PostconditionFailed` says so: the annotation is wrong.
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
