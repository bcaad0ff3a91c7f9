"""Exceptions of the code under test, read without calling their methods, which are the user's."""

from __future__ import annotations

import itertools
import re
import traceback
from collections.abc import Iterator
from typing import Any

from annotest.facts import Frame
from annotest.oracles.project import is_own, source_line

MOST_MESSAGE = 2000
_MOST_LINES = 20
_MOST_REASONS = 5
_RAISING = re.compile(r"(?:^|:\s*)raise\b")


def is_failure(error: BaseException) -> bool:
    """Say whether an exception is a failure; leaving with status 0 is a normal end."""
    if not is_a(error, SystemExit):
        return True
    code = plain_attribute(error, SystemExit, "code")  # of any type, and its __eq__ is the user's
    return not (code is None or (type(code) in (int, bool) and code == 0))


def is_a(error: BaseException, kind: type[BaseException]) -> bool:
    """Say whether an exception is of a type, without asking the exception itself."""
    return issubclass(type(error), kind)


def plain_attribute(error: BaseException, kind: type[BaseException], name: str) -> Any:
    """Return an attribute that Python gives to exceptions of a type, whatever theirs does."""
    return vars(kind)[name].__get__(error)


def type_name(error: BaseException) -> str:
    """Return an exception's type as Python shows it."""
    # not as its metaclass would have it
    module, name = (
        vars(type)[attribute].__get__(type(error)) for attribute in ("__module__", "__qualname__")
    )
    if type(module) is not str or module in ("builtins", "__main__"):
        return str(name)
    return f"{module}.{name}"


def message_of(error: BaseException) -> str:
    """Return an exception's message, whatever its __str__ does."""
    try:
        text = str.__str__(str(error))  # not one of a type of the user's
    except BaseException as problem:
        text = f"<its message raises {type_name(problem)}>"
    return text if len(text) <= MOST_MESSAGE else text[:MOST_MESSAGE] + "…"


def frames_of(error: BaseException) -> tuple[Frame, ...]:
    """Return the frames of a trace from the user's code on, the innermost last."""
    trace = plain_attribute(error, BaseException, "__traceback__")
    frames = [_frame(frame.f_code, line or 0) for frame, line in traceback.walk_tb(trace)]
    first = next((i for i, f in enumerate(frames) if not _is_machinery(f.file)), len(frames))
    kept = tuple(f for f in frames[first:] if not is_own(f.file))
    if is_a(error, SyntaxError):
        file, line = (
            plain_attribute(error, SyntaxError, attribute) for attribute in ("filename", "lineno")
        )
        if type(file) is str and type(line) is int and file and line:
            return (*kept, Frame(file, line, "<module>"))
    return kept


def _frame(code: Any, line: int) -> Frame:
    name = code.co_qualname
    if code.co_name == "<lambda>":  # of which one line may have several
        name += _own_text(code)
    return Frame(code.co_filename, line, code.co_name, name, code.co_firstlineno)


def _own_text(code: Any) -> str:
    """Return what a function holds on the first of its lines."""
    places = [place for place in code.co_positions() if place[0] == code.co_firstlineno]
    columns = [(start, end) for *_, start, end in places if start is not None and end]
    if not columns:
        return ""
    first, last = min(start for start, _ in columns), max(end for _, end in columns)
    line = source_line(code.co_filename, code.co_firstlineno, stripped=False)
    return " " + line.encode("utf-8", "replace")[first:last].decode("utf-8", "replace")


def reasons_of(error: BaseException) -> Iterator[BaseException]:
    """Yield the exceptions that an exception was made of: the first of a group, or what caused it.

    One that was met while another was handled counts if the handler raised it by a statement.
    """
    for _ in range(_MOST_REASONS):
        inner = plain_attribute(error, BaseException, "__cause__")
        if is_a(error, BaseExceptionGroup):
            inner = plain_attribute(error, BaseExceptionGroup, "exceptions")[0]
        elif inner is None and not plain_attribute(error, BaseException, "__suppress_context__"):
            step = innermost(error)
            if step is not None and _RAISING.search(statement(step)):
                inner = _handled_inside(error)
        if inner is None:
            return
        yield inner
        error = inner


def _handled_inside(error: BaseException) -> BaseException | None:
    """Return what was handled when an exception was raised, by code that it went through.

    What is handled further out is ours: a process may be forked while we handle something.
    """
    inner: BaseException | None = plain_attribute(error, BaseException, "__context__")
    if inner is None:
        return None
    trace, handled = (
        plain_attribute(link, BaseException, "__traceback__") for link in (error, inner)
    )
    passed = {frame for frame, _ in traceback.walk_tb(trace)}
    return inner if handled is None or handled.tb_frame in passed else None


def own_check(error: BaseException, code: Any) -> int:
    """Return the line of the `raise` with which a function itself refused its input; 0 if none."""
    step = innermost(error)
    if step is None or step.tb_frame.f_code is not code or not _RAISING.search(statement(step)):
        return 0
    return int(step.tb_lineno)


def says_itself(error: BaseException) -> bool:
    """Say whether the statement that raised an exception holds its message, or what makes it."""
    step = innermost(error)
    text = "" if step is None else statement(step)
    has_words = '"' in text or "'" in text
    return text.startswith("assert") or bool(_RAISING.search(text) and has_words)


def innermost(error: BaseException) -> Any:
    """Return the last step of a trace; None where there is none."""
    step = plain_attribute(error, BaseException, "__traceback__")
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    return step


def statement(step: Any) -> str:
    """Return the source of what a frame is at, over several lines where it is written so."""
    code = step.tb_frame.f_code
    place = next(itertools.islice(code.co_positions(), step.tb_lasti // 2, None), None)
    last = (place and place[1]) or step.tb_lineno
    lines = range(step.tb_lineno, min(last, step.tb_lineno + _MOST_LINES) + 1)
    return " ".join(source_line(code.co_filename, line) for line in lines)


def _is_machinery(file: str) -> bool:
    return is_own(file) or "importlib" in file or file.startswith("<frozen")
