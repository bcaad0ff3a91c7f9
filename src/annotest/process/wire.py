"""Open files handed from one process to another that was there before they were opened."""

from __future__ import annotations

import os
import socket
import struct

_HEAD = struct.Struct("<I")
_NUMBER = struct.Struct("<I")
_MOST = 64


class Wire:
    """One direction of descriptors between two processes."""

    def __init__(self, ends: tuple[int, int] | None = None) -> None:
        pair = socket.socketpair() if ends is None else map(_socket, ends)
        self._read, self._write = pair

    @classmethod
    def passed(cls, read: int, write: int) -> Wire:
        """Return the wire that another process has passed to this one."""
        return cls((read, write))

    def descriptors(self) -> tuple[int, int]:
        """Return what another process must have to share it."""
        return self._read.fileno(), self._write.fileno()

    def reading_end(self) -> None:
        """Keep the reading end only."""
        self._write.close()

    def writing_end(self) -> None:
        """Keep the writing end only."""
        self._read.close()

    def close(self) -> None:
        """Close what is still open."""
        self._read.close()
        self._write.close()

    def send(self, descriptors: list[int]) -> bool:
        """Hand over open files; say whether there is still somebody to take them."""
        numbers = b"".join(map(_NUMBER.pack, descriptors))
        try:
            socket.send_fds(self._write, [_HEAD.pack(len(descriptors)), numbers], descriptors)
        except OSError:
            return False
        return True

    def receive(self) -> dict[int, int]:
        """Wait for open files: the numbers they had, and those they have here; none at the end."""
        head, descriptors, _, _ = socket.recv_fds(self._read, _HEAD.size, _MOST)
        if not head:
            return {}
        (count,) = _HEAD.unpack(head)
        names = self._read.recv(count * _NUMBER.size, socket.MSG_WAITALL)
        numbers = (number for (number,) in _NUMBER.iter_unpack(names))
        for descriptor in descriptors:
            os.set_inheritable(descriptor, False)
        return dict(zip(numbers, descriptors, strict=True))


def _socket(descriptor: int) -> socket.socket:
    return socket.socket(fileno=descriptor)
