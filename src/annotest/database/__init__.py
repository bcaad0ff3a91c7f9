"""Failing inputs, kept in the project: one small file each, written whole or not at all.

What is kept helps the next run and is never needed: whatever is wrong with a file, or with the
folder, costs a warning and nothing else.
"""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Callable
from dataclasses import replace

from annotest.database.entries import IDS, NAME, Entry, Foreign, entry_of, short_hash, text_of
from annotest.kinds import KeptAs

__all__ = ["IDS", "LARGEST_FILE", "Database", "Entry", "database_folder"]

MOST_OF_A_TARGET = 20
LARGEST_FILE = 5_000_000
LEFT_OVER_AFTER = 3600.0

RENAMED = (
    "findings are kept here under ids of an earlier annotest; their inputs are tried again, and "
    "what still fails gets its new id"
)
_MEGABYTES = LARGEST_FILE // 1_000_000
_PARTIAL = re.compile(r".+\.\d+-[0-9a-f]{8}\.partial")
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
        if not NAME.fullmatch(entry.name):
            raise ValueError(f"the id of an entry is made of hexadecimal digits, not {entry.id!r}")
        path, text = os.path.join(self._findings, entry.name), text_of(entry)
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
        ending = f"-{short_hash(target_id)}.json"
        entries = self._entries(lambda name: name.endswith(ending))
        return [entry for entry in entries if entry.seen_in == target_id][:MOST_OF_A_TARGET]

    def find(self, id_prefix: str) -> list[Entry]:
        """Return the entries whose id begins so, the newest first."""
        return self._entries(lambda name: name.partition("-")[0].startswith(id_prefix.lower()))

    def _prepare(self) -> None:
        """Make the folders where there are none."""
        if os.path.isdir(self._findings):
            return
        os.makedirs(self._folder, exist_ok=True)
        own = tuple(_OWN_FILES)
        others = [name for name in os.listdir(self._folder) if not name.startswith(own)]
        # a folder with other things in it is not ours to hide from git
        for name, text in {} if others else _OWN_FILES.items():
            _write(os.path.join(self._folder, name), text)
        os.makedirs(self._findings, exist_ok=True)  # last: it says that the others are written

    def _entries(self, wanted: Callable[[str], bool]) -> list[Entry]:
        read = [self._read(name) for name in self._names() if wanted(name)]
        entries = [entry for entry in read if entry is not None]
        return sorted(entries, key=lambda entry: (entry.seen, entry.name), reverse=True)

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
            entry = entry_of(_contents(path), name)
            if entry.is_renamed:
                self._warn(self._findings, RENAMED)
            return entry
        except FileNotFoundError:
            if os.path.islink(path):
                self._warn(path, "leads nowhere; delete it")
            return None  # else somebody has just deleted it
        except Foreign as foreign:
            self._warn(path, f"{foreign}; it is left out; delete it")
        except OSError as error:
            self._warn(path, f"cannot be read: {_why(error)}; make it readable, or delete it")
        return None

    def _warn(self, path: str, text: str) -> None:
        self._warnings.setdefault(path, f"{path}: {text}")


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
    with os.scandir(folder) as listed:
        paths = [file.path for file in listed if _PARTIAL.fullmatch(file.name)]
    for path in paths:
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
            raise Foreign("is not a file")
        data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise Foreign(f"is larger than {_MEGABYTES} MB, as no entry is")
    return data


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
