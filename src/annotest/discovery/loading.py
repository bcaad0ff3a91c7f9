"""Importing a module under test, in a worker, as its own program would."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

from annotest.discovery.scan import ModuleFile


def load_module(file: ModuleFile) -> ModuleType:
    """Import the file with its folders on the path and its own name alone in `sys.argv`."""
    folders = [folder for folder in file.folders if folder not in sys.path]
    if not file.in_package and _is_library(Path(file.path).stem):
        # a file named like a library must not stand in that library's way
        folders = [folder for folder in folders if folder != str(Path(file.path).parent)]
    sys.path[:0] = folders
    sys.argv = [file.path]
    if file.in_package:
        module = importlib.import_module(file.module)
        if _is_file(module, file.path):
            return module
    return _load_file(file)


def needed_folders(file: ModuleFile, here: str) -> tuple[str, ...]:
    """Return the folders, as seen from `here`, that a pasted call needs on the path."""
    used = {file.import_folder}
    for name, module in list(sys.modules.items()):
        origin = vars(module).get("__file__") if issubclass(type(module), ModuleType) else None
        if "." in name or name == "annotest" or not isinstance(origin, str):
            continue
        if os.path.realpath(origin) != file.path:
            top = Path(origin).parent
            used.add(str(top.parent if Path(origin).name == "__init__.py" else top))
    return _seen_from(here, file, used)


def folders_of_text(file: ModuleFile, here: str) -> tuple[str, ...]:
    """Return the folders that a pasted import needs, told from the text: it cannot be imported."""
    used = {file.import_folder}
    for name in file.imports:
        paths = {os.path.join(folder, name): folder for folder in file.folders}
        holding = (folder for path, folder in paths.items() if _is_importable(path))
        if not _is_library(name):
            used.update(list(holding)[:1])
    return _seen_from(here, file, used)


def _is_importable(path: str) -> bool:
    return os.path.exists(f"{path}.py") or os.path.isdir(path)


def _seen_from(here: str, file: ModuleFile, used: set[str]) -> tuple[str, ...]:
    folders = dict.fromkeys((file.import_folder, *file.folders))
    return tuple(
        os.path.relpath(folder, here) for folder in folders if folder in used and folder != here
    )


def _is_file(module: ModuleType, path: str) -> bool:
    origin = getattr(module, "__file__", None)
    return origin is not None and os.path.realpath(origin) == os.path.realpath(path)


def _load_file(file: ModuleFile) -> ModuleType:
    name = file.module
    if name in sys.modules or _is_library(name):
        if name in sys.modules and _is_file(sys.modules[name], file.path):
            return sys.modules[name]
        name = f"{name}__under_test"  # a library has the name already
    spec = importlib.util.spec_from_file_location(name, file.path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    # others import it by other names: give them this very module, not a second copy
    for other in _other_names(file):
        sys.modules.setdefault(other, module)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        for name in [name for name, other in sys.modules.items() if other is module]:
            del sys.modules[name]
        raise
    return module


def _other_names(file: ModuleFile) -> Iterator[str]:
    """Yield the names by which the folders on the path let others import the file."""
    path = Path(file.path)
    for folder in file.folders:
        if path.is_relative_to(folder):
            name = ".".join(path.relative_to(folder).with_suffix("").parts)
            if not _is_library(name):
                yield name


@cache
def _is_library(name: str) -> bool:
    """Say whether a name is that of a module installed outside the project."""
    if "." in name:
        return False
    if name in sys.stdlib_module_names:
        return True
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return False
    return spec is not None and "site-packages" in (spec.origin or "")
