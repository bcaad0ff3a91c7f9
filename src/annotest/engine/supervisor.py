"""The parent's side of a worker: jobs sent, events read, limits enforced, deaths survived."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from annotest import process
from annotest.discovery.scan import ModuleFile
from annotest.engine.options import BLOCKED, ERROR, FAILED, PASSED, SearchOptions, digest
from annotest.engine.postmortem import DUMP_SIGNAL, read_dump
from annotest.engine.worker import (
    DescribeInput,
    Job,
    OpenModule,
    ReplayInput,
    RunTarget,
    Worker,
    WorkerOptions,
    project_of,
)
from annotest.errors import Mistake, Site
from annotest.events import (
    AnnotestFailed,
    Discovered,
    Event,
    Failure,
    FailureFound,
    FileWritten,
    Imported,
    ImportFailed,
    InputDescribed,
    JobEnded,
    JobStarted,
    MistakeFound,
    Progress,
    Replayed,
    SearchEnded,
    TargetInfo,
    TargetResult,
)
from annotest.oracles.crash import place_of

POLL = 0.05
MOST_DEATHS = 3


@dataclass(frozen=True)
class Limits:
    """How long things may take, in seconds of wall-clock time."""

    call: float = 60.0
    imports: float = 300.0


@dataclass
class _Ended:
    """How a job ended: its last words, or none."""

    result: TargetResult | None = None
    described: InputDescribed | None = None
    replayed: Replayed | None = None
    written: FileWritten | None = None
    status: int = 0
    output: str = ""
    phase: int = process.IDLE
    inputs_run: int = 0
    recipe: bytes = b""
    overran: bool = False
    internal: str = ""


class InternalError(Exception):
    """annotest itself failed in a child; the text is what the child printed."""


class ModuleWorker:
    """A worker and the parent's hold on it."""

    def __init__(
        self,
        file: ModuleFile,
        options: WorkerOptions,
        limits: Limits,
        listen: Callable[[Event], None],
    ) -> None:
        self.file = file
        self.limits = limits
        self._options = options
        self._listen = listen
        self._board = process.Blackboard()
        self._output = process.Output()
        self._pid = 0
        self._fresh_each_time = False
        self.imported: Imported | None = None
        self.import_failed: ImportFailed | None = None
        self.discovered: Discovered | None = None

    def start(self, in_place: bool = False) -> None:
        """Start the worker and wait until it has looked at its module."""
        self._forget_module()
        self._jobs, self._events = process.Channel(), process.Channel()
        worker = Worker(
            self.file,
            self._options,
            self._jobs,
            self._events,
            self._board,
            self._output,
            in_place,
        )
        self._board.clear()
        self._pid = process.fork(worker.run, worker.failed)
        self._jobs.writing_end()
        self._events.reading_end()
        self._read_module()

    def _forget_module(self) -> None:
        self.imported, self.import_failed, self.discovered = None, None, None

    def opens_too(self, file: ModuleFile) -> bool:
        """Have a worker that is still in order look at another module too; say if it could."""
        if not self._pid or self._fresh_each_time:
            return False
        self.file = file
        self._forget_module()
        self._output.clear()
        try:
            self._jobs.send(OpenModule(file))
            self._read_module()
        except (process.Gone, InternalError):
            return False
        return self.import_failed is None

    def _read_module(self) -> None:
        until = time.monotonic() + self.limits.imports
        while self.discovered is None or self.imported is None:
            try:
                event = self._events.receive(max(0.0, until - time.monotonic()))
            except process.Gone:
                status = process.reap(self._pid)
                self._pid = 0
                self._kill()
                if self.import_failed is None:
                    self._import_died(status)
                return
            if event is None:
                self._kill()
                self._import_hung()
                return
            if isinstance(event, AnnotestFailed):
                raise InternalError(event.text)
            if isinstance(event, ImportFailed):
                self.import_failed = event
            elif isinstance(event, Imported):
                self.imported = event
                self._fresh_each_time = event.threads > 1
            elif isinstance(event, Discovered):
                self.discovered = event

    def _import_died(self, status: int) -> None:
        what = process.describe_status(status)
        self._import_failure("died", f"the process {what} while the module was imported")

    def _import_hung(self) -> None:
        limit = f"{self.limits.imports:g} s"
        self._import_failure("timeout", f"importing the module took longer than {limit}")

    def _import_failure(self, kind: str, message: str) -> None:
        info = TargetInfo(self.file.module, "<module>", "module", self.file.path, 1)
        key = fingerprint(kind, info)
        call = f"import {self.file.module}"
        output = self._output.tail()
        failure = Failure(
            info, kind, key, message=message, call=call, seen_in=info.id, output=output
        )
        self.import_failed = ImportFailed(failure, Site(self.file.path, 1))

    def stop(self) -> None:
        """End the worker and give everything back."""
        self._kill()
        self._board.close()
        self._output.close()

    def _kill(self) -> None:
        if self._pid:
            process.kill(self._pid)
            process.reap(self._pid)
            self._pid = 0
        self._jobs.close()
        self._events.close()

    def _ensure_running(self) -> None:
        if self._pid and not self._fresh_each_time:
            return
        if self._pid:
            self._kill()
        kept = self._board.read()
        self.start(in_place=self._fresh_each_time)
        self._board.write(kept[0], kept[2], kept[3])

    def do(self, job: Job, call_limit: float) -> _Ended:
        """Have one job done; kill the child when one step takes longer than the limit."""
        self._ensure_running()
        _, _, inputs_run, recipe = self._board.read()
        # what an earlier child was doing when it was killed must not count against this one
        self._board.write(process.IDLE, inputs_run, recipe)
        ended = _Ended()
        try:
            self._jobs.send(job)
            self._watch(ended, call_limit)
        except process.Gone:
            ended.status = process.reap(self._pid)
            self._pid = 0
            self._kill()
            ended.output = self._output.tail()
        if ended.internal:
            raise InternalError(ended.internal)
        if not ended.overran:
            ended.phase, _, ended.inputs_run, ended.recipe = self._board.read()
        return ended

    def _watch(self, ended: _Ended, call_limit: float) -> None:
        child = self._pid if self._fresh_each_time else 0
        while True:
            event = self._events.receive(POLL)
            if isinstance(event, JobStarted):
                child = event.pid
            elif isinstance(event, JobEnded):
                ended.status, ended.output = event.status, event.output
                return
            elif event is not None:
                self._take(event, ended)
            else:
                self._listen(Progress(self._board.read()[2]))  # so that time is seen to pass
            if child and not ended.overran and self._overruns(call_limit):
                ended.overran = True
                # looked at before the child is disturbed: it may go on to its next input
                ended.phase, _, ended.inputs_run, ended.recipe = self._board.read()
                process.ask_for_dump(child, DUMP_SIGNAL)
                process.kill(child)

    def _overruns(self, call_limit: float) -> bool:
        phase, since, _, _ = self._board.read()
        limit = call_limit if phase == process.CALLING else max(call_limit, self.limits.call)
        return phase != process.IDLE and time.monotonic() - since > limit

    def _take(self, event: Event, ended: _Ended) -> None:
        if isinstance(event, AnnotestFailed):
            ended.internal = event.text  # raised when the child has ended: its events are its own
        elif isinstance(event, SearchEnded):
            ended.result = event.result
        elif isinstance(event, InputDescribed):
            ended.described = event
        elif isinstance(event, Replayed):
            ended.replayed = event
        elif isinstance(event, FileWritten):
            ended.written = event
        else:
            self._listen(event)

    def search(self, place: int, info: TargetInfo, options: SearchOptions) -> TargetResult:
        """Search one target, starting again after each death of the child, a few times."""
        limit = info.timeout or self.limits.call
        began = time.monotonic()
        calls = 0
        deaths: list[str] = []
        result: TargetResult | None = None
        for _ in range(MOST_DEATHS):
            ended = self.do(RunTarget(place, options), limit)
            if ended.result is not None:
                result = ended.result
                break
            calls += ended.inputs_run
            seconds = time.monotonic() - began
            deaths.append(self._report_death(ended, place, info, limit, seconds))
            options = replace(
                options,
                seed=options.seed + 1_000_003,
                max_examples=max(1, options.max_examples - ended.inputs_run),
                avoid=options.avoid | ({digest(ended.recipe)} if ended.recipe else set()),
            )
            if options.max_examples == 1:
                break
        if result is None:
            result = TargetResult(info, next(filter(None, deaths), PASSED if calls else ERROR))
        return replace(
            result,
            status=FAILED if FAILED in deaths else result.status,
            inputs_run=result.inputs_run + calls,
            seconds=time.monotonic() - began,
        )

    def _report_death(
        self, ended: _Ended, place: int, info: TargetInfo, limit: float, seconds: float
    ) -> str:
        """Turn a death or a hang into a failure; say what it makes of the target, if anything."""
        described = self._describe(ended, place, limit)
        if ended.overran and ended.phase == process.DRAWING:
            self._listen(MistakeFound(_slow_drawing(info, max(limit, self.limits.call))))
            return ERROR
        if (
            ended.overran
            and ended.phase == process.CALLING
            and not self._confirmed(ended, place, limit)
        ):
            return ""
        kind, message = self._cause(ended, limit)
        frames, output = read_dump(ended.output)
        location, key = None, fingerprint(kind, info)
        if frames is not None:
            project = project_of(self.file, self._options)
            location, placed = place_of(frames, project, kind, info.id)
            # a hang is caught at any line of its loop: its target alone identifies it
            key = placed if kind == "died" else key
        failure = Failure(
            info,
            kind,
            key,
            message=message,
            frames=frames,
            location=location,
            call=described.call,
            inputs=described.inputs,
            seconds_to_find=seconds,
            seen_in=info.id,
            output=output,
        )
        self._listen(FailureFound(failure))
        return BLOCKED if kind == "generator" else FAILED

    def _cause(self, ended: _Ended, limit: float) -> tuple[str, str]:
        if ended.overran and ended.phase == process.BUILDING:
            slow = max(limit, self.limits.call)
            return "generator", f"building the input took longer than {slow:g} s"
        if ended.overran:
            return "timeout", f"the call took longer than {limit:g} s, twice"
        what = process.describe_status(ended.status)
        if ended.phase == process.BUILDING:
            return "generator", f"the process {what} while the input was built"
        if ended.phase == process.CALLING:
            return "died", f"the process {what} during the call"
        return "died", f"the process {what} after the call"

    def _describe(self, ended: _Ended, place: int, limit: float) -> InputDescribed:
        unknown = InputDescribed("", ())
        if not ended.recipe:
            return unknown
        self._board.write(process.IDLE, ended.inputs_run, ended.recipe)
        return self.do(DescribeInput(place), limit).described or unknown

    def _confirmed(self, ended: _Ended, place: int, limit: float) -> bool:
        """Run the input once more in a fresh child: a call that ends now was only slow once."""
        self._board.write(process.IDLE, ended.inputs_run, ended.recipe)
        return self.do(ReplayInput(place), limit).overran


def fingerprint(kind: str, info: TargetInfo) -> str:
    """Return the identity of a bug that has no trace: its kind and its target."""
    return hashlib.sha256(f"{kind}\0{info.id}".encode("utf-8", "replace")).hexdigest()[:10]


def _slow_drawing(info: TargetInfo, limit: float) -> Mistake:
    return Mistake(
        Site(info.file, info.line),
        info.qualname,
        f"drawing one input took longer than {limit:g} s",
        "a .where(…) may never hold, or a generator's precondition hang",
        info.qualname,
    )
