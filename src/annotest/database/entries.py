"""One failing input that is kept: as data, and as the text of its file."""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import asdict, fields
from hashlib import sha256
from typing import Any

from annotest.kinds import KeptAs, Kind
from annotest.records import record

FORMAT = 1
IDS = 3  # what ids are made of; what earlier versions kept has ids of another making
NAME = re.compile(r"([0-9a-f]+)-([0-9a-f]{8})\.json")


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
    max_items: int | None = None
    items_share: float | None = None
    died: bool = False
    ids: int = IDS

    @property
    def is_renamed(self) -> bool:
        """Whether the bug has another id by now."""
        return self.ids != IDS

    @property
    def is_of_import(self) -> bool:
        """Whether it is the import of a module that failed, in whatever way."""
        return self.seen_in.endswith(":<module>")

    @property
    def name(self) -> str:
        """The name of its file: one for each bug and target that shows it."""
        return f"{self.id}-{short_hash(self.seen_in)}.json"


def short_hash(text: str) -> str:
    """Return what stands for a target in the names of files."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]


class Foreign(Exception):
    """A file that is no entry of this version's; the message says why."""


def text_of(entry: Entry) -> str:
    """Return what the file of an entry holds."""
    record: dict[str, Any] = {"format": FORMAT, **asdict(entry)}
    for name in ("choices", "recipe"):
        record[name] = b64encode(record[name]).decode("ascii")
    # not all texts can be encoded: Python allows half a surrogate pair, which JSON can escape
    return json.dumps(record, ensure_ascii=True, indent=1) + "\n"


def entry_of(data: bytes, name: str) -> Entry:
    """Return the entry that a file of that name holds; Foreign says why it holds none."""
    try:
        record = json.loads(data)
    except (ValueError, RecursionError):
        raise Foreign("is damaged") from None
    if not isinstance(record, dict) or "format" not in record:
        raise Foreign("is not an entry of annotest's")
    if record["format"] != FORMAT:
        raise Foreign(f"is of another version of annotest (not of format {FORMAT})")
    entry = Entry(**{field.name: _value(record, field.name) for field in fields(Entry)})
    if entry.name != name or not NAME.fullmatch(name):
        raise Foreign(f"does not have the name of what it holds ({entry.name!r})")
    return entry


def _value(record: dict[str, Any], name: str) -> Any:
    if name not in record:
        if name in _LATER:
            return _LATER[name](record)
        raise Foreign(f"is damaged: {name} is missing")
    try:
        return _READ.get(name, _text)(record[name])
    except (TypeError, ValueError, OverflowError):
        raise Foreign(f"is damaged: {name} is of the wrong type") from None


def _of_type(kind: type) -> Callable[[Any], Any]:
    """Return what reads a value of just this type: True is no line number."""

    def read(value: Any) -> Any:
        if type(value) is not kind:
            raise TypeError
        return value

    return read


_text, _number, _flag = _of_type(str), _of_type(int), _of_type(bool)


def _size(value: Any) -> int:
    if _number(value) < 0:
        raise ValueError
    return int(value)


def _positive(value: Any) -> float:
    if type(value) not in (int, float) or not value > 0:  # NaN neither
        raise ValueError
    return float(value)


def _bytes(value: Any) -> bytes:
    return b64decode(_text(value), validate=True)


def _inputs(value: Any) -> tuple[tuple[str, str], ...]:
    return tuple((_text(name), _text(text)) for name, text in _of_type(list)(value))


def _location(value: Any) -> tuple[str, int]:
    file, line = value
    return _text(file), _number(line)


def _unless_none(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else read(value)


_READ: dict[str, Callable[[Any], Any]] = {
    "inputs": _inputs,
    "location": _unless_none(_location),
    "choices": _bytes,
    "recipe": _bytes,
    "example": _unless_none(_size),
    "status": KeptAs,
    "kind": Kind,
    "died": _flag,
    "shrunk": _flag,
    "timeout": _unless_none(_positive),
    "max_memory": _unless_none(_size),
    "max_output": _unless_none(_size),
    "max_items": _unless_none(_size),
    "items_share": _unless_none(_positive),
    "ids": _size,
}
# not in the entries of earlier versions
_LATER: dict[str, Callable[[dict[str, Any]], Any]] = {
    "timeout": lambda record: None,
    "max_memory": lambda record: None,
    "max_output": lambda record: None,
    "max_items": lambda record: None,
    "items_share": lambda record: None,
    "died": lambda record: not record.get("exception_type"),
    "ids": lambda record: 1,
}
