"""The limit on output is one for each call, and a call that ends in time is judged too."""

import pytest
from conftest import run_json

PRINTING = """\
import os
from annotest import *

@generator
def made():
    print("x" * 3_000_000)
    return 1

@arg(n=ints(0, 500))
def tiny(n):
    print("x" * 100_000)

@arg(n=ints(0, 500))
def half(n):
    print("x" * 600_000)

@arg(n=ints(0, 500))
def long(n):
    if n > 45: print("x" * 3_000_000)

@arg(n=ints(0, 500))
def raw(n):
    if n > 45: os.write(1, b"x" * 20_000_000)

@arg(n=ints(0, 500))
def raises(n):
    if n > 45:
        print("x" * 3_000_000)
        raise ValueError

@arg(n=objs(made))
def built(n): pass
"""
PRINTED = "the call printed more than 1 MB"
FRESH, SPAWNED = (
    pytest.param(processes, marks=pytest.mark.exhaustive) for processes in ("fresh", "spawn")
)


@pytest.fixture(scope="module", params=["fork", FRESH, SPAWNED])
def done(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("printing")
    (folder / "m.py").write_text(PRINTING)
    options = ("--max-output", "1MB", "--max-examples", 30, "--seed", 1)
    return run_json("m.py", *options, "--processes", request.param, cwd=folder, tmp_path=folder)


@pytest.mark.parametrize("name", ["tiny", "half"])
def test_what_earlier_calls_printed_does_not_count(done, name):
    assert done.findings(name) == []
    assert done.target(name)["inputs_run"] == 30


@pytest.mark.parametrize("name", ["long", "raw", "raises"])
def test_a_call_that_printed_too_much_and_ended_is_found_and_shrunk(done, name):
    (finding,) = done.findings(name)
    assert (finding["kind"], finding["message"]) == ("output", PRINTED)
    assert finding["inputs"] == {"n": "46"}
    assert not finding["flaky"]
    assert done.target(name)["inputs_run"] == 30


def test_building_that_printed_too_much_is_found(done):
    (finding,) = done.findings("built")
    assert done.target("built")["status"] == "blocked"
    assert finding["kind"] == "generator"
    assert finding["message"] == "building the input printed more than 1 MB"


def test_an_import_that_printed_too_much_is_found(project, tmp_path):
    folder = project(m="import time\nprint('x' * 3_000_000)\ntime.sleep(60)\nimport annotest\n")
    done = run_json("m.py", "--max-output", "1MB", cwd=folder, tmp_path=tmp_path)
    (finding,) = done.report["findings"]
    assert finding["kind"] == "output"
    assert finding["message"] == "importing the module printed more than 1 MB"
