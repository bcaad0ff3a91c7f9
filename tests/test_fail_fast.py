"""`--fail-fast` and `--last-failed`: as little as possible between a change and what it broke."""

import pytest
from conftest import annotest, run_json

BUGS = """
from annotest import *

@arg(n=ints(0, 999))
def first(n): assert n < 300

@arg(n=ints(0, 999))
def second(n): assert n < 300

@arg(n=ints(0, 9))
def fine(n): pass
"""


def statuses(done):
    return {target["qualname"]: target["status"] for target in done.report["targets"]}


def test_a_run_ends_with_its_first_finding_which_is_complete(project, tmp_path):
    args = ("m.py", "--seed", 1, "--workers", 1, "--fail-fast", "--max-examples", 10**12)
    done = run_json(*args, cwd=project(m=BUGS), tmp_path=tmp_path)
    assert [finding["inputs"] for finding in done.report["findings"]] == [{"n": "300"}]
    assert statuses(done) == {"first": "failed", "second": "unfinished", "fine": "unfinished"}
    assert "unfinished: the run ended with its first finding\n" in done.stdout
    assert "        m:fine, 0 inputs run\n" in done.stdout
    assert done.status == 1


def test_a_call_that_kills_its_process_ends_a_run_complete_too(project, tmp_path):
    text = BUGS.replace("assert n < 300", "n < 300 or os._exit(3)").replace(
        "from", "import os\nfrom", 1
    )
    args = ("m.py:first", "m.py:fine", "--seed", 1, "--workers", 1, "--fail-fast")
    done = run_json(*args, cwd=project(m=text), tmp_path=tmp_path)
    assert [finding["inputs"] for finding in done.report["findings"]] == [{"n": "300"}]
    assert statuses(done)["fine"] == "unfinished"


def test_a_module_that_cannot_be_imported_or_read_ends_a_run(project, tmp_path):
    folder = project(a="from annotest import *\n1 / 0\n", m=BUGS)
    args = ("--workers", 1, "--fail-fast", "--seed", 1)
    done = run_json("a.py", "m.py", *args, cwd=folder, tmp_path=tmp_path)
    assert [finding["kind"] for finding in done.report["findings"]] == ["import"]
    assert statuses(done)["<module>"] in ("failed", "unfinished")
    (folder / "a.py").write_text("from annotest import *\n1 /\n")
    done = run_json("a.py", "m.py", *args, cwd=folder, tmp_path=tmp_path)
    assert [finding["kind"] for finding in done.report["findings"]] == ["syntax"]
    assert done.report["targets"] == []


def test_only_targets_of_which_findings_are_kept_are_tested(project, tmp_path):
    folder = project(m=BUGS, other=BUGS)
    last = ("--last-failed", "--seed", 2)
    done = run_json(*last, cwd=folder, tmp_path=tmp_path)
    assert done.status == 5
    said = "nothing to test: no finding is kept of a target here (--last-failed)\n"
    assert done.stdout.startswith(said)
    run_json("m.py:second", "--seed", 1, cwd=folder, tmp_path=tmp_path)
    done = run_json(*last, cwd=folder, tmp_path=tmp_path)
    assert statuses(done) == {"first": "skipped", "second": "failed", "fine": "skipped"}
    assert run_json("other.py", *last, cwd=folder, tmp_path=tmp_path).status == 5
    (folder / "m.py").write_text(BUGS.replace("assert n < 300", "pass"))
    (finding,) = done.report["findings"]
    kept = {"ANNOTEST_DATABASE": str(tmp_path / "kept")}
    assert annotest("replay", finding["id"], cwd=folder, env=kept).status == 0
    assert run_json(*last, cwd=folder, tmp_path=tmp_path).status == 5


def test_what_was_kept_and_keeping_nothing_cannot_both_be_meant(project):
    done = annotest("run", "--last-failed", "--no-database", cwd=project(m=BUGS))
    message = "--last-failed asks for what --no-database leaves out; leave one out"
    assert (done.status, done.stderr) == (2, f"annotest: {message}\n")


ENDS = {
    "it raises": ("assert n < 300", 0),
    "it kills its process": ("n < 300 or os._exit(3)", 0),
    "the module cannot be imported": ("pass\n1 / 0", 5),  # what is in it has not failed before
}


@pytest.mark.parametrize("how", ENDS)
def test_what_passes_again_is_not_tested_any_more(how, project, tmp_path):
    (bug, passed), last = ENDS[how], ("--last-failed", "--seed", 2)
    text = f"import os\nfrom annotest import *\n\n@arg(n=ints(0, 999))\ndef f(n): {bug}\n"
    folder = project(m=text)
    (known,) = run_json("--seed", 1, cwd=folder, tmp_path=tmp_path).report["findings"]
    assert run_json(*last, cwd=folder, tmp_path=tmp_path).status == 1  # it fails still
    (folder / "m.py").write_text(text.replace(bug, "pass"))
    assert run_json(*last, cwd=folder, tmp_path=tmp_path).status == passed
    done = run_json(*last, cwd=folder, tmp_path=tmp_path)
    assert done.stdout.startswith("nothing to test: no finding is kept of a target here")
    (folder / "m.py").write_text(text)  # it is back, and tried again in every run
    (again,) = run_json("--seed", 3, cwd=folder, tmp_path=tmp_path).report["findings"]
    assert again["id"] == known["id"]
    assert run_json(*last, cwd=folder, tmp_path=tmp_path).status == 1


def test_a_target_that_has_not_tried_its_input_again_is_tested_again(project, tmp_path):
    folder, last = project(m=BUGS), ("--last-failed", "--seed", 2)
    run_json("m.py:first", "--seed", 1, cwd=folder, tmp_path=tmp_path)
    (folder / "m.py").write_text(BUGS.replace("assert n < 300", "pass"))
    run_json(*last, "--target-time", 0.000001, cwd=folder, tmp_path=tmp_path)
    assert run_json(*last, cwd=folder, tmp_path=tmp_path).status == 0
