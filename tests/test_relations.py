"""Relations between arguments: read, met by construction, never broken, and never narrowed."""

import math
import os
import random
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import run_json
from relations_random import (
    FINITE_CONSTRAINTS,
    NAMED_CONSTRAINTS,
    TookLong,
    broken,
    brute_force,
    disagreement,
    drawn_calls,
    every_choice,
    mutated,
    planned,
    random_finite,
    random_named,
    random_relation,
    within,
)

from annotest import (
    anys,
    bool_lists,
    bools,
    dicts,
    float_lists,
    floats,
    froms,
    int_lists,
    ints,
    lists,
    np_arrays,
    np_shapes,
    strs,
    tuples,
)
from annotest.plan.planner import NotPlanned

SMALL = ints(0, 20)
SIZES = int_lists(min_len=1, max_len=5, min=1, max=9)
SHAPES = np_shapes(min_dims=1, max_dims=3, min_side=1, max_side=6)
ARRAYS = np_arrays("float32", SHAPES)
MATRICES = np_arrays("float32", np_shapes(min_dims=2, max_dims=2))
DTYPES = np_arrays(froms(["float32", "float64"]), (2,))


def is_multiple(n, k):
    """Say whether n can be divided by k."""
    return n % k == 0


@dataclass
class Case:
    """A precondition that is understood, and the arguments it relates."""

    condition: Any
    constraints: dict

    def __init__(self, condition, **constraints):
        self.condition = condition
        self.constraints = constraints

    @property
    def holds(self):
        if callable(self.condition):
            return lambda values: self.condition(**values)
        scope = {"math": math, "np": np}
        return lambda values: eval(self.condition, {**scope, **values})


CASES = [
    # arithmetic
    Case("h % stride == 0", h=ints(1, 512), stride=ints(1, 16)),
    Case("k <= h + 2*p", h=ints(1, 64), k=ints(1, 31), p=ints(0, 3)),
    Case("(h + 2*p - k) % s == 0 and k <= h + 2*p", h=ints(1, 64), k=SMALL, p=SMALL, s=ints(1, 4)),
    Case("a * b <= limit", a=ints(1, 100), b=ints(1, 100), limit=ints(1, 500)),
    Case("a // b == 3", a=SMALL, b=ints(1, 9)),
    Case("a - b > c", a=SMALL, b=SMALL, c=SMALL),
    Case("abs(a - b) <= 2", a=ints(-20, 20), b=ints(-20, 20)),
    Case("2 ** k == n", k=ints(0, 9), n=ints(1, 512)),
    Case("n & (n - 1) == 0", n=ints(1, 4096)),
    Case("math.gcd(a, b) == 1", a=ints(1, 60), b=ints(1, 60)),
    Case("a / b < 1.5", a=ints(1, 9), b=ints(1, 9)),
    Case("max(a, b) + min(a, b) == 21", a=SMALL, b=SMALL),
    Case("lo < hi", lo=floats(-10, 10), hi=floats(-10, 10)),
    Case("0 < rate <= limit", rate=floats(0, 1), limit=floats(0.1, 1)),
    Case(lambda n, k: n % k == 0, n=ints(1, 200), k=ints(1, 9)),
    Case(is_multiple, n=ints(1, 200), k=ints(1, 9)),
    # comparisons, and what joins them
    Case("1 < a < b <= 9", a=SMALL, b=SMALL),
    Case("a != b", a=ints(0, 3), b=ints(0, 3)),
    Case("a == 0 or b == 0", a=SMALL, b=SMALL),
    Case("not (a < 5 and b < 5)", a=SMALL, b=SMALL),
    Case("not flag or n > 15", flag=bools(), n=SMALL),
    Case("n > 15 if flag else n < 5", flag=bools(), n=SMALL),
    Case("flag == (n > 10)", flag=bools(), n=SMALL),
    Case("n in (3, 5, 7)", n=SMALL),
    Case("n not in range(2, 18)", n=SMALL),
    Case("mode in ('a', 'b') or n == 0", mode=froms(["a", "b", "c"]), n=SMALL),
    Case("mode != 'same' or stride == 1", mode=froms(["same", "valid"]), stride=ints(1, 4)),
    # lists
    Case("len(sizes) == n", sizes=SIZES, n=ints(0, 50)),
    Case("sum(sizes) == n", sizes=SIZES, n=ints(1, 60)),
    Case("max(sizes) - min(sizes) <= 2", sizes=SIZES),
    Case("sizes[0] == sizes[-1]", sizes=SIZES),
    Case("all(one < n for one in sizes)", sizes=SIZES, n=ints(2, 20)),
    Case("any(one == n for one in sizes)", sizes=SIZES, n=ints(1, 9)),
    Case("n in sizes", sizes=SIZES, n=SMALL),
    Case("all(a < b for a, b in zip(x, x[1:]))", x=SIZES),
    Case("x == sorted(x)", x=SIZES),
    Case("len(set(x)) == len(x)", x=SIZES),
    Case("x[:2] == y[:2]", x=SIZES, y=SIZES),
    Case("len(x[1:]) == len(y)", x=SIZES, y=SIZES),
    Case("sum(a) == sum(b)", a=SIZES, b=SIZES),
    Case("sum(a * b for a, b in zip(x, y)) < 40", x=SIZES, y=SIZES),
    Case("all(place < one for place, one in enumerate(x))", x=SIZES),
    Case("sum(weights) <= 1", weights=float_lists(min_len=1, max_len=4, min=0, max=1)),
    Case("pair[0] < pair[1]", pair=tuples(SMALL, SMALL)),
    Case("sorted(order) == list(range(n))", order=int_lists(min_len=1, max_len=5, min=0), n=ints(1, 5)),
    Case(lambda x, n: len(x) == n and min(x) > 2, x=SIZES, n=ints(0, 9)),
    # shapes
    Case("x.shape[1] == y.shape[0]", x=MATRICES, y=MATRICES),
    Case("x.ndim == len(sizes)", x=ARRAYS, sizes=SIZES),
    Case("x.size == math.prod(shape)", x=ARRAYS, shape=SHAPES),
    Case("x.shape[1:] == y.shape[1:]", x=ARRAYS, y=ARRAYS),
    Case("len(x) == n", x=ARRAYS, n=SMALL),
    Case("x.shape == (n, 2 * n)", x=ARRAYS, n=SMALL),
    Case("all(a == b or 1 in (a, b) for a, b in zip(x[::-1], y[::-1]))", x=SHAPES, y=SHAPES),
    Case("(x < n).all()", x=np_arrays("int64", SHAPES, min=0, max=99), n=ints(2, 20)),
    Case("x.max() <= n", x=np_arrays("int64", SHAPES, min=0, max=99), n=ints(2, 20)),
    Case("x.dtype == y.dtype", x=DTYPES, y=DTYPES),
    Case("x.dtype == np.float64 or n == 0", x=DTYPES, n=SMALL),
    # unions and records
    Case("a is not None or b is not None", a=anys(SMALL, None), b=anys(SMALL, None)),
    Case("a is None or a < n", a=anys(SMALL, None), n=SMALL),
    Case("type(x) is not list or len(x) == n", x=anys(-1, SIZES), n=ints(2, 5)),
    Case("isinstance(x, int) or sum(x) == n", x=anys(SMALL, SIZES), n=SMALL),
    Case("('rate' in cfg) == (mode == 'dropout')", mode=froms(["dropout", "none"]), cfg=dicts({"rate?": floats(0, 1)})),
    Case("cfg['low'] < cfg['high']", cfg=dicts({"low": SMALL, "high": SMALL})),
    Case("cfg.get('low', 0) <= n", cfg=dicts({"low?": SMALL}), n=SMALL),
]  # fmt: skip

LISTS = int_lists(min_len=0, max_len=4, min=0, max=5)


def without(bit):
    """Return a condition that remembers a value."""
    return lambda n: n & bit == 0


# each of these was not understood, or misunderstood
ONCE_WRONG = [
    Case("not any(one > 3 for one in x)", x=LISTS),
    Case("x != sorted(x)", x=LISTS),
    Case("not len(set(x)) == len(x)", x=LISTS),
    Case("len(set(x)) != len(x)", x=LISTS),
    Case("isinstance(x[0], int)", x=SIZES),
    Case("all(isinstance(one, int) for one in x)", x=SIZES),
    Case("x[0] is True", x=bool_lists(min_len=1)),
    Case("x[0] is None", x=lists(froms([None, 1]), min_len=1)),
    Case("(x < n).all()", x=np_arrays("float32", (3,)), n=floats(0, 1)),
    Case("(x > n).all() or (x < -n).all()", x=np_arrays("int8", (3,)), n=SMALL),
    Case("type(a) is type(b)", a=froms([1, True, 1.0]), b=froms([1, True, 1.0])),
    Case(lambda n, k=7: n % k == 0, n=ints(0, 100)),
    Case("sum(x or [0]) ** 2 > len(x)", x=LISTS),
    Case("(a or 0) in (0, 1, 4)", a=anys(ints(0, 9), None)),
    Case("(a or 3) == n", a=anys(ints(0, 9), None), n=ints(0, 9)),
    Case("max(x or [0]) <= sum(y)", x=LISTS, y=SHAPES.map(list)),
    Case("len(name) < n", name=strs(max_len=5), n=ints(6, 9)),
    Case("(a or 0) > abs(a or 0) / 2", a=anys(ints(0, 2), None)),
    Case("x.dtype.kind == 'f'", x=np_arrays(froms(["float32", "int32"]), (2,))),
    Case("a != b", a=floats(0, 1), b=floats(0, 1)),
    Case("abs(a) < abs(b)", a=floats(-1, 1), b=floats(-2, 2)),
    Case("all(one < n for one in x)", x=lists(SMALL, min_len=45, max_len=60), n=SMALL),
]


def shown(case):
    return case.condition if isinstance(case.condition, str) else case.condition.__name__


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


# soundness


def problem_of(constraints, condition):
    """Draw calls under a condition, and return what is wrong with one of them, or None."""
    try:
        with within(5):
            planner, plan = planned(constraints, condition)
            drawn = drawn_calls(planner, plan, 15)
    except NotPlanned:
        return None  # a contradiction; whether it is one, completeness says
    except (Exception, TookLong) as error:
        return f"{condition} with {constraints!r}: {type(error).__name__}: {error}"
    found = [broken(constraints, [condition], values) for values in drawn.calls]
    return next((one for one in found if one), None)


AWKWARD = [
    Case("x / 2 > 5", x=ints(0, 10**400)),
    Case("x ** 60 > 1", x=floats(0, 1e6)),
    Case("k**2 <= x", k=ints(1, 10**6), x=ints(0, 10**400)),
    Case("x <= n", x=floats(), n=ints(0, 10**20)),
    Case("x == n", x=floats(), n=ints(0, 10**20)),
    Case("(not x < n).all()", x=np_arrays("int8", (1,)), n=SMALL),
    Case("x.shape == (x, 2 * n)", x=ARRAYS, n=SMALL),
    Case("max(x or [0]) <= sum(y)", x=LISTS, y=SHAPES.map(list)),
    Case("x[n] == 1", x=LISTS, n=SMALL),
    Case("x % n == 0", x=SMALL, n=ints(-1, 1)),
    Case("name[n] != 'a' or x", name=strs(), n=SMALL, x=bools()),
    Case("{'a': n}[name] > 3", name=froms(["a", "b"]), n=SMALL),
]


@pytest.mark.parametrize("case", AWKWARD, ids=shown)
def test_what_raises_is_the_precondition_and_not_annotest(case):
    assert problem_of(case.constraints, case.condition) is None


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::SyntaxWarning")
@pytest.mark.parametrize("start", range(0, 150, 30))
def test_no_random_relation_lets_an_invalid_call_through(start):
    relations = [random_relation(random.Random(seed)) for seed in range(start, start + 30)]
    problems = [problem_of(*relation) for relation in relations]
    assert [one for one in problems if one] == []


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::SyntaxWarning")
@pytest.mark.parametrize("start", range(0, 300, 60))
def test_no_mutated_precondition_lets_an_invalid_call_through(start):
    texts = [case for case in CASES if isinstance(case.condition, str)]
    problems = []
    for seed in range(start, start + 60):
        case = texts[seed % len(texts)]
        condition = mutated(case.condition, case.constraints, random.Random(seed))
        problems.append(problem_of(case.constraints, condition))
    assert [one for one in problems if one] == []


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("start", range(0, 30, 15))
def test_dimensions_agree_whatever_is_required(start):
    problems = []
    for seed in range(start, start + 15):
        condition = random_named(random.Random(seed))
        try:
            planner, plan = planned(NAMED_CONSTRAINTS, condition)
        except NotPlanned:
            continue
        with within(10):
            calls = drawn_calls(planner, plan, 10).calls
        problems += [disagreement(values, condition) for values in calls]
    assert [one for one in problems if one] == []


# completeness


@pytest.mark.parametrize("start", range(0, 400, 50))
def test_every_valid_call_can_be_chosen(start, monkeypatch):
    monkeypatch.setattr("annotest.relations.ways.MOST_SIZES", 1)  # each walk chooses once
    wrong = []
    for seed in range(start, start + 50):
        names, condition = random_finite(random.Random(seed))
        valid = brute_force(names, condition)
        if not names or valid is None:
            continue
        chosen = chosen_of(names, condition)
        if chosen is not None and chosen != valid:
            missing, invalid = sorted(valid - chosen)[:2], sorted(chosen - valid)[:2]
            wrong.append((seed, condition, "missing", missing, "invalid", invalid))
    assert wrong == []


def chosen_of(names, condition):
    """Return all calls that can be chosen; None where they are filtered, not built."""
    constraints = {name: FINITE_CONSTRAINTS[name] for name in names}
    try:
        _, plan = planned(constraints, condition)
    except NotPlanned:
        return set()
    found = every_choice(plan.model, names)
    return found if plan.model.state_of(0) == "built" else None


def test_lists_that_differ_may_have_one_length():
    planner, plan = planned({"x": LISTS, "y": LISTS}, "x != y")
    calls = drawn_calls(planner, plan, 100).calls
    assert any(len(one["x"]) == len(one["y"]) for one in calls)


@pytest.mark.parametrize("condition", ["len(x[-3:-1]) == 2", "len(x[-3:2]) == 0"])
def test_lists_of_all_lengths_that_a_slice_allows_are_drawn(condition):
    valid = {count for count in range(7) if eval(condition, {"x": [0] * count})}
    lengths = int_lists(min_len=0, max_len=6, min=0, max=5)
    planner, plan = planned({"x": lengths}, condition)
    assert {len(call["x"]) for call in drawn_calls(planner, plan, 150).calls} == valid


@pytest.mark.parametrize("name", ["kernel", "size"])
def test_all_arguments_may_be_left_out_whatever_they_are_called(name):
    constraints = {"k": ints(1, 9), name: ints(1, 9)}
    _, plan = planned(constraints, f"k <= {name}", defaults={"k": 1, name: 3})
    left_out = {way.left_out for way in plan.model.ways}
    assert left_out == {frozenset(), frozenset({"k"}), frozenset({name}), frozenset({"k", name})}


def test_each_of_many_arguments_is_left_out_at_times():
    names = "abcdefgh"
    constraints = dict.fromkeys(names, ints(0, 9))
    planner, plan = planned(
        constraints, f"{'+'.join(names)} < 60", defaults=dict.fromkeys(names, 1)
    )
    calls = drawn_calls(planner, plan, 300).calls
    assert [name for name in names if all(name in call for call in calls)] == []


def test_each_of_many_optional_keys_is_there_at_times():
    record = dicts({f"{name}?": ints(0, 1) for name in "abcdefg"})
    planner, plan = planned({"n": SMALL, "record": record}, "n > 9 or 'a' in record")
    calls = drawn_calls(planner, plan, 300).calls
    assert {key for call in calls for key in call["record"]} == set("abcdefg")


# named dimensions

AGREE = '''
import numpy as np
from annotest import *


def arrays(shape):
    return np_arrays("float32", shape)


@arg(x=arrays("n k"), y=arrays("k m"))
def by_name(x, y):
    assert (x @ y).shape == (len(x), y.shape[1])

@arg(x=arrays("n k"), y=arrays("k m"), m=ints(3, 40))
def with_an_argument(x, y, m):
    assert x.shape[1] == y.shape[0] and y.shape[1] == m

@arg(x=arrays("b 2*h w+1 3"), y=arrays("h w"))
def arithmetic(x, y):
    assert x.shape[1:] == (2 * y.shape[0], y.shape[1] + 1, 3)

@arg(x=arrays("... c"), y=arrays("c"))
def any_sides(x, y):
    assert x.shape[-1:] == y.shape

@arg(x=arrays("*batch n"), y=arrays("*batch m"))
def same_sides(x, y):
    assert x.shape[:-1] == y.shape[:-1]

@arg(x=arrays("_ n _"), y=arrays("n _"))
def unnamed(x, y):
    assert x.ndim == 3 and x.shape[1] == y.shape[0]

@arg(x=arrays("b 3"), sizes=int_lists(len="b", min=1, max=9))
def lengths(x, sizes):
    assert len(x) == len(sizes)

@dims(h=ints(5, 6), w=froms([8, 16]))
@arg(x=arrays("h w"), y=arrays("w h"))
def ranges(x, y):
    assert x.shape[0] in (5, 6) and x.shape[1] in (8, 16) and x.shape == y.shape[::-1]

@arg(x=np_arrays(same("T", of=["float32", "float64"]), "n"), y=np_arrays(same("T", of=["float32", "float64"]), "n"))
def dtypes(x, y):
    assert x.dtype == y.dtype and x.shape == y.shape

@arg(x=np_arrays("int8", (ints(2, 3), 4)), y=np_arrays("int8", (2, ints(1, 5))))
def tuples_as_shapes(x, y):
    assert x.shape[0] in (2, 3) and x.shape[1] == 4 and y.shape[0] == 2 and y.shape[1] <= 5

@arg(x=arrays("n k"), heads=ints(1, 8))
@require("k % heads == 0 and n > heads")
def in_preconditions(x, heads):
    assert x.shape[1] % heads == 0 and x.shape[0] > heads

@arg(x=arrays("n"), name=strs())
@require("name.isalpha() or n > 3")
def beside_what_is_drawn(x, name):
    assert name.isalpha() or len(x) > 3

@arg(x=arrays("n k"), y=arrays("k m"), name=strs())
@require("name.isalpha() or k > 3")
def with_a_condition_on_what_is_drawn(x, y, name):
    assert x.shape[1] == y.shape[0]

@arg(x=anys(None, arrays("n 2")), y=arrays("n"))
def in_a_union(x, y):
    assert x is None or x.shape == (len(y), 2)

@arg(xs=lists(arrays("n 2"), min_len=2), y=arrays("n"))
def in_a_list(xs, y):
    assert all(x.shape == (len(y), 2) for x in xs)

@arg(xs=int_lists(len="n"), n=ints(100, 200))
def as_long_as_it_takes(xs, n):
    assert len(xs) == n

@arg(x=arrays("h w"), h=ints(-4, 4))
def never_negative(x, h):
    assert x.shape[0] == h

@arg(x=arrays("h*w 3"))
@require("h > w")
def inside_arithmetic(x):
    assert len(x) > 1

@arg(x=arrays("n"), y=arrays("n"))
def beside_a_default(x, y=np.ones(3, "float32")):
    assert x.shape == y.shape


class Layer:
    @arg(units=ints(1, 9), groups=ints(1, 3))
    @require("units % groups == 0")
    def __init__(self, units, groups=1):
        self.units = units
        self.groups = groups

    @arg(x=arrays("n self.units"), y=arrays("self.units//self.groups n"))
    def forward(self, x, y):
        assert x.shape[1] == self.units
        assert y.shape == (self.units // self.groups, len(x))

    @arg(n=ints(0, 9))
    @require("n < self.units")
    def unit(self, n):
        assert n < self.units


@arg(layer=objs(Layer), x=arrays("n layer.units"))
def of_what_a_generator_builds(layer, x):
    assert x.shape[1] == layer.units
'''  # fmt: skip
FUNCTIONS = [
    line.split("(")[0].removeprefix("def ")
    for line in AGREE.splitlines()
    if line.startswith("def ") and line != "def arrays(shape):"
]
METHODS = ["Layer.__init__", "Layer.forward", "Layer.unit"]


@pytest.fixture(scope="module")
def agreed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("agree")
    (folder / "agree.py").write_text(AGREE)
    return run_json("agree.py", "--seed", 3, "--max-examples", 60, cwd=folder, tmp_path=folder)


@pytest.mark.parametrize("name", [*FUNCTIONS, *METHODS])
def test_dimensions_agree(agreed, name):
    target = agreed.target(name)
    found = [one["call"] for one in agreed.findings(name)]
    assert (target["status"], found) == ("passed", [])
    assert target["inputs_run"] >= 10
    assert target["inputs_discarded"] == 0


ENDS = """
from annotest import *

@dims(h=ints(2, 900), w=ints(3, 4))
@arg(x=np_arrays("uint8", "h w"))
def ends(x):
    if len(x) == 2:
        raise KeyError
    if len(x) == 900:
        raise ValueError

@arg(x=np_arrays("uint8", "h"))
def unsaid(x):
    if len(x) == 1:
        raise KeyError
    if len(x) == 8:
        raise ValueError
    if not 1 <= len(x) <= 8:
        raise TypeError

@arg(x=np_arrays("float32", "n"), y=np_arrays("float32", "n-9"))
def impossible(x, y):
    raise TypeError

@dims(n=ints(1, 3))
@arg(x=lists(ints(0, 9), len="n"), n2=ints(1, 9))
@require("n == n2 + 5")
def contradicted(x, n2):
    raise TypeError
"""


@pytest.fixture(scope="module")
def ends(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ends")
    (folder / "ends.py").write_text(ENDS)
    return run_json("ends.py", "--seed", 3, cwd=folder, tmp_path=folder)


@pytest.mark.parametrize("name", ["ends", "unsaid"])
def test_a_dimension_takes_the_ends_of_its_range(ends, name):
    found = sorted(one["exception"]["type"] for one in ends.findings(name))
    assert found == ["KeyError", "ValueError"]


@pytest.mark.parametrize("name", ["impossible", "contradicted"])
def test_dimensions_that_cannot_agree_make_no_call(ends, name):
    assert ends.findings(name) == []
    assert ends.target(name)["inputs_run"] == 0


DRAWS = """
import random
from relations_random import drawn_calls, planned, random_relation
for seed in range(25):
    constraints, condition = random_relation(random.Random(seed))
    try:
        planner, plan = planned(constraints, condition)
    except Exception as error:
        print(seed, type(error).__name__)
        continue
    print(seed, drawn_calls(planner, plan, 8).calls)
"""


def test_what_is_drawn_does_not_depend_on_hashes():
    outputs = set()
    for number in "123":
        environment = {**os.environ, "PYTHONHASHSEED": number}
        folder = Path(__file__).parent
        command = [sys.executable, "-W", "ignore", "-c", DRAWS]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        outputs.add(done.stdout)
    assert len(outputs) == 1
