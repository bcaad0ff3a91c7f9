"""What a call finds in its process, put back after it.

The code under test, Hypothesis and the search share one process. Whatever a call leaves changed
there would break them, or make the next call another one.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from functools import partial
from os import chdir, umask
from sys import _getframe, getrecursionlimit, setrecursionlimit
from typing import Any

from annotest.engine.child.surroundings.aspect import Aspect
from annotest.engine.child.surroundings.interpreter import interpreter_aspects, patchable_modules
from annotest.engine.child.surroundings.system import Descriptors, system_aspects
from annotest.engine.depth import depth_of

# the functions below look their builtins up in this copy: a call may have replaced the real ones
globals()["__builtins__"] = dict(vars(builtins))

_MODULES = sys.modules


class Surroundings:
    """What a call finds in its process, to be put back after it; `go_to` its working folder."""

    def __init__(self, go_to: Callable[[str], object] = chdir) -> None:
        self._limit = self._raised = self._usual = getrecursionlimit()
        self._umask = umask(0o077)
        umask(self._umask)
        # the builtins first, then the modules: putting back what follows stands on them
        self._aspects = [*patchable_modules(), *system_aspects(go_to), *interpreter_aspects()]
        self._note()

    def before_call(self) -> None:
        """Note what Hypothesis itself sets anew around each call: the recursion limit.

        A call has as much room as its module left it, which may be more than Hypothesis leaves.
        """
        self._limit = self._raised = getrecursionlimit()
        usual = self._usual + depth_of(_getframe())
        if usual > self._limit:
            setrecursionlimit(usual)
            self._raised = usual

    def restore(self) -> tuple[str, ...]:
        """Put back whatever changed; return short names of what had changed."""
        names: list[str] = []
        limit = getrecursionlimit()
        if limit != self._limit:  # first: all that follows needs room on the stack
            setrecursionlimit(self._limit)
            names += ["recursion limit"] * (limit != self._raised)
            self._raised = self._limit
        if umask(self._umask) != self._umask:
            names.append("umask")
        try:
            if [read() for read in self._reads] == self._before:
                return tuple(names)
        except Exception:
            pass  # what can no longer be read, or compared, has changed
        return tuple(names + self._put_back())

    def close(self) -> None:
        """Give back the descriptors that are kept; afterwards these cannot be put back."""
        for aspect in self._aspects:
            if isinstance(aspect, Descriptors):
                aspect.close()
        self._note()

    def _put_back(self) -> list[str]:
        names: list[str] = []
        imported = len(_MODULES) != self._before[0]
        for aspect in self._aspects:
            if not _differs(aspect):
                continue
            try:
                names += aspect.put_back(imported)
            except Exception:
                names.append(aspect.name)
        self._note()
        return names

    def _note(self) -> None:
        """Take what could not be put back for what belongs there, so that it is reported once."""
        self._aspects = [
            aspect for aspect in self._aspects if not _differs(aspect) or _kept(aspect)
        ]
        self._reads: list[Callable[[], Any]] = [partial(len, _MODULES)]
        self._reads += [aspect.read for aspect in self._aspects]
        self._before = [len(_MODULES), *(aspect.before for aspect in self._aspects)]


def _differs(aspect: Aspect) -> bool:
    try:
        return bool(aspect.read() != aspect.before)
    except Exception:
        return True


def _kept(aspect: Aspect) -> bool:
    """Keep what is there now; say whether it could be read."""
    try:
        aspect.keep()
    except Exception:
        return False
    return True
