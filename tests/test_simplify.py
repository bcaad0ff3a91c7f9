"""What fits a plan, and the minimiser on single cases."""

import math
import random

import numpy as np
import pytest
from relations_random import broken, by_kind, planned, random_condition

import annotest
from annotest import (
    anys,
    bools,
    dicts,
    floats,
    froms,
    generator,
    int_lists,
    ints,
    lists,
    np_arrays,
    np_shapes,
    objs,
    same,
    sets,
    strs,
    tuples,
)
from annotest.plan.recipe import LEFT_OUT, Applied, Made, build
from annotest.plan.strategy import Tally, run_steps
from annotest.simplify import Form, Minimiser, Spent


@generator
@annotest.arg(n=ints(1, 9), m=ints(1, 9))
def pair(n, m):
    return [0] * n + [1] * m


# --- what fits


def even(n):
    return n % 2 == 0


MAKE_EVEN = ints(0, 9).where(even)
DOUBLED = ints(0, 3).map(str)
PLANS = {
    "number": ({"a": ints(0, 9)}, [], {"a": 9}, {"a": 10}),
    "list": ({"a": int_lists(max_len=2, min=0)}, [], {"a": [0, 1]}, {"a": [0, 1, 1]}),
    "where": ({"a": MAKE_EVEN}, [], {"a": 4}, {"a": 5}),
    "map": ({"a": DOUBLED}, [], {"a": Applied(str, 3)}, {"a": Applied(str, 4)}),
    "another function": ({"a": DOUBLED}, [], {"a": Applied(str, 3)}, {"a": Applied(repr, 3)}),
    "made in a list": (
        {"a": lists(DOUBLED, max_len=1)},
        [],
        {"a": [Applied(str, 1)]},
        {"a": [Applied(str, 1)] * 2},
    ),
    "made in a tuple": (
        {"a": tuples(DOUBLED, ints(0, 1))},
        [],
        {"a": (Applied(str, 1), 1)},
        {"a": (Applied(str, 1), 2)},
    ),
    "made in a union": ({"a": anys(DOUBLED, None)}, [], {"a": None}, {"a": "1"}),
    "made in a record": (
        {"a": dicts({"k": DOUBLED, "o?": ints(0, 1)})},
        [],
        {"a": {"k": Applied(str, 1)}},
        {"a": {"o": 1}},
    ),
    "made in a map": (
        {"a": dicts(strs(), DOUBLED, max_size=1)},
        [],
        {"a": {"k": Applied(str, 1)}},
        {"a": {"k": Applied(str, 9)}},
    ),
    "a precondition": (
        {"a": ints(0, 9), "b": ints(0, 9)},
        ["a < b"],
        {"a": 1, "b": 2},
        {"a": 2, "b": 2},
    ),
    "an array": (
        {"a": np_arrays("int8", (2,), min=0, max=3)},
        [],
        {"a": np.array([0, 3], "int8")},
        {"a": np.array([0, 4], "int8")},
    ),
    "a dimension": (
        {"x": np_arrays("int8", "n 2"), "y": int_lists(len="n")},
        [],
        {"x": np.zeros((3, 2), "int8"), "y": [1, 1, 1]},
        {"x": np.zeros((3, 2), "int8"), "y": [1, 1]},
    ),
    "arithmetic": (
        {"x": np_arrays("int8", "2*n"), "n": ints(1, 4)},
        [],
        {"x": np.zeros(6, "int8"), "n": 3},
        {"x": np.zeros(6, "int8"), "n": 2},
    ),
    "arithmetic only": (
        {"x": np_arrays("int8", "2*n"), "y": np_arrays("int8", "n+1")},
        [],
        {"x": np.zeros(6, "int8"), "y": np.zeros(4, "int8")},
        {"x": np.zeros(6, "int8"), "y": np.zeros(3, "int8")},
    ),
    "too large a dimension": (
        {"x": np_arrays("int8", "n"), "y": np_arrays("int8", "n")},
        [],
        {"x": np.zeros(8, "int8"), "y": np.zeros(8, "int8")},
        {"x": np.zeros(9, "int8"), "y": np.zeros(9, "int8")},
    ),
    "a batch": (
        {"x": np_arrays("int8", "*batch 2"), "y": np_arrays("int8", "*batch")},
        [],
        {"x": np.zeros((3, 4, 2), "int8"), "y": np.zeros((3, 4), "int8")},
        {"x": np.zeros((3, 4, 2), "int8"), "y": np.zeros((3, 1), "int8")},
    ),
    "a shared dtype": (
        {"x": np_arrays(same("T"), (1,)), "y": np_arrays(same("T"), (1,))},
        [],
        {"x": np.zeros(1, "int8"), "y": np.zeros(1, "int8")},
        {"x": np.zeros(1, "int8"), "y": np.zeros(1, "int16")},
    ),
    "dimensions deep inside": (
        {"x": lists(np_arrays("int8", "n"), len=1), "n": ints(1, 4)},
        [],
        {"x": [np.zeros(3, "int8")], "n": 3},
        {"x": [np.zeros(3, "int8")], "n": 2},
    ),
}


@pytest.mark.parametrize("name", PLANS)
def test_what_the_annotations_allow_fits_and_nothing_else(name):
    constraints, requires, good, bad = PLANS[name]
    planner, plan = planned(constraints, *requires)
    form = Form(plan, planner)
    assert form.fits(good)
    assert not form.fits(bad)


def test_an_argument_may_be_left_out_only_if_it_has_a_default():
    planner, plan = planned({"a": ints(0, 3), "b": ints(0, 3)}, defaults={"b": 1})
    form = Form(plan, planner)
    assert form.fits({"a": 1, "b": LEFT_OUT})
    assert not form.fits({"a": LEFT_OUT, "b": 1})


def test_what_a_generator_is_given_must_fit_its_own_annotations():
    planner, plan = planned({"g": objs(pair)})
    factory, form = planner.plans[id(pair)].factory, Form(plan, planner)
    assert form.fits({"g": Made(factory, {"n": 9, "m": 1})})
    assert not form.fits({"g": Made(factory, {"n": 10, "m": 1})})
    assert not form.fits({"g": Made(factory, {"n": 1})})
    assert not form.fits({"g": [0, 1]})


# --- the minimiser


def minimised(constraints, recipes, bug, *requires, defaults=None, most=10_000):
    """Return the simplest call, each call that was made, and the form."""
    planner, plan = planned(constraints, *requires, defaults=defaults)
    form, made = Form(plan, planner), []

    def fails(candidate):
        if len(made) == most:
            raise Spent
        values = run_steps(plan.steps, candidate, Tally(), plan.sizes)
        made.append((candidate, values))
        return values is not None and bool(bug(**values))

    if callable(recipes):
        recipes = recipes(planner)
    return Minimiser(form, recipes, fails).run(), made


SMALL = {
    "a product": (
        {"a": ints(0, 100), "b": ints(0, 100)},
        {"a": 1, "b": 12},
        lambda a, b: a * b >= 12 and a <= b,
        {"a": 3, "b": 4},
    ),
    "a sum of items": (
        {"a": int_lists(min=0, max=50, max_len=9)},
        {"a": [3] * 9},
        lambda a: sum(a) > 20,
        {"a": [21]},
    ),
    "below zero": ({"a": ints(-50, -3)}, {"a": -40}, lambda a: a < -7, {"a": -8}),
    "a sign": ({"a": ints(-50, 50)}, {"a": -40}, lambda a: abs(a) > 7, {"a": 8}),
    "a step": ({"a": ints(0, 90, multiple_of=8)}, {"a": 88}, lambda a: a > 20, {"a": 24}),
    "a choice": ({"a": froms(["x", "y", "z"])}, {"a": "z"}, lambda a: a != "x", {"a": "y"}),
    "a flag": ({"a": bools()}, {"a": True}, lambda a: True, {"a": False}),
    "none": ({"a": anys(None, ints(0, 9))}, {"a": 7}, lambda a: a != 0, {"a": None}),
    "a text": ({"a": strs()}, {"a": "abxcd"}, lambda a: "x" in a, {"a": "x"}),
    "a set": ({"a": sets(ints(0, 9))}, {"a": {3, 5, 7}}, lambda a: 5 in a, {"a": {5}}),
    "a map": (
        {"a": dicts(strs(), ints(0, 9))},
        {"a": {"p": 3, "q": 4, "r": 5}},
        lambda a: a.get("q", 0) > 2,
        {"a": {"q": 3}},
    ),
    "a record": (
        {"a": dicts({"k": ints(0, 9), "o?": ints(0, 9)})},
        {"a": {"k": 5, "o": 9}},
        lambda a: a["k"] > 1,
        {"a": {"k": 2}},
    ),
    "whole floats": ({"a": floats(0, 99)}, {"a": 77.123}, lambda a: a > 7.5, {"a": 8.0}),
    "whole floats below zero": (
        {"a": floats(-99, -2.5)},
        {"a": -77.123},
        lambda a: a < 0,
        {"a": -3.0},
    ),
    "a float with one digit": ({"a": floats(0, 9)}, {"a": 0.7}, lambda a: 0.2 < a < 1, {"a": 0.3}),
    "a huge float": ({"a": floats()}, {"a": 1.7e308}, lambda a: a > 1e100, {"a": 1e120}),
    "infinity": (
        {"a": floats(allow_infinity=True)},
        {"a": math.inf},
        lambda a: math.isinf(a),
        {"a": math.inf},
    ),
    "a mapped number": (
        {"a": ints(0, 99).map(str)},
        {"a": Applied(str, 87)},
        lambda a: len(a) == 2,
        {"a": Applied(str, 10)},
    ),
    "a nested list": (
        {"a": lists(int_lists(min=0, max=9, max_len=4), max_len=4)},
        {"a": [[1, 2], [3, 9, 4], [5]]},
        lambda a: any(9 in one for one in a),
        {"a": [[9]]},
    ),
    "a list that may be none": (
        {"a": anys(None, int_lists(min=0, max=9))},
        {"a": [3, 3, 5]},
        lambda a: bool(a) and sum(a) > 3,
        {"a": [4]},
    ),
    "a function": (
        {"a": froms([len, abs, str]), "n": ints(0, 9)},
        {"a": str, "n": 7},
        lambda a, n: a is not len and n > 3,
        {"a": abs, "n": 4},
    ),
    "a shape": ({"a": np_shapes()}, {"a": (3, 5, 2)}, lambda a: max(a) > 3, {"a": (4,)}),
}


@pytest.mark.parametrize("name", SMALL)
def test_the_simplest_call_is_found(name):
    constraints, recipes, bug, simplest = SMALL[name]
    found, _ = minimised(constraints, recipes, bug)
    assert found == simplest and repr(found) == repr(simplest)


def test_a_number_too_large_for_a_float_is_made_smaller_too():
    bug = {"a": ints(0, 10**400)}, {"a": 10**399 + 7}, lambda a: a > 10**320
    found, _ = minimised(*bug)
    assert 10**320 < found["a"] < 10**322


def test_an_argument_with_a_default_is_left_out():
    constraints = {"a": ints(0, 9), "b": ints(0, 9)}
    start = {"a": 5, "b": 6}
    found, _ = minimised(constraints, start, lambda a, b=3: a > 2, defaults={"b": 3})
    assert found == {"a": 3, "b": LEFT_OUT}


def test_what_a_generator_is_given_is_made_simpler_too():
    def start(planner):
        return {"g": Made(planner.plans[id(pair)].factory, {"n": 9, "m": 7})}

    found, _ = minimised({"g": objs(pair)}, start, lambda g: len(g) > 5 and g.count(1) > 2)
    assert sorted(found["g"].values.values()) in ([1, 5], [2, 4], [3, 3])
    assert len(build(found["g"])) == 6


@generator
@annotest.arg(x=np_arrays("float32", "b c"), y=np_arrays("int64", "b", min=0, max=9))
@annotest.dims(b=ints(2, 9), c=ints(3, 9))
@annotest.require("b * c >= 8")
def batch(x, y):
    return x, y


def test_dimensions_of_what_a_generator_is_given_hold_while_it_is_made_smaller():
    def start(planner):
        values = {"x": np.ones((8, 9), "float32"), "y": np.arange(8)}
        dims = {"dimensions of the call": {"b": 8, "c": 9}}
        return {"g": Made(planner.plans[id(batch)].factory, {**values, **dims})}

    found, made = minimised({"g": objs(batch)}, start, lambda g: (g[1] > 3).any())
    x, y = build(found["g"])
    assert x.shape in ((2, 4), (3, 3)) and not x.any()
    assert sorted(y.tolist())[-2:] == [0, 4]
    shapes = [(len(values["g"][1]), *values["g"][0].shape) for _, values in made]
    assert all(b == b_ >= 2 and c >= 3 and b * c >= 8 for b_, b, c in shapes)


def test_lists_arrays_and_numbers_that_belong_together_are_cut_together():
    constraints = {
        "x": np_arrays("float32", "n 4"),
        "y": np_arrays("int64", "n", min=0, max=9),
        "l": int_lists(len="n", min=0, max=9),
        "n": ints(1, 20),
    }
    start = {
        "x": np.ones((12, 4), "float32"),
        "y": np.arange(12) % 10,
        "l": [1] * 12,
        "n": 12,
    }
    found, made = minimised(constraints, start, lambda x, y, l, n: (y == 7).any())
    assert found["x"].tolist() == [[0, 0, 0, 0]] and found["x"].dtype == "float32"
    assert (found["y"].tolist(), found["l"], found["n"]) == ([7], [0], 1)
    assert len(made) < 100


def test_an_array_keeps_only_what_the_failure_needs():
    array = np.arange(600, dtype="int64").reshape(20, 30)
    constraint = np_arrays("int64", np_shapes(min_dims=2, max_dims=2, max_side=30), min=0, max=999)
    found, made = minimised({"a": constraint}, {"a": array}, lambda a: (a > 580).any())
    assert found["a"].tolist() == [[581]]
    assert len(made) < 200


def test_no_call_is_made_that_the_annotations_forbid():
    rng = random.Random(5)
    names = by_kind(number="ab", list="l")
    constraints = {
        "a": ints(0, 9),
        "b": ints(-3, 30),
        "l": int_lists(min_len=0, max_len=4, min=-1, max=5),
    }
    for _ in range(60):
        condition, bug = random_condition(rng, names), random_condition(rng, names)
        start = {"a": rng.randint(0, 9), "b": rng.randint(-3, 30), "l": [rng.randint(-1, 5)] * 3}
        if broken(constraints, [condition], start) or not eval(bug, dict(start)):
            continue
        _, made = minimised(constraints, start, lambda bug=bug, **call: eval(bug, call), condition)
        for recipes, values in made:
            assert values is not None and not broken(constraints, [condition], values), recipes


class Unspeakable:
    def __repr__(self):
        raise RuntimeError("not to be asked")


def test_objects_of_the_program_are_not_asked_what_they_are():
    objects = [Unspeakable(), Unspeakable()]
    start = {"o": objects[1], "n": 40}
    found, _ = minimised({"o": froms(objects), "n": ints(0, 99)}, start, lambda o, n: n > 6)
    assert found["o"] is objects[0] and found["n"] == 7


class Scaled:
    @annotest.cc_example(factor=np.array([1.0, 2.0]))
    @annotest.cc_example(factor=np.array([3.0]))
    def __init__(self, factor):
        self.factor = factor


def test_an_instance_made_from_given_arrays_is_one_of_them():
    planner, plan = planned({"s": objs(Scaled), "n": ints(0, 9)})
    factory, form = planner.plans[id(Scaled)].factory, Form(plan, planner)
    assert form.fits({"s": Made(factory, {"factor": np.array([3.0])}), "n": 1})
    assert not form.fits({"s": Made(factory, {"factor": np.array([4.0])}), "n": 1})


RATES = []


@generator
@annotest.arg(rate=floats(0.5, 3), u=ints(2, 9))
def layer(rate, u):
    RATES.append(rate)
    return np.zeros((u, 2))


def test_nothing_is_built_of_values_that_the_annotations_forbid():
    constraints = {"a": objs(layer), "x": np_arrays("int64", "n", min=0, max=9), "n": ints(1, 5)}
    RATES.clear()

    def start(planner):
        made = Made(planner.plans[id(layer)].factory, {"rate": 1.9, "u": 7})
        return {"a": made, "x": np.arange(4), "n": 4}

    found, _ = minimised(constraints, start, lambda a, x, n: len(a) > 2)
    assert found["a"].values == {"rate": 1.0, "u": 3}
    assert min(RATES) >= 0.5


def test_time_counts_where_no_call_is_made():
    planner, plan = planned({"a": ints(0, 10**9), "b": ints(0, 10**9)}, "a == b")
    asked = []

    def go_on():
        asked.append(1)
        if len(asked) == 7:
            raise Spent

    made = []
    Minimiser(Form(plan, planner), {"a": 9**9, "b": 9**9}, made.append, go_on).run()
    assert len(asked) == 7 and len(made) < 7


def test_it_stops_when_it_may_make_no_more_calls():
    found, made = minimised({"a": ints(0, 10**9)}, {"a": 999_999_937}, lambda a: a > 12_345, most=5)
    assert len(made) == 5 and 12_345 < found["a"] < 999_999_937
