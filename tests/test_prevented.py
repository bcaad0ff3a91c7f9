"""The guard as a user meets it: told, not counted as a bug, and allowed by the line it shows."""

import pytest
from conftest import annotest, run_json

WRITES = """
from annotest import *


@arg(n=ints(0, 3))
def saves(n):
    open(f"runs/run{n}.txt", "w").close()


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
FILES = ("kept.txt", "wrapped.txt")
IMPORTS = "from annotest import *\nopen('made.txt', 'w')\n@arg(n=ints())\ndef f(n): pass\n"


@pytest.fixture
def writes(project):
    """A project whose functions write to what is there already."""
    folder = project(m=WRITES)
    (folder / "runs").mkdir()
    for name in FILES:
        (folder / name).write_text("kept")
    return folder


def test_what_is_prevented_is_told_with_the_lines_that_allow_it(writes, tmp_path):
    folder = writes
    done = run_json("m.py", cwd=folder, tmp_path=tmp_path)
    assert done.status == 2
    assert done.report["findings"] == []
    status = {target["qualname"]: target["status"] for target in done.report["targets"]}
    assert status == {"saves": "prevented", "tries": "passed", "wraps": "prevented"}
    runs = "runs/run0.txt, runs/run1.txt, runs/run2.txt"
    assert f"prevented m.py:5: saves tried to write {runs} and 1 more\n" in done.stdout
    assert [(folder / name).read_text() for name in FILES] == ["kept", "kept"]
    assert list(folder.glob("runs/*")) == []
    said = "calls that failed for it are not reported as bugs\n"
    assert [said in part for part in done.stdout.split("prevented m.py")[1:]] == [True, False, True]


def test_the_lines_shown_do_allow_it(writes, tmp_path):
    folder = writes
    shown = annotest("run", "m.py", cwd=folder).stdout.splitlines()
    first = next(i for i, line in enumerate(shown) if line.strip() == "[tool.annotest]")
    lines = [line.strip() for line in shown[first : first + 2]]
    (folder / "pyproject.toml").write_text("\n".join(lines))
    done = run_json("m.py", cwd=folder, tmp_path=tmp_path)
    assert done.status == 0
    assert done.report["prevented"] == []
    assert (folder / "runs" / "run3.txt").exists()
    assert (folder / "kept.txt").read_text() == ""


@pytest.mark.parametrize("words", [("--allow", "."), ("--no-guard",)])
def test_an_option_allows_it_for_one_run(writes, tmp_path, words):
    assert run_json("m.py", *words, cwd=writes, tmp_path=tmp_path).status == 0
    assert (writes / "runs" / "run3.txt").exists()


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
    folder = project(m=FORKED)
    (folder / "kept.txt").write_text("kept")
    done = run_json("m.py", cwd=folder, tmp_path=tmp_path)
    assert not done.report["findings"]
    (prevented,) = done.report["prevented"]
    assert prevented["what"].endswith("kept.txt") and prevented["broke"]


# what a refusal explains, and what it does not

EXPLAINED = """
import multiprocessing, os, subprocess, threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from annotest import *

FORK = multiprocessing.get_context("fork")
KEPT = os.path.abspath("data/kept.txt")


@exclude
def write(*_):
    open(KEPT, "w")


@exclude
def probe(*_):
    try:
        write()
    except OSError:
        return False
    return True


@exclude
def end_in_silence():
    try:
        write()
    except OSError:
        os._exit(3)


@exclude
def in_fork(act):
    process = FORK.Process(target=act)
    process.start()
    process.join()
    return process.exitcode
"""
# a function's body, and whether the refusal explains how it fails
FAILING = {
    "itself": ("write()", True),
    "raised_from": ("try: write()\n    except OSError as e: raise KeyError from e", True),
    "raised_instead": ("try: write()\n    except OSError: raise KeyError from None", True),
    "while_handling": ("try: write()\n    except OSError: return 1 // 0", True),
    "left": ("try: write()\n    except OSError: raise SystemExit(4)", True),
    "in_a_thread_pool": ("ThreadPoolExecutor(1).submit(write).result()", True),
    "in_a_pool": ("ProcessPoolExecutor(1, FORK).submit(write, n).result()", True),
    "beginning_a_pool": ("ProcessPoolExecutor(1, FORK, write).submit(abs, n).result()", True),
    "in_a_process": ("assert in_fork(write) == 0", True),
    "in_a_silent_process": ("assert in_fork(end_in_silence) == 0", True),
    "in_a_thread": (
        "t = threading.Thread(target=write); t.start(); t.join(); raise KeyError",
        True,
    ),
    "never_written": (
        "try: open('data/new.txt', 'w')\n    except OSError: pass\n    open('data/new.txt')",
        True,
    ),
    "a_program": ("subprocess.run(['sleep', '0'])", True),
    "caught": ("probe()\n    return 1 // 0", False),
    "caught_and_printed": ("try: write()\n    except OSError as e: print(e)\n    1 // 0", False),
    "caught_in_a_process": ("assert in_fork(probe) == 0\n    return 1 // 0", False),
    "caught_in_a_pool": (
        "assert not ProcessPoolExecutor(1, FORK).submit(probe).result()\n    1 // 0",
        False,
    ),
    "another_missing_file": ("probe()\n    open('data/other.txt')", False),
}


def explained_module():
    functions = [
        f"@arg(n=ints(0, 0))\ndef {name}(n):\n    {body}\n" for name, (body, _) in FAILING.items()
    ]
    return "\n\n".join([EXPLAINED, *functions])


def test_a_refusal_excuses_what_it_explains_and_nothing_else(project, tmp_path):
    folder = project(m=explained_module())
    (folder / "data").mkdir()
    (folder / "data" / "kept.txt").write_text("kept")
    done = run_json("m.py", cwd=folder, tmp_path=tmp_path)
    status = {target["qualname"]: target["status"] for target in done.report["targets"]}
    assert status == {
        name: "prevented" if explained else "failed" for name, (_, explained) in FAILING.items()
    }
    told = {
        finding["target"]["qualname"]: finding["remarks"] for finding in done.report["findings"]
    }
    said = ["prevented before it: write data/kept.txt"]
    assert told == {name: said for name, (_, explained) in FAILING.items() if not explained}
    broke = {thing["target"]["qualname"]: thing["broke"] for thing in done.report["prevented"]}
    assert broke == {name: explained for name, (_, explained) in FAILING.items()}
    assert (folder / "data" / "kept.txt").read_text() == "kept"


BUILT = """
import subprocess
from annotest import *

try:
    subprocess.run(["sleep", "0"])
except OSError:
    pass


@exclude
def probe():
    try:
        subprocess.run(["sleep", "1"])
    except OSError:
        pass


@generator
@arg(n=ints(0, 3))
def number(n):
    probe()
    return 1 // 0


class Net:
    @arg(n=ints(0, 3))
    def __init__(self, n):
        probe()
        raise KeyError(n)


@arg(x=objs(number))
def generated(x): pass


@arg(net=objs(Net))
def constructed(net): pass
"""


def test_a_generator_and_a_constructor_are_judged_alike(project, tmp_path):
    done = run_json("m.py", cwd=project(m=BUILT), tmp_path=tmp_path)
    said = ["prevented before it: run sleep 1", "prevented while it was imported: run sleep 0"]
    last = {each["exception"]["type"]: each["remarks"][-2:] for each in done.report["findings"]}
    assert last == {"ZeroDivisionError": said, "KeyError": said}
    assert not any(thing["broke"] for thing in done.report["prevented"])


def test_an_import_that_fails_after_a_refusal_was_caught_is_a_finding(project, tmp_path):
    folder = project(m=BUILT.replace("class Net", "1 // 0\n\nclass Net"))
    done = run_json("m.py", cwd=folder, tmp_path=tmp_path)
    (finding,) = done.report["findings"]
    assert finding["kind"] == "import"
    assert finding["remarks"] == ["prevented before it: run sleep 0"]
    (prevented,) = done.report["prevented"]
    assert (prevented["what"], prevented["broke"], done.status) == ("sleep 0", False, 1)


def test_a_finding_after_a_refusal_is_replayed(project, tmp_path):
    folder = project(m=BUILT.split("@generator")[0] + "@arg(n=ints())\ndef f(n): probe(); 1 // 0\n")
    done = run_json("m.py", cwd=folder, tmp_path=tmp_path)
    (finding,) = done.report["findings"]
    env = {"ANNOTEST_DATABASE": str(tmp_path / "kept")}
    again = annotest("replay", finding["id"], cwd=folder, env=env)
    assert again.stdout.startswith(f"STILL FAILING finding {finding['id']} in m:f\n")
    assert "\nprevented before it: run sleep 1\n" in again.stdout


def test_a_call_that_dies_after_a_refusal_says_so(project, tmp_path):
    dies = "@arg(n=ints())\ndef dies(n):\n    probe()\n    import os; os.abort()\n"
    folder = project(m=BUILT.split("@generator")[0] + dies)
    done = run_json("m.py", "--max-examples", "5", cwd=folder, tmp_path=tmp_path)
    (finding,) = done.findings("dies")
    assert finding["kind"] == "died"
    assert finding["remarks"] == [
        "prevented before it: run sleep 1",
        "prevented while it was imported: run sleep 0",
    ]
