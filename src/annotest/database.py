"""Failing inputs, kept in the project: one small file each, written whole or not at all."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import time
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

FORMAT = 1
MOST = 20
HUGE = 5_000_000
OLD = 3600.0
_README = """\
annotest keeps here the inputs on which it saw a function of this project fail, and tries them
first the next time. `annotest replay` lists them. The folder may be deleted at any time.
"""


def database_folder(root: str) -> str:
    """Return where a project's failing inputs are kept unless told otherwise."""
    return os.path.join(root, ".annotest")


@dataclass(frozen=True)
class Entry:
    """One failing input: what failed, and from what the input can be made again."""

    id: str
    seen_in: str
    file: str
    kind: str
    exception_type: str
    message: str
    call: str
    inputs: tuple[tuple[str, str], ...] = ()
    location: tuple[str, int] | None = None
    choices: bytes = b""
    example: int | None = None
    recipe: bytes = b""
    status: str = "failing"
    shrunk: bool = False
    seen: str = ""

    @property
    def name(self) -> str:
        """The name of its file."""
        target = hashlib.sha256(self.seen_in.encode("utf-8", "replace")).hexdigest()[:8]
        return f"{self.id}-{target}.json"


class Database:
    """The entries of one folder."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._findings = os.path.join(folder, "findings")
        self.warnings: list[str] = []

    def _warn(self, text: str) -> None:
        if text not in self.warnings:
            self.warnings.append(text)

    def save(self, entry: Entry) -> None:
        """Write an entry, in place of an earlier one; where that fails it is a warning."""
        try:
            self._prepare()
            self._write(os.path.join(self._findings, entry.name), _dumped(entry))
        except OSError as error:
            self._warn(
                f"{self._folder}: failing inputs cannot be kept: {error.strerror}; "
                "make it a folder that can be written, or choose another with --database"
            )

    def _prepare(self) -> None:
        if os.path.isdir(self._findings):
            return
        os.makedirs(self._findings, exist_ok=True)
        self._write(os.path.join(self._folder, ".gitignore"), "*\n")
        self._write(os.path.join(self._folder, "README.txt"), _README)

    def _write(self, path: str, text: str) -> None:
        partial = f"{path}.{os.getpid()}.partial"
        self._sweep()
        with open(partial, "w", encoding="ascii") as file:
            file.write(text)
        os.replace(partial, path)

    def _sweep(self) -> None:
        """Remove what writers that were killed have left."""
        for name in os.listdir(self._findings):
            path = os.path.join(self._findings, name)
            if name.endswith(".partial") and time.time() - os.stat(path).st_mtime > OLD:
                os.unlink(path)

    def all(self) -> list[Entry]:
        """Return every entry that can be read, the newest first."""
        try:
            names = sorted(os.listdir(self._findings))
        except FileNotFoundError:
            return []
        except OSError as error:
            self._warn(f"{self._folder}: failing inputs cannot be read: {error.strerror}")
            return []
        found = [self._read(os.path.join(self._findings, n)) for n in names if n.endswith(".json")]
        entries = [one for one in found if one is not None]
        return sorted(entries, key=lambda one: one.seen, reverse=True)

    def _read(self, path: str) -> Entry | None:
        try:
            if os.path.getsize(path) > HUGE:
                raise ValueError("it is too large")
            with open(path, encoding="ascii") as file:
                return _loaded(json.load(file))
        except OSError as error:
            self._warn(f"{path}: cannot be read: {error.strerror}; it is left out")
        except (ValueError, TypeError, KeyError, RecursionError):
            self._warn(f"{path}: not an entry of this annotest; delete it, it is left out")
        return None

    def of_target(self, target: str) -> list[Entry]:
        """Return the newest entries of one target."""
        return [one for one in self.all() if one.seen_in == target][:MOST]

    def find(self, prefix: str) -> list[Entry]:
        """Return the entries whose id begins so."""
        return [one for one in self.all() if one.id.startswith(prefix)]

    def mark(self, entry: Entry, status: str) -> None:
        """Note what has become of an entry."""
        if entry.status != status:
            self.save(replace(entry, status=status))


def _dumped(entry: Entry) -> str:
    record: dict[str, Any] = {"format": FORMAT, **asdict(entry)}
    for name in ("choices", "recipe"):
        record[name] = base64.b64encode(record[name]).decode("ascii")
    return json.dumps(record, indent=1) + "\n"


_TYPES: dict[str, tuple[type, ...]] = {
    "inputs": (list,),
    "location": (list, type(None)),
    "example": (int, type(None)),
    "shrunk": (bool,),
}


def _loaded(record: Any) -> Entry:
    if not isinstance(record, dict) or record.pop("format", None) != FORMAT:
        raise ValueError
    if set(record) != {one.name for one in fields(Entry)}:
        raise ValueError
    for name, value in record.items():
        if not isinstance(value, _TYPES.get(name, (str,))):
            raise TypeError
    record["inputs"] = tuple((str(name), str(text)) for name, text in record["inputs"])
    if record["location"] is not None:
        file, line = record["location"]
        record["location"] = (str(file), int(line))
    for name in ("choices", "recipe"):
        record[name] = base64.b64decode(record[name], validate=True)
    return Entry(**record)
