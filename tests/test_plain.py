"""Recipes as plain JSON: read as they were written, and refused where they do not fit the plans."""

import json
import math

import numpy as np
import pytest
from relations_random import planned

import annotest
from annotest import generator, ints, objs
from annotest.plan import plain
from annotest.plan.recipe import LEFT_OUT, Applied, Made


class Live:
    """Something that only the program has."""


LIVE = Live()


@generator
@annotest.arg(n=ints(1, 9), m=ints(1, 9))
def pair(n, m):
    return [0] * n + [1] * m


PLAIN = [
    None,
    True,
    -(10**30),
    0.1,
    -0.0,
    math.inf,
    math.nan,
    2 - 3j,
    "ä\ud800",
    b"\x00\xff",
    range(1, 9, 2),
    [1, [2.0, "x"], ()],
    (1, (2,), [3]),
    {"a": 1, 2: (3,), (4, 5): None},
    {1, 2},
    frozenset({"a"}),
    LEFT_OUT,
    LIVE,
    len,
    json.dumps,
    np.float32,
    np.arange(6, dtype="uint8").reshape(2, 3),
    np.array([[np.nan, -0.0]], dtype="float32"),
    np.zeros((0, 3)),
    np.array(1 + 2j),
]


def same_recipe(one, other):
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and same_bits(one, other)
    if type(one) in (list, tuple):
        return len(one) == len(other) and all(map(same_recipe, one, other))
    return type(one) is type(other) and (repr(one) == repr(other) or one is other)


def same_bits(one, other):
    return one.tobytes() == other.tobytes()


@pytest.mark.parametrize("recipe", PLAIN, ids=lambda one: type(one).__name__)
def test_a_recipe_is_read_as_it_was_written(recipe):
    text = plain.written({"x": recipe}, [LIVE])
    assert json.loads(text) and text.isascii()
    assert same_recipe(plain.read(text, [LIVE])["x"], recipe)


def test_what_generators_and_functions_make_is_named_by_its_place():
    planner, _ = planned({"g": objs(pair), "t": ints(0, 3).map(Live)})
    factory = planner.plans[id(pair)].factory
    recipes = {"g": Made(factory, {"n": 1, "m": 2}), "t": Applied(Live, 2)}
    live = [*planner.live, Live]
    found = plain.read(plain.written(recipes, live), live)
    assert (found["g"].factory, found["g"].values) == (factory, {"n": 1, "m": 2})
    assert (found["t"].function, found["t"].value) == (Live, 2)


@pytest.mark.parametrize("recipe", [object(), Live(), np.array([LIVE]), [LIVE, lambda: 1]])
def test_what_cannot_be_written_gives_no_text(recipe):
    assert plain.written({"x": recipe}, []) == ""


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[1]",
        "1",
        '{"dict": [["x", {"live": 0, "name": "Other"}]]}',
        '{"dict": [["x", {"live": 7, "name": "Live"}]]}',
        '{"dict": [["x", {"nonsense": [1]}]]}',
        '{"dict": [["x", {"array": ["O", [1], ""]}]]}',
        '{"dict": [["x", {"array": ["<f8", [3], "AAAA"]}]]}',
        '{"dict": [["x", {"array": [",f8", [3], "AAAA"]}]]}',
        '{"dict": [["x", {"tuple": 3}]]}',
        '{"dict": [["x"]]}',
        '{"a": 1, "b": 2}',
        "[" * 100_000,
    ],
)
def test_a_text_that_is_no_recipe_is_refused(text):
    with pytest.raises(plain.NotPlain):
        plain.read(text, [LIVE])
