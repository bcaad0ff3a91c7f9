"""Child processes: starting, talking, watching, killing."""

from __future__ import annotations

import ctypes
import mmap
import os
import pickle
import select
import signal
import struct
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from typing import Any, BinaryIO

_LENGTH = struct.Struct("<Q")
_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


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
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            message = self._complete()
            if message is not None:
                return message[0]
            wait = None if until is None else max(0.0, until - time.monotonic())
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


IDLE, DRAWING, BUILDING, CALLING = range(4)


class Blackboard:
    """Memory shared with a child: what it is doing, since when, and on which input.

    The child writes each input before the call, so that the input is known whatever happens.
    """

    SIZE = 1 << 20
    _HEAD = struct.Struct("<BdQI")

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, self.SIZE)

    def write(self, phase: int, inputs_run: int, recipe: bytes = b"") -> None:
        """Say what is being done from now on, and on which input."""
        if len(recipe) > self.SIZE - self._HEAD.size:
            recipe = b""
        head = self._HEAD.pack(phase, time.monotonic(), inputs_run, len(recipe))
        # the input first, the head last: a reader never sees a head without its input
        self._memory[self._HEAD.size : self._HEAD.size + len(recipe)] = recipe
        self._memory[: self._HEAD.size] = head

    def clear(self) -> None:
        """Forget the input of an earlier child."""
        self.write(IDLE, 0)

    def read(self) -> tuple[int, float, int, bytes]:
        """Return the phase, since when, the number of inputs run, and the input under way."""
        phase, since, inputs_run, length = self._HEAD.unpack(self._memory[: self._HEAD.size])
        return phase, since, inputs_run, self._memory[self._HEAD.size : self._HEAD.size + length]

    def close(self) -> None:
        """Give the memory back."""
        self._memory.close()


def can_fork() -> bool:
    """Say whether this system can fork."""
    return hasattr(os, "fork")


def fork(run: Callable[[], None], failed: Callable[[str], None]) -> int:
    """Run a function in a child process of its own group; return the child's process id.

    An exception that `run` lets through is our own fault: `failed` is told, in the child.
    """
    _flush()
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        os.setpgid(0, 0)
        _die_with_parent()
        run()
        status = 0
    except BaseException:
        failed(traceback.format_exc())
    finally:
        _flush()
        os._exit(status)


def _flush() -> None:
    """Write out what is buffered; code under test may have closed the streams."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (ValueError, OSError, AttributeError):
            continue


def _die_with_parent() -> None:
    """Ask Linux to kill this process when the one that started it ends, however it ends."""
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def kill(pid: int) -> None:
    """Kill a child and its group at once."""
    for send in (os.killpg, os.kill):
        try:
            send(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            continue


def ask_for_dump(pid: int, number: int | None) -> None:
    """Have a hung child write down its stack, and give it a moment to do so."""
    if number is None:
        return
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return
    time.sleep(0.1)


def reap(pid: int) -> int:
    """Wait for a child and return its status."""
    while True:
        try:
            return os.waitpid(pid, 0)[1]
        except InterruptedError:
            continue
        except ChildProcessError:
            return 0


def describe_status(status: int) -> str:
    """Say in words how a process ended."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        try:
            return f"was killed by signal {signal.Signals(number).name}"
        except ValueError:
            return f"was killed by signal {number}"
    return f"exited with status {os.waitstatus_to_exitcode(status)}"


class Output:
    """A temporary file that takes what a process and its children print."""

    KEPT = 16_000

    def __init__(self) -> None:
        self._file: BinaryIO = tempfile.TemporaryFile()

    @property
    def descriptor(self) -> int:
        """The file's descriptor."""
        return self._file.fileno()

    def take_over(self) -> None:
        """Send this process's standard output and error to the file; read nothing."""
        _flush()
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(self._file.fileno(), 1)
        os.dup2(self._file.fileno(), 2)

    def clear(self) -> None:
        """Forget what was printed."""
        self._file.seek(0)
        self._file.truncate()

    def tail(self) -> str:
        """Return the end of what was printed."""
        size = self._file.seek(0, os.SEEK_END)
        self._file.seek(max(0, size - self.KEPT))
        return self._file.read().decode("utf-8", "replace")

    def close(self) -> None:
        """Give the file back."""
        self._file.close()
