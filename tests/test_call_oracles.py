"""Oracles of calls: what they find in wrong programs, and nothing in right ones."""

from pathlib import Path

import pytest
from conftest import run_json
from in_process import failures_found

torch = pytest.importorskip("torch")

from call_oracles import RIGHT, WRONG  # noqa: E402  (they need torch)

pytestmark = pytest.mark.usefixtures("one_thread")

HERE = str(Path(__file__).parent)
SEEDS = [1, 2, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(3, 21))]


@pytest.fixture(scope="module")
def one_thread():
    """Have torch compute in one thread: others wait for processors that all tests share."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def met(names, seed, inputs):
    """Return what is found in each program, as the oracle and what it says."""
    found = failures_found("call_oracles", HERE, names, seed, inputs)
    return {
        name: {(failure.oracle, failure.message) for failure in failures}
        for name, failures in found.items()
    }


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_program_is_found(name, seed):
    assert {oracle for oracle, _ in met([name], seed, 200)[name]} == {WRONG[name]}


@pytest.mark.parametrize("inputs", [200, pytest.param(1000, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("name", RIGHT)
def test_a_right_program_passes(name, inputs):
    assert met([name], 1, inputs) == {name: set()}


def test_sound_module_asks_all_its_parts():
    found = met(["Unsound.forward"], 1, 200)["Unsound.forward"]
    assert {oracle for oracle, _ in found} == {
        "deterministic",
        "pure",
        "differentiable",
        "eval_is_stable",
        "round_trips",
    }


# a program with one mistake for each oracle: the smallest call, and what is said of it
NET = """
import itertools
import torch
import torch.nn.functional as F
from torch import nn
from annotest import *

calls = itertools.count(1)

@arg(n=ints(0, 100))
@ensure(deterministic)
def counts(n):
    return [n, n + (next(calls) if n > 6 else 0.5)]

@arg(n=ints(0, 100))
@ensure(deterministic)
def raises(n):
    if n > 6 and next(calls) % 2 == 0:
        raise ValueError("odd")
    return n

@arg(x=tensors("b d"), sizes=lists(ints(0, 9), max_len=4))
@ensure(pure)
def changes(x, sizes):
    x.clamp_(max=1)
    sizes.extend([1] * len(sizes))

@arg(x=tensors("b d", requires_grad=True, min=0, max=4))
@ensure(differentiable)
def root(x):
    return x.sqrt()

@arg(x=tensors("b d", requires_grad=True), y=tensors("d", requires_grad=True))
@ensure(differentiable)
def half(x, y):
    return x * y.detach()

@arg(x=tensors("b d", requires_grad=True))
@ensure(differentiable)
def none(x):
    return x.detach()

@arg(x=tensors("b d"))
@ensure(batch_independent)
def mixes(x):
    return {"sum": x.sum(0) + x}

@arg(x=tensors("t b"))
@ensure(batch_independent(1))
def flows(x):
    return x.cumsum(1)

class Draws(nn.Module):
    @arg(x=tensors("b d", dtype="float16"))
    @ensure(eval_is_stable)
    def forward(self, x):
        return x + torch.rand(()).round()

class Hides(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.rand(()).round()

    @arg(x=tensors("b"))
    @ensure(round_trips)
    def forward(self, x):
        return x + self.scale

class Keeps(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = lambda x: x.relu()

    @arg(x=tensors("b"))
    @ensure(round_trips)
    def forward(self, x):
        return self.act(x)
"""


def test_what_is_found_is_shrunk_told_and_replayed(tmp_path):
    (tmp_path / "net.py").write_text(NET)
    done = run_json("net.py", "--seed", 5, cwd=tmp_path, tmp_path=tmp_path)
    print(
        [
            (f["oracle"] if "oracle" in f else f["kind"], f["call"].splitlines()[-1], f["message"])
            for f in done.report["findings"]
        ]
    )
    assert 0
