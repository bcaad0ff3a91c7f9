"""What a process prints: taken into a file in memory, which a full disk does not concern."""

from __future__ import annotations

import io
import sys
from typing import Any, BinaryIO

from annotest.process.memory import SharedFile
from annotest.process.own import os


def flush() -> None:
    """Write out what is buffered; code under test may have closed the streams."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:  # they may be anything
            continue


class _NoInput(io.FileIO):
    """Standard input of which there is none; it knows whether somebody wanted some."""

    was_asked = False

    def readinto(self, buffer: Any) -> int | None:
        self.was_asked = True
        return super().readinto(buffer)

    def readall(self) -> bytes:
        self.was_asked = True
        return super().readall()


class Output(SharedFile):
    """A file in memory that takes what a process and its children print."""

    KEPT = 16_000
    # what earlier calls printed is dropped now and then, so that the file stays small
    MOST_OLD = 1 << 20

    def __init__(self, file: BinaryIO | None = None) -> None:
        super().__init__(file)
        self._start = 0
        self._input: _NoInput | None = None

    @property
    def asked_for_input(self) -> bool:
        """Whether standard input was read since the call started."""
        return self._input is not None and self._input.was_asked

    @property
    def size(self) -> int:
        """How much has been printed, in bytes."""
        return os.fstat(self.descriptor).st_size

    def take_over(self) -> None:
        """Send this process's standard output and error to the file; read nothing."""
        flush()
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        self._input = _NoInput(0, closefd=False)
        sys.stdin = io.TextIOWrapper(io.BufferedReader(self._input), "utf-8")
        os.dup2(self.descriptor, 1)
        os.dup2(self.descriptor, 2)

    def clear(self) -> None:
        """Forget what was printed."""
        os.ftruncate(self.descriptor, 0)
        self._start = 0

    def start_call(self) -> int:
        """From here on, what is printed belongs to the next call; return where that begins."""
        self._start = os.fstat(self._file.fileno()).st_size
        if self._input is not None:
            self._input.was_asked = False
        if self._start > self.MOST_OLD:
            self.clear()
        return self._start

    def size_of_call(self) -> int:
        """Return how much has been printed since the call started, in bytes."""
        flush()
        return self.size - self._start

    def of_call(self) -> str:
        """Return the end of what was printed since the call started."""
        flush()
        return self._read_from(self._start)

    def tail(self) -> str:
        """Return the end of what was printed."""
        return self._read_from(0)

    def _read_from(self, start: int) -> str:
        size = self.size
        start = max(start if start <= size else 0, size - self.KEPT)
        return os.pread(self.descriptor, size - start, start).decode("utf-8", "replace")
