"""The errors annotest raises on purpose, and where in the user's code they belong."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from annotest.records import record

_PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep


class AnnotestError(Exception):
    """Base of every error annotest raises on purpose."""


class InvalidAnnotation(AnnotestError, ValueError):
    """An annotation that cannot mean anything; `remedy` says what to write instead."""

    def __init__(self, reason: str, remedy: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.remedy = remedy
        if remedy:
            self.add_note(remedy)


def left_out_of(error: InvalidAnnotation) -> InvalidAnnotation:
    """Return what is told of an annotation that is left out, where that is only a warning."""
    return InvalidAnnotation(error.reason, f"it is left out; {error.remedy}")


class MissingFramework(AnnotestError, ImportError):
    """A constraint needs a framework that is not installed; `name` is the package."""


def needs(what: str, package: str | None) -> str:
    """Say in one line that something needs a package, and how to get it."""
    return f"{what} needs {package}; install it with: pip install {package}"


class UnwritableValue(AnnotestError, TypeError):
    """A value that has no source text, such as a lambda or a live object."""


class UsageError(AnnotestError):
    """A command was called in a way that cannot work."""


def hides_from_pytest(raised: Any) -> bool:
    """Say whether a trace of pytest does without our own frames: what we raise on purpose says all.

    A module whose frames are then hidden has this as its `__tracebackhide__`.
    """
    return isinstance(raised.value, AnnotestError)


@record
class Site:
    """A line of the user's code."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@record
class Mistake:
    """One wrong annotation, as data: where it stands, what is wrong, what to do."""

    site: Site
    annotation: str
    reason: str
    remedy: str = ""
    function: str = ""
    warning: bool = False

    def __str__(self) -> str:
        said = self.reason if self.reason.startswith(self.annotation) else ""
        text = said or f"{self.annotation}: {self.reason}"
        return f"{self.site}: {text}"


def call_site() -> Site:
    """Return the innermost line of code, up the stack, that is not annotest's own."""
    frame = sys._getframe(1)
    while frame.f_back is not None and (
        frame.f_code.co_filename.startswith(_PACKAGE) or frame.f_code.co_filename == "<string>"
    ):
        frame = frame.f_back
    return Site(frame.f_code.co_filename, frame.f_lineno)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return " Did you mean 'size'?" when a known name is close to `word`, else nothing."""
    close = difflib.get_close_matches(word, list(known), n=1)
    return f" Did you mean {close[0]!r}?" if close else ""


_recorded: list[Mistake] | None = None


@contextmanager
def recording() -> Iterator[list[Mistake]]:
    """While annotest imports a module, collect wrong annotations instead of raising them."""
    global _recorded
    before, _recorded = _recorded, []
    try:
        yield _recorded
    finally:
        _recorded = before


def is_recording() -> bool:
    """Say whether wrong annotations are collected (annotest is importing) or raised."""
    return _recorded is not None


def keep(mistake: Mistake) -> None:
    """Keep a mistake that belongs to no function (a module-level one) while recording."""
    if _recorded is not None:
        _recorded.append(mistake)
