"""Shared memory with a name: it outlives the processes that made it, unless somebody removes it.

Python starts a process that does so, but that one is ended with all that a child leaves behind.
"""

from __future__ import annotations

from json import dumps, loads
from os import fstat, write  # bound here: code under test may replace them
from typing import Any

from annotest.process.memory import SharedFile
from annotest.process.own import os

try:
    import _posixshmem  # type: ignore[import-not-found]
except ImportError:
    _posix: Any = None
else:
    _posix = _posixshmem

_FOLDER = "/dev/shm"
_NEW = os.O_CREAT | os.O_EXCL

_watched: list[Segments] = []


class Segments(SharedFile):
    """A record, shared with other processes, of the segments that they have made."""

    def watch(self) -> None:
        """Record from now on what Python code makes in this process and in its copies."""
        if _posix is None:
            return
        opens, record = _posix.shm_open, self.descriptor

        def shm_open(path: str, flags: int, mode: int = 0o777) -> Any:
            descriptor = opens(path, flags=flags, mode=mode)
            if flags & _NEW == _NEW:
                _note(record, path, descriptor)
            return descriptor

        _posix.shm_open = shm_open
        _watched[:] = [self]

    def mark(self) -> int:
        """Return a place in the record: what comes later has been made later."""
        return fstat(self.descriptor).st_size

    def remove(self, since: int = 0) -> None:
        """Remove the segments that were made since a place in the record, and are still there."""
        size = self.mark()
        for line in os.pread(self.descriptor, size - since, since).splitlines():
            _remove(line)

    def clear(self) -> None:
        """Forget what was made."""
        os.ftruncate(self.descriptor, 0)


def _note(record: int, name: str, descriptor: int) -> None:
    line = dumps([name, fstat(descriptor).st_ino])
    try:
        write(record, f"{line}\n".encode())
    except OSError:
        return  # the code under test has closed it


def _remove(line: bytes) -> None:
    try:
        name, inode = loads(line)
        if os.stat(os.path.join(_FOLDER, name.lstrip("/"))).st_ino == inode:
            _posix.shm_unlink(name)
    except (OSError, ValueError):
        return  # whoever made it has removed it


def watched() -> Segments | None:
    """Return the record of what this process and its copies make, if there is one."""
    return _watched[0] if _watched else None
