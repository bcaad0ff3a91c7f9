"""Budgets: inputs and seconds, for a target and for a run."""

import importlib
import math
import os

import pytest
from conftest import annotest, run_json
from in_process import benches

from annotest.cli.sizes import LEAST, Size, memory_for
from annotest.engine.child import counting
from annotest.engine.child.doing import do
from annotest.engine.jobs import RunTarget
from annotest.engine.parent.underway import merge_results
from annotest.engine.shards import SearchOptions, shards_of
from annotest.events import ShardEnded
from annotest.facts import TargetInfo, TargetResult
from annotest.kinds import Status
from annotest.process import machine_memory
from annotest.process.limits import size_text

SLOW = """
import time
from annotest import *
@arg(n=ints(0, 10**6))
def a(n): time.sleep(0.05)
@arg(n=ints(0, 10**6))
def b(n): time.sleep(0.05)
@arg(n=ints(0, 10**6))
def c(n): time.sleep(0.05)
@arg(n=ints(0, 10**6))
def d(n): time.sleep(0.05)
"""


def inputs_run(done):
    return {target["qualname"]: target["inputs_run"] for target in done.report["targets"]}


def test_the_time_of_a_run_is_shared_out_and_what_is_unfinished_is_named(project, tmp_path):
    done = run_json(
        "m.py", "--max-time", 6, "--max-examples", 10000, cwd=project(m=SLOW), tmp_path=tmp_path
    )
    assert done.status == 0
    assert min(inputs_run(done).values()) > 5
    assert max(inputs_run(done).values()) < 4 * min(inputs_run(done).values())
    assert done.report["seconds"] < 9
    assert done.report["summary"]["unfinished"] == 4
    assert "unfinished: its time was spent" in done.stdout
    for name, count in inputs_run(done).items():
        assert f"m:{name}, {count} inputs run" in done.stdout


def test_targets_that_were_never_begun_are_named_too(project, tmp_path):
    text = "import time\nfrom annotest import *\ntime.sleep(20)\n@arg(n=ints())\ndef f(n): pass\n"
    done = run_json("m.py", "--max-time", 2, cwd=project(m=text), tmp_path=tmp_path)
    assert done.status == 5
    assert [target["status"] for target in done.report["targets"]] == ["unfinished"]
    assert "1 target unfinished: the run's time was spent" in done.stdout


def test_a_target_has_its_own_time(project, tmp_path):
    args = ("m.py", "-k", "m:a", "--target-time", 1, "--max-examples", 10000)
    done = run_json(*args, cwd=project(m=SLOW), tmp_path=tmp_path)
    assert 3 < inputs_run(done)["a"] < 60
    assert done.target("a")["unfinished"] == "its time was spent"


def test_the_inputs_of_a_run_are_shared_out(project, tmp_path):
    text = SLOW.replace("time.sleep(0.05)", "pass")
    done = run_json("m.py", "--run-examples", 60, cwd=project(m=text), tmp_path=tmp_path)
    assert inputs_run(done) == dict.fromkeys("abcd", 15)


WRONG = {
    ("--max-memory", "much"): "'much' is no size; write for instance 500MB or 2GB",
    ("--max-memory", "0"): "'0' is no size; write for instance 500MB or 2GB",
    ("--max-memory", "500KB"): "'500KB' is too little; the least is 1 MB",
    ("--max-output", "0.5KB"): "'0.5KB' is too little; the least is 1 KB",
    ("--workers", "none"): "'none' is no number of workers; write 1 or more, or auto",
    ("--workers", "0"): "'0' is no number of workers; write 1 or more, or auto",
    ("--workers", "1001"): "'1001' are too many workers; the most is 1000",
    ("--timeout", "nan"): "'nan' is no number",
    ("--timeout", "inf"): "there must be a limit; write seconds, for instance 60",
    ("--target-time", "nan"): "'nan' is no number",
    ("--max-time", "nan"): "'nan' is no number",
    ("--items-share", "nan"): "'nan' is no number",
}


def test_wrong_numbers_are_told(project):
    folder = project(m=SLOW)
    for words, message in WRONG.items():
        done = annotest("run", "m.py", *words, cwd=folder)
        assert done.status == 2
        assert message in done.stderr


HUGE = """
from annotest import *
@arg(n=ints(0, 10**9))
@budget(examples=10**20)
def own(n): pass
@arg(n=ints(0, 10**9))
def given(n): pass
"""


def test_the_time_of_a_run_holds_for_budgets_of_any_size(project, tmp_path):
    args = ("m.py", "--max-time", 4, "--max-examples", 10**14, "--run-examples", 10**15)
    done = run_json(*args, cwd=project(m=HUGE), tmp_path=tmp_path)
    assert min(inputs_run(done).values()) > 0
    assert done.report["summary"]["unfinished"] == 2
    assert done.report["seconds"] < 8


def test_the_largest_sizes_are_numbers_too():
    assert Size(1).convert("9" * 400 + "GB", None, None) == (10**400 - 1) << 30


def test_sizes_are_told_as_they_are_written():
    told = {400: "400 bytes", 2 << 10: "2 KB", 3 << 19: "1,536 KB", 1 << 20: "1 MB"}
    assert {size: size_text(size) for size in told} == told
    assert size_text(int(1234.5 * 2**20)) == "1,234 MB"


def test_the_memory_of_a_child_is_its_share_of_the_machines():
    total = machine_memory()
    assert 0 < total <= os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert 0.6 * total < memory_for(1) < total
    assert 0.9 * memory_for(1) < 4 * memory_for(4) < 1.1 * memory_for(1)
    assert memory_for(10**6) == LEAST


FAIR = """
import time
from annotest import *
"""
SLOW_AND_BROKEN = """
@arg(n=ints(0, 5000))
def slow_{number}(n):
    time.sleep(0.1)
    if n > 1000:
        raise ValueError
"""


def test_shrinking_takes_no_time_from_targets_that_wait(project, tmp_path):
    functions = "".join(SLOW_AND_BROKEN.format(number=number) for number in range(6))
    folder = project(m=FAIR + functions)
    done = run_json("m.py", "--max-time", "6", "--workers", "1", cwd=folder, tmp_path=tmp_path)
    assert all(target["inputs_run"] > 2 for target in done.report["targets"])
    assert len(done.report["findings"]) == 6


COUNTED = """
from annotest import *
calls = []
@arg(n=ints(0, 3))
def four(n): calls.append(n)
@arg(n=ints(0, 4))
def five(n): calls.append(n)
"""


@pytest.mark.parametrize(("name", "unfinished"), [("four", ""), ("five", "its time was spent")])
def test_time_is_spent_only_where_an_input_is_left_that_was_not_run(
    project, monkeypatch, name, unfinished
):
    folder = project(counted=COUNTED)
    monkeypatch.syspath_prepend(folder)
    counted = importlib.import_module("counted")
    monkeypatch.setattr(counting, "monotonic", lambda: len(counted.calls))  # a second each
    options = SearchOptions(1, shards_of(100), max_seconds=3.5)
    for place, qualname, bench, events in benches("counted", str(folder)):
        if qualname == name:
            counted.calls.clear()
            do(bench, RunTarget(place, options, math.inf))
            (ended,) = [event for event in events if isinstance(event, ShardEnded)]
    assert (ended.result.inputs_run, ended.result.unfinished) == (4, unfinished)


def test_a_shard_that_has_run_every_input_leaves_none_for_the_others():
    info = TargetInfo("m", "f", "function", "m.py", 1)
    spent = TargetResult(info, Status.PASSED, unfinished="its time was spent")
    all_run = TargetResult(info, Status.PASSED, exhausted=True)
    assert merge_results({0: spent, 1: all_run}).unfinished == ""
    assert merge_results({0: all_run, 1: spent}).unfinished == ""
    assert merge_results({0: spent, 1: spent}).unfinished == "its time was spent"
