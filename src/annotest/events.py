"""What happens in a run, as frozen plain data: it crosses process borders and can be printed."""

from __future__ import annotations

from dataclasses import field
from typing import NamedTuple

from annotest.errors import Mistake, Site
from annotest.kinds import Kind, Status
from annotest.progress import (
    AnnotestFailed,
    HowTested,
    LaneWorks,
    ModuleOpened,
    ModuleStarted,
    RunEnded,
    RunStarted,
    Tick,
    Warned,
)
from annotest.records import record

# of another module, and handed on: who listens to events listens to these too
__all__ = [
    "AnnotestFailed",
    "HowTested",
    "LaneWorks",
    "ModuleOpened",
    "ModuleStarted",
    "RunEnded",
    "RunStarted",
    "Tick",
    "Warned",
]


class Frame(NamedTuple):
    """One frame of a trace."""

    file: str
    line: int
    function: str


@record
class TargetInfo:
    """A target as everybody but its worker sees it."""

    module: str
    qualname: str
    kind: str
    file: str
    line: int
    inputs: tuple[tuple[str, str], ...] = ()
    preconditions: tuple[str, ...] = ()
    timeout: float | None = None
    examples: int | None = None
    seconds: float | None = None
    annotated: bool = True
    error: str = ""
    dims: tuple[tuple[str, str], ...] = ()

    @property
    def id(self) -> str:
        """`module:qualname`."""
        return f"{self.module}:{self.qualname}"


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


@record
class Origin:
    """Where an input came from, so that it can be drawn again.

    Either the choices it is drawn from, or the place of an example, or the seed of a round of
    drawing and what came of the inputs before it. `plain` is the input itself, where it was not
    drawn but made from another one. `finding` is set where an earlier run has kept it.
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
class Failure:
    """One failing call of a target: a fault that the oracle of that name found with an input.

    `died` says that the process died of it, or was ended for a limit.
    """

    target: TargetInfo
    kind: Kind
    oracle: str
    fingerprint: str
    exception_type: str = ""
    message: str = ""
    frames: tuple[Frame, ...] | None = None
    location: Site | None = None
    call: str = ""
    inputs: tuple[tuple[str, str], ...] = ()
    seconds_to_find: float = 0.0
    seen_in: str = ""
    output: str = ""
    repeats: Repeats | None = None
    died: bool = False
    origin: Origin = field(default_factory=Origin)
    recipe: bytes = b""
    final: bool = False


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


@record
class Prevented:
    """The guard kept a call from doing something; `broke` if the call failed for it."""

    target: TargetInfo
    action: str
    what: str
    allow: str
    broke: bool
    call: str = ""


# from a worker to the parent


@record
class Imported:
    """The module is imported."""

    seconds: float
    threads: int
    module_test: Site | None


@record
class ImportFailed:
    """The module cannot be imported."""

    failure: Failure
    module_test: Site | None
    exited_normally: bool = False
    prevented: tuple[Prevented, ...] = ()


@record
class Discovered:
    """What a module holds."""

    targets: tuple[TargetInfo, ...]
    not_testable: tuple[NotTestable, ...]
    mistakes: tuple[Mistake, ...]


@record
class JobStarted:
    """A child has been started."""

    pid: int


@record
class JobEnded:
    """A child has ended; `status` is what the system says of it."""

    status: int
    output: str = ""


@record
class Progress:
    """How far the search on a target, or on one share of its inputs, has come."""

    target: str
    inputs_run: int
    doing: str = ""
    shard: int = 0


@record
class FailureFound:
    """A failure, reported the moment it is seen, or again when it has become smaller."""

    failure: Failure


@record
class FailureSuspected:
    """A call took too long, or killed more than its process: it is made once more to be sure."""

    failure: Failure


@record
class MistakeFound:
    """An annotation turned out wrong while it was used."""

    mistake: Mistake


@record
class ShardEnded:
    """One share of a target's inputs has been dealt with."""

    number: int
    result: TargetResult


@record
class Shrunk:
    """A failure with the smallest input found for it; not run again yet."""

    failure: Failure


@record
class SearchEnded:
    """The search on a target is over."""


@record
class InputDescribed:
    """The input that was under way when a child died or hung."""

    call: str
    inputs: tuple[tuple[str, str], ...]


@record
class Replayed:
    """One input was run again; `failures` are what it came to."""

    failures: tuple[Failure, ...]


@record
class Unreproducible:
    """The input of an earlier finding cannot be had again."""

    reason: str


@record
class ExplainedStep:
    """One choice in the making of an input, and the conditions that it must then satisfy."""

    name: str
    values: str
    conditions: tuple[str, ...]


@record
class Explained:
    """How the inputs of a target are made; `states` and `rates` are of its preconditions.

    `left_out` are the arguments that are not always passed, with their defaults.
    """

    target: TargetInfo
    steps: tuple[ExplainedStep, ...]
    states: tuple[str, ...]
    rates: tuple[PreconditionRate, ...]
    reached: int
    discarded: int
    samples: tuple[str, ...]
    unbuilt: int = 0
    left_out: tuple[tuple[str, str], ...] = ()


@record
class FileWritten:
    """A test file's text, for the parent to write."""

    text: str
    tests: int


# from a run to whoever listens: the report, the screen


@record
class NotTestableFound:
    """A function is not tested."""

    function: NotTestable


@record
class TargetFinished:
    """A target has been dealt with."""

    result: TargetResult


Event = (
    Imported
    | ImportFailed
    | Discovered
    | JobStarted
    | JobEnded
    | Progress
    | FailureFound
    | FailureSuspected
    | MistakeFound
    | ShardEnded
    | Shrunk
    | SearchEnded
    | InputDescribed
    | Replayed
    | Unreproducible
    | Prevented
    | HowTested
    | FileWritten
    | Explained
    | RunStarted
    | ModuleStarted
    | ModuleOpened
    | NotTestableFound
    | Tick
    | LaneWorks
    | TargetFinished
    | Warned
    | AnnotestFailed
    | RunEnded
)
