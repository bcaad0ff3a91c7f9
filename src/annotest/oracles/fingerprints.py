"""The identity of a bug: what one finding has in common with the same one in every other run.

It is made of names and source text, never of line numbers or values. What a project has kept is
found again by it: a change here makes every known finding a new one.
"""

from __future__ import annotations

import hashlib
import re

from annotest.facts import Frame
from annotest.kinds import Kind
from annotest.oracles.project import Project, source_line

_CYCLE = 200  # of a recursion that is too deep, so many frames show all functions that take part
_QUOTED = re.compile(r"""(?<!\w)(?:'[^']*'|"[^"]*"|`[^`]*`)(?!\w)""")
_NUMBER = re.compile(
    r"0x[0-9a-f]+|[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?|[-+]?\b(?:nan|inf)\b", re.IGNORECASE
)
_NUMBERS = re.compile(r"#(?:\s*[,x]?\s*#)*,?")
_LONGEST = 200


def of_trace(
    kind: Kind, name: str, frames: tuple[Frame, ...], project: Project, message: str = ""
) -> str:
    """Return the identity of what failed at one place: from the project's last frame inward.

    Frames further out do not count: one bug may be reached from everywhere.
    """
    parts = [kind, name]
    if name == "RecursionError":  # which meets its end at any line of the circle
        own = [_called(frame) for frame in frames[-_CYCLE:] if project.holds(frame.file)]
        return _short_hash(*parts, *sorted(set(own)))
    last = project.last_frame(frames)
    if last is not None:
        place = frames[last]
        parts += [project.relative(place.file), _called(place), _text(place)]
        deeper = [frame for frame in frames[last + 1 :] if project.counts(frame.file)]
        parts += dict.fromkeys(f"{_called(frame)}: {_text(frame)}" for frame in deeper)
    return _short_hash(*parts, *([alike(message)] if message else []))


def alike(message: str) -> str:
    """Return a message without what differs from call to call: numbers and quoted words."""
    line = next(iter(message.strip().splitlines()), "")[:_LONGEST]
    return _NUMBERS.sub("#", _NUMBER.sub("#", _QUOTED.sub("'…'", line)))


def _called(frame: Frame) -> str:
    return frame.qualname or frame.function


def _text(frame: Frame) -> str:
    return source_line(frame.file, frame.line)


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
