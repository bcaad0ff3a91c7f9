"""What the interpreter keeps for all code in a process: modules, hooks, streams, contexts."""

from __future__ import annotations

import builtins
import decimal
import gc
import os
import sys
import threading
import time
import warnings
from collections.abc import Iterable
from functools import partial
from operator import attrgetter, itemgetter
from typing import Any

from annotest import frameworks
from annotest.engine.child.surroundings.aspect import (
    Aspect,
    Entries,
    Listing,
    Setting,
    holds,
    short,
)

# the functions below look their builtins up in this copy: a call may have replaced the real ones
globals()["__builtins__"] = dict(vars(builtins))

_MODULES = sys.modules
_SYS_LISTS = ("path", "argv", "meta_path", "path_hooks")
_SYS_NAMES = (
    *_SYS_LISTS,
    *("modules", "excepthook", "unraisablehook", "displayhook", "breakpointhook"),
    *("exit", "exc_info", "_getframe", "gettrace", "settrace", "getprofile", "setprofile"),
    *("getrecursionlimit", "setrecursionlimit"),
)
_STREAMS = ("stdin", "stdout", "stderr", "__stdin__", "__stdout__", "__stderr__")
_CLOSED = attrgetter("closed")
_DECIMAL_PARTS = attrgetter("prec", "rounding", "Emin", "Emax", "traps")
_get_context, _set_context = decimal.getcontext, decimal.setcontext
_enable_gc, _disable_gc, _set_threshold = gc.enable, gc.disable, gc.set_threshold


def patchable_modules() -> list[Aspect]:
    """Return the modules whose functions tests replace, and on which all else stands."""
    return [Entries(builtins), Entries(os), Entries(time), Entries(sys, _SYS_NAMES)]


def interpreter_aspects() -> list[Aspect]:
    """Return what to watch, in the order in which it must be put back."""
    return [
        Streams(),
        *(Listing(f"sys.{name}", getattr(sys, name)) for name in _SYS_LISTS),
        Setting("garbage collection", gc.isenabled, _switch_gc),
        Setting("garbage collection threshold", gc.get_threshold, _set_thresholds),
        Setting("sys.settrace", sys.gettrace, sys.settrace),
        Setting("sys.setprofile", sys.getprofile, sys.setprofile),
        Setting("threading.settrace", threading.gettrace, threading.settrace),
        Setting("threading.setprofile", threading.getprofile, threading.setprofile),
        Setting("int digits", sys.get_int_max_str_digits, sys.set_int_max_str_digits),
        Setting("sys.tracebacklimit", _traceback_limit, _limit_traceback),
        Filters(),
        DecimalContext(),
        *frameworks.aspects(),
        EventLoop(),
    ]


def _switch_gc(enabled: bool) -> None:
    (_enable_gc if enabled else _disable_gc)()


def _set_thresholds(before: tuple[int, int, int]) -> None:
    _set_threshold(*before)


_traceback_limit = partial(vars(sys).get, "tracebacklimit")


def _limit_traceback(before: Any) -> None:
    vars(sys).pop("tracebacklimit", None)
    if before is not None:
        vars(sys)["tracebacklimit"] = before


class Streams(Aspect):
    """sys.stdin, sys.stdout and sys.stderr, and that they are open."""

    name = "standard streams"

    def __init__(self) -> None:
        self.get = partial(itemgetter(*_STREAMS), vars(sys))
        super().__init__()

    def read(self) -> Any:
        return self.get(), [*map(_CLOSED, self.open)]

    def keep(self) -> None:
        self.kept = dict(zip(_STREAMS, self.get(), strict=True))
        self.open = [self.kept[name] for name in _STREAMS[:3] if _is_open(self.kept[name])]
        self.before = self.read()

    def put_back(self, imported: bool) -> Iterable[str]:
        changed = [name for name in _STREAMS if vars(sys).get(name) is not self.kept[name]]
        # letting go of a wrapper around the old stream closes the old stream: look afterwards
        vars(sys).update(self.kept)
        for stream in self.open:
            if not _is_open(stream):
                changed += self._replace(stream)
        return short(list(dict.fromkeys(changed)), "sys.", self.name)

    def _replace(self, closed: Any) -> list[str]:
        """Put a new stream on its descriptor in the place of a closed one."""
        names = [name for name in _STREAMS if self.kept[name] is closed]
        number = ("stdin", "stdout", "stderr").index(names[0].strip("_"))
        opened = open(
            number,
            "r" if number == 0 else "w",
            buffering=1 if getattr(closed, "line_buffering", True) else -1,
            encoding=getattr(closed, "encoding", None) or "utf-8",
            errors=getattr(closed, "errors", None) or "backslashreplace",
            closefd=False,
        )
        for name in names:
            setattr(sys, name, opened)
        return names


def _is_open(stream: Any) -> bool:
    try:
        return stream.closed is False
    except Exception:  # None, an object of the user's, or a stream that was detached
        return False


class Filters(Aspect):
    """What is to become of warnings."""

    name = "warning filters"

    def __init__(self) -> None:
        self.items: Any = warnings.filters
        super().__init__()

    def read(self) -> Any:
        return [*warnings.filters], warnings.showwarning

    def put_back(self, imported: bool) -> Iterable[str]:
        filters, show = self.before
        if imported and show is warnings.showwarning and holds(warnings.filters, filters):
            return []
        warnings.filters, warnings.showwarning = self.items, show
        warnings.resetwarnings()  # the public way to have it forget what it has looked up
        self.items[:] = filters
        return [self.name]


class DecimalContext(Aspect):
    """How decimals are rounded; the flags, which every division sets, are nobody's business."""

    name = "decimal context"

    def read(self) -> Any:
        return _DECIMAL_PARTS(_get_context())

    def keep(self) -> None:
        self.context = _get_context().copy()
        self.before = _DECIMAL_PARTS(self.context)

    def put_back(self, imported: bool) -> Iterable[str]:
        _set_context(self.context.copy())
        return [self.name]


class EventLoop(Aspect):
    """asyncio's policy, and the loop said to be running."""

    name = "event loop"

    def read(self) -> Any:
        events = _MODULES.get("asyncio.events")
        if events is None:
            return None, None
        return events._get_running_loop(), vars(events).get("_event_loop_policy")

    def put_back(self, imported: bool) -> Iterable[str]:
        (loop, policy), (loop_now, policy_now) = self.before, self.read()
        events = _MODULES["asyncio.events"]
        changed = []
        if loop is not loop_now:
            events._set_running_loop(loop)
            changed.append("running event loop")
        # asyncio itself makes a policy when it first needs one
        made = policy is None and type(policy_now).__module__.startswith("asyncio.")
        if policy is not policy_now and not made:
            vars(events)["_event_loop_policy"] = policy
            changed.append("event loop policy")
        return changed
