"""How a run goes on, as data: what is told while it works, beside its results."""

from __future__ import annotations

from annotest.records import record


@record
class HowTested:
    """Which kind of process a module's targets run in, and why."""

    path: str
    text: str


@record
class RunStarted:
    """The paths are read; the work begins."""

    seed: int
    files: int


@record
class ModuleStarted:
    """A module is about to be imported."""

    path: str


@record
class ModuleOpened:
    """A module has been looked at: how many targets it holds."""

    path: str
    targets: int


@record
class Tick:
    """Time passes."""


@record
class LaneWorks:
    """A lane has begun something, or ended it."""

    lane: int
    doing: str


@record
class Warned:
    """Something is not as it should be, and the run goes on without it."""

    text: str


@record
class AnnotestFailed:
    """annotest itself failed; the text says where."""

    text: str


@record
class RunEnded:
    """The run is over."""

    seconds: float
    interrupted: bool
