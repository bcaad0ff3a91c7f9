"""What a project says about itself once and for all: `[tool.annotest]` of its pyproject.toml."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from dataclasses import field
from typing import Any

from annotest.errors import UsageError
from annotest.records import record

FILE = "pyproject.toml"
TABLE = "tool.annotest"
PROFILES = "profiles"
DEFAULT = "default"
_MARKS = (FILE, "setup.py", "setup.cfg", ".git")


@record
class Config:
    """What stands below `[tool.annotest]`, as it is written.

    `file` is the pyproject.toml read, "" if there is none. `table` is `[tool.annotest]` itself,
    without the `profiles`, which are tables of the same keys.
    """

    file: str = ""
    table: dict[str, Any] = field(default_factory=dict)
    profiles: dict[str, dict[str, Any]] = field(default_factory=dict)


@record
class InForce:
    """A value in force, as a person reads it, and where it comes from."""

    value: Any
    text: str
    origin: str = DEFAULT


@record
class Settings:
    """What is in force for a command, by key; `file` and `profile` are what was read for it."""

    file: str
    profile: str
    profiles: tuple[str, ...]
    known: dict[str, InForce]


def read_config(start: str) -> Config:
    """Return what the nearest pyproject.toml, at or above `start`, with `[tool.annotest]` says."""
    for folder in _upwards(start):
        file = os.path.join(folder, FILE)
        if os.path.isfile(file):
            tool = _parsed(file).get("tool")
            if isinstance(tool, dict) and "annotest" in tool:
                return _config(file, tool["annotest"])
    return Config()


def project_root(start: str) -> str:
    """Return the nearest folder, at or above `start`, that looks like a project's; else its own."""
    folders = list(_upwards(start))
    for folder in folders:
        if any(os.path.exists(os.path.join(folder, mark)) for mark in _MARKS):
            return folder
    return folders[0]


def _upwards(start: str) -> Iterator[str]:
    """Yield the folder that a path is or is in, and those above it."""
    folder = os.path.realpath(start)
    if not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    yield folder
    while folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
        yield folder


def _parsed(file: str) -> dict[str, Any]:
    try:
        with open(file, "rb") as opened:
            return tomllib.load(opened)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: this is not TOML; correct it: {error}") from error
    except OSError as error:
        raise UsageError(f"{file}: cannot be read; make it readable: {error.strerror}") from error


def _config(file: str, written: object) -> Config:
    table = dict(_table(file, TABLE, written))
    profiles = _table(file, f"{TABLE}.{PROFILES}", table.pop(PROFILES, {}))
    return Config(
        file,
        table,
        {name: _table(file, f"{TABLE}.{PROFILES}.{name}", profiles[name]) for name in profiles},
    )


def _table(file: str, name: str, written: object) -> dict[str, Any]:
    if isinstance(written, dict):
        return written
    kind = type(written).__name__
    raise UsageError(
        f"{file}: {name} must be a table, got {written!r} ({kind}); "
        f"write [{name}] and the settings below it"
    )
