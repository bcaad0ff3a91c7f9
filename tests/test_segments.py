"""Shared memory that the code under test makes, and leaves behind."""

import os
from multiprocessing import shared_memory

import pytest
from conftest import run_json

CODE = """
import os
from multiprocessing import shared_memory
from annotest import *

other = shared_memory.SharedMemory("{mark}other")
at_import = shared_memory.SharedMemory("{mark}import", create=True, size=10)


@arg(n=ints(0, 3))
def left(n):
    shared_memory.SharedMemory("{mark}import").close()
    shared_memory.SharedMemory(f"{mark}left{{n}}", create=True, size=10).close()


@arg(n=ints(0, 3))
def dies(n):
    shared_memory.SharedMemory(f"{mark}dies{{n}}", create=True, size=10)
    os.abort()
"""


@pytest.fixture
def mark():
    """The beginning of names that only this test gives."""
    mark = f"annotest{os.getpid()}-"
    yield mark
    for name in made(mark):
        os.unlink(f"/dev/shm/{name}")


def made(mark):
    return [name for name in os.listdir("/dev/shm") if name.startswith(mark)]


def test_shared_memory_is_removed_when_the_process_that_made_it_ends(project, tmp_path, mark):
    other = shared_memory.SharedMemory(f"{mark}other", create=True, size=10)
    try:
        options = ("--seed", 1, "--max-examples", 3, "--workers", 1)
        done = run_json("m.py", *options, cwd=project(m=CODE.format(mark=mark)), tmp_path=tmp_path)
        assert done.target("left")["status"] == "passed"
        assert done.target("dies")["status"] == "failed"
        assert made(mark) == [f"{mark}other"]  # which is not theirs
    finally:
        other.close()
        other.unlink()
