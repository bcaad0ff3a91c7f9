"""Paths as a person at the working directory sees them."""

from __future__ import annotations

import os

from annotest.errors import Mistake, Site


def relative(path: str) -> str:
    """Return a path relative to the working directory, where that is shorter than leaving it."""
    if not path or path.startswith("<"):
        return path
    try:
        shown = os.path.relpath(path)
    except ValueError:
        return path
    return path if shown.startswith(os.path.join("..", "..", "..")) else shown


def shown_mistake(mistake: Mistake) -> Mistake:
    """Return a mistake whose paths are relative."""
    site = Site(relative(mistake.site.file), mistake.site.line)
    return Mistake(
        site,
        mistake.annotation,
        mistake.reason,
        mistake.remedy,
        mistake.function,
        mistake.warning,
    )
