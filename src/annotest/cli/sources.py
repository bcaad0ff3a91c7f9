"""Where settings stand: in tables of a file, in the environment, on the command line."""

from __future__ import annotations

import json
import os
from typing import Any

from annotest.config import FILE, PROFILES, TABLE

PREFIX = "ANNOTEST_"


class Source:
    """A place where settings stand; relative paths in it begin in `folder`."""

    folder = ""
    before = ""  # what begins a message about a setting
    tables: tuple[str, ...] = ()  # names that are no settings

    def spell(self, key: str) -> str:
        """Return how a key is written here."""
        raise NotImplementedError

    def assign(self, key: str, value: Any) -> str:
        """Return how a key is given a value here."""
        raise NotImplementedError

    def origin(self, key: str) -> str:
        """Return what a person is told about where a setting comes from."""
        return self.spell(key)

    def texts(self, written: Any, types: tuple[type, ...], many: bool) -> list[str] | None:
        """Return what is written as it would be on the command line; None for another type."""
        raise NotImplementedError

    def shown(self, written: Any) -> str:
        """Return what is written for a message."""
        return repr(written)


class Table(Source):
    """A table of a pyproject.toml."""

    def __init__(self, file: str, name: str) -> None:
        self.folder = os.path.dirname(file)
        self.before = f"{file}: [{name}] "
        self.tables = (PROFILES,) if name == TABLE else ()
        self._name = name

    def spell(self, key: str) -> str:
        return key

    def assign(self, key: str, value: Any) -> str:
        return f"{key} = {json.dumps(value, ensure_ascii=False)}"

    def origin(self, key: str) -> str:
        return f"{FILE} [{self._name}]"

    def texts(self, written: Any, types: tuple[type, ...], many: bool) -> list[str] | None:
        items = written if many else [written]
        if isinstance(items, list) and all(isinstance(item, types) for item in items):
            return [str(item) for item in items]
        return None

    def shown(self, written: Any) -> str:
        return f"{written!r} ({type(written).__name__})"


class Variables(Source):
    """The variables `ANNOTEST_…`; commas stand between the items of a list."""

    def spell(self, key: str) -> str:
        return PREFIX + key.replace("-", "_").upper()

    def assign(self, key: str, value: Any) -> str:
        items = (
            value if isinstance(value, list) else [json.dumps(value, ensure_ascii=False).strip('"')]
        )
        return f"{self.spell(key)}={','.join(items)}"

    def texts(self, written: Any, types: tuple[type, ...], many: bool) -> list[str] | None:
        items = [item.strip() for item in written.split(",")]
        return [item for item in items if item] if many else [written]


class CommandLine(Source):
    """The words after `annotest run`."""

    def spell(self, key: str) -> str:
        return f"--{key}"

    def origin(self, key: str) -> str:
        return "command line"
