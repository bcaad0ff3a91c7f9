"""What the module in a file is called, and which folders its imports expect on the path."""

from __future__ import annotations

import sys
import sysconfig
from functools import cache
from importlib.machinery import PathFinder
from pathlib import Path

from annotest.imports import is_importable, loaded_name
from annotest.records import record

_PROJECT_MARKS = ("pyproject.toml", "setup.py", "setup.cfg", ".git")


@record
class Place:
    """A file's module name, its project, the folders for the path, whether it is in a package.

    `loaded_as` is the name that it is loaded under from its file, where no import leads to it.
    """

    module: str
    root: str
    folders: tuple[str, ...]
    in_package: bool
    loaded_as: str = ""


def locate(path: Path, given: Path, relative: int = 0, known_as: str = "") -> Place:
    """Say what the module in a file is called; `relative` is how far up its own imports reach.

    A folder is a package if it has an `__init__.py`, or if a file in it imports relative to it;
    unless the module is `known_as` something that says which folders are.
    """
    root = _project_root(path, given)
    is_known = _leads_up(known_as, path)
    packages = _named_packages(known_as, path) if is_known else _packages(path, relative)
    own, top = path.parent, path.parents[len(packages)]
    asked = given if given.is_dir() else given.parent
    source = root / "src"
    if packages:
        name = [] if path.name == "__init__.py" else [path.stem]
        module = ".".join((*packages, *name))
        folders = _distinct(top, root, source, asked, own)
    else:
        module = known_as if is_known else _seen_as(path, (Path.cwd(), asked, root, source))
        folders = _distinct(own, asked, root, source)
    loaded_as = ""
    if _is_hidden(path, bool(packages), module):
        loaded_as = loaded_name(path.stem, tuple(packages))
    return Place(module, str(root), folders, bool(packages), loaded_as)


def _packages(path: Path, relative: int) -> list[str]:
    packages: list[str] = []
    top = path.parent
    while (top / "__init__.py").exists() or (len(packages) < relative and top.name):
        packages.insert(0, top.name)
        top = top.parent
    return packages


def _named_packages(module: str, path: Path) -> list[str]:
    return module.split(".")[: None if path.name == "__init__.py" else -1]


def _leads_up(module: str, path: Path) -> bool:
    """Say whether a module's name is that of its file and of the folders above it."""
    file = path.parent if path.name == "__init__.py" else path.with_suffix("")
    parts = module.split(".")
    return module != "" and list(file.parts[-len(parts) :]) == parts


def _seen_as(path: Path, bases: tuple[Path, ...]) -> str:
    """Return a module's name as seen from the nearest folder that a person may have in mind."""
    own = path.parent
    around = [base for base in bases if own.is_relative_to(base)]
    base = max(around, key=lambda base: len(base.parts), default=own)
    folders = own.relative_to(base).parts
    # a folder without an __init__.py gives way to any library of its name
    if is_importable(".".join((*folders, "_"))) and not (folders and is_library(folders[0])):
        dotted = ".".join((*folders, path.stem))
        return dotted if "." in path.stem or is_importable(dotted) else path.stem
    return path.stem


def _is_hidden(path: Path, in_package: bool, module: str) -> bool:
    """Say whether no import leads to a file: its name has a dot, or leads to something else."""
    if path.name == "__init__.py":
        return False
    if "." in path.stem or (path.with_suffix("") / "__init__.py").exists():
        return True
    return not in_package and (module == "__main__" or is_library(module))


@cache
def is_library(name: str) -> bool:
    """Say whether a name is that of a module installed outside the project."""
    if "." in name:
        return False
    if name in sys.stdlib_module_names:
        return True
    # whatever else is on the path, which may be the project's
    installed = [folder for folder in sys.path if "-packages" in str(folder)]
    installed.append(sysconfig.get_path("stdlib"))
    try:
        return PathFinder.find_spec(name, installed) is not None
    except (ImportError, ValueError):
        return False


def _distinct(*folders: Path) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(folder) for folder in folders if folder.is_dir()))


def _project_root(path: Path, given: Path) -> Path:
    for folder in path.parents:
        if any((folder / mark).exists() for mark in _PROJECT_MARKS):
            return folder
    if given.is_dir():
        return given
    here = Path.cwd()
    return here if path.is_relative_to(here) else path.parent
