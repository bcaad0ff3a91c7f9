"""The warm process of the tests says and does what `python -m annotest` does."""

import os
import re
import subprocess
import sys

import pytest
import warm
from patience import LONGEST

CODE = """\
import os, sys
from annotest import *


@arg(n=ints(0, 99))
def shows(n):
    modules = [name for name in ("numpy", "warm", "conftest") if name in sys.modules]
    raise ValueError(os.environ.get("SHOWN"), os.getcwd() == os.path.dirname(__file__), modules)
"""
SECONDS = re.compile(r"\b[\d.]+ s\b")


@pytest.mark.parametrize(
    "words", ["list m.py", "run m.py --seed 1", "explain shows", "run nowhere.py", "--version"]
)
def test_a_command_says_the_same_as_in_a_process_of_its_own(project, words):
    how = {"cwd": project(m=CODE), "env": {**os.environ, "SHOWN": "here"}, "timeout": 120}
    command = [sys.executable, "-m", "annotest", *words.split()]
    cold = subprocess.run(command, capture_output=True, text=True, **how)
    done = warm.run(words.split(), **how)
    assert done.returncode == cold.returncode
    assert SECONDS.sub("", done.stdout) == SECONDS.sub("", cold.stdout)
    assert SECONDS.sub("", done.stderr) == SECONDS.sub("", cold.stderr)


def test_a_command_that_takes_too_long_is_killed_and_the_next_one_runs(project):
    folder, env = project(m="import annotest, time\ntime.sleep(600)\n"), dict(os.environ)
    with pytest.raises(subprocess.TimeoutExpired):
        warm.run(["run", "m.py"], cwd=folder, env=env, timeout=3)
    done = warm.run(["--version"], cwd=folder, env=env, timeout=LONGEST)
    assert done.stdout.startswith("annotest, version ")


def test_what_an_interpreter_reads_when_it_starts_needs_a_process_of_its_own():
    assert warm.can_run({**os.environ, "COLUMNS": "80", "ANNOTEST_DATABASE": "x"})
    assert not warm.can_run({**os.environ, "PYTHONPATH": "elsewhere"})
    assert not warm.can_run({**os.environ, "PYTHONHASHSEED": "7"})
