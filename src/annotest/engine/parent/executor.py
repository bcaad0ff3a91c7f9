"""What runs lanes, here or elsewhere: all that a campaign needs of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from annotest.engine.tasks import Answer, Lost, Task
from annotest.events import Event

Message = Event | Answer | Lost


class Executor(Protocol):
    """Runs numbered lanes, each with one task at a time.

    Everything that goes in and comes out is plain data that can be pickled. Modules have numbers:
    where their files are, who runs the lanes must know. Files that are named in what comes out are
    there to be shown. What a lane finds is kept by the lane, or by whoever runs it, before it is
    told.
    """

    @property
    def size(self) -> int:
        """How many lanes there are: numbers from 0."""

    def start(self) -> None:
        """Have the lanes ready."""

    def give(self, lane: int, task: Task) -> None:
        """Have a lane do a task; an answer will come, or Lost."""

    def messages(self, timeout: float) -> Iterable[tuple[int, Message]]:
        """Wait for lanes to say something, but not longer; yield that, with their numbers.

        After Lost there is a new lane of that number.
        """

    def stop(self) -> Iterable[tuple[int, Message]]:
        """End all lanes, whatever they do; return what they had still said."""
