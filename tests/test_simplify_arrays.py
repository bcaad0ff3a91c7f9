"""Large arrays: made simpler, and told in few words."""

import numpy as np
import pytest
from test_plain import same_recipe
from test_simplify import minimised

from annotest import ints, np_arrays, np_shapes
from annotest.large import Constant, LargeArray, Numbers, Picked
from annotest.plan import plain
from annotest.plan.recipe import build

NUMBERS = Numbers(0.0, 1.0, 7)
ANY_SIZE = np_shapes(min_dims=1, max_dims=1, max_side=300_000)
FLOATS = np_arrays("float32", ANY_SIZE, min=0, max=1)
SQUARES = np_arrays(
    "float32", np_shapes(min_dims=2, max_dims=2, min_side=50, max_side=300), min=0, max=1
)


def large(shape, fill=NUMBERS, placed=(), dtype="float32"):
    return LargeArray(shape, dtype, fill, placed)


BUGS = {
    "one element": (FLOATS, large((150_000,)), lambda a: (a > 0.75).any(), np.array([1.0])),
    "what is placed": (
        FLOATS,
        large((150_000,), Constant(0.25), ((77_777, 1.0),)),
        lambda a: (a == 1).any(),
        np.array([1.0]),
    ),
    "the bulk": (FLOATS, large((150_000,)), lambda a: a.mean() > 0.4, np.array([1.0])),
    "a size": (
        FLOATS,
        large((150_000,)),
        lambda a: a.size > 5_000,
        large((5_001,), Constant(0.0)),
    ),
    "a size and an element": (
        FLOATS,
        large((20_000,)),
        lambda a: a.size > 5_000 and a.max() > 0.5,
        # which of the elements it is depends on where it was found
        lambda a: a.shape == (5_001,) and sorted(a.ravel())[-2:] == [0, 1],
    ),
    "two sides": (
        SQUARES,
        large((200, 300)),
        lambda a: a.shape[1] > 70,
        large((50, 71), Constant(0.0)),
    ),
    "all different": (
        np_arrays("int64", ANY_SIZE, unique=True),
        large((5_000,), Numbers(-(2**40), 2**40, 3, "distinct"), dtype="int64"),
        lambda a: a.size > 3,
        lambda a: sorted(a) in ([-2, -1, 0, 1], [-1, 0, 1, 2]),
    ),
    "few values": (
        np_arrays("uint8", ANY_SIZE),
        large((3_000,), Picked((3, 250, 9), 1), dtype="uint8"),
        lambda a: (a == 250).sum() >= 3,
        np.array([250] * 3, "uint8"),
    ),
    "a sorted one": (
        np_arrays("float64", ANY_SIZE, contents="sorted"),
        LargeArray((4_000,), "float64", Numbers(-9.0, 9.0, 5), contents="sorted"),
        lambda a: a[-1] - a[0] > 2,
        lambda a: len(a) == 2 and a[0] <= a[1] and 2 < a[1] - a[0] <= 3,
    ),
    "one hot": (
        np_arrays("int64", (60, 20), contents="one_hot"),
        LargeArray((60, 20), "int64", Numbers(0, 19, 5), contents="one_hot"),
        lambda a: a[3, 0] == 0,
        lambda a: a[3, 0] == 0 and (a.sum(axis=-1) == 1).all(),
    ),
    "complex": (
        np_arrays("complex64", ANY_SIZE),
        large((2_000,), Constant(2 + 3j), ((5, 1j),), "complex64"),
        lambda a: (a.imag == 1).any(),
        np.array([1j], "complex64"),
    ),
    "flags": (
        np_arrays("bool", ANY_SIZE),
        large((2_000,), Picked((True, False), 3), dtype="bool"),
        lambda a: a.sum() > 1,
        np.array([True, True]),
    ),
}


@pytest.mark.parametrize("name", BUGS)
def test_a_large_array_is_made_as_small_and_simple_as_can_be(name):
    constraint, start, bug, wanted = BUGS[name]
    found, made = minimised({"a": constraint}, {"a": start}, lambda a: bool(bug(a)))
    recipe, array = found["a"], build(found["a"])
    assert array in constraint and bug(array)
    if callable(wanted):
        assert wanted(array), recipe
    else:
        wanted = build(wanted) if isinstance(wanted, LargeArray) else wanted
        assert array.shape == wanted.shape and np.allclose(array, wanted), recipe
    assert array.size <= 1_000 or isinstance(recipe, LargeArray)
    assert len(made) < 5_000


def test_what_needs_a_large_bulk_stays_a_recipe():
    constraint = np_arrays("float64", ANY_SIZE)
    start = large((20_000,), Numbers(-5.0, 5.0, 3), dtype="float64")
    found, _ = minimised(
        {"a": constraint}, {"a": start}, lambda a: a.size > 5_000 and a.std() > 2.0
    )
    assert isinstance(found["a"], LargeArray) and found["a"].shape == (5_001,)


def test_a_large_array_is_cut_together_with_what_belongs_to_it():
    constraints = {
        "x": np_arrays("float32", "n 600"),
        "y": np_arrays("int64", "n", min=0, max=9),
        "n": ints(1, 8),
    }
    start = {"x": large((8, 600)), "y": np.arange(8), "n": 8}
    found, _ = minimised(constraints, start, lambda x, y, n: (y > 5).any())
    assert (found["n"], found["y"].tolist()) == (1, [6])
    assert build(found["x"]).tolist() == [[0.0] * 600]


@pytest.mark.parametrize(
    "recipe",
    [
        large((2, 600)),
        large((2_000,), Constant(2 + 3j), ((5, 1j),), "complex64"),
        large((2_000,), Picked((True, False), 3), dtype="bool"),
        LargeArray((40, 60), "float64", Numbers(-9.0, 9.0, 5, "rising"), ((3, 1e300),), "sorted"),
    ],
)
def test_a_large_array_is_kept_in_few_letters(recipe):
    text = plain.written({"x": recipe}, [])
    assert plain.read(text, [])["x"] == recipe
    assert same_recipe(plain.read(text, [])["x"].build(), recipe.build())
    assert len(text) < 500
