"""Failing inputs, kept in the project: one small file each, written whole or not at all.

What is kept helps the next run and is never needed: whatever is wrong with a file, or with the
folder, costs a warning and nothing else.
"""

from __future__ import annotations

import json
import os
import re
import stat
import time
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import asdict, fields, replace
from hashlib import sha256
from typing import Any

from annotest.kinds import KeptAs, Kind
from annotest.records import record

FORMAT = 1
MOST_OF_A_TARGET = 20
LARGEST_FILE = 5_000_000
LEFT_OVER_AFTER = 3600.0

_MEGABYTES = LARGEST_FILE // 1_000_000
_PARTIAL = re.compile(r".+\.\d+-[0-9a-f]{8}\.partial")
_NAME = re.compile(r"([0-9a-f]+)-([0-9a-f]{8})\.json")
_OWN_FILES = {
    ".gitignore": "*\n",
    "README.txt": """\
annotest keeps here the inputs on which it saw functions of this project fail, and tries them
again first in the next run. `annotest replay` lists them. The folder may be deleted at any time.
""",
}


def database_folder(root: str) -> str:
    """Return where a project's failing inputs are kept unless told otherwise."""
    return os.path.join(root, ".annotest")


@record
class Entry:
    """One failing input: what failed, from what the input can be made again, under which limits."""

    id: str
    seen_in: str
    file: str
    kind: Kind
    exception_type: str
    message: str
    call: str
    inputs: tuple[tuple[str, str], ...] = ()
    location: tuple[str, int] | None = None
    choices: bytes = b""
    example: int | None = None
    recipe: bytes = b""
    status: KeptAs = KeptAs.FAILING
    shrunk: bool = False
    seen: str = ""
    timeout: float | None = None
    max_memory: int | None = None
    max_output: int | None = None
    died: bool = False

    @property
    def name(self) -> str:
        """The name of its file: one for each bug and target that shows it."""
        return f"{self.id}-{_short_hash(self.seen_in)}.json"


def _short_hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]


class Database:
    """The entries of one folder."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._findings = os.path.join(folder, "findings")
        self._warnings: dict[str, str] = {}

    @property
    def warnings(self) -> list[str]:
        """What could not be read or written, each thing once, and what to do about it."""
        return list(self._warnings.values())

    def save(self, entry: Entry) -> None:
        """Write an entry, in place of an earlier one of the same bug and target."""
        if not _NAME.fullmatch(entry.name):
            raise ValueError(f"the id of an entry is made of hexadecimal digits, not {entry.id!r}")
        path, text = os.path.join(self._findings, entry.name), _text_of(entry)
        if len(text) > LARGEST_FILE:
            self._warn(path, f"not kept: the input takes more than {_MEGABYTES} MB when written")
            return
        try:
            self._prepare()
            _sweep(self._folder)
            _sweep(self._findings)
            _write(path, text)
        except (OSError, ValueError) as error:
            remedy = "make it a folder that can be written, or choose another with --database"
            self._warn(self._folder, f"failing inputs cannot be kept: {_why(error)}; {remedy}")

    def mark(self, entry: Entry, status: KeptAs) -> None:
        """Note what has become of an entry: it is failing still, or fixed."""
        if status not in list(KeptAs):
            raise ValueError(f"an entry is {' or '.join(KeptAs)}, not {status!r}")
        if entry.status != status:
            self.save(replace(entry, status=status))

    def remove(self, entry: Entry) -> None:
        """Forget an entry."""
        _remove(os.path.join(self._findings, entry.name))

    def all(self) -> list[Entry]:
        """Return every entry that can be read, the newest first."""
        return self._entries(lambda name: True)

    def of_target(self, target_id: str) -> list[Entry]:
        """Return the newest entries of one target."""
        # the name tells: the files of other targets are not opened
        ending = f"-{_short_hash(target_id)}.json"
        found = self._entries(lambda name: name.endswith(ending))
        return [one for one in found if one.seen_in == target_id][:MOST_OF_A_TARGET]

    def find(self, id_prefix: str) -> list[Entry]:
        """Return the entries whose id begins so, the newest first."""
        return self._entries(lambda name: name.partition("-")[0].startswith(id_prefix.lower()))

    def _prepare(self) -> None:
        """Make the folders where there are none."""
        if os.path.isdir(self._findings):
            return
        os.makedirs(self._folder, exist_ok=True)
        others = [one for one in os.listdir(self._folder) if not one.startswith(tuple(_OWN_FILES))]
        # a folder with other things in it is not ours to hide from git
        for name, text in {} if others else _OWN_FILES.items():
            _write(os.path.join(self._folder, name), text)
        os.makedirs(self._findings, exist_ok=True)  # last: it says that the others are written

    def _entries(self, wanted: Callable[[str], bool]) -> list[Entry]:
        names = [name for name in self._names() if wanted(name)]
        found = [self._read(name) for name in names]
        entries = [one for one in found if one is not None]
        return sorted(entries, key=lambda one: (one.seen, one.name), reverse=True)

    def _names(self) -> list[str]:
        try:
            return [name for name in os.listdir(self._findings) if name.endswith(".json")]
        except FileNotFoundError:
            return []
        except (OSError, ValueError) as error:
            remedy = "make it a folder that can be read, or choose another with --database"
            self._warn(self._folder, f"failing inputs cannot be read: {_why(error)}; {remedy}")
            return []

    def _read(self, name: str) -> Entry | None:
        path = os.path.join(self._findings, name)
        try:
            return _entry_of(_contents(path), name)
        except FileNotFoundError:
            if os.path.islink(path):
                self._warn(path, "leads nowhere; delete it")
            return None  # else somebody has just deleted it
        except _Foreign as foreign:
            self._warn(path, f"{foreign}; it is left out; delete it")
        except OSError as error:
            self._warn(path, f"cannot be read: {_why(error)}; make it readable, or delete it")
        return None

    def _warn(self, path: str, text: str) -> None:
        self._warnings.setdefault(path, f"{path}: {text}")


class _Foreign(Exception):
    """A file that is no entry of this version's; the message says why."""


def _why(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error)


def _write(path: str, text: str) -> None:
    """Write a file whole or not at all, whoever else writes it at the same time."""
    partial = f"{path}.{os.getpid()}-{os.urandom(4).hex()}.partial"
    try:
        with open(partial, "x", encoding="ascii") as file:
            file.write(text)
        os.replace(partial, path)
    except BaseException:
        _remove(partial)
        raise


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass  # it is gone already, or cannot be removed, which harms nobody


def _sweep(folder: str) -> None:
    """Remove what writers that were killed have left behind."""
    with os.scandir(folder) as found:
        names = [one.path for one in found if _PARTIAL.fullmatch(one.name)]
    for path in names:
        try:
            age = time.time() - os.lstat(path).st_mtime
        except OSError:
            continue  # its writer has finished
        if age > LEFT_OVER_AFTER:
            _remove(path)


def _contents(path: str) -> bytes:
    """Return what an ordinary file holds; a pipe of that name would keep us waiting for ever."""
    with open(path, "rb", opener=_open_at_once) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise _Foreign("is not a file")
        data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise _Foreign(f"is larger than {_MEGABYTES} MB, as no entry is")
    return data


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _text_of(entry: Entry) -> str:
    record: dict[str, Any] = {"format": FORMAT, **asdict(entry)}
    for name in ("choices", "recipe"):
        record[name] = b64encode(record[name]).decode("ascii")
    # not all texts can be encoded: Python allows half a surrogate pair, which JSON can escape
    return json.dumps(record, ensure_ascii=True, indent=1) + "\n"


def _entry_of(data: bytes, name: str) -> Entry:
    try:
        record = json.loads(data)
    except (ValueError, RecursionError):
        raise _Foreign("is damaged") from None
    if not isinstance(record, dict) or "format" not in record:
        raise _Foreign("is not an entry of annotest's")
    if record["format"] != FORMAT:
        raise _Foreign(f"is of another version of annotest (not of format {FORMAT})")
    entry = Entry(**{one.name: _value(record, one.name) for one in fields(Entry)})
    if entry.name != name or not _NAME.fullmatch(name):
        raise _Foreign(f"does not have the name of what it holds ({entry.name!r})")
    return entry


def _value(record: dict[str, Any], name: str) -> Any:
    if name not in record:
        if name in _LATER:
            return _LATER[name](record)
        raise _Foreign(f"is damaged: {name} is missing")
    try:
        return _READ.get(name, _text)(record[name])
    except (TypeError, ValueError, OverflowError):
        raise _Foreign(f"is damaged: {name} is of the wrong type") from None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _number(value: object) -> int:
    if type(value) is not int:  # True is no line number
        raise TypeError
    return value


def _size(value: object) -> int:
    found = _number(value)
    if found < 0:
        raise ValueError
    return found


def _seconds(value: Any) -> float:
    if type(value) not in (int, float) or not value > 0:  # NaN neither
        raise ValueError
    return float(value)


def _unless_none(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else read(value)


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _bytes(value: object) -> bytes:
    return b64decode(_text(value), validate=True)


def _inputs(value: Any) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, list):
        raise TypeError
    return tuple((_text(name), _text(text)) for name, text in value)


def _location(value: Any) -> tuple[str, int] | None:
    if value is None:
        return None
    file, line = value
    return _text(file), _number(line)


_READ: dict[str, Callable[[Any], Any]] = {
    "inputs": _inputs,
    "location": _location,
    "choices": _bytes,
    "recipe": _bytes,
    "example": _unless_none(_size),
    "status": KeptAs,
    "kind": Kind,
    "died": _flag,
    "shrunk": _flag,
    "timeout": _unless_none(_seconds),
    "max_memory": _unless_none(_size),
    "max_output": _unless_none(_size),
}
# not in the entries of earlier versions
_LATER: dict[str, Callable[[dict[str, Any]], Any]] = {
    "timeout": lambda record: None,
    "max_memory": lambda record: None,
    "max_output": lambda record: None,
    "died": lambda record: not record.get("exception_type"),
}
