"""`annotest generate`: the files, as they are written."""

import importlib.util
import subprocess
import sys

import pytest
from conftest import PROJECTS, annotest, generated

from annotest.plan.preconditions import compile_precondition
from annotest.source import Names
from annotest.spec import Require
from annotest.writer.conditions import condition_text

GOLDEN = PROJECTS.parent / "golden"
WRITER = PROJECTS / "writer"


HAS_TORCH = importlib.util.find_spec("torch") is not None
OF_TORCH = pytest.mark.skipif(not HAS_TORCH, reason="torch is not installed")


# layers has one of everything that a file can hold, shapes one of each way to draw related
# arguments, attention one of each way to draw tensors
@pytest.fixture(
    scope="module", params=["layers", "shapes", pytest.param("attention", marks=OF_TORCH)]
)
def written(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("project")
    name = request.param
    (folder / f"{name}.py").write_text((WRITER / f"{name}.py").read_text())
    done = annotest("generate", f"{name}.py", cwd=folder)
    assert done.status == 0, done.stdout + done.stderr
    return folder / "annotest_tests" / f"test_{name}.py"


def test_the_file_is_as_reviewed(written):
    """A change in what is written is to be seen in review: copy the new file over the golden one."""
    golden = GOLDEN / written.name.replace("test_", "generated_")
    assert written.read_text() == golden.read_text()


def test_the_file_is_formatted_as_ruff_formats(written):
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "--diff", str(written)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_file_is_clean(written):
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", str(written)]
    done = subprocess.run(command, cwd=written.parents[1], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_tests_pass_from_another_folder(written, tmp_path):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(written)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_no_name_of_the_program_clashes_with_one_of_the_file(tmp_path):
    (tmp_path / "clashes.py").write_text((WRITER / "clashes.py").read_text())
    done = annotest("generate", "clashes.py", cwd=tmp_path)
    assert done.status == 0, done.stdout + done.stderr
    file = tmp_path / "annotest_tests" / "test_clashes.py"
    for tool in (["pytest", "-q", "-p", "no:cacheprovider"], ["ruff", "check", "--isolated"]):
        command = [sys.executable, "-m", *tool, str(file)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + file.read_text()


def test_generating_again_overwrites_our_own_file(written):
    written.write_text(written.read_text() + "\n# stale\n")
    annotest("generate", written.name.removeprefix("test_"), cwd=written.parents[1])
    assert "# stale" not in written.read_text()


def test_a_file_of_somebody_elses_is_never_overwritten(project):
    folder = project(m="from annotest import *\n@arg(n=ints())\ndef f(n): pass\n")
    (folder / "out").mkdir()
    theirs = folder / "out" / "test_m.py"
    theirs.write_text("# mine\n")
    done = annotest("generate", "m.py", "--out", "out", cwd=folder)
    assert done.status == 2
    assert done.stderr == (
        "annotest: out/test_m.py: this file was not made by annotest; "
        "move it, choose another folder with --out, or overwrite it with --force\n"
    )
    assert theirs.read_text() == "# mine\n"
    done = annotest("generate", "m.py", "--out", "out", "--force", cwd=folder)
    assert done.status == 0
    assert theirs.read_text().startswith("# Made by annotest")


UNWRITABLE = {  # for root, too
    "m.py/x": "m.py/x/test_m.py: cannot be written: Not a directory",
    "/proc/x": "/proc/x/test_m.py: cannot be written: No such file or directory",
    "/dev/full": "/dev/full/test_m.py: cannot be written: File exists",
    "a" * 300: f"{'a' * 300}/test_m.py: cannot be written: File name too long",
}


@pytest.mark.parametrize("out", UNWRITABLE)
def test_a_folder_that_cannot_be_written_is_a_mistake(project, out):
    folder = project(m="from annotest import *\n@arg(n=ints())\ndef f(n): pass\n")
    done = annotest("generate", "m.py", "--out", out, cwd=folder)
    told = f"annotest: {UNWRITABLE[out]}; choose another folder with --out\n"
    assert (done.status, done.stdout, done.stderr) == (2, "", told)


def test_what_was_written_before_a_refusal_is_kept_and_told(project):
    text = "from annotest import *\n@arg(n=ints())\ndef f(n): pass\n"
    folder = project(a=text, b=text + "@arg(n=ints(2, 1))\ndef g(n): pass\n")
    (folder / "out" / "test_b.py.partial").mkdir(parents=True)
    done = annotest("generate", ".", "--out", "out", cwd=folder)
    assert done.stderr == (
        "annotest: out/test_b.py: cannot be written: Is a directory; "
        "choose another folder with --out\n"
    )
    assert done.stdout == (
        'mistake b.py:4: @arg("n"): ints(min=2, max=1) allows nothing: min=2 is above max=1\n'
        "        make min at most max\n"
        "\n"
        "out/test_a.py: 1 test\n"
    )
    assert done.status == 2
    assert (folder / "out" / "test_a.py").read_text().startswith("# Made by annotest")


def test_generated_files_are_not_scanned(written):
    done = annotest("list", ".", cwd=written.parents[1])
    assert "annotest_tests" not in done.stdout


def test_a_function_with_wrong_annotations_is_named_in_the_file(project):
    text = "from annotest import *\n@arg(n=ints(5, 1))\ndef f(n): pass\n@arg(n=ints())\ndef g(n): pass\n"
    folder = project(m=text)
    done = annotest("generate", "m.py", cwd=folder)
    assert done.status == 2
    assert "ints(min=5, max=1) allows nothing" in done.stdout
    file = (folder / "annotest_tests" / "test_m.py").read_text()
    assert "# No test of f: its annotations are wrong. See: annotest list" in file
    assert "def test_g(n):" in file


def test_the_header_says_how_the_file_was_made(written):
    first, second, third = written.read_text().splitlines()[:3]
    assert first.startswith("# Made by annotest ")
    module = written.name.removeprefix("test_")
    assert first.endswith(f" from {module}")
    assert second == f"# with: annotest generate {module}"
    assert third == "# Generating again overwrites this file: change the annotations instead."


def test_a_process_that_ends_while_it_writes_costs_its_module_alone(project):
    ends = """
import os
import annotest.engine.worker.worker as worker
from annotest import arg, ints

worker.write_tests = lambda *given: os._exit(7)

@arg(n=ints())
def ended(n): pass
"""
    folder = project(ends=ends, goes_on=ends.replace("worker.write_tests =", "unused ="))
    done = annotest("generate", ".", cwd=folder)
    assert done.status == 3
    assert done.stdout == (
        "annotest itself failed; please report this:\n"
        f"{folder / 'ends.py'}: its process ended while its tests were written\n"
        "\n"
        "annotest_tests/test_goes_on.py: 1 test\n"
    )


def test_modules_that_are_no_identifiers_are_imported_all_the_same(project):
    folder = project()
    (folder / "01-train.py").write_text(
        "from annotest import *\n@arg(n=ints(0, 3))\ndef f(n): assert n < 4\n"
    )
    assert annotest("generate", ".", cwd=folder).status == 0
    file = folder / "annotest_tests" / "test_01_train.py"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(file)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


NOTHING = {
    "mistakes": ("@arg(n=ints(5, 1))\ndef f(n): pass\n", ", because of the mistakes above"),
    "syntax": ("def f(:\n", ", because of the failures above"),
    "import": ("@arg(n=ints())\ndef f(n): pass\n1 / 0\n", ", because of the failures above"),
    "prevented": (
        "import os\n@arg(n=ints())\ndef f(n): pass\nos.system('rm -f x')\n",
        ", because of the failures above",
    ),
    "untested": (
        "@arg(n=ints())\ndef f(n, m): pass\n",
        ": no annotated function has all that it needs",
    ),
    "unannotated": ("def f(n): pass\n", ": no annotated function was found"),
}


@pytest.mark.parametrize("name", NOTHING)
def test_it_is_said_why_there_is_nothing_to_write(project, name):
    code, why = NOTHING[name]
    done = annotest("generate", "m.py", cwd=project(m=f"from annotest import *\n{code}"))
    assert done.stdout.endswith(f"nothing to write{why}\n")


def test_a_precondition_is_written_in_its_own_words():
    def f(n):
        pass

    precondition = compile_precondition(Require("n*2>3"), ["n"], f, "f")
    assert condition_text(precondition, f, Names(), {}) == "n*2>3"
    assert condition_text(precondition, f, Names(), {"n": "size"}) == "size * 2 > 3"


def test_an_end_that_the_values_have_anyway_is_theirs(tmp_path):
    text = '@arg(k=ints(1, 4), n=ints(1, 9))\n@require("k <= n <= k + 8")\ndef f(k, n): pass\n'
    (file,) = generated(tmp_path, {"m": text}).glob("test_*.py")
    assert "n = draw(st.integers(min_value=k, max_value=9))\n" in file.read_text()
