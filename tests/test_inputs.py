"""`inputs` and `calls` from annotest.strategies: valid arguments, shown as a call that can be pasted."""

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings

from annotest import arg, dicts, froms, generator, int_lists, ints, np_arrays, objs, require
from annotest.strategies import calls, inputs

FEW = settings(
    max_examples=50,
    database=None,
    derandomize=True,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate, Phase.shrink],
)


@arg(sizes=int_lists(min=1, max=9, max_len=4), total=ints(1, 30), step=ints(1, 50))
@require("sum(sizes) == total")
def offsets(sizes, total, *, step=1):
    assert len(sizes) < 2


@arg(x=np_arrays("float32", "n k"), k=ints(1, 4))
@require("n == 2 * k")
def dense(x, k):
    assert k < 2


@arg(options=dicts({"a": ints(0, 9), "b?": ints(0, 9)}), n=ints(0, 9))
@require("options['a'] == n")
def spread(n, **options):
    assert options["a"] == n


@generator
@arg(low=ints(0, 9), high=ints(0, 9))
@require("low < high")
def spans(low, high):
    return range(low, high)


@arg(span=objs(spans))
def measured(span):
    assert len(span) > 9


class Layer:
    @arg(units=ints(1, 9), groups=ints(1, 9))
    @require("units % groups == 0")
    def __init__(self, units, groups):
        self.units = units
        assert units % groups == 0

    @arg(n=ints(1, 99))
    @require("n % self.units == 0")
    def cut(self, n):
        assert n < 2

    @classmethod
    @arg(a=ints(1, 9), b=ints(1, 9))
    @require("a * b == 12")
    def of_area(cls, a, b):
        assert cls is Layer and a * b == 13

    @staticmethod
    @arg(a=ints(1, 9), b=ints(1, 9))
    @require("a * b == 12")
    def area(a, b):
        assert a * b == 12


@arg(n=ints(1, 9), m=ints(1, 9))
@require("n < m")
def by_place(n, /, m):
    assert n < m


@arg(items=int_lists(), n=ints(1, 9))
@require("len(items) == n")
def starred(n, *items):
    assert len(items) == n


def drawn_from(strategy):
    found = []

    def test(drawn):
        found.append(drawn)

    FEW(given(strategy)(test))()
    return found


def shown(strategy, call):
    """Return what Hypothesis shows of an input for which a test fails."""

    def test(given_):
        call(given_)

    with pytest.raises(Exception) as failed:
        FEW(given(given_=strategy)(test))()
    text = "\n".join(failed.value.__notes__)
    return text.partition("given_=")[2].rpartition(",")[0]


def test_inputs_are_keyword_arguments_that_satisfy_all_that_is_said():
    drawn = drawn_from(inputs(offsets))
    assert all(
        type(drawn_call["sizes"]) is list and sum(drawn_call["sizes"]) == drawn_call["total"]
        for drawn_call in drawn
    )
    assert {len(drawn_call) for drawn_call in drawn} == {2, 3}  # the default is left out, or not
    assert len({tuple(drawn_call["sizes"]) for drawn_call in drawn}) > 10


def test_inputs_of_a_dictionary_spread_are_spread():
    drawn = drawn_from(inputs(spread))
    assert all(drawn_call["a"] == drawn_call["n"] for drawn_call in drawn)
    assert {frozenset(drawn_call) for drawn_call in drawn} == {frozenset("na"), frozenset("nab")}


@pytest.mark.parametrize("function", [Layer, Layer.area], ids=["class", "static"])
def test_inputs_of_what_can_be_called(function):
    for one in drawn_from(inputs(function)):
        function(**one)


def test_each_input_is_built_anew():
    drawn = drawn_from(inputs(dense))
    assert len({id(drawn_call["x"]) for drawn_call in drawn}) == len(drawn)


@pytest.mark.parametrize(
    ("strategy", "call", "text"),
    [
        (inputs(offsets), lambda one: offsets(**one), "offsets(sizes=[1, 1], total=2)"),
        (calls(offsets), lambda one: one(), "offsets(sizes=[1, 1], total=2)"),
        (
            inputs(dense),
            lambda one: dense(**one),
            "dense(x=np.full((4, 2), 0.0, dtype='float32'), k=2)",
        ),
        (inputs(measured), lambda one: measured(**one), "measured(span=spans(low=0, high=1))"),
        (calls(Layer.cut), lambda one: one(), "Layer(units=1, groups=1).cut(n=2)"),
        (calls(Layer.of_area), lambda one: one(), "Layer.of_area(a=2, b=6)"),
        (inputs(Layer.of_area), lambda one: Layer.of_area(**one), "Layer.of_area(a=2, b=6)"),
    ],
    ids=[
        "two lists",
        "two lists called",
        "array",
        "generator",
        "method",
        "class method",
        "by name",
    ],
)
def test_a_failing_input_is_shown_as_the_call(strategy, call, text):
    assert shown(strategy, call) == text


@arg(x=froms([np.arange(1000.0).reshape(1000, 1)]))
def noisy(x):
    pass


def test_an_array_of_many_numbers_is_one_line():
    (drawn, *_) = drawn_from(inputs(noisy))
    text = repr(drawn)
    assert text.startswith("noisy(x=np.array([[") and "\n" not in text
    assert np.array_equal(eval(text[8:-1], {"np": np}), drawn["x"])


@arg(name=ints(100_000, 999_999), other=ints(100_000, 999_999), third=int_lists(len=9, min=10**6))
def wide(name, other, third):
    pass


def test_a_call_that_does_not_fit_on_one_line_is_written_over_several():
    (drawn, *_) = drawn_from(inputs(wide))
    lines = repr(drawn).splitlines()
    assert lines[0] == "wide(" and lines[-1] == ")" and max(map(len, lines)) <= 80


@pytest.mark.parametrize("function", [by_place, starred, Layer.cut])
def test_inputs_are_refused_where_not_all_can_be_passed_by_name(function):
    name = function.__qualname__
    with pytest.raises(TypeError) as error:
        inputs(function)
    assert str(error.value) == (
        f"inputs({name}): not all arguments can be passed by name; use calls({name})"
    )
    assert drawn_from(calls(function))


@arg(n=ints(0, 9))
@require("1 // n >= 0")
def divided(n):
    pass


def test_what_a_precondition_raises_is_shown():
    with pytest.raises(ZeroDivisionError):
        drawn_from(inputs(divided))
