"""Python without asserts: what they would have shown is not found, which is said at the start."""

import subprocess
import sys

import pytest
from conftest import annotest
from patience import LONGEST

ASSERTS = "from annotest import *\n@arg(n=ints(0, 9))\ndef f(n): assert n < 5\n"
WARNING = (
    "annotest: warning: Python runs without asserts (-O, or PYTHONOPTIMIZE is set), so bugs that "
    "only an assert shows are not found\n"
)
OPTIMIZED = {"PYTHONOPTIMIZE": "1"}


def test_a_run_and_a_replay_say_so_once_and_a_list_need_not(project):
    folder = project(m=ASSERTS)
    assert annotest("run", "m.py", "-q", cwd=folder).stderr == ""
    listed = annotest("replay", cwd=folder, env=OPTIMIZED)
    assert listed.stderr == annotest("list", "m.py", cwd=folder, env=OPTIMIZED).stderr == ""
    run = annotest("run", "m.py", cwd=folder, env=OPTIMIZED)
    assert run.stderr.startswith(WARNING)
    assert run.stderr.count(WARNING) == 1
    replayed = annotest("replay", listed.stdout[:10], cwd=folder, env=OPTIMIZED)
    assert replayed.stderr == WARNING


@pytest.mark.parametrize("flag", ["-O", "-OO"])
def test_a_flag_of_python_counts_as_well(project, flag):
    words = [sys.executable, flag, "-m", "annotest", "run", "m.py", "-q"]
    done = subprocess.run(
        words, cwd=project(m=ASSERTS), capture_output=True, text=True, timeout=LONGEST
    )
    assert (done.returncode, done.stderr) == (0, WARNING)
