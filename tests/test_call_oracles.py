"""Oracles of calls: what they find in wrong programs, and nothing in right ones."""

import re
from pathlib import Path

import pytest
from conftest import annotest, run_json
from in_process import failures_found

torch = pytest.importorskip("torch", reason="torch is not installed")

from call_oracles import RIGHT, WRONG  # noqa: E402  (they need torch)

pytestmark = pytest.mark.usefixtures("one_thread")

HERE = str(Path(__file__).parent)
exhaustive = pytest.mark.exhaustive
SEEDS = [1, *(pytest.param(seed, marks=exhaustive) for seed in range(2, 21))]
INPUTS = [60, *(pytest.param(inputs, marks=exhaustive) for inputs in (200, 1000))]


@pytest.fixture(scope="module")
def one_thread():
    """Have torch compute in one thread: others wait for processors that all tests share."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


# what the roundings of a batch may come to, is another matter on another machine
TOLERANCE = re.compile(r"(alone) \(more than [\d.e-]+ apart\)")


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


@pytest.mark.parametrize("inputs", INPUTS)
@pytest.mark.parametrize("name", RIGHT)
def test_a_right_program_passes(name, inputs):
    assert met([name], 1, inputs) == {name: set()}


def told(finding):
    message = TOLERANCE.sub(r"\1 (more than TOLERANCE apart)", finding["message"])
    return finding["oracle"], finding["call"].splitlines()[-1], message


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


AGAIN = "when called again"
ONCE_MORE = "when called once more in eval mode, with other random numbers"
LOADED = "from an instance made with other random numbers that has loaded its state"
FOUND = [
    ("deterministic", "counts(n=7)", f"result[1] was 18 and is 19 {AGAIN}"),
    ("deterministic", "raises(n=7)", f"it returned, and raises ValueError {AGAIN}: odd"),
    (
        "pure",
        "changes(x=torch.tensor([[2.0]]), sizes=[])",
        "x[0, 0] was 2.0 and is 1.0 after the call",
    ),
    (
        "pure",
        "changes(x=torch.zeros(1, 1), sizes=[0])",
        "sizes[1] was not there and is after the call",
    ),
    (
        "differentiable",
        "root(x=torch.zeros(1, 1).requires_grad_())",
        "the gradient of x[0, 0] is inf",
    ),
    (
        "differentiable",
        "half(x=torch.zeros(1, 1).requires_grad_(), y=torch.zeros(1).requires_grad_())",
        "no gradient reaches y",
    ),
    (
        "differentiable",
        "none(x=torch.zeros(1, 1).requires_grad_())",
        "the result does not require a gradient, and x requires one",
    ),
    (
        "batch_independent",
        "mixes(x=torch.tensor([[0.0], [1.0]]))",
        "result['sum'][0, 0] was 1.0 and is 0.0 when the first 1 of 2 along axis 0 are alone"
        " (more than TOLERANCE apart)",
    ),
    (
        "batch_independent",
        "flows(x=torch.tensor([[1.0, 0.0]]))",
        "result[0, 1] was 1.0 and is 0.0 when the last 1 of 2 along axis 1 are alone"
        " (more than TOLERANCE apart)",
    ),
    (
        "eval_is_stable",
        "Draws().eval()(x=torch.zeros(1, 1, dtype=torch.float16))",
        f"result[0, 0] was 0.0 and is 1.0 {ONCE_MORE} (more than 0.016 apart)",
    ),
    (
        "round_trips",
        "Hides()(x=torch.zeros(1))",
        f"result[0] was 0.0 and is 1.0 {LOADED} (more than 1.9e-06 apart)",
    ),
    (
        "round_trips",
        "Keeps()(x=torch.zeros(1))",
        "pickling raises AttributeError: Can't pickle local object"
        " 'Keeps.__init__.<locals>.<lambda>'",
    ),
]


ALL = sorted({oracle for oracle, *_ in FOUND})


@pytest.mark.slow
@pytest.mark.parametrize("oracles", [["round_trips"], pytest.param(ALL, marks=exhaustive)])
def test_what_is_found_is_shrunk_told_and_replayed(tmp_path, oracles):
    (tmp_path / "net.py").write_text(NET)
    done = run_json("net.py", "--seed", 5, cwd=tmp_path, tmp_path=tmp_path)
    assert [told(finding) for finding in done.report["findings"]] == FOUND
    assert not any(finding["flaky"] for finding in done.report["findings"])
    last = {f["oracle"]: (f["id"], f["message"]) for f in done.report["findings"]}
    for id, message in map(last.__getitem__, oracles):
        replayed = annotest("replay", id, "--database", tmp_path / "kept", cwd=tmp_path).stdout
        assert replayed.startswith(f"STILL FAILING finding {id}")
        assert message in replayed


# what is written wrongly, and what is said of it
MISTAKES = {
    """@ensure("deterministic(result)")""": (
        "deterministic judges a call, and no value",
        "write @ensure(deterministic), not as text",
    ),
    """@ensure("pure")""": (
        "pure judges a call, and no value",
        "write @ensure(pure), not as text",
    ),
    "@ensure(batch_independent(3))": (
        "no argument of f is an array with an axis 3: there is no batch",
        "leave it out, or name the axis of the batch",
    ),
    "@ensure(differentiable)": (
        "no argument of f requires a gradient",
        "write tensors(…, requires_grad=True)",
    ),
    "@ensure(round_trips)": (
        "f is called on no instance that could be saved",
        "put it on a method, or on the class",
    ),
    "@ensure(eval_is_stable)": (
        "f is called on no instance that could be in eval mode",
        "put it on a method, or on the class",
    ),
    '@ensure(batch_independent("b"))': (
        "batch_independent() expects the number of an axis, got 'b'",
        "write batch_independent(0)",
    ),
    '@ensure(sound_module(except_=("batch_independant",)))': (
        "sound_module has no part 'batch_independant'. Did you mean 'batch_independent'?",
        "its parts are: finite, deterministic, pure, differentiable, same_dtype, eval_is_stable, "
        "batch_independent, round_trips",
    ),
}


WRONGLY = """
from annotest import *

NOTE
@arg(x=np_arrays("float32", "b d"), n=ints(0, 9))
def f(x, n): pass
"""
OF_OTHERS = """
from annotest import *

@ensure(batch_independent)
@arg(n=ints(0, 9))
def no_array(n): pass

class Plain:
    @ensure(eval_is_stable)
    def f(self): pass
"""


def test_what_is_written_wrongly_is_told(tmp_path):
    for number, note in enumerate(MISTAKES):
        (tmp_path / f"net{number}.py").write_text(WRONGLY.replace("NOTE", note))
    (tmp_path / "others.py").write_text(OF_OTHERS)
    done = run_json(".", cwd=tmp_path, tmp_path=tmp_path)
    others = [
        (
            "no argument of no_array is an array: there is no batch",
            "leave it out, or name the axis of the batch",
        ),
        ("Plain has no modes: it is no module of a framework", "leave it out"),
    ]
    mistakes = [(each["reason"], each["remedy"]) for each in done.report["mistakes"]]
    assert sorted(mistakes) == sorted([*MISTAKES.values(), *others])


def test_explain_says_what_sound_module_asks(tmp_path):
    text = """
from torch import nn
from annotest import *

@ensure(sound_module(except_="pure"))
class Net(nn.Module):
    @arg(x=tensors("b d"))
    def forward(self, x): return x
    @arg(x=tensors("b d"))
    def encode(self, x): return x

@arg(x=tensors("b d"))
@ensure(sound_module)
def f(x): return x
"""
    (tmp_path / "net.py").write_text(text)
    shown = annotest("explain", "net.py", cwd=tmp_path).stdout
    ours, of_any = "@ensure(sound_module(except_='pure')): ", "finite, deterministic"
    of_modules = "differentiable, same_dtype, eval_is_stable, batch_independent, round_trips"
    assert re.findall(r"@ensure\(sound_module.*", shown) == [
        f"{ours}{of_any}, {of_modules}",
        f"{ours}{of_any}",
        f"@ensure(sound_module): {of_any}, pure, differentiable",
    ]
