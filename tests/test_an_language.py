"""`annotest.an_language`: the published tool's words, with its names, defaults and rules.

Programs annotated in it are in test_published_programs.py.
"""

import inspect
import math
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import hypothesis
import numpy as np
import pytest

import annotest.an_language as an
from annotest.errors import InvalidAnnotation
from annotest.expr import evaluate
from annotest.plan.recipe import build
from annotest.signature import read_signature
from annotest.spec import CcExample, attached

PROGRAMS = Path(__file__).parent / "projects" / "published"
NONE = inspect.Parameter.empty


def drawn_from(constraint: Any, condition: Any, tries: int = 2000) -> Any:
    """Return a value that is really drawn, not only accepted; fail if there is none."""
    strategy = evaluate(constraint.strategy(), None).map(build)
    settings = hypothesis.settings(database=None, derandomize=True, max_examples=tries)
    return hypothesis.find(strategy, condition, settings=settings)


def signature_of(function: Any) -> Any:
    return read_signature(function, attached(function), function.__name__)


# ---- the words: what they take


SIGNATURES = {
    "integers": {"min_value": 0, "max_value": 1000},
    "floats": {
        "min_value": None,
        "max_value": None,
        "allow_nan": None,
        "allow_infinity": None,
        "width": 64,
        "exclude_min": False,
        "exclude_max": False,
    },
    "sampled": {"elements": NONE},
    "array_shapes": {"min_dims": 1, "max_dims": None, "min_side": 1, "max_side": None},
    "np_arrays": {"dtype": None, "shape": None},
    "tuples": {"args": NONE},
    "dictionaries": {"keys": NONE, "values": NONE, "min_size": 0, "max_size": None},
    "obj": {"generator": NONE},
    "multiple": {"args": NONE},
    "integer_lists": {"min_len": 1, "max_len": None, "min_value": 1, "max_value": None},
    "arg": {"arg_name": NONE, "arg_type": NONE},
    "precondition": {"predicate": NONE},
    "deadline": {"time": None},
    "cc_example": {"elements": NONE},
    "annotest_module_test": {},
}
MARKS = {"exclude", "generator"}


def test_the_words_are_those_of_the_published_tool():
    assert set(an.__all__) == SIGNATURES.keys() | MARKS


@pytest.mark.parametrize("name", SIGNATURES)
def test_a_word_takes_its_arguments_in_order_by_name_with_its_defaults(name):
    parameters = inspect.signature(getattr(an, name)).parameters
    found = {p.name: p.default for p in parameters.values()}
    assert list(found.items()) == list(SIGNATURES[name].items())
    kinds = {p.kind for p in parameters.values()}
    starred = list(SIGNATURES[name]) == ["args"]
    plain = inspect.Parameter.POSITIONAL_OR_KEYWORD
    assert kinds <= {inspect.Parameter.VAR_POSITIONAL if starred else plain}


# ---- the words: which values they admit


class Case(NamedTuple):
    constraint: Any
    inside: list[Any]
    outside: list[Any]


NAN, INF = math.nan, math.inf


def array(*items: Any, dtype: str) -> Any:
    return np.array(items, dtype=dtype)


CASES = {
    "integers()": Case(an.integers(), [0, 1000], [-1, 1001, True, 1.0]),
    "integers(5)": Case(an.integers(5), [5, 1000], [4, 1001]),
    "integers(max_value=3)": Case(an.integers(max_value=3), [0, 3], [-1, 4]),
    "integers(-2, 2)": Case(an.integers(-2, 2), [-2, 2], [-3, 3]),
    "floats()": Case(an.floats(), [0.0, -1e308, NAN, INF, -INF], ["0", None]),
    "floats(0)": Case(an.floats(min_value=0), [0.0, 1e308, INF], [NAN, -INF, -0.1]),
    "floats(max_value=0)": Case(an.floats(max_value=0), [0.0, -1e308, -INF], [NAN, INF, 0.1]),
    "floats(0, 1)": Case(an.floats(0, 1), [0.0, 0.5, 1.0], [NAN, INF, -INF, 1.1, -0.1]),
    "floats open": Case(
        an.floats(0, 1, exclude_min=True, exclude_max=True), [1e-300, 0.5], [0.0, 1.0]
    ),
    "floats, no NaN": Case(an.floats(allow_nan=False), [INF, -INF], [NAN]),
    "floats, no infinity": Case(an.floats(allow_infinity=False), [NAN, 1e308], [INF, -INF]),
    "floats(width=32)": Case(an.floats(width=32), [0.5, NAN, INF], [0.1, 1e300]),
    "floats by place": Case(
        an.floats(0, 1, False, False, 64, True, True), [0.5], [0.0, 1.0, NAN, INF]
    ),
    "sampled([…])": Case(an.sampled([True, False]), [True, False], [1, 0, None]),
    "sampled(elements=…)": Case(an.sampled(elements=["a", (1, 2)]), ["a", (1, 2)], ["b", [1, 2]]),
    "array_shapes()": Case(an.array_shapes(), [(1,), (6, 6, 6)], [(), (7,), (1,) * 4, (0,), [1]]),
    "array_shapes(2)": Case(an.array_shapes(2), [(1, 1), (6,) * 4], [(1,), (1,) * 5]),
    "array_shapes(min_side=3)": Case(an.array_shapes(min_side=3), [(3,), (8,)], [(2,), (9,)]),
    "array_shapes, all given": Case(
        an.array_shapes(1, 2, 3, 4), [(3,), (4, 4)], [(2,), (5,), (3, 3, 3)]
    ),
    "np_arrays()": Case(
        an.np_arrays(),
        [
            array(1, dtype="uint8"),
            array(-1, dtype="int64"),
            array(NAN, INF, dtype="float16"),
            np.zeros((6, 6, 6)),
        ],
        [array(True, dtype="bool"), array(1j, dtype="complex64"), np.zeros((7,)), [1]],
    ),
    'np_arrays(np.dtype("float32"), …)': Case(
        an.np_arrays(dtype=np.dtype("float32"), shape=an.array_shapes(min_dims=2)),
        [np.zeros((1, 1), "float32"), np.full((2, 2, 2, 2), NAN, "float32")],
        [np.zeros((1, 1)), np.zeros(3, "float32")],
    ),
    "np_arrays(np.uint8, …)": Case(
        an.np_arrays(np.uint8, an.sampled(elements=[(3,), (3, 2)])),
        [np.zeros(3, "uint8"), np.full((3, 2), 255, "uint8")],
        [np.zeros(2, "uint8"), np.zeros(3, "int8"), np.zeros((2, 3), "uint8")],
    ),
    "tuples": Case(
        an.tuples(an.integers(), an.floats(0, 1)), [(0, 1.0)], [(0,), (0, 2.0), [0, 1.0]]
    ),
    "dictionaries": Case(
        an.dictionaries(an.integers(0, 9), an.sampled(["a"])), [{}, {0: "a", 9: "a"}], [{10: "a"}]
    ),
    "dictionaries, sizes": Case(
        an.dictionaries(keys=an.integers(0, 9), values=an.integers(), min_size=1, max_size=2),
        [{1: 1}, {1: 1, 2: 2}],
        [{}, {1: 1, 2: 2, 3: 3}, {1: -1}],
    ),
    "multiple": Case(
        an.multiple(an.integers(), an.sampled(elements=["a"])), [0, 1000, "a"], [1001, "b", None]
    ),
    "integer_lists()": Case(
        an.integer_lists(), [[1], [6], [1, 6, 3]], [[], [0], [7], [1] * 4, (1,), 1]
    ),
    "integer_lists(2)": Case(an.integer_lists(2), [[1, 1], [6] * 4], [[1], [1] * 5]),
    "integer_lists(min_value=4)": Case(an.integer_lists(min_value=4), [[4], [9]], [[3], [10]]),
    "integer_lists, all given": Case(
        an.integer_lists(min_len=0, max_len=1, min_value=-1, max_value=0),
        [[], [-1], [0]],
        [[1], [-2], [0, 0]],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_word_admits_these_values_and_no_others(name):
    constraint, inside, outside = CASES[name]
    assert [value for value in inside if value not in constraint] == []
    assert [value for value in outside if value in constraint] == []


@pytest.mark.parametrize("name", CASES)
def test_what_is_drawn_is_admitted(name):
    constraint = CASES[name].constraint
    with pytest.raises(hypothesis.errors.NoSuchExample):
        drawn_from(constraint, lambda value: value not in constraint, tries=200)


DRAWN = {
    "integers reach both ends": (an.integers(3, 5), [3, 5]),
    "floats reach NaN and infinities": (an.floats(), [NAN, INF, -INF]),
    "floats from 0 reach infinity": (an.floats(min_value=0), [INF]),
    "integer lists reach both ends": (an.integer_lists(), [[1], [6], [1, 1, 1]]),
    "unions reach every part": (an.multiple(an.integers(), an.sampled(elements=["a"])), [0, "a"]),
    "shapes reach both ends": (an.array_shapes(), [(1,), (6,), (1, 1, 1)]),
    "maps reach the empty one": (an.dictionaries(an.integers(), an.integers()), [{}]),
}


@pytest.mark.parametrize("name", DRAWN)
def test_these_values_are_really_drawn(name):
    constraint, values = DRAWN[name]
    for value in values:
        drawn_from(constraint, lambda one, value=value: repr(one) == repr(value))


@pytest.mark.parametrize("special", [np.isnan, np.isposinf, np.isneginf])
def test_float_arrays_are_drawn_with_nan_and_infinities(special):
    drawn_from(an.np_arrays(np.dtype("float32")), lambda x: special(x).any())


@pytest.mark.parametrize("kind", "iuf")
def test_arrays_without_dtype_are_drawn_of_every_kind(kind):
    drawn_from(an.np_arrays(), lambda x: x.dtype.kind == kind)


# ---- the decorators


@an.exclude()
@an.generator()
def gen() -> int:
    return 1


DECORATORS = {
    "arg": an.arg("x", an.integers()),
    "arg by name": an.arg(arg_name="x", arg_type=an.integers()),
    "arg with obj": an.arg("x", an.obj(generator=gen)),
    "precondition": an.precondition("x > 0"),
    "deadline": an.deadline(timedelta(seconds=27)),
    "deadline by name": an.deadline(time=timedelta(seconds=27)),
    "deadline()": an.deadline(),
    "deadline(None)": an.deadline(None),
    "exclude()": an.exclude(),
    "exclude": an.exclude,
    "generator()": an.generator(),
    "generator": an.generator,
    "cc_example": an.cc_example(elements=[(6, 1), (7, 1)]),
}


@pytest.mark.parametrize("name", DECORATORS)
def test_a_decorator_returns_the_very_function(name):
    def f(x, y=2):
        return x + y

    before = f.__code__, f.__defaults__, f.__name__, f.__doc__
    assert DECORATORS[name](f) is f
    assert (f.__code__, f.__defaults__, f.__name__, f.__doc__) == before
    assert f(1) == 3


def test_exclude_returns_the_very_class():
    class Layer:
        pass

    assert an.exclude()(Layer) is Layer


def test_a_deadline_is_the_time_of_one_call():
    @an.deadline(timedelta(minutes=1, milliseconds=500))
    def f():
        pass

    assert signature_of(f).timeout == 60.5


@pytest.mark.parametrize("decorator", [an.deadline(), an.deadline(None), an.deadline(time=None)])
def test_no_deadline_is_no_limit_of_its_own(decorator):
    @decorator
    def f():
        pass

    assert signature_of(f).timeout is None


def test_a_deadline_in_seconds_is_refused_where_it_is_written():
    with pytest.raises(InvalidAnnotation) as raised:
        an.deadline(27)
    assert raised.value.reason == "@deadline(27) expects a timedelta, got int"
    assert raised.value.remedy == "write @deadline(timedelta(seconds=30))"


def test_cc_example_is_a_list_of_calls():
    @an.cc_example(elements=[(6, 1), (7, 1)])
    def f(self, layers, growth):
        pass

    found = [(one.args, one.kwargs) for one in attached(f) if isinstance(one, CcExample)]
    assert sorted(found) == [((6, 1), {}), ((7, 1), {})]


@pytest.mark.parametrize("elements", [[6, 1], 6, "ab", {"layers": 6}])
def test_cc_example_refuses_what_is_no_list_of_calls(elements):
    with pytest.raises(InvalidAnnotation, match="expects a list of calls, each a tuple"):
        an.cc_example(elements=elements)
