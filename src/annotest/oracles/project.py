"""Which files are the project's own, annotest's own, or a library's."""

from __future__ import annotations

import linecache
import os
import sys
from collections.abc import Sequence
from functools import cache

from annotest.facts import Frame
from annotest.records import record

_OWN_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


@cache
def library_folders() -> tuple[str, ...]:
    """Return the folders of Python's own library, and of an environment's beside it."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    of_environment = os.path.join(sys.exec_prefix, sys.platlibdir, version)
    named = dict.fromkeys([os.path.dirname(os.__file__), of_environment])
    return tuple(os.path.realpath(folder) + os.sep for folder in named)


def is_own(file: str) -> bool:
    """Say whether a file is annotest's own."""
    return file.startswith(_OWN_FOLDER)


def real_path(file: str) -> str:
    """Return a file's real path; the code under test may name what can be no file."""
    try:
        return os.path.realpath(file)
    except ValueError:
        return file


def source_line(file: str, line: int, stripped: bool = True) -> str:
    """Return a line of a file, stripped unless told otherwise; nothing where there is none."""
    try:
        text = linecache.getline(file, line)
    except ValueError:  # a name that can be no file's
        return ""
    return text.strip() if stripped else text


# their frames tell nothing about the code that calls them
_FRAMEWORKS = {"jax", "jaxlib", "keras", "numpy", "scipy", "tensorflow", "torch"}


def _is_of_library(file: str) -> bool:
    """Say whether a file is Python of a library that may be under test: of no framework."""
    parts = file.replace(os.sep, "/").split("/")
    folders = [place for place, part in enumerate(parts) if part.endswith("-packages")]
    top = parts[folders[-1] + 1].removesuffix(".py") if folders else ""
    return bool(top) and file.endswith(".py") and top not in _FRAMEWORKS and not is_own(file)


@record
class Project:
    """Which files are the project's own: those below its folders that are no library's.

    `packages` are the folders of packages annotated from outside: their frames count too. Calls
    may work below `mirror`, a folder that shows others: `mirror/a/b` stands for `/a/b`.
    """

    folders: tuple[str, ...]
    root: str
    packages: tuple[str, ...] = ()
    mirror: str = ""

    def unmirrored(self, text: str) -> str:
        """Return a text with the real paths in place of those in the mirror, which differ."""
        return text.replace(self.mirror, "") if self.mirror else text

    def holds(self, file: str) -> bool:
        """Say whether a file is the project's own."""
        path = real_path(file)
        if is_own(path) or not file.endswith(".py"):  # compiled code names its own sources
            return False
        if any(path.startswith(folder + os.sep) for folder in self.packages):
            return True
        return any(_is_below(path, folder.rstrip(os.sep) + os.sep) for folder in self.folders)

    def counts(self, file: str) -> bool:
        """Say whether a frame tells bugs apart: of the project, or of a library under test."""
        return self.holds(file) or _is_of_library(file)

    def last_frame(self, frames: Sequence[Frame]) -> int | None:
        """Return the place of the innermost frame inside the project, or of the innermost one."""
        own = (place for place in reversed(range(len(frames))) if self.holds(frames[place].file))
        return next(own, len(frames) - 1 if frames else None)

    def relative(self, file: str) -> str:
        """Return a file's path as seen from the root, for fingerprints."""
        path = real_path(file)
        root = os.path.realpath(self.root).rstrip(os.sep) + os.sep
        return path[len(root) :] if path.startswith(root) else os.path.basename(path)


def _is_below(path: str, folder: str) -> bool:
    """Say whether a file lies below a folder and not in a library installed below it."""
    if not path.startswith(folder):
        return False
    rest = path[len(folder) :].split(os.sep)
    if "site-packages" in rest or "dist-packages" in rest:
        return False
    return not any(
        path.startswith(library) and not folder.startswith(library) for library in library_folders()
    )


def package_folder(module: str) -> str | None:
    """Return the folder of the top package of a module, so that its frames count as its own."""
    top = sys.modules.get(module.partition(".")[0])
    file = getattr(top, "__file__", None)
    return None if file is None else os.path.dirname(os.path.realpath(file))
