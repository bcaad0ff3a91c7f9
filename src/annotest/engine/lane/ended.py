"""How a job ended, as the process that watches over it has seen it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from annotest import process
from annotest.engine.child.results import Attempted
from annotest.engine.deaths import Death
from annotest.events import (
    AnnotestFailed,
    Event,
    Explained,
    Failure,
    FileWritten,
    InputDescribed,
    Replayed,
    SearchEnded,
    ShardEnded,
    Shrunk,
    TargetResult,
    Unreproducible,
)
from annotest.kinds import Kind


@dataclass
class Ended:
    """How a job ended: its last words, or none.

    `took_worker` when the process that ran its child ended too: of a call, but not for certain of
    the one that was under way when the child followed it.
    """

    searched: bool = False
    shards: dict[int, TargetResult] = field(default_factory=dict)
    shrunk: list[Failure] = field(default_factory=list)
    described: InputDescribed | None = None
    replayed: Replayed | None = None
    attempted: Attempted | None = None
    written: FileWritten | None = None
    explained: Explained | None = None
    unreproducible: str = ""
    status: int = 0
    output: str = ""
    phase: int = process.IDLE
    recipe: bytes = b""
    exceeded: Kind | None = None
    internal: str = ""
    took_worker: bool = False
    log: bytes = b""

    @property
    def death(self) -> Death:
        """The end of a child that did not come to the end of its job."""
        phase = self.phase
        if phase == process.DRAWING and not self.recipe:
            phase = process.IDLE  # nothing was read of an input: a call before it did it
        return Death(phase, self.status, self.exceeded, self.output)

    def takes(self, event: Event | Attempted) -> bool:
        """Keep what the job says of itself; say whether this was such."""
        take = _TAKING.get(type(event))
        if take is not None:
            take(self, event)
        return take is not None

    def _failed(self, event: AnnotestFailed) -> None:
        self.internal = event.text  # raised when the child has ended: its events are its own

    def _shard_ended(self, event: ShardEnded) -> None:
        self.shards[event.number] = event.result

    def _search_ended(self, event: SearchEnded) -> None:
        self.searched = True

    def _shrunk(self, event: Shrunk) -> None:
        self.shrunk.append(event.failure)

    def _unreproducible(self, event: Unreproducible) -> None:
        self.unreproducible = event.reason


def _kept_as(name: str) -> Callable[[Ended, Any], None]:
    return lambda ended, event: setattr(ended, name, event)


_TAKING: dict[type, Callable[[Ended, Any], None]] = {
    AnnotestFailed: Ended._failed,
    ShardEnded: Ended._shard_ended,
    SearchEnded: Ended._search_ended,
    Shrunk: Ended._shrunk,
    Unreproducible: Ended._unreproducible,
    InputDescribed: _kept_as("described"),
    Replayed: _kept_as("replayed"),
    Attempted: _kept_as("attempted"),
    FileWritten: _kept_as("written"),
    Explained: _kept_as("explained"),
}
