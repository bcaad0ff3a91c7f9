"""Preconditions that cannot hold are refused before a run; those that can are not."""

import itertools
import random

import pytest
from relations_random import drawn_calls, planned

from annotest import anys, floats, int_lists, ints, lists, sets, strs
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

SOME = int_lists(min=0, max=50, max_len=5)
TWO_OR_MORE = int_lists(min=0, max=50, min_len=2, max_len=5)
THREE = int_lists(min=0, max=50, min_len=3, max_len=3)
B = ints(0, 50)
FLOATS = lists(UNIT, min_len=1, max_len=4)
IN_SOME = "in int_lists(max_len=5, min=0, max=50)"
IN_FLOATS = "in lists(floats(min=0.0, max=1.0), min_len=1, max_len=4)"
# what is said of items cannot hold for those of any length
ITEMS = [
    (
        {"m": SOME, "b": B},
        ["max(m) < b", "any(e > b for e in m)"],
        f"m {IN_SOME}, b in 0..50, any(e > b for e in m) and max(m) < b cannot all hold",
        ["max(m) >= b", "any(e > b for e in m)"],
    ),
    (
        {"x": SOME, "a": B},
        ["a in x", "all(e != a for e in x)"],
        f"x {IN_SOME}, a in 0..50, all(e != a for e in x) and a in x cannot all hold",
        ["a + 1 in x", "all(e != a for e in x)"],
    ),
    (
        {"m": SOME, "b": B},
        ["b in m", "min(m) > b"],
        f"m {IN_SOME}, b in 0..50, min(m) > b and b in m cannot all hold",
        ["b in m", "min(m) >= b"],
    ),
    (
        {"x": int_lists(min_len=4, max_len=60, min=0, max=2)},
        ["len(set(x)) == len(x)"],
        "x in int_lists(min_len=4, max_len=60, min=0, max=2) and len(set(x)) == len(x) cannot "
        "both hold",
        ["len(set(x)) < len(x)"],
    ),
    (
        {"x": TWO_OR_MORE},
        ["x[0] > x[-1]", "sorted(x) == x"],
        "x in int_lists(min_len=2, max_len=5, min=0, max=50), sorted(x) == x and x[0] > x[-1] "
        "cannot all hold",
        ["x[0] >= x[-1]", "sorted(x) == x"],
    ),
    (
        {"a": THREE, "b": THREE, "axis": ints(0, 2)},
        [f"all(i == axis or a[i] {sign} b[i] for i in range(3))" for sign in ("==", "<")],
        "a in int_lists(min_len=3, max_len=3, min=0, max=50), b in int_lists(min_len=3, "
        "max_len=3, min=0, max=50), axis in 0..2, all(i == axis or a[i] < b[i] for i in range(3)) "
        "and all(i == axis or a[i] == b[i] for i in range(3)) cannot all hold",
        [f"all(i == axis or a[i] {sign} b[i] for i in range(3))" for sign in ("==", "<=")],
    ),
    (
        {"x": SOME, "y": SOME},
        ["len(x) != len(y)", "x == y"],
        f"x {IN_SOME}, y {IN_SOME}, x == y and len(x) != len(y) cannot all hold",
        ["len(x) == len(y)", "x == y"],
    ),
    (
        {"x": FLOATS, "a": UNIT},
        ["any(e < a for e in x)", "all(e > a for e in x)"],
        f"x {IN_FLOATS}, a in floats(min=0.0, max=1.0), all(e > a for e in x) and "
        "any(e < a for e in x) cannot all hold",
        ["any(e > a for e in x)", "all(e >= a for e in x)"],
    ),
]
TABLE += ITEMS


@pytest.mark.parametrize("row", TABLE, ids=lambda row: " and ".join(row[1]))
def test_what_cannot_hold_is_refused_and_what_can_is_not(row):
    arguments, impossible, said, possible = row
    with pytest.raises(NotPlanned) as refused:
        planned(arguments, *impossible)
    assert [mistake.reason for mistake in refused.value.mistakes] == [said]
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


SAID_OF_LISTS = [
    *("x == sorted(x)", "x == y", "x != y", "a in x", "a not in x", "len(set(x)) == len(x)"),
    *("all(e {s} a for e in x)", "any(e {s} a for e in x)", "all(e % 2 == {n} for e in x)"),
    *("max(x) {s} a", "min(x) {s} a", "max(x) {s} min(x)", "x[0] {s} x[-1]", "len(x) {s} {n}"),
    *("len(x) {s} len(y)", "sum(x) % 2 == {n}", "sum(x) {s} a", "a % 2 == {n}", "a == 2*len(x)"),
    *("min(x) {s} max(y)", "all(e in y for e in x)", "sum(e for e in x if e > {n}) {s} a"),
    "x[0] {s} a or a {s} {n}",
]
FEW_LISTS = [list(one) for count in (1, 2, 3) for one in itertools.product(range(3), repeat=count)]


@pytest.mark.parametrize("seed", range(8))
def test_what_is_said_of_lists_is_refused_only_where_no_call_fits(seed):
    rng, refused = random.Random(seed), 0
    short = int_lists(min=0, max=2, max_len=3)
    for _ in range(60):
        signs = ["<", "<=", "==", "!=", ">", ">="]
        said = [
            one.format(s=rng.choice(signs), n=rng.randint(0, 2))
            for one in rng.sample(SAID_OF_LISTS, 3)
        ]
        try:
            planned({"x": short, "y": short, "a": ints(0, 3)}, *said)
        except NotPlanned:
            refused += 1
            codes = [compile(one, "<said>", "eval") for one in said]
            calls = itertools.product(FEW_LISTS, FEW_LISTS, range(4))
            for x, y, a in calls:
                assert not all(eval(one, {"x": x, "y": y, "a": a}) for one in codes), said
    assert refused > 4


def test_a_contradiction_in_a_few_of_many_ways_is_not_taken_for_one_in_all():
    optional = {name: anys(None, ints(0, 9)) for name in "abcdefghi"}
    all_given = " and ".join(f"{name} is not None" for name in optional)
    planned(optional, all_given)  # one of 512 ways, of which not all are looked at


def test_one_that_many_alternatives_have_nothing_to_do_with_is_refused():
    optional = {name: anys(None, ints(0, 9)) for name in "abcdefg"}
    given = " and ".join(f"({name} is None or {name} < 9)" for name in optional)
    with pytest.raises(NotPlanned) as refused:
        planned({**optional, "k": B}, given, "k > 50")
    assert [mistake.reason for mistake in refused.value.mistakes] == [
        "k in 0..50 and k > 50 cannot both hold"
    ]
