"""Ctrl-C while modules are looked at: it is said, and what was done by then is shown and kept."""

import json
import os
import signal
import subprocess
import sys

import pytest
from patience import LONGEST

FIRST = "from annotest import *\n@arg(n=ints(0, 1))\ndef f(n): pass\n"
WAITS = "open('waits').read()\n" + FIRST
SAID = "interrupted; this is what was found so far\n"
LISTED = f"""\
a.py
      2  a:f  function
             n: ints(min=0, max=1)

{SAID}1 target · 0 not testable
"""
EXPLAINED = f"""\
a:f ────────────────────────────────────
a.py:2

chosen in this order
  1. n  ints(min=0, max=1)

tried first: up to 4 inputs with one choice fixed
  n: 0, 1

2 of 2 inputs are valid, for instance
  f(n=0)
  f(n=1)

{SAID}"""
SCREENS = {
    "list a.py b.py": LISTED,
    "list b.py": f"{SAID}0 targets · 0 not testable\n",
    "generate a.py b.py": f"annotest_tests/test_a.py: 1 test\n{SAID}",
    "generate b.py": SAID,
    "explain f a.py b.py": EXPLAINED,
    "explain f b.py": SAID,
}


def interrupted(folder, *words, by=signal.SIGINT):
    """Run annotest, end it while it imports a module that waits, and return how it ended."""
    os.mkfifo(folder / "waits")
    run = subprocess.Popen(
        [sys.executable, "-m", "annotest", *words],
        cwd=folder,
        env={**os.environ, "COLUMNS": "40"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # a shell that starts tests in the background has them ignore SIGINT
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    with open(folder / "waits", "w"):  # when the module has opened it too
        run.send_signal(by)
        stdout, stderr = run.communicate(timeout=LONGEST)
    return run.returncode, stdout, stderr


@pytest.mark.parametrize("command", SCREENS)
def test_an_interrupted_command_says_so_and_shows_what_it_has(project, command):
    folder = project(a=FIRST, b=WAITS)
    assert interrupted(folder, *command.split()) == (130, SCREENS[command], "")
    assert (folder / "annotest_tests" / "test_a.py").exists() == ("_a" in SCREENS[command])


def test_the_json_of_an_interrupted_listing_says_so(project):
    folder = project(a=FIRST, b=WAITS)
    interrupted(folder, "list", "a.py", "b.py", "--json", "list.json", by=signal.SIGTERM)
    record = json.loads((folder / "list.json").read_text())
    assert (record["exit_status"], record["interrupted"]) == (130, True)
    assert [target["qualname"] for target in record["targets"]] == ["f"]
