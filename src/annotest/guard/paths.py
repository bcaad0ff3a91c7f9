"""Where a path really leads, asked with functions that code under test cannot replace."""

from __future__ import annotations

import builtins
import sys
from os import fspath, getcwd, lstat, readlink, stat
from stat import S_ISDIR, S_ISLNK
from typing import Any

# the functions below keep these builtins whatever code under test puts in their place
globals()["__builtins__"] = vars(builtins).copy()

_LINKS = 40  # as many as Linux follows
_ENCODING, _ERRORS = sys.getfilesystemencoding(), sys.getfilesystemencodeerrors()


def text_of(path: Any) -> str:
    """Return a path as text; os.fsdecode would call what code under test can replace."""
    plain = fspath(path)
    return plain.decode(_ENCODING, _ERRORS) if isinstance(plain, bytes) else str(plain)


def full_path(path: object, dir_fd: object = None, follow: bool = True) -> str:
    """Return the absolute path without links; without `follow`, a link at its end stays."""
    if isinstance(path, int):
        return readlink(f"/proc/self/fd/{path}")
    text = text_of(path)
    if not text.startswith("/"):
        known = isinstance(dir_fd, int) and dir_fd >= 0
        folder = readlink(f"/proc/self/fd/{dir_fd}") if known else getcwd()
        text = f"{folder}/{text}"
    if follow:
        return _resolved(text)
    folder, _, name = text.rstrip("/").rpartition("/")
    if name in ("", ".", ".."):
        return _resolved(text)
    return f"{_resolved(folder).rstrip('/')}/{name}"


def _resolved(path: str) -> str:
    names = path.split("/")[::-1]
    done, missing, links = "", False, _LINKS
    while names:
        name = names.pop()
        if name in ("", "."):
            continue
        if name == "..":
            done, missing = done[: done.rfind("/")] if done else "", False
            continue
        done = f"{done}/{name}"
        target = None if missing or not links else _target(done)
        missing = missing or target == ""
        if target:
            links -= 1
            done = "" if target.startswith("/") else done[: -len(name) - 1]
            names.extend(target.split("/")[::-1])
    return done or "/"


def _target(path: str) -> str | None:
    """Return where a link leads, None where there is no link, "" where there is nothing."""
    try:
        if not S_ISLNK(lstat(path).st_mode):
            return None
        if path.startswith("/proc/") and path.rpartition("/")[0].endswith("/fd"):
            return None  # an open file, whatever its name was
        return readlink(path)
    except OSError:
        return ""


def is_there(path: str) -> bool:
    """Say whether there is anything at a path, be it a broken link."""
    try:
        lstat(path)
    except (OSError, ValueError):
        return False
    return True


def is_folder(path: str) -> bool:
    """Say whether a path leads to a folder."""
    try:
        return S_ISDIR(stat(path).st_mode)
    except (OSError, ValueError):
        return False


def folder_of(path: str) -> str:
    """Return the folder that an absolute path is in."""
    return path.rpartition("/")[0] or "/"
