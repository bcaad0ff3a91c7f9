"""`@ensure`: what holds after each call, told with its parts where it does not."""

import json

import pytest
from conftest import annotest, run_json
from in_process import failures_found

from annotest.kinds import Kind, Status

NET = """
import asyncio, functools, math
import numpy as np
from annotest import *

LIMIT = 7

# wrong

@arg(x=np_arrays("float32", "n k", min=-5, max=5))
@ensure("result.max() <= 1")
def softmax(x):
    e = np.exp(x)
    return e / e.sum(axis=-1, keepdims=True) + 1.0

@arg(xs=lists(ints(0, 9)))
@ensure("len(xs) == len(old(xs)) and sorted(xs) == xs")
def sort(xs):
    xs.sort()
    if len(xs) > 2:
        xs.pop()

@arg(xs=lists(ints(0, 9)))
@ensure("all(v != w for v in xs for w in [3, LIMIT])")
def every(xs): pass

@arg(n=ints(0, 9))
@ensure(lambda result, n: result >= n)
def by_lambda(n):
    return n - (n > 4)

@arg(n=ints(0, 9))
@ensure(lambda result, old, n: result + old.n == n or not n, lambda result: result < 9)
def two_lambdas(n):
    return n

@arg(n=ints(0, 9))
@ensure("result < 5")
def items(n):
    yield from range(n)

@arg(n=ints(0, 9))
@ensure("result < 5")
async def later(n):
    return n

@arg(n=ints(0, 9))
@ensure("result < 5")
async def items_later(n):
    for i in range(n):
        yield i

@arg(n=ints(0, 9), k=ints(0, 9))
@ensure("n < 3 or k < 3")
def one_of(n, k=1): pass

@arg(n=ints(0, 9))
@ensure("not math.isclose(result, LIMIT)")
def library(n):
    return n

@arg(x=np_arrays("float32", "n", min=0, max=1))
@ensure("np.isfinite(result).all()")
def asked_of(x):
    return x / (len(x) < 3)

@arg(x=np_arrays("float32", "2*n", min=0, max=0))
@ensure("result == 2 * n")
def dimension(x):
    return len(x) + (len(x) > 6)

@arg(xs=lists(ints(0, 9)))
@ensure("old(sum(xs)) == sum(xs)")
def old_sum(xs):
    xs.append(len(xs) > 2)

@arg(n=ints(0, 9))
@ensure("finite(result)")
def word(n):
    return float("nan") if n > 3 else n

@ensure("self.n >= 0")
class Counter:
    @arg(n=ints(-1, 9))
    def __init__(self, n):
        self.n = n

class Later(Counter):
    @arg(k=ints(0, 2))
    @ensure("self.n == old(self.n) - k", "k <= init.n + 1")
    @require("self.n >= 0")
    def take(self, k):
        self.n -= k + (k > 1)

# right

@arg(xs=lists(ints(0, 9)))
@ensure("sorted(old(xs)) == result and xs == old(xs)", "len(result) == len(xs)")
def right(xs):
    return sorted(xs)

@arg(n=ints(0, 9))
@ensure("result > 0")
@raises(ValueError)
def raising(n):
    if n < 5:
        raise ValueError(n)
    return n

class Uncopied:
    def __deepcopy__(self, memo):
        raise AssertionError("copied")

@arg(n=ints(0, 9))
@ensure("old(len(holder)) == 1 and old(n) == n")
def copies_little(n, holder=(Uncopied(),)): pass

@arg(result=ints(3, 9), finite=ints(0, 1), max=ints(5, 6))
@ensure("finite < 2 and max > 4 and result == 1")
def names(result, finite, max):
    return 1

@arg(n=ints(0, 9))
@ensure("finite(result) and in_module(result)")
def known_words(n):
    return n

def in_module(value):
    return value < 10

def outer():
    limit = 3
    @arg(n=ints(0, 3))
    @ensure("n <= limit")
    def inner(n): return limit
    return inner

enclosed = outer()
"""

# of each target the last line of its call, and the message
WRONG = [
    (
        "softmax",
        "softmax(x=np.array([[0.0]], dtype='float32'))",
        "result.max() <= 1: result.max() was 2.0",
    ),
    (
        "sort",
        "sort(xs=[0, 0, 0])",
        "len(xs) == len(old(xs)) and sorted(xs) == xs: len(xs) was 2, len(old(xs)) was 3",
    ),
    (
        "every",
        "every(xs=[3])",
        "all(v != w for v in xs for w in [3, LIMIT]): v != w is false for v = 3, w = 3",
    ),
    ("by_lambda", "by_lambda(n=5)", "result >= n: result was 4, n was 5"),
    (
        "two_lambdas",
        "two_lambdas(n=1)",
        "result + old.n == n or not n: result was 1, n was 1",
    ),
    ("two_lambdas", "two_lambdas(n=9)", "result < 9: result was 9"),
    ("items", "list(islice(items(n=6), 7))", "item 5: result < 5: result was 5"),
    ("later", "asyncio.run(later(n=5))", "result < 5: result was 5"),
    ("items_later", "finish(items_later(n=6), 7)", "item 5: result < 5: result was 5"),
    ("one_of", "one_of(n=3, k=3)", "n < 3 or k < 3: n was 3, k was 3"),
    ("library", "library(n=7)", "not math.isclose(result, LIMIT): result was 7, LIMIT was 7"),
    (
        "asked_of",
        "asked_of(x=np.full((3,), 0.0, dtype='float32'))",
        "np.isfinite(result).all(): result was array([nan, nan, nan], dtype=float32)",
    ),
    (
        "dimension",
        "dimension(x=np.full((8,), 0.0, dtype='float32'))",
        "result == 2 * n: result was 9, 2 * n was 8",
    ),
    (
        "old_sum",
        "old_sum(xs=[0, 0, 0])",
        "old(sum(xs)) == sum(xs): old(sum(xs)) was 0, sum(xs) was 1",
    ),
    ("word", "word(n=4)", "finite(result): result is nan"),
    ("Counter.__init__", "Counter(n=-1)", "self.n >= 0: self.n was -1"),
    ("Later.take", "Later(n=0).take(k=1)", "self.n >= 0: self.n was -1"),
    (
        "Later.take",
        "Later(n=0).take(k=2)",
        "self.n == old(self.n) - k: self.n was -3, old(self.n) - k was -2",
    ),
    ("Later.take", "Later(n=0).take(k=2)", "k <= init.n + 1: k was 2, init.n + 1 was 1"),
]
RIGHT = ["right", "raising", "copies_little", "names", "known_words", "enclosed"]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ensured")
    (folder / "net.py").write_text(NET)
    return run_json("net.py", "--seed", 5, cwd=folder, tmp_path=folder)


exhaustive = pytest.mark.exhaustive
SEEDS = [1, *(pytest.param(seed, marks=exhaustive) for seed in (0, *range(2, 20)))]


@pytest.mark.parametrize("seed", SEEDS)
def test_what_does_not_hold_is_seen_with_every_seed(tmp_path, monkeypatch, seed):
    (tmp_path / f"ensured{seed}.py").write_text(NET)
    monkeypatch.syspath_prepend(tmp_path)
    wrong = {name for name, *_ in WRONG}
    met = failures_found(f"ensured{seed}", str(tmp_path), wrong | {*RIGHT}, seed, 200)
    seen = sorted(
        (name, failure.message.split(": ")[-2])
        for name, failures in met.items()
        for failure in failures
        if failure.oracle == "ensure"
    )
    expected = sorted((name, message.split(": ")[-2]) for name, _, message in WRONG)
    assert seen == expected


def told(run, qualname):
    return [
        (finding["call"].splitlines()[-1], finding["message"]) for finding in run.findings(qualname)
    ]


@pytest.mark.parametrize("qualname", dict.fromkeys(name for name, *_ in WRONG))
def test_what_does_not_hold_is_told_with_its_parts_on_the_smallest_call(run, qualname):
    expected = [(call, message) for name, call, message in WRONG if name == qualname]
    assert sorted(told(run, qualname)) == sorted(expected)
    for finding in run.findings(qualname):
        assert (finding["kind"], finding["oracle"]) == (Kind.ORACLE, "ensure")
        assert not finding["flaky"]


@pytest.mark.parametrize("qualname", RIGHT)
def test_what_holds_passes(run, qualname):
    names = [each["qualname"] for each in run.report["targets"]]
    qualname = qualname if qualname in names else "outer.<locals>.inner"
    assert run.target(qualname)["status"] == Status.PASSED
    assert told(run, qualname) == []


def test_a_finding_stands_where_its_promise_does(run):
    (finding,) = run.findings("softmax")
    line = NET.splitlines().index('@ensure("result.max() <= 1")') + 1
    assert finding["location"] == {"file": "net.py", "line": line}


# what stands on a function of n that returns n, and the mistake, with what to do
MISTAKES = {
    '@ensure("result.foo == 1")': (
        "@ensure(\"result.foo == 1\"): it raises AttributeError: 'int' object has no attribute "
        "'foo' for n=0",
        "result is of type int: guard it with `hasattr(result, 'foo') and …`",
    ),
    '@ensure("old(n.foo) == 1")': (
        "@ensure(\"old(n.foo) == 1\"): it raises AttributeError: 'int' object has no attribute "
        "'foo' for n=0",
        "guard it, or correct it",
    ),
    '@ensure("reslt == 1")': (
        "@ensure(\"reslt == 1\"): f knows no name 'reslt'. Did you mean 'result'?",
        "use result, the arguments, dimensions, the names of the module, or builtins",
    ),
    '@ensure("(n := 5)")': (
        "@ensure(\"(n := 5)\"): it assigns to 'n', and must leave the values as they are",
        "compare with n ==, or assign to another name",
    ),
    '@ensure("old() == 1")': (
        '@ensure("old() == 1"): old() asks for no one value',
        "write old(x), or old(x.sum())",
    ),
    "@ensure(lambda outcome: True)": (
        "@ensure(<lambda>): the condition asks for 'outcome', which f does not have.",
        "name its parameters after: result, old, n",
    ),
    '@ensure("n >")': (
        '@ensure("n >") is not a Python expression: invalid syntax',
        "correct the expression; it is Python, as after `if`",
    ),
    "@ensure()": ("@ensure() says nothing", 'write @ensure("result >= 0")'),
    "@ensure(3)": (
        "@ensure(3) expects an expression as text, or a callable, got int",
        'write @ensure("result >= 0")',
    ),
    "@ensure(finite(3))": (
        "@ensure(finite): finite() got 1 arguments by position and takes none",
        "leave the others out",
    ),
}


@pytest.fixture(scope="module")
def mistaken(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mistaken")
    for number, note in enumerate(MISTAKES):
        text = f"from annotest import *\n\n{note}\n@arg(n=ints(0, 9))\ndef f(n): return n\n"
        (folder / f"net{number}.py").write_text(text)
    done = annotest("run", ".", "--no-database", cwd=folder)
    assert "Traceback" not in done.stdout + done.stderr
    return done


@pytest.mark.parametrize("number", range(len(MISTAKES)), ids=lambda n: [*MISTAKES][n])
def test_a_wrong_promise_is_told_with_what_to_do(mistaken, number):
    reason, remedy = [*MISTAKES.values()][number]
    shown = mistaken.stdout + mistaken.stderr
    assert f"net{number}.py:3: {reason}\n        {remedy}\n" in shown.replace("mistake ", "")


def test_a_promise_is_replayed_and_fixed_with_the_function(project, monkeypatch):
    monkeypatch.delenv("ANNOTEST_DATABASE")
    text = 'from annotest import *\n@arg(n=ints(0, 9))\n@ensure("result < 5")\ndef f(n): return n\n'
    folder = project(net=text)
    annotest("run", "net.py", cwd=folder)
    (file,) = folder.glob(".annotest/findings/*.json")
    id = json.loads(file.read_text())["id"]
    done = annotest("replay", id, cwd=folder)
    assert done.stdout.startswith(f"STILL FAILING finding {id}")
    assert "ensure: result < 5: result was 5" in done.stdout
    (folder / "net.py").write_text(text.replace("return n", "return min(n, 4)"))
    assert annotest("replay", id, cwd=folder).stdout.startswith("FIXED")


OUTSIDE = """
from annotest import *
from library import double
LIMIT = 9
annotate(double, arg(n=ints(0, 9)), ensure("result <= LIMIT and max(result, 1)"))
"""
LIBRARY = """
def max(*numbers): raise AssertionError("of the library")
def double(n): return 2 * n
"""


def test_text_from_outside_uses_the_names_of_the_module_that_annotates(project, tmp_path):
    done = run_json("net.py", cwd=project(net=OUTSIDE, library=LIBRARY), tmp_path=tmp_path)
    assert told(done, "double") == [
        (
            "double(n=5)",
            "result <= LIMIT and max(result, 1): result was 10, LIMIT was 9",
        )
    ]


def test_what_calls_are_held_to_is_listed_explained_and_generated(project):
    folder = project(net=NET)
    assert '@ensure("result.max() <= 1")' in annotest("list", "net.py", cwd=folder).stdout
    explained = annotest("explain", "net.py", "-k", "sort", cwd=folder).stdout
    promised = 'after each call\n  @ensure("len(xs) == len(old(xs)) and sorted(xs) == xs")\n'
    assert promised in explained
    annotest("generate", "net.py", "--out", "made", cwd=folder)
    made = (folder / "made" / "test_net.py").read_text()
    assert "def test_softmax():\n    check(softmax)\n" in made
    assert "def test_Later_take():\n    check(Later.take)\n" in made
