"""What a job on one target has at hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from annotest import guard, process
from annotest.discovery.targets import Found, Target
from annotest.events import Event
from annotest.oracles.crash import Project
from annotest.process.limits import Limits


@dataclass
class Bench:
    """A target, its surroundings, and the way to tell what happens."""

    target: Target
    found: Found
    project: Project
    board: process.Blackboard
    output: process.Output
    guard_log: guard.Log
    surroundings: Any
    limits: Limits
    send: Callable[[Event], None]
    folders: Callable[[], tuple[str, ...]]
