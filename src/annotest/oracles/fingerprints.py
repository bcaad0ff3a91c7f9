"""The identity of a bug: what one finding has in common with the same one in every other run.

It is made of names and source text, never of line numbers or values. What a project has kept is
found again by it: a change here makes every known finding a new one.
"""

from __future__ import annotations

import hashlib

from annotest.facts import Frame
from annotest.kinds import Kind
from annotest.oracles.project import Project, source_line


def of_place(kind: Kind, name: str, place: Frame | None, project: Project) -> str:
    """Return the identity of what failed at one place of the source."""
    parts = [kind, name]
    if place is not None:
        line = source_line(place.file, place.line)
        parts += [project.relative(place.file), place.function, line]
    return _short_hash(*parts)


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
