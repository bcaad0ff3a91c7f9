"""Oracles beside the crash: one file each, one registration, found and shrunk and replayed alike."""

import json
import shutil
from pathlib import Path

import pytest
from conftest import annotest, run_json

from annotest.kinds import KeptAs, Kind, Status

TOYS = Path(__file__).parent / "toy_oracles"

NONNEGATIVE = """
from annotest import *
from toys import nonnegative

@arg(n=ints(0, 10**6), k=ints(0, 9))
def margin(n, k):
    return 36 - n

@arg(n=ints(0, 10**6))
def fine(n):
    return n
"""

UNCHANGED = """
from annotest import *
from toys import unchanged

@arg(xs=lists(ints(0, 9), max_len=5), ys=lists(ints(0, 9), max_len=5))
def both(xs, ys):
    xs.sort()
    ys.sort()

@arg(xs=lists(ints(0, 9), max_len=5))
def raises_too(xs):
    if xs:
        xs.clear()
        raise ValueError("empty now")

@arg(xs=lists(ints(0, 9), max_len=5))
def fine(xs):
    return sorted(xs)
"""

DETERMINISTIC = """
import itertools
from annotest import *
from toys import deterministic

calls = itertools.count()

@arg(n=ints(0, 10**6))
def noisy(n):
    return next(calls) if n >= 50 else n

@arg(n=ints(0, 10**6))
def fine(n):
    return n
"""

# the module, and of each finding: target, oracle, the last line of its call, the message
TOY_RUNS = {
    "nonnegative": (
        NONNEGATIVE,
        [("margin", "nonnegative", "margin(n=37, k=0)", "it returns -1")],
    ),
    "unchanged": (
        UNCHANGED,
        [
            ("both", "unchanged", "both(xs=[1, 0], ys=[])", "xs was [1, 0] and is [0, 1]"),
            ("both", "unchanged", "both(xs=[], ys=[1, 0])", "ys was [1, 0] and is [0, 1]"),
            ("raises_too", None, "raises_too(xs=[0])", "empty now"),
            ("raises_too", "unchanged", "raises_too(xs=[0])", "xs was [0] and is []"),
        ],
    ),
    "deterministic": (
        DETERMINISTIC,
        [
            (
                "noisy",
                "deterministic",
                "noisy(n=50)",
                "it returns something else when called again",
            )
        ],
    ),
}


@pytest.fixture
def toy_project(project):
    """Return a function that writes a module beside the toy oracles."""

    def write(text):
        folder = project(net=text)
        shutil.copytree(TOYS, folder / "toys", ignore=shutil.ignore_patterns("__pycache__"))
        return folder

    return write


def told(done):
    return [
        (
            finding["target"]["qualname"],
            finding.get("oracle"),
            finding["call"].splitlines()[-1],
            finding["message"],
        )
        for finding in done.report["findings"]
    ]


SPAWN = pytest.param("spawn", marks=pytest.mark.exhaustive)


def with_processes(names):
    """Return each name with forks, the first also with fresh processes; others are exhaustive."""
    first, *others = names
    rest = [(first, "spawn"), *((name, way) for name in others for way in ("fresh", "spawn"))]
    usual = [(first, "fresh"), *((name, "fork") for name in names)]
    return [*usual, *(pytest.param(*pair, marks=pytest.mark.exhaustive) for pair in rest)]


@pytest.mark.parametrize(("name", "processes"), with_processes(TOY_RUNS))
def test_what_an_oracle_finds_is_shrunk_to_the_smallest_call_and_replayed(
    toy_project, tmp_path, name, processes
):
    module, expected = TOY_RUNS[name]
    folder = toy_project(module)
    args = ("net.py", "--seed", 3, "--max-examples", 100, "--processes", processes)
    done = run_json(*args, cwd=folder, tmp_path=tmp_path)
    assert done.status == 1
    assert sorted(told(done), key=str) == sorted(expected, key=str)
    assert done.target("fine")["status"] == Status.PASSED
    for finding in done.report["findings"]:
        assert finding["kind"] == (Kind.ORACLE if "oracle" in finding else Kind.EXCEPTION)
        assert not finding["flaky"]
        id = finding["id"]
        replayed = annotest("replay", id, "--database", tmp_path / "kept", cwd=folder)
        assert replayed.stdout.startswith(f"STILL FAILING finding {id}")
        assert finding["message"] in replayed.stdout
    ids = {finding["id"] for finding in done.findings("both")}
    assert ids == ({"5fe22ee287", "859cc1350b"} if name == "unchanged" else set())  # they last


def test_what_an_oracle_found_is_named_on_the_screen_and_fixed_with_the_function(
    toy_project, monkeypatch
):
    monkeypatch.delenv("ANNOTEST_DATABASE")
    folder = toy_project(NONNEGATIVE)
    done = annotest("run", "net.py", "--seed", 3, cwd=folder)
    assert "1 ── net:margin" in done.stdout
    assert "net.py:5\nnonnegative: it returns -1\n" in done.stdout
    (folder / "net.py").write_text(NONNEGATIVE.replace("return 36 - n", "return 37 - n"))
    (file,) = folder.glob(".annotest/findings/*.json")
    done = annotest("replay", json.loads(file.read_text())["id"], cwd=folder)
    assert done.stdout.startswith("FIXED")


# what the second call of an input does to its process, and what the finding says of it
SECOND_CALLS = {
    "os._exit(7)": (Kind.DIED, "the process exited with status 7 during the call"),
    "ctypes.string_at(0)": (Kind.DIED, "the process was killed by signal SIGSEGV during the call"),
    "time.sleep(1000)": (Kind.TIMEOUT, "the call took longer than 1 s, twice"),
    "print('x' * 3_000_000)": (Kind.OUTPUT, "the call printed more than 2 MB"),
}
SLOWEST = ("spawn", "time.sleep(1000)")
SECOND_CALL = """
import ctypes, os, time
from annotest import *
from toys import deterministic

seen = set()

@arg(n=ints(0, 10**6))
def f(n):
    if n >= 50 and n in seen:
        BODY
    seen.add(n)
"""


@pytest.mark.slow
@pytest.mark.parametrize("processes", ["fork", SPAWN])
@pytest.mark.parametrize(
    "body",
    [pytest.param(b, marks=pytest.mark.exhaustive if "sleep" in b else ()) for b in SECOND_CALLS],
)
def test_a_death_in_a_call_made_again_is_one_of_the_call(toy_project, tmp_path, body, processes):
    folder = toy_project(SECOND_CALL.replace("BODY", body))
    limits = ("--timeout", 1, "--max-output", "2MB", "--max-examples", 12)
    args = ("net.py", "--seed", 3, "--processes", processes, *limits)
    done = run_json(*args, cwd=folder, tmp_path=tmp_path)
    (finding,) = done.findings("f")
    assert (finding["kind"], finding["message"]) == SECOND_CALLS[body]
    # where processes are spawned a hang takes long: there may be no time for the smallest
    assert finding["call"].endswith("f(n=50)") or (processes, body) == SLOWEST
    assert int(finding["inputs"]["n"]) >= 50


def test_each_call_has_time_and_output_of_its_own(toy_project, tmp_path):
    body = "import time\n    time.sleep(0.6)\n    print('x' * 600_000)"
    module = DETERMINISTIC.replace("def fine(n):", f"def fine(n):\n    {body}")
    limits = ("--timeout", 1, "--max-output", "1MB", "--max-examples", 2)
    args = ("net.py", "-k", "fine", "--seed", 3, *limits)
    done = run_json(*args, cwd=toy_project(module), tmp_path=tmp_path)
    assert done.report["findings"] == []


def oracle(judge, before="return None"):
    """Return a module's source that registers an oracle with these bodies."""
    return f"""
import asyncio, copy, os
from annotest import *
from annotest.oracles import register
from annotest.oracles.protocol import Raised, Returned

class Told:
    name = "told"

    def before(self, call):
        {before}

    def judge(self, call, outcome, state, again):
        {judge}

register(Told())
"""


FAILING = {
    "judge": oracle("raise KeyError('lost')"),
    "judge that yields": oracle("yield call.fault('told', 'x')\n        raise KeyError('lost')"),
    "before": oracle("return ()", before="raise KeyError('lost')"),
    "leaves": oracle("raise SystemExit(KeyError('lost'))"),
    "again without such an argument": oracle("again({'m': 'lost'})"),
}


@pytest.mark.parametrize(("name", "processes"), with_processes(FAILING))
def test_an_oracle_that_raises_is_no_bug_of_the_function(project, tmp_path, name, processes):
    folder = project(net=f"{FAILING[name]}\n@arg(n=ints(0, 9))\ndef f(n): pass\n")
    args = ("net.py", "--seed", 3, "--processes", processes)
    done = run_json(*args, cwd=folder, tmp_path=tmp_path)
    assert done.status == 3
    assert done.report["findings"] == []
    assert done.target("f")["status"] == Status.ERROR
    assert "annotest itself failed" in done.stdout
    assert "the oracle 'told' failed on net:f" in done.stdout


def test_an_oracle_that_raises_in_a_replay_says_nothing_of_the_finding(toy_project, monkeypatch):
    monkeypatch.delenv("ANNOTEST_DATABASE")
    folder = toy_project(NONNEGATIVE)
    annotest("run", "net.py", "--seed", 3, cwd=folder)
    (file,) = folder.glob(".annotest/findings/*.json")
    toy = folder / "toys" / "nonnegative.py"
    toy.write_text(toy.read_text().replace("outcome.value < 0", "outcome.valeu < 0"))
    done = annotest("replay", json.loads(file.read_text())["id"], cwd=folder)
    assert done.status == 3
    assert "the oracle 'nonnegative' failed on net:margin" in done.stdout + done.stderr
    assert json.loads(file.read_text())["status"] == KeptAs.FAILING


CHANGED = """
        if type(outcome) is Returned:
            other = again({"n": -call.values["n"]})
            if type(other) is Raised:
                yield call.fault(self.name, f"raises {other.error}", what="raises")
            elif other.value != -outcome.value:
                yield call.fault(self.name, f"{outcome.value} and {other.value}")
"""


def test_a_call_made_again_can_have_other_arguments(project, tmp_path):
    code = """
@arg(n=ints(0, 1000), xs=lists(ints(0, 9), min_len=1, max_len=3))
def f(n, xs):
    xs.append(0)  # built afresh for the second call
    if len(xs) > 4:
        raise RuntimeError("the list of the first call")
    return n if n > -20 else 0

@arg(n=ints(0, 1000))
def g(n):
    if n < -30:
        raise ValueError(n)
    return n
"""
    folder = project(net=oracle(CHANGED) + code)
    done = run_json("net.py", "--seed", 3, cwd=folder, tmp_path=tmp_path)
    assert sorted(told(done)) == [
        ("f", "told", "f(n=20, xs=[0])", "20 and 0"),
        ("g", "told", "g(n=31)", "raises -31"),
    ]


VALUES = (
    oracle("return [call.fault(self.name, repr(outcome))]")
    + """
class Net:
    @arg(n=ints(1, 1))
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        raise RuntimeError("an instance that was made is not consumed")

    def __repr__(self):
        return f"Net({self.n})"

    @property
    def twice(self): return 2

class Rows:
    left = 3

    def __iter__(self):
        return self

    def __next__(self):
        self.left -= 1
        if not self.left:
            raise StopIteration
        return self.left

    def __repr__(self):
        return f"Rows, {self.left} left"

@arg(n=ints(1, 1))
def number(n): return n

@arg(n=ints(1, 1))
def items(n):
    yield n
    yield n + 1

@arg(n=ints(1, 1))
async def later(n):
    await asyncio.sleep(0)
    return n

@arg(n=ints(1, 1))
async def items_later(n):
    yield n
    yield n + 1

@arg(n=ints(1, 1))
def rows(n): return Rows()

@arg(n=ints(1, 1))
def leaves(n): raise SystemExit(0)
"""
)
SEEN = {
    "Net.__init__": "Returned(value=Net(1), lazy=False)",
    "Net.twice": "Returned(value=2, lazy=False)",
    "number": "Returned(value=1, lazy=False)",
    "items": "Returned(value=[1, 2], lazy=True)",
    "later": "Returned(value=1, lazy=False)",
    "items_later": "Returned(value=[1, 2], lazy=True)",
    "rows": "Returned(value=Rows, 0 left, lazy=False)",
    "leaves": "Raised(error=SystemExit(0))",
}


def test_an_oracle_sees_what_the_call_came_to(project, tmp_path):
    done = run_json("net.py", "--seed", 3, cwd=project(net=VALUES), tmp_path=tmp_path)
    seen = {
        finding["target"]["qualname"]: finding["message"] for finding in done.report["findings"]
    }
    assert seen == SEEN


def test_a_result_after_something_prevented_is_judged_and_says_so(toy_project, tmp_path):
    kept = tmp_path / "kept.txt"
    kept.write_text("x")
    module = NONNEGATIVE.replace(
        "    return 36 - n",
        f"    try:\n        open({str(kept)!r}, 'w')\n    except OSError:\n        return -1",
    )
    args = ("net.py", "-k", "margin", "--seed", 3)
    done = run_json(*args, cwd=toy_project(module), tmp_path=tmp_path)
    (finding,) = done.report["findings"]
    assert finding["remarks"] == ["prevented before it: write kept.txt"]
    assert [thing["broke"] for thing in done.report["prevented"]] == [False]
    assert done.target("margin")["status"] == Status.FAILED


def test_a_generator_that_fails_the_second_time_is_a_generator_error(toy_project, tmp_path):
    code = """
made = []

@generator
@arg(n=ints(0, 9))
def number(n):
    made.append(n)
    if len(made) % 2 == 0:
        raise ValueError("only once")
    return n

@arg(x=objs(number))
def f(x): return x
"""
    args = ("net.py", "-k", "f", "--seed", 3, "--max-examples", 3)
    folder = toy_project(DETERMINISTIC.replace("def noisy", "def noise") + code)
    done = run_json(*args, cwd=folder, tmp_path=tmp_path)
    kinds = {
        finding["kind"] for finding in done.report["findings"] if "only once" in finding["message"]
    }
    assert kinds == {Kind.GENERATOR}


LUCK = (
    oracle(
        """first, same, other = outcome.value, again({}).value, again({}, luck=1).value
        built = again.built()["x"]
        yield call.fault(self.name, f"{first == same} {first == other} {built} {call.names}")"""
    )
    + """
import random

@arg(x=lists(ints(3, 3), len="n"))
@dims(n=ints(2, 2))
def f(x, k=7):
    return random.random()
"""
)


def test_a_call_is_made_again_with_the_same_luck_or_other_luck(project, tmp_path):
    done = run_json("net.py", "--max-examples", 1, cwd=project(net=LUCK), tmp_path=tmp_path)
    (finding,) = done.report["findings"]
    assert finding["message"] == "True False [3, 3] {'k': 7, 'x': [3, 3], 'n': 2}"
    assert finding["call"].splitlines()[-2].startswith("random.seed(")  # the call drew some
