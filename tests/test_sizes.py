"""Sizes, held against a naive evaluator: random expressions × places × where names come from."""

from __future__ import annotations

import sys
import types
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis.errors import Unsatisfiable
from naive import Array, Call, Items, Keys, Mapped, Maybe, Numbers, Small, Where
from sizes_cases import random_call

from annotest import np_arrays
from annotest.errors import InvalidAnnotation
from annotest.plan.planner import NotPlanned
from annotest.strategies import calls

SEEDS_AT_ONCE = 50
ARRAYS = 'np_arrays("float32", '  # how arrays are annotated, up to their shape
FAST, ALL = 200, 6500  # of which some have sizes that are too large, and are left out
DRAWS = 12

RELAXED = settings(
    max_examples=DRAWS,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    verbosity=Verbosity.quiet,
    suppress_health_check=list(HealthCheck),
)


def loaded(source: str) -> types.ModuleType:
    module = types.ModuleType("sizes_under_test")
    module.SEEN = []
    sys.modules[module.__name__] = module
    exec(compile(source, "<sizes>", "exec"), module.__dict__)
    return module


def calls_made(call: Call, arrays: str = ARRAYS) -> list[dict[str, Any]] | str:
    """Return the arguments of some calls, or why there are none."""
    module = loaded(call.source().replace(ARRAYS, arrays))
    target = module.Layer.target if call.own else module.target
    try:

        @RELAXED
        @given(calls(target))
        def make(ready: Any) -> None:
            ready()

        make()
    except (InvalidAnnotation, NotPlanned) as error:
        return f"refused: {error}"
    except Unsatisfiable:
        return "starved"
    return module.SEEN


def wrong_with(seed: int, arrays: str = ARRAYS) -> str:
    """Return what is wrong with the calls of a random case; nothing if all are valid."""
    case = random_call(seed)
    if case is None:
        return ""
    what, call = case
    share = call.share_of_numbers()
    if not share and call.own:
        return ""  # what an instance has is not chosen: its search ends late
    seen = calls_made(call, arrays)
    if isinstance(seen, str):
        return f"{seed}: {what}: {seen}, though {share:.0%} of the numbers fit" if share else ""
    invalid = [one for one in seen if not call.accepts(one)]
    return f"{seed}: {what}: invalid {invalid[0]}" if invalid else ""


def check(seeds: range, arrays: str = ARRAYS) -> None:
    wrong = [said for seed in seeds if (said := wrong_with(seed, arrays))]
    assert not wrong, "\n".join([f"{len(wrong)} of {len(seeds)}", *wrong])


@pytest.mark.parametrize("first", range(0, FAST, SEEDS_AT_ONCE))
def test_every_call_is_valid_by_the_naive_evaluator(first):
    check(range(first, first + SEEDS_AT_ONCE))


@pytest.mark.exhaustive
@pytest.mark.parametrize("first", range(FAST, ALL, SEEDS_AT_ONCE))
def test_every_call_of_very_many_is_valid_by_the_naive_evaluator(first):
    check(range(first, first + SEEDS_AT_ONCE))


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(one, marks=pytest.mark.exhaustive) for one in range(50, 1000, 50))]
)
def test_every_call_with_tensors_is_valid_by_the_naive_evaluator(first):
    pytest.importorskip("torch", reason="torch is not installed")
    check(range(first, first + SEEDS_AT_ONCE), "tensors(")


def test_there_are_enough_combinations():
    told = {case[0] for case in map(random_call, range(ALL)) if case is not None}
    assert len(told) >= 5000


@pytest.mark.parametrize(("rows", "columns"), [(1, 2), (2, 1), (3, 2), (4, 1)])
def test_a_shape_has_the_sides_that_its_other_sides_make(rows, columns):
    constraint = np_arrays("float32", "n n%2+1")
    assert np.zeros((rows, columns), "float32") in constraint
    assert np.zeros((rows, columns + 1), "float32") not in constraint


def test_a_side_that_differs_is_told_with_its_value():
    array = np.zeros((3, 1), "float32")
    (mismatch,) = np_arrays("float32", "n n%2+1").mismatches(array, "x")
    assert str(mismatch) == "x.shape[1]: expected n%2+1 = 2, got 1 (int)"


def test_a_side_that_cannot_be_evaluated_is_never_right():
    array = np.zeros((0, 1), "float32")
    (mismatch,) = np_arrays("float32", "n 4//n").mismatches(array, "x")
    assert str(mismatch) == "x.shape[1]: expected a size 4//n, which is none, got 1 (int)"


@pytest.mark.parametrize("size", ["0-1", "3//0", "2**(0-1)", "f(n)", "min(n,key=abs)", "n<2"])
def test_what_can_never_be_a_size_is_refused(size):
    with pytest.raises(InvalidAnnotation, match=r"is (no|never a) size"):
        np_arrays("float32", size)


SEEN_IN_REAL_USE = [
    Call({"x": Array(("n",)), "tail": Array(("n%4",))}, dims=("n",)),
    Call({"rank": Small(1, 3), "a": Maybe(Numbers("rank"))}),
    Call({"k": Small(0, 3), "x": Array(("8//k",))}),
    Call({"k": Small(0, 3), "x": Numbers("8%k")}),
    Call({"x": Mapped(Array(("b", "self.d")))}, dims=("b",), own={"d": Small(1, 4)}),
    Call({"x": Where(Array(("b", "self.d")))}, dims=("b",), own={"d": Small(1, 4)}),
    Call({"x": Items(Array(("b", "self.d")))}, dims=("b",), own={"d": Small(1, 4)}),
    Call({"k": Small(1, 4), "x": Keys(Numbers("k"), Array(("k-2",)))}),
]


@pytest.mark.parametrize("call", SEEN_IN_REAL_USE, ids=lambda call: ", ".join(call.arguments))
def test_sizes_that_were_wrong_in_real_use(call):
    seen = calls_made(call)
    assert seen
    assert [arguments for arguments in seen if not call.accepts(arguments)] == []
