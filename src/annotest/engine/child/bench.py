"""What a job on one target has at hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from annotest import guard, process
from annotest.discovery.targets import Contents, Target
from annotest.engine.child.workplace import Workplace
from annotest.events import Event, JobEvent
from annotest.oracles.project import Project
from annotest.process.limits import Limits
from annotest.promises import BY_DEFAULT

if TYPE_CHECKING:  # listing and writing need no Hypothesis
    from annotest.engine.child.attempt import Attempts, InProcess


@dataclass
class Bench:
    """A target, its surroundings, and the way to tell what happens.

    `apart` makes attempts that may die, in processes below this one. Arrays and modules are put on
    the `device`, if one is named. `suspicious` names the oracles that judge by default.
    """

    target: Target
    contents: Contents
    project: Project
    board: process.Blackboard
    output: process.Output
    guard_log: guard.Log
    surroundings: Any
    limits: Limits
    send: Callable[[Event | JobEvent], None]
    folders: Callable[[], tuple[str, ...]]
    apart: Callable[[InProcess, float, bool], Attempts]
    workplace: Workplace | None = None
    device: str = ""
    suspicious: tuple[str, ...] = BY_DEFAULT
