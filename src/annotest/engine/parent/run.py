"""Whole runs: what the command line asks for, from the first event to the last.

To test, lanes supervise the workers (`campaign.py`). To list, explain or write tests no function of
the modules is called: the parent itself supervises their workers, one after the other.
"""

from __future__ import annotations

import gc
import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from annotest.database import Database
from annotest.discovery.scan import ModuleFile, Unparsable, scan
from annotest.discovery.targets import Contents
from annotest.engine.base.sharing import import_shared, warm_up
from annotest.engine.child.calling import written_import
from annotest.engine.jobs import ExplainTarget, WriteTests
from annotest.engine.keeping import Keeper
from annotest.engine.lane.supervisor import InternalError, ModuleWorker
from annotest.engine.parent.announcing import Announcer
from annotest.engine.parent.options import RunOptions
from annotest.engine.parent.selection import has_name, meant
from annotest.engine.scratch import scratch_folder
from annotest.engine.ways import way_of
from annotest.engine.worker.importing import module_info
from annotest.engine.worker.worker import WorkerOptions
from annotest.events import (
    AnnotestFailed,
    Event,
    Explained,
    FailureFound,
    FileWritten,
    NotTestableFound,
    RunEnded,
    RunStarted,
    Warned,
)
from annotest.facts import Failure, TargetInfo, TargetResult
from annotest.kinds import Kind, Status, Verdict
from annotest.oracles.crash import unparsable
from annotest.process import adopt_orphans
from annotest.writer import write_tests
from annotest.writer.header import Header


class Run:
    """One run over the paths; what happens is told to a listener."""

    def __init__(self, options: RunOptions, listen: Callable[[Event], None]) -> None:
        self._way = way_of(options.processes)
        adopt_orphans()
        seed = options.seed
        self._seed = random.SystemRandom().getrandbits(31) if seed is None else seed
        self._options = replace(options, seed=self._seed)
        self._listen = listen
        self._announcer = Announcer(options.select, listen, options.only)
        self._known: set[tuple[str, int, str]] = set()  # targets, whichever module led to them
        known_as = dict(options.known_as)
        self._scanned = scan(options.paths, options.every, options.exclude, known_as)
        self._worker_options = self._for_workers()
        import_shared(self._scanned.modules, not self._way.spawns)

    def _for_workers(self) -> WorkerOptions:
        options = self._options
        folders = tuple(os.path.realpath(path) for path in options.paths)
        scanned = frozenset(file.path for file in self._scanned.modules)
        return WorkerOptions(
            self._way,
            options.every,
            folders,
            scanned,
            options.allowed,
            in_project=options.in_project,
            auto=options.auto,
        )

    def test(self) -> None:
        """Search every target."""
        # imported late: listing and writing search nothing
        from annotest.engine.parent.campaign import Campaign
        from annotest.engine.parent.local import LocalExecutor

        options = self._options
        warm_up(not self._way.spawns)
        gc.freeze()
        with self._told():
            database = Database(options.database) if options.database else None
            keeper = Keeper(database, options.root, options.limits)
            for warning in keeper.looked_through():
                self._listen(warning)
            files = self._scanned.modules
            executor = LocalExecutor(
                options.workers, tuple(files), self._worker_options, options.limits, keeper
            )
            Campaign(options, files, self._announcer, executor, keeper).run()

    def look(self) -> None:
        """Discover every target, and search none."""
        with self._told():
            for worker in self._looked_at():
                self._list(worker)

    def write(
        self, header_of: Callable[[ModuleFile], Header]
    ) -> list[tuple[ModuleFile, FileWritten]]:
        """Have every module's test file written."""
        written = []  # kept, should the user interrupt the others
        with self._told():
            for worker in self._looked_at():
                self._list(worker)
                with self._at_the_cost_of_one_module():
                    written.append((worker.file, self._written(worker, header_of(worker.file))))
        return written

    def explain(self) -> list[Explained]:
        """Say how inputs are made for the targets of the selected name, or for those like it."""
        warm_up(not self._way.spawns)
        told: list[Explained | Warned] = []
        with self._told():
            self._explain(told)
            for warning in told:
                if isinstance(warning, Warned):
                    self._listen(warning)
        return [explained for explained in told if isinstance(explained, Explained)]

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Tell the listener of the beginning, the files that do not parse, and the end."""
        began, interrupted = time.monotonic(), False
        self._listen(RunStarted(self._seed, self._scanned.files))
        for broken in self._scanned.unparsable:
            self._listen(FailureFound(_syntax_failure(broken)))
        for thing in self._scanned.not_testable:
            self._listen(NotTestableFound(thing))
        try:
            yield
        except KeyboardInterrupt:
            interrupted = True
        finally:
            self._listen(RunEnded(time.monotonic() - began, interrupted))

    def _explain(self, told: list[Explained | Warned]) -> None:
        is_named = False
        for worker in self._looked_at():
            targets = self._targets_of(worker)
            names = meant(self._options.select, [info.qualname for _, info in targets])
            named_here = any(has_name(self._options.select, name) for name in names)
            if named_here and not is_named:
                is_named = True
                told.clear()  # targets of other modules that are only like it
            if not named_here and is_named:
                continue
            for place, info in targets:
                if info.qualname in names and not info.error:
                    with self._at_the_cost_of_one_module():
                        told.append(self._explained(worker, place, info))

    def _explained(self, worker: ModuleWorker, place: int, info: TargetInfo) -> Explained | Warned:
        assert self._options.seed is not None
        limit = info.call_limit(self._options.limits.call)
        limits = replace(self._options.limits, call=limit)
        ended = worker.do(ExplainTarget(place, self._options.seed), limit, limits=limits)
        explained = ended.last(Explained)
        if explained is None:
            took = f"took more than {limit:g} s" if ended.exceeded is Kind.TIMEOUT else "ended"
            what = f"its process {took} while inputs were made for it"
            return Warned(f"{info.id} cannot be explained: {what}")
        return explained

    def _written(self, worker: ModuleWorker, header: Header) -> FileWritten:
        if worker.opened.discovered is None:
            # nothing but its import can be tested, where that was asked for
            return write_tests(worker.file, Contents(), header)
        ended = worker.do(WriteTests(header), self._options.limits.imports)
        written = ended.last(FileWritten)
        if written is None:
            what = f"{worker.file.path}: its process ended while its tests were written"
            raise InternalError(f"{what}\n{ended.output}".rstrip())
        return written

    def _list(self, worker: ModuleWorker) -> None:
        imported = worker.opened.imported
        if worker.opened.discovered is None or imported is None:
            return
        if imported.module_test is not None:
            info = module_info(worker.file, imported.module_test.line)
            self._announcer.finish(TargetResult(info, Status.LISTED))
        for _, info in self._targets_of(worker):
            self._announcer.finish(TargetResult(info, Status.LISTED))

    @contextmanager
    def _at_the_cost_of_one_module(self) -> Iterator[None]:
        """Tell that annotest itself failed, and go on with the others."""
        try:
            yield
        except InternalError as error:
            self._listen(AnnotestFailed(str(error)))

    @contextmanager
    def _opened(self, file: ModuleFile) -> Iterator[ModuleWorker]:
        worker = ModuleWorker(file, self._worker_options, self._options.limits, self._listen)
        try:
            with self._at_the_cost_of_one_module():
                worker.start()
            self._announcer.module(file, worker.opened)
            with self._at_the_cost_of_one_module():
                yield worker
        finally:
            worker.stop()

    def _looked_at(self) -> Iterator[ModuleWorker]:
        """Yield a worker for each module in turn, when none of their functions is to be called.

        Modules of one package may share a worker. One that fails there is tried again in a worker
        of its own, so that it is judged by itself.
        """
        with scratch_folder() as scratch:
            self._worker_options = self._worker_options.with_scratch(scratch)
            yield from self._each_worker()

    def _each_worker(self) -> Iterator[ModuleWorker]:
        waiting = list(self._scanned.modules)
        while waiting:
            with self._opened(first := waiting.pop(0)) as worker:
                yield worker
                while waiting and waiting[0].may_follow(first) and worker.opens_too(waiting[0]):
                    file = waiting.pop(0)
                    self._announcer.module(file, worker.opened)
                    yield worker

    def _targets_of(self, worker: ModuleWorker) -> list[tuple[int, TargetInfo]]:
        """Return a module's targets with their places; none that another module led to already."""
        new = []
        discovered = worker.opened.discovered
        listed = discovered.targets if discovered else ()
        real = {file: os.path.realpath(file) for file in {info.file for info in listed}}
        for place, info in enumerate(listed):
            key = (real[info.file], info.line, info.qualname)
            if info.file and key in self._known:
                continue
            self._known.add(key)
            new.append((place, info))
        return new


def _syntax_failure(broken: Unparsable) -> Failure:
    info = module_info(broken, broken.line)
    here, folder = os.getcwd(), broken.import_folder
    folders = () if folder in ("", here) else (os.path.relpath(folder, here),)
    call = written_import(broken, folders, here)
    fault = unparsable(info, broken.message, broken.text)
    if broken.is_stray:
        reason = f"not Python: {broken.message}; left alone, as it has no annotations"
        fault = replace(fault, verdict=Verdict.NOTE, remarks=(reason,))
    return fault.on(info.id, call)
