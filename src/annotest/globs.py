"""Patterns of files and folders that are left alone."""

from __future__ import annotations

import glob
import os
from fnmatch import fnmatchcase


def absolute(folder: str, pattern: str) -> str:
    """Return a pattern that a person has written in or for a folder, as one of whole paths.

    A plain name is meant at any depth, as in .gitignore; a folder means all that it holds.
    """
    pattern = pattern.replace(os.sep, "/").rstrip("/")
    if "/" not in pattern:
        pattern = f"**/{pattern}"
    while pattern.endswith(("/*", "/**")):
        pattern = pattern.rpartition("/")[0]
    return os.path.normpath(os.path.join(glob.escape(folder), pattern))


def matches(path: str, pattern: str) -> bool:
    """Say whether a path, or a folder that it lies in, is one that the pattern means."""
    return _fits(path.split(os.sep), pattern.split(os.sep))


def _fits(parts: list[str], pattern: list[str]) -> bool:
    if not pattern:
        return True  # it lies below
    if pattern[0] == "**":
        return any(_fits(parts[place:], pattern[1:]) for place in range(len(parts)))
    return bool(parts) and fnmatchcase(parts[0], pattern[0]) and _fits(parts[1:], pattern[1:])
