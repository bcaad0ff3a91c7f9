"""NaN is drawn where a precondition may hold for it, and nowhere else."""

import math

import pytest
from relations_random import drawn_calls, planned

from annotest import float_lists, floats, lists

NUMBER = floats(-10, 10, allow_nan=True)
ANY = floats(allow_nan=True)
SHARES = float_lists(min=0, max=1, allow_nan=True)

RULED_OUT = [
    ({"a": NUMBER, "b": NUMBER}, "a < b"),
    ({"a": NUMBER, "b": NUMBER, "c": NUMBER}, "a < b <= c and c > 0"),
    ({"a": ANY, "b": ANY, "c": ANY}, "a + b + c == 1"),
    ({"a": NUMBER, "b": NUMBER}, "abs(-a) >= b / 2"),
    ({"x": SHARES}, "sum(x) <= 1"),
    ({"x": lists(NUMBER, max_len=4)}, "all(e > 3 for e in x)"),
]


@pytest.mark.parametrize("row", RULED_OUT, ids=lambda row: row[1])
def test_what_is_false_for_nan_is_built_without_it(row):
    drawn = drawn_calls(*planned(*row), 50)
    assert len(drawn.calls) == 50 and not drawn.refused


def has_nan(call):
    numbers = [
        one for value in call.values() for one in (value if value.__class__ is list else [value])
    ]
    return any(map(math.isnan, numbers))


LEFT_IN = [
    ({"a": NUMBER, "b": NUMBER}, "a != b"),
    ({"a": NUMBER, "b": NUMBER}, "not a > b"),
    ({"a": NUMBER, "b": NUMBER}, "a < b or b < 5"),
    ({"a": NUMBER, "b": NUMBER}, "a > 5 if b == b else b != b"),
    ({"a": NUMBER, "b": NUMBER}, "a ** 0 == 1 and b < 9"),
    ({"a": NUMBER, "b": NUMBER}, "max(b, a) > 5 and b > 5"),
    ({"x": SHARES, "a": NUMBER}, "all(e > a for e in x if e == e)"),
    ({"x": SHARES}, "any(e > 0.5 for e in x)"),
    ({"x": lists(NUMBER, max_len=1), "a": NUMBER}, "all(a > e for e in x)"),
]


@pytest.mark.parametrize("row", LEFT_IN, ids=lambda row: row[1])
def test_what_can_hold_for_nan_is_tested_with_it(row):
    planner, plan = planned(*row)
    assert any(
        has_nan(call) for seed in range(20) for call in drawn_calls(planner, plan, 50, seed).calls
    )


def test_a_function_that_is_called_as_a_builtin_may_say_anything_of_nan():
    constraints = {"a": NUMBER}
    planner, plan = planned(constraints, "abs(a) > 0", defaults={"abs": lambda one: 1})
    assert any(has_nan(call) for call in drawn_calls(planner, plan, 50).calls)
