"""Torch tensors: every dtype and layout, bugs that one of them shows, mistakes, reports."""

import importlib
import importlib.util
import math
import sys
from collections import Counter

import numpy as np
import pytest
from conftest import run_json
from hypothesis import HealthCheck, given, settings
from in_process import failures_found

from annotest import InvalidAnnotation, frameworks, froms, ints, np_shapes, tensors
from annotest.frameworks import Framed
from annotest.plan.recipe import Applied, build
from annotest.signature import reading
from annotest.source import Names, Renderer, source_tree
from annotest.testing import strategy_of

torch = pytest.importorskip("torch", reason="torch is not installed")
ADAPTER = frameworks.load("torch")
DTYPES = ADAPTER.dtypes
LAYOUTS = ("contiguous", "transposed", "sliced", "channels_last", "expanded")
SHAPES = np_shapes(min_dims=0, max_dims=5, min_side=0, max_side=3)
FLOATS = tuple(name for name, dtype in DTYPES.items() if dtype.kind == "float")


def drawn(constraint, count=40):
    """Return values that a constraint gives."""
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
        values.append(value)

    draw()
    return values


def plain(tensor):
    """Return the elements of a tensor as Python's own numbers, by torch alone."""
    wide = tensor.detach().double() if tensor.dtype.is_floating_point else tensor.detach()
    return wide.flatten().tolist()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_tensors_have_the_dtype_shape_and_elements_that_are_said(dtype, layout):
    constraint = tensors(SHAPES, dtype, layout=layout)
    for tensor in drawn(constraint, 20):
        assert tensor.dtype is getattr(torch, dtype)
        assert tensor.ndim <= 5
        assert all(side <= 3 for side in tensor.shape)
        assert all(map(math.isfinite, map(abs, plain(tensor))))
        assert tensor in constraint


@pytest.mark.parametrize("layout", LAYOUTS)
def test_tensors_have_the_layout_that_is_named_where_their_shape_can(layout):
    found = Counter(map(ADAPTER.layout_of, drawn(tensors((2, 3, 2, 2), layout=layout), 20)))
    assert set(found) == {layout}


def test_all_usual_layouts_come_by_themselves():
    found = Counter(map(ADAPTER.layout_of, drawn(tensors((2, 3, 2, 2), "bool"), 100)))
    assert set(found) == {"contiguous", "transposed", "sliced", "channels_last"}


@pytest.mark.parametrize("dtype", FLOATS)
def test_elements_lie_between_bounds_that_the_dtype_cannot_be_exactly(dtype):
    for tensor in drawn(tensors(SHAPES, dtype, min=0.1, max=0.7)):
        assert all(0.1 <= number <= 0.7 for number in plain(tensor))
    open_ended = tensors((40, 40), dtype, min=0.25, max=0.5, exclude_min=True, exclude_max=True)
    for tensor in drawn(open_ended, 20):
        assert all(0.25 < number < 0.5 for number in plain(tensor))


@pytest.mark.parametrize("dtype", FLOATS)
def test_special_values_come_where_they_are_allowed(dtype):
    values = drawn(tensors((40, 40), dtype, allow_nan=True, allow_infinity=True), 30)
    numbers = [number for tensor in values for number in plain(tensor)]
    assert any(map(math.isnan, numbers))
    assert any(map(math.isinf, numbers)) == (DTYPES[dtype].format is None or dtype != FN)


FN = "float8_e4m3fn"  # has no infinity


@pytest.mark.parametrize("contents", ["sorted", "one_hot", "probabilities"])
@pytest.mark.parametrize("dtype", FLOATS)
def test_contents_hold_in_every_float(dtype, contents):
    for tensor in drawn(tensors((2, 4), dtype, contents=contents), 20):
        rows = tensor.double()
        if contents == "sorted":
            assert bool((rows.diff(dim=-1) >= 0).all())
        else:
            assert torch.allclose(rows.sum(-1), torch.ones(2).double(), atol=0.2)


def test_elements_that_are_listed_are_rounded_to_none_that_is_not():
    halves = tensors(8, "bfloat16", elements=froms([0.5, 0.25, 0.1]))
    assert {number for tensor in drawn(halves) for number in plain(tensor)} <= {0.5, 0.25}
    whole = tensors(8, "bfloat16", elements=ints(0, 256))
    assert all(number == int(number) for tensor in drawn(whole) for number in plain(tensor))


def test_gradients_are_required_of_tensors_in_every_layout():
    for layout in LAYOUTS:
        for tensor in drawn(tensors((2, 3), layout=layout, requires_grad=True), 5):
            assert tensor.requires_grad
            assert tensor.is_leaf


def test_a_tensor_has_memory_of_its_own_that_can_be_resized():
    recipe = Applied(Framed("torch"), np.zeros(3, "float32"))
    first, second = build(recipe), build(recipe)
    first.add_(1).resize_(5)
    assert second.tolist() == [0.0, 0.0, 0.0]


def written(value):
    """Return the source of a value, and what it evaluates to."""
    names = Names()
    text = Renderer(names).layout(source_tree(value))
    space = {}
    for line in names.imports():
        exec(line, space)
    return text, eval(text, space)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_what_is_written_is_the_same_tensor_in_the_same_layout(dtype, layout):
    for tensor in drawn(tensors(SHAPES, dtype, layout=layout), 10):
        _, again = written(tensor)
        assert ADAPTER.same(again, tensor)
        assert tensor.numel() < 2 or again.stride() == tensor.stride()


AS_WRITTEN = [
    (lambda: torch.zeros(2, 3), "torch.zeros(2, 3)"),
    (lambda: torch.tensor([1.5, 2]), "torch.tensor([1.5, 2.0])"),
    (lambda: torch.tensor(3), "torch.tensor(3)"),
    (lambda: torch.tensor(0.0), "torch.tensor(0.0)"),
    (lambda: torch.zeros(2, dtype=torch.int64), "torch.zeros(2, dtype=torch.int64)"),
    (lambda: torch.ones(2, 2).bfloat16(), "torch.full((2, 2), 1.0, dtype=torch.bfloat16)"),
    (lambda: torch.tensor([True, False]), "torch.tensor([True, False])"),
    (lambda: -torch.zeros(2), "torch.full((2,), -0.0)"),
    (lambda: torch.tensor([1j]), "torch.tensor([complex(0.0, 1.0)], dtype=torch.complex64)"),
    (lambda: torch.ones(2).requires_grad_(), "torch.full((2,), 1.0).requires_grad_()"),
    (lambda: torch.zeros(2, 3).mT.contiguous().mT, "torch.zeros(2, 3).mT.contiguous().mT"),
    (
        lambda: torch.zeros(2, 4).repeat_interleave(2, -1).tile(2)[..., 9::2],
        "torch.zeros(2, 4).repeat_interleave(2, -1).tile(2)[..., 9::2]",
    ),
    (
        lambda: torch.ones(1, 2, 2, 2).contiguous(memory_format=torch.channels_last),
        "torch.full((1, 2, 2, 2), 1.0).contiguous(memory_format=torch.channels_last)",
    ),
    (lambda: torch.zeros(1, 3).expand(2, 3), "torch.zeros(2, 3)[:1].expand(2, 3)"),
    (lambda: torch.nn.Parameter(torch.zeros(2)), "torch.nn.Parameter(torch.zeros(2))"),
    (lambda: torch.float16, "torch.float16"),
    (lambda: torch.device("cpu"), 'torch.device("cpu")'),
]


@pytest.mark.parametrize(("make", "text"), AS_WRITTEN, ids=[text for _, text in AS_WRITTEN])
def test_a_tensor_is_written_as_a_person_would(make, text):
    assert written(make())[0] == text


MISTAKES = [
    (
        lambda: tensors("int64", "b n"),
        "tensors('int64', 'b n') has a dtype in the place of its shape",
        "write tensors('b n', 'int64')",
    ),
    (
        lambda: tensors(torch.int64),
        "tensors(torch.int64) has a dtype in the place of its shape",
        "write tensors(shape, 'int64')",
    ),
    (
        lambda: tensors("b", layout="contigous"),
        "tensors(layout='contigous'): there is no layout 'contigous'. Did you mean 'contiguous'?",
        "use one of 'contiguous', 'transposed', 'sliced', 'channels_last', 'expanded', "
        "or a list of some",
    ),
    (
        lambda: tensors("b", "int64", requires_grad=True),
        "tensors('b', 'int64', requires_grad=True) asks for gradients of numbers that have none",
        "use a float dtype, or drop requires_grad",
    ),
    (
        lambda: tensors("b", framework="numpy"),
        "tensors(framework='numpy') are made for torch only",
        "write np_arrays(dtype, shape) for NumPy arrays",
    ),
    (
        lambda: tensors(9, "bfloat16", unique=True),
        "tensors(9, 'bfloat16', unique=True) asks for different elements in bfloat16, "
        "in which many are rounded alike",
        "drop unique, or use float32",
    ),
    (
        lambda: tensors(9, "bfloat16", elements=ints(0, 1000)),
        "tensors(9, 'bfloat16', elements=ints(min=0, max=1000)) has elements that an array of "
        "bfloat16 cannot hold: ints(min=0, max=1000)",
        "use values of its dtype, such as elements=floats(0, 1)",
    ),
    (
        lambda: tensors(9, "float8_e4m3fn", min=1000),
        "tensors(9, 'float8_e4m3fn', min=1000) allows nothing: no value of float8_e4m3fn lies in "
        "the range",
        "widen the range or take another dtype",
    ),
]


@pytest.mark.parametrize(("make", "reason", "remedy"), MISTAKES)
def test_a_mistake_says_what_would_do(make, reason, remedy):
    with pytest.raises(InvalidAnnotation) as raised:
        make()
    assert (raised.value.reason, raised.value.remedy) == (reason, remedy)


REASONS = [
    (tensors((2, 2)), np.zeros((2, 2), "float32"), "x: expected a torch tensor, got "),
    (tensors((2, 2)), torch.zeros(2, 3), "x.shape"),
    (tensors(2), torch.zeros(2).double(), "x.dtype: expected float32, got 'float64' (str)"),
    (tensors(2, device="cuda"), torch.zeros(2), "x.device: expected cuda, got 'cpu' (str)"),
    (
        tensors((2, 2), layout="contiguous"),
        torch.zeros(2, 3)[:, 1:],
        "x.stride(): expected that of a contiguous tensor, got (3, 1) (tuple)",
    ),
]


@pytest.mark.parametrize(("constraint", "value", "reason"), REASONS)
def test_what_is_outside_is_told(constraint, value, reason):
    assert str(next(constraint.mismatches(value, "x"))).startswith(reason)


def test_a_missing_torch_is_told_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.delitem(sys.modules, "annotest.frameworks.torch")
    frameworks.load.cache_clear()
    try:
        with pytest.raises(InvalidAnnotation) as raised:
            tensors("b n")
    finally:
        frameworks.load.cache_clear()
    assert str(raised.value.reason) == (
        "tensors: framework 'torch' needs torch; install it with: pip install torch"
    )


HEAD = "import torch\nfrom annotest import arg, froms, ints, np_shapes, require, same, tensors\n"
# the bug that only tensors of a layout show
LAYOUT_BUGS = {
    "transposed": "assert min(x.shape) < 2 or x.stride(-2) >= x.stride(-1)",
    "sliced": "assert x.shape[-1] < 2 or x.stride(-1) != 2",
    "channels_last": (
        "assert x.is_contiguous() or not x.is_contiguous(memory_format=torch.channels_last)"
    ),
    "expanded": "x.add_(1)",
}


def found_in(folder, name, layout, seed):
    """Say whether the bug of a layout is found in a function with 100 inputs."""
    failures = failures_found(name, str(folder), (layout,), seed, 100)[layout]
    return bool(failures)


@pytest.fixture(scope="module")
def layout_bugs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("layouts")
    text = HEAD
    for layout, bug in LAYOUT_BUGS.items():
        named = ", layout=['contiguous', 'expanded']" if layout == "expanded" else ""
        text += f'\n\n@arg(x=tensors("b c h w"{named}))\ndef {layout}(x):\n    {bug}\n'
    (folder / "layout_bugs.py").write_text(text)
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))
    sys.modules.pop("layout_bugs", None)


@pytest.mark.parametrize("layout", LAYOUT_BUGS)
@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(2, 20))]
)
def test_the_bug_of_a_layout_is_found(layout, seed, layout_bugs):
    assert found_in(layout_bugs, "layout_bugs", layout, seed)


PROGRAM = (
    HEAD
    + """

@arg(x=tensors("b n", min=-1, max=1))
def large_enough(x):
    assert x.shape[1] < 3


@arg(x=tensors("b n", "bfloat16"))
def below_zero(x):
    assert not (x < 0).any()


@arg(x=tensors((60, 60), min=0, max=1))
def strided(x):
    assert x.stride(1) == 1


@arg(x=tensors("d n", dtype=same("T", of=["bfloat16", "float32"])), y=tensors("n", dtype=same("T")))
def product(x, y):
    (x @ y).sum()


@arg(x=tensors("b d", layout="sliced"), heads=ints(1, 4))
@require("d % heads == 0 and heads > 1")
def viewed(x, heads):
    x.view(-1)


@arg(x=tensors(np_shapes(max_dims=1)).map(lambda x: x.view(1, -1)))
def mapped(x):
    assert x.shape[1] < 2


@arg(x=tensors("n m", requires_grad=True))
def in_place(x):
    x.add_(1)
"""
)

CALLS = {
    "large_enough": "large_enough(x=torch.zeros(1, 3))",
    "below_zero": "below_zero(x=torch.tensor([[-1.0]], dtype=torch.bfloat16))",
    "strided": "strided(x=torch.zeros(60, 60).mT.contiguous().mT)",
    "viewed": "viewed(x=torch.zeros(2, 2).repeat_interleave(2, -1).tile(2)[..., 5::2], heads=2)",
    "mapped": "mapped(x=torch.zeros(1, 2))",
    "in_place": "in_place(x=torch.zeros(1, 1).requires_grad_())",
}


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tensors")
    (folder / "net.py").write_text(PROGRAM)
    return folder, run_json("net.py", "--seed", 1, cwd=folder, tmp_path=folder).report["findings"]


def test_failing_tensors_are_made_small_simple_and_contiguous(done):
    calls = {f["target"]["qualname"]: f["call"].splitlines() for f in done[1]}
    assert {name: lines[-1] for name, lines in calls.items()} == CALLS
    assert all("import torch" in lines for lines in calls.values())


ERRORS = {"viewed": RuntimeError, "in_place": RuntimeError}


def test_what_is_reported_can_be_pasted(done, monkeypatch):
    monkeypatch.syspath_prepend(done[0])
    for finding in done[1]:
        name = finding["target"]["qualname"]
        with pytest.raises(ERRORS.get(name, AssertionError)):
            exec(finding["call"], {})


def test_without_torch_annotations_are_suggested_all_the_same(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.delitem(sys.modules, "annotest.frameworks.torch")
    frameworks.load.cache_clear()
    reading._by_hint.cache_clear()
    try:
        assert reading.suggestion("x", "int") == "@arg(x=ints(…))"
    finally:
        frameworks.load.cache_clear()
        reading._by_hint.cache_clear()
