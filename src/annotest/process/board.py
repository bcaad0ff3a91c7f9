"""Memory shared with a child: what it is doing, since when, and on which input."""

from __future__ import annotations

import mmap
import struct
from time import monotonic
from typing import BinaryIO, NamedTuple

from annotest.process.memory import SharedFile

IDLE, DRAWING, BUILDING, CALLING = range(4)


class Reading(NamedTuple):
    """What a blackboard says at one moment."""

    phase: int
    since: float
    recipe: bytes


class Blackboard(SharedFile):
    """The child writes each input before the call, so that it is known whatever happens.

    It also keeps a log: one byte for each input drawn, saying what came of it. And it says where
    in the output what the call prints begins.
    """

    APPENDS = False
    SIZE = 1 << 20
    LOG_SIZE = 1 << 16
    _HEAD = struct.Struct("<BdI")
    _COUNT = struct.Struct("<I")
    _START = struct.Struct("<Q")
    _STARTED = _HEAD.size + _COUNT.size
    _LOG = _STARTED + _START.size
    _RECIPE = _LOG + LOG_SIZE

    def __init__(self, file: BinaryIO | None = None) -> None:
        super().__init__(file)
        self._file.truncate(self.SIZE)
        self._memory = mmap.mmap(self._file.fileno(), self.SIZE)
        self._logged = 0

    def write(self, phase: int, recipe: bytes = b"") -> None:
        """Say what is being done from now on, and on which input."""
        if len(recipe) > self.SIZE - self._RECIPE:
            recipe = b""
        # the input first, the head last: a reader never sees a head without its input
        if recipe:
            self._memory[self._RECIPE : self._RECIPE + len(recipe)] = recipe
        head = self._HEAD.pack(phase, monotonic(), len(recipe))
        self._memory[: self._HEAD.size] = head

    def clear(self) -> None:
        """Forget the input of an earlier child."""
        self.write(IDLE)
        self.start_output(0)

    def start_output(self, size: int) -> None:
        """Say how much had been printed when the call began."""
        self._memory[self._STARTED : self._LOG] = self._START.pack(size)

    def output_start(self) -> int:
        """Return how much had been printed when the call began."""
        (size,) = self._START.unpack(self._memory[self._STARTED : self._LOG])
        return int(size)

    def read(self) -> Reading:
        """Return the phase, since when, and the input under way."""
        phase, since, length = self._HEAD.unpack(self._memory[: self._HEAD.size])
        recipe = self._memory[self._RECIPE : self._RECIPE + length]
        return Reading(phase, since, recipe)

    def start_log(self, log: bytes = b"") -> None:
        """Begin a log, or go on with an earlier one."""
        self._memory[self._LOG : self._LOG + len(log)] = log
        self._set_logged(len(log))

    def log(self, result: int) -> None:
        """Write down what came of one drawn input."""
        if self._logged < self.LOG_SIZE:
            self._memory[self._LOG + self._logged] = result
            self._set_logged(self._logged + 1)

    def _set_logged(self, count: int) -> None:
        self._logged = count
        self._memory[self._HEAD.size : self._STARTED] = self._COUNT.pack(count)

    def read_log(self) -> bytes:
        """Return what came of each input, as far as it is known."""
        (count,) = self._COUNT.unpack(self._memory[self._HEAD.size : self._STARTED])
        return self._memory[self._LOG : self._LOG + count]

    def close(self) -> None:
        """Give the memory back."""
        self._memory.close()
        super().close()
