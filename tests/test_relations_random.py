"""Relations made at random: no invalid call is let through, and every valid one can be chosen."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from relations_cases import ARRAYS, CASES, LISTS, SHAPES, SMALL, Case, shown
from relations_finite import FINITE_CONSTRAINTS, brute_force, every_choice, random_finite
from relations_random import (
    NAMED_CONSTRAINTS,
    TookLong,
    broken,
    disagreement,
    drawn_calls,
    mutated,
    names_of,
    planned,
    random_named,
    random_relation,
    within,
)

from annotest import (
    bools,
    dicts,
    floats,
    froms,
    int_lists,
    ints,
    np_arrays,
    strs,
)
from annotest.plan.planner import NotPlanned

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
    problems = (broken(constraints, [condition], values) for values in drawn.calls)
    return next(filter(None, problems), None)


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


def first_of(starts):
    """Return where seeds start, as parameters: the first part is enough for every change."""
    more = (pytest.param(start, marks=pytest.mark.exhaustive) for start in starts[1:])
    return [starts[0], *more]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::SyntaxWarning")
@pytest.mark.parametrize("start", first_of(range(0, 150, 30)))
def test_no_random_relation_lets_an_invalid_call_through(start):
    relations = [random_relation(random.Random(seed)) for seed in range(start, start + 30)]
    problems = [problem_of(*relation) for relation in relations]
    assert [*filter(None, problems)] == []


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::SyntaxWarning")
@pytest.mark.parametrize("start", first_of(range(0, 300, 60)))
def test_no_mutated_precondition_lets_an_invalid_call_through(start):
    texts = [case for case in CASES if isinstance(case.condition, str)]
    problems = []
    for seed in range(start, start + 60):
        case = texts[seed % len(texts)]
        condition = mutated(case.condition, case.constraints, random.Random(seed))
        problems.append(problem_of(case.constraints, condition))
    assert [*filter(None, problems)] == []


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("start", [0, pytest.param(15, marks=pytest.mark.exhaustive)])
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
    assert [*filter(None, problems)] == []


# completeness


@pytest.mark.parametrize("start", first_of(range(0, 400, 50)))
def test_every_valid_call_can_be_chosen(start, monkeypatch):
    monkeypatch.setattr("annotest.relations.arguments.ways.MOST_SIZES", 1)  # each walk chooses once
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


LOOPS = [
    "all(i < j for i in l for j in l if i != a)",
    "all(i + j < a for i in l if i for j in l)",
    "any(i < j == a for i in l for j in l)",
    "all(l[i] <= l[j] for i in range(len(l)) for j in range(len(l)) if i < j) and a < 3",
    "not any(i == j for i in l if i != a for j in (1, 2) if j < a)",
]


NESTED = [
    "all(u < v for u, v in p) and len(p) < a",
    "all(u + v < a for u, v in p)",
    "all(e[1] == d[0] for e, d in zip(p, p[1:])) and a == len(p)",
    "p == sorted(p) and len(set(p)) == len(p) and a in (0, len(p))",
    "any(u == a for e in p for u in e)",
    "all(len(e) == len(r[0]) for e in r) and a < 2",
    "len({len(e) for e in r}) == 1 and a == 3",
    "all(u < a for e in r for u in e)",
    "sum(len(e) for e in r) == a",
    "any(sum(e) == a for e in r if e)",
    "not all(e == sorted(e) for e in r) and a > 3",
]


@pytest.mark.parametrize("condition", NESTED)
def test_every_valid_call_can_be_chosen_where_lists_have_items_inside(condition, monkeypatch):
    monkeypatch.setattr("annotest.relations.arguments.ways.MOST_SIZES", 1)  # each walk chooses once
    names = sorted(names_of(condition) & {"a", "p", "r"})
    assert chosen_of(names, condition) == brute_force(names, condition)


@pytest.mark.parametrize("condition", LOOPS)
def test_every_valid_call_can_be_chosen_where_loops_have_loops_and_conditions_inside(condition):
    assert chosen_of(["a", "l"], condition) == brute_force(["a", "l"], condition)


def chosen_of(names, condition):
    """Return all calls that can be chosen; None where they are filtered, not built."""
    constraints = {name: FINITE_CONSTRAINTS[name] for name in names}
    try:
        _, plan = planned(constraints, condition)
    except NotPlanned:
        return set()
    chosen = every_choice(plan.model, names)
    return chosen if plan.model.state_of(0) == "built" else None


def test_lists_that_differ_may_have_one_length():
    planner, plan = planned({"x": LISTS, "y": LISTS}, "x != y")
    calls = drawn_calls(planner, plan, 100).calls
    assert any(len(call["x"]) == len(call["y"]) for call in calls)


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


@pytest.mark.slow
def test_what_is_drawn_does_not_depend_on_hashes():
    outputs = set()
    for number in "12":
        environment = {**os.environ, "PYTHONHASHSEED": number}
        folder = Path(__file__).parent
        command = [sys.executable, "-W", "ignore", "-c", DRAWS]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        outputs.add(done.stdout)
    assert len(outputs) == 1
