"""The oracles of values: what they find in wrong programs, nothing in right ones, and how they say it."""

import importlib.util
import json
import math
from pathlib import Path

import pytest
from conftest import annotest, run_json
from in_process import benches

from annotest import InvalidAnnotation, in_range, same_dtype, shaped, sums_to_one
from annotest.engine.child.doing import do
from annotest.engine.jobs import RunTarget
from annotest.engine.shards import SearchOptions, shards_of
from annotest.events import FailureFound, MistakeFound

PROGRAMS = Path(__file__).parent / "value_programs"
needs_torch = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason="torch is not installed"
)
MODULES = ["of_numpy", pytest.param("of_torch", marks=needs_torch)]
ORACLES = [
    "finite",
    "no_nan",
    "in_range",
    "sums_to_one",
    "shaped",
    "same_dtype",
    "same_device",
]
exhaustive = pytest.mark.exhaustive
SEEDS = [1, *(pytest.param(seed, marks=exhaustive) for seed in (0, *range(2, 20)))]
INPUTS = [60, *(pytest.param(inputs, marks=exhaustive) for inputs in (200, 1000))]


def names_of(module, begin):
    text = (PROGRAMS / f"{module}.py").read_text()
    return [
        line[4:].partition("(")[0] for line in text.splitlines() if line.startswith(f"def {begin}")
    ]


def searched(module, monkeypatch, begin, seed, inputs):
    """Return what is found in each of some programs, and what is wrong with its annotations."""
    monkeypatch.syspath_prepend(PROGRAMS)
    found = {}
    for place, name, bench, events in benches(module, str(PROGRAMS)):
        if name.startswith(begin):
            options = SearchOptions(seed, shards_of(inputs), fail_fast=begin.startswith("wrong"))
            do(bench, RunTarget(place, options, math.inf))
            failures = [each.failure for each in events if isinstance(each, FailureFound)]
            mistakes = [each.mistake for each in events if isinstance(each, MistakeFound)]
            found[name] = [failure.oracle for failure in failures] + mistakes
    return found


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("oracle", ORACLES)
def test_there_are_three_wrong_programs_and_three_right_ones(module, oracle):
    wrong = 0 if (module, oracle) == ("of_numpy", "same_device") else 3  # NumPy has one device
    assert len(names_of(module, f"wrong_{oracle}_")) == wrong
    assert len(names_of(module, f"right_{oracle}_")) == 3


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("seed", SEEDS)
def test_each_wrong_program_is_caught(module, seed, monkeypatch):
    found = searched(module, monkeypatch, "wrong", seed, 200)
    oracles = {name: next(o for o in ORACLES if name.startswith(f"wrong_{o}_")) for name in found}
    missed = {name: told for name, told in found.items() if told != [oracles[name]]}
    assert missed == {}


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("inputs", INPUTS)
def test_nothing_is_found_in_right_programs(module, inputs, monkeypatch):
    found = searched(module, monkeypatch, "right", 1, inputs)
    assert {name: told for name, told in found.items() if told} == {}


HEAD = """
import dataclasses
import numpy as np
import torch
from annotest import *

x = np.ones((2, 3), "float32")
n = arg(n=ints(2, 2))
"""

# what is promised, what is returned, and what is said of it
TOLD = [
    ("finite", "float('nan')", "result is nan"),
    ("finite", "{'loss': -np.inf}", "result['loss'] is -inf"),
    ("finite", "[1, x / 0]", "result[1][0, 0] is inf; 6 of 6 elements are not finite"),
    ("finite", "complex(1, np.inf)", "result is (1+infj)"),
    ("finite", "torch.tensor([0, np.nan]).bfloat16()", "result[1] is nan"),
    ("finite", "np.float16(np.inf)", "result is inf"),
    ("no_nan", "np.array([np.inf, np.nan, np.nan])", "result[1] is nan; 2 of 3 elements are nan"),
    ("in_range(0, 1)", "1.0000000000000002", "result is 1.0000000000000002, 0 to 1 expected"),
    (
        "in_range(0, 1)",
        "x + n",
        "result[0, 0] is 3.0; 6 of 6 elements are outside, 0 to 1 expected",
    ),
    ("in_range(0, 1)", "np.nan", "result is nan, 0 to 1 expected"),
    ("in_range(-1, 1)", "[True, 10**30]", f"result[1] is {10**30}, -1 to 1 expected"),
    (
        "sums_to_one",
        "x / 8",
        "result[0] sums to 0.375, 1 ± 4.2e-07 expected for float32 over 3",
    ),
    (
        "sums_to_one(0)",
        "torch.ones(2, 3).to(torch.float8_e5m2)",
        "result[:, 0] sums to 2, 1 ± 0.75 expected for float8_e5m2 over 2",
    ),
    ("sums_to_one", "[0.5, 0.4]", "result sums to 0.9, 1 ± 6.7e-16 expected for float64 over 2"),
    ("sums_to_one", "np.eye(2, dtype=int) * 2", "result[0] sums to 2, 1 expected for int64 over 2"),
    ("shaped('n k')", "x.T", "result has the shape (3, 2), 'n k' expected where n = 2"),
    ("shaped('k k')", "x", "result has the shape (2, 3), 'k k' expected"),
    ("shaped('k _')", "(x, x[:1])", "result[1] has the shape (1, 3), 'k _' expected where k = 2"),
    ("shaped('n')", "1.5", "result has the shape (), 'n' expected where n = 2"),
]


@needs_torch
def test_what_is_said_is_said_with_its_place_and_the_tolerance(project, tmp_path):
    functions = [
        f"@n\n@ensure({promise})\ndef f{place}(n):\n    return {result}\n"
        for place, (promise, result, _) in enumerate(TOLD)
    ]
    done = run_json("m.py", cwd=project(m=HEAD + "\n".join(functions)), tmp_path=tmp_path)
    told = {each["target"]["qualname"]: each["message"] for each in done.report["findings"]}
    assert told == {f"f{place}": message for place, (*_, message) in enumerate(TOLD)}


# an annotation that is wrong, and the mistake
WRONG = [
    (
        '@ensure(finite)\ndef f(n): return "two"',
        "@ensure(finite)",
        "it judges numbers, and is given 'two' for n=2",
        "leave it out, or name the part of the result that it is to judge, in text",
    ),
    (
        '@ensure("finite(result.name)")\ndef f(n): return __import__("types").SimpleNamespace(name="x")',
        '@ensure("finite(result.name)")',
        "it judges numbers, and is given 'x' for n=2",
        "leave it out, or name the part of the result that it is to judge, in text",
    ),
    (
        "@ensure(in_range(0, 1))\ndef f(n): return 1j",
        "@ensure(in_range(0, 1))",
        "it judges numbers that have an order, and is given 1j for n=2",
        "leave it out, or name the part of the result that it is to judge, in text",
    ),
    (
        "@ensure(sums_to_one(1))\ndef f(n): return [0.5, 0.5]",
        "@ensure(sums_to_one(1))",
        "it judges arrays that have an axis 1, and is given [0.5, 0.5] for n=2",
        "leave it out, or name the part of the result that it is to judge, in text",
    ),
    (
        "@ensure(shaped('n'))\ndef f(n): return object",
        "@ensure(shaped('n'))",
        "it judges shapes, and is given object for n=2",
        "leave it out, or name the part of the result that it is to judge, in text",
    ),
    (
        "@ensure(same_dtype)\ndef f(n): return [n]",
        "@ensure(same_dtype)",
        "it judges arrays of floats, and is given [2] for n=2",
        "leave it out, or name the part of the result that it is to judge, in text",
    ),
    (
        "@ensure(same_device)\ndef f(n): return {}, n",
        "@ensure(same_device)",
        "it judges arrays, and is given ({}, 2) for n=2",
        "leave it out, or name the part of the result that it is to judge, in text",
    ),
    (
        "@ensure(same_dtype('m'))\ndef f(n): return n",
        "@ensure(same_dtype('m'))",
        "f has no argument 'm'.",
        "name one of: n",
    ),
    (
        "@ensure(in_range(2, 1))\ndef f(n): return n",
        "@ensure(in_range)",
        "in_range(2, 1) allows nothing: 2 is above 1",
        "write in_range(1, 2)",
    ),
    (
        "@ensure(shaped)\ndef f(n): return n",
        "@ensure(shaped)",
        "@ensure(shaped) needs arguments",
        "write @ensure(shaped(shape))",
    ),
]


@needs_torch
def test_where_there_is_nothing_to_judge_the_annotation_is_wrong(project, tmp_path):
    modules = {f"m{place}": f"{HEAD}@n\n{code}\n" for place, (code, *_) in enumerate(WRONG)}
    done = run_json(".", cwd=project(**modules), tmp_path=tmp_path)
    told = {
        each["file"]: (each["annotation"], each["reason"], each["remedy"])
        for each in done.report["mistakes"]
    }
    assert told == {f"m{place}.py": tuple(wrong) for place, (_, *wrong) in enumerate(WRONG)}
    assert done.report["findings"] == []


REFUSED = [
    (lambda: in_range(1), "in_range() lacks its argument 'hi'"),
    (lambda: in_range("0", 1), "in_range('0', 1): '0' is no number; write in_range(0, 1)"),
    (lambda: in_range(float("nan"), 1), "in_range(nan, 1): nan is no number; write in_range(0, 1)"),
    (
        lambda: sums_to_one("last"),
        "sums_to_one('last'): an axis is a whole number; write sums_to_one(-1)",
    ),
    (lambda: shaped(3), 'shaped(3): a shape is text; write shaped("b n"), or shaped("2 3")'),
    (
        lambda: shaped("b n-"),
        "shaped: 'n-' in 'b n-' is no size; use names, whole numbers and arithmetic without "
        "blanks, as in 'b 2*h w+1 3'",
    ),
    (
        lambda: same_dtype(1),
        'same_dtype(1): an argument is named as text; write same_dtype("x")',
    ),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_a_word_refuses_arguments_that_it_does_not_take(call, message):
    with pytest.raises(InvalidAnnotation) as caught:
        call()
    assert f"{caught.value.reason}; {caught.value.remedy}".startswith(message)


RIGHT = """
import dataclasses, decimal, fractions

@dataclasses.dataclass
class Out:
    logits: object
    loss: object = None

class Rows(dict):
    pass

@n
@ensure(finite, no_nan)
def values(n):
    around = [1.0]
    around.append(around)
    one = decimal.Decimal(1), fractions.Fraction(1, 3), 10**400, True, np.bool_(True), 1j
    return Out(x), [], None, Rows(a=x), around, one, "told", torch.zeros(2, device="meta")

@n
@ensure("finite(result.loss)", "not finite(result.logits)", "in_range(result.loss, 0, n)")
def in_text(n):
    return Out(x / 0, 1.5)

@n
@ensure("finite(result.loss) and shaped(result.logits, 'n 3')")
def in_text_wrong(n):
    return Out(x[:1], 1.5)

@n
@ensure("not finite(result + 1)")
def in_text_negated(n):
    return x

@n
@ensure(in_range(0, 5))
def items(n):
    yield from range(9)

@arg(x=floats())
@ensure(in_range(-1e300, 1e300), finite)
def huge(x):
    return x if abs(x) > 1e3 or x == 0 else 1.0

@ensure(in_range(0, 1))
class Made:
    @arg(k=ints(1, 1))
    def __init__(self, k): self.k = k

    @n
    def method(self, n): return self.k + n
"""


@needs_torch
def test_what_is_judged_is_inside_results_and_of_ordinary_inputs(project, tmp_path):
    done = run_json("m.py", "--seed", 1, cwd=project(m=HEAD + RIGHT), tmp_path=tmp_path)
    told = {each["target"]["qualname"]: each["message"] for each in done.report["findings"]}
    assert told == {
        "in_text_wrong": "finite(result.loss) and shaped(result.logits, 'n 3'): result.logits "
        "has the shape (1, 3), 'n 3' expected where n = 2",
        "in_text_negated": "not finite(result + 1): (result + 1) is so",
        "items": "item 6: result is 6, 0 to 5 expected",
        "huge": "result is 1.0000000000000002e+300, -1e+300 to 1e+300 expected",
        "Made.method": "result is 3, 0 to 1 expected",
    }


TWICE = """
from annotest import *

@arg(x=floats(), k=ints(0, 9))
@ensure(finite, in_range(-10, 10))
def ratio(x, k):
    return float("nan") if x >= 3 else 0.0
"""


def test_findings_of_oracles_shrink_replay_and_are_one_each(project, monkeypatch):
    monkeypatch.delenv("ANNOTEST_DATABASE")
    folder = project(m=TWICE)
    args = ("run", "m.py", "--json", "told.json")
    first, second = (annotest(*args, "--seed", seed, cwd=folder) for seed in (1, 2))
    report = json.loads((folder / "told.json").read_text())
    told = [(each["oracle"], each["message"], each["call"]) for each in report["findings"]]
    assert sorted(told, reverse=True) == [
        (
            "in_range",
            "result is nan, -10 to 10 expected",
            "from m import ratio\nratio(x=3.0, k=0)",
        ),
        ("finite", "result is nan", "from m import ratio\nratio(x=3.0, k=0)"),
    ]
    ids = [each["id"] for each in report["findings"]]
    assert all(id in first.stdout and id in second.stdout for id in ids)
    for id in ids:
        assert annotest("replay", id, cwd=folder).stdout.startswith(f"STILL FAILING finding {id}")
    (folder / "m.py").write_text(TWICE.replace('float("nan")', "1.0"))
    nan = next(each["id"] for each in report["findings"] if each["oracle"] == "finite")
    done = annotest("replay", nan, cwd=folder)
    assert done.stdout.startswith("FIXED")
