"""What is a finding and what is not: the environment, notes, limits of calls by guess, exit statuses."""

import re
from io import StringIO

import pytest
from conftest import annotest, run_json
from folders import HEAD, write

from annotest.errors import Site
from annotest.events import FailureFound, TargetFinished
from annotest.facts import Fault, TargetInfo, TargetResult
from annotest.kinds import ASIDES, Kind, Status, Verdict
from annotest.reports.console import Console
from annotest.reports.json import summary
from annotest.reports.terminal import print_report
from annotest.triage import Report

TARGET = "@arg(n=ints(1, 3))\ndef f(n):\n    return n\n"
GUESSED = "nobody annotated it; called with its defaults"
LEAVE_OUT = f"{GUESSED}: annotate it, or leave it out with @exclude"
AT_IMPORT = 'none of its functions is tested: put that below `if __name__ == "__main__":`'
USAGE = "it reads the command line, and leaves with a usage message"
NO_LINE = "it reads the command line, and there is none"
NO_INPUT = "it reads standard input, and there is none"

SCREEN_PROJECT = {
    "train.py": HEAD
    + "import argparse\n"
    + TARGET
    + "def main(argv=None):\n"
    + "    parser = argparse.ArgumentParser()\n"
    + "    parser.add_argument('data')\n"
    + "    return parser.parse_args(argv)\n"
    + "def ask():\n    return int(input())\n"
    + "def mean(values=()):\n    return sum(values) / len(values)\n",
    "old.py": "print 'training'\n",
    "deep.py": "import theano.tensor\n" + HEAD + TARGET,
}
SCREEN = f"""\
1 ── train:mean ─────────────────────────────────────────────────────────────────────── train.py:13
ZeroDivisionError: division by zero
{GUESSED}

    from train import mean
    mean()

  train.py:13 in mean
      return sum(values) / len(values)
  finding ID · after SECONDS

environment deep.py:1: needs theano; install it, or exclude the file
note old.py:1: not Python: Missing parentheses in call to 'print'. Did you mean print(...)?; left alone, as it has no annotations
note train.py:9: main: {USAGE}
note train.py:11: ask: {NO_INPUT}
        {LEAVE_OUT}

5 targets · 7 inputs run · 0 invalid discarded · 0 starved · 0 blocked · 0 skipped · 1 environment · 3 notes · 1 finding · SECONDS · seed 5
"""


def screen_of(text):
    return re.sub(r"finding [0-9a-f]{10}", "finding ID", re.sub(r"\d+\.\d s", "SECONDS", text))


def test_what_is_no_finding_is_listed_apart_in_a_line_or_two(tmp_path):
    done = run_json(
        ".", "--seed", "5", cwd=write(tmp_path / "p", SCREEN_PROJECT), tmp_path=tmp_path
    )
    assert screen_of(done.stdout) == SCREEN
    assert done.status == 1
    numbers = done.report["summary"]
    assert (numbers["environment"], numbers["beyond"], numbers["note"]) == (1, 0, 3)
    assert (numbers["findings"], numbers["passed"], numbers["failed"]) == (1, 1, 1)
    statuses = {each["qualname"]: each["status"] for each in done.report["targets"]}
    assert statuses == {
        "<module>": "environment",
        "f": "passed",
        "main": "noted",
        "ask": "noted",
        "mean": "failed",
    }


# of a file x.py beside a right one: the exit status, and what is listed apart, with its place
CASES = {
    "a missing package": (
        "import theano\n" + HEAD + TARGET,
        2,
        [("environment", 1, "<module>", "needs theano; install it, or exclude the file")],
    ),
    "a missing package that the program gives as the reason": (
        HEAD + "try:\n    import theano\nexcept ImportError as e:\n    raise OSError from e\n",
        2,
        [("environment", 5, "<module>", "needs theano; install it, or exclude the file")],
    ),
    "a missing package without which the program gives up": (
        HEAD + "try:\n    import theano\nexcept ImportError:\n    exit('install theano')\n",
        2,
        [("environment", 5, "<module>", "needs theano; install it, or exclude the file")],
    ),
    "a missing package that the call needs": (
        HEAD + "@arg(n=ints(1, 3))\ndef f(n):\n    import theano\n",
        2,
        [
            (
                "environment",
                4,
                "f",
                "needs theano; install it, or leave the function out with @exclude",
            )
        ],
    ),
    "a missing package that only some calls need": (
        HEAD + "@arg(n=ints(1, 3))\ndef f(n):\n    if n == 2:\n        import theano\n",
        2,
        [
            (
                "environment",
                5,
                "f",
                "needs theano; install it, or leave the function out with @exclude",
            )
        ],
    ),
    "a script with a usage message": (
        "import sys\n" + HEAD + "print('Usage: x.py FILE')\nsys.exit(1)\n" + TARGET,
        0,
        [("note", 4, "<module>", USAGE, AT_IMPORT)],
    ),
    "a script without its command line": (
        "import sys\n" + HEAD + "file = sys.argv[1]\n" + TARGET,
        0,
        [("note", 3, "<module>", NO_LINE, AT_IMPORT)],
    ),
    "a script that asks": (
        HEAD + "name = input('name? ')\n" + TARGET,
        0,
        [("note", 2, "<module>", NO_INPUT, AT_IMPORT)],
    ),
    "a read of standard input": (
        "import sys\n" + HEAD + TARGET + "def ask():\n    return sys.stdin.read()[0]\n",
        0,
        [("note", 7, "ask", NO_INPUT, LEAVE_OUT)],
    ),
    "a constructor that asks": (
        HEAD + TARGET + "class Asking:\n    def __init__(self):\n        self.name = input()\n",
        0,
        [("note", 7, "Asking.__init__", NO_INPUT, LEAVE_OUT)],
    ),
    "Python 2": (
        "exec 'x'\n",
        0,
        [
            (
                "note",
                1,
                "<module>",
                "not Python: Missing parentheses in call to 'exec'. Did you mean exec(...)?; "
                "left alone, as it has no annotations",
            )
        ],
    ),
    "an input that is read and used": (
        "import sys\n" + HEAD + TARGET + "def ask():\n    return sys.stdin.read().split()\n",
        0,
        [],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_not_held_against_the_code_is_no_finding(tmp_path, name):
    text, status, expected = CASES[name]
    folder = write(tmp_path / "p", {"right.py": HEAD + TARGET, "x.py": text})
    done = run_json(".", "--seed", "1", cwd=folder, tmp_path=tmp_path)
    asides = [
        (each["verdict"], each["location"]["line"], each["target"]["qualname"], *each["remarks"])
        for each in done.report["asides"]
    ]
    assert asides == expected
    assert done.report["findings"] == []
    assert done.status == status


FINDINGS = {
    "a misspelt module of the project": ("import rigth\n" + HEAD, "ModuleNotFoundError"),
    "a missing part of a module": ("import right.part\n" + HEAD, "ModuleNotFoundError"),
    "a missing name": ("from right import g\n" + HEAD, "ImportError"),
    "a fallback that is wrong itself": (
        HEAD + "try:\n    import theano\nexcept ImportError:\n    from right import g\n",
        "ImportError",
    ),
    "a fallback that fails": (
        HEAD + "try:\n    import theano\nexcept ImportError:\n    1 / 0\n",
        "ZeroDivisionError",
    ),
    "a read of standard input that is annotated": (
        HEAD + "@arg(n=ints(1, 1))\ndef f(n):\n    input()\n",
        "EOFError",
    ),
    "an exit without a usage message": (
        HEAD + TARGET + "def leave():\n    raise SystemExit(1)\n",
        "SystemExit",
    ),
    "an index that is no command line's": (
        HEAD + TARGET + "def first(names=()):\n    return names[0]\n",
        "IndexError",
    ),
    "a module that is said to be importable, and asks": (
        "from annotest import module_test\nmodule_test()\ninput()\n",
        "EOFError",
    ),
    "annotations in a file that does not parse": (HEAD + "def f(:\n", "SyntaxError"),
}


@pytest.mark.parametrize("name", FINDINGS)
def test_what_the_code_is_to_blame_for_is_a_finding(tmp_path, name):
    text, exception = FINDINGS[name]
    folder = write(tmp_path / "p", {"right.py": HEAD + TARGET, "x.py": text})
    done = run_json(".", "--seed", "1", cwd=folder, tmp_path=tmp_path)
    assert [each["exception"]["type"] for each in done.report["findings"]] == [exception]
    assert done.report["asides"] == []
    assert done.status == 1


def test_a_file_that_does_not_parse_is_a_finding_when_it_is_named(tmp_path):
    folder = write(tmp_path / "p", {"old.py": "exec 'x'\n"})
    done = run_json("old.py", cwd=folder, tmp_path=tmp_path)
    assert [each["kind"] for each in done.report["findings"]] == ["syntax"]
    assert (done.report["asides"], done.status) == ([], 1)


def test_a_file_that_does_not_parse_and_is_imported_is_told_of_once(tmp_path):
    files = {"old.py": "exec 'x'\n", "x.py": "import old\n" + HEAD + TARGET}
    done = run_json(".", cwd=write(tmp_path / "p", files), tmp_path=tmp_path)
    assert [each["location"]["file"] for each in done.report["findings"]] == ["old.py"]
    assert (done.report["asides"], done.status) == ([], 1)


def test_a_module_that_lies_elsewhere_in_the_project_is_not_missing(tmp_path):
    files = {"pyproject.toml": "", "tools/helper.py": "", "net/x.py": "import helper\n" + HEAD}
    done = run_json("net", cwd=write(tmp_path / "p", files), tmp_path=tmp_path)
    assert [each["kind"] for each in done.report["findings"]] == ["import"]


def test_a_constructor_that_an_annotated_method_needs_is_no_note(tmp_path):
    text = HEAD + "class A:\n    def __init__(self):\n        input()\n"
    text += "    @arg(n=ints(1, 3))\n    def use(self, n): pass\n"
    done = run_json(".", cwd=write(tmp_path / "p", {"x.py": text}), tmp_path=tmp_path)
    assert [each["exception"]["type"] for each in done.report["findings"]] == ["EOFError"]
    assert (done.report["asides"], done.status) == ([], 1)


def test_a_finding_of_the_functions_own_check_is_a_rejected_input(tmp_path):
    text = HEAD + "@arg(n=ints(1, 3))\ndef f(n):\n    if n < 4:\n        raise ValueError(n)\n"
    done = run_json(".", cwd=write(tmp_path / "p", {"x.py": text}), tmp_path=tmp_path)
    assert [each["verdict"] for each in done.report["findings"]] == ["rejected input"]
    assert done.status == 1


# ---- what is kept, counted and shown


def test_what_is_no_finding_is_neither_kept_nor_announced(tmp_path):
    files = {name: text for name, text in SCREEN_PROJECT.items() if name != "old.py"}
    files["train.py"] = files["train.py"].partition("def mean")[0]
    folder = write(tmp_path / "p", files)
    done = annotest("run", ".", "-v", cwd=folder)
    assert (done.status, "found in" in done.stderr) == (2, False)
    replayed = annotest("replay", cwd=folder)
    assert (replayed.stdout, replayed.status) == ("no findings are kept in this project\n", 0)


def failure(verdict, *remarks):
    info = TargetInfo("net", "f", "function", "net.py", 3)
    place = Site("net.py", 4)
    fault = Fault(info, Kind.EXCEPTION, "crash", f"id of {verdict}", "ValueError", "no", (), place)
    return Fault(**{**vars(fault), "remarks": remarks, "verdict": verdict}).on("net:f", "f(n=0)")


def report_of(*verdicts):
    report = Report()
    for verdict in verdicts:
        report.take(FailureFound(failure(verdict, f"told of {verdict}")))
    report.take(TargetFinished(TargetResult(failure(Verdict.BUG).target, Status.PASSED, 1)))
    return report


def test_every_verdict_that_is_no_finding_is_shown_and_counted_by_one_table():
    report, shown = report_of(*ASIDES), StringIO()
    print_report(Console(file=shown, width=200), report)
    assert shown.getvalue() == (
        "environment net.py:4: f: told of environment\n"
        "suspicious net.py:4: f: ValueError: no; told of suspicious\n"
        "beyond net.py:4: f: ValueError: no; told of beyond\n"
        "        f(n=0)\n"
        "note net.py:4: f: told of note\n"
        "\n"
        "1 target · 1 input run · 0 invalid discarded · 0 starved · 0 blocked · 0 skipped · "
        "1 environment · 1 suspicious · 1 beyond · 1 note · 0 findings · 0.0 s · seed 0\n"
    )
    numbers = summary(report)
    assert {verdict: numbers[verdict] for verdict in ASIDES} == dict.fromkeys(ASIDES, 1)
    assert report.exit_status() == 0  # of its targets, none is left untested


def test_one_bug_that_is_a_finding_anywhere_is_a_finding():
    report = report_of(Verdict.NOTE)
    held = failure(Verdict.BUG)
    same = {**vars(held), "fingerprint": f"id of {Verdict.NOTE}", "seen_in": "net:g"}
    report.take(FailureFound(type(held)(**same)))
    assert [each.verdict for each in report.findings] == [Verdict.BUG]
    assert (report.asides, report.exit_status()) == ([], 1)


def test_list_and_generate_tell_of_the_environment(tmp_path):
    folder = write(tmp_path / "p", {"deep.py": SCREEN_PROJECT["deep.py"]})
    listed = annotest("list", ".", cwd=folder)
    assert "environment deep.py:1: needs theano; install it, or exclude the file\n" in listed.stdout
    assert listed.status == 2
    written = annotest("generate", ".", cwd=folder)
    assert written.stdout == (
        "environment deep.py:1: needs theano; install it, or exclude the file\n\n"
        "nothing to write, because of the failures above\n"
    )
    assert written.status == 2


def test_stray_files_alone_are_nothing_to_test(tmp_path):
    folder = write(tmp_path / "p", {"old.py": "exec 'x'\n"})
    done = annotest("run", ".", cwd=folder)
    assert done.status == 5
    assert done.stdout.startswith(
        "note old.py:1: not Python: Missing parentheses in call to 'exec'"
    )
