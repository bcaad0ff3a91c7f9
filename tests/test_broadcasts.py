"""`broadcasts("x")`: shapes that broadcast to the shape of another argument."""

import numpy as np
import pytest
from conftest import annotest, run_json

from annotest import InvalidAnnotation, anys, arg, broadcasts, check_call, np_arrays


def naive(shape, to):
    """Say whether a shape broadcasts to another, as the rule is told."""
    if len(shape) > len(to):
        return False
    whole = [1] * (len(to) - len(shape)) + list(shape)
    return all(side in (1, other) for side, other in zip(whole, to, strict=True))


SHAPES = [
    (),
    (1,),
    (3,),
    (4,),
    (1, 1),
    (1, 3),
    (2, 3),
    (2, 1),
    (3, 2),
    (2, 2, 3),
    (1, 2, 3),
    (0, 3),
]


@pytest.mark.parametrize("to", SHAPES)
def test_a_shape_broadcasts_as_numpy_has_it(to):
    for shape in SHAPES:
        assert (shape in broadcasts(to)) == naive(shape, to)


@arg(x=np_arrays("int8", "b n"), y=anys(None, np_arrays("int8", broadcasts("x", min_dims=1))))
def judged(x, y): ...


def zeros(*shape):
    return np.zeros(shape, "int8")


REASONS = [
    ((zeros(2, 3), zeros(2, 1)), ()),
    ((zeros(2, 3), None), ()),
    ((zeros(2, 3), zeros(3)), ()),
    (
        (zeros(2, 3), zeros(2)),
        (
            "y: expected any of froms([None]), np_arrays(dtype='int8', shape=broadcasts((2, 3), "
            "min_dims=1)), got array([0, 0], dtype=int8) (ndarray)",
        ),
    ),
]


@pytest.mark.parametrize(("call", "reasons"), REASONS)
def test_check_call_knows_the_other_shape(call, reasons):
    assert check_call(judged, *call).reasons == reasons


MISTAKES = [
    (
        lambda: broadcasts("x y"),
        "broadcasts('x y') expects the name of an argument, or a shape",
        "write broadcasts('x') or broadcasts((3, 4))",
    ),
    (
        lambda: broadcasts("x", min_dims=-1),
        "broadcasts('x', min_dims=-1) has a wrong min_dims: expected a whole number from 0, got -1",
        "give min_dims as a whole number",
    ),
]


@pytest.mark.parametrize(("make", "reason", "remedy"), MISTAKES)
def test_a_mistake_is_told(make, reason, remedy):
    with pytest.raises(InvalidAnnotation) as raised:
        make()
    assert (raised.value.reason, raised.value.remedy) == (reason, remedy)


PROGRAM = """
import numpy as np
from annotest import *


def arrays(shape, **options):
    return np_arrays("int8", shape, min=0, max=1, **options)


def fits(x, y):
    return np.broadcast_shapes(x.shape, y.shape) == x.shape

@arg(x=arrays("b c h"), y=arrays(broadcasts("x")))
def to_a_named_shape(x, y):
    assert fits(x, y)

@arg(y=arrays(broadcasts("x")), x=arrays(np_shapes(min_dims=0)))
def to_any_shape(y, x):
    assert fits(x, y)

@arg(y=arrays(broadcasts("x")), x=arrays((3, ints(1, 900))))
def to_a_long_side(y, x):
    assert fits(x, y)

@arg(x=arrays("*batch n"), y=arrays(broadcasts("x")), z=arrays(broadcasts("y")))
def one_after_the_other(x, y, z):
    assert fits(x, y) and fits(y, z)

@arg(x=arrays("b? n"), y=anys(None, lists(arrays(broadcasts("x")), min_len=1)))
def in_a_list(x, y):
    assert y is None or all(fits(x, item) for item in y)

@arg(x=np_arrays("int8", (2, 3), elements=ints(0, 1)), y=arrays(broadcasts("x")).map(np.array))
def to_what_is_drawn(x, y):
    assert fits(x, y)

@arg(x=anys(None, arrays("n")), y=arrays(broadcasts("x")))
def never_to_none(x, y):
    assert fits(x, y)

@arg(x=arrays("n"), y=arrays(broadcasts("x")))
def to_a_default(y, x=np.ones(3, "int8")):
    assert fits(x, y)

@arg(x=arrays("n"), y=anys(None, arrays(broadcasts("x"))), z=arrays(broadcasts("x")))
def left_out(x, y=None, z=np.ones(3, "int8")):
    assert y is None or fits(x, y)
    assert fits(x, z)

@arg(x=arrays("b c"), y=arrays(broadcasts("x")))
@require("y.ndim == 2 and y.shape[0] == 1")
def with_a_precondition(y, x):
    assert fits(x, y) and y.ndim == 2 and len(y) == 1

@arg(x=arrays("b c"), mask=masks(broadcasts("x", min_dims=1)), shape=broadcasts("x"))
def masked(x, mask, shape):
    assert mask.ndim and fits(x, mask) and fits(x, np.zeros(shape))

@arg(x=arrays("b c"), y=arrays(broadcasts("x")))
def planted(y, x):
    assert y.ndim < 2 or y.shape[1] < 2
"""


def test_shapes_are_built_to_broadcast(tmp_path):
    (tmp_path / "casts.py").write_text(PROGRAM)
    options = ("--seed", 1, "--max-examples", 60)
    done = run_json("casts.py", *options, cwd=tmp_path, tmp_path=tmp_path)
    (found,) = done.report["findings"]
    assert found["call"].splitlines()[-1] == (
        "planted(y=np.full((1, 2), 0, dtype='int8'), x=np.full((1, 2), 0, dtype='int8'))"
    )
    for target in done.report["targets"]:
        assert target["inputs_discarded"] == 0
        assert target["inputs_run"] >= 20


WRONG = """
from annotest import *

@arg(x=np_arrays("int8", "b c"), y=np_arrays("int8", broadcasts("z")))
def of_nobody(x, y): ...

@arg(x=np_arrays("int8", "b c").map(abs), y=np_arrays("int8", broadcasts("x")))
def of_what_is_built(x, y): ...

@arg(x=np_arrays("int8", broadcasts("y")), y=np_arrays("int8", broadcasts("x")))
def of_each_other(x, y): ...
"""


def test_shapes_that_nobody_has_are_mistakes(tmp_path):
    (tmp_path / "wrong.py").write_text(WRONG)
    done = annotest("run", "wrong.py", cwd=tmp_path)
    assert done.stdout.splitlines()[:8] == [
        "mistake wrong.py:4: @arg(\"y\"): there is no argument 'z' whose shape could be taken.",
        "        name an argument that is an array",
        "mistake wrong.py:7: @arg(\"y\"): the shape of 'x' is not known when others are chosen",
        "        annotate x as an array, without .map and .where",
        "mistake wrong.py:10: @arg(\"y\"): the shape of 'x' is that of itself",
        "        let one of them have sides of its own",
        "mistake wrong.py:10: @arg(\"x\"): the shape of 'y' is that of itself",
        "        let one of them have sides of its own",
    ]
