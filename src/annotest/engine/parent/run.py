"""Whole runs: every module of the paths, one after the other."""

from __future__ import annotations

import gc
import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field, replace

from annotest import guard
from annotest.discovery.scan import ModuleFile, Scan, Unparsable, scan
from annotest.discovery.targets import MODULE, Found
from annotest.engine.base.sharing import import_shared, warm_up
from annotest.engine.child.calling import written_import
from annotest.engine.jobs import ExplainTarget, WriteTests
from annotest.engine.lane.supervisor import InternalError, ModuleWorker
from annotest.engine.options import AUTO, FORK
from annotest.engine.parent.selection import has_name, matches, meant
from annotest.engine.worker.importing import module_info
from annotest.engine.worker.worker import WorkerOptions
from annotest.errors import UsageError
from annotest.events import (
    AnnotestFailed,
    Discovered,
    Event,
    Explained,
    Failure,
    FailureFound,
    FileWritten,
    ImportFailed,
    InputDescribed,
    MistakeFound,
    ModuleStarted,
    NotTestableFound,
    RunEnded,
    RunStarted,
    TargetFinished,
    TargetInfo,
    TargetResult,
    Warned,
)
from annotest.frozen import frozen
from annotest.kinds import Kind, Status
from annotest.oracles.crash import unparsable
from annotest.process import Limits, adopt_orphans, can_fork
from annotest.writer import write_tests
from annotest.writer.header import Header


@frozen
class RunOptions:
    """What the user asked for.

    Times are in seconds: `target_seconds` for each target, `run_seconds` for all of them.
    """

    paths: tuple[str, ...]
    every: bool = False
    seed: int | None = None
    max_examples: int = 200
    limits: Limits = field(default_factory=Limits)
    select: str = ""
    workers: int = 1
    processes: str = AUTO
    target_seconds: float | None = None
    run_seconds: float | None = None
    run_examples: int | None = None
    allowed: guard.Allowed | None = None
    database: str | None = None
    root: str = "."


def _ignore(event: Event) -> None:
    """Listen to nothing."""


class Run:
    """One run over the paths; what happens is told to a listener."""

    def __init__(self, options: RunOptions, listen: Callable[[Event], None] = _ignore) -> None:
        if options.processes == FORK and not can_fork():
            raise UsageError("--processes fork: this system cannot fork; leave the option out")
        adopt_orphans()
        self.options = options
        self.listen = listen
        self.seed = options.seed
        if self.seed is None:
            self.seed = random.SystemRandom().getrandbits(31)
        self._known: set[tuple[str, int, str]] = set()
        self.scanned: Scan = scan(options.paths, options.every)
        self._forks = not self.worker_options().spawned
        import_shared(self.scanned.modules, self._forks)

    def test(self) -> None:
        """Search every target."""
        from annotest.engine.parent.campaign import Campaign  # listing and writing search nothing

        warm_up(self._forks)
        gc.freeze()
        with self._told():
            Campaign(self).run()

    def look(self) -> None:
        """Discover every target, and search none."""
        with self._told():
            for worker in self._looked_at():
                self._list(worker)

    def write(
        self, header_of: Callable[[ModuleFile], Header]
    ) -> list[tuple[ModuleFile, FileWritten]]:
        """Have every module's test file written."""
        written = []
        with self._told():
            for worker in self._looked_at():
                self._list(worker)
                written.append((worker.file, self._written(worker, header_of(worker.file))))
        return written

    def explain(self) -> list[Explained]:
        """Say how inputs are made for the targets of the selected name, or for those like it."""
        warm_up(self._forks)
        found: list[Explained | Warned] = []
        is_named = False
        with self._told():
            for worker in self._looked_at():
                targets = self._targets_of(worker)
                names = meant(self.options.select, [info.qualname for _, info in targets])
                named_here = any(has_name(self.options.select, one) for one in names)
                if named_here and not is_named:
                    is_named = True
                    found.clear()  # targets of other modules that are only like it
                if named_here or not is_named:
                    wanted = [one for one in targets if one[1].qualname in names]
                    found += [self._explained(worker, *one) for one in wanted if not one[1].error]
            for one in found:
                if isinstance(one, Warned):
                    self.listen(one)
        return [one for one in found if isinstance(one, Explained)]

    def _explained(self, worker: ModuleWorker, place: int, info: TargetInfo) -> Explained | Warned:
        assert self.seed is not None
        limit = info.timeout or self.options.limits.call
        usual, worker.limits = worker.limits, replace(worker.limits, call=limit)
        ended = worker.do(ExplainTarget(place, self.seed), limit)
        worker.limits = usual
        if ended.explained is None:
            took = f"took more than {limit:g} s" if ended.exceeded is Kind.TIMEOUT else "ended"
            what = f"its process {took} while inputs were made for it"
            return Warned(f"{info.id} cannot be explained: {what}")
        return ended.explained

    def _written(self, worker: ModuleWorker, header: Header) -> FileWritten:
        if worker.discovered is None:
            # nothing but its import can be tested, where that was asked for
            return write_tests(worker.file, Found(), header)
        ended = worker.do(WriteTests(header), self.options.limits.imports)
        if ended.written is None:
            raise InternalError(ended.output)
        return ended.written

    def _list(self, worker: ModuleWorker) -> None:
        if worker.discovered is None or worker.imported is None:
            return
        if worker.imported.module_test is not None:
            info = module_info(worker.file, worker.imported.module_test.line)
            self.listen(TargetFinished(TargetResult(info, Status.LISTED)))
        for _, info in self._targets_of(worker):
            self.listen(TargetFinished(TargetResult(info, Status.LISTED)))

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Tell the listener of the beginning, the files that do not parse, and the end."""
        assert self.seed is not None
        began, interrupted = time.monotonic(), False
        self.listen(RunStarted(self.seed, self.scanned.files))
        for broken in self.scanned.unparsable:
            self.listen(FailureFound(_syntax_failure(broken)))
        for one in self.scanned.not_testable:
            self.listen(NotTestableFound(one))
        try:
            yield
        except KeyboardInterrupt:
            interrupted = True
        finally:
            self.listen(RunEnded(time.monotonic() - began, interrupted))

    def worker_options(self) -> WorkerOptions:
        """Return what every worker must know."""
        folders = tuple(os.path.realpath(path) for path in self.options.paths)
        scanned = frozenset(one.path for one in self.scanned.modules)
        options = self.options
        return WorkerOptions(
            options.every, folders, scanned, options.allowed, processes=options.processes
        )

    @contextmanager
    def _opened(self, file: ModuleFile) -> Iterator[ModuleWorker]:
        worker = ModuleWorker(file, self.worker_options(), self.options.limits, self.listen)
        self.listen(ModuleStarted(file.path))
        try:
            try:
                worker.start()
            except InternalError as error:
                self.listen(AnnotestFailed(str(error)))
            self.announce(file, worker.import_failed, worker.discovered)
            yield worker
        except InternalError as error:
            self.listen(AnnotestFailed(str(error)))
        finally:
            worker.stop()

    def _looked_at(self) -> Iterator[ModuleWorker]:
        """Yield a worker for each module in turn, when none of their functions is to be called.

        Modules of one package may share a worker. One that fails there is tried again in a worker
        of its own, so that it is judged by itself.
        """
        waiting = list(self.scanned.modules)
        while waiting:
            with self._opened(first := waiting.pop(0)) as worker:
                yield worker
                while waiting and waiting[0].may_follow(first) and worker.opens_too(waiting[0]):
                    file = waiting.pop(0)
                    self.announce(file, worker.import_failed, worker.discovered)
                    yield worker

    def announce(
        self, file: ModuleFile, failed: ImportFailed | None, discovered: Discovered | None
    ) -> None:
        """Tell the listener what a worker has found out about its module."""
        if failed is not None:
            self._import_failed(failed, file.names)
        if discovered is not None:
            for one in discovered.not_testable:
                if matches(self.options.select, f"{one.module}:{one.qualname}"):
                    self.listen(NotTestableFound(one))
            for mistake in discovered.mistakes:
                self.listen(MistakeFound(mistake))

    def _import_failed(self, failed: ImportFailed, names: tuple[str, ...]) -> None:
        info = failed.failure.target
        wanted = [info.id, *(f"{info.module}:{name}" for name in names)]
        if not any(matches(self.options.select, one) for one in wanted):
            self.finish(TargetResult(info, Status.SKIPPED, reason="not selected"))
        elif failed.prevented:
            for one in failed.prevented:
                self.listen(one)
            self.finish(TargetResult(info, Status.PREVENTED, reason="the guard stopped its import"))
        elif failed.exited_normally and failed.module_test is not None:
            self.finish(TargetResult(info, Status.PASSED, inputs_run=1))
        else:
            self.listen(FailureFound(failed.failure))
            self.finish(TargetResult(info, Status.FAILED, inputs_run=1))

    def finish(self, result: TargetResult) -> None:
        """Tell that a target has been dealt with."""
        self.listen(TargetFinished(result))

    def _targets_of(self, worker: ModuleWorker) -> list[tuple[int, TargetInfo]]:
        """Return a module's targets with their places; none that another module led to already."""
        found = []
        listed = worker.discovered.targets if worker.discovered else ()
        real = {file: os.path.realpath(file) for file in {info.file for info in listed}}
        for place, info in enumerate(listed):
            key = (real[info.file], info.line, info.qualname)
            if info.file and key in self._known:
                continue
            self._known.add(key)
            found.append((place, info))
        return found


def _syntax_failure(broken: Unparsable) -> Failure:
    info = TargetInfo(broken.module, "<module>", MODULE, broken.path, broken.line)
    here, folder = os.getcwd(), broken.import_folder
    folders = () if folder == here else (os.path.relpath(folder, here),)
    call = written_import(broken.module, folders)
    return unparsable(info, broken.message, broken.text).on(InputDescribed(call, ()), info.id)
