"""The identity of a bug: what one finding has in common with the same one in every other run.

It is made of names and source text, never of line numbers or values. What a project has kept is
found again by it: a change here makes every known finding a new one.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator

from annotest.facts import Frame
from annotest.kinds import Kind
from annotest.oracles.messages import alike
from annotest.oracles.project import Project, source_line

_CYCLE = 200  # of a recursion that is too deep, so many frames show all functions that take part


def of_trace(
    kind: Kind,
    name: str,
    frames: tuple[Frame, ...],
    project: Project,
    message: str = "",
    reasons: tuple[str, ...] = (),
) -> str:
    """Return the identity of what failed at one place: from the project's last frame inward.

    Frames further out do not count: one bug may be reached from everywhere. `reasons` are the
    identities of the exceptions that it was made of.
    """
    parts = [kind, name]
    if name == "RecursionError":  # which meets its end at any line of the circle
        message = ""
        circle = _circle(frames, project)
        if circle:
            return _short_hash(*parts, *circle)
    if name.partition(" ")[0].endswith("OutOfMemoryError"):
        message = ""  # which says what other processes had taken of a device
    parts += _trail(frames, project)
    return _short_hash(*parts, *([alike(message)] if message else []), *reasons)


def _circle(frames: tuple[Frame, ...], project: Project) -> list[str]:
    """Return the functions that call each other without end."""
    met = Counter(
        f"{project.relative(frame.file)} {_called(frame)}"
        for frame in frames[-_CYCLE:]
        if project.counts(frame.file)
    )
    again = [function for function, times in met.items() if times > 1]
    return sorted(again or met)


def _trail(frames: tuple[Frame, ...], project: Project) -> Iterator[str]:
    """Yield the place inside the project and what was called from there, circles left out."""
    last = project.last_frame(frames)
    if last is None:
        return
    place = frames[last]
    yield from (project.relative(place.file), _called(place), _text(place))
    trail: dict[str, str] = {}
    for frame in frames[last + 1 :]:
        if not project.counts(frame.file):
            continue
        called = _called(frame)
        if called in trail:  # back where it was: what lies between depends on the depth
            names = list(trail)
            for between in names[names.index(called) + 1 :]:
                del trail[between]
        trail[called] = _text(frame)
    yield from (f"{called}: {text}" for called, text in trail.items())


def _called(frame: Frame) -> str:
    return frame.qualname or frame.function


def _text(frame: Frame) -> str:
    """Return the line that a frame is at, and which it is of several alike in its function."""
    text = source_line(frame.file, frame.line)
    before = range(frame.start, frame.line) if frame.start else ()
    alike_before = sum(source_line(frame.file, line) == text for line in before)
    return f"{text} ({alike_before})" if alike_before else text


def of_target(kind: Kind, target: str, ending: str = "") -> str:
    """Return the identity of what left no trace: its kind, its target and how it ended."""
    return _short_hash(*(part for part in (kind, target, ending) if part))


def of_file(path: str, message: str, text: str) -> str:
    """Return the identity of a file that does not parse."""
    return _short_hash(Kind.SYNTAX, path, message, text)


def of_promise(oracle: str, target: str, what: str) -> str:
    """Return the identity of what an oracle finds a target to break; `what` tells two apart."""
    return _short_hash(Kind.ORACLE, oracle, target, what)


def _short_hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:10]
