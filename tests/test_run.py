"""`annotest run`: what is found, how it is told, and that nothing else is touched."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import PROJECTS, annotest, left_processes, run_json, started
from in_process import failures_found
from patience import patience

ENGINE = PROJECTS / "engine"


@pytest.fixture(scope="module")
def bugs(tmp_path_factory):
    return run_json("bugs.py", "--seed", 3, cwd=ENGINE, tmp_path=tmp_path_factory.mktemp("bugs"))


@pytest.fixture(scope="module")
def ends(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ends")
    env = {"ANNOTEST_TEST_MARK": str(folder / "mark")}
    return run_json("ends.py", "--seed", 3, "--allow", folder, cwd=ENGINE, tmp_path=folder, env=env)


@pytest.fixture(scope="module")
def building(tmp_path_factory):
    folder = tmp_path_factory.mktemp("building")
    return run_json("building.py", "--seed", 3, cwd=ENGINE, tmp_path=folder)


def kinds(findings):
    return sorted(finding["exception"]["type"] for finding in findings)


def test_all_bugs_of_a_target_are_reported(bugs):
    assert kinds(bugs.findings("two_bugs")) == ["KeyError", "ValueError"]


def test_each_bug_has_its_smallest_input(bugs):
    calls = {
        finding["exception"]["type"]: finding["inputs"] for finding in bugs.findings("two_bugs")
    }
    assert calls["ValueError"] == {"mode": "'a'", "items": "[0]"}
    assert calls["KeyError"] == {"mode": "'b'", "items": "[1]"}


def test_the_call_can_be_pasted(bugs, monkeypatch):
    monkeypatch.syspath_prepend(str(ENGINE))
    for finding in bugs.report["findings"]:
        with pytest.raises(Exception) as caught:
            exec(finding["call"], {})
        assert type(caught.value).__name__ == finding["exception"]["type"]


def test_one_bug_seen_through_two_targets_is_one_finding(bugs):
    (finding,) = [
        finding for finding in bugs.report["findings"] if finding["target"]["qualname"] == "inner"
    ]
    assert finding["also_in"] == ["bugs:outer"]
    assert bugs.findings("outer") == []
    assert bugs.target("outer")["status"] == bugs.target("inner")["status"] == "failed"


def test_the_location_is_the_innermost_frame_of_the_project(bugs):
    (finding,) = bugs.findings("inner")
    line = (ENGINE / "bugs.py").read_text().splitlines().index("    return 1 / (n - 50)") + 1
    assert finding["location"] == {"file": "bugs.py", "line": line}
    assert finding["frames"] == [["bugs.py", line, "inner"]]


def test_the_reported_input_is_the_one_before_the_call_changed_it(bugs):
    (finding,) = bugs.findings("mutates")
    assert finding["inputs"] == {"items": "[1, 1, 1]"}


def test_an_example_is_tested_first(bugs):
    (finding,) = bugs.findings("rare")
    assert finding["inputs"] == {"n": "123456"}


def test_a_shrunk_input_keeps_the_precondition(bugs):
    (finding,) = bugs.findings("shrinks")
    assert 0.75 <= float(finding["inputs"]["rate"]) <= 1
    assert bugs.target("shrinks")["preconditions"][0]["text"] == '@require("rate > 0.5")'
    assert bugs.target("shrinks")["inputs_discarded"] == 0  # they are built to satisfy it


def test_an_excluded_function_is_not_a_target(bugs):
    assert "left_alone" not in [target["qualname"] for target in bugs.report["targets"]]


def test_what_the_code_prints_stays_out_of_our_output(bugs):
    assert "must not reach" not in bugs.stdout + bugs.stderr


def test_passing_targets_run_as_many_inputs_as_there_are(bugs):
    assert bugs.target("fine")["status"] == "passed"
    assert bugs.target("fine")["inputs_run"] == 10


LAZY = {"lazy": "list(islice({}(n=4), 2))", "later": "asyncio.run({}(n=4))"}
ENDS = {
    "exits_with_3": ("failed", ["exit"]),
    "exits_with_0": ("passed", []),
    "interrupts": ("failed", ["exception"]),
    "segfaults": ("failed", ["died"]),
    "leaves": ("failed", ["died"]),
    "hangs": ("failed", ["timeout"]),
    "slow_once": ("passed", []),
    "lazy": ("failed", ["exception"]),
    "later": ("failed", ["exception"]),
    "three_inputs": ("passed", []),
    "healthy": ("passed", []),
}


@pytest.mark.parametrize("name", ENDS)
def test_however_a_call_ends_it_is_judged_alone(ends, name):
    status, found = ENDS[name]
    assert ends.target(name)["status"] == status
    assert [finding["kind"] for finding in ends.findings(name)] == found
    for finding in ends.findings(name):
        assert finding["inputs"] == {"n": "4"}
        call = LAZY.get(name, "{}(n=4)").format(name)
        assert finding["call"].splitlines()[-1] == call
        assert f"from ends import {name}" in finding["call"]


def test_a_death_is_told_with_its_signal_and_its_place(ends):
    (finding,) = ends.findings("segfaults")
    assert finding["message"] == "the process was killed by signal SIGSEGV during the call"
    assert finding["exception"] is None
    assert finding["location"]["file"] == "ends.py"
    assert finding["frames"][-1][2] == "string_at"


def test_leaving_without_a_word_is_a_death(ends):
    (finding,) = ends.findings("leaves")
    assert finding["message"] == "the process exited with status 0 during the call"


def test_a_hang_is_told_with_its_place(ends):
    (finding,) = ends.findings("hangs")
    assert finding["message"] == "the call took longer than 1 s, twice"
    assert finding["location"]["file"] == "ends.py"


def test_the_budget_of_a_target_is_kept(ends):
    assert ends.target("three_inputs")["inputs_run"] == 3


def test_a_method_whose_instance_cannot_be_built_is_blocked_by_the_constructors_finding(building):
    (finding,) = building.findings("AlwaysFails.__init__")
    blocked = building.target("AlwaysFails.method")
    assert blocked["status"] == "blocked"
    assert blocked["blocked_by"] == finding["id"]
    assert blocked["inputs_run"] == 0


def test_a_method_is_tested_with_the_instances_that_can_be_built(building):
    (finding,) = building.findings("SometimesFails.method")
    assert finding["exception"]["type"] == "AssertionError"
    assert finding["call"].endswith("SometimesFails(n=3).method(x=0)")
    (constructor,) = building.findings("SometimesFails.__init__")
    assert constructor["inputs"] == {"n": "7"}


def test_a_failure_of_an_excluded_constructor_is_still_the_constructors(building):
    (finding,) = building.findings("Excluded.__init__")
    assert finding["exception"]["message"] == "excluded, and wrong"
    assert building.target("Excluded.method")["status"] == "passed"


def test_instances_come_from_cc_examples_only(building):
    assert building.target("WithExamples.method")["status"] == "passed"
    assert building.target("WithExamples.second")["status"] == "passed"
    assert building.target("Child.method")["status"] == "passed"
    (finding,) = building.findings("WithExamples.__init__")
    assert finding["inputs"]["n"] == "5"


def test_an_exception_inside_a_generator_is_a_generator_error(building):
    (finding,) = building.findings("sometimes")
    assert finding["kind"] == "generator"
    assert finding["exception"] == {"type": "OSError", "message": "no such net"}
    (bug,) = building.findings("uses_sometimes")
    assert bug["exception"]["type"] == "AssertionError"
    assert bug["inputs"] == {"net": "sometimes(n=3)"}


def test_a_function_whose_inputs_are_never_built_is_blocked(building):
    assert building.target("uses_never")["status"] == "blocked"
    assert building.target("uses_never")["inputs_run"] == 0


def test_a_target_whose_inputs_are_too_rare_is_starved(building):
    starved = building.target("starved")
    assert starved["status"] == "starved"
    assert "@require(\"n == 'x' * 16\") held for 0 of" in starved["reason"]
    rates = {asked["text"]: asked for asked in starved["preconditions"]}
    assert rates["@require(\"n == 'x' * 16\")"]["held"] == 0
    assert "starved building.py:" in building.stdout


def test_findings_give_exit_status_1(bugs, ends, building):
    assert bugs.status == ends.status == building.status == 1


@pytest.mark.parametrize("seed", range(3))
def test_both_bugs_are_met_for_every_seed(monkeypatch, seed):
    monkeypatch.syspath_prepend(ENGINE)
    failures = failures_found("bugs", str(ENGINE), ["two_bugs"], seed, 1000)
    kinds = sorted(failure.exception_type for failure in failures["two_bugs"])
    assert kinds == ["KeyError", "ValueError"]


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(5))
def test_both_bugs_are_found_for_every_seed(tmp_path, seed):
    args = ("bugs.py", "-k", "two_bugs", "--seed", seed, "--max-examples", 1000)
    done = run_json(*args, cwd=ENGINE, tmp_path=tmp_path)
    assert kinds(done.findings("two_bugs")) == ["KeyError", "ValueError"]


def calls_of(report):
    return [(finding["id"], finding["call"]) for finding in report["findings"]]


@pytest.mark.slow
def test_the_same_seed_gives_the_same_findings_whatever_else_runs(bugs, tmp_path):
    again = run_json("bugs.py", "--seed", 3, cwd=ENGINE, tmp_path=tmp_path)
    assert calls_of(again.report) == calls_of(bugs.report)
    alone = run_json("bugs.py", "--seed", 3, "-k", "shrinks", cwd=ENGINE, tmp_path=tmp_path)
    assert set(calls_of(alone.report)) <= set(calls_of(bugs.report))


def test_k_selects_and_the_rest_is_skipped(tmp_path):
    args = ("bugs.py", "-k", "inner and not outer", "--seed", 1)
    done = run_json(*args, cwd=ENGINE, tmp_path=tmp_path)
    status = {target["qualname"]: target["status"] for target in done.report["targets"]}
    assert status.pop("inner") == "failed"
    assert set(status.values()) == {"skipped"}


def test_a_healthy_run_has_exit_status_0(project, tmp_path):
    folder = project(good="from annotest import *\n@arg(n=ints())\ndef f(n): return n\n")
    done = run_json(".", "--max-examples", 40, cwd=folder, tmp_path=tmp_path)
    assert done.status == 0
    assert done.target("f")["inputs_run"] == 40


def test_a_module_with_threads_is_run_in_fresh_processes(project, tmp_path):
    text = (
        "import threading, time\n"
        "from annotest import *\n"
        "threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
        "@arg(n=ints(0, 9))\n"
        "def f(n): assert n != 4\n"
        "@arg(n=ints(0, 9))\n"
        "def g(n):\n"
        "    import os\n"
        "    if n == 4: os.abort()\n"
    )
    done = run_json("threads.py", cwd=project(threads=text), tmp_path=tmp_path)
    assert [finding["inputs"] for finding in done.report["findings"]] == [{"n": "4"}, {"n": "4"}]
    assert [finding["kind"] for finding in done.report["findings"]] == ["exception", "died"]


# a default that equals a value of the constraint, and is told apart by its identity
LEFT_OUT = """\
from annotest import *
DEFAULT = 1000.0
@arg(n=floats(0, 2000))
def inside(n=DEFAULT):
    assert n is not DEFAULT
@arg(n=floats(0, 10))
def outside(n=DEFAULT):
    assert n is not DEFAULT
"""


def test_an_argument_whose_default_lies_inside_is_also_left_out(project, tmp_path):
    done = run_json("m.py", cwd=project(m=LEFT_OUT), tmp_path=tmp_path)
    (finding,) = done.report["findings"]
    assert finding["call"] == "from m import inside\ninside()"
    assert finding["inputs"] == {"n": "1000.0"}


def test_a_bug_that_most_inputs_show_is_shrunk_once_and_set_aside(project, tmp_path):
    text = (
        "from annotest import *\n"
        "@arg(n=ints(0, 49))\n"
        "def f(n):\n"
        "    if n == 49: raise KeyError('rare')\n"
        "    if n % 7: raise ValueError('common')\n"
    )
    done = run_json("m.py", "--workers", 1, cwd=project(m=text), tmp_path=tmp_path)
    assert kinds(done.findings("f")) == ["KeyError", "ValueError"]
    assert done.target("f")["inputs_run"] == 50


def test_no_input_is_run_twice(project, tmp_path):
    text = (
        "from annotest import *\n"
        "@arg(n=ints(0, 3), flag=bools())\n"
        "def f(n, flag=True):\n"
        "    with open('calls.txt', 'a') as log: print(n, flag, file=log)\n"
    )
    args = ("m.py", "--workers", 1, "--allow", tmp_path)
    done = run_json(*args, cwd=project(m=text), tmp_path=tmp_path)
    calls = (tmp_path / "calls.txt").read_text().splitlines()
    # leaving `flag` out is a call of its own
    assert done.target("f")["inputs_run"] == len(calls) == 12
    assert len(set(calls)) == 8


def test_an_interrupted_run_tells_what_it_found_and_leaves_nothing_running(project):
    text = (
        "import time\n"
        "from annotest import *\n"
        "@arg(n=ints(0, 9))\n"
        "def a(n): raise ValueError(n)\n"
        "@arg(n=ints(0, 9))\n"
        "def b(n): time.sleep(30)\n"
    )
    folder = project(m=text)
    marker = f"ANNOTEST_TEST_MARKER={os.getpid()}-{time.time()}"
    name, value = marker.split("=")
    process = started(folder, "m.py", env={name: value})
    time.sleep(1)  # it is kept before it is told
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=patience(20))
    assert process.returncode == 130
    assert "ValueError" in stdout
    assert "interrupted; this is what was found so far" in stdout
    assert "Traceback" not in stdout + stderr
    time.sleep(0.5)
    assert left_processes(marker) == []


def test_a_hang_that_is_not_yet_confirmed_is_told_by_an_interrupted_run(project, tmp_path):
    text = "from annotest import *\n@arg(n=ints(0, 3))\ndef hangs(n):\n    while True: pass\n"
    report = tmp_path / "report.json"
    run = started(project(m=text), "m.py", "--timeout", "1", "--json", str(report))
    time.sleep(0.1)
    run.send_signal(signal.SIGINT)
    said, _ = run.communicate(timeout=patience(20))
    assert run.returncode == 130
    message = "the call took longer than 1 s; the run ended before the call was made again"
    assert message in said
    (finding,) = json.loads(report.read_text())["findings"]
    assert finding["message"] == message
    assert finding["call"].startswith("from m import hangs\nhangs(n=")


def test_a_broken_pipe_is_no_traceback(project):
    folder = project(m="from annotest import *\n@arg(n=ints())\ndef f(n): raise ValueError\n")
    command = f"{sys.executable} -m annotest run m.py | head -c 10"
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True)
    assert "Traceback" not in done.stderr
    assert "Broken" not in done.stderr


def test_a_failure_of_annotest_itself_is_told_and_gives_exit_status_3(project, monkeypatch):
    folder = project(m="from annotest import *\n@arg(n=ints())\ndef f(n): pass\n")
    (folder / "sitecustomize.py").write_text(
        "import annotest.engine.child.search as s\n"
        "def broken(self): raise RuntimeError('planted in annotest')\n"
        "s.Search.run = broken\n"
    )
    done = annotest("run", "m.py", cwd=folder, env={"PYTHONPATH": str(folder)})
    assert done.status == 3
    assert "annotest itself failed; please report this:" in done.stdout
    assert "planted in annotest" in done.stdout


IMPORTS = {
    "raises": "import annotest, helper, os\nos.chdir('/')\n1 / 0\n",
    "dies": "import annotest, os\nos._exit(9)\n",
    "garbled": "import annotest\n)\n",
    "01-odd": "import annotest\n1 / 0\n",
}


def test_the_import_of_a_finding_can_be_pasted(tmp_path):
    folder = tmp_path / "imp"
    folder.mkdir()
    (folder / "helper.py").touch()
    for name, text in IMPORTS.items():
        (folder / f"{name}.py").write_text(text)
    done = run_json("imp", cwd=tmp_path, tmp_path=tmp_path)
    calls = {
        Path(finding["target"]["file"]).stem: finding["call"] for finding in done.report["findings"]
    }
    assert calls.keys() == IMPORTS.keys()
    for name, call in calls.items():
        pasted = subprocess.run(
            [sys.executable, "-P", "-c", call], cwd=tmp_path, capture_output=True, text=True
        )
        assert pasted.returncode == (9 if name == "dies" else 1), name
        assert "ModuleNotFoundError" not in pasted.stderr
    assert calls["dies"] == 'import sys; sys.path.insert(0, "imp")\nimport dies'


def test_the_import_that_dies_is_told_with_the_folders_that_it_needs(tmp_path, project):
    folder = project(helper="")
    (folder / "pyproject.toml").touch()
    (folder / "scripts").mkdir()
    (folder / "scripts" / "dies.py").write_text("import annotest, helper, os\nos._exit(9)\n")
    (here := folder / "elsewhere").mkdir()
    done = run_json("../scripts", cwd=here, tmp_path=tmp_path)
    (found,) = done.report["findings"]
    assert subprocess.run([sys.executable, "-P", "-c", found["call"]], cwd=here).returncode == 9


def test_a_module_that_leaves_normally_passes_only_where_its_import_is_a_test(project, tmp_path):
    leaves = "import sys\nfrom annotest import *\n{}\nsys.exit(0)\n"
    folder = project(meant=leaves.format("module_test()"), other=leaves.format(""))
    done = run_json(".", cwd=folder, tmp_path=tmp_path)
    status = {target["file"]: target["status"] for target in done.report["targets"]}
    assert status == {"meant.py": "passed", "other.py": "failed"}


def test_drawing_that_does_not_end_is_a_mistake(project):
    text = """\
import time
from annotest import *


def slow(n):
    time.sleep(60)
    return True


@arg(n=ints(0, 9).where(slow))
def f(n): pass
"""
    done = annotest("run", "m.py", "--timeout", "1", cwd=project(m=text))
    assert done.status == 2
    assert "drawing one input took longer than 1 s" in done.stdout
