"""Importing a module under test, in a worker, as its own program would."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Iterator
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType

from annotest.discovery.naming import is_library
from annotest.discovery.scan import ModuleFile
from annotest.imports import loaded_name, note_file


def load_module(file: ModuleFile) -> ModuleType:
    """Import the file with its folders on the path and its own name alone in `sys.argv`."""
    seen = os.path.relpath(file.path)
    _put_on_path(file)
    sys.argv = [file.path]
    if file.in_package and not file.loaded_as:
        module = importlib.import_module(file.module)
        if _is_file(module.__file__, file.path):
            # by other names others shall get this very module, not a second copy
            for name in _other_names(file):
                sys.modules.setdefault(name, module)
            return module
    return _load_file(file, seen)


def _put_on_path(file: ModuleFile) -> None:
    """Have the path begin with the folders of a file, whatever was on it already."""
    own, here = os.path.dirname(file.path), os.getcwd()
    # a file named like a library must not stand in that library's way
    last = [own] if not file.in_package and is_library(Path(file.path).stem) else []
    first = [folder for folder in dict.fromkeys((*file.folders, here)) if folder not in last]
    known = {os.path.realpath(folder) for folder in (*first, *last)}
    others = [entry for entry in sys.path if os.path.realpath(entry) not in known]
    sys.path[:] = [*first, *others, *last]


def needed_folders(file: ModuleFile, here: str) -> tuple[str, ...]:
    """Return the folders, as seen from `here`, that a pasted call needs on the path."""
    maybe = {folder for folder in (file.import_folder, *file.folders) if folder != here}
    used = {file.import_folder}
    for name, module in list(sys.modules.items()) if maybe - used else ():
        origin = vars(module).get("__file__") if issubclass(type(module), ModuleType) else None
        if "." in name or name == "annotest" or not isinstance(origin, str):
            continue
        top = Path(origin).parent
        folder = str(top.parent if Path(origin).name == "__init__.py" else top)
        if folder in maybe and os.path.realpath(origin) != file.path:
            used.add(folder)
    return _seen_from(here, file, used)


def folders_of_text(file: ModuleFile, here: str) -> tuple[str, ...]:
    """Return the folders that a pasted import needs, told from the text: it cannot be imported."""
    used = {file.import_folder}
    for name in file.imports:
        paths = {os.path.join(folder, name): folder for folder in file.folders}
        holding = (folder for path, folder in paths.items() if _is_importable(path))
        if not is_library(name):
            used.update(list(holding)[:1])
    return _seen_from(here, file, used)


def _is_importable(path: str) -> bool:
    return os.path.exists(f"{path}.py") or os.path.isdir(path)


def _seen_from(here: str, file: ModuleFile, used: set[str]) -> tuple[str, ...]:
    folders = dict.fromkeys((file.import_folder, *file.folders))
    needed = [folder for folder in folders if folder and folder in used and folder != here]
    return tuple(os.path.relpath(folder, here) for folder in needed)


def _is_file(origin: str | None, path: str) -> bool:
    return origin is not None and os.path.realpath(origin) == os.path.realpath(path)


def _load_file(file: ModuleFile, seen: str) -> ModuleType:
    name = file.loaded_as or file.module
    if name in sys.modules:
        if _is_file(getattr(sys.modules[name], "__file__", None), file.path):
            return sys.modules[name]
        name = loaded_name(Path(file.path).stem)  # another module has the name already
    if name != file.module:
        note_file(name, seen, file.path)
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
    if file.loaded_as or path.name == "__init__.py":
        return
    for folder in file.folders:
        if path.is_relative_to(folder):
            name = ".".join(path.relative_to(folder).with_suffix("").parts)
            if "." in name or _leads_to(name, file.path):
                yield name


def _leads_to(name: str, path: str) -> bool:
    """Say whether a top-level import would find this very file."""
    spec = None if name in sys.stdlib_module_names else PathFinder.find_spec(name)
    return spec is not None and _is_file(spec.origin, path)
