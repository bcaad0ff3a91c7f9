"""A base: a process that imports what modules share, and has their workers forked from it."""

from __future__ import annotations

import sys
import warnings
from dataclasses import dataclass

from annotest import guard, process
from annotest.engine.scratch import use_scratch
from annotest.engine.worker.environment import thread_count
from annotest.engine.worker.worker import Worker, WorkerOptions
from annotest.process.own import gc, os
from annotest.records import record


@record
class Prepared:
    """A base has imported what it should: so many modules were new, so many threads run now."""

    modules: int
    threads: int


@record
class Unprepared:
    """A base could not import what it should."""

    reason: str


@record
class Started:
    """A base has started a process, which is a child of the base's parent."""

    pid: int


@dataclass
class Base:
    """The base's own side: it imports, computes nothing, and starts the programs handed to it."""

    imports: tuple[str, ...]
    options: WorkerOptions
    programs: process.Wire
    answers: process.Channel
    output: process.Output

    def run(self) -> None:
        """Import, then start programs until there are no more."""
        self.programs.reading_end()
        self.answers.writing_end()
        self.output.take_over()
        process.write_no_core_files()
        process.usual_signals()
        self._guard()
        self.answers.send(self._prepare())
        owner = os.getppid()
        while descriptors := self.programs.receive():
            pid = self._start(descriptors, owner)
            for descriptor in descriptors.values():
                os.close(descriptor)
            self.answers.send(Started(pid))

    def failed(self, text: str) -> None:
        """Tell that annotest itself failed in this process."""
        self.answers.send(Unprepared(text))

    def _guard(self) -> None:
        if self.options.scratch:
            use_scratch(self.options.scratch)
        if self.options.allowed is not None:
            guard.install(self.options.allowed)

    def _prepare(self) -> Prepared | Unprepared:
        sys.argv = [""]
        before = len(sys.modules)
        gc.disable()  # a collection would copy every page shared with the parent
        try:
            for statement in self.imports:
                exec(statement, {"__name__": __name__, "os": os, "warnings": warnings})
        except BaseException as error:  # the modules that need it will tell, each by itself
            return Unprepared(f"{type(error).__name__}: {error}")
        finally:
            gc.enable()
        gc.collect()
        gc.freeze()
        return Prepared(len(sys.modules) - before, thread_count())

    def _start(self, descriptors: dict[int, int], owner: int) -> int:
        """Start a program as a child of the process that adopts ours; return its id.

        Another process starts it and ends. Only when that one has ended for certain is the program
        its new parent's child.
        """
        reading, writing = os.pipe()
        between = os.fork()
        if not between:
            try:
                self.programs.close()
                self.answers.close()
                os.write(writing, str(_begun(descriptors, owner)).encode())
            finally:
                os._exit(0)
        os.close(writing)
        process.reap(between)
        pid = os.read(reading, 20)
        os.close(reading)
        return int(pid or 0)


def _begun(descriptors: dict[int, int], owner: int) -> int:
    """Start the program in the first of the files handed over."""
    with open(next(iter(descriptors.values())), "rb") as file:
        program = process.read_program(file, descriptors)
    if isinstance(program, Worker):
        return program.options.way.start_worker(program, owner)
    return process.fork(program.run, program.failed, adopted_by=owner)
