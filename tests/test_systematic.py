"""What is tried before chance: each choice of a call at its ends, then pairs; and when to stop."""

import contextlib
import importlib
import itertools
import sys
from pathlib import Path

import pytest
from conftest import annotest, run_json
from hypothesis.errors import Unsatisfiable
from in_process import failures_found

from annotest import (
    anys,
    arg,
    bools,
    dicts,
    dims,
    floats,
    froms,
    generator,
    int_lists,
    ints,
    lists,
    np_arrays,
    np_shapes,
    objs,
    require,
    sets,
    strs,
    tuples,
)
from annotest.engine.shards import Shard, shards_of
from annotest.outside import annotations_of
from annotest.plan.narrowing import factors_in, narrower
from annotest.plan.pinning import NoSuchCall
from annotest.plan.planner import Planner
from annotest.plan.strategy import Interpreter, Tally
from annotest.plan.systematic import cases, factors_of
from annotest.signature import read_signature
from annotest.testing import cases as shipped
from annotest.testing import every_value_is_inside, strategy_of

LONG = froms([f"resnet{number}" for number in range(5000)])
SETTINGS = [
    (ints(0, 64), {"": ["0", "64", "1"]}),
    (ints(-40, 40), {"": ["-40", "40", "0", "1"]}),
    (ints(1, 10**6), {"": ["1", "1000000"]}),
    (ints(1, 3), {"": ["1", "2", "3"]}),
    (ints(3, 3), {}),
    (floats(0, 0.5), {"": ["0.0", "0.5"]}),
    (floats(), {"": ["0.0", "1.0"]}),
    (floats(0, 1, exclude_min=True), {"": ["5e-324", "1.0"]}),
    (floats(allow_nan=True, allow_infinity=True), {"": ["0.0", "1.0", "nan", "inf", "-inf"]}),
    (bools(), {"": ["False", "True"]}),
    (froms(["same", "valid"]), {"": ["'same'", "'valid'"]}),
    (LONG, {"": ["'resnet0'", "'resnet4999'"]}),
    (anys(None, ints(1, 99), "full"), {"": ["None", "1", "99", "'full'"]}),
    (anys(None, strs(pattern="a+")), {"": ["None", "strs(pattern='a+')"]}),
    (strs(max_len=7), {"": ["length 0", "length 1", "length 7"]}),
    (strs(pattern="a+"), {}),
    (sets(bools()), {"": ["length 0", "length 1"]}),
    (
        lists(strs(), min_len=2, max_len=2),
        {"": ["length 2", "of length 0", "of length 1", "of length 20"]},
    ),
    (
        lists(ints(0, 99)),
        {"": ["length 0", "length 1", "length 10", "of 0", "of 99", "of 1"]},
    ),
    (dicts(strs(), ints()), {"": ["length 0", "length 1", "length 5"]}),
    (
        tuples(ints(20, 70), bools()),
        {"[0]": ["20", "70"], "[1]": ["False", "True"]},
    ),
    (
        dicts({"lr": floats(0, 1), "steps?": ints(1, 99), "name?": strs(pattern="a+")}),
        {
            "['lr']": ["0.0", "1.0"],
            "['steps']": ["left out", "1", "99"],
            "['name']": ["left out", "given"],
        },
    ),
    (
        dicts({"size?": tuples(ints(1, 99), ints(5, 5))}),
        {"['size']": ["left out", "given"], "['size'][0]": ["1", "99"]},
    ),
    (ints(0, 99).where(bool), {".base": ["0", "99", "1"]}),
    (ints(0, 99).map(str), {".base": ["0", "99", "1"]}),
    (
        np_arrays("float32", np_shapes(max_dims=2, min_side=0, max_side=9), min=0, max=1),
        {
            ".shape": ["length 1", "length 2", "of 0", "of 9", "of 1"],
            ".elements": ["0", "1"],
        },
    ),
    (
        np_arrays(froms(["int8", "float64"]), (3, ints(1, 50))),
        {".shape[1]": ["1", "50"], ".dtype": ["'int8'", "'float64'"]},
    ),
    (np_arrays("float32", "b c"), {}),
]


def told(path):
    return "".join(part if str(part).startswith(".") else f"[{part!r}]" for part in path)


@pytest.mark.parametrize(("constraint", "expected"), SETTINGS, ids=lambda case: repr(case)[:40])
def test_choices_are_pinned_to_their_ends_and_each_of_few_values(constraint, expected):
    settings = {
        told(path): [setting.text for setting in settings]
        for path, settings in factors_in(constraint, ())
    }
    assert settings == expected


@pytest.mark.parametrize("case", shipped(), ids=lambda case: repr(case.constraint)[:60])
def test_what_a_constraint_is_narrowed_to_is_inside_it(case):
    for setting in itertools.islice(narrower(case.constraint), 12):
        values = strategy_of(setting.constraint.strategy())
        with contextlib.suppress(Unsatisfiable):  # a .where refuses what is pinned
            every_value_is_inside(case.constraint, values, examples=3)


def planned(function):
    planner = Planner()
    notes = annotations_of(function, f"m:{function.__name__}")
    return planner.plan_function(function, read_signature(function, notes, "f")), planner


@arg(a=bools(), b=froms(["x", "y", "z"]), n=ints(0, 64), cut=anys(None, ints(1, 9)))
def options(n, a=False, b="x", cut=None):
    pass


def test_singles_come_first_in_declared_order_simple_then_random_then_pairs():
    plan, planner = planned(options)
    every = list(cases(plan, planner))
    singles = [case for case in every if len(case.pinned) <= 1]
    assert every[: len(singles)] == singles
    told = [
        " ".join(f"{factor.path[0]}={setting.text}" for factor, setting in case.pinned)
        + " …" * case.is_random
        for case in singles
    ]
    given = ["n=0", "n=64", "n=1", "a=False", "a=True", "b='x'", "b='y'", "b='z'"]
    given += ["cut=None", "cut=1", "cut=9"]
    at_random = [*given]
    for place, name in ((3, "a"), (6, "b"), (10, "cut")):
        at_random.insert(place, f"{name}=left out")
    assert told == [*given, *(f"{name} …" for name in at_random)]


def test_rows_have_every_pair_of_two_choices_and_are_few():
    plan, planner = planned(options)
    factors = factors_of(plan, planner)
    rows = [case.pinned for case in cases(plan, planner) if len(case.pinned) > 1]
    met = {
        frozenset(((first.path, one.text), (second.path, other.text)))
        for row in rows
        for (first, one), (second, other) in itertools.combinations(row, 2)
    }
    wanted = {
        frozenset(((first.path, one.text), (second.path, other.text)))
        for first, second in itertools.combinations(factors, 2)
        for one in first.pins
        for other in second.pins
    }
    assert met == wanted
    assert len(rows) <= 1.5 * 16  # of the two choices with most settings alone there are 4 * 4


@generator
@arg(depth=ints(1, 3), wide=bools())
def nets(depth, wide):
    return depth, wide


@arg(net=objs(nets), x=np_arrays("float32", "b c"), labels=int_lists(len="b"))
@dims(c=ints(1, 40))
def trained(net, x, labels):
    pass


def test_dimensions_and_what_generators_are_given_are_choices_too():
    plan, planner = planned(trained)
    told = {
        factor.name_in(plan): [pin.text for pin in factor.pins]
        for factor in factors_of(plan, planner)
    }
    assert told == {
        "b": ["1", "8"],
        "c": ["1", "40"],
        "depth of nets": ["1", "2", "3"],
        "wide of nets": ["False", "True"],
    }


@arg(dim=ints(1, 512), heads=ints(1, 512), gap=ints(0, 5))
@require("dim % heads == 0")
@require("gap < 3")
def attention(dim, heads=7, gap=0):
    pass


def test_what_no_valid_call_has_is_no_case():
    plan, planner = planned(attention)
    impossible = []
    for case in cases(plan, planner):
        try:
            Interpreter(planner, Tally(), case.pins).recipes(plan, None, None)
        except NoSuchCall:
            impossible += [case.pinned] if len(case.pinned) == 1 and case.is_random else []
    assert [setting.text for ((_, setting),) in impossible] == ["3", "4", "5"]


def test_at_most_half_of_the_inputs_are_systematic_whatever_the_shards():
    for inputs in (1, 2, 99, 100, 250, 1000):
        shards = shards_of(inputs)
        taken = [number for shard in shards for number in shard.systematic]
        assert taken == list(range(inputs // 2))
        assert all(len(shard.systematic) <= shard.examples // 2 + 1 for shard in shards)
    assert Shard(1, 100).systematic == range(50, 100)


CALLED = """\
from annotest import *

CALLS = []


@arg(n=ints(0, 640), mode=froms(["a", "b"]), sizes=lists(ints(1, 9)))
def plain(n, mode="a", sizes=None):
    CALLS.append((n, mode, sizes))


@arg(dim=ints(1, 512), heads=ints(1, 512), x=np_arrays("int8", "b dim"))
@require("dim % heads == 0")
def related(x, dim, heads=1):
    assert dim % heads == 0 and x.shape[1] == dim
    CALLS.append((len(x), dim, heads))


@arg(n=ints(0, 100000))
@require("n * 31 % 97 == sum(map(int, str(n)))")
def rare(n):
    CALLS.append(n)
"""


@pytest.fixture
def called(project, monkeypatch):
    """Return what calls the functions of a module, and with what they were called."""
    folder = project(called=CALLED)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "called", raising=False)
    module = importlib.import_module("called")

    def calls(name, inputs):
        module.CALLS.clear()
        assert failures_found("called", str(folder), (name,), 7, inputs)[name] == []
        return list(module.CALLS)

    return calls


def test_a_search_begins_with_each_choice_and_all_others_simple(called):
    calls = called("plain", 60)
    assert calls[:3] == [(0, "a", []), (640, "a", []), (1, "a", [])]
    assert calls[3:5] == [(0, "a", []), (0, "b", [])]  # "a" is given, and no longer left out
    assert calls[5:8] == [(0, "a", [1]), (0, "a", [1] * 10), (0, "a", [9])]
    assert {n for n, _, _ in calls[8:11]} == {0, 640, 1}  # once more, with the others at random
    assert len(calls) == 60


def test_a_small_budget_keeps_half_for_chance(called):
    calls = called("plain", 6)
    assert calls[:3] == [(0, "a", []), (640, "a", []), (1, "a", [])]
    assert len(calls) == 6


def test_related_values_are_built_around_what_is_pinned(called):
    calls = called("related", 60)
    assert {(1, 512), (512, 512)} <= {(dim, heads) for _, dim, heads in calls} | {(1, 512)}
    assert {len_x for len_x, _, _ in calls} >= {1, 8}
    assert any(heads == 512 for _, _, heads in calls)


def test_filters_that_refuse_nearly_all_do_not_starve_chance(called):
    assert len(called("rare", 40)) == 40


WRONG = """\
import os
from annotest import *


@arg(n=ints(0, 10**6), mode=froms(["a", "b", "c"]), size=anys(ints(1, 99), tuples(ints(1, 9))))
def large(size, n=5, mode="a"):
    if n > 700 and mode == "c":
        raise ValueError(n)


class Net:
    @arg(width=ints(1, 512), norm=froms(["none", "batch", "group"]))
    def __init__(self, width, norm="none"):
        self.width, self.norm = width, norm

    @arg(x=np_arrays("float32", "b self.width"))
    def forward(self, x):
        if self.norm == "group" and len(x) >= 3:
            raise KeyError("group")


@arg(dim=ints(1, 512), heads=ints(1, 512))
@require("dim % heads == 0")
def heads(dim, heads=1):
    if heads == dim and dim > 5:
        raise ZeroDivisionError


@arg(n=ints(0, 10**6), mode=froms(["a", "b", "c"]))
def deadly(n=5, mode="a"):
    if n == 10**6:
        os._exit(3)
    if mode == "c" and n == 0:
        raise IndexError("after the deaths")
"""
SMALLEST = {
    "large(size=1, n=701, mode='c')",
    "Net(width=1, norm='group').forward(x=np.full((3, 1), 0.0, dtype='float32'))",
    "heads(dim=6, heads=6)",
    "deadly(n=1000000)",
    "deadly(n=0, mode='c')",
}


@pytest.mark.slow
def test_what_is_found_shrinks_whatever_was_pinned_and_workers_do_not_matter(project, tmp_path):
    folder = project(m=WRONG)
    shown = []
    for workers in (1, 2):
        (kept := tmp_path / str(workers)).mkdir()
        words = ("m.py", "--seed", 3, "--workers", workers)
        done = run_json(*words, cwd=folder, tmp_path=kept)
        shown.append({each["call"].splitlines()[-1] for each in done.report["findings"]})
    assert shown == [SMALLEST, SMALLEST]


def test_an_input_found_systematically_is_kept_and_tried_first(project, tmp_path):
    folder = project(m=WRONG)
    for examples in (200, 1):
        words = ("m.py", "-k", "large", "--seed", 3, "--max-examples", examples)
        done = run_json(*words, cwd=folder, tmp_path=tmp_path)
        calls = [each["call"] for each in done.report["findings"]]
        assert calls == ["from m import large\nlarge(size=1, n=701, mode='c')"]
    (kept,) = [each["id"] for each in done.report["findings"]]
    again = annotest("replay", kept, cwd=folder, env={"ANNOTEST_DATABASE": str(tmp_path / "kept")})
    assert again.status == 1, again.stdout


ALIKE = """\
import os
from annotest import *


@arg(n=ints(1, 1000), text=strs())
def always(n, text):
    raise RuntimeError("always")


@arg(n=ints(1, 1000), text=strs())
def mostly(n, text):
    if n % 10:
        raise RuntimeError("mostly")


@arg(n=ints(1, 1000), text=strs())
def twice(n, text):
    if n % 3:
        raise RuntimeError("some")
    raise ValueError("others")


@arg(n=ints(1, 1000), text=strs(max_len=3))
def dies(n, text):
    os._exit(1)
"""
STOPPED = "25 random inputs have failed in the same way, and none has passed"


def test_a_search_stops_where_chance_finds_one_failure_only(project, tmp_path):
    folder = project(m=ALIKE)
    # in one process an input that comes again in another shard is not run again
    words = ("m.py", "-k", "always or mostly or twice", "--seed", 1, "--workers", 2)
    done = run_json(*words, cwd=folder, tmp_path=tmp_path)
    reasons = {each["qualname"]: each["reason"] for each in done.report["targets"]}
    stopped = {"always": STOPPED, "mostly": "", "twice": "", "dies": "not selected"}
    assert reasons == stopped
    runs = {each["qualname"]: each["inputs_run"] for each in done.report["targets"]}
    assert runs["mostly"] == runs["twice"] == 200
    assert 50 < runs["always"] < 100  # of two shards, each 25 and what was systematic
    target = done.target("always")
    assert (target["status"], target["unfinished"], done.status) == ("failed", None, 1)
    assert (
        f"1 target stopped early: {STOPPED}\n        m:always, {runs['always']} inputs run\n"
        in done.stdout
    )


@pytest.mark.slow
def test_inputs_that_die_count_as_failing_alike(project, tmp_path):
    folder = project(m=ALIKE)
    words = ("m.py", "-k", "dies", "--seed", 1, "--max-examples", 80)
    done = run_json(*words, cwd=folder, tmp_path=tmp_path)
    assert done.target("dies")["reason"] == STOPPED
    assert done.target("dies")["inputs_run"] < 50


BENCHMARK = Path(__file__).parent.parent / "benchmarks" / "boundaries.py"


def planted(seeds):
    """Return how many of the planted bugs are found with every seed, by chance alone too."""
    spec = importlib.util.spec_from_file_location("boundaries", BENCHMARK)
    boundaries = importlib.util.module_from_spec(spec)
    sys.modules["boundaries"] = boundaries
    spec.loader.exec_module(boundaries)
    table = boundaries.PLANTED
    assert len(table) == 30
    missed = {}
    for program, told in zip(table, boundaries.benches(table), strict=True):
        wrong = [seed for seed in seeds if not boundaries.found(*told, seed, 200, True)]
        missed |= {program.title: wrong} if wrong else {}
    return missed


@pytest.mark.slow
def test_planted_bugs_at_boundaries_are_found():
    assert len(planted([11])) <= 1


@pytest.mark.exhaustive
def test_planted_bugs_at_boundaries_are_found_with_every_seed():
    assert len(planted(range(10))) <= 1


def test_many_values_cost_nothing():
    constraint = dicts({f"{number}?": LONG for number in range(300)})
    factors = list(factors_in(constraint, ()))
    assert {len(settings) for _, settings in factors} == {3}
