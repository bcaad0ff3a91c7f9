"""What the guard allows and what it blocked, as plain data."""

from __future__ import annotations

import builtins
import errno
import os
import re
from collections.abc import Callable
from dataclasses import replace
from json.encoder import encode_basestring
from os import listdir
from typing import Any

from annotest.guard.paths import folder_of
from annotest.records import record

# the functions below keep these builtins whatever code under test puts in their place
globals()["__builtins__"] = vars(builtins).copy()

NETWORK, PROGRAMS = "network", "programs"
# looks at the arguments of an audit event, and raises what is not allowed
Judge = Callable[[tuple[Any, ...]], None]
_find_message = re.compile(
    r"annotest blocked: (look up|connect to|\w+) (.+?) "
    r"\(to allow it, write (.+?) below \[tool\.annotest\] in pyproject\.toml\)",
    re.DOTALL,
).search


@record
class Allowed:
    """What code under test may do: write below `folders`, use the network, start programs.

    `folders` are real paths; one that is a file stands for itself. `root` is the real folder of
    pyproject.toml, to which the lines that allow more are relative.
    """

    folders: tuple[str, ...] = ()
    network: bool = False
    programs: bool = False
    root: str = ""

    def resolved(self) -> Allowed:
        """Return the same with real paths, should they not be so."""
        root = os.path.realpath(self.root) if self.root else ""
        return replace(self, folders=tuple(map(os.path.realpath, self.folders)), root=root)

    def line_for_word(self, word: str) -> str:
        """Return the line of pyproject.toml that allows the network or programs as well."""
        known = {NETWORK: self.network, PROGRAMS: self.programs}
        return f"allow = {_written([name for name in known if known[name] or name == word])}"

    def line_for_path(self, path: str) -> str:
        """Return the line of pyproject.toml that allows writing to a path as well."""
        declared = [folder for folder in self.folders if self._in_project(folder)]
        paths = [*declared, self._worth_declaring(path)]
        return f"outputs = {_written(list(dict.fromkeys(map(self._short, paths))))}"

    def shown(self, blocked: Blocked) -> str:
        """Return what was blocked for a person, paths as seen from pyproject.toml."""
        return f"{blocked.action} {self._short(blocked.what)}"

    def _worth_declaring(self, path: str) -> str:
        """Return the folder that the path is in, or the path itself where that says too much."""
        folder = folder_of(path)
        if path in self.folders:
            return folder  # a declared folder may be filled and emptied, not deleted
        if not self._in_project(folder) or _has_sources(folder):
            return path
        return folder

    def _in_project(self, path: str) -> bool:
        return bool(self.root) and path.startswith(self.root.rstrip("/") + "/")

    def _short(self, path: str) -> str:
        if path == self.root:
            return "."
        return path[len(self.root.rstrip("/")) + 1 :] if self._in_project(path) else path


NOTHING = Allowed()


@record
class Blocked:
    """One thing that was blocked, and the line of pyproject.toml that allows it."""

    action: str
    what: str
    allow: str

    def __str__(self) -> str:
        return f"{self.action} {self.what}"

    @property
    def message(self) -> str:
        """What the code under test is told."""
        remedy = f"to allow it, write {self.allow} below [tool.annotest] in pyproject.toml"
        return f"annotest blocked: {self} ({remedy})"


def blocked_in(text: str) -> Blocked | None:
    """Read back what was blocked from a text that quotes the message."""
    match = _find_message(text)
    return Blocked(*match.groups()) if match else None


class BlockedByGuard(PermissionError):
    """What code under test gets for an action that the guard does not allow."""

    # a text alone makes one: frameworks make an error of a worker process again from its text
    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.errno = errno.EACCES

    @property
    def blocked(self) -> Blocked | None:
        """What was blocked."""
        return blocked_in(str(self))


def _written(words: list[str]) -> str:
    return f"[{', '.join(map(encode_basestring, words))}]"


def _has_sources(folder: str) -> bool:
    try:
        return any(name.endswith(".py") for name in listdir(folder))
    except OSError:
        return False
