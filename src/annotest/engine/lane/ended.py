"""How a job ended, as the process that watches over it has seen it."""

from __future__ import annotations

from dataclasses import dataclass, field

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
        if isinstance(event, AnnotestFailed):
            self.internal = event.text  # raised when the child has ended: its events are its own
        elif isinstance(event, ShardEnded):
            self.shards[event.number] = event.result
        elif isinstance(event, SearchEnded):
            self.searched = True
        elif isinstance(event, Shrunk):
            self.shrunk.append(event.failure)
        elif isinstance(event, Unreproducible):
            self.unreproducible = event.reason
        elif type(event) in _KEPT_WHOLE:
            setattr(self, _KEPT_WHOLE[type(event)], event)
        else:
            return False
        return True


_KEPT_WHOLE: dict[type, str] = {
    InputDescribed: "described",
    Replayed: "replayed",
    Attempted: "attempted",
    FileWritten: "written",
    Explained: "explained",
}
