"""Random numbers of a call begin with the seed of its input, and the report says so if any are drawn."""

import importlib.util
import os
import subprocess
import sys

import pytest
from conftest import annotest, run_json
from in_process import failures_found

HAS_TORCH = importlib.util.find_spec("torch") is not None
needs_torch = pytest.mark.skipif(not HAS_TORCH, reason="torch is not installed")

DRAWING = """
import random

import numpy as np
from annotest import arg, ints, objs, generator, exclude

SEEN = []


@generator
@exclude
@arg(n=ints(1, 3))
def drawn(n):
    return n, random.random(), np.random.rand()


@arg(n=ints(1, 30), made=objs(drawn))
def python_and_numpy(n, made):
    SEEN.append(((n, made[0]), (made, random.random(), np.random.rand())))


@arg(n=ints(1, 30))
def by_chance(n):
    if random.random() < 0.3:
        raise ValueError


@arg(n=ints(1, 30))
def often(n):
    assert random.random() < 0.1


@arg(n=ints(1, 30))
def of_numpy(n):
    assert np.random.rand() < 0.95


@arg(n=ints(1, 30))
def of_generator(n):
    assert np.random.default_rng(n).random() < 0.5


@arg(n=ints(1, 30))
def not_when_it_fails(n):
    if n < 10:
        random.random()
    assert n < 10
"""
OF_TORCH = """
import torch
from torch import nn
from annotest import arg, ints, tensors

SEEN = []


@arg(n=ints(1, 30))
def numbers(n):
    SEEN.append((n, torch.rand(1).item()))


class Net(nn.Module):
    @arg(n=ints(1, 6))
    def __init__(self, n):
        super().__init__()
        self.n = n
        self.linear = nn.Linear(n, n)

    @arg(x=tensors("b"))
    def forward(self, x):
        assert self.linear.weight.sum() < 0.5


class Dropped(nn.Module):
    @arg(x=tensors("b", min=1, max=1))
    def forward(self, x):
        assert nn.functional.dropout(x).sum() > 0
"""
LINES = {
    "by_chance": [
        "import random",
        "from drawing import by_chance",
        "random.seed(…)",
        "by_chance(n=1)",
    ],
    "often": ["import random", "from drawing import often", "random.seed(0)", "often(n=1)"],
    "of_numpy": [
        "import numpy as np",
        "from drawing import of_numpy",
        "np.random.seed(…)",
        "of_numpy(n=1)",
    ],
    "of_generator": ["from drawing import of_generator", "of_generator(n=1)"],
    "not_when_it_fails": ["from drawing import not_when_it_fails", "not_when_it_fails(n=10)"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("randomness")
    (folder / "drawing.py").write_text(DRAWING)
    (folder / "torch_drawing.py").write_text(OF_TORCH)
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))
    for name in ("drawing", "torch_drawing"):
        sys.modules.pop(name, None)


def numbers_seen(name, function, folder, seed):
    """Return which numbers were drawn for which input of a search."""
    failures_found(name, str(folder), (function,), seed, 60)
    seen = dict(sys.modules[name].SEEN)
    sys.modules[name].SEEN.clear()
    return seen


PROGRAMS = [
    ("drawing", "python_and_numpy"),
    pytest.param("torch_drawing", "numbers", marks=needs_torch),
]


@pytest.mark.parametrize(("name", "function"), PROGRAMS)
def test_the_same_input_is_the_same_call_in_every_search(name, function, folder):
    first, second = (numbers_seen(name, function, folder, seed) for seed in (1, 2))
    both = first.keys() & second.keys()
    assert len(both) > 10
    assert all(first[each] == second[each] for each in both)


@pytest.mark.parametrize(("name", "function"), PROGRAMS)
def test_other_inputs_have_other_random_numbers(name, function, folder):
    seen = numbers_seen(name, function, folder, 1)
    assert len(set(seen.values())) == len(seen)


def run(folder, name, kept):
    return run_json(f"{name}.py", "--seed", "1", "--max-examples", "60", cwd=folder, tmp_path=kept)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    return tmp_path_factory.mktemp("kept")


@pytest.fixture(scope="module")
def findings(folder, kept):
    done = run(folder, "drawing", kept)
    return {found["target"]["qualname"]: found for found in done.report["findings"]}


def exception_of(call, folder):
    """Return the last line of what a pasted call says in a process of its own."""
    done = subprocess.run([sys.executable, "-c", call], cwd=folder, capture_output=True, text=True)
    return done.stderr.splitlines()[-1].partition(":")[0]


@pytest.mark.parametrize("qualname", LINES)
def test_the_call_says_the_seed_of_what_it_draws_and_of_nothing_else(findings, qualname):
    said = findings[qualname]["call"].splitlines()
    wanted = LINES[qualname]
    assert len(said) == len(wanted), said
    for line, pattern in zip(said, wanted, strict=True):
        assert line == pattern or (line.startswith(pattern.partition("…")[0]) and "…" in pattern)
    assert "random" not in str(findings[qualname]["inputs"])


@pytest.mark.parametrize("qualname", LINES)
def test_the_pasted_call_fails_as_it_did(findings, folder, qualname):
    found = findings[qualname]
    assert exception_of(found["call"], folder) == found["exception"]["type"]


@pytest.mark.parametrize("qualname", LINES)
def test_what_fails_by_chance_fails_again_when_it_is_replayed(findings, folder, kept, qualname):
    found = findings[qualname]
    assert not found["flaky"]
    env = {"ANNOTEST_DATABASE": str(kept / "kept")}
    again = annotest("replay", found["id"], cwd=folder, env=env)
    assert (again.status, found["call"].splitlines()[-1] in again.stdout) == (1, True), again.stdout


def test_in_the_debugger_it_fails_as_it_did(findings, folder, kept):
    env = {**os.environ, "ANNOTEST_DATABASE": str(kept / "kept")}
    command = [sys.executable, "-m", "annotest", "replay", "--debug", findings["by_chance"]["id"]]
    done = subprocess.run(command, cwd=folder, env=env, input="q\n", capture_output=True, text=True)
    assert "\nValueError: \n" in done.stdout, done.stdout + done.stderr


@needs_torch
def test_parameters_and_dropout_begin_with_the_seed_too(folder, tmp_path):
    found = run(folder, "torch_drawing", tmp_path).report["findings"]
    calls = {each["target"]["qualname"]: each["call"] for each in found}
    assert calls.keys() == {"Net.forward", "Dropped.forward"}
    for call in calls.values():
        assert "\ntorch.manual_seed(" in call
        with pytest.raises(AssertionError):
            exec(call, {})
    assert "torch.manual_seed(0)\nDropped()(x=torch.ones(1))" in calls["Dropped.forward"]
