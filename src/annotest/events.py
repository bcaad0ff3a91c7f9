"""What happens in a run, as frozen plain data: it crosses process borders and can be printed."""

from __future__ import annotations

from annotest.errors import Mistake, Site
from annotest.facts import (
    Failure,
    Inputs,
    NotTestable,
    PreconditionRate,
    TargetInfo,
    TargetResult,
)
from annotest.records import record


@record
class Event:
    """Something that has happened, for everybody to know."""


@record
class JobEvent:
    """Something that only whoever supervises the process must know; it goes no further."""


# from a worker or its child to whoever supervises it


@record
class Imported(Event):
    """The module is imported."""

    seconds: float
    threads: int
    module_test: Site | None


@record
class ImportFailed(Event):
    """The module cannot be imported."""

    failure: Failure
    module_test: Site | None
    exited_normally: bool = False
    prevented: tuple[Prevented, ...] = ()


@record
class Discovered(Event):
    """What a module holds."""

    targets: tuple[TargetInfo, ...]
    not_testable: tuple[NotTestable, ...]
    mistakes: tuple[Mistake, ...]


@record
class JobStarted(JobEvent):
    """A child has been started."""

    pid: int


@record
class JobEnded(JobEvent):
    """A child has ended; `status` is what the system says of it."""

    status: int
    output: str = ""


@record
class JobResult(JobEvent):
    """What a job has come to, for whoever gave it: nobody else is told."""


@record
class ShardEnded(JobResult):
    """One share of a target's inputs has been dealt with."""

    number: int
    result: TargetResult


@record
class SearchEnded(JobResult):
    """The search on a target is over."""


@record
class MadeWay(JobResult):
    """The process of a search has grown by so many bytes, or (0) can use no device any more.

    Another one is to go on with it: `handover` is what that one has to know besides the log.
    """

    grown: int
    handover: bytes


@record
class Shrunk(JobResult):
    """A failure with the smallest input found for it; not run again yet."""

    failure: Failure


@record
class InputDescribed(JobResult):
    """The input that was under way when a child died or hung."""

    call: str
    inputs: Inputs


@record
class Replayed(JobResult):
    """One input was run again; `failures` are what it came to."""

    failures: tuple[Failure, ...]


@record
class Unreproducible(JobResult):
    """The input of an earlier finding cannot be had again."""

    reason: str


@record
class ExplainedStep:
    """One choice in the making of an input, and the conditions that it must then satisfy."""

    name: str
    values: str
    conditions: tuple[str, ...]


@record
class Explained(JobResult):
    """How the inputs of a target are made; `states` and `rates` are of its preconditions.

    `left_out` are the arguments that are not always passed, with their defaults. Of a lazy result
    `items` are taken, for `items_seconds`; 0 where the result is not known to be lazy.
    `tried_first` are the choices that are pinned before chance comes, with what they are pinned to;
    `singles` and `pairs` say how many inputs that makes.
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
    items: int = 0
    items_seconds: float = 0.0
    tried_first: tuple[tuple[str, tuple[str, ...]], ...] = ()
    singles: int = 0
    pairs: int = 0


@record
class FileWritten(JobResult):
    """A test file's text, for the parent to write."""

    text: str
    tests: int


# from a run to whoever listens: the report, the screen


@record
class RunStarted(Event):
    """The paths are read; the work begins."""

    seed: int
    files: int


@record
class ModuleOpened(Event):
    """A module has been looked at: how many targets it holds."""

    path: str
    targets: int


@record
class TargetAdded(Event):
    """A target is one of those to be dealt with."""

    target: str


@record
class HowTested(Event):
    """Which processes a module's targets run in, and why."""

    path: str
    text: str


@record
class LaneWorks(Event):
    """A lane has begun something, or ended it."""

    lane: int
    doing: str


@record
class Tick(Event):
    """Time passes."""


@record
class Progress(Event):
    """How far the search on a target, or on one share of its inputs, has come."""

    target: str
    inputs_run: int
    doing: str = ""
    shard: int = 0


@record
class FailureFound(Event):
    """A failure, reported the moment it is seen, or again when it has become smaller."""

    failure: Failure


@record
class FailureSuspected(Event):
    """A call took too long or too much, or killed more than its process: it is made once more."""

    failure: Failure


@record
class MistakeFound(Event):
    """An annotation turned out wrong while it was used."""

    mistake: Mistake


@record
class Prevented(Event):
    """The guard kept a call from doing something; `broke` if the call failed for it."""

    target: TargetInfo
    action: str
    what: str
    allow: str
    broke: bool
    call: str = ""


@record
class NotTestableFound(Event):
    """A function is not tested."""

    function: NotTestable


@record
class TargetFinished(Event):
    """A target has been dealt with."""

    result: TargetResult


@record
class NothingAsked(Event):
    """What was asked for leaves no module to be tested."""

    reason: str


@record
class Warned(Event):
    """Something is not as it should be, and the run goes on without it."""

    text: str


@record
class AnnotestFailed(Event):
    """annotest itself failed; the text says where, and `mistake` what the module did to it."""

    text: str
    mistake: Mistake | None = None


@record
class RunEnded(Event):
    """The run is over."""

    seconds: float
    interrupted: bool
