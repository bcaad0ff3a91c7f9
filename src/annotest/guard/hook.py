"""The audit hook: sees what Python code is about to do, and raises where that is not allowed."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from os import getpid
from typing import Any

from annotest.guard import landlock
from annotest.guard.data import NETWORK, PROGRAMS, Allowed, Blocked, BlockedByGuard, Judge
from annotest.guard.files import FileJudges
from annotest.guard.landlock import NO_KERNEL, Kernel
from annotest.guard.log import Log
from annotest.guard.mirror import NO_MIRROR, Mirror
from annotest.guard.network import NetworkJudges
from annotest.guard.places import Writable, kernel_places, make_caches, make_outputs
from annotest.guard.programs import ProgramJudges, kernel_programs

globals()["__builtins__"] = vars(builtins).copy()


# of the process that has installed the guard, and what is judged: a fork may install its own
_installed_in: list[int] = []
_judge_of: dict[str, Judge] = {}


def install(allowed: Allowed, kernel: bool = True, mirror: Mirror = NO_MIRROR) -> Log:
    """Guard this process from now on, and return the log of what is blocked.

    Missing caches are made, and with `kernel` missing folders among the allowed ones: Landlock
    cannot allow what does not exist, and a `mirror` cannot show it. In a fork of a guarded process
    this guard takes the place of that one, but what the kernel refuses it goes on to refuse.
    """
    if getpid() in _installed_in:
        raise RuntimeError("the guard is installed in this process already, and stays")
    allowed = allowed.resolved()
    make_caches()
    if mirror is not NO_MIRROR:
        make_outputs(allowed.folders)
    log = Log(allowed, _restrict(allowed) if kernel else NO_KERNEL)
    log.watch_ends()
    _judge_of.clear()
    _judge_of.update(_judges(allowed, log, mirror))
    if not _installed_in:
        sys.addaudithook(_hook)
    _installed_in.append(getpid())
    return log


def _restrict(allowed: Allowed) -> Kernel:
    kernel = landlock.available()
    if not kernel:
        return kernel
    programs = None if allowed.programs else kernel_programs()
    return landlock.restrict(kernel, kernel_places(allowed.folders), programs)


def _judges(allowed: Allowed, log: Log, mirror: Mirror) -> dict[str, Judge]:
    def block_path(action: str, path: str) -> None:
        _block(log, Blocked(action, path, allowed.line_for_path(path)))

    def block_word(word: str) -> Callable[[str, str], None]:
        line = allowed.line_for_word(word)
        return lambda action, what: _block(log, Blocked(action, what, line))

    fixed = log.kernel.places
    judges = FileJudges(Writable(allowed.folders), fixed, mirror, block_path).by_event()
    if not allowed.network:
        judges |= NetworkJudges(block_word(NETWORK)).by_event()
    if not allowed.programs:
        programs = ProgramJudges(block_word(PROGRAMS))
        programs.watch_the_others()
        judges |= programs.by_event()
    return judges


def _block(log: Log, blocked: Blocked) -> None:
    log.add(blocked)
    raise BlockedByGuard(blocked.message)


def _hook(event: str, args: tuple[Any, ...]) -> None:
    judge = _judge_of.get(event)
    if judge is not None:
        try:
            judge(args)
        except BlockedByGuard:
            raise
        except Exception:
            return  # a fault of the guard's own must not become one of the code under test
