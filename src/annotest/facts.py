"""Facts about targets, as frozen plain data: what they are, how they failed, how they fared."""

from __future__ import annotations

from dataclasses import field
from typing import Any, NamedTuple

from annotest.errors import Mistake, Site
from annotest.kinds import ASIDES, Kind, Status, Verdict
from annotest.records import record

LONGEST_UNANNOTATED = 10.0  # seconds that a call may take of what nobody has annotated
Inputs = tuple[tuple[str, str], ...]  # of a call: the names of the arguments, and their source


class Frame(NamedTuple):
    """One frame of a trace.

    `qualname` says whose the function is and `start` where it begins, where that is known.
    """

    file: str
    line: int
    function: str
    qualname: str = ""
    start: int = 0


@record
class TargetInfo:
    """A target as everybody but its worker sees it."""

    module: str
    qualname: str
    kind: str
    file: str
    line: int
    inputs: Inputs = ()
    preconditions: tuple[str, ...] = ()
    timeout: float | None = None
    examples: int | None = None
    seconds: float | None = None
    error: str = ""
    dims: tuple[tuple[str, str], ...] = ()
    annotated: bool = True
    promises: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """`module:qualname`."""
        return f"{self.module}:{self.qualname}"

    def call_limit(self, usual: float) -> float:
        """Return the seconds that one call may take: fewer where nobody said that it ends."""
        return self.timeout or (usual if self.annotated else min(usual, LONGEST_UNANNOTATED))

    def mistake(self, reason: str, remedy: str) -> Mistake:
        """Return what is wrong with its annotations as a whole."""
        return Mistake(Site(self.file, self.line), self.qualname, reason, remedy, self.qualname)


@record
class NotTestable:
    """A function that is not tested, why, what to add, and whether somebody has annotated it."""

    module: str
    qualname: str
    file: str
    line: int
    reason: str
    add: str = ""
    annotated: bool = False

    @property
    def id(self) -> str:
        """`module:qualname`."""
        return f"{self.module}:{self.qualname}"


@record
class Origin:
    """Where an input came from, so that it can be drawn again.

    Either the choices it is drawn from, or the place of an example, or the seed of a round of
    drawing and what came of the inputs before it. `plain` is the input itself, where it was not
    drawn but made from another one. `case` is the number of the systematic case that it was drawn
    for. `finding` is set where an earlier run has kept it.
    """

    shard: int = 0
    seed: int = 0
    size: int = 0
    results: bytes = b""
    digest: str = ""
    choices: bytes = b""
    example: int | None = None
    plain: str = ""
    finding: str = ""
    case: int | None = None

    @property
    def is_one_draw(self) -> bool:
        """Whether it was drawn for a case from random bytes, with `size` tries."""
        return self.case is not None and self.size > 1

    @property
    def can_shrink(self) -> bool:
        """Whether the input was drawn, or made from one that was."""
        return bool(self.size or self.choices or self.plain)


@record
class Repeats:
    """How often a failure showed again when its input was run again."""

    failed: int
    times: int


@record
class Fault:
    """What is wrong with a call, as an oracle says it, still without the input.

    `target` is the one whose fault it is, which need not be the one that was called. `died` says
    that the process died, or was ended for a limit. `remarks` say more for a person; of what is
    no finding the first says what it is, and the others what to do.
    `items` are those of a lazy result that were asked for until it failed.
    """

    target: TargetInfo
    kind: Kind
    oracle: str
    fingerprint: str
    exception_type: str = ""
    message: str = ""
    frames: tuple[Frame, ...] | None = None
    location: Site | None = None
    output: str = ""
    died: bool = False
    remarks: tuple[str, ...] = ()
    verdict: Verdict = Verdict.BUG
    items: int = 0

    @property
    def is_finding(self) -> bool:
        """Whether it is held against the code; what is not is listed apart."""
        return self.verdict not in ASIDES

    def on(self, seen_in: str, call: str, inputs: Inputs = (), **more: Any) -> Failure:
        """Return the failure that this fault makes of an input, seen in a target."""
        return Failure(**vars(self), seen_in=seen_in, call=call, inputs=inputs, **more)


@record
class Failure(Fault):
    """A fault with the input that shows it, seen in the target that was called.

    `excluded_by` is the annotation that makes such inputs invalid, where one was found.
    """

    call: str = ""
    inputs: Inputs = ()
    seen_in: str = ""
    repeats: Repeats | None = None
    origin: Origin = field(default_factory=Origin)
    recipe: bytes = b""
    final: bool = False
    excluded_by: str = ""


# failures on one line with one type: of so many the inputs are made smaller
MOST_OF_A_LINE = 5


def line_and_type(failure: Failure) -> tuple[Any, ...]:
    """Return what failures have in common that a person takes for one: where, and of which type."""
    place = failure.location
    # without a place each stands for itself
    return (place or failure.fingerprint, failure.kind, failure.exception_type)


@record
class PreconditionRate:
    """How often one precondition was asked, and held."""

    text: str
    site: Site
    asked: int
    held: int


@record
class TargetResult:
    """How the search on one target ended."""

    target: TargetInfo
    status: Status
    inputs_run: int = 0
    inputs_discarded: int = 0
    seconds: float = 0.0
    reason: str = ""
    blocked_by: str = ""
    preconditions: tuple[PreconditionRate, ...] = ()
    slowest: float = 0.0
    exhausted: bool = False
    unfinished: str = ""
