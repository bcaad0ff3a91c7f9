"""What calls leave changed in their process, of what the system keeps for it."""

import asyncio
import builtins
import decimal
import fcntl
import gc
import io
import locale
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
import warnings
from dataclasses import dataclass
from typing import Any

from annotest.engine.child.surroundings import system

REPLACED = RuntimeError("replaced by the code under test")
CALLED: list[Any] = []


def raising(*args, **kwargs):
    """Stand for functions that the code under test has replaced; nobody must call them."""
    CALLED.append(args)
    raise REPLACED


def nobody_called():
    return not CALLED


@dataclass
class Case:
    change: Any
    names: tuple[str, ...]
    before: Any = None
    stays: tuple[str, ...] = ()
    then: Any = None


CASES: dict[str, Case] = {}


def case(*names, before=None, stays=(), then=None):
    """A change: what is reported, what runs before, what must stay different, what holds then."""

    def register(change):
        CASES[change.__name__] = Case(change, names, before, stays, then)
        return change

    return register


MODULES = (asyncio, builtins, decimal, gc, io, locale, os, signal, sys, threading, time, warnings)
SCOPE = {module.__name__: module for module in MODULES} | {"raising": raising, "__name__": __name__}


def line(code, *names, **how):
    """The same for a change that is said in a line of Python."""
    compiled = compile(code, "<change>", "exec")

    def change():
        exec(compiled, SCOPE)

    change.__name__ = code if len(code) < 100 else f"{code[:99]}…"
    return case(*names, **how)(change)


KEPT = {"before": lambda: os.environ.update(KEPT="1")}
A_TO_D = {"before": lambda: os.environ.clear() or os.environ.update(dict.fromkeys("ABCD", "1"))}

line("os.chdir('/')", "working folder")
line("os.environ['KEPT'] = '2'", "environment variable KEPT", **KEPT)
line("del os.environ['KEPT']", "environment variable KEPT", **KEPT)
line("os.environ['ADDED'] = '1'", "environment variable ADDED")
line("os.environ.clear()", "4 environment variables", **A_TO_D)
line("vars(os)['environ'] = {'HOME': '/nowhere'}", "os.environ")
line("locale.setlocale(locale.LC_NUMERIC, 'C.UTF-8')", "locale")
line("signal.signal(signal.SIGINT, raising)", "handler of SIGINT")
line("signal.alarm(100)", "timer")
line("signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])", "signal mask")
line("os.umask(0o123)", "umask")
line("", before=lambda: signal.alarm(100), then=lambda: signal.alarm(0) > 90)


@case("working folder")
def another_folder_which_is_deleted():
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    shutil.rmtree(folder)


@case("working folder", before=lambda: os.chdir(tempfile.mkdtemp()), stays=("folder",))
def the_folder_itself_is_deleted():
    folder = os.getcwd()
    os.chdir("/")
    os.rmdir(folder)


@case("handler of SIGTERM", "handler of SIGPIPE")
def signals_ignored():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)


@case("timer", "handler of SIGALRM")
def a_timer_with_its_handler():
    signal.signal(signal.SIGALRM, raising)
    signal.setitimer(signal.ITIMER_REAL, 100, 100)


@case("handler of SIGVTALRM", "handler of SIGPROF")
def timers_of_a_profiler():
    signal.signal(signal.SIGVTALRM, raising)
    signal.setitimer(signal.ITIMER_VIRTUAL, 100, 100)
    signal.signal(signal.SIGPROF, raising)
    signal.setitimer(signal.ITIMER_PROF, 100, 100)


@case("signal mask")
def a_blocked_signal_that_waits():
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    os.kill(os.getpid(), signal.SIGTERM)


@case("descriptor 1", stays=("descriptors",))
def the_copies_are_lost_as_well():
    os.closerange(200, 256)
    os.dup2(os.open("/dev/null", os.O_WRONLY), 1)


def without_marks():
    """Have the files told apart as on systems other than Linux."""
    system._marked = lambda numbers: False
    for number in range(3):  # marks of an earlier case, which stay with the files
        fcntl.fcntl(number, fcntl.F_SETSIG, 0)


DESCRIPTORS = {
    "os.closerange(0, 3)": ("descriptor 0", "descriptor 1", "descriptor 2"),
    "null = os.open('/dev/null', os.O_WRONLY); os.dup2(null, 1); os.close(null)": ("descriptor 1",),
    "os.dup2(1, 2)": ("descriptor 2",),
}
for code, names in DESCRIPTORS.items():
    line(code, *names)
    line(f"{code}  # without marks", *names, before=without_marks)
