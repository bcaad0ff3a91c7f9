"""`annotest replay`: the input of an earlier finding, run again in a fresh process."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from annotest import guard, process
from annotest.database import Entry
from annotest.discovery.scan import ModuleFile, scan
from annotest.engine.deaths import fault_of
from annotest.engine.keeping import origin_of
from annotest.engine.orders import Reproduce
from annotest.engine.supervisor import Ended, ModuleWorker
from annotest.engine.worker import WorkerOptions, project_of
from annotest.errors import UsageError
from annotest.events import Event, Failure, InputDescribed, Prevented, TargetInfo
from annotest.frozen import frozen

FIXED, STILL_FAILING, CHANGED, PREVENTED = "FIXED", "STILL FAILING", "CHANGED", "PREVENTED"


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
        if self.entry.kind in ("import", "syntax"):
            return Verdict(FIXED)
        targets = worker.discovered.targets
        place, info = place_of(self.entry, targets)
        limit = info.timeout or self.limits.call
        ended = worker.do(Reproduce(place, origin_of(self.entry)), limit)
        if ended.unreproducible:
            raise UsageError(f"{self.entry.id}: {ended.unreproducible}")
        if self._prevented:
            one = self._prevented[0]
            return Verdict(
                PREVENTED,
                note=f"the guard prevented: {one.action} {one.what}; to allow it: {one.allow}",
            )
        if ended.replayed is None:
            return self._judged(self._death(worker, ended, info, limit))
        note = ""
        if ended.described is not None and ended.described.inputs != self.entry.inputs:
            note = "the annotations have changed: this is another input than the one reported"
        return self._judged(ended.replayed.failure, note)

    def _death(self, worker: ModuleWorker, ended: Ended, info: TargetInfo, limit: float) -> Failure:
        project = project_of(worker.file, worker.options)
        fault = fault_of(ended.death, info, project, self.limits, limit)
        return fault.on(InputDescribed(self.entry.call, self.entry.inputs), info.id)

    def _judged(self, failure: Failure | None, note: str = "") -> Verdict:
        if failure is None:
            return Verdict(FIXED, note=note)
        same = failure.fingerprint == self.entry.id
        return Verdict(STILL_FAILING if same else CHANGED, failure, note)


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
