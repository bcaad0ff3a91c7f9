"""Every constraint: what it admits, draws, writes and says of itself."""

import importlib.util

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import Phase, find, given, seed, settings

from annotest import (
    anys,
    complexes,
    dicts,
    floats,
    froms,
    int_lists,
    ints,
    lists,
    np_arrays,
    strs,
    tuples,
)
from annotest.constraints import REGISTRY, Constraint
from annotest.testing import Case, cases, check_conformance, strategy_of


@pytest.mark.parametrize("case", cases(), ids=lambda case: repr(case.constraint)[:60])
def test_a_constraint_conforms(case):
    check_conformance(case)


def test_every_registered_constraint_has_a_case():
    of_torch = set() if importlib.util.find_spec("torch") else {"tensors"}
    assert set(REGISTRY) - of_torch == {type(case.constraint).name for case in cases()}


def test_every_case_has_values_inside():
    assert all(case.valid for case in cases())


def test_conformance_fails_for_a_check_that_refuses_what_is_drawn():
    class Wrong(Constraint):
        def strategy(self):
            return ints(0, 9).strategy()

        def mismatches(self, value, at="value"):
            yield from ints(0, 5).mismatches(value, at)

    with pytest.raises(AssertionError):
        check_conformance(Case(Wrong(), valid=[1]))


REPRS = {
    "ints()": ints(),
    "ints(min=5)": ints(5),
    "ints(min=1, max=9)": ints(min_value=1, max_value=9),
    "floats(min=0.0, max=1.0, exclude_min=True)": floats(0, 1, exclude_min=True),
    "froms([1, 'a', None])": froms([1, "a", None]),
    "anys(-1, ints(min=1, max=5))": anys(-1, ints(1, 5)),
    "lists(ints(), max_len=2)": lists(ints(), max_len=2),
    "tuples(ints(), strs())": tuples(ints(), strs()),
    "dicts({'a': ints(), 'b?': strs()})": dicts({"a": ints(), "b?": strs()}),
    "np_arrays(dtype='float32', shape=(3, 4))": np_arrays(np.float32, [3, 4]),
    "np_arrays(dtype='uint8')": np_arrays(np_type=np.dtype("uint8")),
    'froms([float("inf")])': froms([float("inf")]),
}


@pytest.mark.parametrize("text", REPRS)
def test_the_repr_is_the_source_with_defaults_left_out(text):
    assert repr(REPRS[text]) == text


MESSAGES = [
    (lists(ints(0)), [3, -1, "a"], "sizes[1]: expected at least 0, got -1 (int)"),
    (lists(ints(0)), [3, "a"], "sizes[1]: expected a whole number, got 'a' (str)"),
    (ints(1, 5), True, "sizes: expected a whole number, got True (bool)"),
    (floats(0, 1, exclude_max=True), 1.0, "sizes: expected below 1.0, got 1.0 (float)"),
    (
        complexes(max_magnitude=5),
        3 + 5j,
        "abs(sizes): expected at most 5.0, got 5.830951894845301 (float)",
    ),
    (
        complexes(),
        complex(0, float("inf")),
        "sizes: expected a finite complex number, got infj (complex)",
    ),
    (
        complexes(width=64),
        0.1j,
        "sizes: expected a 64-bit complex number, got 0.1j (complex)",
    ),
    (complexes(), "1j", "sizes: expected a complex number, got '1j' (str)"),
    (lists(ints(), max_len=1), [1, 2], "len(sizes): expected at most 1, got 2 (int)"),
    (dicts({"a": ints()}), {}, "sizes: expected a dict with the key 'a', got {} (dict)"),
    (np_arrays("int8", 2), np.zeros(2), "sizes.dtype: expected int8, got 'float64' (str)"),
    (
        np_arrays("int8", (1, 2), max=3),
        np.array([[0, 4]], "int8"),
        "sizes[0, 1]: expected at most 3, got 4 (int)",
    ),
    (
        np_arrays("int8", 2),
        np.zeros((1, 2), "int8"),
        "sizes.shape: expected one of [(2,)], got (1, 2) (tuple)",
    ),
    (anys(None, ints(1, 2)), 3, "sizes: expected any of None, ints(min=1, max=2), got 3 (int)"),
]


@pytest.mark.parametrize(("constraint", "value", "message"), MESSAGES)
def test_a_mismatch_names_the_place_and_the_reason(constraint, value, message):
    assert str(next(iter(constraint.mismatches(value, "sizes")))) == message


def reaches(constraint, predicate):
    return find(strategy_of(constraint.strategy()), predicate, settings=settings(database=None))


def test_both_ends_of_a_range_are_drawn():
    assert reaches(ints(3, 7), lambda value: value == 7) == 7
    assert reaches(ints(3, 7), lambda value: value == 3) == 3


def test_an_unset_float_bound_of_32_bits_is_rounded_inwards():
    lowest = reaches(floats(0.1, 0.2, width=32), lambda value: value < 0.1001)
    assert 0.1 <= lowest <= 0.1001
    assert np.float32(lowest) == lowest


NARROW = [
    floats(width=32),
    floats(width=16),
    floats(0, width=32),
    floats(max=-1, width=32),
    floats(0, exclude_min=True, width=16),
    floats(0, width=32, allow_nan=True),
]


@pytest.mark.parametrize("narrow", NARROW, ids=repr)
def test_no_float_of_few_bits_is_drawn_in_vain(narrow):
    tried, drawn = [], []

    @st.composite
    def counted(draw):
        tried.append(None)
        drawn.append(draw(strategy_of(narrow.strategy())))

    @seed(1)
    @settings(database=None, max_examples=300, phases=[Phase.generate])
    @given(counted())
    def test(_):
        pass

    test()
    assert len(tried) == len(drawn)
    assert all(value in narrow for value in drawn)


def test_values_of_froms_are_not_shared_between_draws():
    shared = [1, 2]
    drawn = reaches(froms([shared, [3]]), lambda value: value == [1, 2])
    assert drawn == shared
    assert drawn is not shared


def test_objects_that_cannot_be_compared_are_listed_by_what_they_hold():
    class Optimizer:
        def __init__(self, rate):
            self.rate = rate

    assert Optimizer(0.1) in froms([Optimizer(0.1)])
    assert Optimizer(0.2) not in froms([Optimizer(0.1)])


def test_every_dtype_of_an_unnamed_dtype_is_reached():
    for dtype in ("int8", "uint64", "float16", "float64"):
        assert reaches(np_arrays(shape=1), lambda value, d=dtype: value.dtype == d).dtype == dtype


def test_help_shows_the_arguments_of_a_constraint():
    import inspect

    parameters = list(inspect.signature(int_lists).parameters)
    assert parameters[:4] == ["min_len", "max_len", "min", "max"]


def test_simpler_complex_numbers_are_as_valid():
    constraint = complexes(max_magnitude=0.75)
    simpler = list(constraint.simpler(0.5 + 0.5j))
    assert simpler == [0j, 0.5 + 0j, 0.5j]


def test_whole_numbers_have_ends_to_be_tried():
    assert ints(0, 1000).structure.is_bounded
    assert not floats().structure.is_bounded
