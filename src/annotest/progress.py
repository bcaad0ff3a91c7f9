"""How a run goes on, as data: what is told while it works, beside its results."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class HowTested:
    """Which kind of process a module's targets run in, and why."""

    path: str
    text: str


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
class Tick:
    """Time passes."""


@dataclass(frozen=True)
class LaneWorks:
    """A lane has begun something, or ended it."""

    lane: int
    doing: str


@dataclass(frozen=True)
class Warned:
    """Something is not as it should be, and the run goes on without it."""

    text: str


@dataclass(frozen=True)
class AnnotestFailed:
    """annotest itself failed; the text says where."""

    text: str


@dataclass(frozen=True)
class RunEnded:
    """The run is over."""

    seconds: float
    interrupted: bool
