"""What calls leave behind in their process: released, or left to a new process that goes on."""

import math
import re
import sys
import weakref
from dataclasses import replace
from types import SimpleNamespace

import pytest
from conftest import run_json
from in_process import benches

from annotest import process
from annotest.engine.child.doing import do
from annotest.engine.child.footprint import Footprint
from annotest.engine.jobs import RunTarget
from annotest.engine.shards import SearchOptions, shards_of
from annotest.events import FailureFound, MadeWay, SearchEnded, ShardEnded
from annotest.process import MEGABYTE

PROGRAM = """
from annotest import arg, bools, example, ints, lists, require

CALLS = []


def note(*values):
    CALLS.append(values)


@arg(n=ints(0, 5000), m=ints(0, 50))
@require("n % 5 != 3")
@require("len(str(n) * m) % 7 != 3")
def related(n, m):
    note(n, m)
    assert n < 4000 or m < 30
    if n < 500:
        raise KeyError("small")


@arg(n=ints(0, 150))
@example(n=3)
def small(n):
    note(n)
    assert n != 77


@arg(n=ints(0, 10**6), flag=bools())
def always(n, flag):
    note(n, flag)
    raise ValueError("always")


class Layer:
    @arg(size=ints(1, 99))
    @require("size % 7 != 5")
    def __init__(self, size):
        self.size = size
        assert size < 70

    @arg(x=lists(ints(0, 9), max_len=5))
    @require("sum(x) % 3 < 2")
    def forward(self, x):
        note(self.size, tuple(x))
        assert len(x) < 5
"""
TARGETS = "related", "small", "always", "Layer.__init__", "Layer.forward"


def searched(bench, events, place, module, inputs):
    """Search a target as a lane does: again and again, where the process makes way."""
    module.CALLS.clear()
    shards = shards_of(inputs)
    options, results, made_way = SearchOptions(5, shards), {}, 0
    while True:
        events.clear()
        bench.board.start_log()
        do(bench, RunTarget(place, options, math.inf))
        ended = [event for event in events if isinstance(event, ShardEnded)]
        results |= {shard.number: replace(shard.result, seconds=0, slowest=0) for shard in ended}
        last = events[-1]
        yield from (event.failure for event in events if isinstance(event, FailureFound))
        if isinstance(last, SearchEnded):
            break
        assert isinstance(last, MadeWay)
        made_way += 1
        waiting = tuple(shard for shard in shards if shard.number not in results)
        log = bench.board.read_log()
        options = replace(options, shards=waiting, resume=log, handover=last.handover)
    yield made_way, results, list(module.CALLS)


@pytest.mark.filterwarnings("ignore:The recursion limit")  # these processes are one
@pytest.mark.parametrize(("inputs", "every"), [(20, 1), (230, 17)])
@pytest.mark.parametrize("name", TARGETS)
def test_a_search_in_many_processes_is_the_same_as_in_one(
    name, inputs, every, tmp_path, monkeypatch
):
    module = f"program_{every}_{name.lower().replace('.', '_')}"
    (tmp_path / f"{module}.py").write_text(PROGRAM)
    monkeypatch.syspath_prepend(tmp_path)
    calls = 0

    def look(self):
        nonlocal calls
        calls += 1
        self.is_full = calls % every == 0

    (target,) = (each for each in benches(module, str(tmp_path)) if each[1] == name)
    place, _, bench, events = target
    program = __import__(module)
    *failures, (made_way, results, made) = searched(bench, events, place, program, inputs)
    assert made_way == 0
    monkeypatch.setattr(Footprint, "look", look)
    *again, (made_way, results_again, made_again) = searched(bench, events, place, program, inputs)
    assert made_way == calls // every > 1
    assert made_again == made
    assert results_again == results
    assert again == failures


LEAKS = """
from annotest import arg, ints
kept = []


@arg(n=ints(0, 5000), m=ints(0, 50))
def leaks(n, m):
    kept.append(bytearray({each} << 20))
    assert n
"""
EATS = """
from annotest import arg, ints
kept = []


@arg(n=ints(0, 5000))
def eats(n):
    kept.append(bytearray(2 << 20))
    if n == 0:
        bytearray(400 << 20)
"""
GROWN = r"the process of leaks has grown by \d+ MB: its search goes on in a new one"
OPTIONS = ("--seed", 1, "--workers", 1, "--verbose", "--no-database", "--max-examples", 120)


def of_target(report, name):
    """Return what a report says of a target, but for what differs from run to run."""
    (target,) = (target for target in report["targets"] if target["qualname"] == name)
    findings = [found for found in report["findings"] if found["target"]["qualname"] == name]
    for timed in (target, *findings):
        for key in [key for key in timed if "seconds" in key]:
            del timed[key]
    return target, findings


def test_what_calls_leave_behind_is_no_finding_and_costs_a_new_process(tmp_path):
    runs = {}
    for each in (0, 4):  # MB: of 480 in the end, 300 are too many
        (tmp_path / "leak.py").write_text(LEAKS.format(each=each))
        limits = ("--max-memory", "300MB", "leak.py")
        runs[each] = run_json(*limits, *OPTIONS, cwd=tmp_path, tmp_path=tmp_path)
    assert len(re.findall(GROWN, runs[4].stderr)) >= 2
    assert re.findall(GROWN, runs[0].stderr) == []
    same = of_target(runs[4].report, "leaks")
    assert same == of_target(runs[0].report, "leaks")
    assert [finding["kind"] for finding in same[1]] == ["exception"]


def test_a_call_that_takes_too_much_alone_is_a_finding_all_the_same(tmp_path):
    (tmp_path / "leak.py").write_text(EATS)
    limits = ("--max-memory", "300MB", "leak.py")
    done = run_json(*limits, *OPTIONS, cwd=tmp_path, tmp_path=tmp_path)
    (finding,) = of_target(done.report, "eats")[1]
    assert (finding["kind"], finding["message"]) == (
        "memory",
        "the call used more than 300 MB of memory",
    )


TOGETHER = """
import time
from annotest import arg, ints
kept = []


@arg(n=ints(0, 1))
def together(n):
    if n == 0:
        kept.append(bytearray(150 << 20))
    else:
        much = bytearray(450 << 20)
        time.sleep(0.5)
"""


def test_a_call_that_takes_too_much_only_after_another_one_is_no_finding(tmp_path):
    (tmp_path / "leak.py").write_text(TOGETHER)
    limits = ("--max-memory", "600MB", "leak.py")
    done = run_json(*limits, *OPTIONS, cwd=tmp_path, tmp_path=tmp_path)
    target, findings = of_target(done.report, "together")
    assert (target["status"], target["inputs_run"], findings) == ("passed", 2, [])


SIZES = {
    # of the limit, at the beginning, after a call and after releasing: whether it makes way
    "grown little": (0, 100, 620, 500, False),
    "grown, and all of it released": (0, 100, 700, 150, False),
    "grown, and little of it released": (0, 100, 700, 610, True),
    "half of its room taken": (500, 100, 310, 305, True),
    "less than half of its room taken": (500, 100, 290, 250, False),
}


@pytest.mark.parametrize("case", SIZES)
def test_a_process_makes_way_when_too_much_is_left(case, monkeypatch):
    limit, *sizes, makes_way = SIZES[case]
    given = iter([megabytes * MEGABYTE for megabytes in sizes])
    monkeypatch.setattr(process, "resident", lambda pid: next(given))
    left = Footprint(limit * MEGABYTE)
    left.look()
    assert left.is_full == makes_way


def test_what_is_released_is_what_the_collector_finds_and_what_frameworks_cache(monkeypatch):
    class Cycle:
        def __init__(self):
            self.me = self

    dropped = []
    context = SimpleNamespace(clear_kernel_cache=lambda: dropped.append("kernels"))
    tensorflow = SimpleNamespace(context=lambda: context)
    monkeypatch.setitem(sys.modules, "tensorflow.python.eager.context", tensorflow)
    sizes = iter([0, 40 * MEGABYTE, 0])
    monkeypatch.setattr(process, "resident", lambda pid: next(sizes))
    left, cycle = Footprint(), weakref.ref(Cycle())
    assert cycle() is not None
    left.look()
    assert (cycle(), dropped) == (None, ["kernels"])


@pytest.mark.parametrize("sets_up_device", [False, True])
def test_what_the_first_call_takes_for_a_device_is_not_counted(sets_up_device):
    footprint = Footprint(0, sets_up_device)
    taken = b"1" * (600 * MEGABYTE)
    footprint.look()
    assert footprint.is_full == (not sets_up_device)
    del taken
