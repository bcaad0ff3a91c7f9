"""Relations between arguments that are understood: met by construction."""

import pytest
from relations_cases import BORDERS, CASES, DISCARDING, ONCE_WRONG, SIZES, increases, shown, without
from relations_random import drawn_calls, planned, within

from annotest import anys, floats, froms, int_lists, ints, lists, np_arrays, strs, tuples
from annotest.relations.solving.variables import Length, Named


@pytest.mark.parametrize("case", CASES + ONCE_WRONG + DISCARDING, ids=shown)
def test_what_is_understood_is_built_without_a_discard(case):
    planner, plan = planned(case.constraints, case.condition)
    known_before = plan.model.state_of(0) == "built"
    drawn = drawn_calls(planner, plan, 30)
    assert plan.model.ways
    assert plan.model.state_of(0) == "built"
    assert known_before or case in ONCE_WRONG
    assert drawn.calls and not drawn.errors
    assert drawn.refused == 0 or case in DISCARDING
    for values in drawn.calls:
        assert case.holds(values)
        assert all(value in case.constraints[name] for name, value in values.items())


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


def test_of_two_parts_the_one_that_is_understood_is_built():
    numbers = {"a": ints(0, 9), "b": ints(0, 9), "word": strs(alphabet="xyz", max_len=3)}
    planner, plan = planned(numbers, "a < b and 'a' not in word")
    assert plan.model.state_of(0) == "filtered"
    assert drawn_calls(planner, plan).refused == 0


def test_a_condition_that_is_known_of_short_lists_only_is_no_built_one():
    pairs = lists(tuples(anys(None, ints(0, 5)), ints(0, 5)), max_len=3)
    planner, plan = planned({"pairs": pairs}, "all(a is None or a < b for a, b in pairs)")
    drawn = drawn_calls(planner, plan, 50)
    assert plan.model.state_of(0) == "filtered"
    assert any(a is None for call in drawn.calls for a, _ in call["pairs"])


def test_lists_of_which_only_the_length_is_asked_are_drawn_as_a_whole():
    _, plan = planned({"rows": lists(SIZES, max_len=9), "n": ints(1, 9)}, "len(rows) == n")
    (way,) = plan.model.ways
    assert list(way.open_lengths({Length(Named("rows")): 3})) == []


def test_lists_inside_a_long_list_are_drawn_as_a_whole_where_they_would_be_too_many():
    rows = lists(int_lists(min_len=20, max_len=30, min=0, max=9), min_len=90, max_len=90)
    planner, plan = planned({"rows": rows}, "all(len(r) == len(rows[0]) for r in rows)")
    with within(20):
        drawn = drawn_calls(planner, plan, 5)
    assert drawn.refused == 0
    assert all(len({len(one) for one in call["rows"]}) == 1 for call in drawn.calls)


def test_no_array_is_asked_for_values_that_its_dtype_does_not_have():
    arrays = np_arrays(froms(["int8", "float32"]), (2,), min=-3, max=9)
    planner, plan = planned({"x": arrays, "n": ints(1, 9)}, "(x == n / 2).all()")
    assert not drawn_calls(planner, plan, 20).errors


@pytest.mark.parametrize("condition", ["p <= n", "p == n", "p <= 0", "max(p, q) <= n and p != q"])
def test_floats_that_are_compared_with_whole_numbers_stay_floats(condition):
    numbers = {"p": floats(0, 1), "q": floats(-2, 2), "n": ints(0, 4)}
    drawn = drawn_calls(*planned(numbers, condition))
    assert {type(call[name]) for call in drawn.calls for name in "pq"} == {float}


@pytest.mark.parametrize(
    "condition",
    ["math.isclose(sum(w), 1)", "math.isclose(sum(w), 1, abs_tol=1e-3)", "np.isclose(sum(w), 1.0)"],
)
def test_weights_that_nearly_sum_to_one_are_built_and_vary(condition):
    planner, plan = planned({"w": lists(floats(0, 1), min_len=2, max_len=5)}, condition)
    drawn = drawn_calls(planner, plan, 100)
    assert drawn.refused == 0 and plan.model.state_of(0) == "built"
    assert sum(any(0.01 < one < 0.99 for one in call["w"]) for call in drawn.calls) > 50


def test_elements_of_two_arrays_are_bounded_apart():
    values = {"a": np_arrays("int8", 3), "b": np_arrays("int8", 3), "k": ints(-5, 5)}
    planner, plan = planned(values, "(a > k).all()", "(b < k).all()")
    drawn = drawn_calls(planner, plan, 30)
    assert len(drawn.calls) == 30 and drawn.refused == 0
    assert all((call["a"] > call["k"]).all() for call in drawn.calls)


def test_what_is_said_of_each_item_tells_the_length():
    values = {"xs": lists(ints(58, 60), min_len=1, max_len=60)}
    planner, plan = planned(values, "all(x < len(xs) for x in xs)")
    drawn = drawn_calls(planner, plan, 30)
    assert len(drawn.calls) == 30 and drawn.refused == 0
    assert {len(call["xs"]) for call in drawn.calls} <= {59, 60}


def test_alternatives_whose_types_do_not_go_together_are_dropped():
    either = anys(ints(0, 9), int_lists())
    _, plan = planned({"a": either, "b": either}, "isinstance(a, (type(b), str))")
    assert len(plan.model.ways) == 2
