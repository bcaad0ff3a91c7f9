"""Words for labels, masks, images and the like: for NumPy's arrays and for tensors alike."""

import importlib.util
import sys
import types

import numpy as np
import pytest
from conftest import annotest, generated, run_json
from hypothesis import HealthCheck, given, settings

from annotest import (
    InvalidAnnotation,
    arg,
    check_call,
    images,
    ints,
    labels,
    masks,
    one_hots,
    probabilities,
    token_ids,
)
from annotest.signature import read_signature
from annotest.spec import attached
from annotest.testing import strategy_of

HAS_TORCH = importlib.util.find_spec("torch") is not None
needs_torch = pytest.mark.skipif(not HAS_TORCH, reason="torch is not installed")
FRAMEWORKS = ["numpy", pytest.param("torch", marks=needs_torch)]


def drawn(constraint, count=25):
    """Return values that a constraint gives, as NumPy's arrays."""
    values = []

    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy_of(constraint.strategy()))
    def draw(value):
        assert value in constraint
        values.append(value if isinstance(value, np.ndarray) else value.detach().numpy())

    draw()
    return values


def rows(array):
    """Return the rows of an array, in plain Python."""
    return array.reshape(-1, array.shape[-1]).tolist()


def each_row(holds):
    return lambda array: all(holds(row) for row in rows(array))


def is_ragged(row):
    return row[0] and row == sorted(row, reverse=True)


def is_causal(array):
    return all(
        cell == (column <= row)
        for matrix in array.tolist()
        for row, cells in enumerate(matrix)
        for column, cell in enumerate(cells)
    )


# a word, of which shape and dtype its arrays are, and what holds for each of them
MEANINGS = [
    (labels((2, 3), 5), (2, 3), "int64", lambda a: {*a.ravel().tolist()} <= {*range(5)}),
    (token_ids(7, 1), (7,), "int64", lambda a: not a.any()),
    (one_hots((2, 3), 4), (2, 3, 4), "float32", each_row(lambda row: sorted(row) == [0, 0, 0, 1])),
    (one_hots("2", 1, dtype="bool"), (2, 1), "bool", each_row(lambda row: row == [True])),
    (probabilities((40, 50)), (40, 50), "float32", each_row(lambda row: abs(sum(row) - 1) < 1e-5)),
    (masks((2, 3, 4)), (2, 3, 4), "bool", each_row(any)),
    (masks((30, 40)), (30, 40), "bool", each_row(any)),
    (masks(3, kinds="all_true"), (3,), "bool", each_row(all)),
    (masks((2, 3), kinds="ragged"), (2, 3), "bool", each_row(is_ragged)),
    (masks((2, 3, 4), kinds="causal"), (2, 3, 4), "bool", is_causal),
    (masks((2, 4, 3), kinds=["causal"]), (2, 4, 3), "bool", is_causal),
    (masks((2, 3), kinds="random"), (2, 3), "bool", each_row(any)),
    (masks((2, 3), kinds="all_false"), (2, 3), "bool", lambda a: not a.any()),
    (images((3, 4, 4)), (3, 4, 4), "float32", lambda a: a.min() >= 0 and a.max() <= 1),
    (images((40, 40), dtype="uint8"), (40, 40), "uint8", lambda a: a.max() <= 255),
]


@pytest.mark.parametrize("framework", FRAMEWORKS)
@pytest.mark.parametrize(
    ("word", "shape", "dtype", "holds"), MEANINGS, ids=[repr(word) for word, *_ in MEANINGS]
)
def test_a_word_means_what_it_says(word, shape, dtype, holds, framework):
    for array in drawn(word.in_framework(framework)):
        assert (array.shape, array.dtype.name) == (shape, dtype)
        assert holds(array)


def kinds_of(mask):
    tests = {"all_true": all, "ragged": is_ragged, "random": any}
    found = {kind for kind, test in tests.items() if all(map(test, rows(mask)))}
    return found | ({"causal"} if is_causal(mask[None]) else set())


def test_masks_are_of_all_kinds_but_never_all_false():
    found = [kinds_of(mask) for mask in drawn(masks((3, 3)), 100)]
    assert all("random" in kinds for kinds in found)
    assert any("all_true" in kinds for kinds in found)
    assert any("causal" in kinds for kinds in found)
    assert any("ragged" in kinds and "all_true" not in kinds for kinds in found)
    assert any(kinds == {"random"} for kinds in found)


T, F = True, False
REASONS = [
    (labels(2, 3), [1, 3], "y[1]: expected at most 2, got 3 (int)"),
    (masks(2), [F, F], "y: expected any of "),
    (masks((2, 2), kinds="random"), [[T, F], [F, F]], "y[1]: expected True somewhere, got "),
    (masks(2, kinds="ragged"), [F, T], "y: expected True up to some place, got [False, True] "),
    (
        masks((2, 2), kinds="causal"),
        [[T, T], [T, T]],
        "y[0]: expected True up to the place of the row, got [True, True] (list)",
    ),
    (masks(2, kinds="all_true"), [T, F], "y: expected True everywhere, got [True, False] (list)"),
    (masks(2, kinds="all_false"), [T, F], "y: expected False everywhere, got "),
    (images(1, dtype="float64"), [1.5], "y[0]: expected at most 1.0, got 1.5 (float)"),
    (images(1, dtype="uint8"), [1.0], "y.dtype: expected uint8, got 'float64' (str)"),
]


@pytest.mark.parametrize(("word", "value", "reason"), REASONS)
def test_what_is_outside_a_word_is_told(word, value, reason):
    assert str(next(word.mismatches(np.array(value), "y"))).startswith(reason)


@needs_torch
def test_a_word_alone_takes_arrays_of_every_framework():
    import torch

    assert torch.tensor([0, 4]) in labels("b", 5)
    assert torch.tensor([0, 5]) not in labels("b", 5)
    assert torch.tensor([0, 4]) not in labels("b", 5, framework="numpy")
    assert np.array([0, 4]) not in labels("b", 5, framework="torch")


MISTAKES = [
    (
        lambda: labels("b", 0),
        "labels('b', 0): classes is how many there are, a whole number from 1 or a name, got 0",
        "write classes=10 or classes='classes'",
    ),
    (
        lambda: token_ids("b", "a b"),
        "token_ids('b', 'a b'): token_ids(vocab='a b'): that is no number",
        "use names, whole numbers and arithmetic, as in vocab='classes-1'",
    ),
    (
        lambda: masks("b n", kinds="casual"),
        "masks('b n', kinds='casual'): there is no mask 'casual'. Did you mean 'causal'?",
        "use some of 'all_true', 'ragged', 'causal', 'random', 'all_false'",
    ),
    (
        lambda: masks("b n", kinds=[]),
        "masks('b n', kinds=[]): there are no kinds",
        "use some of 'all_true', 'ragged', 'causal', 'random', 'all_false'",
    ),
    (
        lambda: images("h w", dtype="int64"),
        "images('h w', dtype='int64'): pixels of int64 have no range that everybody uses",
        "use dtype='uint8', for 0 to 255, or a float dtype, for 0 to 1",
    ),
    (
        lambda: images("h w", layout="contiguous", framework="numpy"),
        "images('h w', framework='numpy', layout='contiguous'): the arrays of NumPy have one "
        "layout",
        "drop layout, or write framework='torch'",
    ),
    (
        lambda: one_hots(None, 3),
        "one_hots(None, 3): its sides are not known one by one",
        "write one_hots('b', 'classes')",
    ),
    (
        lambda: probabilities("b k", dtype="int8"),
        "probabilities('b k', dtype='int8'): np_arrays(dtype='int8', shape='b k', "
        "contents='probabilities') cannot hold probabilities contents",
        "use a float dtype",
    ),
]


@pytest.mark.parametrize(("make", "reason", "remedy"), MISTAKES)
def test_a_mistake_in_a_word_is_told(make, reason, remedy):
    with pytest.raises(InvalidAnnotation) as raised:
        make()
    assert (raised.value.reason, raised.value.remedy) == (reason, remedy)


def settled(source, monkeypatch):
    """Return what the constraints of the arguments of `f` are in a module."""
    module = types.ModuleType("words_under_test")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(f"from annotest import *\n{source}", module.__dict__)
    function = module.f
    signature = read_signature(function, attached(function), "f")
    assert not signature.errors
    return {p.name: repr(p.constraint) for p in signature.parameters}


OF_NUMPY = "np_arrays(dtype='int64', shape='b', min=0, max=4)"
OF_TORCH = "tensors('b', 'int64', min=0, max=4)"
SETTLED = [
    ('@arg(y=labels("b", 5))\ndef f(y): ...', OF_NUMPY),
    ('import numpy as np\n@arg(y=labels("b", 5))\ndef f(y): ...', OF_NUMPY),
    ('@arg(y=labels("b", 5), x=np_arrays("int8", "b"))\ndef f(x, y): ...', OF_NUMPY),
]
SETTLED_BY_TORCH = [
    ('import torch\n@arg(y=labels("b", 5))\ndef f(y): ...', OF_TORCH),
    ('from torch import nn\n@arg(y=labels("b", 5))\ndef f(y): ...', OF_TORCH),
    ('from torch.nn.functional import relu\n@arg(y=labels("b", 5))\ndef f(y): ...', OF_TORCH),
    ('@arg(y=labels("b", 5), x=tensors("b"))\ndef f(x, y): ...', OF_TORCH),
    ('@arg(y=labels("b", 5), x=anys(None, tensors("b")))\ndef f(x, y): ...', OF_TORCH),
    ('@arg(y=labels("b", 5, framework="torch"))\ndef f(y): ...', OF_TORCH),
    ('import torch\n@arg(y=labels("b", 5), x=np_arrays("int8", "b"))\ndef f(x, y): ...', OF_NUMPY),
    ('import torch\n@arg(y=labels("b", 5, framework="numpy"))\ndef f(y): ...', OF_NUMPY),
    (
        'Net = type("Net", (__import__("torch").nn.Module,), {"__module__": "library"})\n'
        '@arg(y=labels("b", 5))\ndef f(y): ...',
        OF_TORCH,
    ),
    ('import torch\n@arg(y=lists(labels("b", 5)))\ndef f(y): ...', f"lists({OF_TORCH})"),
    (
        "import torch\nfrom typing import Annotated\n"
        'def f(y: Annotated[object, labels("b", 5)]): ...',
        OF_TORCH,
    ),
    (
        'import torch\n@arg(y=dicts({"a": labels("b", 5), "b?": ints()}))\ndef f(y): ...',
        "dicts({'a': " + OF_TORCH + ", 'b?': ints()})",
    ),
]


@pytest.mark.parametrize(
    ("source", "meant"),
    [*SETTLED, *(pytest.param(*case, marks=needs_torch) for case in SETTLED_BY_TORCH)],
)
def test_arrays_are_of_the_framework_that_the_function_takes(source, meant, monkeypatch):
    assert settled(source, monkeypatch)["y"] == meant


def test_a_framework_that_cannot_do_it_is_a_mistake_of_the_annotation(tmp_path):
    (tmp_path / "wrong.py").write_text(
        "from annotest import *\n\n"
        '@arg(x=np_arrays("int8", "b"), y=images("b", layout="contiguous"))\n'
        "def f(x, y): ...\n"
    )
    done = annotest("run", "wrong.py", cwd=tmp_path)
    expected = (
        'mistake wrong.py:3: @arg("y"): the arrays of NumPy have one layout\n'
        "        drop layout, or write framework='torch'"
        if HAS_TORCH
        else "needs torch"
    )
    assert expected in done.stdout


PROGRAM = """
@arg(y=labels("b", "classes"), classes=ints(1, 9))
def labelled(y, classes):
    assert y.max() < 2

@arg(y=one_hots("b", "k"))
def hot(y):
    assert y.shape[-1] < 3

@arg(m=masks("b n"))
def full(m):
    assert m.all()

@arg(m=masks("b n"))
def some(m):
    assert m.any(-1).all()

@arg(m=masks("b n n", kinds=["all_true", "all_false"]))
def none(m):
    assert m.any()

@arg(m=masks("n n", kinds="causal"))
def last(m):
    assert len(m) < 3

@arg(x=images("h w", dtype="uint8"))
def bright(x):
    assert x.max() < 255
"""
CALLS = {
    "labelled": "labelled(y=np.array([2], dtype='int64'), classes=3)",
    "hot": "hot(y=np.array([[1.0, 0.0, 0.0]], dtype='float32'))",
    "full": "full(m=np.array([[True, False]], dtype='bool'))",
    "none": "none(m=np.array([[[False]]], dtype='bool'))",
    "last": "last(m=np.array([[True, False, False], [True, True, False], [True, True, True]], "
    "dtype='bool'))",
    "bright": "bright(x=np.array([[255]], dtype='uint8'))",
}


def test_what_fails_is_made_small_and_simple(tmp_path):
    (tmp_path / "words.py").write_text("from annotest import *\n" + PROGRAM)
    done = run_json("words.py", "--seed", 1, "--max-examples", 60, cwd=tmp_path, tmp_path=tmp_path)
    found = done.report["findings"]
    calls = {f["target"]["qualname"]: " ".join(last_lines(f["call"])) for f in found}
    assert calls == CALLS
    assert {target["inputs_discarded"] for target in done.report["targets"]} == {0}


OF_TORCH = """
@arg(x=tensors("b n", "bfloat16", min="-k", max="k"), y=labels("n", "k"), k=ints(1, 9))
def bounded(x, y, k):
    assert -k <= x.min() and x.max() <= k and 0 <= y.min() and y.max() < k
    assert y.max() < k - 1 or k < 3

@arg(x=tensors("b? n"), m=masks(broadcasts("x", min_dims=1)))
def sided(x, m):
    assert (x * m).shape == x.shape
    assert x.ndim < 2 or m.ndim < 2 or m.shape[1] < 2

@arg(rng=rngs("torch"))
def chance(rng):
    assert not isinstance(rng, torch.Generator)
"""
CALLS_OF_TORCH = {
    "bounded": "bounded(x=torch.zeros(1, 1, dtype=torch.bfloat16), y=torch.tensor([2]), k=3)",
    "sided": "sided(x=torch.zeros(1, 2), m=torch.ones(1, 2, dtype=torch.bool))",
    "chance": "chance(rng=torch.Generator().manual_seed(0))",
}


@needs_torch
def test_what_fails_of_torch_is_made_small_and_simple(tmp_path):
    (tmp_path / "nets.py").write_text("import torch\nfrom annotest import *\n" + OF_TORCH)
    options = ("--seed", 1, "--max-examples", 60, "--workers", 1)
    found = run_json("nets.py", *options, cwd=tmp_path, tmp_path=tmp_path).report["findings"]
    calls = {f["target"]["qualname"]: " ".join(last_lines(f["call"])) for f in found}
    assert calls == CALLS_OF_TORCH


def last_lines(call):
    lines = [line.strip() for line in call.splitlines()]
    start = next(at for at, line in enumerate(lines) if "(" in line)
    return lines[start:]


LINES = {
    'y = draw(arrays(dtype="int64", shape=(b,), min=0, max=classes - 1))',
    'y = draw(arrays(dtype="float32", shape=(b, k), contents="one_hot"))',
    'm = draw(arrays(dtype="bool", shape=(n, n), contents="causal"))',
}


def test_generated_tests_say_words_as_arrays(tmp_path):
    text = (generated(tmp_path, {"words": PROGRAM}) / "test_words.py").read_text()
    assert {line.strip() for line in text.splitlines()} >= LINES


@arg(y=labels("b", "n"), n=ints(1, 9))
def judged(y, n): ...


def test_check_call_judges_what_a_word_means():
    assert check_call(judged, np.array([1]), 2)
    assert check_call(judged, np.array([2]), 2).reasons == (
        "y[0]: expected at most 1, got 2 (int), where b = 1, n = 2",
    )
