"""Sizes that depend on each other: multiples, sides of arrays, places in lists."""

from types import SimpleNamespace

import numpy as np
import pytest
from test_simplify import minimised

import annotest
from annotest import generator, int_lists, ints, np_arrays, objs
from annotest.large import Constant, LargeArray
from annotest.plan.recipe import Made, build
from annotest.simplify.moves import groups
from annotest.simplify.sizing import few_below


def zeros(*shape, others=()):
    array = np.zeros(shape, "float32")
    for place, value in others:
        array.flat[place] = value
    return array


MATRIX = np_arrays("float32", (ints(1, 2000), ints(1, 2000)), allow_nan=True, allow_infinity=True)
IMAGE = np_arrays("float32", (ints(1, 300), ints(1, 300)))
SIZES = {
    "two multiples": (
        {"x": IMAGE, "p": ints(2, 32)},
        ["x.shape[0] % p == 0 and x.shape[1] % p == 0"],
        {"x": zeros(2, 30), "p": 2},
        lambda x, p: x.shape[0] != x.shape[1],
        {"x": (2, 4), "p": 2},
    ),
    "a multiple of a given number": (
        {"x": IMAGE, "y": IMAGE},
        ["x.shape[1] % 48 == 0 and x.shape == y.shape"],
        {"x": zeros(1, 240), "y": zeros(1, 240)},
        lambda x, y: x.shape[1] > 48,
        {"x": (1, 96), "y": (1, 96)},
    ),
    "multiples of a number that becomes smaller": (
        {"x": IMAGE, "n": ints(1, 64), "p": ints(1, 32)},
        ["x.shape[0] % p == 0 and x.shape[1] % p == 0 and n % p == 0"],
        {"x": zeros(5, 15), "n": 20, "p": 5},
        lambda x, n, p: p > 2 and len({*x.shape, n}) == 3,
        {"x": (3, 6), "n": 9, "p": 3},
    ),
    "elements that lie in different rows": (
        {"x": MATRIX},
        [],
        {"x": zeros(2, 2, others=[(0, np.inf), (3, np.nan)])},
        lambda x: np.isinf(x).any() and np.isnan(x).any(),
        {"x": (1, 2)},
    ),
    "a number of elements": (
        {"x": MATRIX},
        [],
        {"x": LargeArray((7, 286), "float32", Constant(0.0))},
        lambda x: x.size > 2000 and min(x.shape) > 1,
        {"x": (3, 667)},
    ),
    "a number of elements of two arrays": (
        {"x": IMAGE, "y": IMAGE},
        ["x.shape == y.shape"],
        {"x": zeros(5, 5), "y": zeros(5, 5)},
        lambda x, y: x.size > 20 and min(x.shape) > 2,
        {"x": (3, 7), "y": (3, 7)},
    ),
    "a side that two arrays share, and another": (
        {"x": np_arrays("float32", "a b"), "y": np_arrays("float32", "b c")},
        [],
        {"x": zeros(4, 5), "y": zeros(5, 2)},
        lambda x, y: x.size >= 20 and y.shape[1] >= 2,
        {"x": (7, 3), "y": (3, 2)},
    ),
    "a side that two arrays share, and both others": (
        {"x": np_arrays("float32", "a b"), "y": np_arrays("float32", "b c")},
        [],
        {"x": zeros(3, 5), "y": zeros(5, 4)},
        lambda x, y: x.size >= 12 and y.size >= 20,
        {"x": (3, 4), "y": (4, 5)},
    ),
    "a side that is an argument": (
        {"x": np_arrays("float32", "n k"), "n": ints(1, 40)},
        [],
        {"x": zeros(21, 4), "n": 21},
        lambda x, n: n * x.shape[1] > 80 and x.shape[1] > 2,
        {"x": (27, 3), "n": 27},
    ),
    "sides without a name": (
        {"x": np_arrays("float32", "*batch _"), "y": np_arrays("float32", "... 2")},
        [],
        {"x": zeros(3, 4), "y": zeros(6, 2)},
        lambda x, y: x.ndim > 1 and y.ndim > 1,
        {"x": (1, 1), "y": (1, 2)},
    ),
    "a number instead of elements": (
        {"x": IMAGE, "n": ints(1, 64)},
        [],
        {"x": zeros(4, 17), "n": 3},
        lambda x, n: x.shape[0] * n >= 12 and x.shape[1] + n >= 20,
        {"x": (1, 1), "n": 19},
    ),
    "a number that is two more than another": (
        {"n": ints(0, 99), "m": ints(0, 99)},
        ["n == m + 2"],
        {"n": 42, "m": 40},
        lambda n, m: m > 4,
        {"n": 7, "m": 5},
    ),
    "a side, a length and a number that differ by one": (
        {"x": IMAGE, "sizes": int_lists(max_len=40, min=0, max=9), "n": ints(0, 99)},
        ["x.shape[1] == n + 1 and len(sizes) == n - 1"],
        {"x": zeros(1, 31), "sizes": [0] * 29, "n": 30},
        lambda x, sizes, n: n > 4,
        {"x": (1, 6), "sizes": [0] * 4, "n": 5},
    ),
    "a number that is three more than a side": (
        {"x": np_arrays("float32", "c h", min=-1, max=1), "n": ints(0, 99)},
        ["n == c + 3"],
        {"x": zeros(8, 1), "n": 11},
        lambda x, n: n > 5,
        {"x": (3, 1), "n": 6},
    ),
    "places": (
        {"x": int_lists(max_len=9, min=0, max=9), "i": ints(0, 9), "j": ints(0, 9)},
        ["i < j < len(x) and x[i] < x[j]"],
        {"x": [0, 0, 0, 3, 4], "i": 3, "j": 4},
        lambda x, i, j: i > 0 and x[i] > 2,
        {"x": [0, 3, 4], "i": 1, "j": 2},
    ),
    "a place in an array": (
        {"x": IMAGE, "i": ints(0, 9)},
        ["i < len(x)"],
        {"x": zeros(8, 1, others=[(6, 1.0)]), "i": 6},
        lambda x, i: x[i, 0] == 1 and i % 2 == 0,
        {"x": (1, 1), "i": 0},
    ),
}


@pytest.mark.parametrize("name", SIZES)
def test_sizes_that_depend_on_each_other_become_the_least(name):
    constraints, requires, start, bug, least = SIZES[name]
    found, made = minimised(constraints, start, bug, *requires)
    values = {key: build(recipe) for key, recipe in found.items()}
    assert bug(**values)
    assert {key: getattr(one, "shape", one) for key, one in values.items()} == least
    assert len(made) < 2_000


@generator
@annotest.arg(units=ints(1, 32), heads=ints(1, 8))
@annotest.require("units % heads == 0")
def layer(units, heads):
    return units, heads


def test_a_size_that_an_instance_was_given_becomes_smaller_with_what_depends_on_it():
    def start(planner):
        made = Made(planner.plans[id(layer)].factory, {"units": 30, "heads": 2})
        return {"net": made, "x": zeros(1, 30)}

    constraints = {"net": objs(layer), "x": IMAGE}
    found, _ = minimised(
        constraints, start, lambda net, x: net[1] > 1 and net[0] > net[1], "x.shape[1] == net[0]"
    )
    assert build(found["net"]) == (4, 2) and found["x"].shape == (1, 4)


def test_few_smaller_sizes_are_tried_and_those_that_divisors_make():
    assert few_below(3) == [0, 1, 2]
    assert few_below(0) == few_below(-5) == []
    assert {0, 15, 64, 128, 320, 512, 576, 624, 639} <= set(few_below(640))
    assert len(few_below(10**400)) == 32


def test_what_has_one_size_is_cut_alone_all_together_and_in_pairs():
    a, b, other, number = (SimpleNamespace(size=size) for size in (3, 3, 2, 3))
    tried = list(groups([a, b, other], [number]))
    assert tried == [[a], [b], [other], [a, b], [a, b, number], [a, number], [b, number]]
