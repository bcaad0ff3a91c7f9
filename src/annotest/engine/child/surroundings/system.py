"""What the operating system keeps for a process: folder, variables, signals, descriptors."""

from __future__ import annotations

import builtins
import os
import signal
import sys
from collections.abc import Callable, Iterable
from fcntl import F_DUPFD_CLOEXEC, fcntl
from functools import partial
from importlib import import_module
from locale import LC_ALL, setlocale
from operator import attrgetter
from os import chdir, dup2, fsdecode, fstat, getcwd, putenv, unsetenv
from os import close as close_descriptor
from signal import (
    ITIMER_PROF,
    ITIMER_REAL,
    ITIMER_VIRTUAL,
    SIG_BLOCK,
    SIG_SETMASK,
    getitimer,
    setitimer,
    sigpending,
    sigwait,
)
from typing import Any

from annotest.engine.child.surroundings.aspect import Aspect, Setting, short

if sys.platform == "linux":
    from fcntl import F_GETSIG, F_SETSIG

# the functions below look their builtins up in this copy: a call may have replaced the real ones
globals()["__builtins__"] = dict(vars(builtins))

_IDENTITY = attrgetter("st_ino", "st_dev")
_COPIES_FROM = 200  # descriptors that the code under test will hardly count on
_SIGNAL_NAMES = (
    *("SIGINT", "SIGTERM", "SIGALRM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGCHLD"),
    *("SIGPIPE", "SIGSEGV", "SIGFPE", "SIGABRT", "SIGVTALRM", "SIGPROF", "SIGTSTP"),
)
_SIGNALS = {name: int(getattr(signal, name)) for name in _SIGNAL_NAMES if hasattr(signal, name)}
_TIMERS = {"SIGVTALRM": ITIMER_VIRTUAL, "SIGPROF": ITIMER_PROF}
# signal.py makes enums of all it returns, which takes microseconds; what it stands on does not
_PLAIN = import_module("_signal")
_get_handler: Callable[[int], Any] = _PLAIN.getsignal
_set_handler: Callable[[int, Any], Any] = _PLAIN.signal
_change_mask: Any = _PLAIN.pthread_sigmask


def system_aspects(go_to: Callable[[str], object] = chdir) -> list[Aspect]:
    """Return what to watch, in the order in which it must be put back."""
    timer: list[Aspect] = []
    if getitimer(ITIMER_REAL) == (0.0, 0.0):  # one that is running already is somebody else's
        timer = [Setting("timer", partial(getitimer, ITIMER_REAL), _stop_timer)]
    return [
        Setting("working folder", _folder, go_to),
        Setting("locale", partial(setlocale, LC_ALL), partial(setlocale, LC_ALL)),
        Environment(),
        Descriptors(),
        *timer,
        Handlers(),  # after the timer, whose signal would find none
        Setting("signal mask", partial(_change_mask, int(SIG_BLOCK), ()), _set_mask),
    ]


def _folder() -> str | None:
    """Return the working folder, or None when it has been deleted."""
    try:
        return getcwd()
    except OSError:
        return None


def _stop_timer(before: object) -> None:
    setitimer(ITIMER_REAL, 0)


def _set_mask(before: set[int]) -> None:
    blocked = _change_mask(SIG_BLOCK, ()) - before
    for number in sigpending() & blocked:
        sigwait([number])  # it would end this process as soon as it is let through
    _change_mask(SIG_SETMASK, before)


class Environment(Aspect):
    """The environment variables."""

    name = "environment variables"

    def __init__(self) -> None:
        # os.environ encodes and decodes at each access; its own dictionary can be compared
        self.variables: dict[Any, Any] = vars(os.environ)["_data"]
        super().__init__()

    def read(self) -> Any:
        return self.variables

    def keep(self) -> None:
        self.before = dict(self.variables)

    def put_back(self, imported: bool) -> Iterable[str]:
        now, before = self.variables, self.before
        changed = [name for name in before if now.get(name) != before[name]]
        for name in changed:
            putenv(name, before[name])
            now[name] = before[name]
        added = [] if imported else [name for name in now if name not in before]
        for name in added:
            unsetenv(name)
            del now[name]
        names = [fsdecode(name) for name in changed + added]
        return short(names, "environment variable ", self.name)


class Handlers(Aspect):
    """The handlers of the common signals."""

    name = "signal handlers"

    def read(self) -> Any:
        return [*map(_get_handler, _SIGNALS.values())]

    def put_back(self, imported: bool) -> Iterable[str]:
        changed = []
        for name, handler in zip(_SIGNALS, self.before, strict=True):
            if _get_handler(_SIGNALS[name]) is handler:
                continue
            changed.append(name)
            if name in _TIMERS:  # which would send a signal that is about to lose its handler
                setitimer(_TIMERS[name], 0)
            if handler is not None:  # one that was not set from Python cannot be set from Python
                _set_handler(_SIGNALS[name], handler)
        return short(changed, "handler of ", self.name)


class Descriptors(Aspect):
    """Where descriptors 0, 1 and 2 lead."""

    name = "standard descriptors"

    def __init__(self) -> None:
        self.files: dict[int, Any] = {}
        self.copies: dict[int, int] = {}
        super().__init__()

    def read(self) -> Any:
        return [*map(self.tell, self.files)]

    def keep(self) -> None:
        self.close()
        self.files = {number: _file_at(number) for number in (0, 1, 2) if _file_at(number)}
        self.copies = {number: _copy(number) for number in self.files}
        self.tell = _mark_at if _marked(self.files) else _file_at
        self.before = self.read()

    def put_back(self, imported: bool) -> Iterable[str]:
        changed = []
        for number, before in zip(self.files, self.before, strict=True):
            if self.tell(number) == before:
                continue
            changed.append(number)
            copy = self.copies[number]
            if _file_at(copy) == self.files[number]:  # else it, too, was closed, and is not ours
                dup2(copy, number)
        return short(changed, "descriptor ", self.name)

    def close(self) -> None:
        """Give back the copies that are still ours, and watch nothing any more."""
        for number, copy in self.copies.items():
            if _file_at(copy) == self.files[number]:
                close_descriptor(copy)
        self.files, self.copies, self.before = {}, {}, []


def _file_at(number: int) -> Any:
    """Return what identifies the file behind a descriptor, or None when it is closed."""
    try:
        return _IDENTITY(fstat(number))
    except OSError:
        return None


def _mark_at(number: int) -> Any:
    try:
        return fcntl(number, F_GETSIG)
    except OSError:
        return None


def _marked(numbers: Iterable[int]) -> bool:
    """Mark the open files behind descriptors, where the system can; say whether it could.

    Linux keeps with each open file which signal to send when input arrives, to those who ask for
    signals, which nobody does. To read that takes a third of the time of fstat.
    """
    if sys.platform != "linux":
        return False
    try:
        for number in numbers:
            if fcntl(number, F_GETSIG) == 0:
                fcntl(number, F_SETSIG, int(signal.SIGRTMAX) - number)
    except OSError:
        return False
    return True


def _copy(number: int) -> int:
    """Return a copy of a descriptor, out of the way where the system allows so many."""
    try:
        return fcntl(number, F_DUPFD_CLOEXEC, _COPIES_FROM)
    except OSError:
        return fcntl(number, F_DUPFD_CLOEXEC, 3)
