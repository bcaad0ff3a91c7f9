"""What a call does to its parent, or in processes that it starts, is found, and shrunk."""

import pytest
from conftest import annotest, run_json

KILLS = """
import os, signal
from annotest import *


@arg(n=ints(0, 50))
def kills(n):
    if n > 40:
        os._exit(3)
    if n > 7:
        os.kill(os.getppid(), signal.SIGKILL)


@arg(n=ints(0, 50))
def other(n):
    if n > 3:
        raise ValueError
"""


@pytest.mark.parametrize("processes", ["fork", "fresh"])
def test_a_call_that_kills_its_parent(project, tmp_path, processes):
    options = ("--processes", processes, "--seed", 1, "--max-examples", 60)
    folder = project(m=KILLS)
    done = run_json("m.py", *options, cwd=folder, tmp_path=tmp_path)
    found = {finding["message"] or "raised": finding for finding in done.report["findings"]}
    assert {key: one["inputs"]["n"] for key, one in found.items()} == {
        "the process exited with status 3 during the call": "41",
        "the process was killed by signal SIGKILL during the call": "8",
        "raised": "4",
    }
    assert not any(one["flaky"] for one in found.values())
    killing = found["the process was killed by signal SIGKILL during the call"]
    database = {"ANNOTEST_DATABASE": str(tmp_path / "kept")}
    again = annotest("replay", killing["id"], cwd=folder, env=database)
    assert again.stdout.startswith("STILL FAILING")


SWELLS = """
import os, time
from annotest import *


@arg(n=ints(0, 20))
def swells(n):
    if n > 15 and os.fork() == 0:
        if os.fork():
            os._exit(0)
        os.setsid()
        held = b"x" * (600 << 20)
        time.sleep(20)
        os._exit(0)
    if n > 15:
        time.sleep(3)
"""


@pytest.mark.slow
def test_the_memory_of_processes_that_a_call_starts_is_its_own(project, tmp_path):
    folder = project(m=SWELLS)
    options = ("--max-memory", "400MB", "--seed", 1)
    done = run_json("m.py", *options, cwd=folder, tmp_path=tmp_path)
    (found,) = done.report["findings"]
    assert (found["kind"], found["inputs"], found["flaky"]) == ("memory", {"n": "16"}, False)
    assert not done.target("swells")["unfinished"]
