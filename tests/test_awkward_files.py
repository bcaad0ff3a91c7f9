"""Files that try hard to stop a run: whatever one does, the others are tested."""

import subprocess
import sys

import pytest
from folders import CODE, FAILED, FUNCTION, HEAD, HEALTHY, PASSED, Done, annotest, write

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
    "tabs.py": (HEAD + "if n:\n\tx = 1\n        y = 2\n", 4, "inconsistent use of tabs and spaces"),
    "zero_byte.py": (CODE + "\0", 1, "null bytes"),
    "utf16.py": (CODE.encode("utf-16"), 1, "null bytes"),
    "unknown_coding.py": ("# coding: klingon\n" + CODE, 1, "unknown encoding: klingon"),
    "latin_bare.py": (CODE.encode() + b"    return '\xe9'\n", 5, "can't decode byte 0xe9"),
    "parentheses.py": (HEAD + "(" * 1000, 2, "too many nested parentheses"),
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
    "kills_its_parent.py": (
        "import annotest, os\nos.kill(os.getppid(), 9)\n",
        (
            "died",
            None,
            None,
            "the process was killed by signal SIGKILL while the module was imported",
        ),
    ),
}


@pytest.fixture(scope="module")
def awkward(tmp_path_factory) -> Done:
    folder = tmp_path_factory.mktemp("awkward") / "a project, 'quoted' é"
    write(folder, {**TESTED, **BESIDE, **SKIPPED})
    write(folder, {name: one[0] for name, one in (SYNTAX | IMPORTS).items()})
    (folder / "linked").symlink_to("linked_to")
    (folder / "loop").symlink_to(".")
    return annotest(folder, "run", ".", "--seed", "7", "--allow", "programs")


@pytest.mark.parametrize("file", TESTED)
def test_an_awkward_file_is_tested(awkward, file):
    name = "healthy" if "healthy" in file else "f"
    assert awkward.targets(file) == {name: PASSED}


def test_no_other_file_is_tested(awkward):
    files = {target["file"] for target in awkward.record["targets"] if target["kind"] != "module"}
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
    files = {finding["target"]["file"] for finding in awkward.record["findings"]}
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
    done = annotest(write(tmp_path / "p", files), "run", ".", "--seed", "7")
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
    done = annotest(write(tmp_path / "p", files), "run", ".", "--seed", "7")
    assert done.targets("healthy.py") == done.targets("zz_healthy.py") == {"healthy": PASSED}
    if kinds is not None:
        assert [finding["kind"] for finding in done.findings("x.py")] == kinds


def test_a_file_that_does_not_parse_may_be_named_in_no_encoding(tmp_path):
    files = {"healthy.py": HEALTHY, b"caf\xe9.py": HEAD + BROKEN}
    done = annotest(write(tmp_path / "p", files), "run", ".")
    assert [finding["kind"] for finding in done.record["findings"]] == ["syntax"]
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


# ---- modules of one package share a worker while nothing is called

SHARED = {
    "pack/__init__.py": "",
    "pack/a_breaks_others.py": CODE + "import builtins\nbuiltins.LEFT_BEHIND = True\n",
    "pack/b_is_sensitive.py": "import builtins\nassert not hasattr(builtins, 'LEFT_BEHIND')\n"
    + CODE,
    "pack/c_exits.py": HEAD + "import sys\nsys.exit(4)\n" + FUNCTION,
    "pack/d_dies.py": HEAD + "import os\nos.abort()\n" + FUNCTION,
    "pack/e_healthy.py": CODE,
    "pack/f_threads.py": CODE
    + "import threading, time\nthreading.Thread(target=time.sleep, args=(9,), daemon=True).start()\n",
    "pack/g_healthy.py": CODE,
}
FINE = {f"pack/{name}.py:f" for name in ("a_breaks_others", "b_is_sensitive", "e_healthy")}
FINE |= {f"pack/{name}.py:f" for name in ("f_threads", "g_healthy")}


@pytest.mark.parametrize("command", ["list", "run"])
def test_each_module_is_judged_by_itself(tmp_path, command):
    done = annotest(write(tmp_path / "p", SHARED), command, ".")
    kinds = {finding["target"]["file"]: finding["kind"] for finding in done.record["findings"]}
    assert kinds == {"pack/c_exits.py": "import", "pack/d_dies.py": "died"}
    status = {"list": "listed", "run": PASSED}[command]
    assert {name for name, one in done.targets().items() if one == status} == FINE


def test_every_test_file_is_written_whatever_the_modules_before_it_did(tmp_path):
    folder = write(tmp_path / "p", SHARED)
    command = [sys.executable, "-m", "annotest", "generate", "."]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 1
    written = {path.name for path in (folder / "annotest_tests").iterdir()}
    assert written == {f"test_{name[:-5].replace('/', '_')}.py" for name in FINE}
