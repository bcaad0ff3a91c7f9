"""Optional sides, such as "b? n 4": all arguments that name one have it, or none has."""

import numpy as np
import pytest
from conftest import annotest, run_json

from annotest import InvalidAnnotation, anys, arg, check_call, int_lists, np_arrays, require

MISTAKES = [
    (
        "b? *batch n",
        "the shape 'b? *batch n' has a part of any length beside an optional side",
        "keep one of them",
    ),
    (
        "3? n",
        "np_arrays: '3?' in '3? n' is no size",
        "use names, whole numbers and arithmetic without blanks, as in 'b 2*h w+1 3'",
    ),
]


@pytest.mark.parametrize(("shape", "reason", "remedy"), MISTAKES)
def test_a_side_that_cannot_be_optional_is_told(shape, reason, remedy):
    with pytest.raises(InvalidAnnotation) as raised:
        np_arrays("float32", shape)
    assert raised.value.reason.removeprefix("np_arrays: ") == reason.removeprefix("np_arrays: ")
    assert raised.value.remedy == remedy


def zeros(*shape):
    return np.zeros(shape, "float32")


def test_a_shape_alone_has_the_side_or_not():
    points = np_arrays("float32", "b? n 2")
    assert zeros(3, 2) in points
    assert zeros(4, 3, 2) in points
    assert zeros(2) not in points
    assert zeros(1, 4, 3, 2) not in points
    assert str(next(points.mismatches(zeros(3, 3), "x"))) == "x.shape[1]: expected 2, got 3 (int)"


@arg(x=np_arrays("float32", "b? n 2"), y=np_arrays("float32", "b? n"))
@arg(lengths=anys(None, int_lists(len="b", min=0, max=9)))
@require("b is None or b > 1")
def judged(x, y, lengths=None): ...


REASONS = [
    ((zeros(3, 2), zeros(3)), ()),
    ((zeros(4, 3, 2), zeros(4, 3)), ()),
    ((zeros(4, 3, 2), zeros(4, 3), [1, 2, 3, 4]), ()),
    (
        (zeros(4, 3, 2), zeros(3)),
        ("x.shape: expected one of [(3, 2)], got (4, 3, 2) (tuple), where n = 3",),
    ),
    ((zeros(1, 3, 2), zeros(1, 3)), ('@require("b is None or b > 1") does not hold',)),
    (
        (zeros(3, 2), zeros(3), [1, 2]),
        ("lengths: expected any of froms([None]), got [1, 2] (list)",),
    ),
]


@pytest.mark.parametrize(("call", "reasons"), REASONS)
def test_check_call_knows_whether_the_side_is_there(call, reasons):
    assert check_call(judged, *call).reasons == reasons


PROGRAM = """
import numpy as np
from annotest import *

@arg(x=np_arrays("float32", "b? n 2", min=0, max=1), y=np_arrays("float32", "b? n", min=0, max=1))
def all_or_none(x, y):
    assert x.shape[:-1] == y.shape

@arg(x=np_arrays("float32", "b? n", min=0, max=1))
def one_batch(x):
    assert x.ndim == 1 or len(x) < 2

@arg(x=np_arrays("float32", "b? n", min=0, max=1))
def no_batch(x):
    assert x.ndim == 2

@arg(x=np_arrays("float32", "b? n"), lengths=anys(None, int_lists(len="b")))
def in_a_union(x, lengths):
    assert lengths is None or len(lengths) == len(x) and x.ndim == 2

@arg(x=np_arrays("float32", "b? n"), lengths=int_lists(len="b"))
def needed_elsewhere(x, lengths):
    assert x.ndim == 2

@arg(x=np_arrays("float32", "b? n"))
@require("b is None or b > 2")
def in_a_precondition(x):
    assert x.ndim == 1 or len(x) > 2

@arg(xs=lists(np_arrays("int8", "b? n"), min_len=1), y=np_arrays("int8", "b? 1").map(np.array))
def inside(xs, y):
    assert all(x.shape[:-1] == y.shape[:-1] for x in xs)

@arg(x=np_arrays("float32", "b? n"), y=np_arrays("float32", "b? n"))
def beside_a_default(x, y=np.ones((2, 3), "float32")):
    assert x.shape == y.shape
"""
FINDINGS = {
    "one_batch": "one_batch(x=np.full((2, 1), 0.0, dtype='float32'))",
    "no_batch": "no_batch(x=np.array([0.0], dtype='float32'))",
}


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    folder = tmp_path_factory.mktemp("optional")
    (folder / "optional.py").write_text(PROGRAM)
    options = ("--seed", 1, "--max-examples", 30)
    return run_json("optional.py", *options, cwd=folder, tmp_path=folder)


def test_all_arguments_have_an_optional_side_or_none_has(done):
    found = {f["target"]["qualname"]: f["call"].splitlines()[-1] for f in done.report["findings"]}
    assert found == FINDINGS
    assert {target["inputs_discarded"] for target in done.report["targets"]} == {0}


def test_an_argument_always_has_a_number(tmp_path):
    (tmp_path / "wrong.py").write_text(
        "from annotest import *\n\n"
        '@arg(x=np_arrays("int8", "b? n"), b=ints(1, 3))\n'
        "def f(x, b): ...\n"
    )
    done = annotest("run", "wrong.py", cwd=tmp_path)
    assert done.stdout.splitlines()[:2] == [
        "mistake wrong.py:3: @arg(\"x\"): the side 'b' is an argument, which always has a number",
        "        write 'b' without '?', or give the side another name",
    ]
