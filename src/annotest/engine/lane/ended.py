"""How a job ended, as the process that watches over it has seen it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

from annotest import process
from annotest.engine.deaths import Death
from annotest.events import AnnotestFailed, JobResult
from annotest.kinds import Kind

R = TypeVar("R", bound=JobResult)


@dataclass
class Ended:
    """How a job ended: its last words, or none.

    `took_worker` says that the worker has died too. A call did that, but perhaps not the one that
    was under way: it may have been one before.
    """

    results: list[JobResult] = field(default_factory=list)
    status: int = 0
    output: str = ""
    phase: int = process.IDLE
    recipe: bytes = b""
    exceeded: Kind | None = None
    internal: AnnotestFailed | None = None
    took_worker: bool = False
    log: bytes = b""

    @property
    def ended_well(self) -> bool:
        """Whether the child came to its end by itself."""
        return self.status == 0 and not self.exceeded

    @property
    def death(self) -> Death:
        """The end of a child that did not come to the end of its job."""
        phase = self.phase
        if phase == process.DRAWING and not self.recipe:
            phase = process.IDLE  # nothing was read of an input: a call before it did it
        return Death(phase, self.status, self.exceeded, self.output)

    def last(self, kind: type[R]) -> R | None:
        """Return what the job said last of a kind."""
        said = (result for result in reversed(self.results) if isinstance(result, kind))
        return next(said, None)
