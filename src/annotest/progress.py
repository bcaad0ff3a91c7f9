"""How a run goes on, as data: what is told while it works, beside its results."""

from __future__ import annotations

from annotest.frozen import frozen


@frozen
class HowTested:
    """Which kind of process a module's targets run in, and why."""

    path: str
    text: str


@frozen
class RunStarted:
    """The paths are read; the work begins."""

    seed: int
    files: int


@frozen
class ModuleStarted:
    """A module is about to be imported."""

    path: str


@frozen
class ModuleOpened:
    """A module has been looked at: how many targets it holds."""

    path: str
    targets: int


@frozen
class Tick:
    """Time passes."""


@frozen
class LaneWorks:
    """A lane has begun something, or ended it."""

    lane: int
    doing: str


@frozen
class Warned:
    """Something is not as it should be, and the run goes on without it."""

    text: str


@frozen
class AnnotestFailed:
    """annotest itself failed; the text says where."""

    text: str


@frozen
class RunEnded:
    """The run is over."""

    seconds: float
    interrupted: bool
