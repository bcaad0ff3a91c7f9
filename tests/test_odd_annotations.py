"""Annotations that are legal and odd: run, and written as tests, without a word about annotest."""

import subprocess
import sys

import pytest
from conftest import annotest, run_json

ODD = """\
import cmath
import enum
import functools
import math

import numpy as np

from annotest import *


class Mode(enum.Flag):
    R = 1
    W = 2


MARK = object()


@generator
@exclude
@arg(n=ints(0, 3))
def number(n):
    return n


@arg(mode=froms([Mode.R, Mode.R | Mode.W]))
def flags(mode): assert mode & Mode.R


@arg(module=froms([math, cmath]))
def modules(module): module.sqrt(4)


@arg(items=sets(objs(number), max_len=2))
def set_of_made(items): assert items <= {0, 1, 2, 3}


@arg(n=ints(0, 10**20, multiple_of=3))
def huge(n): assert n % 3 == 0


@arg(m=froms([np.ma.array([1, 2], mask=[0, 1]), np.array([[1]]).view(np.matrix)]))
def kinds_of_arrays(m): assert type(m) is not np.ndarray


@arg(x=anys(ints(0, 3), MARK))
def marked(x=MARK): assert x is MARK or x < 4


@arg(values=froms([{"a": np.zeros(2)}]))
@example({"a": np.zeros(2)})
def arrays_in_dicts(values): pass


@arg(x=np_arrays("float64", 3, elements=ints(0, 9)))
@example(np.array([1.0, 2.0, 3.0]))
def whole_floats(x): pass


@require("n > 0 and all(n > 0 for n in xs)")
@arg(n=ints(0, 3), xs=lists(ints(1, 2)))
def inner_names(n, xs): assert n > 0


@arg(args=tuples(ints(0, 3), ints(0, 3)))
@example(1, 2)
def starred(*args): assert len(args) == 2


@arg(n=ints(0, 3))
@example(1, mode="fast")
def with_a_mode(n, mode="slow"): assert mode in ("fast", "slow")


class Layer:
    @classmethod
    @require("n < cls.LIMIT")
    @arg(n=ints(0, 9).where(lambda n: n != 1))
    def made(cls, n): assert n < 5

    LIMIT = 5

    @staticmethod
    @arg(n=ints(0, 9).where(lambda n: n != 1))
    def static(n): assert n != 1

    @arg(n=ints(0, 9).where(lambda n: n != 1))
    @require("self.LIMIT > n")
    def method(self, n): assert n < 5


@arg(b=ints(5, 9))
def by_place(a=10, b=2, /): assert (a, b >= 5) == (10, True)


@require("n > 0  # positive")
@arg(n=ints(0, 3))
def commented(n): assert n > 0


@require("alpha_alpha_alpha >= 0 and beta_beta_beta_beta >= 0 and gamma_gamma_gamma >= 0 and 1 > 0")
@require("alpha_alpha_alpha >= 1 or beta_beta_beta_beta >= 0 and gamma_gamma_gamma >= 0 and 1 > 0")
@arg(alpha_alpha_alpha=ints(0, 3), beta_beta_beta_beta=ints(0, 3), gamma_gamma_gamma=ints(0, 3))
def long_conditions(alpha_alpha_alpha, beta_beta_beta_beta, gamma_gamma_gamma): pass


def make():
    class Local:
        @arg(n=ints(0, 3))
        def method(self, n): assert n < 4

    return Local


Local = make()


@arg(path=froms(["/dev/null"]))
def opens(path): return open(path, "w")
"""


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    folder = tmp_path_factory.mktemp("odd")
    (folder / "odd.py").write_text(ODD)
    return folder, run_json("odd.py", "--seed", 1, cwd=folder, tmp_path=folder)


def test_odd_annotations_are_run(odd):
    _, done = odd
    assert {target["qualname"]: target["status"] for target in done.report["targets"]} == {
        target["qualname"]: "passed" for target in done.report["targets"]
    }, done.stdout
    assert len(done.report["targets"]) >= 19
    assert done.status == 0, done.stdout


def test_odd_annotations_are_written(odd):
    folder, _ = odd
    assert annotest("generate", "odd.py", cwd=folder).status == 0
    file = folder / "annotest_tests" / "test_odd.py"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(file)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + file.read_text()


REFUSED = {
    "@require(max)\n@arg(n=ints())\ndef f(n): pass\n": (
        "m.py:2: @require(max): the condition does not say which arguments it needs"
    ),
    "import functools\n@arg(n=objs(functools.partial(int, 3)))\ndef f(n): pass\n": (
        "is not marked as a generator"
    ),
    "@arg(x=sets(froms([[1], [2]])))\ndef f(x): pass\n": "has elements that cannot be in a set",
    "@arg(x=np_arrays('uint8', 3, elements=ints(0, 1000)))\ndef f(x): pass\n": "has elements that an array of uint8 cannot hold",
    "@arg(x=np_arrays('float32', 3, min=5, max=1))\ndef f(x): pass\n": "allows nothing",
    "@arg(x=np_arrays(shape=objs('f')))\ndef f(x): pass\n": "known when arrays are drawn",
    "@arg(kw=dicts(ints(0, 3), ints()))\ndef f(**kw): pass\n": "of **kw is not text",
    "@arg(a=ints(), kw=dicts(froms(['a']), ints()))\ndef f(a, **kw): pass\n": (
        "the key 'a' of **kw is an argument of its own"
    ),
    "@arg(x=lists(ints(0, 9).map(abs), unique=True))\ndef f(x): pass\n": "wants elements that differ",
    "@arg(x=sets(ints(0, 9).map(abs), min_len=2))\ndef f(x): pass\n": "wants elements that differ",
    "@arg\ndef f(n): pass\n": "m.py:2: @arg names no argument",
    "@require\ndef f(n): pass\n": "f is no function any more",
    "@arg(x=np_shapes(min_dims=40))\ndef f(x): pass\n": "has too many dimensions",
    "@arg(x=strs(pattern=b'a'))\ndef f(x): pass\n": "has a wrong pattern: not text",
}


@pytest.fixture(scope="module")
def refused(tmp_path_factory):
    folder = tmp_path_factory.mktemp("refused")
    healthy = "@arg(n=ints(0, 3))\ndef healthy(n): pass\n"
    for number, code in enumerate(REFUSED):
        (folder / f"m{number}.py").write_text(f"from annotest import *\n{code}\n{healthy}")
    return run_json(".", cwd=folder, tmp_path=folder)


@pytest.mark.parametrize("code", REFUSED, ids=lambda code: code.splitlines()[-2][:40])
def test_what_cannot_work_is_refused_and_costs_its_function_alone(refused, code):
    file = f"m{list(REFUSED).index(code)}.py"
    said = "\n".join(line for line in refused.stdout.splitlines() if f" {file}:" in line)
    assert REFUSED[code].replace("m.py", file) in said
    targets = [target for target in refused.report["targets"] if target["file"] == file]
    assert {target["qualname"]: target["status"] for target in targets}["healthy"] == "passed"
    assert refused.status == 2
    assert "itself failed" not in refused.stdout


def test_a_wrong_constraint_in_a_hint_given_as_text_is_told(project, tmp_path):
    text = (
        "from __future__ import annotations\nfrom typing import Annotated\nfrom annotest import *\n"
        "def f(n: Annotated[int, ints(5, 1)]): pass\n"
    )
    done = run_json("m.py", cwd=project(m=text), tmp_path=tmp_path)
    assert "ints(min=5, max=1) allows nothing" in done.stdout
    assert done.status == 2


ENGINE = {
    "generator_error_first": (
        "@generator\n@exclude\n@arg(n=ints(0, 9))\ndef g(n):\n    if n == 0: raise OSError\n    return n\n"
        "@arg(x=objs(g))\ndef f(x):\n    if x > 3: raise KeyError(x)\n",
        {"f": "failed"},
        {"OSError", "KeyError"},
    ),
    "group_generator_raises": (
        "@generator\n@exclude\n@arg(n=ints(0, 9))\ndef g(n): raise OSError\n"
        "@arg('a, b', objs(g))\ndef f(a, b): pass\n",
        {"f": "blocked"},
        {"OSError"},
    ),
    "bugs_without_frames": (
        "annotate('math:sqrt', arg(x=floats(-2, -1)))\nannotate('math:acos', arg(x=floats(2, 3)))\n",
        {"sqrt": "failed", "acos": "failed"},
        {"ValueError"},
    ),
    "abstract": (
        "import abc\nclass A(abc.ABC):\n    @arg(n=ints())\n    def __init__(self, n): pass\n"
        "    @abc.abstractmethod\n    def m(self): pass\n@arg(n=ints(0, 3))\ndef f(n): pass\n",
        {"f": "passed"},
        set(),
    ),
    "forks": (
        "import os\n@arg(n=ints(0, 3))\ndef f(n):\n    if os.fork() == 0: raise KeyError\n"
        "    os.wait()\n",
        {"f": "passed"},
        set(),
    ),
    "named_tuple": (
        "from typing import Annotated, NamedTuple\nclass P(NamedTuple):\n"
        "    n: Annotated[int, ints(0, 3)]\n    def double(self): assert self.n < 4\n",
        {"P.__new__": "passed", "P.double": "passed"},
        set(),
    ),
    "own_new": (
        "class P:\n    @arg(n=ints(0, 3))\n    def __new__(cls, n):\n        assert n != 2\n"
        "        return object.__new__(cls)\n    def m(self): pass\n",
        {"P.__new__": "failed", "P.m": "passed"},
        {"AssertionError"},
    ),
    "generator_leaves": (
        "import sys\n@generator\n@exclude\ndef g(): sys.exit(0)\n@arg(x=objs(g))\ndef f(x): pass\n",
        {"f": "error"},
        set(),
    ),
    "closed_stderr": (
        "import sys\nsys.stderr.close()\n@arg(n=ints(0, 3))\ndef f(n): pass\n",
        {"f": "passed"},
        set(),
    ),
    "hanging_group": (
        "import time\n@generator\n@exclude\n@arg(n=ints(0, 9))\ndef g(n): time.sleep(60)\n"
        "@arg('a, b', objs(g))\ndef f(a, b): pass\n",
        {"f": "blocked"},
        set(),
    ),
}


SLOW = [pytest.param("hanging_group", marks=pytest.mark.exhaustive)]


@pytest.mark.parametrize("name", [*(name for name in ENGINE if name != "hanging_group"), *SLOW])
def test_each_target_is_judged_by_what_it_did(project, tmp_path, name):
    code, statuses, exceptions = ENGINE[name]
    folder = project(m="from annotest import *\n" + code)
    done = run_json("m.py", "--timeout", 2, cwd=folder, tmp_path=tmp_path)
    found = {target["qualname"]: target["status"] for target in done.report["targets"]}
    assert found == statuses, done.stdout
    types = {
        finding["exception"]["type"] for finding in done.report["findings"] if finding["exception"]
    }
    assert types == exceptions
    if name == "bugs_without_frames":
        assert len(done.report["findings"]) == 2


def test_a_failure_of_annotest_costs_its_target_alone(project, tmp_path):
    """Results stay with their targets even after annotest itself has failed on one."""
    text = (
        "import annotest.engine.child.search as s\nfrom annotest import *\n"
        "real = s.Search.run\n"
        "def broken(self):\n"
        "    if self.target.attribute == 'a': raise RuntimeError('planted')\n"
        "    real(self)\n"
        "s.Search.run = broken\n"
        "@arg(n=ints(0, 3))\ndef a(n): pass\n"
        "@arg(n=ints(0, 3))\ndef b(n): pass\n"
        "@arg(n=ints(0, 3))\ndef c(n): raise KeyError\n"
        "@arg(n=ints(0, 3))\ndef d(n): pass\n"
    )
    done = run_json("m.py", cwd=project(m=text), tmp_path=tmp_path)
    status = {target["qualname"]: target["status"] for target in done.report["targets"]}
    assert status == {"a": "error", "b": "passed", "c": "failed", "d": "passed"}
    assert done.status == 3
