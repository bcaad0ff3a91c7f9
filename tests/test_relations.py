"""Relations between arguments that are understood: met by construction."""

import pytest
from relations_cases import BORDERS, CASES, ONCE_WRONG, SIZES, increases, shown, without
from relations_random import drawn_calls, planned, within

from annotest import ints


@pytest.mark.parametrize("case", CASES + ONCE_WRONG, ids=shown)
def test_what_is_understood_is_built_without_a_discard(case):
    planner, plan = planned(case.constraints, case.condition)
    drawn = drawn_calls(planner, plan, 50)
    assert plan.model.ways
    assert plan.model.state_of(0) == "built"
    assert drawn.calls and not drawn.errors
    assert drawn.refused == 0
    for values in drawn.calls:
        assert case.holds(values)
        assert all(value in case.constraints[name] for name, value in values.items())


@pytest.mark.parametrize("case", CASES, ids=shown)
def test_what_is_understood_is_known_before_anything_is_drawn(case):
    _, plan = planned(case.constraints, case.condition)
    assert plan.model.state_of(0) == "built"


def test_conditions_with_values_of_their_own_are_kept_apart():
    planner, plan = planned({"n": ints(0, 100)}, without(1), without(2))
    assert drawn_calls(planner, plan).refused == 0


def test_a_condition_that_nothing_meets_is_soon_given_up():
    planner, plan = planned({"x": SIZES}, "x in x")
    with within(5):
        assert drawn_calls(planner, plan).calls == []


def test_a_rare_number_is_found_or_soon_given_up():
    planner, plan = planned({"n": ints(1, 2 * 10**6)}, "n ** 5 == 10**30")
    with within(5):
        assert all(call == {"n": 10**6} for call in drawn_calls(planner, plan).calls)


def test_a_condition_known_only_as_a_function_of_a_list_is_met_soon_at_some_length():
    planner, plan = planned({"b": BORDERS}, increases)
    with within(3):
        drawn = drawn_calls(planner, plan)
    assert drawn.refused == 0
    assert {len(call["b"]) for call in drawn.calls} >= {1, 2, 3}


def test_numbers_that_are_each_hard_to_find_are_found_together():
    numbers = {name: ints(1, 10**6) for name in "abcd"}
    rare = [f"pow(7 * {one}, 1, 20011) == {two} % 20011" for one, two in ("ba", "cb", "dc")]
    planner, plan = planned(numbers, *rare)
    drawn = drawn_calls(planner, plan, 5)
    assert len(drawn.calls) == 5
    assert drawn.refused == 0
