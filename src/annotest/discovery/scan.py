"""Paths → modules, by reading files only."""

from __future__ import annotations

import ast
import gc
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from annotest import globs
from annotest.discovery.naming import locate
from annotest.discovery.syntax import (
    has_module_test,
    imports_in,
    is_annotated,
    names_in,
    relative_level,
    unannotated,
)
from annotest.discovery.words import Word, is_meant
from annotest.errors import UsageError
from annotest.facts import NotTestable
from annotest.records import record

MARKER = "# Made by annotest"

_SKIPPED_FOLDERS = {"__pycache__", "node_modules", "site-packages", "build", "dist"}


@record
class SourceFile:
    """A file, and the name of the module that it is.

    `loaded_as` is the name under which it is loaded from its file, where no import leads to it.
    """

    path: str
    module: str
    loaded_as: str

    @property
    def import_folder(self) -> str:
        """The folder that must be on the path to import the module by its name; "" if none will."""
        path = Path(self.path)
        if self.loaded_as:
            return ""
        top = path.parents[self.module.count(".")]
        return str(top.parent if path.name == "__init__.py" else top)


@record
class ModuleFile(SourceFile):
    """A Python file, the folders its imports expect on the path, and the targets that are named."""

    root: str
    folders: tuple[str, ...]
    in_package: bool
    has_module_test: bool = False
    names: tuple[str, ...] = ()
    imports: frozenset[str] = frozenset()
    annotates_others: bool = False
    wanted: tuple[str, ...] = ()

    def wants(self, module: str, qualname: str) -> bool:
        """Say whether a target is one of those that are named; all are where none is."""
        return not self.wanted or any(is_meant(name, module, qualname) for name in self.wanted)

    @property
    def wanted_names(self) -> list[str]:
        """The names in its text of what is wanted."""
        return [name for name in self.names if self.wants(self.module, name)]

    def may_follow(self, other: ModuleFile) -> bool:
        """Say whether one process may import this module after the other, to look at both."""
        alike = self.in_package and other.in_package and self.folders[0] == other.folders[0]
        return alike and not self.annotates_others and not other.annotates_others


@record
class Unparsable(SourceFile):
    """A file that is not Python; `is_stray` says that nobody has asked for it."""

    line: int
    message: str
    text: str = ""
    is_stray: bool = False


@record
class Unsure:
    """A name that is wanted of modules, and that the text of none of them shows."""

    word: Word
    wanted: str
    files: list[ModuleFile]


@dataclass
class Scan:
    """What the paths hold."""

    modules: list[ModuleFile] = field(default_factory=list)
    unparsable: list[Unparsable] = field(default_factory=list)
    not_testable: list[NotTestable] = field(default_factory=list)
    files: int = 0
    unsure: list[Unsure] = field(default_factory=list)


def scan(
    paths: Iterable[str],
    every_module: bool = False,
    exclude: Collection[str] = (),
    known_as: Mapping[str, str] = MappingProxyType({}),
) -> Scan:
    """Return the modules to import: the annotated ones, or every one.

    What matches a pattern of `exclude` is left alone, unless it is named itself. `known_as` are
    the names that modules have in the program that asks, by their files.
    """
    scanned = Scan()
    seen: set[Path] = set()
    for text in paths:
        given = Path(text)
        if not given.exists():
            raise UsageError(f"{text}: there is no such file or folder")
        if given.is_file() and given.suffix != ".py":
            raise UsageError(f"{text}: not a Python file; give .py files or folders")
        # what is named itself is meant
        left_out = [
            pattern for pattern in exclude if not globs.matches(str(given.resolve()), pattern)
        ]
        with _collector_paused():
            for path in _python_files(given, left_out):
                if path.resolve() not in seen:
                    seen.add(path.resolve())
                    name = known_as.get(str(path.resolve()), "")
                    _scan_file(path, given.resolve(), every_module, scanned, name)
    scanned.files = len(seen)
    return scanned


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Have no garbage looked for among syntax trees: they are large, and have no circles."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _python_files(given: Path, left_out: list[str]) -> Iterator[Path]:
    if given.is_file():
        yield given.resolve()
        return

    def is_taken(folder: str, name: str) -> bool:
        path = os.path.join(folder, name)
        return not any(globs.matches(path, pattern) for pattern in left_out)

    for folder, folders, files in os.walk(given.resolve()):
        folders[:] = sorted(
            name for name in folders if is_source_folder(folder, name) and is_taken(folder, name)
        )
        for name in sorted(name for name in files if is_taken(folder, name)):
            path = Path(folder, name)
            # editors' lock files are hidden links to nowhere; a linked file is read where it lies
            if name.endswith(".py") and not name.startswith(".") and path.is_file():
                if not (path.is_symlink() and path.resolve().is_relative_to(given.resolve())):
                    yield path


def is_source_folder(above: str, name: str) -> bool:
    """Say whether a folder may hold what people wrote for a project."""
    if name.startswith(".") or name in _SKIPPED_FOLDERS or name.endswith(".egg-info"):
        return False
    return not os.path.exists(os.path.join(above, name, "pyvenv.cfg"))


def _scan_file(path: Path, given: Path, every_module: bool, scanned: Scan, name: str) -> None:
    place = locate(path, given, known_as=name)
    known_as = str(path), place.module, place.loaded_as
    try:
        data = path.read_bytes()
        if data.startswith(MARKER.encode()):
            return
        tree = ast.parse(data, str(path))
    except OSError as error:
        scanned.unparsable.append(Unparsable(*known_as, 1, f"cannot be read: {error}"))
        return
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None) or 1
        text = (getattr(error, "text", None) or "").strip()
        message = getattr(error, "msg", None) or str(error) or "too complex to be read"
        # without zero bytes, as UTF-16 has them
        is_stray = path != given and b"annotest" not in data.replace(b"\0", b"")
        scanned.unparsable.append(Unparsable(*known_as, line, message, text, is_stray))
        return
    annotated = is_annotated(tree)
    if annotated or (every_module and not _is_test_file(path)):
        place = locate(path, given, relative_level(tree), name)
        scanned.modules.append(
            ModuleFile(
                str(path),
                place.module,
                place.loaded_as,
                place.root,
                place.folders,
                place.in_package,
                has_module_test(tree),
                names_in(tree),
                imports_in(tree),
                b"annotate(" in data,
            )
        )
    elif not _is_test_file(path):
        scanned.not_testable += unannotated(tree, str(path), place.module)


def _is_test_file(path: Path) -> bool:
    name = path.name
    return (name.startswith("test") or name.endswith(("_test.py", "_tests.py"))) or name in (
        "conftest.py",
        "setup.py",
    )
