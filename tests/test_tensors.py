"""Torch tensors: every dtype and layout, bugs that one of them shows, mistakes, reports."""

import importlib
import importlib.util
import math
import sys

import numpy as np
import pytest
from conftest import run_json
from hypothesis import HealthCheck, given, settings
from in_process import failures_found
from naive import LAYOUTS as LAID_OUT
from naive import Call, Tensor
from relations_random import drawn_calls, planned
from test_simplify import minimised
from test_simplify_arrays import BUGS
from test_sizes import calls_made

from annotest import InvalidAnnotation, frameworks, froms, ints, np_shapes, tensors
from annotest.frameworks import Framed
from annotest.plan.recipe import Applied, build
from annotest.signature import reading
from annotest.signature.reading import suggestion
from annotest.simplify.minimiser import _shown
from annotest.source import Names, Renderer, source_tree
from annotest.testing import strategy_of

torch = pytest.importorskip("torch", reason="torch is not installed")
ADAPTER = frameworks.load("torch")
DTYPES = ADAPTER.dtypes
LAYOUTS = tuple(LAID_OUT)
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
@pytest.mark.parametrize("dtype", DTYPES)
def test_tensors_of_each_dtype_and_layout_are_valid_by_the_naive_evaluator(dtype, layout):
    sides = {"x": ("b", "c", "c+1", "2"), "y": ("c", "b+1"), "z": ("b+1",)}
    every = {name: Tensor(shape, dtype=dtype, layouts=(layout,)) for name, shape in sides.items()}
    if layout == "transposed":
        del every["z"]
    if layout == "channels_last":
        every = {"x": Tensor(("b", "c+1", "c+1", "2"), dtype=dtype, layouts=(layout,))}
    call = Call(every, dims=("b", "c"))
    seen = calls_made(call)
    assert len(seen) >= 12
    assert all(map(call.accepts, seen))


def test_all_usual_layouts_come_by_themselves():
    found = [
        {layout for layout, is_one in LAID_OUT.items() if is_one(*place_of(tensor))}
        for tensor in drawn(tensors((2, 3, 2, 2), "bool"), 100)
    ]
    assert set.union(*found) == {"contiguous", "transposed", "sliced", "channels_last"}
    assert all(len(layouts) == 1 for layouts in found)


def place_of(tensor):
    """Return shape, strides and offset of a tensor."""
    return tuple(tensor.shape), tensor.stride(), tensor.storage_offset()


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


def traits(tensor):
    """Return all that another tensor has to have to be the same one; sides of one have no stride."""
    strides = [step for side, step in zip(tensor.shape, tensor.stride(), strict=True) if side > 1]
    if tensor.numel() < 2:
        strides = []
    # -0.0 is not 0.0, and NaN is NaN
    elements = repr(ADAPTER.elements(tensor).tolist())
    return tensor.dtype, tensor.shape, strides, tensor.requires_grad, tensor.is_leaf, elements


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_what_is_written_is_the_same_tensor_again(dtype, layout):
    is_float = DTYPES[dtype].kind == "float"
    options = dict.fromkeys(("allow_nan", "allow_infinity", "requires_grad"), is_float)
    for tensor in drawn(tensors(SHAPES, dtype, layout=layout, **options), 15):
        text, again = written(tensor)
        assert traits(again) == traits(tensor), text


ROWS = torch.arange(24.0).reshape(2, 3, 4)
VIEWS = [
    lambda x: x[:, ::2],
    lambda x: x[..., 1:3],
    lambda x: x[0, :, 1],
    lambda x: x.permute(2, 0, 1),
    lambda x: x.permute(2, 0, 1)[::2],
    lambda x: x[:, :1].expand(2, 5, 4),
    lambda x: x[:1, :, :1].mT.expand(2, 4, 3),
    lambda x: x.unfold(2, 2, 1),
    lambda x: x.to(torch.complex64).conj(),
    lambda x: x.clone().requires_grad_() * 2,
    lambda x: (x.clone().requires_grad_() * 2).mT[:, ::2],
    lambda x: x.to(torch.float8_e5m2fnuz),
    lambda x: x.clone().requires_grad_().mT.detach().requires_grad_(),
]


@pytest.mark.parametrize("place", range(len(VIEWS)))
def test_a_view_that_a_program_makes_is_written_with_its_strides(place):
    tensor = VIEWS[place](ROWS)
    text, again = written(tensor)
    assert traits(again) == traits(tensor), text


AS_WRITTEN = [
    (lambda: torch.zeros(2, 3), "torch.zeros(2, 3)"),
    (lambda: torch.tensor([1.5, 2]), "torch.tensor([1.5, 2.0])"),
    (lambda: torch.tensor(3), "torch.tensor(3)"),
    (lambda: torch.tensor(0.0), "torch.tensor(0.0)"),
    (lambda: torch.zeros(2, dtype=torch.int64), "torch.zeros(2, dtype=torch.int64)"),
    (lambda: torch.ones(2, 2).bfloat16(), "torch.ones(2, 2, dtype=torch.bfloat16)"),
    (lambda: torch.full((2,), 0.5).half(), "torch.full((2,), 0.5, dtype=torch.float16)"),
    (lambda: torch.tensor([True, False]), "torch.tensor([True, False])"),
    (lambda: -torch.zeros(2), "torch.full((2,), -0.0)"),
    (lambda: torch.tensor([1j]), "torch.tensor([complex(0.0, 1.0)], dtype=torch.complex64)"),
    (lambda: torch.tensor([1, torch.nan]), 'torch.tensor([1.0, float("nan")])'),
    (lambda: torch.ones(2).requires_grad_(), "torch.ones(2).requires_grad_()"),
    (lambda: torch.ones(2).requires_grad_() + 0, "torch.ones(2).requires_grad_().clone()"),
    (lambda: torch.zeros(2, 3).mT.contiguous().mT, "torch.zeros(3, 2).mT"),
    (lambda: torch.tensor([[1, 2], [3, 4]]).mT, "torch.tensor([[1, 2], [3, 4]]).mT"),
    (lambda: torch.zeros(2, 3, 4).permute(2, 0, 1), "torch.zeros(2, 3, 4).permute(2, 0, 1)"),
    (lambda: torch.zeros(2, 9)[..., 1::2], "torch.zeros(2, 9)[..., 1::2]"),
    (
        lambda: torch.zeros(1, 5, dtype=torch.int64)[..., 1::2].copy_(torch.tensor([[1, 2]])),
        "torch.zeros(1, 5, dtype=torch.int64)[..., 1::2].copy_(torch.tensor([[1, 2]]))",
    ),
    (
        lambda: torch.tensor([1.0, 2, 3])[::2],
        "torch.empty_strided((2,), (2,)).copy_(torch.tensor([1.0, 3.0]))",
    ),
    (
        lambda: torch.tensor([1, 2, 3]).unfold(0, 2, 1),
        "torch.tensor([1, 2, 3]).as_strided((2, 2), (1, 1))",
    ),
    (
        lambda: torch.ones(1, 2, 2, 2).contiguous(memory_format=torch.channels_last),
        "torch.ones(1, 2, 2, 2).contiguous(memory_format=torch.channels_last)",
    ),
    (lambda: torch.zeros(1, 3).expand(2, 3), "torch.zeros(1, 3).expand(2, 3)"),
    (lambda: torch.nn.Parameter(torch.zeros(2)), "torch.nn.Parameter(torch.zeros(2))"),
    (lambda: torch.zeros(2, device="meta"), 'torch.empty(2, device="meta")'),
    (lambda: torch.float16, "torch.float16"),
    (lambda: torch.device("cpu"), 'torch.device("cpu")'),
]


@pytest.mark.parametrize(("make", "text"), AS_WRITTEN, ids=[text for _, text in AS_WRITTEN])
def test_a_tensor_is_written_as_a_person_would(make, text):
    assert written(make())[0] == text


DEVICES = "use one of 'cpu', 'cuda', 'mps', 'xpu', 'hpu', 'mtia', 'npu', 'xla', or one of several: 'cuda:1'"
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
        lambda: tensors("b", framework="trch"),
        "tensors(framework='trch'): there is no such framework. Did you mean 'torch'?",
        "leave framework out: tensors are torch's",
    ),
    (
        lambda: tensors("b", "flaot32"),
        "tensors: unknown dtype 'flaot32'. Did you mean 'float32'?",
        f"use one of {', '.join(DTYPES)}",
    ),
    (
        lambda: tensors("b", device="cdua"),
        "tensors(device='cdua'): there is no device 'cdua'. Did you mean 'cuda'?",
        DEVICES,
    ),
    (
        lambda: tensors("b", device="cuda:last"),
        "tensors(device='cuda:last'): there is no device 'cuda:last'. Did you mean 'cuda'?",
        DEVICES,
    ),
    (
        lambda: tensors("b", device="cuda:99").strategy(),
        "tensors('b', device='cuda:99') needs a device that torch does not find here: cuda:99",
        "run it where there is one, or leave device out",
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
        "x.stride(): expected contiguous strides, got (3, 1) (tuple)",
    ),
    (
        tensors((2, 2), layout=["transposed", "sliced"]),
        torch.zeros(2, 2),
        "x.stride(): expected transposed or sliced strides, got (2, 1) (tuple)",
    ),
]


@pytest.mark.parametrize(("constraint", "value", "reason"), REASONS)
def test_what_is_outside_is_told(constraint, value, reason):
    assert str(next(constraint.mismatches(value, "x"))).startswith(reason)


@pytest.mark.parametrize("dtype", ["torch.int64", "long", torch.long])
def test_a_dtype_may_have_the_name_that_torch_gives_it(dtype):
    assert tensors("b", dtype).dtype == "int64"


def test_tensors_are_suggested_for_an_argument_that_is_hinted_as_one():
    assert suggestion("x", "torch.Tensor") == "@arg(x=tensors(…))"


def test_a_missing_torch_is_told_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.delitem(sys.modules, "annotest.frameworks.torch")
    frameworks.load.cache_clear()
    try:
        with pytest.raises(InvalidAnnotation) as raised:
            tensors("b n")
        assert tensors.hinted() == ""  # functions without annotations are listed still
    finally:
        frameworks.load.cache_clear()
    assert str(raised.value) == (
        "tensors(framework='torch') needs torch; install it with: pip install torch"
    )


@pytest.mark.parametrize(
    "condition",
    [
        "x.size(0) % 2 == 0",
        "x.size(dim=-1) == n",
        "x.size()[1] == n",
        "x.dim() == n",
        "x.numel() == n",
        "x.shape == (n, 2)",
    ],
)
def test_what_torch_calls_sizes_is_built_and_not_filtered(condition):
    constraints = {"x": tensors(np_shapes(max_dims=3, max_side=6)), "n": ints(1, 9)}
    planner, plan = planned(constraints, condition)
    assert plan.model.state_of(0) == "built"
    calls = drawn_calls(planner, plan)
    assert len(calls.calls) >= 25
    assert not calls.refused
    assert all(eval(condition, dict(call)) for call in calls.calls)


def as_tensors(arrays):
    """Return the constraint of tensors that have the shapes and the elements of arrays."""
    kept = {name: getattr(arrays, name) for name in ("min", "max", "unique", "contents")}
    return tensors(arrays.shape, arrays.dtype, **kept)


@pytest.mark.parametrize("name", BUGS)
def test_a_tensor_is_made_as_small_and_simple_as_an_array(name):
    arrays, start, bug, _ = BUGS[name]
    as_array, _ = minimised({"a": arrays}, {"a": start}, lambda a: bool(bug(a)))
    sliced = Applied(Framed("torch", (("layout", "sliced"),)), start)
    found, _ = minimised({"a": as_tensors(arrays)}, {"a": sliced}, lambda a: bool(bug(a.numpy())))
    assert found["a"].function == Framed("torch")
    assert np.array_equal(build(found["a"]).numpy(), build(as_array["a"]))


def test_the_minimiser_tells_layouts_apart_and_knows_one_again():
    recipes = [Applied(Framed("torch").laid_out(name), np.zeros(3)) for name in (None, "sliced")]
    assert _shown(recipes[0]) != _shown(recipes[1])
    assert _shown(recipes[1]) == _shown(Applied(Framed("torch").laid_out("sliced"), np.zeros(3)))


SMALLEST = {
    "transposed": ((1, 1, 2, 2), lambda x: x.stride(-2) < x.stride(-1)),
    "sliced": ((1, 1, 1, 2), lambda x: x.stride(-1) == 2 and x.shape[-1] > 1),
    "channels_last": (
        (1, 2, 1, 2),
        lambda x: 1 < x.shape[1] == x.stride(-1) and x[0, 0].numel() > 1,
    ),
    "expanded": ((2, 1, 1, 1), lambda x: x.stride(0) == 0),
}


@pytest.mark.parametrize("layout", SMALLEST)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int64", "bool", "complex64"])
def test_where_a_layout_matters_it_stays_with_the_smallest_shape_that_has_it(layout, dtype):
    shape, bug = SMALLEST[layout]
    constraint = tensors(np_shapes(min_dims=4, max_dims=4, max_side=5), dtype, layout=LAYOUTS)
    start = np.ones((3, 4, 5, 2), DTYPES[dtype].held_as)
    framed = constraint.building(dtype).laid_out(layout)
    found, _ = minimised({"x": constraint}, {"x": Applied(framed, start)}, lambda x: bool(bug(x)))
    assert tuple(build(found["x"]).shape) == shape
    assert not build(found["x"]).any()


HEAD = "import torch\nfrom annotest import arg, froms, ints, np_shapes, require, same, tensors\n"
# what programs take for granted, each of which is wrong in one of the layouts only
LAYOUT_PROGRAM = """

@arg(x=tensors("b c h w"))
def contiguous(x):  # that there are no negative numbers
    assert (x >= 0).all()


@arg(x=tensors("b c h w"))
def transposed(x):  # a matrix in the order of columns is passed on as it is, with its sides as they were
    by_rows = x.mT if x.stride(-2) == 1 < x.stride(-1) else x.contiguous()
    assert by_rows.shape == x.shape


@arg(x=tensors("b c h w"))
def sliced(x):  # that elements begin where their memory begins
    assert torch.equal(x, x.as_strided(x.shape, x.stride(), 0))


@arg(x=tensors("b c h w"))
def channels_last(x):  # the fast way for channels last leaves them there
    is_last = x.is_contiguous(memory_format=torch.channels_last) and not x.is_contiguous()
    assert (x.permute(0, 2, 3, 1) if is_last else x).shape == x.shape


@arg(x=tensors("b c h w", layout=["contiguous", "expanded"]))
def expanded(x):
    x.add_(1)


@arg(x=tensors("b c h w"))
def viewed(x):
    x.view(-1)


@arg(x=tensors("b c h w"))
def read_by_address(x):  # that elements stand one after the other
    memory = x.as_strided((x.numel(),), (1,), x.storage_offset())
    assert torch.equal(memory, x.flatten())
"""
LAYOUT_BUGS = [*LAYOUTS, "viewed", "read_by_address"]


def found_in(folder, name, layout, seed):
    """Say whether the bug of a layout is found in a function with 100 inputs."""
    failures = failures_found(name, str(folder), (layout,), seed, 100)[layout]
    return bool(failures)


@pytest.fixture(scope="module")
def layout_bugs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("layouts")
    (folder / "layout_bugs.py").write_text(HEAD + LAYOUT_PROGRAM)
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))
    sys.modules.pop("layout_bugs", None)


@pytest.mark.parametrize("layout", LAYOUT_BUGS)
@pytest.mark.parametrize(
    "seed", [0, 1, 2, *(pytest.param(one, marks=pytest.mark.exhaustive) for one in range(3, 20))]
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
    "strided": "strided(x=torch.zeros(60, 60).mT)",
    "viewed": "viewed(x=torch.zeros(2, 5)[..., 1::2], heads=2)",
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


@pytest.mark.parametrize(
    ("given", "dtype"), [("float", "float32"), ("torch.int", "int32"), ("long", "int64")]
)
def test_short_names_of_dtypes_mean_what_they_mean_in_torch(given, dtype):
    assert str(getattr(torch, given.removeprefix("torch."))) == f"torch.{dtype}"
    assert tensors("b", given).dtypes == (dtype,)
