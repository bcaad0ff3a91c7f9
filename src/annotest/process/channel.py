"""Messages between two processes."""

from __future__ import annotations

import os
import pickle
import select
import struct
from time import monotonic
from typing import Any

_LENGTH = struct.Struct("<Q")


class Gone(Exception):
    """The process at the other end has ended."""


class Channel:
    """One direction of messages between two processes."""

    def __init__(self) -> None:
        self._read, self._write = os.pipe()
        self._buffer = b""

    def reading_end(self) -> None:
        """Keep the reading end only."""
        os.close(self._write)
        self._write = -1

    def writing_end(self) -> None:
        """Keep the writing end only."""
        os.close(self._read)
        self._read = -1

    def fileno(self) -> int:
        """The descriptor to wait on for messages."""
        return self._read

    def close(self) -> None:
        """Close what is still open."""
        for descriptor in (self._read, self._write):
            if descriptor >= 0:
                os.close(descriptor)
        self._read = self._write = -1

    def send(self, message: Any) -> None:
        """Send a message; Gone when nobody can read it any more."""
        data = pickle.dumps(message)
        data = _LENGTH.pack(len(data)) + data
        try:
            while data:
                data = data[os.write(self._write, data) :]
        except (BrokenPipeError, OSError) as error:
            raise Gone from error

    def receive(self, timeout: float | None = None) -> Any:
        """Return the next message, or None when none came in time; Gone at the end."""
        until = None if timeout is None else monotonic() + timeout
        while True:
            message = self._complete()
            if message is not None:
                return message[0]
            wait = None if until is None else max(0.0, until - monotonic())
            ready, _, _ = select.select([self._read], [], [], wait)
            if not ready:
                return None
            data = os.read(self._read, 1 << 16)
            if not data:
                raise Gone
            self._buffer += data

    def _complete(self) -> tuple[Any] | None:
        if len(self._buffer) < _LENGTH.size:
            return None
        (length,) = _LENGTH.unpack_from(self._buffer)
        if len(self._buffer) < _LENGTH.size + length:
            return None
        data = self._buffer[_LENGTH.size : _LENGTH.size + length]
        self._buffer = self._buffer[_LENGTH.size + length :]
        return (pickle.loads(data),)


def wait_for(channels: list[Channel], timeout: float) -> None:
    """Wait until one of the channels has something to read, but not for ever."""
    select.select(channels, [], [], timeout)
