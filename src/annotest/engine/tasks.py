"""Tasks that the parent gives to lanes, and the answers it gets: plain data, which may travel."""

from __future__ import annotations

from math import inf

from annotest.discovery.scan import ModuleFile
from annotest.engine.options import SearchOptions
from annotest.events import (
    Discovered,
    Failure,
    Imported,
    ImportFailed,
    TargetInfo,
    TargetResult,
)
from annotest.frozen import frozen


@frozen
class Open:
    """Import a module and look at it."""

    file: ModuleFile


@frozen
class SearchTarget:
    """Search shards of a target."""

    file: ModuleFile
    place: int
    info: TargetInfo
    options: SearchOptions


@frozen
class Settle:
    """Shrink a failure and run it again."""

    file: ModuleFile
    place: int
    info: TargetInfo
    failure: Failure
    slowest: float
    max_seconds: float = inf


Task = Open | SearchTarget | Settle


@frozen
class Opened:
    """A module has been looked at."""

    imported: Imported | None
    import_failed: ImportFailed | None
    discovered: Discovered | None


@frozen
class Searched:
    """Shards have been searched."""

    results: dict[int, TargetResult]
    failures: tuple[Failure, ...]


@frozen
class Settled:
    """A failure has its final form; `others` were met on the way to it."""

    others: tuple[Failure, ...] = ()


@frozen
class TaskFailed:
    """annotest itself failed on the task."""

    text: str


@frozen
class Lost:
    """The lane itself ended on the task, twice; `ending` says how."""

    ending: str


Answer = Opened | Searched | Settled | TaskFailed | Lost
