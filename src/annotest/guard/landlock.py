"""Landlock: the Linux kernel itself refuses to write elsewhere, to native code too.

Only writing and starting programs are restricted: reading, and the network (which Landlock cannot
restrict to this machine), stay as they are. Files that are open already stay usable.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterable

from annotest.records import record

# the same on every architecture that Python's wheels are built for
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_VERSION = 1
_PATH_BENEATH = 1
_PR_SET_NO_NEW_PRIVS = 38

_EXECUTE = 1 << 0
_WRITE_FILE = 1 << 1
_REMOVE_AND_MAKE = sum(1 << bit for bit in (4, 5, 6, 7, 8, 9, 10, 11, 12))
_REFER = 1 << 13
_TRUNCATE = 1 << 14
_RIGHTS_OF_FILES = _EXECUTE | _WRITE_FILE | _TRUNCATE
_OLDEST_ABI = 2  # the first one refuses every move from folder to folder, allowed ones too
_ABI_WITH_TRUNCATE = 3


@record
class Kernel:
    """Whether Landlock is on: its version, or 0 and the reason why it is off."""

    abi: int = 0
    reason: str = ""
    places: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.abi > 0

    def __str__(self) -> str:
        return f"Landlock ABI {self.abi}" if self.abi else f"off: {self.reason}"


NO_KERNEL = Kernel(reason="not asked for")


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed_access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32))


class _Refused(Exception):
    """The kernel does not want to."""


def restrict(kernel: Kernel, writable: tuple[str, ...], programs: Iterable[str] | None) -> Kernel:
    """Let this thread and what it starts write below these places only, and run these programs.

    With None for the programs, any program may be started. There is no way back.
    """
    try:
        _restrict(kernel.abi, writable, programs)
    except _Refused as refused:
        return Kernel(reason=str(refused))
    return Kernel(kernel.abi, places=writable)


def available() -> Kernel:
    """Return which Landlock this kernel has, or why it is of no use."""
    if sys.platform != "linux":
        return Kernel(reason="Landlock is part of Linux")
    try:
        abi = _call(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_ASK_VERSION))
    except _Refused as refused:
        return Kernel(reason=str(refused))
    if abi < _OLDEST_ABI:
        return Kernel(reason=f"this kernel has Landlock ABI {abi}, ABI {_OLDEST_ABI} is needed")
    return Kernel(abi)


def _restrict(abi: int, writable: Iterable[str], programs: Iterable[str] | None) -> None:
    writing = _WRITE_FILE | _REMOVE_AND_MAKE | _REFER
    writing |= _TRUNCATE if abi >= _ABI_WITH_TRUNCATE else 0
    handled = ctypes.c_uint64(writing | (_EXECUTE if programs is not None else 0))
    size = ctypes.c_size_t(ctypes.sizeof(handled))
    ruleset = _call(_CREATE_RULESET, ctypes.byref(handled), size, ctypes.c_uint32(0))
    try:
        for place in writable:
            _allow(ruleset, place, writing)
        for program in programs or ():
            _allow(ruleset, program, _EXECUTE)
        if ctypes.CDLL(None).prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
            raise _Refused("this process may not give up privileges")
        _call(_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    finally:
        os.close(ruleset)


def _allow(ruleset: int, place: str, rights: int) -> None:
    try:
        descriptor = os.open(place, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # gone meanwhile: nothing to allow
    try:
        if not os.path.isdir(place):
            rights &= _RIGHTS_OF_FILES
        rule = _PathBeneath(rights, descriptor)
        kind = ctypes.c_int(_PATH_BENEATH)
        _call(_ADD_RULE, ctypes.c_int(ruleset), kind, ctypes.byref(rule), ctypes.c_uint32(0))
    finally:
        os.close(descriptor)


def _call(number: int, *args: object) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    result = int(libc.syscall(ctypes.c_long(number), *args))
    if result < 0:
        raise _Refused(f"Landlock is not to be had: {os.strerror(ctypes.get_errno())}")
    return result
