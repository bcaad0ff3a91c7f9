"""What modules hold, looked at without testing it: listed, explained, written as tests.

No function is called here, so the parent itself supervises the workers, one after the other.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from annotest.discovery.scan import ModuleFile
from annotest.discovery.targets import Contents
from annotest.engine.jobs import ExplainTarget, WriteTests
from annotest.engine.lane.supervisor import InternalError, ModuleWorker
from annotest.engine.parent.announcing import Announcer
from annotest.engine.parent.options import RunOptions
from annotest.engine.parent.selection import has_name, meant
from annotest.engine.worker.importing import module_info
from annotest.engine.worker.options import WorkerOptions
from annotest.events import AnnotestFailed, Explained, FileWritten, Warned
from annotest.facts import TargetInfo, TargetResult
from annotest.kinds import Kind, Status
from annotest.writer import write_tests
from annotest.writer.header import Header


@dataclass
class Looking:
    """Workers for each module in turn, and what is asked of them."""

    options: RunOptions
    worker_options: WorkerOptions
    files: list[ModuleFile]
    announcer: Announcer

    def __post_init__(self) -> None:
        self._known: set[tuple[str, int, str]] = set()

    def look(self) -> None:
        """Tell of every target."""
        for worker in self._looked_at():
            self._list(worker)

    def write(
        self, header_of: Callable[[ModuleFile], Header]
    ) -> Iterator[tuple[ModuleFile, FileWritten]]:
        """Have every module's test file written; yield each."""
        for worker in self._looked_at():
            self._list(worker)
            yield worker.file, self._written(worker, header_of(worker.file))

    def explain(self, told: list[Explained | Warned]) -> None:
        """Tell how inputs are made for the targets of the selected name, or for those like it."""
        is_named = False
        for worker in self._looked_at():
            targets = self._targets_of(worker)
            names = meant(self.options.select, [info.qualname for _, info in targets])
            named_here = any(has_name(self.options.select, name) for name in names)
            if named_here and not is_named:
                is_named = True
                told.clear()  # targets of other modules that are only like it
            if named_here or not is_named:
                told += [
                    self._explained(worker, place, info)
                    for place, info in targets
                    if info.qualname in names and not info.error
                ]

    def _explained(self, worker: ModuleWorker, place: int, info: TargetInfo) -> Explained | Warned:
        assert self.options.seed is not None
        limit = info.timeout or self.options.limits.call
        limits = replace(self.options.limits, call=limit)
        ended = worker.do(ExplainTarget(place, self.options.seed), limit, limits=limits)
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
        ended = worker.do(WriteTests(header), self.options.limits.imports)
        written = ended.last(FileWritten)
        if written is None:
            raise InternalError(ended.output)
        return written

    def _list(self, worker: ModuleWorker) -> None:
        imported = worker.opened.imported
        if worker.opened.discovered is None or imported is None:
            return
        if imported.module_test is not None:
            info = module_info(worker.file, imported.module_test.line)
            self.announcer.finish(TargetResult(info, Status.LISTED))
        for _, info in self._targets_of(worker):
            self.announcer.finish(TargetResult(info, Status.LISTED))

    @contextmanager
    def _opened(self, file: ModuleFile) -> Iterator[ModuleWorker]:
        worker = ModuleWorker(file, self.worker_options, self.options.limits, self.announcer.listen)
        try:
            try:
                worker.start()
            except InternalError as error:
                self.announcer.listen(AnnotestFailed(str(error)))
            self.announcer.module(file, worker.opened)
            yield worker
        except InternalError as error:
            self.announcer.listen(AnnotestFailed(str(error)))
        finally:
            worker.stop()

    def _looked_at(self) -> Iterator[ModuleWorker]:
        """Yield a worker for each module in turn, when none of their functions is to be called.

        Modules of one package may share a worker. One that fails there is tried again in a worker
        of its own, so that it is judged by itself.
        """
        waiting = list(self.files)
        while waiting:
            with self._opened(first := waiting.pop(0)) as worker:
                yield worker
                while waiting and waiting[0].may_follow(first) and worker.opens_too(waiting[0]):
                    file = waiting.pop(0)
                    self.announcer.module(file, worker.opened)
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
