"""Discovery: which functions of which files are targets, and that no file stops the others.

`projects/discovery` holds readable modules, run once; a line that fails is marked
`# planted: ExceptionType`. Files whose bytes, names or deeds matter are written by the tests.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest

PROJECT = Path(__file__).parent / "projects" / "discovery"
HEAD = "from annotest import arg, ints\n"
FUNCTION = "@arg(n=ints(1, 3))\ndef f(n):\n    assert n in (1, 2, 3)\n"
CODE = HEAD + FUNCTION
HEALTHY = CODE.replace("def f", "def healthy")


class Done(NamedTuple):
    """How a run ended: its record, its exit status, what it printed."""

    record: dict[str, Any]
    status: int
    output: str

    def targets(self, file: str = "") -> dict[str, str]:
        """Return the targets of a file, or of all, with how each fared."""
        found = [one for one in self.record["targets"] if not file or one["file"] == file]
        names = [one["qualname"] if file else f"{one['file']}:{one['qualname']}" for one in found]
        assert len(names) == len(set(names)), f"tested twice: {Counter(names).most_common(3)}"
        return dict(zip(names, (one["status"] for one in found), strict=True))

    def findings(self, file: str) -> list[dict[str, Any]]:
        """Return the findings on targets of a file."""
        return [one for one in self.record["findings"] if one["target"]["file"] == file]


def annotest(folder: Path, *words: str, seconds: float = 120) -> Done:
    """Run annotest in a folder, as a user does; what hangs is killed with all that it started."""
    record = folder.parent / f"{folder.name}.json"
    record.unlink(missing_ok=True)
    command = [sys.executable, "-m", "annotest", *words, "--json", str(record)]
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        output = process.communicate(timeout=seconds)[0].decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGTERM)
        process.communicate()
        pytest.fail(f"{' '.join(words)} still runs after {seconds:g} s")
    found = json.loads(record.read_text()) if record.exists() else None
    assert found is not None, output
    return Done(found, process.returncode, output)


def write(folder: Path, files: dict[str | bytes, str | bytes]) -> Path:
    """Write files below a folder; names and contents may be bytes."""
    for name, content in files.items():
        path = os.path.join(os.fsencode(folder), os.fsencode(name))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
    return folder


# ---- readable modules


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Done:
    folder = tmp_path_factory.mktemp("discovery") / "project"
    shutil.copytree(PROJECT, folder)
    return annotest(folder, "run", ".", "--seed", "7")


PASSED, FAILED, BLOCKED = "passed", "failed", "blocked"

TARGETS = {
    "healthy.py": {"healthy": PASSED},
    "decorated.py": {
        "wrapped_above": FAILED,
        "wrapped_below": FAILED,
        "wrapped_twice": PASSED,
        "wrapped_by_place": FAILED,
        "wrapped_between": FAILED,
        "pointed_above": FAILED,
        "pointed_between": FAILED,
        "compiled_above": FAILED,
        "compiled_below": FAILED,
        "cached_above": FAILED,
        "cached_below": PASSED,
        "managed": PASSED,
        "dispatched": FAILED,
        "awaited": FAILED,
        "lazy": FAILED,
        "iterator": FAILED,
        "make": PASSED,
        "made": PASSED,
        "Layer.static_above": FAILED,
        "Layer.static_below": FAILED,
        "Layer.class_above": FAILED,
        "Layer.class_below": FAILED,
        "Layer.size": FAILED,
        "Layer.cached": FAILED,
        "Layer.method_cached": FAILED,
        "Layer.settable": PASSED,
    },
    "classes.py": {
        "Base.__init__": PASSED,
        "Base.run": FAILED,
        "Base.replaced": PASSED,
        "Base.plain": PASSED,
        "Inheriting.own": FAILED,
        "Defaulted.run": FAILED,
        "Chosen.__init__": FAILED,
        "Chosen.seen": PASSED,
        "Chosen.first": FAILED,
        "Chosen.second": FAILED,
        "Chosen.needs_self": PASSED,
        "Failing.__init__": FAILED,
        "Failing.run": BLOCKED,
        "Hidden.run": FAILED,
        "Callable.__call__": FAILED,
        "Callable._annotated": FAILED,
        "Outer.Inner.run": FAILED,
        "Square.area": FAILED,
        "Record.__init__": PASSED,
        "Record.area": FAILED,
    },
    "names.py": {
        "<module>": PASSED,
        "_private": FAILED,
        "test_annotated": FAILED,
        "size_test": FAILED,
        "needs_nothing": FAILED,
        "all_defaults": FAILED,
    },
    "shared.py": {"shared": FAILED, "Shared.run": FAILED},
    "importing.py": {"own": PASSED},
    "generators.py": {
        "nested": FAILED,
        "in_a_list": FAILED,
        "in_a_dict": FAILED,
        "from_another_module": FAILED,
        "by_name": FAILED,
        "by_full_name": PASSED,
        "Model.__init__": PASSED,
        "by_class": FAILED,
        "together": FAILED,
        "of_a_broken_generator": BLOCKED,
        "of_a_sometimes_broken_generator": PASSED,
        "tested_too": FAILED,
        "of_a_variadic_generator": PASSED,
        "calls_a_generator_itself": PASSED,
    },
    "hints.py": {
        "annotated": FAILED,
        "with_precondition": PASSED,
        "precise": FAILED,
        "overridden": PASSED,
        "with_unknown_name": FAILED,
        "Layer.__init__": PASSED,
        "Layer.run": FAILED,
    },
    "library/outside_library.py": {
        "scale": FAILED,
        "Layer.__init__": PASSED,
        "Layer.forward": FAILED,
        "Layer.static": FAILED,
        "Layer.make": PASSED,
    },
    "self_annotated.py": {"plain": FAILED, "Layer.run": FAILED},
}


@pytest.mark.parametrize("file", TARGETS)
def test_a_module_has_these_targets_and_no_others(project, file):
    found = {one["qualname"] for one in project.record["targets"] if one["file"] == file}
    assert found == set(TARGETS[file])


ALL_TARGETS = [(file, target) for file, targets in TARGETS.items() for target in targets]


@pytest.mark.parametrize(("file", "target"), ALL_TARGETS)
def test_a_target_is_tested_once_and_fares_as_planted(project, file, target):
    found = [
        one["status"]
        for one in project.record["targets"]
        if (one["file"], one["qualname"]) == (file, target)
    ]
    assert found == [TARGETS[file][target]]


class Planted(NamedTuple):
    file: str
    line: int
    exception: str


def planted_in(file: str) -> list[Planted]:
    lines = enumerate((PROJECT / file).read_text().splitlines(), 1)
    marks = ((number, re.search(r"# planted: (\w+)", line)) for number, line in lines)
    return [Planted(file, number, mark.group(1)) for number, mark in marks if mark]


@pytest.mark.parametrize("file", TARGETS)
def test_exactly_the_planted_bugs_are_found(project, file):
    found = [
        Planted(file, one["location"]["line"], one["exception"]["type"])
        for one in project.record["findings"]
        if one["location"] and one["location"]["file"] == file
    ]
    assert sorted(found) == sorted(planted_in(file))


def test_every_finding_has_its_place_in_the_project(project):
    lost = [one for one in project.record["findings"] if one["location"] is None]
    assert [(one["target"]["qualname"], one["message"]) for one in lost] == []


def not_testable(project: Done, file: str) -> dict[str, str]:
    found = [one for one in project.record["not_testable"] if one["file"] == file]
    assert all(one["add"] for one in found)
    return {one["qualname"]: one["reason"] for one in found}


def test_a_function_hidden_by_a_decorator_is_not_testable_and_not_called(project):
    reasons = not_testable(project, "decorated.py")
    for name in ("hidden", "hidden_by_an_object", "Layer.hidden_method"):
        assert reasons[name] == "no name of its module leads to it"
    called = {one["qualname"] for one in project.record["targets"]}
    assert not called & {"hidden", "hidden_by_an_object", "Layer.hidden_method"}


def test_what_is_not_testable_in_classes_is_named_with_its_reason(project):
    reasons = not_testable(project, "classes.py")
    assert reasons == {
        "Inheriting.replaced": "no annotation for 'n'",
        "Unbuildable.__init__": "no annotation for 'units'",
        "Unbuildable.run": "an instance of Unbuildable: "
        "Unbuildable.__init__ has no annotation for 'units'",
        "Shape.scaled": "Shape is abstract",
        "Pair.shifted": "an instance of Pair: Pair.__init__ has no annotation for 'left'",
    }


def test_an_excluded_class_is_not_listed_at_all(project):
    assert not [name for name in not_testable(project, "classes.py") if "Excluded" in name]


def test_a_function_that_needs_input_is_not_testable(project):
    reasons = not_testable(project, "names.py")
    assert reasons == {"needs_input": "no annotation for 'first', 'second', 'third'"}
    assert not_testable(project, "hints.py") == {"bare": "no annotation for 'n', 'x'"}


def test_code_annotated_from_outside_is_not_called_untestable(project):
    reasons = not_testable(project, "library/outside_library.py")
    assert set(reasons) == {"untouched", "Layer.size"}


def test_an_installed_library_is_tested_when_annotated_from_outside(project):
    found = {
        f"{one['module']}:{one['qualname']}": one["status"]
        for one in project.record["targets"]
        if one["module"].startswith("numpy")
    }
    assert found == {"numpy:full": PASSED, "numpy.linalg:norm": FAILED, "numpy.linalg:inv": FAILED}


def test_a_bug_of_an_installed_library_is_placed_in_the_library(project):
    (norm, inv) = (
        one for one in project.record["findings"] if one["target"]["module"] == "numpy.linalg"
    )
    assert norm["exception"]["type"] == "ValueError"
    assert norm["call"].splitlines()[-1] == "norm(x=[1], ord='wrong')"
    assert inv["exception"]["type"] == "numpy.linalg.LinAlgError"
    assert all("numpy" in one["location"]["file"] for one in (norm, inv))


def test_a_name_that_leads_nowhere_costs_its_annotation_alone(project):
    wrong = [one for one in project.record["mistakes"] if not one["warning"]]
    assert [(one["file"], one["annotation"], one["reason"]) for one in wrong] == [
        (
            "outside.py",
            'annotate("outside_library:missing")',
            "AttributeError: module 'outside_library' has no attribute 'missing'",
        ),
        (
            "outside.py",
            'annotate("no_such_module:f")',
            "ModuleNotFoundError: No module named 'no_such_module'",
        ),
    ]


def test_a_failing_generator_is_a_generator_error_and_no_bug_of_the_function(project):
    found = {
        one["target"]["qualname"]: one["kind"]
        for one in project.findings("generators.py")
        if one["kind"] != "exception"
    }
    assert found == {"broken": "generator", "sometimes_broken": "generator"}


def test_what_is_blocked_names_the_finding_that_blocks_it(project):
    ids = {one["target"]["qualname"]: one["id"] for one in project.record["findings"]}
    blocked = {one["qualname"]: one["blocked_by"] for one in project.record["targets"]}
    assert blocked["Failing.run"] == ids["Failing.__init__"]
    assert blocked["of_a_broken_generator"] == ids["broken"]


CALLS = {
    "Inheriting.own": "Inheriting(units=4).own(n=5)",
    "Chosen.first": "Chosen(units=8).first()",
    "Chosen.second": "Chosen(units=9, scale=2).second()",
    "Outer.Inner.run": "Outer.Inner().run(n=3)",
    "Layer.size": "Layer().size",
    "in_a_list": "in_a_list(xs=[leaf(n=3)])",
    "from_another_module": "from_another_module(pair=pairs(a=3, b=4))",
    "by_class": "by_class(model=Model(units=3))",
}


@pytest.mark.parametrize("target", CALLS)
def test_the_smallest_call_is_written_as_it_is_made(project, target):
    (found,) = (one for one in project.record["findings"] if one["target"]["qualname"] == target)
    assert found["call"].splitlines()[-1] == CALLS[target]


# ---- awkward files, all in one project

TESTED = {
    "healthy.py": HEALTHY,
    "zz_healthy.py": HEALTHY,
    "byte_order_mark.py": b"\xef\xbb\xbf" + CODE.encode(),
    "latin_coded.py": (
        "# -*- coding: latin-1 -*-\n" + CODE + "    assert 'é' == chr(233)\n"
    ).encode("latin-1"),
    "windows_lines.py": CODE.replace("\n", "\r\n").encode(),
    "old_mac_lines.py": CODE.replace("\n", "\r").encode(),
    "form_feed.py": "\f" + CODE,
    "unfinished_line.py": CODE.rstrip("\n"),
    "01-train.py": CODE,
    "my module.py": CODE,
    "class.py": CODE,
    "modèle.py": CODE,
    "reads_argv.py": HEAD + "import sys\nassert sys.argv == [__file__], sys.argv\n" + FUNCTION,
    "parses_argv.py": HEAD
    + "import argparse\nOPTIONS = argparse.ArgumentParser().parse_args()\n"
    + FUNCTION,
    "reads_stdin.py": HEAD + "import sys\nassert sys.stdin.read() == ''\n" + FUNCTION,
    "prints.py": HEAD + "print('x' * 300_000)\n" + FUNCTION,
    "moves.py": HEAD + "import os\nos.chdir('/')\n" + FUNCTION,
    "threaded.py": HEAD
    + "import threading, time\n"
    + "threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()\n"
    + FUNCTION,
    "starts_a_process.py": HEAD
    + "import subprocess\nCHILD = subprocess.Popen(['sleep', '1000'])\n"
    + FUNCTION,
    "odd_objects.py": HEAD
    + "from unittest.mock import MagicMock\nimport numpy as np\n"
    + "class Odd:\n"
    + "    __hash__ = None\n"
    + "    def __eq__(self, other): raise RuntimeError\n"
    + "    def __bool__(self): raise RuntimeError\n"
    + "    def __repr__(self): raise RuntimeError\n"
    + "odd, mock, array = Odd(), MagicMock(), np.zeros(3)\n"
    + FUNCTION,
    "module_getattr.py": HEAD + "def __getattr__(name): raise RuntimeError(name)\n" + FUNCTION,
    "scripts/train.py": HEAD + "import helper\nassert helper.WIDTH == 3\n" + FUNCTION,
    "loose/part.py": HEAD
    + "from loose.other import WIDTH\nfrom .other import WIDTH as same\nassert WIDTH is same\n"
    + FUNCTION,
    "pack/__init__.py": CODE,
    "pack/inner/deep.py": HEAD
    + "from ..util import WIDTH\nfrom . import __name__ as here\nassert here == 'pack.inner'\n"
    + FUNCTION,
    "pack/first.py": HEAD + "import pack.second\n" + FUNCTION,
    "pack/second.py": HEAD + "import pack.first\n" + FUNCTION,
    "my-pack/part.py": HEAD + "from .util import WIDTH\n" + FUNCTION,
    "named/random.py": CODE,
    "named/types.py": CODE,
    "named/json.py": CODE,
    "named/asyncio.py": CODE,
    "one/model.py": CODE + "    assert __file__.endswith('one/model.py')\n",
    "two/model.py": CODE + "    assert __file__.endswith('two/model.py')\n",
    "linked_to/part.py": CODE,
}
BESIDE = {
    "empty.py": "",
    "scripts/helper.py": "WIDTH = 3\n",
    "loose/other.py": "WIDTH = 3\n",
    "pack/util.py": "WIDTH = 3\n",
    "pack/inner/__init__.py": "",
    "my-pack/__init__.py": "",
    "my-pack/util.py": "WIDTH = 3\n",
}
BROKEN = "def f(:\n"
SKIPPED = {
    "environment/pyvenv.cfg": "",
    "environment/lib/broken.py": BROKEN,
    ".hidden/broken.py": BROKEN,
    "__pycache__/broken.py": BROKEN,
    "node_modules/broken.py": BROKEN,
    "vendor/site-packages/broken.py": BROKEN,
    "build/broken.py": BROKEN,
    "tool.egg-info/broken.py": BROKEN,
    "annotest_tests/test_made.py": "# Made by annotest 0.1.0 from made.py\n" + BROKEN,
    "notes.txt": BROKEN,
}
# the line of the finding, and what its message says
SYNTAX = {
    "not_python.py": (HEAD + BROKEN, 2, "invalid syntax"),
    "python2.py": ('import annotest\nprint "hello"\n', 2, "Missing parentheses in call to 'print'"),
    "tabs.py": ("if True:\n\tx = 1\n        y = 2\n", 3, "inconsistent use of tabs and spaces"),
    "zero_byte.py": (CODE + "\0", 1, "null bytes"),
    "utf16.py": (CODE.encode("utf-16"), 1, "null bytes"),
    "unknown_coding.py": ("# coding: klingon\n" + CODE, 1, "unknown encoding: klingon"),
    "latin_bare.py": (CODE.encode() + b"    return '\xe9'\n", 5, "can't decode byte 0xe9"),
    "parentheses.py": ("(" * 1000, 1, "too many nested parentheses"),
    "long_sum.py": (CODE + "x = " + "+".join(["1"] * 20_000), 1, "recursion depth exceeded"),
}
# the kind and the type of the finding, its line, and its whole message
IMPORTS = {
    "exits.py": (
        "import annotest, sys\nsys.exit(3)\n",
        ("import", "SystemExit", 2, "3"),
    ),
    "raises.py": (
        CODE + "raise KeyError('no data')\n",
        ("import", "KeyError", 5, "'no data'"),
    ),
    "raises_no_exception.py": (
        "import annotest\nraise BaseException('x')\n",
        ("import", "BaseException", 2, "x"),
    ),
    "interrupts.py": (
        "import annotest\nraise KeyboardInterrupt\n",
        ("import", "KeyboardInterrupt", 2, ""),
    ),
    "needs_arguments.py": (
        HEAD + "import argparse\np = argparse.ArgumentParser()\n"
        "p.add_argument('data')\np.parse_args()\n" + FUNCTION,
        ("import", "SystemExit", 5, "2"),
    ),
    "needs_a_library.py": (
        "import annotest\nimport no_such_library\n",
        ("import", "ModuleNotFoundError", 2, "No module named 'no_such_library'"),
    ),
    "asks.py": (
        HEAD + "input('name? ')\n" + FUNCTION,
        ("import", "EOFError", 2, "EOF when reading a line"),
    ),
    "aborts.py": (
        "import annotest, os\nos.abort()\n",
        (
            "died",
            None,
            None,
            "the process was killed by signal SIGABRT while the module was imported",
        ),
    ),
    "leaves.py": (
        "import annotest, os\nos._exit(0)\n",
        ("died", None, None, "the process exited with status 0 while the module was imported"),
    ),
}


@pytest.fixture(scope="module")
def awkward(tmp_path_factory) -> Done:
    folder = tmp_path_factory.mktemp("awkward") / "a project, 'quoted' é"
    write(folder, {**TESTED, **BESIDE, **SKIPPED})
    write(folder, {name: one[0] for name, one in (SYNTAX | IMPORTS).items()})
    (folder / "linked").symlink_to("linked_to")
    (folder / "loop").symlink_to(".")
    return annotest(folder, "run", ".", "--seed", "7")


@pytest.mark.parametrize("file", TESTED)
def test_an_awkward_file_is_tested(awkward, file):
    name = "healthy" if "healthy" in file else "f"
    assert awkward.targets(file) == {name: PASSED}


def test_no_other_file_is_tested(awkward):
    files = {one["file"] for one in awkward.record["targets"] if one["kind"] != "module"}
    assert files == set(TESTED)
    generated = 1  # looked at, and then left alone
    read = len(TESTED | SYNTAX | IMPORTS | BESIDE) + generated
    assert awkward.record["summary"]["files"] == read


@pytest.mark.parametrize("file", SYNTAX)
def test_a_file_that_does_not_parse_is_a_finding_of_kind_syntax(awkward, file):
    _, line, message = SYNTAX[file]
    (found,) = awkward.findings(file)
    assert (found["kind"], found["exception"]["type"]) == ("syntax", "SyntaxError")
    assert found["location"] == {"file": file, "line": line}
    assert message in found["message"]


@pytest.mark.parametrize("file", IMPORTS)
def test_a_module_that_cannot_be_imported_is_a_finding(awkward, file):
    (found,) = awkward.findings(file)
    exception = found["exception"] and found["exception"]["type"]
    line = found["location"] and found["location"]["line"]
    assert (found["kind"], exception, line, found["message"]) == IMPORTS[file][1]
    assert awkward.targets(file) == {"<module>": FAILED}


def test_nothing_else_is_found_in_awkward_files(awkward):
    files = {one["target"]["file"] for one in awkward.record["findings"]}
    assert files == set(SYNTAX | IMPORTS)
    assert awkward.record["mistakes"] == []
    assert awkward.status == awkward.record["exit_status"] == 1


def test_nothing_that_a_module_started_outlives_the_run(awkward):
    running = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    assert "sleep 1000" not in running.stdout.splitlines()


# ---- one awkward file beside two healthy ones

RAISING = "    def __getattr__(self, name): raise RuntimeError('outside of a request')\n"
ALONE: dict[str, dict[str | bytes, str | bytes]] = {
    "an object that raises for any attribute": {
        "x.py": HEAD + "class Proxy:\n" + RAISING + "request = Proxy()\n" + FUNCTION
    },
    "a callable that raises for any attribute": {
        "x.py": HEAD
        + "class Proxy:\n"
        + RAISING
        + "    def __call__(self): pass\nrequest = Proxy()\n"
        + FUNCTION
    },
    "an object that has every attribute": {
        "x.py": HEAD + "from unittest.mock import call\n" + FUNCTION
    },
    "a class that raises for any attribute": {
        "x.py": HEAD
        + "class Meta(type):\n    def __getattr__(cls, name): raise RuntimeError(name)\n"
        + "class Lazy(metaclass=Meta):\n    def run(self, n): pass\n"
        + FUNCTION
    },
    "standard output closed": {
        "x.py": HEAD + "import os, sys\nsys.stdout.close()\nos.close(1)\n" + FUNCTION
    },
    "a file named in no encoding": {b"caf\xe9.py": CODE},
    "a file named like an installed library": {"part/numpy.py": CODE},
}


@pytest.mark.parametrize("name", ALONE)
def test_an_odd_module_is_tested_and_stops_no_other(tmp_path, name):
    files = {"healthy.py": HEALTHY, "zz_healthy.py": HEALTHY, **ALONE[name]}
    done = annotest(write(tmp_path / "p", files), "run", ".", "--seed", "7", seconds=20)
    assert sorted(done.targets().values()) == [PASSED] * 3, done.output
    assert done.record["findings"] == []
    assert done.status == 0


# what is found in the file, as kinds; None where anything may be said
STOPPING: dict[str, tuple[str, list[str] | None]] = {
    "too complex to parse": (HEAD + "x = " + "-" * 100_000 + "1\n", ["syntax"]),
    "leaving with the status that annotest's own failures have": (
        "import annotest, os\nos._exit(70)\n",
        ["died"],
    ),
    "closing every descriptor": (HEAD + "import os\nos.closerange(3, 64)\n" + FUNCTION, None),
    "breaking the builtins": (
        HEAD + "import builtins\nbuiltins.isinstance = lambda *args: 1 / 0\n" + FUNCTION,
        None,
    ),
}


@pytest.mark.parametrize("name", STOPPING)
def test_whatever_a_module_does_the_others_are_tested(tmp_path, name):
    text, kinds = STOPPING[name]
    files = {"healthy.py": HEALTHY, "zz_healthy.py": HEALTHY, "x.py": text}
    done = annotest(write(tmp_path / "p", files), "run", ".", "--seed", "7", seconds=20)
    assert done.targets("healthy.py") == done.targets("zz_healthy.py") == {"healthy": PASSED}
    if kinds is not None:
        assert [one["kind"] for one in done.findings("x.py")] == kinds


def test_a_file_that_does_not_parse_may_be_named_in_no_encoding(tmp_path):
    files = {"healthy.py": HEALTHY, b"caf\xe9.py": BROKEN}
    done = annotest(write(tmp_path / "p", files), "run", ".")
    assert [one["kind"] for one in done.record["findings"]] == ["syntax"]
    assert done.targets("healthy.py") == {"healthy": PASSED}


def test_an_editors_lock_file_is_no_module(tmp_path):
    folder = write(tmp_path / "p", {"healthy.py": HEALTHY})
    (folder / ".#healthy.py").symlink_to("somebody@somewhere:1")
    done = annotest(folder, "run", ".")
    assert done.record["findings"] == []
    assert done.targets() == {"healthy.py:healthy": PASSED}


def test_a_package_that_cannot_be_imported_is_one_finding_for_all_its_modules(tmp_path):
    files = {
        "healthy.py": HEALTHY,
        "pack/__init__.py": "raise OSError('no device')\n",
        "pack/one.py": CODE,
        "pack/two.py": CODE,
    }
    done = annotest(write(tmp_path / "p", files), "run", ".")
    (found,) = done.record["findings"]
    assert found["location"] == {"file": "pack/__init__.py", "line": 1}
    named = {f"{found['target']['module']}:<module>", *found["also_in"]}
    assert named == {"pack.one:<module>", "pack.two:<module>"}
    assert done.targets("healthy.py") == {"healthy": PASSED}


# ---- each function once, whatever leads to it


def test_a_linked_file_is_tested_once(tmp_path):
    folder = write(tmp_path / "p", {"healthy.py": HEALTHY})
    (folder / "alias.py").symlink_to("healthy.py")
    assert len(annotest(folder, "run", ".").record["targets"]) == 1


def test_paths_that_overlap_are_tested_once(tmp_path):
    folder = write(tmp_path / "p", {"part/healthy.py": HEALTHY})
    (tmp_path / "link").symlink_to("p")
    paths = [".", "part", "part/healthy.py", str(folder), str(tmp_path / "link" / "part")]
    assert annotest(folder, "run", *paths).targets() == {"part/healthy.py:healthy": PASSED}


def test_a_function_that_two_modules_import_is_tested_once(tmp_path):
    shared = "from shared import healthy\n"
    files = {
        "shared.py": HEALTHY,
        "one.py": shared + CODE,
        "two.py": shared + CODE,
    }
    folder = write(tmp_path / "p", files)
    for paths in (["."], ["one.py", "two.py"]):
        done = annotest(folder, "run", *paths)
        names = Counter(one["qualname"] for one in done.record["targets"])
        assert names == {"healthy": 1, "f": 2}, paths


# ---- what a run takes: paths, -k, --all

LAYOUT = {
    "pyproject.toml": "",
    "src/pack/__init__.py": "",
    "src/pack/model.py": HEAD + "import pack.util\n" + FUNCTION + "def g(a=1): pass\n",
    "src/pack/util.py": (
        "def plain(): return 1 / 0\n"
        "def needs(a, b=2): pass\n"
        "def test_plain(): raise RuntimeError\n"
        "def _private(): raise RuntimeError\n"
        "class Layer:\n"
        "    def run(self): pass\n"
        "    @staticmethod\n"
        "    def static(n): raise RuntimeError\n"
    ),
    "tests/test_util.py": "def helper(): raise RuntimeError\ndef test_it(): raise RuntimeError\n",
    "tests/conftest.py": "def helper(): raise RuntimeError\n",
}


@pytest.fixture(scope="module")
def layout(tmp_path_factory) -> Path:
    return write(tmp_path_factory.mktemp("layout") / "project", LAYOUT)


MODEL = {"src/pack/model.py:f": PASSED, "src/pack/model.py:g": PASSED}
UTIL = {"src/pack/util.py:plain": FAILED, "src/pack/util.py:Layer.run": PASSED}


@pytest.mark.parametrize("path", [".", "src", "src/pack", "src/pack/model.py"])
def test_a_package_is_imported_by_its_own_name_whatever_path_is_given(layout, path):
    done = annotest(layout, "run", path)
    assert done.targets() == MODEL
    assert {one["module"] for one in done.record["targets"]} == {"pack.model"}


def test_all_takes_what_needs_no_input_in_every_module(layout):
    done = annotest(layout, "run", ".", "--all")
    assert done.targets() == MODEL | UTIL
    reasons = not_testable(done, "src/pack/util.py")
    assert reasons == {
        "needs": "no annotation for 'a'",
        "Layer.static": "no annotation for 'n'",
    }


def test_without_all_a_module_without_annotations_is_listed_and_not_imported(layout):
    done = annotest(layout, "list", ".")
    unannotated = "needs no input, but its module has no annotations"
    assert not_testable(done, "src/pack/util.py") == {
        "plain": unannotated,
        "needs": "no annotation for 'a'",
        "Layer.run": unannotated,
        "Layer.static": "no annotation for 'n'",
    }
    assert done.targets() == dict.fromkeys(MODEL, "listed")


@pytest.mark.parametrize(
    ("words", "chosen"),
    [
        ("plain", ["src/pack/util.py:plain"]),
        ("PLAIN", ["src/pack/util.py:plain"]),
        ("plain or layer.run", list(UTIL)),
        ("pack.util and not plain", ["src/pack/util.py:Layer.run"]),
        ("not (plain or model)", ["src/pack/util.py:Layer.run"]),
        ("pack.model:f", ["src/pack/model.py:f"]),
    ],
)
def test_k_chooses_targets_by_their_names(layout, words, chosen):
    targets = annotest(layout, "run", ".", "--all", "-k", words).targets()
    assert [name for name, status in targets.items() if status != "skipped"] == chosen
    assert targets.keys() == (MODEL | UTIL).keys()


def test_k_that_chooses_nothing_ends_with_status_5(layout):
    done = annotest(layout, "run", ".", "-k", "nowhere")
    assert set(done.targets().values()) == {"skipped"}
    assert done.status == 5


@pytest.mark.parametrize("words", ["(", "plain and", "plain model", "not"])
def test_k_that_cannot_be_read_is_wrong_use(layout, words):
    done = subprocess.run(
        [sys.executable, "-m", "annotest", "run", ".", "-k", words],
        cwd=layout,
        capture_output=True,
        text=True,
        check=False,
    )
    said = f"annotest: -k {words!r} cannot be read; write words joined by and, or, not"
    assert (done.returncode, done.stderr.splitlines()[-1]) == (2, said)


def test_generated_tests_are_no_targets(tmp_path):
    folder = write(tmp_path / "p", {"healthy.py": HEALTHY})
    before = annotest(folder, "run", ".").targets()
    made = annotest(folder, "generate", ".")
    assert made.record == {"files": [{"file": "annotest_tests/test_healthy.py", "tests": 1}]}
    assert annotest(folder, "run", ".", "--all").targets() == before
