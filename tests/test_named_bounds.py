"""Bounds of elements that are given by names: built, checked, shrunk, told."""

import numpy as np
import pytest
from conftest import annotest, generated, run_json

from annotest import InvalidAnnotation, arg, check_call, ints, np_arrays

MISTAKES = [
    (
        lambda: np_arrays("int64", "b", max="classes -"),
        "np_arrays(max='classes -'): that is no number",
        "use names, whole numbers and arithmetic, as in max='classes-1'",
    ),
    (
        lambda: np_arrays("int64", "b", min="_"),
        "np_arrays(min='_'): that is no number",
        "use names, whole numbers and arithmetic, as in min='classes-1'",
    ),
    (
        lambda: np_arrays("bool", "b", max="n"),
        "np_arrays(dtype='bool', shape='b', max='n') allows nothing: no value of bool lies in the "
        "range",
        "widen the range or take another dtype",
    ),
    (
        lambda: np_arrays("float32", "b", min=0, max="n", allow_infinity=True),
        "np_arrays(dtype='float32', shape='b', min=0, max='n', allow_infinity=True) "
        "allows infinity, and lies between two bounds",
        "drop allow_infinity, or a bound",
    ),
]


@pytest.mark.parametrize(("make", "reason", "remedy"), MISTAKES)
def test_a_bound_that_is_wrong_is_told(make, reason, remedy):
    with pytest.raises(InvalidAnnotation) as raised:
        make()
    assert (raised.value.reason, raised.value.remedy) == (reason, remedy)


def test_one_value_alone_does_not_tell_what_a_name_means():
    labels = np_arrays("int64", "b", min=0, max="classes-1")
    assert np.array([7]) in labels
    assert str(next(labels.mismatches(np.array([-1]), "y"))) == (
        "y[0]: expected at least 0, got -1 (int)"
    )


@arg(y=np_arrays("int64", "b", min=0, max="classes-1"), classes=ints(0, 5))
def labelled(y, classes): ...


@arg(x=np_arrays("float32", "n", min="-n", max="n", exclude_min=True))
def around(x): ...


@arg(y=np_arrays("int64", "b", min=0, max="hidden-1"))
def of_a_dimension(y): ...


class Table:
    def __init__(self, rows):
        self.rows = rows

    @arg(places=np_arrays("int64", "k", min=0, max="self.rows-1"))
    def take(self, places): ...


def zeros(*shape):
    return np.zeros(shape, "int64")


REASONS = [
    ((labelled, zeros(2) + 4, 5), ()),
    (
        (labelled, zeros(2) + 5, 5),
        ("y[0]: expected at most 4, got 5 (int), where b = 2, classes = 5",),
    ),
    (
        (labelled, zeros(0), 0),
        (
            "y: np_arrays(dtype='int64', shape=(0,), min=0, max=-1) allows nothing, "
            "where b = 0, classes = 0",
        ),
    ),
    ((of_a_dimension, zeros(2) + 7), ()),
    ((of_a_dimension, zeros(0)), ()),
    ((around, np.array([3, 2, -2], "float32")), ()),
    (
        (around, np.array([3, 2, -3], "float32")),
        ("x[2]: expected above -3.0, got -3.0 (float), where n = 3",),
    ),
    ((Table(3).take, zeros(1) + 2), ()),
    ((Table(3).take, zeros(1) + 3), ("places[0]: expected at most 2, got 3 (int), where k = 1",)),
]


@pytest.mark.parametrize(("call", "reasons"), REASONS)
def test_check_call_knows_what_the_names_mean(call, reasons):
    assert check_call(*call).reasons == reasons


PROGRAM = """
from annotest import *

@arg(y=np_arrays("int64", "b", min=0, max="classes-1"), classes=ints(0, 9))
def labelled(y, classes):
    assert len(y) < 1 or classes < 1

@arg(y=np_arrays("uint8", "b", min="low", max="high"), low=ints(-5, 5), high=ints(-5, 300))
def of_a_small_dtype(y, low, high):
    assert max(low, 0) <= y.min() and y.max() <= min(high, 255)

@arg(x=np_arrays("float32", "b", min="-k", max="k"), k=ints(1, 9))
def at_the_end(x, k):
    assert x.max() < k

@arg(x=np_arrays("float16", (40, 40), min="k", max="k+1", exclude_max=True), k=ints(1, 9))
def large(x, k):
    assert k <= x.min() and x.max() < k + 1

@arg(xs=lists(np_arrays("int64", "b", min=0, max="k-1"), min_len=1), k=ints(-9, 9))
def in_a_list(xs, k):
    assert all(x.max() < k for x in xs)

@arg(x=np_arrays("int64", "b", min=0, max="hidden-1"))
@require("hidden < 4")
def of_a_dimension(x):
    assert x.max() < 2

@arg(x=np_arrays("int64", "b", min="k", max="5-k"), k=ints(0, 9))
@require("(x > 1).all()")
def with_a_precondition(x, k):
    assert 1 < x.min() and x.max() <= 5 - k

@arg(x=np_arrays("int64", "n", min=0, max="m-1", unique=True), m=ints(1, 9))
def that_differ(x, m):
    assert len(set(x.tolist())) == len(x) <= m

class Table:
    @arg(rows=ints(0, 5))
    def __init__(self, rows):
        self.rows = rows

    @arg(places=np_arrays("int64", "k", min=0, max="self.rows-1"))
    def take(self, places):
        assert self.rows and places.max() < self.rows
"""
FINDINGS = {
    "labelled": "labelled(y=np.array([0], dtype='int64'), classes=1)",
    "at_the_end": "at_the_end(x=np.array([1.0], dtype='float32'), k=1)",
    "of_a_dimension": "of_a_dimension(x=np.array([2], dtype='int64'))",
}


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bounds")
    (folder / "bounds.py").write_text(PROGRAM)
    return run_json("bounds.py", "--seed", 1, "--max-examples", 60, cwd=folder, tmp_path=folder)


def test_elements_lie_within_bounds_and_reach_them(done):
    found = {f["target"]["qualname"]: f["call"].splitlines()[-1] for f in done.report["findings"]}
    assert found == FINDINGS


def test_no_input_is_thrown_away_for_its_bounds(done):
    thrown = {t["qualname"]: t["inputs_discarded"] for t in done.report["targets"]}
    assert {name for name, count in thrown.items() if count} <= {"Table.take"}
    assert all(target["inputs_run"] for target in done.report["targets"])


WRONG = """
from annotest import *

@arg(x=np_arrays("float32", "b", max="limit"), limit=floats(0, 1))
def by_a_float(x, limit): ...

@arg(x=np_arrays("float32", "b", max="self.limit"))
def by_nobody(x): ...

@arg(x=np_arrays("int64", "b", min=9, max="n"), n=ints(1, 3))
def never(x, n): ...
"""


def test_names_that_are_no_numbers_are_mistakes(tmp_path):
    (tmp_path / "wrong.py").write_text(WRONG)
    done = annotest("run", "wrong.py", cwd=tmp_path)
    assert done.stdout.splitlines()[:6] == [
        "mistake wrong.py:4: @arg(\"x\"): the dimension 'limit' has the name of an argument that is no "
        "whole number",
        "        rename the dimension, or annotate the argument with ints(…)",
        "mistake wrong.py:7: @arg(\"x\"): there is no 'self' whose attribute could be a size",
        "        use self or init in a method, or an argument that a generator builds",
        "mistake wrong.py:10: never: its named dimensions cannot agree, whatever their values",
        "        give them other ranges with @dims(…), or correct the shapes",
    ]


LINES = {
    "labelled": 'y = draw(arrays(dtype="int64", shape=(b,), min=0, max=classes - 1))',
    "of_a_small_dtype": "high = draw(st.integers(min_value=max(0, low), max_value=300))",
    "at_the_end": 'x = draw(arrays(dtype="float32", shape=(b,), min=-k, max=k))',
    "large": "large(**inputs)",
    "that_differ": "that_differ(**inputs)",
}


def test_generated_tests_say_the_bounds(tmp_path):
    text = (generated(tmp_path, {"bounds": PROGRAM}) / "test_bounds.py").read_text()
    lines = [line.strip() for line in text.splitlines()]
    assert [name for name, line in LINES.items() if line not in lines] == []


LONE = """
from annotest import *
import numpy as np

@arg(logits=np_arrays("float32", "n classes"), y=labels("n", "clases"))
def misspelt(logits, y):
    assert y.max() < logits.shape[1]

@arg(y=labels("n", "count"), counts=ints(1, 9))
def of_an_argument(y, counts): ...

@arg(y=np_arrays("int64", "n", min="-wide", max="wide"), wider=floats(0, 1))
def of_nothing(y, wider): ...

@arg(a=labels("n", "classes"), b=lists(labels("n", "classes"), len=2))
@dims(classes=ints(1, 3))
def of_given_values(a, b): ...

@arg(y=labels("n", "classes"), z=labels("n", "hidden"))
@require("hidden < 4")
@require(lambda classes: classes > 1)
def of_preconditions(y, z): ...

@arg(y=lists(labels("n", "k")), sizes=int_lists(len="k"))
def of_a_length(y, sizes): ...

class Head:
    width = 3

    @arg(classes=ints(2, 5))
    def __init__(self, classes, **others):
        pass

    @property
    def planes(self):
        return 3

    @arg(y=labels("b", "classes"), at=labels("b", "widths"), z=labels("b", "plane"), o=labels("b", "other"))
    def forward(self, y, at, z, o): ...

    @arg(y=labels("b", "init.classes"), at=labels("b", "self.width"))
    def right(self, y, at): ...

@generator
@arg(y=labels("b", "clases"), classes=ints(1, 3))
def made(y, classes):
    return y

@arg(y=objs(made))
def taken(y): ...
"""
OF_BOUNDS = "nothing but a bound mentions {!r}, so it is any number from 1 to 8."
WARNED = [
    ("misspelt", "y", "clases", " Did you mean 'classes'?"),
    ("of_an_argument", "y", "count", " Did you mean 'counts'?"),
    ("of_nothing", "y", "wide", ""),
    ("Head.forward", "y", "classes", " Did you mean 'init.classes'?"),
    ("Head.forward", "at", "widths", " Did you mean 'self.width'?"),
    ("Head.forward", "z", "plane", " Did you mean 'self.planes'?"),
    ("Head.forward", "o", "other", ""),
    ("made", "y", "clases", " Did you mean 'classes'?"),
]


def test_a_name_that_only_bounds_mention_is_a_warning(tmp_path):
    (tmp_path / "lone.py").write_text(LONE)
    done = run_json("lone.py", "--seed", 1, "--max-examples", 20, cwd=tmp_path, tmp_path=tmp_path)
    told = [
        (each["function"], each["annotation"], each["reason"], each["remedy"], each["warning"])
        for each in done.report["mistakes"]
    ]
    assert sorted(told) == sorted(
        (
            function,
            f'@arg("{argument}")',
            OF_BOUNDS.format(name) + meant,
            "name an argument or a side; if any number will do, say which: "
            f"@dims({name}=ints(1, 8))",
            True,
        )
        for function, argument, name, meant in WARNED
    )
    assert {target["status"] for target in done.report["targets"]} <= {"passed", "failed"}


@pytest.mark.parametrize(
    "command", [["run", "--max-examples", 5], ["list"], ["explain", "misspelt"]]
)
def test_the_warning_is_shown_where_warnings_are(tmp_path, command):
    (tmp_path / "lone.py").write_text(LONE)
    done = annotest(*command, "lone.py", cwd=tmp_path)
    assert (
        "warning lone.py:5: @arg(\"y\"): nothing but a bound mentions 'clases', so it is any number "
        "from 1 to 8. Did you mean 'classes'?\n"
        "        name an argument or a side; if any number will do, say which: "
        "@dims(clases=ints(1, 8))\n"
    ) in done.stdout + done.stderr
