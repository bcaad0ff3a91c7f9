"""@returns: results outside their constraint, precise return hints, and callables that are called too."""

import importlib.util
import math

import numpy as np
import pytest
from conftest import annotest, generated, run_json
from hypothesis import find
from in_process import failures_found

from annotest import (
    InvalidAnnotation,
    arg,
    bool_lists,
    calls,
    check_call,
    dicts,
    float_lists,
    floats,
    froms,
    int_lists,
    ints,
    lists,
    np_arrays,
    np_shapes,
    require,
    returns,
    sets,
    str_lists,
    strategies,
    strs,
    tuples,
)
from annotest.kinds import Status

needs_torch = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason="torch is not installed"
)
HEAD = """
import enum
from dataclasses import dataclass
from typing import Annotated, Iterator, Literal, NamedTuple
import numpy as np
from annotest import *
"""
WRONG = """
@arg(x=np_arrays("float32", "b n"))
@returns(np_arrays("float32", "n b"))
def transposed(x):
    return x

@arg(x=np_arrays("float32", "b n"))
@returns(np_arrays("float32", "b k k"))
def bound_by_the_result(x):
    return np.zeros((len(x), 70, 70 if len(x) < 3 else 80), "float32")

@arg(x=np_arrays(same("T", of=["float32", "float64"]), "*batch n"))
@returns(np_arrays(same("T"), "*batch 1"))
def shared(x):
    sums = x.sum(axis=-1, keepdims=True)
    return sums[0] if x.ndim == 3 else sums.astype("float32")

@arg(n=ints(0, 20))
@returns(ints(0, multiple_of=2))
def number(n):
    return n * 2 if n != 7 else 3

@arg(x=np_arrays("float32", "n"))
@returns(np_arrays("float32", "n"))
def nan(x):
    return x / x

@arg(x=np_arrays("float32", "n"))
@returns(np_arrays("float32", "n"))
@returns(np_arrays(None, "n", max=9))
def several(x):
    return np.clip(x, 0, 10)

@arg(n=ints(0, 9))
@returns(ints(0, 3))
def items(n):
    yield from range(n)

@arg(n=ints(0, 9))
@returns(ints(0, 3))
async def later(n):
    return n

@arg(x=np_arrays("float32", "n m"))
@returns(np_arrays("float32", "n+m"))
def in_place(x):
    n, m = x.shape
    x.resize((m, n), refcheck=False)
    return np.zeros(m if n == 2 else n + m, "float32")

class Layer:
    @arg(units=ints(1, 5))
    def __init__(self, units):
        self.units = units

    @arg(x=np_arrays("float64", "b"))
    @returns(np_arrays("float64", "b self.units"))
    def own(self, x):
        return np.zeros((len(x), 3))

    @arg(x=np_arrays("float64", "b"))
    @returns(np_arrays("float64", "b init.units"))
    def constructed(self, x):
        self.units = 3
        return np.zeros((len(x), self.units))

    @property
    @returns(ints(0, 3))
    def size(self):
        return self.units
"""
FOUND = [
    (
        "Layer.constructed",
        "Layer(units=1).constructed(x=np.array([0.0], dtype='float64'))",
        "result.shape: expected one of [(1, 1)], got (1, 3) (tuple), where b = 1",
    ),
    (
        "Layer.own",
        "Layer(units=1).own(x=np.array([0.0], dtype='float64'))",
        "result.shape: expected one of [(1, 1)], got (1, 3) (tuple), where b = 1",
    ),
    ("Layer.size", "Layer(units=4).size", "result: expected at most 3, got 4 (int)"),
    (
        "bound_by_the_result",
        "bound_by_the_result(x=np.full((3, 1), 0.0, dtype='float32'))",
        "result.shape[2]: expected k = 70, got 80 (int)",
    ),
    (
        "in_place",
        "in_place(x=np.full((2, 1), 0.0, dtype='float32'))",
        "result.shape: expected one of [(3,)], got (1,) (tuple), where n = 2, m = 1",
    ),
    (
        "items",
        "list(islice(items(n=5), 6))",
        "item 4: result: expected at most 3, got 4 (int)",
    ),
    ("later", "asyncio.run(later(n=4))", "result: expected at most 3, got 4 (int)"),
    (
        "nan",
        "nan(x=np.array([0.0], dtype='float32'))",
        "result[0]: expected a number that is not nan, got nan (float)",
    ),
    ("number", "number(n=7)", "result: expected a multiple of 2, got 3 (int)"),
    (
        "several",
        "several(x=np.array([10.0], dtype='float32'))",
        "result[0]: expected at most 9.0, got 10.0 (float)",
    ),
    (
        "shared",
        "shared(x=np.array([0.0], dtype='float64'))",
        "result.dtype: expected float64, got 'float32' (str), where T = float64",
    ),
    (
        "transposed",
        "transposed(x=np.full((2, 1), 0.0, dtype='float32'))",
        "result.shape: expected one of [(1, 2)], got (2, 1) (tuple), where n = 1, b = 2",
    ),
]


TORCH = """
from typing import Optional
import torch
from torch import Tensor
from jaxtyping import Float
from annotest import *

@arg(x=tensors("b n"), w=tensors("n m", requires_grad=True))
@returns(tensors("b m"))
def linear(x, w):
    return x @ w

@arg(x=tensors("b n"), w=tensors("n m"))
@returns(tensors("b m"))
def linear_wrong(x, w):
    return (x @ w).T

@arg(x=tensors("b n", min=-5, max=5))
@returns(probabilities("b n"))
def softmax(x):
    return x.softmax(-1)

@arg(x=tensors("b n", min=-5, max=5))
@returns(probabilities("b n"))
def softmax_wrong(x):
    return x.softmax(0)

@arg(x=tensors("b c"))
@returns(labels("b", "c"))
def argmax(x):
    return x.argmax(-1)

@arg(x=tensors("b c"))
@returns(labels("b", "c"))
def argmax_wrong(x):
    return x.argmax(-1) + 1

def hinted(x: Float[Tensor, "b n"]) -> Float[Tensor, "b"]:
    return x.double().sum(-1)

def hinted_wrong(x: Float[Tensor, "b n"]) -> Float[Tensor, "b"]:
    return x.sum(0)

def masked(x: Float[Tensor, "b n"]) -> Optional[Float[Tensor, "b n"]]:
    return x.masked_fill(x > 0, float("-inf"))

class Net(torch.nn.Module):
    @arg(units=ints(1, 5))
    def __init__(self, units):
        super().__init__()
        self.fc = torch.nn.Linear(units, 2 * units)
        self.units = units
    @arg(x=tensors("b self.units"))
    @returns(tensors("b 2*self.units"))
    def forward(self, x):
        return self.fc(x)

@arg(units=ints(1, 5))
@returns(calls(input=tensors("b units")))
@returns(tensors("b 3"))
def make(units):
    return torch.nn.Linear(units, 3)

@arg(x=tensors("b n", dtype=same("T", of=["float32", "float64"])))
@returns(tensors("b n", dtype=same("T")))
def same_dtype(x):
    return x.float()

@arg(x=tensors("b n"))
@returns(tensors("n b", layout="contiguous"))
def layout(x):
    return x.T
"""
OF_TORCH = [
    (
        "argmax_wrong",
        "argmax_wrong(x=torch.zeros(1, 1))",
        "result[0]: expected at most 0, got 1 (int), where b = 1, c = 1",
    ),
    (
        "hinted_wrong",
        "hinted_wrong(x=torch.zeros(2, 1))",
        "result.shape: expected one of [(2,)], got (1,) (tuple), where b = 2",
    ),
    (
        "layout",
        "layout(x=torch.zeros(2, 2))",
        "result.stride(): expected contiguous strides, got (1, 2) (tuple)",
    ),
    (
        "linear_wrong",
        "linear_wrong(x=torch.zeros(2, 1), w=torch.zeros(1, 1))",
        "result.shape: expected one of [(2, 1)], got (1, 2) (tuple), where b = 2, m = 1",
    ),
    (
        "same_dtype",
        "same_dtype(x=torch.zeros(1, 1, dtype=torch.float64))",
        "result.dtype: expected float64, got 'float32' (str), where b = 1, n = 1, T = float64",
    ),
    (
        "softmax_wrong",
        "softmax_wrong(x=torch.zeros(2, 1))",
        "result[0]: expected values that add up to 1, got [0.5] (list)",
    ),
]


def told(done):
    return sorted(
        (
            finding["target"]["qualname"],
            finding["call"].splitlines()[-1],
            finding["message"],
        )
        for finding in done.report["findings"]
    )


def test_results_outside_their_constraint_are_found_shrunk_and_replayed(project, tmp_path):
    folder = project(net=HEAD + WRONG)
    done = run_json("net.py", "--seed", 3, cwd=folder, tmp_path=tmp_path)
    assert told(done) == sorted(FOUND)
    assert {(f["kind"], f["oracle"]) for f in done.report["findings"]} == {("oracle", "returns")}
    (finding,) = done.findings("transposed")
    replayed = annotest("replay", finding["id"], "--database", tmp_path / "kept", cwd=folder).stdout
    assert replayed.startswith(f"STILL FAILING finding {finding['id']}")
    assert finding["message"] in replayed


@needs_torch
def test_results_of_torch_are_held_to_shapes_dtypes_and_contents(project, tmp_path):
    done = run_json("net.py", "--seed", 1, cwd=project(net=TORCH), tmp_path=tmp_path)
    assert told(done) == OF_TORCH
    for target in done.report["targets"]:
        is_wrong = target["qualname"] in {name for name, *_ in OF_TORCH}
        assert target["status"] == (Status.FAILED if is_wrong else Status.PASSED)


exhaustive = pytest.mark.exhaustive
SEEDS = [1, *(pytest.param(seed, marks=exhaustive) for seed in (0, *range(2, 20)))]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("library", ["numpy", pytest.param("torch", marks=needs_torch)])
def test_wrong_results_are_seen_with_every_seed(tmp_path, monkeypatch, library, seed):
    text, found = (TORCH, OF_TORCH) if library == "torch" else (HEAD + WRONG, FOUND)
    name = f"returning_{library}_{seed}"
    (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    wrong = {name for name, *_ in found}
    met = failures_found(name, str(tmp_path), wrong, seed, 200)
    assert {name for name, failures in met.items() if failures} == wrong


RIGHT = """
@arg(x=np_arrays("float32", "b n"))
@returns(np_arrays("float32", "n b"))
def transposed(x):
    return x.T

@arg(x=np_arrays("float32", "b n"))
@returns(np_arrays("float32", "b k"))
def free(x):
    return np.zeros((len(x), 100), "float32")

@arg(x=np_arrays("float32", "n"))
@returns(np_arrays("float32", "n"))
def overflows_where_numbers_are_huge(x):
    return x * x * x

@arg(x=np_arrays("float32", "*batch n"))
@returns(np_arrays("float32", "*batch"))
def summed(x):
    return x.sum(axis=-1) if x.ndim > 1 else np.asarray(x.sum())

@arg(x=np_arrays("float32", "b? n"))
@returns(np_arrays("float32", "b? 2*n"))
def doubled(x):
    return np.concatenate([x, x], axis=-1)

@arg(x=np_arrays("float64", "n", min=-5, max=5))
@returns(floats(0))
def numpys_number(x):
    return np.float32(abs(x).sum())

@arg(n=ints(0, 2000))
@returns(tuples(ints(), lists(ints(0)), strs()))
def more_than_is_drawn(n):
    return -n, [n] * n, "ä" * n

@arg(n=ints(0, 9))
@returns(anys(None, np_arrays("int64", "n")))
def maybe(n):
    return np.arange(n) if n % 2 else None
"""
HINTED = """
class Mode(enum.Enum):
    ON = 1
    OFF = 2

@arg(n=ints(0, 9))
def literal(n) -> Literal["a", "b"]:
    return "a" if n < 7 else "c"

@arg(n=ints(0, 9))
def member(n) -> Mode | None:
    return [Mode.ON, None, "off"][n % 3]

@arg(n=ints(0, 9))
def ours(n) -> Annotated[np.ndarray, np_arrays("float64", "n")]:
    return np.full(n, np.nan if n == 3 else 0.0)

@arg(n=ints(0, 9))
def each(n) -> Iterator[Literal[0, 1, 2]]:
    yield from range(n)

@arg(n=ints(0, 9))
@returns(ints())
def overridden(n) -> Literal[1]:
    return n

@arg(n=ints(0, 9))
def numpys(n) -> bool:
    return np.bool_(n)

@arg(n=ints(0, 9))
def nothing(n) -> None:
    return n

@arg(n=ints(0, 9))
def unread(n) -> "list[Unknown]":
    return n

@arg(n=ints(0, 99))
def long_lists(n) -> list[Literal[0]]:
    return [0] * n
"""
OF_HINTS = [
    (
        "each",
        "list(islice(each(n=4), 5))",
        "item 3: result: expected one of [0, 1, 2], got 3 (int)",
    ),
    ("literal", "literal(n=7)", "result: expected one of ['a', 'b'], got 'c' (str)"),
    (
        "member",
        "member(n=2)",
        "result: expected any of froms([Mode.ON, Mode.OFF]), froms([None]), got 'off' (str)",
    ),
    ("ours", "ours(n=3)", "result[0]: expected a number that is not nan, got nan (float)"),
]
OUTSIDE = """
import hinted_elsewhere
from annotest import *
annotate("hinted_elsewhere:literal", arg(n=ints(0, 9)))
annotate("hinted_elsewhere:ours", arg(n=ints(0, 9)))
"""


def test_right_results_pass_and_precise_hints_say_which_are_wrong(project, tmp_path):
    elsewhere = HINTED.replace("@arg(n=ints(0, 9))\n", "")
    folder = project(
        right=HEAD + RIGHT, hinted=HEAD + HINTED, hinted_elsewhere=HEAD + elsewhere, outside=OUTSIDE
    )
    files = "right.py", "hinted.py", "outside.py"
    done = run_json(*files, "--seed", 1, cwd=folder, tmp_path=tmp_path)
    assert told(done) == sorted([*OF_HINTS, OF_HINTS[-1]])
    wrong = {name for name, *_ in OF_HINTS}
    targets = [t for t in done.report["targets"] if t["module"] != "hinted_elsewhere"]
    for target in targets:
        is_wrong = target["qualname"] in wrong
        assert target["status"] == (Status.FAILED if is_wrong else Status.PASSED), target
        assert is_wrong or target["inputs_run"] >= 10


CALLED = """
@arg(total=ints(1, 100), warm=ints(0, 10))
@require("step < total")
@require("warm < total")
@returns(calls(step=ints(0, 100)))
@returns(floats(0, 1))
@ensure("step < warm or result <= 1 - (step - warm) / total")
def schedule(total, warm):
    def at(step):
        if step < warm:
            return step / warm
        return 1 - (step - warm) / (total - warm)
    return at

@arg(total=ints(1, 100))
@returns(calls(step=ints(0, 100)))
@require("step <= total")
def decay(total):
    return lambda step: 1 / (total - step)

@arg(total=ints(1, 100))
@returns(calls())
def closure(total):
    return lambda: 1 / (total - 3)

@arg(n=ints(1, 8))
@returns(calls(x=np_arrays("float32", "b n")))
@returns(np_arrays("float32", "b"))
def model(n):
    return lambda x: x @ np.ones(8 if n > 5 else n, "float32")

@arg(total=ints(1, 100))
@returns(calls(x=np_arrays("float32", "total")))
def not_callable(total):
    return total if total > 50 else lambda x: x.reshape(total)

class Optimizer:
    def __init__(self, rate=1):
        self.rate = rate

    @returns(calls(loss=ints(0, 9)))
    @example(loss=3)
    def stepper(self):
        return lambda loss: self.rate / (9 - loss)

    @property
    @returns(calls(loss=ints(0, 9)))
    def step(self):
        return lambda loss: self.rate / (8 - loss)
"""
OF_CALLS = [
    ("Optimizer.step", "Optimizer().step(loss=8)", "division by zero"),
    ("Optimizer.stepper", "Optimizer().stepper()(loss=9)", "division by zero"),
    ("closure", "closure(total=3)()", "division by zero"),
    ("decay", "decay(total=1)(step=1)", "division by zero"),
    (
        "model",
        "model(n=6)(x=np.full((1, 6), 0.0, dtype='float32'))",
        "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
        "(n?,k),(k,m?)->(n?,m?) (size 8 is different from 6)",
    ),
    (
        "not_callable",
        "not_callable(total=51)(x=np.full((51,), 0.0, dtype='float32'))",
        "result: expected a callable, got 51 (int)",
    ),
]


def test_what_is_returned_is_called_too_with_inputs_that_fit(project, tmp_path):
    folder = project(net=HEAD + CALLED)
    done = run_json("net.py", "--seed", 3, cwd=folder, tmp_path=tmp_path)
    assert told(done) == sorted(OF_CALLS)
    assert done.target("schedule")["status"] == Status.PASSED
    (finding,) = done.findings("decay")
    assert finding["exception"]["type"] == "ZeroDivisionError"
    assert (finding["location"]["line"], finding["kind"]) == (25, "exception")
    replayed = annotest("replay", finding["id"], "--database", tmp_path / "kept", cwd=folder).stdout
    assert replayed.startswith(f"STILL FAILING finding {finding['id']}")


def test_inputs_of_a_returned_callable_are_listed_explained_and_generated(project):
    folder = project(net=HEAD + CALLED)
    explained = annotest("explain", "net.py:schedule", cwd=folder).stdout
    assert "step   0..99, such that step < total\n" in explained
    assert '  built     @require("step < total")\n' in explained
    assert "after each call\n  @returns(floats(min=0.0, max=1.0))\n" in explained
    assert "\n  @returns(calls(step=ints(min=0, max=100)))\n" in explained
    assert ")(step=" in explained
    listed = annotest("list", "net.py", cwd=folder).stdout
    assert "             step: ints(min=0, max=100)\n" in listed
    text = (generated(folder, {}) / "test_net.py").read_text()
    assert "def test_schedule():\n    check(schedule)\n" in text


@arg(n=ints(1, 5))
@require("step < n")
@returns(calls(step=ints(0, 9)))
def counter(n):
    return lambda step: 1 / (3 - step)


def test_the_strategy_of_ready_calls_makes_both():
    failing = find(strategies.calls(counter), _fails)
    assert repr(failing) == "counter(n=4)(step=3)"
    with pytest.raises(TypeError, match="use calls"):
        strategies.inputs(counter)


def _fails(call):
    try:
        call()
    except ZeroDivisionError:
        return True
    return False


MISTAKEN = """
@arg(n=ints(0, 9))
@returns(calls(n=ints(0, 3)))
def twice(n): ...

@returns(calls(x=ints()))
@returns(calls(y=ints()))
def two(): ...

@returns(calls(step=3))
def no_constraint(): ...

@returns(3)
def no_result(): ...

@returns(np_arrays("float32", "other.size"))
def no_root(): ...

@arg(x=np_arrays("float32", "n"))
@returns(np_arrays("float32", "x"))
def no_size(x): ...

@arg(n=ints(0, 9))
@returns(ints().where(lambda value: 1 / value))
def raising(n):
    return n

class Layer:
    @returns(ints())
    def __init__(self): ...

    @returns(np_arrays("float32", "init.size"))
    def no_argument(self): ...
"""
MISTAKES = [
    (
        "@returns(calls(n=ints(min=0, max=3))): 'n' is an argument of twice itself",
        "annotate a small function that makes both calls, with a name for each",
    ),
    ("@returns(calls(y=ints())): two has two @returns annotations", "keep one"),
    (
        "@returns(…): calls(step=…): expected a constraint, got 3 (int)",
        "for this one value, write froms([3])",
    ),
    (
        "@returns(…): expected a constraint, got 3 (int)",
        "for this one value, write froms([3])",
    ),
    (
        "@returns(np_arrays(dtype='float32', shape='other.size')): there is no 'other' whose attribute could "
        "be a size",
        "use self or init in a method, or an argument that a generator builds",
    ),
    (
        "@returns(np_arrays(dtype='float32', shape='x')): the dimension 'x' has the name of an argument that "
        "is no whole number",
        "rename the dimension, or annotate the argument with ints(…)",
    ),
    (
        "@returns(ints()): a constructor returns nothing",
        'say what holds of the instance: @ensure("…") on Layer.__init__, or on the class',
    ),
    (
        "@returns(np_arrays(dtype='float32', shape='init.size')): Layer.__init__ has no argument 'size'.",
        "Layer.__init__ takes: nothing",
    ),
]


def test_wrong_uses_are_told_where_they_are_written(project, tmp_path):
    folder = project(net=HEAD + MISTAKEN)
    done = run_json("net.py", "--seed", 1, cwd=folder, tmp_path=tmp_path)
    said = {(m["annotation"], m["reason"], m["remedy"]) for m in done.report["mistakes"]}
    lines = done.stdout.splitlines()
    for text, remedy in MISTAKES:
        place = next((n for n, line in enumerate(lines) if line.endswith(f": {text}")), None)
        assert place is not None, (text, done.stdout)
        assert lines[place + 1] == f"        {remedy}"
    assert any("it raises ZeroDivisionError: division by zero for n=0" in r for _, r, _ in said)


REFUSED = [
    (lambda: returns(ints), "@returns(…): ints is not called"),
    (lambda: returns(calls), "@returns(calls) does not call it"),
    (lambda: returns(), "returns() lacks its argument 'result'"),
    (lambda: calls(3), "calls() got 1 arguments by position and takes none"),
    (lambda: calls(n=3), "calls(n=…): expected a constraint, got 3 (int)"),
]


@pytest.mark.parametrize(("written", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_wrong_words_are_refused(written, said):
    with pytest.raises(InvalidAnnotation) as refused:
        written()
    assert str(refused.value) == said


# what is left out counts for arguments, and not for results: a constraint with such a value
OPEN = [
    (ints(), -5),
    (ints(3), 5000),
    (ints(max=3), -5000),
    (strs(), "ä\n" * 50),
    (strs(alphabet="a"), "a" * 50),
    (lists(ints()), [5000] * 50),
    (tuples(ints(), min_len=0), (1,) * 50),
    (sets(ints()), set(range(50))),
    (dicts(strs(), ints()), {str(n): n for n in range(50)}),
    (int_lists(), [-50] * 50),
    (float_lists(), [0.5] * 50),
    (bool_lists(), [True] * 50),
    (str_lists(), ["ä"] * 50),
    (np_shapes(), (1, 2, 3, 4, 500)),
    (np_arrays("int8"), np.zeros((1, 2, 3, 4, 5), "int8")),
]
CLOSED = [
    (ints(3), 2),
    (strs(max_len=3), "aaaa"),
    (strs(alphabet="a"), "b"),
    (lists(ints(), len=3), [1]),
    (tuples(ints(), ints()), (1,)),
    (int_lists(min=1), [0]),
    (np_shapes(max_side=3), (4,)),
]


@pytest.mark.parametrize(("constraint", "value"), OPEN, ids=[str(c) for c, _ in OPEN])
def test_what_a_constraint_leaves_out_says_nothing_about_a_result(constraint, value):
    assert value not in constraint
    assert value in constraint.as_result()


@pytest.mark.parametrize(("constraint", "value"), CLOSED, ids=[str(c) for c, _ in CLOSED])
def test_what_a_constraint_says_holds_for_a_result(constraint, value):
    assert value not in constraint.as_result()


@pytest.mark.parametrize(
    ("constraint", "number", "inside"),
    [
        (floats(), math.nan, True),
        (floats(), math.inf, True),
        (floats(0), math.inf, True),
        (floats(0), -math.inf, False),
        (floats(0, 1), math.nan, True),
        (floats(0, 1), math.inf, False),
        (froms([0.5]), math.nan, False),
        (lists(floats()), [math.nan], True),
        (np_arrays("float32", 1), np.array([math.inf], "float32"), True),
    ],
    ids=str,
)
def test_nan_and_infinity_can_be_let_pass(constraint, number, inside):
    assert number not in constraint
    assert (number in constraint.with_nonfinite()) is inside


def test_a_call_of_the_function_alone_can_be_checked():
    assert str(check_call(counter, 3)) == 'valid, as far as can be told: not @require("step < n")'
    assert check_call(counter, 30).reasons == ("n: expected at most 5, got 30 (int)",)
