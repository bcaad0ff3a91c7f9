"""Whole runs: what the command line asks for, from the first event to the last."""

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
from annotest.discovery.targets import MODULE
from annotest.engine.child.calling import written_import
from annotest.engine.keeping import Keeper
from annotest.engine.lane.starting import way_of
from annotest.engine.parent.announcing import Announcer
from annotest.engine.parent.looking import Looking
from annotest.engine.parent.options import RunOptions
from annotest.engine.worker.environment import import_shared, warm_up
from annotest.engine.worker.options import WorkerOptions
from annotest.events import (
    Event,
    Explained,
    FailureFound,
    FileWritten,
    NotTestableFound,
    RunEnded,
    RunStarted,
    Warned,
)
from annotest.facts import Failure, TargetInfo
from annotest.oracles.crash import unparsable
from annotest.process import adopt_orphans
from annotest.writer.header import Header


def _ignore(event: Event) -> None:
    """Listen to nothing."""


class Run:
    """One run over the paths; what happens is told to a listener."""

    def __init__(self, options: RunOptions, listen: Callable[[Event], None] = _ignore) -> None:
        self._way = way_of(options.processes)
        adopt_orphans()
        seed = options.seed
        self._seed = random.SystemRandom().getrandbits(31) if seed is None else seed
        self._options = replace(options, seed=self._seed)
        self._listen = listen
        self._scanned = scan(options.paths, options.every)
        self._worker_options = self._for_workers()
        import_shared(self._scanned.modules, self._way.forks)

    def _for_workers(self) -> WorkerOptions:
        options = self._options
        folders = tuple(os.path.realpath(path) for path in options.paths)
        scanned = frozenset(file.path for file in self._scanned.modules)
        return WorkerOptions(self._way, options.every, folders, scanned, options.allowed)

    def test(self) -> None:
        """Search every target."""
        # imported late: listing and writing search nothing
        from annotest.engine.parent.campaign import Campaign
        from annotest.engine.parent.local import LocalExecutor

        options = self._options
        warm_up(self._way.forks)
        gc.freeze()
        with self._told():
            database = Database(options.database) if options.database else None
            keeper = Keeper(database, options.root, options.limits)
            for warning in keeper.looked_through():
                self._listen(warning)
            executor = LocalExecutor(options.workers, self._worker_options, options.limits, keeper)
            Campaign(options, self._scanned.modules, self._announcer(), executor, keeper).run()

    def look(self) -> None:
        """Discover every target, and search none."""
        with self._told():
            self._looking().look()

    def write(
        self, header_of: Callable[[ModuleFile], Header]
    ) -> list[tuple[ModuleFile, FileWritten]]:
        """Have every module's test file written."""
        written = []
        with self._told():
            for file_written in self._looking().write(header_of):
                written.append(file_written)  # kept, should the user interrupt the others
        return written

    def explain(self) -> list[Explained]:
        """Say how inputs are made for the targets of the selected name, or for those like it."""
        warm_up(self._way.forks)
        told: list[Explained | Warned] = []
        with self._told():
            self._looking().explain(told)
            for warning in told:
                if isinstance(warning, Warned):
                    self._listen(warning)
        return [explained for explained in told if isinstance(explained, Explained)]

    def _announcer(self) -> Announcer:
        return Announcer(self._options.select, self._listen)

    def _looking(self) -> Looking:
        files = self._scanned.modules
        return Looking(self._options, self._worker_options, files, self._announcer())

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


def _syntax_failure(broken: Unparsable) -> Failure:
    info = TargetInfo(broken.module, "<module>", MODULE, broken.path, broken.line)
    here, folder = os.getcwd(), broken.import_folder
    folders = () if folder == here else (os.path.relpath(folder, here),)
    call = written_import(broken.module, folders)
    return unparsable(info, broken.message, broken.text).on(info.id, call)
