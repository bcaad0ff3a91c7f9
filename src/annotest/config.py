"""`[tool.annotest]` of pyproject.toml: what a project says about itself once and for all."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator
from typing import Any

from annotest import globs
from annotest.errors import UsageError, did_you_mean
from annotest.records import record

FILE = "pyproject.toml"
_MARKS = (FILE, "setup.py", "setup.cfg", ".git")
WORDS = ("network", "programs")
SCRATCH, PROJECT = "scratch", "project"
WORK_IN = (SCRATCH, PROJECT)
MOST_SHARE = 0.5  # of a call's time, for items: one more item may take the other half
_IN_NO_PATH = frozenset("*?\0")


@record
class Config:
    """What `[tool.annotest]` says, its paths made absolute and free of links.

    `file` is the pyproject.toml read, "" if there is none. `allow` holds "network", "programs" or
    both. Code under test may write to `outputs`; `database` is the folder of the failing-input
    database, None for the default one. `auto` says that functions which nobody has annotated are
    called with their defaults; `exclude` are patterns of files that are left alone.
    `work_in` says where calls work, one of `WORK_IN`.
    Of a lazy result `max_items` are taken, during `items_share` of a call's time.
    """

    file: str = ""
    allow: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    database: str | None = None
    auto: bool = True
    exclude: tuple[str, ...] = ()
    work_in: str = SCRATCH
    max_items: int | None = None
    items_share: float | None = None


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


def _config(file: str, table: object) -> Config:
    if not isinstance(table, dict):
        kind = type(table).__name__
        raise UsageError(
            f"{file}: tool.annotest must be a table, got {table!r} ({kind}); "
            "write [tool.annotest] and the settings below it"
        )
    said = {}
    for key, value in table.items():
        if key not in _READERS:
            known = ", ".join(_READERS)
            hint = did_you_mean(key, _READERS)
            raise UsageError(
                f"{file}: [tool.annotest] has no key {key!r}.{hint} The keys are {known}"
            )
        said[key.replace("-", "_")] = _READERS[key](file, value)
    return Config(file=file, **said)


def _allow(file: str, value: object) -> tuple[str, ...]:
    words = _strings(file, "allow", value, 'allow = ["network"]')
    for word in words:
        if word not in WORDS:
            hint = did_you_mean(word, WORDS)
            raise UsageError(
                f"{file}: [tool.annotest] allow: {word!r} is nothing that can be allowed.{hint} "
                'Write allow = ["network", "programs"] or one of the two'
            )
    return words


def _outputs(file: str, value: object) -> tuple[str, ...]:
    paths = _strings(file, "outputs", value, 'outputs = ["runs"]')
    return tuple(_path(file, "outputs", path) for path in paths)


def _database(file: str, value: object) -> str:
    if not isinstance(value, str):
        wrong = _wrong_type(file, "database", "a folder's path", value)
        raise UsageError(f'{wrong} write for instance database = ".annotest"')
    return _path(file, "database", value)


def _auto(file: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise UsageError(f"{_wrong_type(file, 'auto', 'true or false', value)} write auto = false")
    return value


def _exclude(file: str, value: object) -> tuple[str, ...]:
    patterns = _strings(file, "exclude", value, 'exclude = ["legacy/*"]')
    return tuple(
        globs.absolute(os.path.realpath(os.path.dirname(file)), pattern) for pattern in patterns
    )


def _work_in(file: str, value: object) -> str:
    if value not in WORK_IN:
        wrong = _wrong_type(file, "work-in", '"scratch" or "project"', value)
        raise UsageError(f'{wrong} write for instance work-in = "project"')
    return str(value)


def _max_items(file: str, value: object) -> int:
    if type(value) is int and value >= 1:
        return value
    wrong = _wrong_type(file, "max-items", "a whole number, 1 or more", value)
    raise UsageError(f"{wrong} write for instance max-items = 100")


def _items_share(file: str, value: object) -> float:
    if isinstance(value, int | float) and value is not True and 0 < value <= MOST_SHARE:
        return float(value)
    wrong = _wrong_type(file, "items-share", f"a number above 0, {MOST_SHARE} at most", value)
    raise UsageError(f"{wrong} write for instance items-share = 0.1")


_READERS: dict[str, Callable[[str, object], Any]] = {
    "allow": _allow,
    "outputs": _outputs,
    "database": _database,
    "auto": _auto,
    "exclude": _exclude,
    "work-in": _work_in,
    "max-items": _max_items,
    "items-share": _items_share,
}


def _strings(file: str, key: str, value: object, example: str) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(dict.fromkeys(value))
    wrong = _wrong_type(file, key, "a list of strings", value)
    raise UsageError(f"{wrong} write for instance {example}")


def _path(file: str, key: str, path: str) -> str:
    if not path or _IN_NO_PATH & set(path):
        raise UsageError(
            f"{file}: [tool.annotest] {key}: {path!r} is no path. "
            "Write the path of one folder or file, without wildcards"
        )
    full = os.path.join(os.path.dirname(file), os.path.expanduser(path))
    return os.path.realpath(full)


def _wrong_type(file: str, key: str, expected: str, value: object) -> str:
    kind = type(value).__name__
    return f"{file}: [tool.annotest] {key} must be {expected}, got {value!r} ({kind});"
