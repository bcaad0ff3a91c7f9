"""Numbers with more digits than Python prints: in annotations, inputs, results and messages."""

import subprocess
import sys

import pytest
from conftest import annotest, run_json

HUGE = 10**5000
MODULE = """\
from annotest import *

@arg(n=froms([10**5000]))
def listed(n):
    assert n < 5

@arg(n=dicts({"a": froms([-10**5000])}))
def inside(n):
    assert n["a"] > 5

@arg(n=ints(1, 9))
def returned(n):
    return 10**5000

@arg(n=ints(1, 9))
def raised(n):
    raise KeyError(10**5000)

@require("n < 10**5000 and n * 10**5000 > 3")
@arg(n=ints(1, 9))
def required(n):
    assert n < 5

@example(10**5000)
@arg(n=froms([10**5000, 3]))
def example_of(n, m=10**5000):
    assert n == 3

@arg(n=ints(0, 10**299), x=floats(0, 1))
@require("n * x < 10**40 or n * n > x")
def long(n, x):
    assert n < 10
"""
CALLS = {
    "listed": f"from m import listed\nlisted(\n    n={HUGE:#x},\n)",
    "inside": f"from m import inside\ninside(\n    n={{\n        'a': {-HUGE:#x},\n    }},\n)",
    "raised": "from m import raised\nraised(n=1)",
    "required": "from m import required\nrequired(n=5)",
    "example_of": f"from m import example_of\nexample_of(\n    n={HUGE:#x},\n)",
    "long": "from m import long\nlong(n=10, x=0.0)",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("huge")
    (folder / "m.py").write_text(MODULE)
    return folder


def test_they_are_found_and_written_as_python_reads_them(folder, tmp_path):
    done = run_json("m.py", "--seed", "1", cwd=folder, tmp_path=tmp_path)
    assert done.status == 1, done.stdout + done.stderr
    found = {finding["target"]["qualname"]: finding["call"] for finding in done.report["findings"]}
    assert {name: call.replace(" ", "") for name, call in found.items()} == {
        name: call.replace(" ", "") for name, call in CALLS.items()
    }
    passed = [
        target["qualname"] for target in done.report["targets"] if target["status"] == "passed"
    ]
    assert passed == ["returned"]
    assert done.report["mistakes"] == []


@pytest.mark.parametrize("name", CALLS)
def test_what_is_printed_can_be_pasted(folder, name):
    done = subprocess.run([sys.executable, "-c", CALLS[name]], cwd=folder, capture_output=True)
    wanted = b"KeyError" if name == "raised" else b"AssertionError"
    assert wanted in done.stderr.splitlines()[-1]


def test_generated_tests_hold_them(folder):
    done = annotest("generate", "m.py", cwd=folder)
    assert (done.status, done.stdout) == (0, "annotest_tests/test_m.py: 8 tests\n")
    text = (folder / "annotest_tests" / "test_m.py").read_text()
    compile(text, "test_m.py", "exec")
    assert hex(HUGE) in text


@pytest.mark.parametrize(
    "command", [["list", "m.py"], *(["explain", name, "m.py"] for name in CALLS)]
)
def test_they_are_explained(folder, command):
    done = annotest(*command, cwd=folder)
    assert (done.status, done.stderr) == (0, "")
