"""What people write first: the wrong way is told whole, whatever name leads to a function is right."""

import shutil
import subprocess
import sys

import folders
import pytest
from conftest import PROJECTS, annotest
from first_use_table import FUNCTIONS, HEAD, METHODS
from folders import write

TABLE = FUNCTIONS | METHODS
REAL_USE = PROJECTS / "real_use"


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    folder = tmp_path_factory.mktemp("told") / "project"
    programs = {f"{name}.py": HEAD + program + "\n" for name, (program, *_) in FUNCTIONS.items()}
    programs |= {f"{name}.py": f"{HEAD}    {text}\n" for name, (text, *_) in METHODS.items()}
    write(folder, programs)
    return annotest("run", ".", cwd=folder).stdout


@pytest.mark.parametrize("name", TABLE)
def test_a_mistake_is_told_whole(told, name):
    _, reason, remedy = TABLE[name]
    lines = iter(told.splitlines())
    mistakes = {
        line.partition(": ")[2]: next(lines).strip()
        for line in lines
        if line.startswith(f"mistake {name}.py:")
    }
    assert mistakes.get(reason) == remedy, mistakes


LIBRARY = """
import functools

def scale(n, k=1):
    assert n < 9
renamed = scale

class Base:
    def __init__(self, n):
        assert n < 9
        self.n = n
    def run(self, k):
        assert k < 5
    @classmethod
    def build(cls, n):
        assert n < 5
    @staticmethod
    def add(n):
        assert n < 9
    @property
    def half(self):
        assert self.n < 5
    def __call__(self, k):
        assert k < 5

class Child(Base):
    def own(self, k):
        assert k < 5

class Forwards(Base):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
    def own(self, k):
        assert k < 5

class Outer:
    class Inner:
        def go(self, k):
            assert k < 5

Alias = Child
cube = functools.partial(scale, k=3)

def make():
    def inner(n):
        assert n < 3
    return inner
kept = make()
"""
INIT = 'annotate("lib:Base.__init__", arg(n=ints(0, 8)))\n'
NAMES = {  # what is annotated, and the call that fails
    '"lib.core:scale", arg(n=ints(0, 9))': "scale(n=9)",
    '"lib:scale", arg(n=ints(0, 9))': "scale(n=9)",
    '"lib:other_name", arg(n=ints(0, 9))': "other_name(n=9)",
    '"lib.core:renamed", arg(n=ints(0, 9))': "renamed(n=9)",
    "lib.other_name, arg(n=ints(0, 9))": "scale(n=9)",
    '"lib:cube", arg(n=ints(0, 9))': "cube(n=9)",
    '"lib:kept", arg(n=ints(0, 9))': "kept(n=3)",
    '"lib:Foundation.__init__", arg(n=ints(0, 9))': "Foundation(n=9)",
    "lib.Foundation.__init__, arg(n=ints(0, 9))": "Base(n=9)",
    '"lib:Alias.__init__", arg(n=ints(0, 9))': "Alias(n=9)",
    '"lib:Base.run", arg(k=ints(0, 9))': "Base(n=0).run(k=5)",
    "lib.Child.run, arg(k=ints(0, 9))": "Base(n=0).run(k=5)",
    '"lib:Child.run", arg(k=ints(0, 9))': "Child(n=0).run(k=5)",
    '"lib:Child.own", arg(k=ints(0, 9))': "Child(n=0).own(k=5)",
    '"lib:Forwards.own", arg(k=ints(0, 9))': "Forwards(n=0).own(k=5)",
    '"lib:Base.build", arg(n=ints(0, 9))': "Base.build(n=5)",
    "lib.Base.build, arg(n=ints(0, 9))": "Base.build(n=5)",
    '"lib:Base.add", arg(n=ints(0, 9))': "Base.add(n=9)",
    "lib.Base.add, arg(n=ints(0, 9))": "Base.add(n=9)",
    '"lib:Base.half"': "Base(n=5).half",
    "lib.Base.half": "Base(n=5).half",
    '"lib:Foundation.__call__", arg(k=ints(0, 9))': "Base(n=0).__call__(k=5)",
    '"lib:Outer.Inner.go", arg(k=ints(0, 9))': "Outer.Inner().go(k=5)",
}


@pytest.fixture(scope="module")
def named(tmp_path_factory):
    folder = tmp_path_factory.mktemp("named")
    core = "from lib.core import *\nfrom lib.core import scale as other_name, Base as Foundation\n"
    files = {"lib/core.py": LIBRARY, "lib/__init__.py": core}
    head = "import lib\nfrom annotest import annotate, arg, ints\n"
    for place, target in enumerate(NAMES):
        init = "" if ".__init__" in target else INIT
        files[f"n{place}.py"] = f"{head}{init}annotate({target})\n"
    return write(folder, files)


@pytest.mark.parametrize("target", NAMES)
def test_the_same_object_has_the_same_annotations_whatever_name_leads_to_it(named, target):
    done = annotest("run", f"n{[*NAMES].index(target)}.py", "--workers", "1", cwd=named)
    assert f"    {NAMES[target]}\n" in done.stdout, done.stdout
    assert done.stdout.count("\n  finding ") == 1, done.stdout


def test_what_is_said_of_one_object_by_several_names_is_put_together(named):
    write(
        named,
        {
            "several.py": "from annotest import *\n"
            'annotate("lib:scale", arg(n=ints(0, 9)))\nannotate("lib.core:scale", require("n < 9"))\n'
            'annotate("lib:other_name", arg(k=ints(0, 3)))\n'
        },
    )
    done = annotest("list", "several.py", cwd=named)
    assert done.stdout == (
        "lib/core.py\n      4  lib:scale  function\n             n: ints(min=0, max=9)\n"
        '             k: ints(min=0, max=3)\n             @require("n < 9")\n\n'
        "1 target · 0 not testable\n"
    )


OPTIONS = """
from typing import Literal
def resized(n: int, mode: Literal["near", "far"] = "near", strict: bool = False):
    assert mode == "near" and not strict
class Keyword:
    def __init__(self, n: int):
        self.n = n
"""


def test_options_that_nobody_annotated_from_outside_keep_their_defaults(project):
    folder = project(options=OPTIONS, m="from annotest import *\nimport options\n")
    write(folder, {"m.py": 'from annotest import *\nannotate("options:resized", arg(n=ints()))\n'})
    done = annotest("run", "m.py", cwd=folder)
    assert done.status == 0, done.stdout


WRAPPED = """
import functools
from annotest import arg, ints

def only_keywords(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        assert not args
        return function(**kwargs)
    return wrapper

@only_keywords
@arg(n=ints(0, 3))
def f(n):
    pass

@functools.singledispatch
@arg(n=ints(0, 3))
def g(n):
    pass
"""


def test_a_wrapper_that_takes_both_is_called_by_name(project):
    assert annotest("run", "m.py", cwd=project(m=WRAPPED)).status == 0


REMARKS = """
from annotest import *

def helper(n):
    if n > 7: raise ValueError("too big")

@arg(n=ints(0, 9))
def own(n):
    if n > 7:
        raise KeyError(n)

@arg(n=ints(0, 9))
def by_helper(n):
    helper(n)

@arg(n=ints(0, 9))
def asserted(n):
    assert n < 8

class Model:
    @arg(n=ints(0, 9))
    def __init__(self, n):
        if n == 9: raise ValueError("never")
        self.n = n
    @property
    @require("self.n > 2")
    def half(self):
        raise NotImplementedError

@arg(n=ints(0, 9))
def lazy(n):
    yield n
    if n > 7: raise ValueError

def by_default(n=3):
    raise ValueError(n)

@raises(LookupError)
@arg(n=ints(0, 9))
def allowed(n):
    if n > 4: raise (KeyError if n > 6 else IndexError)(n)
    if n == 0: raise ValueError(n)
"""
OWN = (
    "raised by its own check, line {}: if such an input is not valid, say so with @require({}); if "
    "it may raise this, with @raises({})"
)


def test_a_finding_says_that_the_function_itself_raised_it(project):
    findings = folders.annotest(project(m=REMARKS), "run", "m.py").record["findings"]
    said = {finding["target"]["qualname"]: finding["remarks"] for finding in findings}
    assert said == {
        "own": [OWN.format(10, '"n <= 7"', 'KeyError, when="n > 7"')],
        "by_helper": [],
        "asserted": [],
        "Model.__init__": [OWN.format(23, '"n != 9"', 'ValueError, when="n == 9"')],
        "Model.half": [OWN.format(28, "…", "NotImplementedError")],
        "lazy": [OWN.format(33, '"n <= 7"', 'ValueError, when="n > 7"')],
        "by_default": ["nobody annotated it; called with its defaults"],
        "allowed": [
            OWN.format(42, '"not (n <= 4 and n == 0)"', 'ValueError, when="n <= 4 and n == 0"')
        ],
    }


def first_programs(folder, side):
    folder.mkdir()
    for path in (REAL_USE / side).glob("first_*"):
        copy = shutil.copytree if path.is_dir() else shutil.copy
        copy(path, folder / path.name)
    return folder


def test_the_printed_calls_can_be_pasted(tmp_path):
    folder = first_programs(tmp_path / "wrong", "wrong")
    findings = folders.annotest(folder, "run", ".").record["findings"]
    assert findings
    for finding in findings:
        pasted = [sys.executable, "-c", finding["call"]]
        end = subprocess.run(pasted, cwd=folder, capture_output=True, text=True, check=False)
        assert finding["exception"]["type"] in end.stderr.splitlines()[-1], finding["call"]


@pytest.mark.slow
@pytest.mark.parametrize("side", [pytest.param("right", marks=pytest.mark.exhaustive), "wrong"])
def test_generated_tests_of_the_programs_say_the_same(tmp_path, side):
    folder = first_programs(tmp_path / side, side)
    done = annotest("generate", ".", cwd=folder)
    assert done.status == 0, done.stdout
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "annotest_tests"]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == (side == "wrong"), ran.stdout
    planted = sum(path.read_text().count("# planted:") for path in folder.rglob("first_*.py"))
    assert ran.stdout.count("\nFAILED ") >= planted * (side == "wrong")


def test_what_init_is_was_there_before_the_constructor_changed_it(tmp_path):
    folder = first_programs(tmp_path / "right", "right")
    done = folders.annotest(folder, "run", "first_init_sizes.py", "-k", "use", "--seed", "1")
    assert set(done.targets().values()) == {"passed", "skipped"}
