"""`annotest replay`: the input of an earlier finding, run again in a fresh process."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from annotest import guard, process
from annotest.database import Entry
from annotest.discovery.scan import ModuleFile, scan
from annotest.engine.deaths import fault_of
from annotest.engine.jobs import NO_LONGER_VALID, Reproduce
from annotest.engine.keeping import origin_of
from annotest.engine.lane.ended import Ended
from annotest.engine.lane.supervisor import ModuleWorker
from annotest.engine.scratch import scratch_folder
from annotest.engine.ways import AUTO, way_of
from annotest.engine.worker.worker import WorkerOptions, project_of
from annotest.errors import UsageError
from annotest.events import Event, InputDescribed, Prevented, Replayed, Unreproducible
from annotest.facts import Failure, TargetInfo
from annotest.kinds import Standing, Verdict
from annotest.records import record

ANOTHER_INPUT = "the annotations have changed: this is another input than the one reported"

_ADDRESS = re.compile(r"\b0x[0-9a-f]+\b", re.IGNORECASE)


@record
class Reproduced:
    """What has become of a finding; `failure` is how the input fails now."""

    standing: Standing
    failure: Failure | None = None
    note: str = ""


@dataclass
class Replay:
    """One entry of the database, replayed."""

    entry: Entry
    root: str
    limits: process.Limits
    allowed: guard.Allowed | None
    in_project: bool = False
    device: str = ""

    def run(self) -> Reproduced:
        """Import the module in a fresh process and run the input again."""
        options = WorkerOptions(
            way_of(AUTO),
            True,
            (self.root,),
            allowed=self.allowed,
            in_project=self.in_project,
            device=self.device,
        )
        self._prevented: list[Prevented] = []
        file = module_of(self.entry, self.root)
        with scratch_folder() as scratch:
            worker = ModuleWorker(file, options.with_scratch(scratch), self.limits, self._take)
            try:
                worker.start()
                return self._reproduced(worker)
            finally:
                worker.stop()

    def _take(self, event: Event) -> None:
        if isinstance(event, Prevented) and event.broke:
            self._prevented.append(event)

    def _reproduced(self, worker: ModuleWorker) -> Reproduced:
        opened = worker.opened
        if opened.import_failed is not None:
            return self._judged((opened.import_failed.failure,))
        assert opened.discovered is not None
        if self.entry.is_of_import:
            return Reproduced(Standing.FIXED)
        place, info = place_of(self.entry, opened.discovered.targets)
        limit = info.call_limit(self.limits.call)
        ended = worker.do(Reproduce(place, origin_of(self.entry)), limit)
        if unreproducible := ended.last(Unreproducible):
            raise UsageError(f"{self.entry.id}: {unreproducible.reason}")
        replayed = None if ended.took_worker else ended.last(Replayed)
        described = ended.last(InputDescribed)
        failures = (
            (self._death(worker, ended, info, limit),) if replayed is None else replayed.failures
        )
        if described is not None and not is_input_of(self.entry, described.inputs):
            return self._judged_by_another(failures)
        if self._prevented:
            action = self._prevented[0]
            said = f"{action.action} {action.what}; to allow it: {action.allow}"
            return Reproduced(Standing.PREVENTED, note=f"the guard prevented: {said}")
        return self._judged(failures)

    def _death(self, worker: ModuleWorker, ended: Ended, info: TargetInfo, limit: float) -> Failure:
        project = project_of(worker.file, worker.options)
        fault = fault_of(ended.death, info, project, self.limits, limit)
        described = ended.last(InputDescribed) or InputDescribed("", ())
        return fault.on(info.id, described.call, described.inputs)

    def _judged(self, failures: tuple[Failure, ...]) -> Reproduced:
        same = self._same(failures)
        if same is not None:
            return Reproduced(Standing.STILL_FAILING, same)
        others = [each for each in failures if each.verdict is not Verdict.SUSPICIOUS]
        return Reproduced(Standing.CHANGED, others[0]) if others else Reproduced(Standing.FIXED)

    def _judged_by_another(self, failures: tuple[Failure, ...]) -> Reproduced:
        """Judge by an input that is not the one reported: it can only show the same failure."""
        same = self._same(failures)
        if same is None:
            raise UsageError(f"{self.entry.id}: {NO_LONGER_VALID}")
        return Reproduced(Standing.STILL_FAILING, same, ANOTHER_INPUT)

    def _same(self, failures: tuple[Failure, ...]) -> Failure | None:
        return next((failure for failure in failures if self._is_same(failure)), None)

    def _is_same(self, failure: Failure) -> bool:
        if self.entry.is_renamed:  # all that is known of it
            known = self.entry.kind, self.entry.exception_type
            return (failure.kind, failure.exception_type) == known
        return failure.fingerprint == self.entry.id


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
    scanned = scan((path,), True)
    if not scanned.modules:
        raise UsageError(f"{entry.id}: {path} cannot be read as Python; correct that first")
    return scanned.modules[0]


def place_of(entry: Entry, targets: tuple[TargetInfo, ...]) -> tuple[int, TargetInfo]:
    """Return the target in which a finding was made, with its place."""
    places = {info.qualname: (place, info) for place, info in enumerate(targets)}
    places |= {info.id: (place, info) for place, info in enumerate(targets)}
    # the run that found it may have known the module by another name: its file is the same
    known = places.get(entry.seen_in) or places.get(entry.seen_in.partition(":")[2])
    if known is None:
        raise UsageError(
            f"{entry.id}: {entry.seen_in} is no longer a target; "
            "it was renamed, or its annotations were taken away"
        )
    if known[1].error:
        raise UsageError(f"{entry.id}: the annotations of {known[1].id} are wrong now")
    return known
