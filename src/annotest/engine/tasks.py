"""Tasks that the parent gives to lanes, and the answers it gets: plain data, which may travel."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from annotest.engine.shards import SearchOptions, Shards
from annotest.events import AnnotestFailed, Discovered, Imported, ImportFailed
from annotest.facts import Failure, TargetInfo, TargetResult
from annotest.records import record


@record
class Task:
    """Something for a lane to do with a module, which has a number that its executor knows."""

    module: int

    @property
    def doing(self) -> str:
        """What is done, in few words, for the screen."""
        raise NotImplementedError(type(self).__name__)  # each task has its own

    def kept_apart(self) -> Task:
        """Return the task as it is tried again, after it has cost a lane."""
        return self


@record
class Open(Task):
    """Import a module and look at it."""

    name: str

    @property
    def doing(self) -> str:
        return f"importing {self.name}"


@record
class SearchTarget(Task):
    """Search shards of a target."""

    place: int
    info: TargetInfo
    options: SearchOptions

    @property
    def target(self) -> tuple[int, int]:
        """What tells its target from others."""
        return self.module, self.place

    def of_shards(self, shards: Shards) -> SearchTarget:
        """Return the same search of other shards."""
        return replace(self, options=replace(self.options, shards=shards))

    @property
    def doing(self) -> str:
        return self.info.id

    def kept_apart(self) -> Task:
        # one of its calls may have killed the lane: each in a process of its own
        return replace(self, options=replace(self.options, isolated=True))


@record
class Settle(Task):
    """Shrink a failure and run it again."""

    place: int
    info: TargetInfo
    failure: Failure
    slowest: float
    max_seconds: float = inf

    @property
    def doing(self) -> str:
        return f"{self.info.id} (shrinking)"


@record
class Answer:
    """What a task has come to."""


@record
class Opened(Answer):
    """A module has been looked at."""

    imported: Imported | None = None
    import_failed: ImportFailed | None = None
    discovered: Discovered | None = None


@record
class Searched(Answer):
    """Shards have been searched."""

    results: dict[int, TargetResult]
    failures: tuple[Failure, ...]


@record
class Settled(Answer):
    """A failure has its final form; `others` were met on the way to it."""

    others: tuple[Failure, ...] = ()


@record
class TaskFailed(Answer):
    """annotest itself failed on the task."""

    told: AnnotestFailed


@record
class Lost:
    """A lane has ended, with the task that it had; `ending` says how."""

    ending: str
