"""Whole runs: every module of the paths, one after the other."""

from __future__ import annotations

import hashlib
import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from annotest.discovery.scan import ModuleFile, Scan, Unparsable, scan
from annotest.engine.search import ERROR, FAILED, PASSED, SearchOptions
from annotest.engine.selection import matches
from annotest.engine.supervisor import InternalError, Limits, ModuleWorker
from annotest.engine.worker import WorkerOptions, WriteTests
from annotest.errors import Site
from annotest.events import (
    Event,
    Failure,
    FailureFound,
    FileWritten,
    Frame,
    ImportFailed,
    MistakeFound,
    TargetInfo,
    TargetResult,
)
from annotest.process import can_fork
from annotest.triage import Report, skipped
from annotest.writer.header import Header


@dataclass(frozen=True)
class RunOptions:
    """What the user asked for."""

    paths: tuple[str, ...]
    every: bool = False
    seed: int | None = None
    max_examples: int = 200
    limits: Limits = field(default_factory=Limits)
    select: str = ""


@dataclass(frozen=True)
class ModuleOpened:
    """A module has been looked at: how many targets it holds."""

    file: ModuleFile
    targets: int


@dataclass(frozen=True)
class TargetStarted:
    """The search on a target begins."""

    target: TargetInfo


@dataclass(frozen=True)
class TargetFinished:
    """The search on a target has ended."""

    result: TargetResult


Listener = Callable[[Event | ModuleOpened | TargetStarted | TargetFinished], None]


def _ignore(event: object) -> None:
    """Listen to nothing."""


class Run:
    """One run over the paths, and the report it fills."""

    def __init__(self, options: RunOptions, listen: Listener = _ignore) -> None:
        if not can_fork():
            raise InternalError("annotest needs a system that can fork; run it under Linux")
        self.options = options
        self.listen = listen
        self.report = Report()
        self.report.seed = random.SystemRandom().getrandbits(31)
        if options.seed is not None:
            self.report.seed = options.seed
        self.scanned: Scan = scan(options.paths, options.every)
        self.report.files = self.scanned.files
        self.report.modules = len(self.scanned.modules)

    def test(self) -> Report:
        """Search every target."""
        with self._timed():
            for broken in self.scanned.unparsable:
                self._take(FailureFound(_syntax_failure(broken)))
            for file in self.scanned.modules:
                self._test_module(file)
        return self.report

    def look(self) -> Report:
        """Discover every target, and search none."""
        with self._timed():
            self._add_static()
            for file in self.scanned.modules:
                with self._opened(file) as worker:
                    if worker.discovered is not None:
                        for info in worker.discovered.targets:
                            self._add_result(TargetResult(info, "listed"))
        return self.report

    def write(
        self, header_of: Callable[[ModuleFile], Header]
    ) -> list[tuple[ModuleFile, FileWritten]]:
        """Have every module's test file written."""
        written = []
        with self._timed():
            self._add_static()
            for file in self.scanned.modules:
                with self._opened(file) as worker:
                    if worker.discovered is None:
                        continue
                    for info in worker.discovered.targets:
                        self._add_result(TargetResult(info, "listed"))
                    ended = worker.do(WriteTests(header_of(file)), self.options.limits.imports)
                    if ended.written is None:
                        raise InternalError(ended.output)
                    written.append((file, ended.written))
        return written

    def _add_static(self) -> None:
        self.report.not_testable += self.scanned.not_testable
        for broken in self.scanned.unparsable:
            self._take(FailureFound(_syntax_failure(broken)))

    @contextmanager
    def _timed(self) -> Iterator[None]:
        began = time.monotonic()
        try:
            yield
        except KeyboardInterrupt:
            self.report.interrupted = True
        finally:
            self.report.seconds = time.monotonic() - began

    @contextmanager
    def _opened(self, file: ModuleFile) -> Iterator[ModuleWorker]:
        folders = tuple(os.path.realpath(path) for path in self.options.paths)
        scanned = frozenset(one.path for one in self.scanned.modules)
        options = WorkerOptions(self.options.every, folders, scanned)
        worker = ModuleWorker(file, options, self.options.limits, self._take)
        try:
            worker.start()
            if worker.import_failed is not None:
                self._import_failed(worker.import_failed)
            if worker.discovered is not None:
                self.report.not_testable += worker.discovered.not_testable
                for mistake in worker.discovered.mistakes:
                    self._take(MistakeFound(mistake))
            yield worker
        except InternalError as error:
            self.report.internal_errors.append(str(error))
        finally:
            worker.stop()

    def _take(self, event: Event) -> None:
        if isinstance(event, FailureFound):
            self.report.add_failure(event.failure)
        elif isinstance(event, MistakeFound):
            self.report.add_mistake(event.mistake)
        self.listen(event)

    def _import_failed(self, failed: ImportFailed) -> None:
        info = failed.failure.target
        if failed.exited_normally and failed.module_test is not None:
            self._finish(TargetResult(info, PASSED, inputs_run=1))
            return
        self._take(FailureFound(failed.failure))
        self._finish(TargetResult(info, FAILED, inputs_run=1))

    def _test_module(self, file: ModuleFile) -> None:
        with self._opened(file) as worker:
            if worker.discovered is None or worker.imported is None:
                return
            targets = worker.discovered.targets
            self.listen(ModuleOpened(file, len(targets)))
            if worker.imported.module_test is not None:
                self._module_tested(file, worker.imported.module_test, worker.imported.seconds)
            for place, info in enumerate(targets):
                self._test_target(worker, place, info)

    def _module_tested(self, file: ModuleFile, site: Site, seconds: float) -> None:
        # the worker is a fresh process that imported the module: that was the test
        info = TargetInfo(file.module, "<module>", "module", file.path, site.line)
        if matches(self.options.select, info.id):
            self._finish(TargetResult(info, PASSED, inputs_run=1, seconds=seconds))
        else:
            self._finish(skipped(info, "not selected"))

    def _test_target(self, worker: ModuleWorker, place: int, info: TargetInfo) -> None:
        if not matches(self.options.select, info.id):
            self._finish(skipped(info, "not selected"))
        elif info.error:
            self._finish(TargetResult(info, ERROR, reason="an annotation is wrong"))
        else:
            self.listen(TargetStarted(info))
            options = SearchOptions(
                _seed_of(self.report.seed, info),
                info.examples or self.options.max_examples,
                info.seconds,
            )
            try:
                self._finish(worker.search(place, info, options))
            except InternalError as error:
                self.report.internal_errors.append(str(error))
                reason = "annotest itself failed on this target"
                self._finish(TargetResult(info, ERROR, reason=reason))

    def _finish(self, result: TargetResult) -> None:
        self._add_result(result)
        self.listen(TargetFinished(result))

    def _add_result(self, result: TargetResult) -> None:
        self.report.results.append(result)


def _seed_of(seed: int, info: TargetInfo) -> int:
    """Return a target's own seed, so that it does not depend on which others are run."""
    data = f"{seed}\0{info.id}".encode()
    return int.from_bytes(hashlib.sha256(data).digest()[:6], "big")


def _syntax_failure(broken: Unparsable) -> Failure:
    info = TargetInfo(broken.module, "<module>", "module", broken.path, broken.line)
    data = f"syntax\0{broken.path}\0{broken.message}\0{broken.text}"
    return Failure(
        info,
        "syntax",
        hashlib.sha256(data.encode()).hexdigest()[:10],
        "SyntaxError",
        broken.message,
        (Frame(broken.path, broken.line, "<module>"),),
        Site(broken.path, broken.line),
        f"import {broken.module}",
        seen_in=info.id,
    )
