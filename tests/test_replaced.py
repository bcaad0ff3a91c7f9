"""Modules that replace Python's own functions while they are imported."""

import subprocess
import sys

import pytest
from conftest import annotest, run_json

pytestmark = pytest.mark.slow  # each module has processes of its own

MODULE = """\
import os, random, signal, sys, time
from annotest import *

def broken(*args, **options):
    raise RuntimeError("replaced")

{replacing}

@arg(n=ints(0, 20))
@require("n != 3")
def fails(n):
    assert n < 10
"""

UNAFFECTED = {
    "fork": "os.fork = broken",
    "no_fork": "del os.fork",
    "exits": "os._exit = broken",
    "waits": "os.waitpid = lambda *args: (0, 0)",
    "kills": "os.kill = os.killpg = lambda *args: None",
    "reads": "import select; os.read = os.write = select.select = broken",
    "files": "import builtins; builtins.open = broken",
    "masks": "signal.pthread_sigmask = signal.signal = broken",
    "children": "signal.signal(signal.SIGCHLD, signal.SIG_IGN)",
    "deaf": "for n in (signal.SIGTERM, signal.SIGUSR2): signal.signal(n, signal.SIG_IGN)",
    "frozen": "time.time = time.monotonic = time.perf_counter = lambda: 0.0",
    "asleep": "time.sleep = broken",
    "random_class": "random.Random = None",
    "pickles": "import pickle; pickle.dumps = pickle.loads = broken",
    "collects": "import gc; gc.collect = gc.freeze = broken",
}
TOLD = {
    "clocks": ("time.monotonic = time.perf_counter = broken", "time.monotonic, time.perf_counter"),
    "seeds": ("random.seed = broken", "random.seed"),
    "handles": ("signal.signal(signal.SIGCHLD, broken)", "the handler of SIGCHLD"),
    "syntax": ("import ast; ast.parse = broken", "ast.parse"),
    "paths": ("os.path.exists = os.path.realpath = broken", "os.path.exists, os.path.realpath"),
    "draws": (
        "from hypothesis import strategies; strategies.integers = broken",
        "hypothesis.strategies.integers",
    ),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("replaced")
    told = {name: replacing for name, (replacing, _) in TOLD.items()}
    for name, replacing in (UNAFFECTED | told).items():
        (folder / f"{name}.py").write_text(MODULE.format(replacing=replacing))
    return folder


@pytest.fixture(scope="module")
def run(folder, tmp_path_factory):
    limits = "--max-examples", "20", "--seed", "1"
    return run_json(".", *limits, cwd=folder, tmp_path=tmp_path_factory.mktemp("run"))


@pytest.mark.parametrize("name", UNAFFECTED)
def test_annotest_calls_what_it_knew_before(run, name):
    statuses = {target["module"]: target["status"] for target in run.report["targets"]}
    assert statuses[name] == "failed"
    calls = [found["call"] for found in run.report["findings"] if found["target"]["module"] == name]
    assert calls == [f"from {name} import fails\nfails(n=10)"]


@pytest.mark.parametrize("name", TOLD)
def test_the_module_is_told_what_it_replaced(run, name):
    assert (
        f"mistake {name}.py:1: import: it replaces {TOLD[name][1]}, "
        "and annotest cannot do its work with that: RuntimeError: replaced\n"
        "        replace what the program needs where it runs, not where it is imported\n"
    ) in run.stdout


def test_nothing_is_to_be_reported(run):
    assert run.status == 1
    assert "please report" not in (run.stdout + run.stderr).lower()
    assert {mistake["file"] for mistake in run.report["mistakes"]} == {f"{n}.py" for n in TOLD}


@pytest.mark.parametrize("command", [["list"], ["generate"], ["explain", "fails"]])
def test_other_commands_go_on_too(folder, command):
    done = annotest(*command, ".", cwd=folder)
    assert done.status in (0, 2)
    assert "please report" not in (done.stdout + done.stderr).lower()


def test_what_torch_replaces_is_not_to_blame():
    pytest.importorskip("torch", reason="torch is not installed")
    code = "from annotest.process import own; own.watch_replacing(); import torch, inspect\n"
    code += "assert inspect.getfile.__module__.startswith('torch')\nprint(own.replaced())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr
