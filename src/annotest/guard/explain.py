"""Whether an exception is the guard's doing: its own error, or what the kernel's refusal led to."""

from __future__ import annotations

import errno
import opcode
import os
import re
from collections.abc import Collection, Iterator
from types import TracebackType
from typing import Any

from annotest.guard.data import PROGRAMS, Allowed, Blocked, blocked_in
from annotest.guard.landlock import Kernel
from annotest.guard.paths import folder_of, full_path, is_folder, is_there
from annotest.guard.places import is_within

_REFUSED = (errno.EACCES, errno.EPERM)
_says_refused = re.compile(
    r"permission denied|operation not permitted|readonly database", re.IGNORECASE
).search
_paths_in = re.compile(r"(?<![\w.])/[^\s'\"<>:;,]+").findall
_RAISING = {opcode.opmap[name] for name in ("RAISE_VARARGS", "RERAISE")}
_CARRIED = "Traceback (most recent call last)"  # a worker process's error, raised again here
_THREAD_ENDED = "Exception in thread "  # so threading.excepthook begins
_MAKING = ("write", "create", "move")
_FRAMES = 4
UNNAMED = "a file that native code does not name"


def explanation(
    error: BaseException, allowed: Allowed, kernel: Kernel, earlier: tuple[Blocked, ...] = ()
) -> Blocked | None:
    """Return what the guard blocked if an exception, or what it comes from, is its doing."""
    try:
        return _explanation(error, allowed, kernel, earlier)
    except BaseException:  # one of the user's that cannot be looked at
        return None


def _explanation(
    error: BaseException, allowed: Allowed, kernel: Kernel, earlier: tuple[Blocked, ...]
) -> Blocked | None:
    for link in _chain(error):
        text = _text(link)
        blocked = blocked_in(text) or _never_written(link, earlier)
        if blocked is None and kernel:
            blocked = _refused_by_kernel(link, text, allowed, kernel.places)
        if blocked is not None:
            return blocked
    return None


def _never_written(error: BaseException, earlier: tuple[Blocked, ...]) -> Blocked | None:
    """Return what was blocked earlier if a file is missing for it."""
    if not isinstance(error, FileNotFoundError):
        return None
    for path in _real([error.filename]):
        made = (blocked for blocked in earlier if blocked.action in _MAKING)
        return next((blocked for blocked in made if is_within(path, (blocked.what,))), None)
    return None


def printed_by_what_ended(printed: str, elsewhere: Collection[Blocked]) -> Blocked | None:
    """Return what was blocked if a process or a thread says that it ended for it."""
    of_threads = printed[printed.find(_THREAD_ENDED) :] if _THREAD_ENDED in printed else ""
    of_processes = (blocked for blocked in elsewhere if blocked.message in printed)
    return blocked_in(of_threads) or next(of_processes, None)


# what explains an exception is near its beginning
_LONGEST, _MOST_TEXT = 100, 10_000


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an exception and all that it comes from or holds, each once."""
    waiting: list[BaseException | None] = [error]
    seen: set[int] = set()
    while waiting and len(seen) < _LONGEST:
        link = waiting.pop()
        if link is None or id(link) in seen:
            continue
        seen.add(id(link))
        yield link
        parts = link.exceptions if isinstance(link, BaseExceptionGroup) else ()
        waiting += [*parts, link.__context__, link.__cause__]


def _text(error: BaseException) -> str:
    try:
        return str(error)[:_MOST_TEXT]
    except BaseException:  # an exception of the user's that cannot be printed
        return ""


def _refused_by_kernel(
    error: BaseException, text: str, allowed: Allowed, places: tuple[str, ...]
) -> Blocked | None:
    if isinstance(error, OSError) and error.filename is not None:
        known = _real([error.filename, error.filename2]) if error.errno in _REFUSED else []
        judge = _first_refused_start if _is_start_of_program(error) else _first_refused
        return judge(known, allowed, places)
    if not _says_refused(text) or not _is_believable(error, text):
        return None
    named = [] if _CARRIED in text else _real(_paths_in(text))
    at_hand = _real(_files_at_hand(error))
    if named:
        # some write a temporary file beside the one they were given: that one is meant
        beside = [path for path in at_hand if folder_of(path) == folder_of(named[0])]
        return _first_refused([*beside, *named], allowed, places)
    guessed = _first_refused(at_hand, allowed, places)
    return guessed or Blocked("write", UNNAMED, 'outputs = ["the folder it writes to"]')


def _real(paths: list[Any]) -> list[str]:
    """Return those among the values that are paths, made absolute and free of links."""
    real = []
    for path in paths:
        try:
            real.append(full_path(path))
        except (OSError, TypeError, ValueError):
            continue
    return real


def _first_refused(paths: list[str], allowed: Allowed, places: tuple[str, ...]) -> Blocked | None:
    """Return the first path that the kernel closes, and that would be open without the guard."""
    for path in paths:
        place = path if is_there(path) else folder_of(path)
        if not is_within(path, places) and os.access(place, os.W_OK):
            return Blocked("write", path, allowed.line_for_path(path))
    return None


def _first_refused_start(
    paths: list[str], allowed: Allowed, places: tuple[str, ...]
) -> Blocked | None:
    """Return the first program that would run without the guard."""
    for path in paths:
        if not allowed.programs and os.access(path, os.X_OK) and not is_folder(path):
            return Blocked("run", path, allowed.line_for_word(PROGRAMS))
    return None


def _is_believable(error: BaseException, text: str) -> bool:
    """Say whether a refusal comes from the system: a program's own check may say the same words."""
    if isinstance(error, OSError) and error.errno in _REFUSED:
        return True
    return _CARRIED in text or not _is_raised_by_python(error)


def _steps(error: BaseException) -> list[TracebackType]:
    """Return an exception's traceback step by step, the innermost one first."""
    steps = []
    step = error.__traceback__
    while step is not None:
        steps.append(step)
        step = step.tb_next
    return steps[::-1]


def _is_start_of_program(error: BaseException) -> bool:
    return any(
        step.tb_frame.f_globals.get("__name__") == "subprocess" for step in _steps(error)[:1]
    )


def _is_raised_by_python(error: BaseException) -> bool:
    """Say whether an exception was raised by a `raise` of Python's, and not within native code."""
    for step in _steps(error)[:1]:
        code = step.tb_frame.f_code.co_code
        return 0 <= step.tb_lasti < len(code) and code[step.tb_lasti] in _RAISING
    return False


def _files_at_hand(error: BaseException) -> list[Any]:
    """Guess which file native code was given: the variables near the call that look like one."""
    frames = [step.tb_frame for step in _steps(error)[:_FRAMES]]
    values = [value for frame in frames for value in frame.f_locals.values()]
    return [value for value in values if _looks_like_file(value)]


def _looks_like_file(value: Any) -> bool:
    try:
        text = os.fsdecode(value)
    except Exception:  # no path, or an object of the user's
        return False
    return "\n" not in text and ("/" in text or "." in text[1:-1]) and not is_folder(text)
