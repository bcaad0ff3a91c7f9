"""Large arrays: every one satisfies its constraint, and its recipe is small, plain and repeatable."""

import dataclasses
import json
import math
import pickle
import time
import zlib

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotest import bools, floats, froms, ints, np_arrays, np_shapes
from annotest import strategies as public
from annotest.errors import InvalidAnnotation
from annotest.expr import evaluate
from annotest.large import Constant, LargeArray, Numbers, Picked, large_array
from annotest.plan.arrays import array_recipes
from annotest.plan.recipe import build
from annotest.plan.written import recipe_tree
from annotest.source import Names, Renderer, text_of

RELAXED = settings(
    max_examples=25, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
)
N = 1500
INTS = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
FLOATS = ["float16", "float32", "float64"]
OPEN = {"exclude_min": True, "exclude_max": True}


def constraints():
    for dtype in (*INTS, *FLOATS, "bool", "complex64", "complex128"):
        yield np_arrays(dtype, (30, 50))
    for dtype in (*INTS, *FLOATS):
        yield np_arrays(dtype, N, min=1, max=3, **OPEN)
        yield np_arrays(dtype, N, min=0, max=100)
        yield np_arrays(dtype, (3, ints(0, 500)), max=7)
    for dtype in FLOATS:
        yield np_arrays(dtype, N, min=0, max=1, **OPEN)
        yield np_arrays(dtype, N, min=0.1, max=0.3)
        yield np_arrays(dtype, N, min=-(2.0**-14), max=0, exclude_max=True)
        yield np_arrays(dtype, N, allow_nan=True, allow_infinity=True)
        yield np_arrays(dtype, N, min=-1, max=1, allow_nan=True)
        yield np_arrays(dtype, N, max=5, allow_infinity=True)
        yield np_arrays(dtype, N, unique=True)
        yield np_arrays(dtype, N, min=0, max=1, unique=True)
        yield np_arrays(dtype, (30, 50), contents="probabilities")
        yield np_arrays(dtype, (30, 50), contents="sorted", min=-1)
    yield np_arrays("int16", N, unique=True)
    yield np_arrays("uint64", (2, N), unique=True, contents="sorted")
    yield np_arrays("int64", N, min=-750, max=749, unique=True)
    yield np_arrays("complex64", N, unique=True)
    yield np_arrays("int64", N, elements=ints(0, 64, multiple_of=8))
    yield np_arrays("float32", N, elements=floats(0, 1, width=16))
    yield np_arrays("float64", N, elements=ints(-3, 3))
    yield np_arrays("int32", N, elements=froms([-1, 5]))
    yield np_arrays("int32", N, elements=froms([2, 5, 9]), contents="sorted")
    yield np_arrays("bool", N, elements=bools())
    yield np_arrays(froms(["int8", "float16"]), N, min=-1, max=1)
    yield np_arrays(shape=np_shapes(min_dims=2, max_dims=3, min_side=0, max_side=40))
    for dtype in ("int8", "uint64", "float16", "bool"):
        yield np_arrays(dtype, (200, 10), contents="one_hot")
    yield np_arrays("float32", N, contents="one_hot")


@pytest.mark.parametrize("constraint", [*constraints()], ids=repr)
def test_every_large_array_satisfies_its_constraint(constraint):
    @RELAXED
    @given(evaluate(constraint.strategy(), None))
    def check(recipe):
        first = build(recipe)
        assert not [str(one) for one in constraint.mismatches(first)]
        assert first.flags.owndata
        assert first.flags.c_contiguous
        assert build(recipe).tobytes() == first.tobytes()
        assert build(recipe) is not first
        if isinstance(recipe, LargeArray):
            assert plain(dataclasses.asdict(recipe))
            assert pickle.loads(pickle.dumps(recipe)) == recipe or math.nan in values_of(recipe)

    check()


def plain(value):
    if isinstance(value, dict):
        return all(plain(one) for one in value.values())
    if type(value) is tuple:
        return all(plain(one) for one in value)
    return type(value) in (type(None), bool, int, float, complex, str)


def values_of(recipe):
    found = [value for _, value in recipe.placed]
    found += getattr(recipe.fill, "values", ()) or [getattr(recipe.fill, "value", 0)]
    return [math.nan for value in found if value != value]


@pytest.mark.parametrize("contents", [None, "sorted", "one_hot", "probabilities"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_pasted_call_gives_the_same_array(dtype, contents):
    options = {} if contents in ("one_hot", "probabilities") else {"min": -1, "max": 1}

    @RELAXED
    @given(evaluate(np_arrays(dtype, (30, 50), contents=contents, **options).strategy(), None))
    def check(recipe):
        names = Names()
        text = Renderer(names).layout(recipe_tree(recipe))
        namespace = {}
        for line in names.imports():
            exec(line, namespace)
        assert eval(text, namespace).tobytes() == recipe.build().tobytes()

    check()


def test_a_recipe_reads_as_the_call_that_builds_it():
    fill = Numbers(0.0, 1.0, 7)
    recipe = LargeArray((1, 3, 224, 224), "float32", fill, ((1234, 0.0), (9, math.inf)))
    assert text_of(recipe_tree(recipe)) == (
        "large_array((1, 3, 224, 224), 'float32', numbers(0.0, 1.0, seed=7), "
        '{1234: 0.0, 9: float("inf")})'
    )
    sorted_ones = LargeArray((2000,), "int8", Picked((1, 2), 3), contents="sorted")
    assert text_of(recipe_tree(sorted_ones)) == (
        "large_array((2000,), 'int8', picked((1, 2), seed=3), contents='sorted')"
    )
    zeros = LargeArray((2000,), "int8", Constant(0))
    assert text_of(recipe_tree(zeros)) == "np.full((2000,), 0, dtype='int8')"


def test_a_recipe_gives_the_same_array_on_every_machine():
    found = large_array((5000,), "float64", Numbers(-1.0, 1.0, 7))
    assert found[[0, 1, 4999]].tolist() == [
        0.9555777083151042,
        -0.9122788370586932,
        -0.32094487687572837,
    ]
    assert large_array((3000,), "uint8", Picked((3, 5, 8), 1))[:8].tolist() == [
        3,
        3,
        8,
        5,
        5,
        8,
        8,
        8,
    ]
    distinct = large_array((2000,), "int64", Numbers(0, 10**6, 5, order="distinct"))
    assert distinct[:4].tolist() == [2595, 624341, 245654, 867020]


@pytest.mark.parametrize("dtype", ["float64", "uint8", "complex128"])
def test_a_recipe_is_small(dtype):
    @RELAXED
    @given(array_recipes(dtype, (150_000,)))
    def check(recipe):
        assert len(pickle.dumps(recipe)) < 1000

    check()


def test_recipes_can_be_written_as_json():
    @RELAXED
    @given(array_recipes("float32", (2000,), min=-1.0, max=1.0))
    def check(recipe):
        assert json.loads(json.dumps(dataclasses.asdict(recipe)))

    check()


@pytest.mark.parametrize("size", [1001, 4096, 20_000])
@pytest.mark.parametrize("order", ["any", "rising", "distinct"])
@pytest.mark.parametrize("scale", ["even", "exponents"])
@pytest.mark.parametrize(
    ("dtype", "low", "high"),
    [
        ("float32", 0.0, 1.0),
        ("float64", -1.7976931348623157e308, 1.7976931348623157e308),
        ("float64", 5e-324, 1e308),
        ("float32", 1.0, 1.25),
        ("int64", -(2**63), 2**63 - 1),
        ("uint64", 2**63, 2**64 - 1),
        ("int32", -10_000, 9_999),
    ],
)
def test_numbers_lie_between_their_ends(dtype, low, high, scale, order, size):
    found = large_array((size,), dtype, Numbers(low, high, 3, order, scale))
    assert low <= found.min()
    assert found.max() <= high
    assert len(np.unique(found)) > 900
    if order == "rising":
        assert (found[1:] >= found[:-1]).all()
    if order == "distinct":
        assert len(np.unique(found)) == size


class Ones:
    """A source of chance that gives the largest number always."""

    def __init__(self, seed):
        pass

    def random_raw(self, count):
        return np.full(count, 2**64 - 1, dtype="uint64")


@pytest.mark.parametrize("dtype", FLOATS)
def test_no_float_is_rounded_beyond_an_end(dtype, monkeypatch):
    chance = np.random.default_rng(0)
    monkeypatch.setattr(np.random, "SFC64", Ones)
    kind = np.dtype(dtype).type
    for _ in range(2000):
        low, high = sorted(float(kind(one)) for one in chance.normal(size=2))
        found = large_array((1,), dtype, Numbers(low, high, 0))
        assert low <= found[0] <= high


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("dtype", [*FLOATS, "complex64"])
def test_the_widest_range_is_filled_evenly(dtype):
    largest = float(np.finfo(dtype).max)
    found = large_array((1001,), dtype, Numbers(-largest, largest, 1)).real
    assert np.isfinite(found).all()
    assert found.min() < -0.9 * largest and found.max() > 0.9 * largest
    assert abs(np.median(found.astype("float64") / largest)) < 0.2


def test_an_array_has_the_values_that_its_recipe_had_in_earlier_versions():
    """A kept input must not become another one."""
    size = 100_001
    for dtype, fill, sum_of_bytes in [
        ("float64", Numbers(-1.0, 1.0, 5), 3462414661),
        ("float32", Numbers(0.1, 0.3, 6), 893727792),
        ("float16", Numbers(-3.0, 4.0, 7), 2993717530),
        ("float32", Numbers(-1e30, 1e30, 8, scale="exponents"), 3090821925),
        ("int16", Numbers(-300, 20000, 9, order="rising"), 1354769643),
        ("uint8", Picked((3, 1, 4, 1, 5), 10), 1078233764),
        ("int64", Picked(tuple(range(40)), 11), 3838971009),
        ("uint32", Numbers(0, 2**32 - 1, 12, order="distinct"), 1545049814),
    ]:
        found = large_array((size,), dtype, fill)
        assert zlib.crc32(found.tobytes()) == sum_of_bytes, (dtype, fill)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("value", [-1.0, 0.0, 0.5, -(2.0**-24)])
def test_between_equal_ends_there_is_one_float(dtype, value):
    found = large_array((1001,), dtype, Numbers(value, value, 1, scale="exponents"))
    assert (found == value).all()


def test_rising_numbers_reach_from_end_to_end():
    found = large_array((2000,), "int32", Numbers(0, 3999, 1, order="rising"))
    assert (found[0] < 3, found[-1] > 3990) == (True, True)
    found = large_array((2000,), "int32", Numbers(0, 2998, 1, order="rising"))
    assert found[-1] > 2990


def test_placing_a_value_keeps_elements_different():
    fill = Numbers(0, 1999, 3, order="distinct")
    placed = {0: 5, 1: 5, 7: 6, 1999: 0}
    found = large_array((2000,), "int16", fill, placed)
    assert sorted(found.tolist()) == list(range(2000))
    assert (found[1], found[7], found[1999]) == (5, 6, 0)


def test_too_few_values_for_unique_elements_are_never_drawn():
    assert all(count == 0 for count in (drawn_of("uint8", 2000), drawn_of("bool", 2000)))
    with pytest.raises(ValueError, match="256 values are too few for 2000 elements"):
        large_array((2000,), "uint8", Numbers(0, 255, 0, order="distinct"))


def drawn_of(dtype, size):
    drawn = []
    shapes = st.sampled_from([(size,), (1,)])

    @RELAXED
    @given(array_recipes(dtype, shapes, unique=True))
    def check(recipe):
        drawn.append(build(recipe).size == size)

    check()
    assert drawn
    return sum(drawn)


def test_labels_miss_classes_and_are_alike_sometimes():
    seen = set()

    @settings(RELAXED, max_examples=100)
    @given(public.arrays("int64", (64, 64), min=0, max=9))
    def check(labels):
        seen.add(len(np.unique(labels)))

    check()
    assert {1, 2, 10} <= seen


def test_few_elements_are_drawn_as_hypothesis_draws_them():
    recipes = []

    @settings(RELAXED, max_examples=100)
    @given(array_recipes("float32", st.sampled_from([(10,), (1000,), (1001,)]), min=0, max=1))
    def check(recipe):
        recipes.append((type(recipe), build(recipe).size))

    check()
    assert {(np.ndarray, 10), (np.ndarray, 1000), (LargeArray, 1001)} == set(recipes)


@pytest.mark.parametrize(
    ("constraint", "wrong", "reason"),
    [
        (
            np_arrays("int64", 2000, min=0, max=5),
            {7: 6},
            "value[7]: expected at most 5, got 6 (int)",
        ),
        (
            np_arrays("float32", (40, 50), min=0, max=1, exclude_max=True),
            {51: 1.0},
            "value[1, 1]: expected below 1.0, got 1.0 (float)",
        ),
        (
            np_arrays("float64", 2000),
            {3: math.nan, 9: math.inf},
            "value[3]: expected a number that is not nan, got nan (float)",
        ),
        (
            np_arrays("int64", 2000, elements=ints(0, 64, multiple_of=8)),
            {5: 12},
            "value[5]: expected a multiple of 8, got 12 (int)",
        ),
        (
            np_arrays("float64", 2000, elements=ints(0, 9)),
            {5: 0.5},
            "value[5]: expected a whole number, got 0.5 (float)",
        ),
    ],
    ids=repr,
)
def test_what_is_wrong_with_a_large_array_is_said_of_the_first_element(constraint, wrong, reason):
    array = large_array((2000,), constraint.dtype, 0, wrong)
    if constraint.shape == (40, 50):
        array = array.reshape(40, 50)
    assert [str(one) for one in constraint.mismatches(array)] == [reason]


def test_membership_of_a_large_array_takes_milliseconds():
    array = large_array((1000, 1000), "float32", Numbers(0.0, 1.0, 1))
    began = time.perf_counter()
    assert array in np_arrays("float32", (1000, 1000), min=0, max=1)
    assert time.perf_counter() - began < 0.5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"contents": "sort"}, "np_arrays(contents='sort') has unknown contents 'sort'"),
        (
            {"dtype": "int8", "contents": "probabilities"},
            "np_arrays(dtype='int8', contents='probabilities') cannot hold probabilities contents",
        ),
        (
            {"min": 0, "contents": "one_hot"},
            "np_arrays(min=0, contents='one_hot') has a min beside its contents, "
            "which say what values there are",
        ),
        (
            {"allow_nan": True, "contents": "sorted"},
            "np_arrays(allow_nan=True, contents='sorted') sorts nan, which has no order",
        ),
        (
            {"shape": "...", "contents": "sorted"},
            "np_arrays(shape='...', contents='sorted') may have no last axis to hold sorted contents",
        ),
    ],
)
def test_contents_that_do_not_fit_are_refused(options, message):
    with pytest.raises(InvalidAnnotation) as caught:
        np_arrays(**options)
    assert caught.value.reason == message
    assert caught.value.remedy
