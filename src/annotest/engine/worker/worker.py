"""The worker: imports one module, then runs jobs on it, each in a child of its own."""

from __future__ import annotations

import faulthandler
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

from annotest import guard, process
from annotest.discovery.discover import discover
from annotest.discovery.loading import load_module, needed_folders
from annotest.discovery.scan import ModuleFile
from annotest.discovery.targets import Contents, Target
from annotest.engine.child.bench import Bench
from annotest.engine.child.calling import written_import
from annotest.engine.child.workplace import Workplace
from annotest.engine.depth import count_from_own_call
from annotest.engine.jobs import Job, OpenModule, TargetJob, WriteTests
from annotest.engine.scratch import allowing, mirror_in, use_for_temporary_files
from annotest.engine.ways import ProcessWay
from annotest.engine.worker.environment import set_up_hypothesis, thread_count, use_one_thread
from annotest.engine.worker.importing import module_info
from annotest.errors import Mistake, recording
from annotest.events import (
    AnnotestFailed,
    Discovered,
    Imported,
    ImportFailed,
    JobEnded,
    JobStarted,
    Prevented,
)
from annotest.kinds import Kind
from annotest.oracles.crash import raised
from annotest.oracles.exceptions import is_failure
from annotest.oracles.project import Project, package_folder
from annotest.oracles.verdicts import AT_IMPORT, for_want_of_package, for_want_of_user
from annotest.process.limits import Limits
from annotest.process.own import gc, os, replaced, replacing, time, watch_replacing
from annotest.records import record
from annotest.spec import MODULE_TESTS
from annotest.writer import write_tests

if TYPE_CHECKING:  # listing and writing need no Hypothesis
    from annotest.engine.child.attempt import Attempts, InProcess


@record
class WorkerOptions:
    """What a worker must know to look at its module.

    `searches` says that targets will be searched, and `careful` that planning has killed or hung a
    worker before: what preconditions call is then tried in another process first. In `scratch` are
    the temporary files of calls, and unless `in_project`, the folder that they work in.
    """

    way: ProcessWay
    every: bool = False
    folders: tuple[str, ...] = ()
    scanned: frozenset[str] = frozenset()
    allowed: guard.Allowed | None = None
    scratch: str = ""
    in_project: bool = False
    searches: bool = False
    careful: bool = False
    auto: bool = True
    device: str = ""

    def with_scratch(self, folder: str) -> WorkerOptions:
        """Return the options with a scratch folder for the code under test."""
        return replace(self, allowed=allowing(self.allowed, folder), scratch=folder)


# of a worker, the place of a target and attempts in this process: attempts in processes below it
AttemptsBelow = Callable[["Worker", int, "InProcess", float, bool], "Attempts"]


@dataclass
class Worker:
    """The worker's side: one module, its channels, its shared memory."""

    file: ModuleFile
    options: WorkerOptions
    jobs: process.Channel
    events: process.Channel
    board: process.Blackboard
    output: process.Output
    segments: process.Segments
    limits: Limits
    attempts_below: AttemptsBelow
    in_place: bool = False
    surroundings: Any = None  # of the process as it is before any call; its children's too
    _mirror: guard.Mirror | None = field(default=None, init=False)
    _workplace: Workplace | None = field(default=None, init=False)

    def run(self) -> None:
        """Import, discover, then do jobs until the parent has no more."""
        self.here = os.getcwd()  # before the module goes elsewhere
        self.jobs.reading_end()
        self.events.writing_end()
        self.output.take_over()
        process.adopt_orphans()
        process.write_no_core_files()
        process.usual_signals()
        use_one_thread()
        set_up_hypothesis()
        count_from_own_call()
        self._set_up_guard()
        self.segments.watch()
        # before the module changes what processes begin with
        self.options = replace(self.options, way=self.options.way.from_here())
        watch_replacing()
        contents = self._discover()
        while contents is not None:
            try:
                job = self.jobs.receive()
            except process.Gone:
                return
            if isinstance(job, OpenModule):
                self.file = job.file
                contents = self._discover()
            else:
                self._in_child(job, contents)

    def _set_up_guard(self) -> None:
        """Give the code under test a folder for its temporary files, and keep it to that."""
        scratch, allowed = self.options.scratch, self.options.allowed
        if scratch:
            use_for_temporary_files(scratch)
        if scratch and allowed is not None and not self.options.in_project:
            self._mirror = mirror_in(scratch)
            self.guard_log = guard.install(allowed, mirror=self._mirror)
        else:
            self.guard_log = guard.Log() if allowed is None else guard.install(allowed)

    def _enter_workplace(self) -> None:
        """Go to the folder that calls work in; the module was imported where the user is."""
        allowed = self.options.allowed
        if self._mirror is not None and allowed is not None:
            self._workplace = Workplace.made(self._mirror, allowed.folders)

    def failed(self, text: str) -> None:
        """Tell the parent that annotest itself failed in this process."""
        names = replaced()
        mistake = replacing(self.file.path, names, text) if names else None
        self.events.send(AnnotestFailed(text, mistake))

    def _discover(self) -> Contents | None:
        gc.disable()  # a collection would copy every page shared with the parent
        began = time.monotonic()
        with recording() as mistakes:
            try:
                module = load_module(self.file)
            except BaseException as error:  # whatever the module does costs this module alone
                self._import_failed(error, mistakes)
                return None
        seconds = time.monotonic() - began
        self.guard_log.end_import()
        self.events.send(Imported(seconds, thread_count(), MODULE_TESTS.get(module.__name__)))
        contents = self._planned(module)
        gc.enable()
        contents.mistakes[:0] = mistakes
        self._enter_workplace()
        self.events.send(
            Discovered(
                tuple(target.info for target in contents.targets),
                tuple(contents.not_testable),
                tuple(dict.fromkeys(contents.mistakes)),
            )
        )
        if self.options.searches:  # while the parent finds out what to do with them
            self._warm_up(contents.planner.makes_arrays)
        return contents

    def _planned(self, module: ModuleType) -> Contents:
        options = self.options
        survives = self._survives if options.careful and process.can_fork() else None
        try:
            looked_for = options.every, options.scanned, survives, options.auto
            return discover(module, self.file.module, *looked_for)
        except (SystemExit, KeyboardInterrupt):  # of what a precondition calls
            os._exit(1)

    def _survives(self, call: Callable[[], object]) -> bool:
        """Say whether a call comes to an end, tried in another process."""

        def attempt() -> None:
            with suppress(Exception):  # it is told of when the call is made here
                call()

        pid = process.fork(attempt, lambda text: None)
        ended = process.reap_within(pid, self.limits.planning)
        process.end_strays()
        return ended == 0

    def _warm_up(self, makes_arrays: bool) -> None:
        """Have done once, here, what every child would have to do."""
        from annotest.engine.child.doing import warm_up
        from annotest.engine.child.surroundings import Surroundings

        self.surroundings = Surroundings(self._workplace.enter if self._workplace else os.chdir)
        if self.in_place:
            return  # there will be no children
        warm_up(makes_arrays)
        gc.collect()
        gc.freeze()

    def _import_failed(self, error: BaseException, mistakes: list[Mistake]) -> None:
        project, output = self._project(None), self.output.tail()
        info = module_info(self.file, 1)
        fault = replace(raised(error, Kind.IMPORT, info, project), output=output)
        if not self.file.has_module_test:  # which says that it can be imported
            fault = for_want_of_user(fault, error, self.output.asked_for_input, AT_IMPORT)
        fault = for_want_of_package(fault, error, project, "exclude the file")
        fault = replace(fault, remarks=fault.remarks + self.guard_log.remarks)
        call = written_import(self.file, self._needed_folders(), self.here)
        failure = fault.on(info.id, call)
        site = next(iter(MODULE_TESTS.values()), None)
        normal = not is_failure(error)
        excuse = self.guard_log.explains(error, output)
        blocked = dict.fromkeys([*self.guard_log.blocked, *([excuse] if excuse else [])])
        prevented = tuple(
            Prevented(info, thing.action, thing.what, thing.allow, thing == excuse, failure.call)
            for thing in blocked
        )
        self.events.send(ImportFailed(failure, site, normal, prevented))

    def _needed_folders(self) -> tuple[str, ...]:
        return needed_folders(self.file, self.here)

    def _project(self, target: Target | None) -> Project:
        packages: tuple[str, ...] = ()
        if target is not None and target.info.module != self.file.module:
            folder = package_folder(target.info.module)
            packages = (folder,) if folder else ()
        project = project_of(self.file, self.options, packages)
        return replace(project, mirror=self._mirror.root if self._mirror else "")

    def _in_child(self, job: Job, contents: Contents) -> None:
        self.output.clear()
        if isinstance(job, WriteTests) or self.in_place:
            # no code of the user's runs, or a process that has threads and must not be forked
            self._do(job, contents)
            self.events.send(JobEnded(0, self.output.tail()))
            return

        def start() -> None:
            # told by the child, so that two processes never write to the pipe at once
            self.events.send(JobStarted(os.getpid()))
            self._do(job, contents)

        pid = process.fork(start, self.failed)
        status = process.reap(pid)
        process.kill(pid)  # whatever it left behind in its group
        process.end_strays()  # and outside it
        self.events.send(JobEnded(status, self.output.tail()))

    def _do(self, job: Job, contents: Contents) -> None:
        # not to sys.stderr, which the code under test may have replaced or closed
        faulthandler.enable(self.output.descriptor, all_threads=False)
        faulthandler.register(process.DUMP_SIGNAL, self.output.descriptor, all_threads=False)
        if isinstance(job, WriteTests):
            self.events.send(write_tests(self.file, contents, job.header))
            return
        assert isinstance(job, TargetJob)
        # imported late: listing and writing need no Hypothesis
        from annotest.engine.child.doing import do

        do(self.bench(job.place, contents), job)

    def bench(self, place: int, contents: Contents) -> Bench:
        """Return what a job on one target needs."""
        target = contents.targets[place]
        return Bench(
            target,
            contents,
            self._project(target),
            self.board,
            self.output,
            self.guard_log,
            self.surroundings,
            self.limits,
            self.events.send,
            self._needed_folders,
            partial(self.attempts_below, self, place),
            self._workplace,
            self.options.device,
        )


def project_of(file: ModuleFile, options: WorkerOptions, packages: tuple[str, ...] = ()) -> Project:
    """Return which files count as the project's own, as seen from one module."""
    return Project((file.root, *options.folders), file.root, packages)
