"""The crash oracle: a call fails when it cannot end normally."""

from __future__ import annotations

import hashlib
import linecache
import os
import sys
import sysconfig
import traceback
from functools import cache
from typing import Any

from annotest.errors import Site
from annotest.events import Frame
from annotest.frozen import frozen

MOST_MESSAGE = 2000

_OWN_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


@cache
def library_folders() -> tuple[str, ...]:
    """Return the folders of Python's own library; slow to find out, and not always needed."""
    named = {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")}
    return tuple(os.path.realpath(folder) + os.sep for folder in named if folder)


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


def real_path(file: str) -> str:
    """Return a file's real path; the code under test may name what can be no file."""
    try:
        return os.path.realpath(file)
    except ValueError:
        return file


def source_line(file: str, line: int) -> str:
    """Return a line of a file, stripped; nothing where there is none."""
    try:
        return linecache.getline(file, line).strip()
    except ValueError:  # a name that can be no file's
        return ""


@frozen
class Project:
    """Which files are the project's own: those below its folders that are no library's.

    `packages` are the folders of packages annotated from outside: their frames count too.
    """

    folders: tuple[str, ...]
    root: str
    packages: tuple[str, ...] = ()

    def holds(self, file: str) -> bool:
        """Say whether a file is the project's own."""
        path = real_path(file)
        if path.startswith(_OWN_FOLDER) or file.startswith("<"):
            return False
        if any(path.startswith(folder + os.sep) for folder in self.packages):
            return True
        return any(_is_below(path, folder.rstrip(os.sep) + os.sep) for folder in self.folders)

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
    libraries = library_folders()
    return not any(path.startswith(one) and not folder.startswith(one) for one in libraries)


def package_folder(module: str) -> str | None:
    """Return the folder of the top package of a module, so that its frames count as its own."""
    top = sys.modules.get(module.partition(".")[0])
    file = getattr(top, "__file__", None)
    return None if file is None else os.path.dirname(os.path.realpath(file))


@frozen
class Crash:
    """What is known of one exception."""

    exception_type: str
    message: str
    frames: tuple[Frame, ...] | None
    location: Site | None
    fingerprint: str


def crash_of(error: BaseException, project: Project, kind: str, target: str = "") -> Crash:
    """Describe an exception: its frames without ours, the place in the project, its identity."""
    frames = frames_of(error)
    name = type_name(error)
    # a bug without a place is known by the target that shows it
    site, key = place_of(frames, project, kind, name if frames else f"{name} {target}")
    return Crash(name, message_of(error), frames, site, key)


def place_of(
    frames: tuple[Frame, ...], project: Project, kind: str, name: str
) -> tuple[Site | None, str]:
    """Return the innermost place inside the project, and the bug's identity."""
    location = next((f for f in reversed(frames) if project.holds(f.file)), None)
    place = location or (frames[-1] if frames else None)
    site = None if location is None else Site(location.file, location.line)
    return site, fingerprint(kind, name, place, project)


def fingerprint(kind: str, name: str, place: Frame | None, project: Project) -> str:
    """Return a bug's identity, made of names and source text so that it outlives line numbers."""
    parts = [kind, name]
    if place is not None:
        line = source_line(place.file, place.line)
        parts += [project.relative(place.file), place.function, line]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:10]


def type_name(error: BaseException) -> str:
    """Return an exception's type as Python shows it."""
    # not as its metaclass would have it
    module, name = (vars(type)[one].__get__(type(error)) for one in ("__module__", "__qualname__"))
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
    frames = [
        Frame(frame.f_code.co_filename, line or 0, frame.f_code.co_name)
        for frame, line in traceback.walk_tb(trace)
    ]
    first = next((i for i, f in enumerate(frames) if not _is_machinery(f.file)), len(frames))
    kept = tuple(f for f in frames[first:] if not f.file.startswith(_OWN_FOLDER))
    if is_a(error, SyntaxError):
        file, line = (plain_attribute(error, SyntaxError, one) for one in ("filename", "lineno"))
        if type(file) is str and type(line) is int and file and line:
            return (*kept, Frame(file, line, "<module>"))
    return kept


def is_own(file: str) -> bool:
    """Say whether a file is annotest's own."""
    return file.startswith(_OWN_FOLDER)


def _is_machinery(file: str) -> bool:
    return is_own(file) or "importlib" in file or file.startswith("<frozen")
