"""Ordinary inputs: floats that are 0 or neither tiny nor huge, a fixed share of random inputs."""

import cmath
import dataclasses
import math
from collections import namedtuple

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from annotest import (
    anys,
    arg,
    bools,
    complexes,
    dicts,
    dims,
    exclude,
    float_lists,
    floats,
    froms,
    generator,
    images,
    ints,
    lists,
    np_arrays,
    objs,
    probabilities,
    require,
    same,
    sets,
    strs,
    tensors,
    tuples,
)
from annotest.constraints import Constraint
from annotest.constraints._arrays import ArrayConstraint
from annotest.constraints._complexes import Complexes
from annotest.constraints._numbers import Floats
from annotest.engine.child.rounds import UNTOLD, Drawing, Rounds, drawn_again
from annotest.facts import Origin
from annotest.oracles.ordinary import is_ordinary
from annotest.outside import annotations_of
from annotest.plan.ordinary import ordinary_pins, random_recipes
from annotest.plan.planner import Planner
from annotest.plan.recipe import LEFT_OUT
from annotest.plan.strategy import Interpreter, Tally, run_steps
from annotest.plan.systematic import cases as systematic_cases
from annotest.signature import read_signature
from annotest.simplify.fitting import fits
from annotest.testing import cases, every_value_is_inside, repr_namespace, strategy_of

torch = pytest.importorskip("torch", reason="torch is not installed")

INF, NAN = math.inf, math.nan


def doubled(number):
    return number * 2


def is_positive(number):
    return number > 0


@generator
@exclude
@arg(x=tensors("b n"))
def halves(x):
    return x / 2


def leaves(value):
    """Return all floats and complex numbers in a value, one by one, the slow way."""
    if isinstance(value, torch.Tensor):
        return leaves(
            value.detach().to(torch.complex128).tolist() if value.is_complex() else value.tolist()
        )
    if isinstance(value, np.ndarray):
        return leaves(value.tolist())
    if isinstance(value, dict):
        return leaves([*value, *value.values()])
    if isinstance(value, list | tuple | set):
        return [leaf for item in value for leaf in leaves(item)]
    return [value] if isinstance(value, float | complex) else []


def has_ordinary_leaves(value, rounding=0.0):
    low, high = 1e-3 * (1 - rounding), 1e3 * (1 + rounding)
    return all(leaf == 0 or low <= abs(leaf) <= high for leaf in leaves(value))


def drawn(constraint, count=60):
    values = []

    @settings(max_examples=count, database=None, suppress_health_check=list(HealthCheck))
    @given(strategy_of(constraint.strategy()))
    def keep(value):
        values.append(value)

    keep()
    return values


OPEN = [
    floats(),
    floats(width=16),
    floats(width=32),
    floats(min=0),
    floats(min=0, exclude_min=True),
    floats(max=-1e-6),
    floats(min=-1e30),
    floats(max=5, exclude_max=True),
    floats(allow_nan=True, allow_infinity=True),
    floats(0, 1, allow_nan=True),
    complexes(),
    complexes(width=64, allow_infinity=True),
    complexes(max_magnitude=1e-4, allow_nan=True),
    float_lists(),
    float_lists(len=3, min=0),
    lists(floats(), unique=True, min_len=2),
    sets(floats()),
    tuples(floats(), ints(), strs()),
    tuples(floats(min=0), min_len=1, max_len=9),
    dicts({"rate": floats(), "name?": strs()}),
    dicts(strs(), floats()),
    anys(None, floats(), tensors(3)),
    floats().where(is_positive),
    np_arrays(),
    np_arrays("float16", (2, 3)),
    np_arrays("float32", (2, 3), min=0),
    np_arrays("float32", (2, 3), max=0, exclude_max=True),
    np_arrays("float64", 5, allow_nan=True, allow_infinity=True),
    np_arrays("float64", 5, min=0, max=1, allow_nan=True),
    np_arrays("float32", (3, 4), contents="sorted"),
    np_arrays("float32", 9, unique=True),
    np_arrays("float32", 4, elements=floats(min=0)),
    np_arrays(froms(["float32", "complex64", "bool", "int8"]), 3),
    np_arrays("complex64", (2, 2)),
    np_arrays("complex128", 2000),
    np_arrays("float32", (40, 40)),
    np_arrays("float64", 5000, unique=True),
    np_arrays("float16", (2, 900), min=0),
    np_arrays("float32", 1500, contents="sorted"),
    tensors((2, 3)),
    tensors("b n"),
    tensors((2, 3), "bfloat16"),
    tensors((2, 3), "bfloat16", min=1e-5),
    tensors((2, 3), "float8_e4m3fn"),
    tensors((2, 3), "float8_e5m2"),
    tensors((40, 40), "bfloat16"),
    tensors((40, 40), "float8_e4m3fn"),
    tensors((2, 3), "complex64"),
    tensors((2, 3), requires_grad=True),
    tensors((2, 3), same("T", of=["float16", "bfloat16", "float64"])),
    lists(tensors((2, 2)), max_len=3),
]
BOUNDED = [
    floats(0, 1),
    floats(-1e30, 1e30),
    floats(1e-9, 1e-8, exclude_min=True),
    complexes(max_magnitude=1e9),
    float_lists(min=0, max=1e6),
    froms([1e30, 1e-30]),
    bools(),
    ints(),
    strs(),
    lists(ints()),
    tuples(floats(0, 1e9), ints()),
    np_arrays("float32", 3, min=0, max=1e20),
    np_arrays("float32", 3, min="low", max="high"),
    np_arrays("float32", 3, elements=froms([1e30])),
    np_arrays("int64", 3),
    np_arrays("bool", 3),
    np_arrays("float32", (2, 3), contents="one_hot"),
    probabilities("b n").in_framework("torch"),
    images("h w").in_framework("torch"),
    ints(0, 9).map(doubled),
]


@pytest.mark.parametrize("constraint", OPEN, ids=repr)
def test_open_floats_become_ordinary_and_stay_values(constraint):
    ordinary = constraint.ordinary
    assert eval(repr(ordinary), {**repr_namespace(), "is_positive": is_positive, **globals()})
    rounding = 1e-5 if "complex" in repr(constraint) else 0.0
    for value in drawn(ordinary):
        if not constraint.is_named:
            assert value in constraint
            assert value in ordinary
        assert has_ordinary_leaves(value, rounding)
        assert is_ordinary({"x": value}, {"x": constraint})


@pytest.mark.parametrize("constraint", BOUNDED, ids=repr)
def test_what_the_user_bounded_stays(constraint):
    assert constraint.ordinary is None
    huge = {"x": [1e300, NAN]}
    assert is_ordinary(huge, {"x": constraint})


@pytest.mark.parametrize("case", cases(), ids=lambda case: repr(case.constraint)[:60])
def test_the_ordinary_values_of_every_constraint_are_values(case):
    ordinary = case.constraint.ordinary
    floating = (Floats, Complexes, ArrayConstraint)
    if ordinary is None or ordinary is case.constraint:
        open_floats = [
            p for p in case.constraint.with_parts() if isinstance(p, floating) and p.ordinary
        ]
        assert open_floats == []
        return
    values = strategy_of(ordinary.strategy())
    every_value_is_inside(case.constraint, values, examples=30)
    every_value_is_inside(ordinary, values, examples=30)
    assert all(has_ordinary_leaves(value, 1e-5) for value in drawn(ordinary, 30))
    assert eval(repr(ordinary), repr_namespace()) == ordinary


@pytest.mark.parametrize("constraint", [floats(min=5000), np_arrays("float32", 3, max=-2e3)])
def test_where_no_float_is_ordinary_nothing_changes_and_nothing_may_be_judged(constraint):
    assert constraint.ordinary is constraint
    assert not any(is_ordinary({"x": value}, {"x": constraint}) for value in drawn(constraint))


def test_ordinary_floats_are_of_both_signs_and_of_all_sizes():
    values = drawn(floats().ordinary, 400)
    assert {0.0, 1.0} <= set(values)
    for low, high in ((1e-3, 1), (1, 30), (30, 1000)):
        assert any(low < value < high for value in values)
        assert any(low < -value < high for value in values)


def test_messages_say_what_is_too_near_to_zero():
    assert [str(reason) for reason in floats().ordinary.mismatches(1e-4)] == [
        "value: expected 0, or at least 0.001 from it, got 0.0001 (float)"
    ]
    assert [str(reason) for reason in complexes().ordinary.mismatches(1e-4j)] == [
        "abs(value): expected 0, or at least 0.001, got 0.0001 (float)"
    ]


def test_the_words_of_constraints_do_not_show_it():
    for constraint in (floats, complexes, np_arrays, tensors):
        with pytest.raises(Exception, match="has no argument") as caught:
            constraint(nothing=1)
        assert "_apart" not in str(caught.value.remedy)


# plans


def planned(function):
    planner = Planner()
    notes = annotations_of(function, f"m:{function.__name__}")
    return planner.plan_function(function, read_signature(function, notes, "f")), planner


def values_of(plan, strategy, rounds=30):
    """Return the arguments of the different inputs of a few rounds."""
    inputs = {}

    def keep(recipes):
        values = run_steps(plan.steps, recipes, Tally(), plan.sizes)
        if values is not None:
            inputs[repr(recipes)] = values

    run = Rounds(strategy, keep, 9)
    for number in range(rounds):
        run(number)
    return list(inputs.values())


def random_values(function, rounds=30):
    plan, planner = planned(function)
    return values_of(plan, random_recipes(plan, planner, Tally(), *UNTOLD), rounds)


def ordinary_values(function, rounds=12):
    plan, planner = planned(function)
    pinned = Interpreter(planner, Tally(), ordinary_pins(plan, planner))
    return values_of(plan, pinned.recipes(plan, *UNTOLD), rounds)


def constraints_of(function):
    plan, _ = planned(function)
    return {p.name: p.constraint for p in plan.parameters}


@arg(x=tensors("b n"))
def of_tensors(x):
    pass


@arg(x=tensors("b n"), w=tensors("n m", "float64"), eps=floats(), n=ints(0, 9))
def of_several(x, w, eps=1e-5, n=3):
    pass


@arg(a=floats(), b=floats(), n=ints(1, 5))
@require("a < b")
def of_related(a, b, n):
    pass


@arg(x=tensors("b n"), y=tensors("b n"), low=floats())
@require("x.min() > low")
@require("y.max() <= 0.5")
@dims(b=ints(2, 4))
def of_bounded_by_others(x, y, low):
    pass


@arg(x=np_arrays("float32", "b n", min="low"), low=ints(-2000, 900))
def of_named_bounds(x, low):
    pass


@arg(x=np_arrays("float32", "b n", min="low"), low=ints(-2000, 900))
@require("x.max() > 2")
def of_named_bounds_in_relations(x, low):
    pass


@arg(xs=lists(floats(), max_len=5), pair=tuples(floats(), floats()))
@require("len(xs) > 1 and pair[0] <= pair[1]")
def of_containers(xs, pair):
    pass


@arg(x=objs(halves), scale=floats())
def of_generators(x, scale):
    pass


class Scaled:
    @arg(scale=floats(), bias=floats(-1, 1))
    def __init__(self, scale, bias):
        self.scale, self.bias = scale, bias


@arg(scaled=objs(Scaled))
def of_classes(scaled):
    pass


WITH_FLOATS = [
    of_tensors,
    of_several,
    of_related,
    of_bounded_by_others,
    of_named_bounds,
    of_named_bounds_in_relations,
    of_containers,
]


@pytest.mark.parametrize("function", WITH_FLOATS, ids=lambda function: function.__name__)
def test_near_a_third_of_random_inputs_is_ordinary_and_fits_together(function):
    constraints = constraints_of(function)
    inputs = random_values(function)
    accepted = [values for values in inputs if is_ordinary(values, constraints)]
    assert len(accepted) >= 0.3 * len(inputs)  # of those drawn three in eight; some come twice
    assert len(accepted) < len(inputs)  # the others have the full range


@pytest.mark.parametrize("function", WITH_FLOATS, ids=lambda function: function.__name__)
def test_the_ordinary_share_is_ordinary_and_valid(function):
    constraints = constraints_of(function)
    inputs = ordinary_values(function)
    assert len(inputs) > 30
    ordinary = [values for values in inputs if is_ordinary(values, constraints)]
    assert len(ordinary) == len(inputs)
    for values in inputs:
        for name, value in values.items():
            assert constraints[name].is_named or value in constraints[name]
            assert has_ordinary_leaves(value)


def test_relations_hold_in_ordinary_inputs_as_they_are_built():
    plan, planner = planned(of_bounded_by_others)
    tally = Tally()
    strategy = Interpreter(planner, tally, ordinary_pins(plan, planner)).recipes(plan, *UNTOLD)
    kept = []
    Rounds(
        strategy, lambda recipes: kept.append(run_steps(plan.steps, recipes, tally, plan.sizes)), 50
    )(1)
    assert None not in kept  # nothing is left to a filter
    assert all(values["x"].min() > values["low"] and values["y"].max() <= 0.5 for values in kept)


def test_generators_and_constructors_are_given_ordinary_floats():
    assert all(has_ordinary_leaves(values["x"] * 2) for values in ordinary_values(of_generators))
    made = [values["scaled"] for values in ordinary_values(of_classes)]
    assert all(has_ordinary_leaves(scaled.scale) for scaled in made)
    assert any(0 < abs(scaled.bias) < 1e-3 for scaled in made)  # which the user bounded


def test_an_argument_is_sometimes_left_out_of_ordinary_inputs():
    plan, planner = planned(of_several)
    strategy = Interpreter(planner, Tally(), ordinary_pins(plan, planner)).recipes(plan, *UNTOLD)
    given = []
    run = Rounds(strategy, lambda recipes: given.append(recipes["eps"] is not LEFT_OUT), 50)
    for number in range(4):
        run(number)
    assert 0.2 < sum(given) / len(given) < 0.9


@arg(low=floats(), high=floats(), x=tensors("b"))
@require("low < high")
def of_optional_relations(x, low=0.0, high=1e-6):
    pass


def test_a_related_argument_is_still_left_out():
    inputs = ordinary_values(of_optional_relations, 30)
    given = [("low" in values, "high" in values) for values in inputs]
    assert {(True, True), (True, False), (False, True), (False, False)} == set(given)


@arg(x=floats(0, 1), n=ints(), y=np_arrays("float32", "n", min=0, max=9), z=floats(min=4000))
@require("x <= n")
def bounded(x, n, y, z):
    pass


def test_what_has_no_open_floats_is_drawn_as_it_was():
    plan, planner = planned(bounded)
    assert ordinary_pins(plan, planner) == {}
    mixed, plain = [], []
    for kept, strategy in (
        (mixed, random_recipes(plan, planner, Tally(), *UNTOLD)),
        (plain, Interpreter(planner, Tally()).recipes(plan, *UNTOLD)),
    ):
        Rounds(strategy, lambda recipes, kept=kept: kept.append(repr(recipes)), 50)(7)
    assert mixed == plain
    assert len(mixed) == 50


@arg(x=floats(), y=floats())
@require("x > 5000")
def beyond_ordinary(x, y):
    pass


def test_where_relations_allow_no_ordinary_input_all_are_drawn():
    inputs = random_values(beyond_ordinary, 5)
    assert len(inputs) > 30
    assert all(values["x"] > 5000 for values in inputs)


def test_small_arrays_stay_plain_and_large_ones_recipes():
    ordinary, plan = tensors("b n").ordinary, planned(of_tensors)
    pinned = Interpreter(plan[1], Tally(), ordinary_pins(*plan)).recipes(plan[0], *UNTOLD)
    recipes = []
    Rounds(pinned, recipes.append, 20)(3)
    assert {type(recipe["x"].value) for recipe in recipes} == {np.ndarray}
    assert all(fits(constraints_of(of_tensors)["x"], recipe["x"], None) for recipe in recipes)
    assert ordinary.shape == "b n"


def test_an_input_is_drawn_again_and_the_simplest_is_as_before():
    plan, planner = planned(of_several)
    for seed in range(6):
        drawing = Drawing(plan, planner, Tally(), UNTOLD)
        first = []
        Rounds(drawing.of(None), lambda recipes, first=first: first.append(repr(recipes)), 9)(seed)
        results = b""
        for recipes in first:
            again = drawn_again(Origin(0, seed, 9, results), drawing)
            assert repr(again) == recipes
            results += b"\x00"
        simplest = Rounds(
            Interpreter(planner, Tally()).recipes(plan, *UNTOLD),
            lambda recipes, first=first: first.append(repr(recipes)),
            1,
        )
        simplest(seed)
        assert first[0] == first[-1]


def test_systematic_cases_stay_as_they_are():
    plan, planner = planned(of_several)
    texts = {pin.text for case in systematic_cases(plan, planner) for _, pin in case.pinned}
    assert "ordinary" not in texts


# which inputs may be judged

Point = namedtuple("Point", "x y")


@dataclasses.dataclass
class Batch:
    x: object
    label: str = "a"


GOOD, BAD = 0.5, [1e-4, -1e4, NAN, INF, -INF, 1e-4j, complex(0, NAN), 5e-324, 1.8e308 * 1j]
AROUND = {
    "alone": lambda value: value,
    "list": lambda value: [1.0, [value]],
    "tuple": lambda value: (1, value),
    "set": lambda value: {value},
    "frozenset": lambda value: frozenset([value]),
    "dict": lambda value: {"a": {"b": value}},
    "key": lambda value: {value: 1},
    "namedtuple": lambda value: Point(1, value),
    "dataclass": lambda value: Batch(value),
    "scalar": lambda value: (
        np.complex128(value) if isinstance(value, complex) else np.float64(value)
    ),
    "array": lambda value: np.array([[1.0, value]]),
    "tensor": lambda value: torch.tensor([1.0, value], dtype=torch.complex128),
    "gradient": lambda value: torch.tensor([value], dtype=torch.complex128).requires_grad_(),
}


@pytest.mark.parametrize("around", AROUND.values(), ids=AROUND)
def test_floats_are_found_wherever_they_are(around):
    for value in (0.0, -0.0, 1e-3, 1e3, -GOOD):
        assert is_ordinary({"n": 10**30, "x": around(value)}, {"x": floats()})
    for value in BAD:
        assert not is_ordinary({"x": around(value), "n": 1}, {"x": floats()})


@pytest.mark.parametrize(
    "dtype", ["float16", "bfloat16", "float8_e4m3fn", "float8_e5m2", "float32"]
)
def test_tensors_of_all_float_dtypes_are_looked_at(dtype):
    kind = getattr(torch, dtype)
    assert is_ordinary({"x": torch.tensor([0.0, 2.0, -300.0]).to(kind)}, {})
    assert not is_ordinary({"x": torch.tensor([2.0, NAN]).to(kind)}, {})
    if dtype not in ("float8_e4m3fn",):
        assert not is_ordinary({"x": torch.tensor([2.0, 40000.0]).to(kind)}, {})


def test_whole_numbers_and_objects_of_others_do_not_count():
    module = torch.nn.Linear(2, 2)
    module.weight.data.fill_(1e30)
    wholes = [np.int64(10**12), np.array([10**9]), torch.tensor([10**9]), torch.tensor([True])]
    for value in (module, *wholes, "text", b"bytes", None, True, range(9), object(), Batch):
        assert is_ordinary({"x": value}, {"x": floats()})


def test_circles_come_to_an_end():
    circle = [1.0]
    circle.append(circle)
    assert is_ordinary({"x": circle}, {})
    circle.append(1e9)
    assert not is_ordinary({"x": circle}, {})


def test_the_bounded_parts_of_a_value_do_not_count():
    constraint = dicts({"eps": floats(0, 1e-6), "x": tuples(floats(), floats(-1e9, 1e9))})
    assert is_ordinary({"a": {"eps": 1e-7, "x": (1.0, 1e8)}}, {"a": constraint})
    assert not is_ordinary({"a": {"eps": 1e-7, "x": (1e8, 1.0)}}, {"a": constraint})


def test_what_a_generator_built_counts():
    assert not is_ordinary({"x": torch.tensor([1e9])}, {"x": objs(halves)})
    assert is_ordinary({"x": torch.tensor([1.0])}, {"x": objs(halves)})


def test_the_empty_array_is_ordinary():
    for value in (np.zeros(0), np.zeros((0, 3), "complex64"), torch.zeros(2, 0)):
        assert is_ordinary({"x": value}, {"x": tensors("b n")})


def test_every_ordinary_face_is_a_constraint_or_none():
    faces = [part.ordinary for case in cases() for part in case.constraint.with_parts()]
    assert all(face is None or isinstance(face, Constraint) for face in faces)
    assert cmath.isfinite(complexes().ordinary.simplest())
