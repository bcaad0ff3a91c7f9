"""What happens in a run, as frozen plain data: it crosses process borders and can be printed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from annotest.errors import Mistake, Site


class Frame(NamedTuple):
    """One frame of a trace."""

    file: str
    line: int
    function: str


@dataclass(frozen=True)
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

    @property
    def id(self) -> str:
        """`module:qualname`."""
        return f"{self.module}:{self.qualname}"


@dataclass(frozen=True)
class NotTestable:
    """A function that is not tested, why, and what to add."""

    module: str
    qualname: str
    file: str
    line: int
    reason: str
    add: str = ""


@dataclass(frozen=True)
class Failure:
    """One failing call of a target."""

    target: TargetInfo
    kind: str
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
    flaky: bool = False


@dataclass(frozen=True)
class PreconditionRate:
    """How often one precondition was asked, and held."""

    text: str
    site: Site
    asked: int
    held: int


@dataclass(frozen=True)
class TargetResult:
    """How the search on one target ended."""

    target: TargetInfo
    status: str
    inputs_run: int = 0
    inputs_discarded: int = 0
    seconds: float = 0.0
    reason: str = ""
    blocked_by: str = ""
    preconditions: tuple[PreconditionRate, ...] = ()


# from a worker to the parent


@dataclass(frozen=True)
class Imported:
    """The module is imported."""

    seconds: float
    threads: int
    module_test: Site | None


@dataclass(frozen=True)
class ImportFailed:
    """The module cannot be imported."""

    failure: Failure
    module_test: Site | None
    exited_normally: bool = False


@dataclass(frozen=True)
class Discovered:
    """What a module holds."""

    targets: tuple[TargetInfo, ...]
    not_testable: tuple[NotTestable, ...]
    mistakes: tuple[Mistake, ...]


@dataclass(frozen=True)
class JobStarted:
    """A child has been started."""

    pid: int


@dataclass(frozen=True)
class JobEnded:
    """A child has ended; `status` is what the system says of it."""

    status: int
    output: str = ""


@dataclass(frozen=True)
class Progress:
    """How far the search on a target has come."""

    inputs_run: int


@dataclass(frozen=True)
class FailureFound:
    """A failure, reported the moment it is seen, or again when it has become smaller."""

    failure: Failure


@dataclass(frozen=True)
class MistakeFound:
    """An annotation turned out wrong while it was used."""

    mistake: Mistake


@dataclass(frozen=True)
class SearchEnded:
    """The search on a target is over."""

    result: TargetResult


@dataclass(frozen=True)
class InputDescribed:
    """The input that was under way when a child died or hung."""

    call: str
    inputs: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Replayed:
    """One input was run again to its end."""


@dataclass(frozen=True)
class FileWritten:
    """A test file's text, for the parent to write."""

    text: str
    tests: int


# from a run to whoever listens: the report, the screen


@dataclass(frozen=True)
class RunStarted:
    """The paths are read; the work begins."""

    seed: int
    files: int


@dataclass(frozen=True)
class ModuleStarted:
    """A module is about to be imported."""

    path: str


@dataclass(frozen=True)
class ModuleOpened:
    """A module has been looked at: how many targets it holds."""

    path: str
    targets: int


@dataclass(frozen=True)
class NotTestableFound:
    """A function is not tested."""

    function: NotTestable


@dataclass(frozen=True)
class TargetStarted:
    """The search on a target begins."""

    target: TargetInfo


@dataclass(frozen=True)
class TargetFinished:
    """A target has been dealt with."""

    result: TargetResult


@dataclass(frozen=True)
class AnnotestFailed:
    """annotest itself failed; the text says where."""

    text: str


@dataclass(frozen=True)
class RunEnded:
    """The run is over."""

    seconds: float
    interrupted: bool


Event = (
    Imported
    | ImportFailed
    | Discovered
    | JobStarted
    | JobEnded
    | Progress
    | FailureFound
    | MistakeFound
    | SearchEnded
    | InputDescribed
    | Replayed
    | FileWritten
    | RunStarted
    | ModuleStarted
    | ModuleOpened
    | NotTestableFound
    | TargetStarted
    | TargetFinished
    | AnnotestFailed
    | RunEnded
)
