"""What a run is asked for."""

from __future__ import annotations

from dataclasses import field

from annotest import guard
from annotest.engine.ways import AUTO
from annotest.process import Limits
from annotest.promises import BY_DEFAULT
from annotest.records import record


@record
class RunOptions:
    """What the user asked for.

    Times are in seconds: `target_seconds` for each target, `run_seconds` for all of them. Calls
    work in a scratch folder, or `in_project`. `only` are the names of the targets that are meant,
    or of their classes; `known_as` those that modules have in the program that asks, by files.
    `suspicious` names the oracles that judge by default.
    """

    paths: tuple[str, ...]
    every: bool = False
    seed: int | None = None
    max_examples: int = 200
    limits: Limits = field(default_factory=Limits)
    select: str = ""
    workers: int = 1
    processes: str = AUTO
    target_seconds: float | None = None
    run_seconds: float | None = None
    run_examples: int | None = None
    allowed: guard.Allowed | None = None
    database: str | None = None
    root: str = "."
    beyond: bool = False
    auto: bool = True
    exclude: tuple[str, ...] = ()
    in_project: bool = False
    fail_fast: bool = False
    last_failed: bool = False
    only: tuple[str, ...] = ()
    known_as: tuple[tuple[str, str], ...] = ()
    device: str = ""
    suspicious: tuple[str, ...] = BY_DEFAULT
