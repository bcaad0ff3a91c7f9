"""Files in memory: they have no name, and end with the last process that holds them."""

from __future__ import annotations

import fcntl
import os
import tempfile
from typing import BinaryIO

from annotest.process.descriptors import moved_up


def file_in_memory() -> BinaryIO:
    """Return a new file that no full disk concerns, where the system has such."""
    if hasattr(os, "memfd_create"):
        return file_of(moved_up(os.memfd_create("annotest")))
    return tempfile.TemporaryFile(buffering=0)


def only_append(file: BinaryIO) -> None:
    """Have each write go to the end, wherever that is when others have cut the file short."""
    flags = fcntl.fcntl(file.fileno(), fcntl.F_GETFL)
    fcntl.fcntl(file.fileno(), fcntl.F_SETFL, flags | os.O_APPEND)


def file_of(descriptor: int) -> BinaryIO:
    """Return the file in memory that another process has passed to this one."""
    return os.fdopen(descriptor, "w+b", buffering=0)
