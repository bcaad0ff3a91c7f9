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
from annotest.discovery.narrowing import failed_before, scan_words
from annotest.discovery.scan import ModuleFile, Unparsable
from annotest.discovery.targets import Contents
from annotest.discovery.words import is_meant, read_word, unknown_name
from annotest.engine.base.bases import Bases
from annotest.engine.base.sharing import chains_of, import_shared, together, warm_up
from annotest.engine.child.calling import written_import
from annotest.engine.jobs import ExplainTarget, WriteTests
from annotest.engine.keeping import Keeper
from annotest.engine.lane.supervisor import InternalError, ModuleWorker
from annotest.engine.parent.announcing import Announcer
from annotest.engine.parent.options import RunOptions
from annotest.engine.parent.selection import matches, meant
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
    NothingAsked,
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
        self._scanned = scan_words(options.paths, options.every, options.exclude, known_as)
        self._worker_options = self._for_workers()
        import_shared(self._scanned.modules, not self._way.spawns)
        self._chains = chains_of(self._scanned.modules) if self._way.has_bases else {}
        self._check_names()

    def _check_names(self) -> None:
        """Refuse names that no target has, before anything else is done."""
        for unsure in self._scanned.unsure:
            with scratch_folder() as scratch:
                options = self._worker_options.with_scratch(scratch)
                known = [name for file in unsure.files for name in self._names_in(file, options)]
            if known and not any(is_meant(unsure.wanted, *name) for name in known):
                raise unknown_name(unsure.word, [qualname for _, qualname in known])

    def _names_in(self, file: ModuleFile, options: WorkerOptions) -> list[tuple[str, str]]:
        """Return the names of what a module has, with modules; none if it cannot be imported."""
        worker = ModuleWorker(file, options, self._options.limits, lambda event: None)
        try:
            worker.start()
            has = worker.opened.discovered
            if has is None:
                return []  # that is told when it is opened again
            names = [(info.module, info.qualname) for info in has.targets]
            names += [(function.module, function.qualname) for function in has.not_testable]
            return names + [(file.module, mistake.function) for mistake in has.mistakes]
        finally:
            worker.stop()

    def _for_workers(self) -> WorkerOptions:
        options = self._options
        folders = tuple(os.path.realpath(read_word(text).place) for text in options.paths)
        scanned = frozenset(file.path for file in self._scanned.modules)
        return WorkerOptions(
            self._way,
            options.every,
            folders,
            scanned,
            options.allowed,
            in_project=options.in_project,
            auto=options.auto,
            device=options.device,
            suspicious=options.suspicious,
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
            if options.fail_fast and any(
                not broken.is_stray for broken in self._scanned.unparsable
            ):
                return  # that is a finding
            database = Database(options.database) if options.database else None
            keeper = Keeper(database, options.root, options.limits)
            for warning in keeper.looked_through():
                self._listen(warning)
            files = together(self._scanned.modules, self._chains)
            if options.last_failed:
                files = failed_before(files, keeper.failing())
            if options.last_failed and not files:
                self._listen(NothingAsked("no finding is kept of a target here (--last-failed)"))
            given = self._worker_options, options.limits, keeper, self._chains
            executor = LocalExecutor(options.workers, tuple(files), *given)
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

    def explain(self, names: tuple[str, ...] = ()) -> list[Explained]:
        """Say how inputs are made for the selected targets: those of a name, or else like it."""
        warm_up(not self._way.spawns)
        told: list[tuple[str, Explained | Warned]] = []
        with self._told():
            self._explain(names, told)
        # also of what was told before an interruption
        wanted = meant(names, [qualname for qualname, _ in told])
        told = [(qualname, said) for qualname, said in told if qualname in wanted]
        for _, said in told:
            if isinstance(said, Warned):
                self._listen(said)
        return [said for _, said in told if isinstance(said, Explained)]

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Tell the listener of the beginning, the files that do not parse, and the end."""
        began, interrupted = time.monotonic(), False
        self._listen(RunStarted(self._seed, self._scanned.files))
        for broken in self._scanned.unparsable:
            self._listen(FailureFound(_syntax_failure(broken)))
        for function in self._scanned.not_testable:
            if matches(self._options.select, function.id):
                self._listen(NotTestableFound(function))
        try:
            yield
        except KeyboardInterrupt:
            interrupted = True
        finally:
            self._listen(RunEnded(time.monotonic() - began, interrupted))

    def _explain(self, names: tuple[str, ...], told: list[tuple[str, Explained | Warned]]) -> None:
        known: set[str] = set()
        for worker in self._looked_at():
            targets = self._targets_of(worker)
            known |= {info.qualname for _, info in targets}
            wanted = meant(names, known)  # so far: a module to come may have one of that very name
            for place, info in targets:
                is_wanted = info.qualname in wanted and self._announcer.selects(worker.file, info)
                if is_wanted and not info.error:
                    with self._at_the_cost_of_one_module():
                        told.append((info.qualname, self._explained(worker, place, info)))

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
            raise InternalError(AnnotestFailed(f"{what}\n{ended.output}".rstrip()))
        return written

    def _list(self, worker: ModuleWorker) -> None:
        imported = worker.opened.imported
        if worker.opened.discovered is None or imported is None:
            return
        if imported.module_test is not None:
            self._listed(worker, module_info(worker.file, imported.module_test.line))
        for _, info in self._targets_of(worker):
            self._listed(worker, info)

    def _listed(self, worker: ModuleWorker, info: TargetInfo) -> None:
        if self._announcer.selects(worker.file, info):
            self._announcer.finish(TargetResult(info, Status.LISTED))

    @contextmanager
    def _at_the_cost_of_one_module(self) -> Iterator[None]:
        """Tell that annotest itself failed, and go on with the others."""
        try:
            yield
        except InternalError as error:
            self._listen(error.told)

    @contextmanager
    def _opened(self, file: ModuleFile) -> Iterator[ModuleWorker]:
        given = self._worker_options, self._options.limits, self._listen
        worker = ModuleWorker(file, *given, bases=self._bases)
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
            options = self._worker_options = self._worker_options.with_scratch(scratch)
            self._bases = Bases(self._chains, options, self._options.limits)
            try:
                yield from self._each_worker()
            finally:
                self._bases.close()

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
