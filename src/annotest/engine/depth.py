"""The recursion limit, as code under test sees it: it counts from its own call."""

from __future__ import annotations

import sys
from functools import cache
from types import FrameType

from annotest.oracles.project import is_own
from annotest.process.own import os

_get, _set, _frame = sys.getrecursionlimit, sys.setrecursionlimit, sys._getframe
_HYPOTHESIS = f"-packages{os.sep}hypothesis{os.sep}"
# of calls between frames that are no Python
_ROOM = 50
_MOST = 2**31 - 1


def count_from_own_call() -> None:
    """Have the limit that code under test sets, or asks for, leave our frames out."""
    sys.getrecursionlimit, sys.setrecursionlimit = _asked_for, _set_by


def _asked_for() -> int:
    return max(1, _get() - _below(_frame(1)))


def _set_by(limit: int, /) -> None:
    if type(limit) is int and limit > 0:
        limit = min(limit + _below(_frame(1)), _MOST)
    _set(limit)


def _below(frame: FrameType) -> int:
    """Return how deep the stack is below the code that a frame belongs to; 0 if that is ours."""
    if _is_ours(frame.f_code.co_filename):
        return 0
    outer: FrameType | None = frame
    while outer is not None and not _is_ours(outer.f_code.co_filename):
        outer = outer.f_back
    return depth_of(outer) if outer is not None else 0


def depth_of(frame: FrameType | None) -> int:
    """Return what of the recursion limit is taken where a frame makes a call."""
    depth = _ROOM
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    return depth


@cache  # Hypothesis asks for the limit eight times an input
def _is_ours(file: str) -> bool:
    return is_own(file) or _HYPOTHESIS in file
