"""Programs of our own in processes that are spawned, where no fork is to be had.

A spawned process is a new Python. What it is to run comes to it as a pickle, in a file in memory;
channels, boards and outputs travel as the descriptors they stand on.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping
from functools import cache
from os import posix_spawn  # bound here: code under test may replace it
from pickle import HIGHEST_PROTOCOL, Pickler, Unpickler
from typing import Any, BinaryIO, NoReturn, Protocol

from annotest.process.channel import Channel
from annotest.process.children import run_and_leave, signal_when_parent_ends
from annotest.process.memory import SharedFile, file_in_memory
from annotest.process.output import flush
from annotest.process.own import os
from annotest.process.wire import Wire
from annotest.records import record

# what a spawned Python is told to do; the guard knows our own processes by it
ENTRY = (
    "import os, sys; os.chdir(sys.argv[4]); sys.path[:] = sys.argv[5:]; "
    "from annotest.process.spawning import main; main()"
)
_CARRIED = (Channel, SharedFile, Wire)


class Program(Protocol):
    """Something to be run in a process of its own."""

    def run(self) -> None:
        """Do everything; an exception that this lets through is our own fault."""

    def failed(self, text: str) -> None:
        """Tell of such an exception."""


@record
class Ground:
    """What a spawned process begins with, as a forked one begins with what there is."""

    folder: str
    path: tuple[str, ...]
    environment: dict[str, str]

    @classmethod
    def here(cls) -> Ground:
        """Return what this process has now."""
        return cls(os.getcwd(), tuple(sys.path), dict(os.environ))


def spawn(program: Program, parent_death: int, ground: Ground) -> int:
    """Run a program in a new Python of its own group; return the process id of that.

    It gets the signal `parent_death` when this process ends, however it ends.
    """
    flush()
    with file_in_memory() as file:
        passed = [file.fileno(), *write_program(program, file)]
        numbers = map(str, (file.fileno(), os.getpid(), int(parent_death)))
        command = [*_python(), "-c", ENTRY, *numbers, ground.folder, *ground.path]
        return posix_spawn(
            sys.executable,
            command,
            _one_hash_seed(ground.environment),
            file_actions=[(os.POSIX_SPAWN_DUP2, number, number) for number in passed],
            setpgroup=0,
        )


def _python() -> list[str]:
    """Return the command of a Python with the options of this one."""
    from subprocess import _args_from_interpreter_flags  # type: ignore[attr-defined]

    return [sys.executable, *_args_from_interpreter_flags()]


def _one_hash_seed(environment: dict[str, str]) -> dict[str, str]:
    """Let all processes of a run have sets in one order, as forked ones do."""
    if environment.get("PYTHONHASHSEED", "random") != "random":
        return environment
    return {**environment, "PYTHONHASHSEED": str(_hash_seed())}


@cache
def _hash_seed() -> int:
    return random.SystemRandom().getrandbits(32)


def main() -> NoReturn:
    """Run what the process that spawned this one has sent."""
    number, parent, parent_death = map(int, sys.argv[1:4])
    signal_when_parent_ends(parent, parent_death)
    with open(number, "rb") as file:
        program = read_program(file)
    run_and_leave(program.run, program.failed)


def write_program(program: Program, file: BinaryIO) -> list[int]:
    """Write a program to a file; return the descriptors that must be passed on with it."""
    pickler = _ProgramPickler(file, HIGHEST_PROTOCOL)
    pickler.dump(program)
    file.seek(0)
    return pickler.descriptors


def read_program(file: BinaryIO, descriptors: Mapping[int, int] | None = None) -> Program:
    """Return the program in a file; `descriptors` are the numbers here, where they are others."""
    program: Program = _ProgramUnpickler(file, descriptors).load()
    return program


class _ProgramPickler(Pickler):
    def __init__(self, file: BinaryIO, protocol: int) -> None:
        super().__init__(file, protocol)
        self.descriptors: list[int] = []

    def persistent_id(self, value: Any) -> tuple[type, tuple[int, ...]] | None:
        if not isinstance(value, _CARRIED):
            return None
        descriptors = value.descriptors()
        self.descriptors += descriptors
        return type(value), descriptors


class _ProgramUnpickler(Unpickler):
    def __init__(self, file: BinaryIO, descriptors: Mapping[int, int] | None) -> None:
        super().__init__(file)
        self._numbers = descriptors

    def persistent_load(self, carried: Any) -> Any:
        kind, descriptors = carried
        if self._numbers is not None:
            descriptors = [self._numbers[number] for number in descriptors]
        for number in descriptors:
            os.set_inheritable(number, False)  # what the code under test starts is not to have it
        return kind.passed(*descriptors)
