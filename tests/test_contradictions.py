"""Preconditions that cannot hold are refused before a run; those that can are not."""

import itertools
import random

import pytest
from relations_random import drawn_calls, planned

from annotest import floats, int_lists, ints, sets, strs
from annotest.plan.planner import NotPlanned

BITS = int_lists(min=0, max=1, max_len=3)
WIDE = ints(0, 10**6)
UNIT = floats(0, 1)

# the arguments, what is required, what is said of it, and what could be required
TABLE = [
    (
        {"x": BITS},
        ["sum(x) > 3"],
        "x in int_lists(max_len=3, min=0, max=1) and sum(x) > 3 cannot both hold",
        ["sum(x) > 2"],
    ),
    (
        {"x": int_lists(min_len=2, max_len=4, min=2, max=5)},
        ["sum(x) < 4"],
        "x in int_lists(min_len=2, max_len=4, min=2, max=5) and sum(x) < 4 cannot both hold",
        ["sum(x) < 5"],
    ),
    (
        {"t": strs(max_len=5)},
        ["len(t) > 5"],
        "t in strs(max_len=5) and len(t) > 5 cannot both hold",
        ["len(t) > 4"],
    ),
    (
        {"s": sets(ints(0, 9), max_len=3), "n": ints(4, 9)},
        ["n <= len(s)"],
        "s in sets(ints(min=0, max=9), max_len=3), n in 4..9 and n <= len(s) cannot all hold",
        ["n <= len(s) + 1"],
    ),
    (
        {"k": WIDE, "s": WIDE, "t": WIDE},
        ["t < k", "s < t", "k < s"],
        "k in 0..1000000, s in 0..1000000, t in 0..1000000, k < s, s < t and t < k cannot all hold",
        ["t <= k", "s <= t", "k <= s"],
    ),
    (
        {"k": UNIT, "s": UNIT},
        ["k < s and s < k"],
        "k in floats(min=0.0, max=1.0), s in floats(min=0.0, max=1.0) and k < s and s < k cannot "
        "all hold",
        ["k <= s and s <= k"],
    ),
]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: " and ".join(row[1]))
def test_what_cannot_hold_is_refused_and_what_can_is_not(row):
    arguments, impossible, said, possible = row
    with pytest.raises(NotPlanned) as refused:
        planned(arguments, *impossible)
    assert [one.reason for one in refused.value.mistakes] == [said]
    assert drawn_calls(*planned(arguments, *possible), 30).calls


def test_the_length_of_a_text_with_a_pattern_is_not_judged():
    assert drawn_calls(*planned({"t": strs(pattern="a{999}")}, "len(t) > 99"), 3).calls


@pytest.mark.parametrize("seed", range(5))
def test_orders_that_can_hold_are_never_refused(seed):
    rng = random.Random(seed)
    for _ in range(20):
        signs = [rng.choice(["<", "<=", "<=", "=="]) for _ in range(4)]
        said = [
            f"{rng.choice('abc')} {one} {rng.choice('abc')} + {rng.randint(-1, 1)}" for one in signs
        ]
        codes = [compile(one, "<said>", "eval") for one in said]
        calls = (
            dict(zip("abc", one, strict=True)) for one in itertools.product(range(6), repeat=3)
        )
        holds = any(all(eval(code, {}, call) for code in codes) for call in calls)
        try:
            planned(dict.fromkeys("abc", ints(0, 5)), *said)
        except NotPlanned:
            assert not holds, said
