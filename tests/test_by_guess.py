"""Calls of what nobody annotated: the limits they reach, and what is said of their failures."""

import pytest
from conftest import run_json
from folders import HEAD, write

from annotest.facts import TargetInfo

TARGET = "@arg(n=ints(1, 3))\ndef f(n):\n    return n\n"
GUESSED = "nobody annotated it; called with its defaults"
LEAVE_OUT = f"{GUESSED}: annotate it, or leave it out with @exclude"

HANGS = {
    "function": ("def train(epochs=10**9):\n    while epochs: pass\n", "train", "the call"),
    "constructor": (
        "class Net:\n    def __init__(self):\n        while True: pass\n",
        "Net.__init__",
        "the call",
    ),
    "method": (
        "class Net:\n    @arg(n=ints(1, 9999))\n    def __init__(self, n): pass\n"
        "    def train(self):\n        while True: pass\n",
        "Net.train",
        "the call",
    ),
}


@pytest.mark.parametrize("name", HANGS)
def test_a_limit_that_a_call_by_guess_reaches_is_a_note_after_one_call(tmp_path, name):
    text, qualname, what = HANGS[name]
    folder = write(tmp_path / "p", {"x.py": HEAD + TARGET + text})
    limits = ("--timeout", "0.5", "--workers", "1")
    done = run_json(".", *limits, cwd=folder, tmp_path=tmp_path)
    (aside,) = done.report["asides"]
    assert aside["target"]["qualname"] == qualname
    assert aside["remarks"] == [f"{what} took longer than 0.5 s", LEAVE_OUT]
    assert (aside["verdict"], aside["kind"]) == ("note", "timeout")
    target = done.target(qualname)
    assert (target["status"], target["inputs_run"]) == ("noted", 1)
    assert target["unfinished"] is None
    assert (done.report["findings"], done.status) == ([], 0)


@pytest.mark.exhaustive
def test_ten_seconds_are_enough_to_call_and_to_build_by_guess(tmp_path):
    text = HEAD + TARGET + "class Net:\n    def __init__(self):\n        while True: pass\n"
    text += "    def size(self): return 3\n"
    done = run_json(
        ".", "--workers", "2", cwd=write(tmp_path / "p", {"x.py": text}), tmp_path=tmp_path
    )
    assert [each["remarks"] for each in done.report["asides"]] == [
        ["the call took longer than 10 s", LEAVE_OUT],
        ["building the input took longer than 10 s", LEAVE_OUT],
    ]
    assert (done.report["findings"], done.status) == ([], 0)


def test_printing_too_much_by_guess_is_a_note(tmp_path):
    text = HEAD + TARGET + "def chat():\n    while True: print('x' * 10_000)\n"
    folder = write(tmp_path / "p", {"x.py": text})
    done = run_json(".", "--max-output", "1MB", cwd=folder, tmp_path=tmp_path)
    assert [each["remarks"] for each in done.report["asides"]] == [
        ["the call printed more than 1 MB", LEAVE_OUT]
    ]
    assert (done.report["findings"], done.status) == ([], 0)


def test_a_death_by_guess_is_a_finding_that_says_so(tmp_path):
    text = HEAD + TARGET + "import os\ndef leave():\n    os._exit(4)\n"
    done = run_json(".", cwd=write(tmp_path / "p", {"x.py": text}), tmp_path=tmp_path)
    assert [each["remarks"] for each in done.report["findings"]] == [[GUESSED]]
    assert (done.report["asides"], done.status) == ([], 1)


LIMITS = [
    (TargetInfo("m", "f", "function", "m.py", 1), 60, 60),
    (TargetInfo("m", "f", "function", "m.py", 1, annotated=False), 60, 10),
    (TargetInfo("m", "f", "function", "m.py", 1, annotated=False), 3, 3),
    (TargetInfo("m", "f", "function", "m.py", 1, timeout=30), 60, 30),
]


@pytest.mark.parametrize(("info", "usual", "seconds"), LIMITS)
def test_a_call_by_guess_may_take_ten_seconds(info, usual, seconds):
    assert info.call_limit(usual) == seconds


def test_type_hints_are_named_where_they_gave_the_inputs(tmp_path):
    text = HEAD + TARGET + "def flip(flag: bool):\n    assert flag\n"
    done = run_json(".", cwd=write(tmp_path / "p", {"x.py": text}), tmp_path=tmp_path)
    assert [each["remarks"] for each in done.report["findings"]] == [
        ["nobody annotated it; called with what its type hints allow"]
    ]
