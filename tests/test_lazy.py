"""Lazy results: items are taken up to a number, or for a share of the time; neither is a failure."""

import asyncio
import subprocess
import sys
from itertools import count
from math import inf

import pytest
from conftest import annotest, run_json

from annotest.plan.lazy import Taking, finish, take, taken, takes_items

LAZY = """
import asyncio
import time
from collections.abc import Iterator
from itertools import count

from annotest import arg, budget, ints, timeout

@timeout(2)
@budget(examples=20)
@arg(n=ints(0, 99))
def slow(n):
    while True:
        time.sleep(0.01)
        yield n

@timeout(2)
@budget(examples=20)
@arg(n=ints(0, 99))
async def slow_later(n):
    while True:
        await asyncio.sleep(0.01)
        yield n

class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        self.n -= 1
        return 1 // (7 + self.n)

@arg(n=ints(0, 9))
def an_iterator(n) -> Iterator[int]:
    return Countdown(n)

@arg(n=ints(0, 9))
def a_generator(n):
    yield from (1 // (4 - number) for number in count(n))

@arg(n=ints(0, 9))
async def a_later_one(n):
    for number in count():
        yield 1 // (3 - number)

@timeout(0.5)
@budget(examples=3)
@arg(n=ints(0, 1))
def hangs(n):
    yield n
    time.sleep(9)
    yield n
"""


def test_a_result_is_taken_up_to_a_number_of_items():
    numbers, taking = count(), Taking(5)
    take(numbers, taking)
    assert (next(numbers), taking.begun) == (5, 5)


def test_a_result_is_taken_for_a_time_and_one_item_at_least():
    numbers, taking = count(), Taking(1000, seconds=0.0)
    take(numbers, taking)
    assert next(numbers) == 1


def test_asynchronous_generators_have_the_same_bounds():
    async def later():
        for number in count():
            seen.append(number)
            yield number

    seen = []
    assert taken(later(), Taking(3, inf)) == [0, 1, 2]
    assert taken(later(), Taking(3, 0.0)) == [0]
    finish(later(), 2)
    assert seen == [0, 1, 2, 0, 0, 1]


def test_coroutines_have_no_items():
    taking = Taking(1, 0.0)
    assert taken(asyncio.sleep(0, "done"), taking) == "done"
    assert taking.begun == 0


def test_results_that_take_all_their_time_leave_less_for_those_to_come():
    taking = Taking(seconds=1.0)
    taking.took(0.9)
    assert taking.seconds == 1.0
    spent = 0.0
    for _ in range(1000):
        spent += taking.seconds
        taking.took(taking.seconds)
    assert spent < 5.001


def of_text(text):
    namespace = {}
    exec(f"import typing\nfrom collections.abc import *\n{text}", namespace)
    return namespace["f"]


@pytest.mark.parametrize(
    ("text", "is_seen"),
    [
        ("def f(): yield", True),
        ("async def f(): yield", True),
        ("def f() -> Iterator[int]: ...", True),
        ("def f() -> typing.AsyncIterator[int]: ...", True),
        ("def f() -> 'typing.Generator[int, None, None]': ...", True),
        ("def f() -> list[Iterator]: ...", False),
        ("def f(): return 1", False),
        ("async def f(): return 1", False),
    ],
)
def test_who_returns_items_is_seen_without_a_call(text, is_seen):
    assert takes_items(of_text(text)) is is_seen


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lazy")
    (folder / "m.py").write_text(LAZY)
    return folder, run_json(".", "--seed", 1, "--no-database", cwd=folder, tmp_path=folder)


@pytest.mark.parametrize("name", ["slow", "slow_later"])
def test_an_endless_result_that_is_right_passes_soon(done, name):
    _, run = done
    target = run.target(name)
    assert (target["status"], target["inputs_run"]) == ("passed", 20)
    # five shares of 0.1 s, and an item for each input; on a machine that is busy
    assert target["seconds"] < 5


def test_an_item_that_hangs_is_a_timeout(done):
    _, run = done
    assert [finding["kind"] for finding in run.findings("hangs")] == ["timeout"]


CALLS = {
    "an_iterator": "list(islice(an_iterator(n=0), 7))",
    "a_generator": "list(islice(a_generator(n=0), 5))",
    "a_later_one": "finish(a_later_one(n=0), 4)",
}


@pytest.mark.parametrize("name", CALLS)
def test_the_call_takes_as_many_items_as_show_the_failure(done, name):
    folder, run = done
    (finding,) = run.findings(name)
    assert finding["call"].splitlines()[-1] == CALLS[name]
    pasted = [sys.executable, "-c", finding["call"]]
    ended = subprocess.run(pasted, cwd=folder, capture_output=True, text=True)
    assert ended.stderr.splitlines()[-1] == f"ZeroDivisionError: {finding['message']}"


FAR = "from annotest import *\nfrom itertools import count\n"
FAR += "@arg(n=ints(0, 9))\ndef far(n):\n    yield from (1 // (1200 - x) for x in count())\n"


@pytest.mark.parametrize(
    ("config", "words"), [("", ("--max-items", 1201)), ("max-items = 1201", ())]
)
def test_the_number_of_items_can_be_set_and_holds_for_replays(project, tmp_path, config, words):
    folder = project(m=FAR)
    assert run_json(".", cwd=folder, tmp_path=tmp_path).status == 0
    (folder / "pyproject.toml").write_text(f"[tool.annotest]\n{config}\n")
    run = run_json(".", *words, cwd=folder, tmp_path=tmp_path)
    (finding,) = run.findings("far")
    kept = {"ANNOTEST_DATABASE": str(tmp_path / "kept")}
    replayed = annotest("replay", finding["id"], cwd=folder, env=kept)
    assert replayed.stdout.startswith(f"STILL FAILING finding {finding['id']} in m:far\n")


def test_explain_shows_the_bounds(project):
    folder = project(m=FAR)
    told = annotest("explain", "far", cwd=folder).stdout
    assert "\nits result is lazy: up to 1,000 items of it are taken, for up to 3 s\n" in told
    (folder / "pyproject.toml").write_text("[tool.annotest]\nmax-items = 50\nitems-share = 0.5\n")
    told = annotest("explain", "far", cwd=folder).stdout
    assert "\nits result is lazy: up to 50 items of it are taken, for up to 30 s\n" in told


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "max-items = 0",
            "max-items must be a whole number, 1 or more, got 0 (int); "
            "write for instance max-items = 100",
        ),
        (
            "items-share = 1",
            "items-share must be a number above 0, 0.5 at most, got 1 (int); "
            "write for instance items-share = 0.1",
        ),
        (
            "items-share = true",
            "items-share must be a number above 0, 0.5 at most, got True (bool); "
            "write for instance items-share = 0.1",
        ),
    ],
)
def test_wrong_bounds_are_told(project, line, message):
    folder = project(m=FAR)
    (folder / "pyproject.toml").write_text(f"[tool.annotest]\n{line}\n")
    done = annotest("run", ".", cwd=folder)
    file = folder / "pyproject.toml"
    assert done.stderr == f"annotest: {file}: [tool.annotest] {message}\n"
