"""Files in memory: they have no name, and end with the last process that holds them."""

from __future__ import annotations

import fcntl
import tempfile
from typing import BinaryIO, Self

from annotest.process.own import os

# code that closes or writes to descriptors at random does not count so far
_HIGH = 400


def moved_up(descriptor: int) -> int:
    """Return a high descriptor for the same file, where there are so many."""
    try:
        high = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _HIGH)
    except OSError:
        return descriptor
    os.close(descriptor)
    return high


def file_in_memory(appends: bool = False) -> BinaryIO:
    """Return a new file that no full disk concerns, where the system has such.

    With `appends` each write goes to the end, wherever that is when others have cut it short.
    """
    if hasattr(os, "memfd_create"):
        file = _opened(moved_up(os.memfd_create("annotest")))
    else:
        file = tempfile.TemporaryFile(buffering=0)
    if appends:
        flags = fcntl.fcntl(file.fileno(), fcntl.F_GETFL)
        fcntl.fcntl(file.fileno(), fcntl.F_SETFL, flags | os.O_APPEND)
    return file


def _opened(descriptor: int) -> BinaryIO:
    return os.fdopen(descriptor, "w+b", buffering=0)


class SharedFile:
    """A file in memory that other processes may have too."""

    APPENDS = True

    def __init__(self, file: BinaryIO | None = None) -> None:
        self._file = file or file_in_memory(self.APPENDS)

    @classmethod
    def passed(cls, descriptor: int) -> Self:
        """Return the file that another process has passed to this one."""
        return cls(_opened(descriptor))

    def descriptors(self) -> tuple[int]:
        """Return what another process must have to share it."""
        return (self.descriptor,)

    @property
    def descriptor(self) -> int:
        """The file's descriptor."""
        return self._file.fileno()

    def close(self) -> None:
        """Give the file back."""
        self._file.close()
