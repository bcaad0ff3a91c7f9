"""The guard as a user meets it: told, not counted as a bug, and allowed by the line it shows."""

import pytest
from conftest import annotest, run_json

WRITES = """
from annotest import *


@arg(n=ints(0, 3))
def saves(n):
    open(f"run{n}.txt", "w").close()


@arg(n=ints(0, 3))
def tries(n):
    try:
        open("kept.txt", "w")
    except OSError:
        return


@arg(n=ints(0, 3))
def wraps(n):
    try:
        open("wrapped.txt", "w")
    except OSError as error:
        raise RuntimeError("cannot save") from error
"""
IMPORTS = "from annotest import *\nopen('made.txt', 'w')\n@arg(n=ints())\ndef f(n): pass\n"


def test_what_is_prevented_is_told_with_the_lines_that_allow_it(project, tmp_path):
    folder = project(m=WRITES)
    done = run_json("m.py", cwd=folder, tmp_path=tmp_path)
    assert done.status == 2
    assert done.report["findings"] == []
    status = {target["qualname"]: target["status"] for target in done.report["targets"]}
    assert status == {"saves": "prevented", "tries": "passed", "wraps": "prevented"}
    assert "prevented m.py:5: saves tried to write run0.txt, run1.txt, run2.txt and 1 more\n" in (
        done.stdout
    )
    assert sorted(one.name for one in folder.glob("*.txt")) == []
    said = "calls that failed for it are not reported as bugs\n"
    assert [said in part for part in done.stdout.split("prevented m.py")[1:]] == [True, False, True]


def test_the_lines_shown_do_allow_it(project, tmp_path):
    folder = project(m=WRITES)
    shown = annotest("run", "m.py", cwd=folder).stdout.splitlines()
    first = next(i for i, line in enumerate(shown) if line.strip() == "[tool.annotest]")
    lines = [line.strip() for line in shown[first : first + 2]]
    (folder / "pyproject.toml").write_text("\n".join(lines))
    done = run_json("m.py", cwd=folder, tmp_path=tmp_path)
    assert done.status == 0
    assert done.report["prevented"] == []
    assert (folder / "run3.txt").exists()


@pytest.mark.parametrize("words", [("--allow", "."), ("--no-guard",)])
def test_an_option_allows_it_for_one_run(project, tmp_path, words):
    assert run_json("m.py", *words, cwd=project(m=WRITES), tmp_path=tmp_path).status == 0


def test_a_misspelt_word_is_told(project):
    done = annotest("run", "m.py", "--allow", "netwrok", cwd=project(m=WRITES))
    assert done.status == 2
    assert done.stderr == "annotest: --allow netwrok: did you mean 'network'?\n"


@pytest.mark.parametrize("command", ["run", "list", "generate"])
def test_an_import_that_is_prevented_is_no_bug(project, command):
    folder = project(m=IMPORTS, other="from annotest import *\n@arg(n=ints())\ndef g(n): pass\n")
    done = annotest(command, ".", cwd=folder)
    assert "prevented m.py:1: <module> tried to write made.txt" in done.stdout
    assert "cannot be imported" not in done.stdout
    assert done.status == 2
    assert not (folder / "made.txt").exists()


FORKED = """
import multiprocessing, os
from annotest import *


@exclude
def write(n):
    open("kept.txt", "w").write("x")


@arg(n=ints(0, 5))
def in_a_process(n):
    process = multiprocessing.get_context("fork").Process(target=write, args=(n,))
    process.start()
    process.join()
    if process.exitcode:
        raise RuntimeError
"""


def test_what_is_prevented_in_a_forked_process_is_no_bug(project, tmp_path):
    done = run_json("m.py", cwd=project(m=FORKED), tmp_path=tmp_path)
    assert not done.report["findings"]
    (prevented,) = done.report["prevented"]
    assert prevented["what"].endswith("kept.txt") and prevented["broke"]
