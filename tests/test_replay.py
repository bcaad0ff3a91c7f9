"""`annotest replay`, and the failing inputs that are kept and tried first."""

import json
import os
import shutil
import subprocess
import sys
from base64 import b64decode, b64encode
from pathlib import Path

import pytest
from conftest import annotest, run_json, started
from patience import LONGEST

CODE = """
from annotest import *


@arg(n=ints(0, 10**9))
def f(n):
    if n > 10 and n < 10**9:
        raise ValueError(n)
"""


@pytest.fixture(scope="module")
def found_once(tmp_path_factory):
    """A project with one finding, f(n=11), in its database."""
    folder = tmp_path_factory.mktemp("found")
    (folder / "m.py").write_text(CODE)
    env = {"ANNOTEST_DATABASE": str(folder / ".annotest")}
    done = annotest("run", "m.py", "--seed", 1, cwd=folder, env=env)
    assert "f(n=11)" in done.stdout
    return folder


@pytest.fixture
def kept(found_once, tmp_path, monkeypatch):
    """A copy of that project, which a test may change."""
    monkeypatch.delenv("ANNOTEST_DATABASE")
    return shutil.copytree(found_once, tmp_path, dirs_exist_ok=True)


@pytest.fixture(params=["choices", "plain"])
def kept_drawn(kept, request):
    """The same finding, kept as choices or as it is."""
    (file,) = (kept / ".annotest" / "findings").glob("*.json")
    record = json.loads(file.read_text())
    assert record["choices"]
    if request.param == "plain":
        plain = json.dumps({"plain": json.dumps({"dict": [["n", 11]]})})
        record.update(choices="", recipe=b64encode(plain.encode()).decode())
        file.write_text(json.dumps(record))
    return kept


def finding_id(folder):
    (file,) = (folder / ".annotest" / "findings").glob("*.json")
    return json.loads(file.read_text())["id"]


def change(folder, old, new):
    assert old in (folder / "m.py").read_text()
    (folder / "m.py").write_text((folder / "m.py").read_text().replace(old, new))


def test_a_finding_still_fails(kept):
    done = annotest("replay", finding_id(kept)[:4], cwd=kept)
    assert done.status == 1
    assert done.stdout.startswith(f"STILL FAILING finding {finding_id(kept)} in m:f\n")
    assert "ValueError: 11" in done.stdout
    assert "f(n=11)" in done.stdout


def test_a_finding_is_fixed(kept):
    change(kept, "n > 10", "n < 0")
    done = annotest("replay", finding_id(kept), cwd=kept)
    assert done.status == 0
    assert done.stdout.startswith(f"FIXED finding {finding_id(kept)} in m:f\n")
    assert f"{finding_id(kept)}  fixed" in annotest("replay", cwd=kept).stdout


def test_a_finding_has_changed(kept):
    change(kept, "raise ValueError(n)", "return [][n]")
    done = annotest("replay", finding_id(kept), cwd=kept)
    assert done.status == 1
    assert done.stdout.startswith(f"CHANGED finding {finding_id(kept)} in m:f\n")
    assert "IndexError" in done.stdout


def test_a_death_is_replayed(kept):
    change(kept, "raise ValueError(n)", "__import__('os').abort()")
    done = annotest("replay", finding_id(kept), cwd=kept)
    assert done.stdout.startswith("CHANGED")
    assert "the process was killed by signal SIGABRT during the call" in done.stdout


# from the same choices another input is drawn; one that was kept as it is, is none any more
REFUSING = {
    "ints": ("ints(0, 10**9)", "ints(0, 9)"),
    "require": ("@arg(n=", "@require('n < 11')\n@arg(n="),
    "a failure of its own": (
        "ints(0, 10**9))\ndef f(n):",
        "ints(0, 9))\ndef f(n):\n    assert n == 11",
    ),
}


@pytest.mark.parametrize("name", REFUSING)
def test_no_verdict_is_given_on_an_input_that_is_no_longer_valid(kept_drawn, name):
    change(kept_drawn, *REFUSING[name])
    id = finding_id(kept_drawn)
    said = f"annotest: {id}: its input is no longer valid: the annotations have changed\n"
    for debug in ((), ("--debug",)):
        done = annotest("replay", id, *debug, cwd=kept_drawn)
        assert (done.status, done.stdout, done.stderr) == (2, "", said)


def test_another_input_may_show_that_a_finding_still_fails(kept):
    change(kept, "ints(0, 10**9)", "ints(0, 9)")
    change(kept, "n > 10", "n >= 0")
    done = annotest("replay", finding_id(kept), cwd=kept)
    assert done.stdout.startswith(
        f"STILL FAILING finding {finding_id(kept)} in m:f\n"
        "  the annotations have changed: this is another input than the one reported\n"
    )
    assert "f(n=11)" not in done.stdout


def test_an_object_is_the_same_input_wherever_it_lies_in_memory(project):
    text = CODE.replace("@arg(", "@arg(t=froms([type('T', (), {})()]), ").replace("f(n)", "f(t, n)")
    folder = project(m=text)
    assert annotest("run", "m.py", cwd=folder).status == 1
    (entry,) = kept_entries()
    assert " at 0x" in dict(entry["inputs"])["t"]
    change(folder, "n > 10", "n < 0")
    assert annotest("replay", entry["id"], cwd=folder).stdout.startswith("FIXED")


CANNOT = {
    "def f": ("def g", "m:f is no longer a target"),
    "@arg(n=ints(0, 10**9))": (
        "@arg(n=ints(0, 10**9))\n@require('str(n) == repr(n) * 2')",
        "no longer valid",
    ),
}


@pytest.mark.parametrize("old", CANNOT)
def test_a_finding_that_cannot_be_replayed_says_why(kept, old):
    new, reason = CANNOT[old]
    change(kept, old, new)
    done = annotest("replay", finding_id(kept), cwd=kept)
    assert done.status == 2
    assert reason in done.stderr
    assert "Traceback" not in done.stderr


def test_an_unknown_id_is_told_with_those_that_are_known(kept):
    done = annotest("replay", "ffff", cwd=kept)
    assert done.status == 2
    known = finding_id(kept)
    assert done.stderr == (
        f"annotest: ffff: no finding of that id is kept in this project; there are: {known}\n"
    )


def test_debug_stops_at_the_failing_frame(kept):
    done = subprocess.run(
        [sys.executable, "-m", "annotest", "replay", finding_id(kept), "--debug"],
        input="p 'n is', n\nquit\n",
        cwd=kept,
        capture_output=True,
        text=True,
        timeout=LONGEST,
    )
    assert "-> raise ValueError(n)" in done.stdout
    assert "('n is', 11)" in done.stdout
    assert done.returncode == 1


def test_a_failing_input_is_tried_first_the_next_time(kept):
    change(kept, "n > 10", "n > 10**6 + 3")
    assert "f(n=1000004)" in annotest("run", "m.py", cwd=kept).stdout
    # one number in a thousand million, and not a constant of the program: no search would meet it
    change(kept, "n > 10**6 + 3", "n * 7 == 7000028")
    done = annotest("run", "m.py", "--seed", 5, cwd=kept)
    assert "f(n=1000004)" in done.stdout
    assert annotest("run", "m.py", "--no-database", "--seed", 5, cwd=kept).status == 0


def test_the_database_is_ignored_by_git_and_says_what_it_is(kept):
    assert (kept / ".annotest" / ".gitignore").read_text() == "*\n"
    assert "may be deleted" in (kept / ".annotest" / "README.txt").read_text()


def test_a_corrupt_database_costs_a_warning(kept, tmp_path):
    (kept / ".annotest" / "findings" / "0123456789-01234567.json").write_bytes(b"\0{")
    done = annotest("run", "m.py", cwd=kept)
    assert done.status == 1
    assert "warning" in done.stdout
    assert "0123456789-01234567.json" in done.stdout
    assert "f(n=11)" in done.stdout


def test_damaged_choices_cost_a_warning(kept):
    (file,) = (kept / ".annotest" / "findings").glob("*.json")
    record = json.loads(file.read_text())
    choices = bytearray(b64decode(record["choices"]))
    choices[0] ^= 0x80  # the kind of the first choice: there is no such kind
    file.write_text(json.dumps({**record, "choices": b64encode(choices).decode()}))
    for debug in ((), ("--debug",)):
        done = annotest("replay", record["id"], *debug, cwd=kept)
        told = f"annotest: {record['id']}: what is kept of its input is damaged\n"
        assert (done.status, done.stdout, done.stderr) == (2, "", told)
    done = annotest("run", "m.py", cwd=kept)
    what = f"the input that is kept of finding {record['id']} is damaged"
    assert f"warning {what}; it is left out\n" in done.stdout
    assert "f(n=11)" in done.stdout
    assert done.status == 1
    assert "STILL FAILING" in annotest("replay", record["id"], cwd=kept).stdout


def test_a_database_that_is_a_file_costs_a_warning(project, tmp_path):
    folder = project(m=CODE)
    (folder / "taken").write_text("")
    env = {"ANNOTEST_DATABASE": str(folder / "taken")}
    done = run_json("m.py", cwd=folder, tmp_path=tmp_path, env=env)
    assert done.status == 1
    assert len(done.report["warnings"]) >= 1
    assert "taken" in done.report["warnings"][0]


FLAKY = """
import os
from annotest import *


@arg(n=ints(0, 3))
def f(n):
    if os.urandom(1)[0] < 128:
        raise ValueError


@arg(n=ints(0, 3))
def once(n, calls=[]):
    calls.append(n)
    if len(calls) > 2:
        raise IndexError
"""


def test_a_failure_that_does_not_always_repeat_is_flaky_with_its_rate(project, tmp_path):
    reports = [
        run_json("m.py", "-k", "m:f", "--seed", seed, cwd=project(m=FLAKY), tmp_path=tmp_path)
        for seed in range(3)
    ]
    rates = [done.findings("f")[0]["repeats"] for done in reports if done.findings("f")]
    told = [rate for rate in rates if rate is not None]
    assert len(told) >= len(rates) - 1  # one input in 500 fails ten times all the same
    assert all(rate["times"] == 10 and rate["failed"] < 10 for rate in told)


def test_a_failure_that_needs_earlier_calls_is_flaky(project, tmp_path):
    done = run_json("m.py", "-k", "once", "--workers", 1, cwd=project(m=FLAKY), tmp_path=tmp_path)
    (finding,) = done.findings("once")
    assert finding["exception"]["type"] == "IndexError"
    assert finding["repeats"] == {"failed": 0, "times": 10}
    assert "flaky: run again, it failed 0 of 10 times" in done.stdout


SLOW = """
import os, tempfile, time
from annotest import *


def first_time(name):
    try:
        os.mkdir(os.path.join(tempfile.gettempdir(), name))
    except FileExistsError:
        return False
    return True


@arg(n=ints(0, 3))
def slow_once(n):
    if n == 2 and first_time("slow"):
        time.sleep(1000)


@arg(n=ints(0, 3))
def hangs(n):
    while n == 2:
        pass


@arg(n=ints(0, 10**6))
def one_behind_another(n):
    if n == 1001 and first_time("once"):
        raise IndexError("met on the way to 1002")
    if n > 1000:
        raise ValueError("many")
"""


def run_slow(project, tmp_path, name):
    options = ("-k", name, "--timeout", 1, "--seed", 1)
    return run_json("m.py", *options, cwd=project(m=SLOW), tmp_path=tmp_path)


def kept_entries():
    folder = Path(os.environ["ANNOTEST_DATABASE"]) / "findings"
    return [json.loads(file.read_text()) for file in folder.glob("*.json")]


def test_a_call_that_was_slow_once_is_no_finding_and_not_kept(project, tmp_path):
    done = run_slow(project, tmp_path, "slow_once")
    assert (done.status, done.report["findings"]) == (0, [])
    assert kept_entries() == []


def test_a_hang_is_kept_before_it_is_confirmed(project):
    run = started(project(m=SLOW), "m.py", "-k", "hangs", "--timeout", "1")
    entries = kept_entries()
    run.kill()
    run.communicate()
    (entry,) = entries
    assert entry["message"] == "the call took longer than 1 s"
    assert "hangs(n=2)" in entry["call"]


def test_a_failure_met_while_another_is_shrunk_is_run_again_too(project, tmp_path):
    done = run_slow(project, tmp_path, "one_behind_another")
    found = {finding["exception"]["type"]: finding for finding in done.report["findings"]}
    # 1001 where that is called once more when the other failure has gone
    assert found["ValueError"]["inputs"] in ({"n": "1001"}, {"n": "1002"})
    assert found["IndexError"]["inputs"] == {"n": "1001"}
    assert found["ValueError"]["repeats"] is None
    assert found["IndexError"]["repeats"] == {"failed": 0, "times": 10}


def test_a_failure_met_while_another_is_shrunk_is_kept_and_tried_again_first(project, tmp_path):
    text = SLOW.replace(' and first_time("once")', "")
    options = ("-k", "one_behind_another", "--seed", 1)
    done = run_json("m.py", *options, cwd=(folder := project(m=text)), tmp_path=tmp_path)
    (met,) = [each for each in done.report["findings"] if each["exception"]["type"] == "IndexError"]
    replayed = annotest("replay", met["id"], "--database", tmp_path / "kept", cwd=folder)
    assert replayed.status == 1
    assert "STILL FAILING" in replayed.stdout
    again = run_json("m.py", *options, "--max-examples", 2, cwd=folder, tmp_path=tmp_path)
    found = {
        finding["exception"]["type"]: finding["inputs"] for finding in again.report["findings"]
    }
    assert found == {"IndexError": {"n": "1001"}, "ValueError": {"n": "1002"}}


LIMITED = {
    "slow": ("time.sleep(3)", ("--timeout", 1)),
    "large": ("block = bytearray(500_000_000); time.sleep(1)", ("--max-memory", "300MB")),
    "loud": ("print('x' * 9_000_000); time.sleep(1)", ("--max-output", "5MB")),
}


@pytest.mark.parametrize("name", LIMITED)
def test_a_finding_is_replayed_under_the_limits_under_which_it_was_found(project, name):
    body, limit = LIMITED[name]
    text = f"import time\nfrom annotest import *\n\n\n@arg(n=ints(0, 3))\ndef f(n):\n    {body}\n"
    folder = project(m=text)
    assert annotest("run", "m.py", *limit, "--max-examples", 1, cwd=folder).status == 1
    (entry,) = kept_entries()
    done = annotest("replay", entry["id"], cwd=folder)
    assert done.stdout.startswith("STILL FAILING")
    assert "twice" not in done.stdout  # it was run once
    assert done.status == 1
    done = annotest("replay", entry["id"], limit[0], "2000", cwd=folder)
    assert done.stdout.startswith("FIXED")
    assert done.status == 0


def test_an_example_of_a_method_is_replayed_with_its_instance(project, tmp_path):
    text = """
from annotest import *


class A:
    @arg(k=ints(1, 5))
    def __init__(self, k):
        self.k = k

    @example(n=77)
    @arg(n=ints(0, 10**9))
    def f(self, n):
        if n == 77:
            raise ValueError(n)
"""
    folder = project(m=text)
    assert "A(k=1).f(n=77)" in annotest("run", "m.py", cwd=folder).stdout
    (entry,) = kept_entries()
    done = annotest("replay", entry["id"], cwd=folder)
    assert done.stdout.startswith("STILL FAILING")
    assert "A(k=1).f(n=77)" in done.stdout


ENDINGS = """
import os, signal
from annotest import *


@arg(n=ints(0, 9), m=froms(["a", "b"]))
def exits(n, m):
    if n > 3:
        os._exit(1 if m == "a" else 2)


@arg(n=ints(0, 9), m=froms(["a", "b"]))
def kills(n, m):
    if n > 3:
        os.kill(os.getpid(), signal.SIGKILL if m == "a" else signal.SIGTERM)
"""


def test_deaths_without_a_trace_are_told_apart_by_how_the_process_ended(project, tmp_path):
    done = run_json("m.py", "--seed", 1, cwd=(folder := project(m=ENDINGS)), tmp_path=tmp_path)
    found = {finding["message"]: finding for finding in done.report["findings"]}
    assert {text: one["inputs"] for text, one in found.items()} == {
        "the process exited with status 1 during the call": {"n": "4", "m": "'a'"},
        "the process exited with status 2 during the call": {"n": "4", "m": "'b'"},
        "the process was killed by signal SIGKILL during the call": {"n": "4", "m": "'a'"},
        "the process was killed by signal SIGTERM during the call": {"n": "4", "m": "'b'"},
    }
    assert not any(one["flaky"] for one in found.values())
    change(folder, "1 if", "3 if")
    id = found["the process exited with status 1 during the call"]["id"]
    replayed = annotest("replay", id, "--database", tmp_path / "kept", cwd=folder)
    assert replayed.stdout.startswith("CHANGED")


def test_an_import_that_no_longer_dies_is_fixed(project):
    folder = project(m=f"import os\n{CODE}os._exit(3)\n")
    assert annotest("run", "m.py", cwd=folder).status == 1
    (entry,) = kept_entries()
    assert annotest("replay", entry["id"], cwd=folder).stdout.startswith("STILL FAILING")
    change(folder, "os._exit(3)", "")
    done = annotest("replay", entry["id"], cwd=folder)
    assert (done.stdout.split()[0], done.status) == ("FIXED", 0)
    debugged = annotest("replay", entry["id"], "--debug", cwd=folder)
    assert debugged.stdout == "It does not fail any more.\n"


RENAMED = (
    "findings are kept here under ids of an earlier annotest; their inputs are tried again, and "
    "what still fails gets its new id"
)


@pytest.fixture
def of_an_earlier_version(kept):
    """The same finding under an id of an earlier making; returns that of today."""
    (file,) = (kept / ".annotest" / "findings").glob("*.json")
    record = json.loads(file.read_text())
    new = record["id"]
    del record["ids"]
    record["id"] = "0123456789"
    file.rename(file.with_name(file.name.replace(new, "0123456789"))).write_text(json.dumps(record))
    return new


def test_a_run_gives_what_still_fails_its_new_id(kept, of_an_earlier_version):
    done = annotest("run", "m.py", "--seed", 7, "--max-examples", 1, cwd=kept)
    assert f"warning {kept}/.annotest/findings: {RENAMED}\n" in done.stdout
    assert f"finding {of_an_earlier_version}" in done.stdout
    assert finding_id(kept) == of_an_earlier_version
    assert RENAMED not in annotest("run", "m.py", "--max-examples", 1, cwd=kept).stdout


def test_replay_knows_an_earlier_id_and_gives_the_new_one(kept, of_an_earlier_version):
    done = annotest("replay", "0123456789", cwd=kept)
    assert done.status == 1
    assert f"STILL FAILING finding {of_an_earlier_version} in m:f\n" in done.stdout
    assert finding_id(kept) == of_an_earlier_version


def test_a_finding_is_replayed_whatever_name_its_module_had(tmp_path, monkeypatch):
    monkeypatch.delenv("ANNOTEST_DATABASE")
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "m.py").write_text(CODE)
    assert "from sub.m import f" in annotest("run", ".", "--seed", 1, cwd=tmp_path).stdout
    done = annotest("replay", finding_id(tmp_path), cwd=tmp_path)
    assert done.stdout.startswith(f"STILL FAILING finding {finding_id(tmp_path)} in sub.m:f\n")
