"""Each case of surroundings_cases in forks of its own; test_surroundings runs this as a script.

It writes to the file named what became of every case: `seen` says whether the change shows in the
picture of the process, `names` what was reported, `lost` what is not as before.
"""

import asyncio
import builtins
import ctypes
import decimal
import gc
import json
import locale
import os
import signal
import sys
import tempfile
import threading
import time
import traceback
import warnings

import surroundings_patches  # noqa: F401  (more cases)
from surroundings_cases import CASES

from annotest.engine.child.surroundings import Surroundings

LIBC = ctypes.CDLL(None)
LIBC.getenv.restype = ctypes.c_char_p
MODULES = (builtins, os, time)
SYS_NAMES = ("excepthook", "exit", "path", "argv", "meta_path", "path_hooks", "modules")


def picture():
    """Return all that must be as before, read in other ways than annotest reads it."""
    found = {
        "folder": os.path.realpath("/proc/self/cwd"),
        "variables": dict(os.environ),
        "C variables": [LIBC.getenv(name) for name in (b"HOME", b"PATH", b"KEPT", b"ADDED")],
        "recursion": sys.getrecursionlimit(),
        "locale": [locale.setlocale(kind) for kind in (locale.LC_CTYPE, locale.LC_NUMERIC)],
        "handlers": [signal.getsignal(number) for number in signal.valid_signals()],
        "timers": [signal.getitimer(number)[0] > 0 for number in range(3)],
        "mask": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ())),
        "descriptors": [os.stat(f"/proc/self/fd/{number}").st_ino for number in range(3)],
        "streams": [sys.stdin, sys.stdout, sys.stderr],
        "streams open": [works(name) for name in ("stdin", "stdout", "stderr")],
        "traces": [sys.gettrace(), sys.getprofile(), threading.gettrace(), threading.getprofile()],
        "gc": [gc.isenabled(), gc.get_threshold()],
        "filters": [list(warnings.filters), warnings.showwarning],
        "decimal": decimal_settings(),
        "umask": umask(),
        "limits": [sys.get_int_max_str_digits(), getattr(sys, "tracebacklimit", None)],
        "loop": [asyncio._get_running_loop(), vars(asyncio.events)["_event_loop_policy"]],
        "lists": [list(vars(sys)[name]) for name in SYS_NAMES[2:6]],
        "sys": {name: vars(sys)[name] for name in SYS_NAMES},
    }
    for module in MODULES:
        found[module.__name__] = dict(vars(module))
    if "numpy" in sys.modules:
        found["numpy"] = sys.modules["numpy"].geterr()
    return found


def works(name):
    """Use a standard stream, and return what else code can see of it."""
    stream = getattr(sys, name)
    if name == "stdin":
        stream.read(0)
    else:
        stream.write("")
        stream.flush()
    return stream.fileno(), stream.encoding, stream.errors, stream.line_buffering


def decimal_settings():
    context = decimal.getcontext()
    return context.prec, context.rounding, dict(context.traps), context.Emax, context.Emin


def umask():
    now = os.umask(0)
    os.umask(now)
    return now


def outcome_of(name):
    """Run one case in two forks: does the picture show the change, and is all as before after it?"""
    case = CASES[name]
    seen = in_fork(lambda: shows(case)) is not False  # None: it died of the change
    return {"seen": seen, **(in_fork(lambda: put_back(case)) or {"lost": "all: the process died"})}


def prepare(case):
    if case.before:
        case.before()


def shows(case):
    prepare(case)
    before = picture()
    case.change()
    try:
        return different(before, picture()) != []
    except BaseException:
        return True


def put_back(case):
    prepare(case)
    before = picture()
    surroundings = Surroundings()
    called(case.change)
    names = surroundings.restore()
    again = surroundings.restore()
    lost = different(before, picture())
    return {"names": names, "again": again, "lost": lost, "then": not case.then or case.then()}


def called(change):
    """Stand between, as the engine does: no call is made at the same depth as the putting back."""
    change()


def different(before, after):
    changed = [key for key in before if before[key] != after[key]]
    return sorted(changed)


def in_fork(run):
    """Return what a function returns in a forked child, or None if the child died of it."""
    with tempfile.NamedTemporaryFile() as file:
        to, exit_child, dumps, write = file.fileno(), os._exit, json.dumps, os.write
        pid = os.fork()
        if pid == 0:
            try:
                write(to, dumps(run()).encode())
            except BaseException:
                traceback.print_exc()
            finally:
                exit_child(0)
        os.waitpid(pid, 0)
        file.seek(0)
        text = file.read()
    return json.loads(text) if text else None


def main(file):
    outcomes = {name: outcome_of(name) for name in CASES}
    with open(file, "w") as to:
        json.dump(outcomes, to)


if __name__ == "__main__":
    main(sys.argv[1])
