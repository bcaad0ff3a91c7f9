"""Python's own functions as they were before any code under test ran, and what it replaced.

A program may put others in their place while it is imported, as gevent and freezegun do. What
annotest calls in the same process must not be those.
"""

from __future__ import annotations

import signal as _signal
import sys
import types
from typing import TYPE_CHECKING, Any

from annotest.errors import Mistake, Site

if TYPE_CHECKING:
    import gc as gc
    import os as os
    import select as select
    import signal as signal
    import time as time
else:

    def _copied(name: str) -> types.ModuleType:
        module = types.ModuleType(name)
        vars(module).update(vars(__import__(name)))
        return module

    gc, os, select, signal, time = map(_copied, ("gc", "os", "select", "signal", "time"))

open_file = open

# whose functions we, Hypothesis and NumPy call while the code under test is about
_WATCHED = (
    *("builtins", "os", "os.path", "time", "signal", "select", "threading", "random", "math"),
    *("gc", "re", "ast", "inspect", "json", "copy", "pickle", "struct", "io", "sys", "functools"),
    *("contextlib", "collections", "itertools", "operator", "types", "typing", "warnings"),
    *("weakref", "traceback", "linecache", "tokenize", "tempfile", "shutil", "mmap", "fcntl"),
    *("resource", "faulthandler", "importlib", "enum", "dataclasses", "hashlib", "numpy"),
    *("numpy.random", "hypothesis", "hypothesis.strategies", "hypothesis.extra.numpy"),
)
_CLASSES = (("random", "Random"), ("threading", "Thread"), ("inspect", "Signature"))

MOST_NAMED = 5
# what these put in the place of Python's own does what that did, and more
_HARMLESS = {"torch"}

_before: dict[str, dict[str, Any]] = {}
_handlers: dict[int, Any] = {}
_deepest = 0


def watch_replacing() -> None:
    """Remember Python's own functions as they are now."""
    global _deepest
    _before.update(_functions())
    _handlers.update(_signal_handlers())
    _deepest = sys.getrecursionlimit()


def replaced() -> list[str]:
    """Return what the code under test has put in place of Python's own since it was watched."""
    names = []
    after = _functions()
    for module, functions in _before.items():
        others = after.get(module, {})
        names += [
            f"{module}.{name}"
            for name, value in functions.items()
            if others.get(name) is not value and not _is_harmless(others.get(name))
        ]
    handlers = _signal_handlers()
    names += [
        f"the handler of {_signal.Signals(number).name}"
        for number, handler in _handlers.items()
        if handlers[number] is not handler
    ]
    return names + ["the recursion limit"] * (sys.getrecursionlimit() < _deepest)


def _is_harmless(function: Any) -> bool:
    return str(getattr(function, "__module__", "")).partition(".")[0] in _HARMLESS


def replacing(path: str, names: list[str], text: str) -> Mistake:
    """Return the mistake of a module that replaced what annotest needs, as this error shows."""
    listed = ", ".join(names[:MOST_NAMED]) + (", …" if len(names) > MOST_NAMED else "")
    lines = text.strip().splitlines()
    said = [line for line in lines if not line.startswith("while generating")][-1]  # of Hypothesis
    reason = f"it replaces {listed}, and annotest cannot do its work with that: {said}"
    remedy = "replace what the program needs where it runs, not where it is imported"
    return Mistake(Site(path, 1), "import", reason, remedy)


def _functions() -> dict[str, dict[str, Any]]:
    spaces = {name: sys.modules.get(name) for name in _WATCHED}
    for module, name in _CLASSES:
        spaces[f"{module}.{name}"] = getattr(sys.modules.get(module), name, None)
    return {
        called: {
            name: value
            for name, value in vars(space).items()
            if callable(value) and not name.startswith("_")
        }
        for called, space in spaces.items()
        if space is not None
    }


def _signal_handlers() -> dict[int, Any]:
    return {number: _signal.getsignal(number) for number in _signal.valid_signals()}
