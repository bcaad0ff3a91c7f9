"""What is shown while a run is under way: on a real terminal, elsewhere, and in CI."""

import re

from conftest import annotest
from terminal import on_a_terminal

SLOW = """
import time
from annotest import *


@arg(n=ints(0, 9))
def broken(n):
    raise ValueError


@arg(n=ints(0, 9))
def slow(n):
    time.sleep(0.4)
"""


def test_a_terminal_shows_what_each_worker_is_on_and_for_how_long(project):
    folder = project(m=SLOW)
    shown, status = on_a_terminal(folder, "run", "m.py", "--workers", "2", "--seed", "1")
    assert status == 1
    screens = shown.split("\x1b[J")
    assert any("1 of 2 targets done" in one and "1 finding" in one for one in screens)
    assert any(": m:slow for " in one for one in screens)
    assert any("inputs, " in one and " a second" in one for one in screens)
    # in the end nothing of it is left
    assert "targets done" not in screens[-1]
    assert "ValueError" in screens[-1]


def test_elsewhere_there_are_plain_lines(project):
    done = annotest("run", "m.py", "-k", "broken", cwd=project(m=SLOW))
    assert done.stderr == "m.py: 2 targets\n"
    assert "\x1b" not in done.stdout + done.stderr


def test_verbose_says_how_modules_are_tested_and_what_is_found_at_once(project):
    done = annotest("run", "m.py", "-k", "broken", "-v", cwd=project(m=SLOW))
    assert done.stderr == (
        "m.py: each target in a fork of the imported module: importing it left no threads "
        "running\n"
        "m.py: 2 targets\n"
        "found in m:broken: ValueError\n"
    )
    forced = annotest(
        "run", "m.py", "-k", "broken", "-v", "--processes", "fresh", cwd=project(m=SLOW)
    )
    assert "m.py: each target in a fresh process: asked for with --processes fresh\n" in (
        forced.stderr
    )


def test_ci_is_quiet(project):
    done = annotest("run", "m.py", "-k", "broken", cwd=project(m=SLOW), env={"CI": "true"})
    assert done.stderr == ""
    assert "ValueError" in done.stdout


def test_what_a_failing_call_printed_is_shown_with_it_and_nothing_else(project):
    text = (
        "from annotest import *\n"
        "@arg(n=ints(0, 9))\n"
        "def f(n):\n"
        "    print('called with', n, flush=True)\n"
        "    assert n != 4\n"
    )
    done = annotest("run", "m.py", cwd=project(m=text))
    assert "  it printed last:\n    called with 4\n" in done.stdout
    assert "called with 3" not in done.stdout + done.stderr


DIES = """
import os, time
from annotest import *


@exclude
def fits(n):
    if n > 10**9:
        os._exit(3)
    return True


@arg(n=ints(0, 2**30))
@require(fits)
def f(n):
    time.sleep(0.002)
"""


def test_the_count_of_inputs_never_goes_back(project):
    words = ("run", "m.py", "--workers", "1", "--seed", "3", "--max-examples", "120")
    shown, _ = on_a_terminal(project(m=DIES), *words)
    counts = [int(one) for one in re.findall(r"(\d+) inputs, ", shown)]
    assert len(counts) > 5
    assert counts == sorted(counts)


FAILS = "from annotest import *\nraise ValueError\n"
GOOD = """
import time
from annotest import *

time.sleep(0.5)


@arg(n=ints(0, 3))
def f(n):
    time.sleep(0.1)
"""
MORE = "from good import *\n" + GOOD.replace("f(n)", "g(n)")


def test_no_more_targets_are_done_than_there_are(project):
    folder = project(bad=FAILS, good=GOOD, more=MORE)
    shown, _ = on_a_terminal(folder, "run", ".", "--workers", "1", "--seed", "1")
    counts = re.findall(r"(\d+) of (\d+) targets? done", shown)
    assert counts[0] == ("1", "1")  # the module that cannot be imported
    assert all(int(done) <= int(targets) for done, targets in counts)
    # `more` leads to `f` too, which is one target
    assert max(int(targets) for _, targets in counts) == 3
    assert "no target yet · 0 inputs" in shown
