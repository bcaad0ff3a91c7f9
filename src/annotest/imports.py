"""How written Python gets at modules: by an import statement, by name, or from their file."""

from __future__ import annotations

import keyword
import re

# modules that no name leads to, as this process has loaded them: where they lie, as seen from
# the folder that the process began in, and in full
_APART = "__under_test"
_FILES: dict[str, tuple[str, str]] = {}


def note_file(module: str, seen: str, path: str) -> None:
    """Remember that a module was loaded from its file, because no name leads to it."""
    _FILES[module] = seen, path


def file_of(module: str) -> tuple[str, str] | None:
    """Return where a module lies that no name leads to: as seen from here, and in full."""
    return _FILES.get(module)


def is_importable(module: str) -> bool:
    """Say whether `module` can stand in an import statement (`01-train` cannot)."""
    parts = module.split(".")
    return all(part.isidentifier() and not keyword.iskeyword(part) for part in parts)


def variable_for(stem: str) -> str:
    """Return what a file with a module in it is called as a variable."""
    name = re.sub(r"\W", "_", stem).strip("_") or "module"
    return name if is_importable(name) else f"_{name}"


def loaded_name(stem: str, package: tuple[str, ...] = ()) -> str:
    """Return the name of a module loaded from its file, one that stands in nobody's way."""
    return ".".join((*package, f"{variable_for(stem)}{_APART}"))


def by_name(module: str) -> str:
    """Return the expression that imports a module which an import statement cannot name."""
    return f"importlib.import_module({quote(module)})"


def from_file(module: str, local: str, place: str) -> str:
    """Return the lines that load a module from the file at a place, and call it `local`."""
    return "\n".join(
        [
            f"spec = importlib.util.spec_from_file_location({quote(module)}, {place})",
            f"{local} = sys.modules[spec.name] = importlib.util.module_from_spec(spec)",
            f"spec.loader.exec_module({local})",
        ]
    )


def quote(text: str) -> str:
    """Return a string literal in double quotes where that needs no more escapes."""
    literal = repr(text)
    if literal.startswith("'") and '"' not in literal:
        return f'"{literal[1:-1]}"'
    return literal
