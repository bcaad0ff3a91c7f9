"""How varied the inputs are that fit together."""

import math

import pytest
from relations_random import drawn_calls, planned

from annotest import floats, int_lists, ints, lists

PRIMES = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61}
POWERS = {2, 4, 8, 16, 32, 64}
KINDS = {
    "both at their lower bound": lambda h, w, p: h == w == 1,
    "both at their upper bound": lambda h, w, p: h == w == 64,
    "the upper bound of one": lambda h, w, p: (h == 64) != (w == 64),
    "equal sizes": lambda h, w, p: h == w and 1 < h < 64,
    "size one of the first": lambda h, w, p: h == 1 < w,
    "size one of the second": lambda h, w, p: w == 1 < h,
    "powers of two": lambda h, w, p: h in POWERS and w in POWERS and h != w,
    "a prime": lambda h, w, p: h in PRIMES - {2},
    "two primes": lambda h, w, p: {h, w} <= PRIMES - {2},
    "higher than wide": lambda h, w, p: h > w > 1,
    "wider than high": lambda h, w, p: w > h > 1,
    "the largest patch": lambda h, w, p: p == 16,
    "a patch as large as the whole": lambda h, w, p: h == w == p > 1,
    "several patches": lambda h, w, p: p > 1 and h // p > 1 and w // p > 1,
    "neither prime nor power": lambda h, w, p: h > 1 and h not in PRIMES | POWERS,
}


SEEDS = [0, 1, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in (2, 3, 4))]


def three_hundred(seed, size):
    constraints = {"h": ints(1, size), "w": ints(1, size), "p": ints(1, 16)}
    planner, plan = planned(constraints, "h % p == 0 and w % p == 0")
    drawn = drawn_calls(planner, plan, 300, seed)
    assert len(drawn.calls) == 300 and not drawn.refused and not drawn.errors
    return drawn.calls


@pytest.fixture(scope="module", params=SEEDS)
def patches(request):
    return three_hundred(request.param, 64)


@pytest.mark.parametrize("kind", KINDS)
def test_inputs_of_every_kind_are_among_three_hundred(patches, kind):
    assert any(KINDS[kind](**call) for call in patches)


def test_few_of_three_hundred_calls_are_alike(patches):
    assert len({tuple(call.values()) for call in patches}) > 150


DIVIDED = {
    "what divides two numbers": "a % d == 0 and b % d == 0",
    "what divides three": "a % d == 0 and b % d == 0 and c % d == 0",
    "what divides a divisor": "a % b == 0 and b % d == 0",
}


@pytest.mark.parametrize("said", DIVIDED)
def test_a_divisor_is_one_no_more_often_than_numbers_have_few_divisors(said):
    numbers = dict.fromkeys("abcd", ints(1, 256))
    planner, plan = planned(numbers, DIVIDED[said])
    calls = [call for seed in range(15) for call in drawn_calls(planner, plan, 20, seed).calls]
    different = {tuple(call.values()) for call in calls}  # a run makes each call once
    assert sum(d == 1 for *_, d in different) < 0.45 * len(different)
    assert min(len(set(values)) for values in zip(*different, strict=True)) > 50


SMALL = {
    "heads": ({"a": ints(1, 64), "b": ints(1, 8), "d": ints(1, 8)}, "b % d == 0 and a % b == 0"),
    "groups": (dict.fromkeys("abd", ints(1, 16)), "a % d == 0 and b % d == 0"),
    "one": (dict.fromkeys("ad", ints(1, 16)), "a % d == 0"),
    "three": (dict.fromkeys("abcd", ints(1, 8)), "a % d == 0 and b % d == 0 and c % d == 0"),
}


@pytest.mark.parametrize("name", SMALL)
def test_a_divisor_of_few_values_is_one_no_more_often_than_it_has_to_be(name):
    planner, plan = planned(SMALL[name][0], SMALL[name][1])
    calls = [call for seed in range(60) for call in drawn_calls(planner, plan, 20, seed).calls]
    divided = [call for call in calls if min(call["a"], call.get("b", 8)) > 1]
    assert sum(call["d"] == 1 for call in divided) < 0.25 * len(divided)
    assert {call["d"] for call in divided} >= {1, 2, 3, 4, 5, 6, 7, 8}


LOOPS = [
    "all(a < b for a in x for b in y)",
    "all(a > 600 for a in x if a != k) and all(b == 6 for b in y if b != k)",
    "all(x[i] < x[j] for i in range(len(x)) for j in range(len(y)) if i < j < len(x))",
]


@pytest.mark.parametrize("said", LOOPS)
def test_lists_are_as_long_as_without_the_relation(said):
    lists_of = int_lists(min=-100, max=1000, min_len=0, max_len=8)
    planner, plan = planned({"x": lists_of, "y": lists_of, "k": ints(-100, 1000)}, said)
    drawn = [drawn_calls(planner, plan, 20, seed) for seed in range(5)]
    calls = [call for each in drawn for call in each.calls]
    assert not any(each.refused for each in drawn)
    for name in "xy":
        assert sum(len(call[name]) > 4 for call in calls) > 0.25 * len(calls)


SUMS = [
    "sum(e for e in x if e > 0) <= n",
    "sum(e for e in x if e > 0) == n",
    "sum(e for e in x if e % 2 == 0) == n",
    "sum(e > 0 for e in x) == n % 9",
    "len([e for e in x if e > 500]) == n % 5",
    "math.prod(e for e in x if e > 1) <= n + 1",
]


@pytest.mark.parametrize("said", SUMS)
def test_lists_whose_sum_leaves_items_out_are_as_long_as_others(said):
    constraints = {"x": int_lists(min=-100, max=1000, min_len=0, max_len=8), "n": ints(0, 1000)}
    planner, plan = planned(constraints, said)
    # many, as Hypothesis also tries numbers that it reads in whatever modules are imported
    drawn = [drawn_calls(planner, plan, 20, seed) for seed in range(20)]
    calls = [call for each in drawn for call in each.calls]
    assert sum(bool(each.refused) for each in drawn) <= 0.05 * len(calls)
    assert sum(len(call["x"]) > 4 for call in calls) > 0.2 * len(calls)
    assert len({call["n"] for call in calls}) > 20


LARGE_KINDS = {
    "the lower bound": lambda h, w, p: h == p,
    "the upper bound": lambda h, w, p: h == 4096 // p * p,
    "equal sizes": lambda h, w, p: h == w > 64,
    "size one": lambda h, w, p: h == 1,
    "a large power of two": lambda h, w, p: h in {32, 64, 128, 256, 512, 1024, 2048},
    "not square": lambda h, w, p: 64 < h < w,
}


@pytest.fixture(scope="module", params=SEEDS)
def large_patches(request):
    return three_hundred(request.param, 4096)


@pytest.mark.parametrize("kind", LARGE_KINDS)
def test_large_sizes_are_as_varied(large_patches, kind):
    assert any(LARGE_KINDS[kind](**call) for call in large_patches)


ALONE = {
    "ints(0, 10_000)": (ints(0, 10_000), [0, 1, 9_999, 10_000]),
    "ints(-1000, 1000)": (ints(-1000, 1000), [-1000, -999, 0, 1, 999, 1000]),
    "ints(1, 2**31)": (ints(1, 2**31), [1, 2, 2**31 - 1, 2**31]),
    "floats(0, 1)": (floats(0, 1), [0, 5e-324, math.nextafter(1, 0), 1]),
    "floats(-1, 1)": (floats(-1, 1), [-1, math.nextafter(-1, 0), 0, math.nextafter(1, 0), 1]),
    "floats(0.5, 1e6)": (floats(0.5, 1e6), [0.5, 1, 1e6]),
    "an open end": (floats(0, 1, exclude_max=True), [0, math.nextafter(1, 0)]),
}


@pytest.mark.parametrize("name", ALONE)
def test_a_number_that_stands_alone_is_at_its_ends_now_and_then(name):
    constraint, telling = ALONE[name]
    calls = []
    planner, plan = planned({"a": constraint, "b": ints(0, 10**9)})
    for seed in range(110):  # in rounds as short as those of a run
        calls += [call["a"] for call in drawn_calls(planner, plan, 9, seed).calls]
    assert all(number in constraint for number in calls)
    shares = {value: calls.count(value) / len(calls) for value in telling}
    assert min(shares.values()) > 0.01, shares
    assert sum(shares.values()) < 0.5, shares
    assert len(set(calls)) > 0.4 * len(calls)


def test_lists_of_different_items_can_have_a_length_by_name():
    constraints = {
        "i": lists(ints(0, 99), unique=True, len="n"),
        "j": int_lists(len="n"),
    }
    drawn = drawn_calls(*planned(constraints), 30)
    assert len(drawn.calls) == 30
    assert all(len(call["i"]) == len(call["j"]) == len(set(call["i"])) for call in drawn.calls)
