"""What is found is kept in the project, the moment it is found."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Protocol

from annotest.database import Database, Entry
from annotest.events import Warned
from annotest.facts import Failure, Origin
from annotest.kinds import KeptAs
from annotest.process.limits import Limits
from annotest.records import record


@record
class JournalRecord:
    """Something to be written down about a failure: plain data, which may travel.

    `file` is that of the module whose annotations led to it, which need not be its target's.
    """

    failure: Failure
    file: str


@record
class Keep(JournalRecord):
    """It was seen, in this form."""


@record
class Suspect(JournalRecord):
    """It may be one: what is known of it already is worth more."""


@record
class Withdraw(JournalRecord):
    """It was suspected, and has not been confirmed."""


class Journal(Protocol):
    """Where lanes write down what they find, before anybody is told."""

    def write(self, record: JournalRecord) -> None:
        """Write a record down; on return it is safe, whatever becomes of this process."""

    def new_warnings(self) -> list[Warned]:
        """Return what could not be written, each thing once."""


@dataclass
class Keeper:
    """The journal in the project's database; it also reads what earlier runs have kept."""

    database: Database | None
    root: str
    limits: Limits
    _told: set[str] = field(default_factory=set)

    def looked_through(self) -> list[Warned]:
        """Read everything that is kept, and return what is wrong with it."""
        if self.database is not None:
            self.database.all()
        return self.new_warnings()

    def new_warnings(self) -> list[Warned]:
        """Return what the database warns of, each thing once."""
        warnings = [] if self.database is None else self.database.warnings
        new = [text for text in warnings if text not in self._told]
        self._told.update(new)
        return [Warned(text) for text in new]

    def write(self, record: JournalRecord) -> None:
        """Do on disk what a record says."""
        _WRITING[type(record)](self, record)

    def _keep(self, record: JournalRecord) -> None:
        """Write a failure down, in place of what was known of it."""
        if self.database is None:
            return
        failure = record.failure
        place, root = failure.location, self.root
        self.database.save(
            Entry(
                id=failure.fingerprint,
                seen_in=failure.seen_in,
                file=os.path.relpath(record.file, root),
                kind=failure.kind,
                exception_type=failure.exception_type,
                message=failure.message,
                call=failure.call,
                inputs=failure.inputs,
                location=None if place is None else (os.path.relpath(place.file, root), place.line),
                choices=failure.origin.choices,
                example=failure.origin.example,
                recipe=_written(failure.origin),
                shrunk=failure.final,
                seen=datetime.now(UTC).isoformat(timespec="seconds"),
                timeout=self.limits.call,
                max_memory=self.limits.memory,
                max_output=self.limits.output,
                max_items=self.limits.items,
                items_share=self.limits.items_share,
                died=failure.died,
            )
        )

    def _suspect(self, record: JournalRecord) -> None:
        """Write down what may be a failure, unless it is one that is known already."""
        failure = record.failure
        if not any(entry.id == failure.fingerprint for entry in self._of_target(failure.seen_in)):
            self._keep(record)

    def _withdraw(self, record: JournalRecord) -> None:
        """Take back a suspicion that has not been confirmed; what an earlier run found stays."""
        failure = record.failure
        for entry in self._of_target(failure.seen_in):
            drawn = entry.choices or entry.recipe or entry.example is not None
            if entry.id == failure.fingerprint and not (entry.shrunk or drawn):
                assert self.database is not None
                self.database.remove(entry)

    def _of_target(self, target: str) -> list[Entry]:
        return [] if self.database is None else self.database.of_target(target)

    def known(self, target: str) -> tuple[Origin, ...]:
        """Return where the inputs came from on which a target failed in earlier runs."""
        origins = (origin_of(entry) for entry in self._of_target(target))
        return tuple(origin for origin in origins if _is_tried(origin))

    def failing(self) -> list[str]:
        """Return the targets of which findings are kept that nobody has seen fixed."""
        entries = [] if self.database is None else self.database.all()
        return sorted({entry.seen_in for entry in entries if entry.status is KeptAs.FAILING})

    def tried_again(self, target: str) -> None:
        """Forget inputs kept under earlier ids: what still fails is kept under its new one."""
        for entry in self._of_target(target):
            origin = origin_of(entry)
            if self.database is not None and entry.is_renamed and _is_tried(origin):
                self.database.remove(entry)

    def passed(self, target: str) -> None:
        """Note that a target has passed: what is kept of it, and was tried again, is fixed."""
        for entry in self._of_target(target):
            has_example = entry.example is not None
            if entry.is_of_import or has_example or _is_tried(origin_of(entry)):
                assert self.database is not None
                self.database.mark(entry, KeptAs.FIXED)


_WRITING: dict[type[JournalRecord], Callable[[Keeper, Any], None]] = {
    Keep: Keeper._keep,
    Suspect: Keeper._suspect,
    Withdraw: Keeper._withdraw,
}


def _is_tried(origin: Origin) -> bool:
    """Say whether a search tries the input of a kept entry before it draws any."""
    return bool(origin.choices or origin.plain)


def _written(origin: Origin) -> bytes:
    """Return an input that has no choices, or where it came from, as text."""
    if origin.plain:
        return json.dumps({"plain": origin.plain}).encode("ascii")
    record: dict[str, Any] = {} if origin.case is None else {"case": origin.case}
    if origin.size and not origin.choices:
        results = base64.b64encode(origin.results).decode("ascii")
        record |= {"seed": origin.seed, "size": origin.size, "results": results}
        record["digest"] = origin.digest
    return json.dumps(record).encode("ascii") if record else b""


def origin_of(entry: Entry) -> Origin:
    """Return where the input of an entry came from."""
    given = Origin(choices=entry.choices, example=entry.example, finding=entry.id)
    if not entry.recipe:
        return given
    try:
        record = json.loads(entry.recipe)
        if "plain" in record:
            return Origin(plain=str(record["plain"]), finding=entry.id)
        case = int(record["case"]) if "case" in record else None
        if entry.choices:
            return replace(given, case=case)
        results = base64.b64decode(record["results"])
        drawn = int(record["seed"]), int(record["size"]), results, str(record["digest"])
        return Origin(0, *drawn, case=case)
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return Origin()  # written by somebody else: it cannot be drawn again
