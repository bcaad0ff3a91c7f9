"""`annotest replay`: the input of an earlier finding, run again in a fresh process."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass

from annotest import guard, process
from annotest.database import Entry
from annotest.discovery.scan import ModuleFile, scan
from annotest.engine.deaths import fault_of
from annotest.engine.ended import Ended
from annotest.engine.keeping import origin_of
from annotest.engine.orders import NO_LONGER_VALID, Reproduce
from annotest.engine.supervisor import ModuleWorker
from annotest.engine.worker import WorkerOptions, project_of
from annotest.errors import UsageError
from annotest.events import Event, Failure, InputDescribed, Prevented, TargetInfo
from annotest.frozen import frozen

FIXED, STILL_FAILING, CHANGED, PREVENTED = "FIXED", "STILL FAILING", "CHANGED", "PREVENTED"
ANOTHER_INPUT = "the annotations have changed: this is another input than the one reported"

_ADDRESS = re.compile(r"\b0x[0-9a-f]+\b", re.IGNORECASE)


@frozen
class Verdict:
    """What has become of a finding; `failure` is how the input fails now."""

    word: str
    failure: Failure | None = None
    note: str = ""


@dataclass
class Replay:
    """One entry of the database, replayed."""

    entry: Entry
    root: str
    limits: process.Limits
    allowed: guard.Allowed | None
    listen: Callable[[Event], None]

    def run(self) -> Verdict:
        """Import the module in a fresh process and run the input again."""
        options = WorkerOptions(True, (self.root,), allowed=self.allowed)
        self._prevented: list[Prevented] = []
        worker = ModuleWorker(module_of(self.entry, self.root), options, self.limits, self._take)
        try:
            worker.start()
            return self._verdict(worker)
        finally:
            worker.stop()

    def _take(self, event: Event) -> None:
        if isinstance(event, Prevented):
            self._prevented.append(event)
        self.listen(event)

    def _verdict(self, worker: ModuleWorker) -> Verdict:
        if worker.import_failed is not None:
            return self._judged(worker.import_failed.failure)
        assert worker.discovered is not None
        if is_of_import(self.entry):
            return Verdict(FIXED)
        targets = worker.discovered.targets
        place, info = place_of(self.entry, targets)
        limit = info.timeout or self.limits.call
        ended = worker.do(Reproduce(place, origin_of(self.entry)), limit)
        if ended.unreproducible:
            raise UsageError(f"{self.entry.id}: {ended.unreproducible}")
        replayed = None if ended.took_worker else ended.replayed
        failure = self._death(worker, ended, info, limit) if replayed is None else replayed.failure
        if ended.described is not None and not is_input_of(self.entry, ended.described.inputs):
            return self._judged_by_another(failure)
        if self._prevented:
            one = self._prevented[0]
            return Verdict(
                PREVENTED,
                note=f"the guard prevented: {one.action} {one.what}; to allow it: {one.allow}",
            )
        return self._judged(failure)

    def _death(self, worker: ModuleWorker, ended: Ended, info: TargetInfo, limit: float) -> Failure:
        project = project_of(worker.file, worker.options)
        fault = fault_of(ended.death, info, project, self.limits, limit)
        return fault.on(ended.described or InputDescribed("", ()), info.id)

    def _judged(self, failure: Failure | None) -> Verdict:
        if failure is None:
            return Verdict(FIXED)
        return Verdict(STILL_FAILING if self._is_same(failure) else CHANGED, failure)

    def _judged_by_another(self, failure: Failure | None) -> Verdict:
        """Judge by an input that is not the one reported: it can only show the same failure."""
        if failure is None or not self._is_same(failure):
            raise UsageError(f"{self.entry.id}: {NO_LONGER_VALID}")
        return Verdict(STILL_FAILING, failure, ANOTHER_INPUT)

    def _is_same(self, failure: Failure) -> bool:
        return failure.fingerprint == self.entry.id


def is_of_import(entry: Entry) -> bool:
    """Say whether it is the import of a module that failed, in whatever way."""
    return entry.seen_in.endswith(":<module>")


def is_input_of(entry: Entry, inputs: tuple[tuple[str, str], ...]) -> bool:
    """Say whether an input drawn now is the one that was reported, as far as that is known."""
    return not entry.call or _lasting(inputs) == _lasting(entry.inputs)


def _lasting(inputs: tuple[tuple[str, str], ...]) -> list[tuple[str, str]]:
    """Return inputs without the addresses of objects, which differ in every process."""
    return [(name, _ADDRESS.sub("0x", text)) for name, text in inputs]


def module_of(entry: Entry, root: str) -> ModuleFile:
    """Return the module in which a finding was made."""
    path = os.path.normpath(os.path.join(root, entry.file))
    if not os.path.exists(path):
        raise UsageError(f"{entry.id}: {path} is no longer there; the finding cannot be replayed")
    found = scan((path,), True)
    if not found.modules:
        raise UsageError(f"{entry.id}: {path} cannot be read as Python; correct that first")
    return found.modules[0]


def place_of(entry: Entry, targets: tuple[TargetInfo, ...]) -> tuple[int, TargetInfo]:
    """Return the target in which a finding was made, with its place."""
    for place, info in enumerate(targets):
        if info.id == entry.seen_in:
            if info.error:
                raise UsageError(f"{entry.id}: the annotations of {info.id} are wrong now")
            return place, info
    raise UsageError(
        f"{entry.id}: {entry.seen_in} is no longer a target; "
        "it was renamed, or its annotations were taken away"
    )
