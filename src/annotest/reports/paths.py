"""Paths as seen from the working directory."""

from __future__ import annotations

import os
from dataclasses import replace

from annotest.controls import on_one_line
from annotest.errors import Mistake, Site

_FAR = os.path.join("..", "..", "..")


def relative(path: str) -> str:
    """Return a path relative to the working directory."""
    return path if not path or path.startswith("<") else os.path.relpath(path)


def readable(path: str) -> str:
    """Return a path for a person: relative, unless that leads far up and down again."""
    shown = relative(path)
    return on_one_line(path if shown.startswith(_FAR) else shown)


def readable_thing(thing: str) -> str:
    """Return what the guard prevented for a person: it need not be a path."""
    return readable(thing) if os.path.isabs(thing) else thing


def shown_mistake(mistake: Mistake) -> Mistake:
    """Return a mistake whose path is for a person."""
    return replace(mistake, site=Site(readable(mistake.site.file), mistake.site.line))
