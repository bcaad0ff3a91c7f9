"""What is left alone: files by `exclude` and `--exclude`, functions by `auto = false`, classes by what they are."""

import json
import re

import pytest
from conftest import annotest
from folders import CODE, HEAD, write

from annotest import globs

# a pattern, paths that it means, and paths that it does not
PATTERNS = [
    (
        "legacy",
        ["legacy/a.py", "legacy/b/c.py", "net/legacy/a.py"],
        ["legacy.py", "old_legacy/a.py"],
    ),
    ("legacy/", ["legacy/a.py", "net/legacy/a.py"], ["legacy.py"]),
    ("legacy/*", ["legacy/a.py", "legacy/b/c.py"], ["net/legacy/a.py", "legacy.py"]),
    ("legacy/**", ["legacy/a.py", "legacy/b/c.py"], ["net/legacy/a.py"]),
    ("./legacy", ["legacy/a.py"], ["net/legacy/a.py"]),
    ("legacy/*.py", ["legacy/a.py"], ["legacy/b/c.py"]),
    ("old_*.py", ["old_a.py", "net/old_a.py"], ["old_net/a.py", "a_old_.py"]),
    ("**/old_*.py", ["old_a.py", "net/old_a.py", "net/b/old_a.py"], ["old_net/a.py"]),
    ("net/**/a.py", ["net/a.py", "net/b/c/a.py"], ["a.py", "net/b.py"]),
    ("net/b/../a.py", ["net/a.py"], ["net/b/a.py"]),
    ("*/a.py", ["net/a.py"], ["a.py", "net/b/a.py"]),
    ("[ab].py", ["a.py", "net/b.py"], ["c.py"]),
    ("/p [1]/net", [], ["net/a.py"]),  # a pattern of its own, in which [1] means 1
]


@pytest.mark.parametrize(("pattern", "meant", "others"), PATTERNS)
def test_a_pattern_means_files_and_what_folders_hold(pattern, meant, others):
    whole = globs.absolute("/p [1]", pattern)
    paths = meant + others
    assert [path for path in paths if globs.matches(f"/p [1]/{path}", whole)] == meant


FILES = {
    "pyproject.toml": '[tool.annotest]\nexclude = ["legacy/*", "**/old_*.py"]\n',
    "net.py": CODE,
    "legacy/a.py": CODE,
    "legacy/deep/b.py": CODE,
    "parts/old_c.py": CODE,
    "parts/d.py": CODE,
}
NAMES = {"net.py": "net.py:f", "parts/d.py": "parts/d.py:f"}


@pytest.fixture
def folder(tmp_path):
    return write(tmp_path / "a [project]", FILES)


def listed(folder, *words, cwd=None):
    """Return the files of the targets that `annotest list` names."""
    file = folder.parent / "listed.json"
    done = annotest("list", *words, "--json", file, cwd=cwd or folder)
    assert done.status in (0, 5), done.stdout + done.stderr
    return [target["file"] for target in json.loads(file.read_text())["targets"]]


SELECTED = [
    ((".",), ["net.py", "parts/d.py"]),
    ((".", "--exclude", "parts"), ["net.py"]),
    ((".", "--exclude", "parts", "--exclude", "net.py"), []),
    (("legacy",), ["legacy/a.py", "legacy/deep/b.py"]),
    (("legacy/a.py", "--exclude", "a.py"), ["legacy/a.py"]),
    (("legacy", ".", "--exclude", "deep"), ["legacy/a.py", "net.py", "parts/d.py"]),
    (("parts",), ["parts/d.py"]),
]


@pytest.mark.parametrize(("words", "files"), SELECTED)
def test_what_is_excluded_is_left_alone_unless_it_is_named_itself(folder, words, files):
    assert sorted(listed(folder, *words)) == files


def test_the_command_lines_patterns_begin_in_the_working_folder(folder):
    parts = folder / "parts"
    assert listed(folder, "..", "--exclude", "../parts/*", cwd=parts) == ["../net.py"]
    assert listed(folder, "..", "--exclude", "./net.py", cwd=parts) == ["../net.py", "d.py"]


def test_run_generate_and_explain_exclude_too(folder):
    done = annotest("run", ".", "--exclude", "parts", "--seed", "1", cwd=folder)
    assert (done.stdout[:9], done.status) == ("1 target ", 0)
    done = annotest("generate", ".", "--exclude", "par*", cwd=folder)
    assert (done.stdout, done.status) == ("annotest_tests/test_net.py: 1 test\n", 0)
    header = (folder / "annotest_tests" / "test_net.py").read_text()
    assert "annotest generate . --exclude 'par*'" in header
    done = annotest("explain", "f", ".", "--exclude", "parts", cwd=folder)
    assert (re.findall(r"^\S+:\d+$", done.stdout, re.MULTILINE), done.status) == (["net.py:2"], 0)


AUTO = {
    "pyproject.toml": "[tool.annotest]\nauto = false\n",
    "net.py": CODE + "def broken(n=0):\n    return 1 / n\n",
}
AUTO_SCREEN = """\
net.py
      2  net:f  function
             n: ints(min=1, max=3)

not testable
net.py
      5  net:broken: nobody annotated it, and the configuration says auto = false
             add any annotation, or run with --all

1 target · 1 not testable
"""


def test_auto_false_leaves_alone_what_nobody_annotated(tmp_path):
    folder = write(tmp_path / "p", AUTO)
    done = annotest("run", ".", cwd=folder)
    assert (done.stdout[:9], done.status) == ("1 target ", 0)
    done = annotest("list", ".", cwd=folder)
    assert (done.stdout, done.status) == (AUTO_SCREEN, 0)
    assert annotest("run", ".", "--all", cwd=folder).status == 1  # it was asked for
    (folder / "pyproject.toml").write_text("[tool.annotest]\nauto = true\n")
    assert annotest("run", ".", cwd=folder).status == 1


SPECIAL = (
    HEAD
    + """\
import abc, enum
from typing import Protocol

class Color(enum.Enum):
    RED = 1
    def shade(self): raise RuntimeError
    @arg(n=ints(1, 3))
    def mixed(self, n): raise RuntimeError
    @classmethod
    def default(cls): return cls.RED

class Meta(type):
    def known(cls): raise RuntimeError
    @arg(n=ints(1, 3))
    def times(cls, n): raise RuntimeError

class Layer(Protocol):
    def size(self): raise RuntimeError
    @arg(n=ints(1, 3))
    def scaled(self, n): return n

class Dense(Layer): pass

class Base(abc.ABC):
    def __init__(self): raise RuntimeError
    @abc.abstractmethod
    def step(self): ...

class Parent:
    def __init__(self, rate=0.1): self.rate = rate

class Forwarding(Parent):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
    @arg(n=ints(1, 3))
    def scaled(self, n): return n * self.rate

def log(*args, **kwargs): raise RuntimeError
"""
)
SPECIAL_SCREEN = """\
kinds.py
     10  kinds:Color.default  class method
     20  kinds:Dense.scaled  method
             n: ints(min=1, max=3)
     31  kinds:Parent.__init__  constructor
     36  kinds:Forwarding.scaled  method
             n: ints(min=1, max=3)

not testable
kinds.py
      7  kinds:Color.shade: Color is an enumeration
             add a function that takes a member, with @arg(member=froms(list(Color)))
      8  kinds:Color.mixed: Color is an enumeration
             add a function that takes a member, with @arg(member=froms(list(Color)))
     14  kinds:Meta.known: Meta is a metaclass
             add a function that makes a class with it
     15  kinds:Meta.times: Meta is a metaclass
             add a function that makes a class with it
     19  kinds:Layer.size: Layer is a protocol
             add a class that inherits it, on which it is then tested
     26  kinds:Base.__init__: Base is abstract
             add a class that inherits it, on which it is then tested
     34  kinds:Forwarding.__init__: no annotation for '*args', '**kwargs'
             add @arg(args=lists(…)), @arg(kwargs=dicts(…))
     39  kinds:log: no annotation for '*args', '**kwargs'
             add @arg(args=lists(…)), @arg(kwargs=dicts(…))

4 targets · 8 not testable
"""
SPECIAL_WARNINGS = """\
warning kinds.py:8: Color.mixed: annotated, but not tested: Color is an enumeration
        add a function that takes a member, with @arg(member=froms(list(Color)))
warning kinds.py:15: Meta.times: annotated, but not tested: Meta is a metaclass
        add a function that makes a class with it

"""


OUTSIDE = {
    "kinds.py": "import abc, enum\n\nclass Color(enum.Enum):\n    RED = 1\n"
    "    def mixed(self, n): raise RuntimeError\n\nclass Base(abc.ABC):\n"
    "    @abc.abstractmethod\n    def step(self): ...\n"
    "    def run(self, n): raise RuntimeError\n",
    "notes.py": "from annotest import *\nannotate('kinds:Color.mixed', arg(n=ints(1, 3)))\n"
    "annotate('kinds:Base.run', arg(n=ints(1, 3)))\n",
}
OUTSIDE_WARNINGS = """\
warning kinds.py:5: Color.mixed: annotated, but not tested: Color is an enumeration
        add a function that takes a member, with @arg(member=froms(list(Color)))
warning kinds.py:10: Base.run: annotated, but not tested: Base is abstract
        add a class that inherits it, on which it is then tested

nothing to test: no annotated function has all that it needs
"""


def test_nor_are_they_made_where_they_are_annotated_from_outside(tmp_path):
    done = annotest("run", ".", cwd=write(tmp_path / "p", OUTSIDE))
    assert done.stdout.startswith(OUTSIDE_WARNINGS)
    assert done.status == 5


def test_classes_of_which_nobody_makes_instances_are_not_made_by_guess(tmp_path):
    folder = write(tmp_path / "p", {"kinds.py": SPECIAL})
    done = annotest("list", ".", cwd=folder)
    assert (done.stdout, done.status) == (SPECIAL_SCREEN, 0)
    done = annotest("run", ".", cwd=folder)
    assert done.stdout.startswith(SPECIAL_WARNINGS + "4 targets · 8 inputs run · ")
    assert done.status == 0


UNANNOTATED = "def log(*args, **kwargs): ...\ndef both(x, *rest): ...\ndef some(x=1, *rest): ...\n"
UNANNOTATED_SCREEN = """\
not testable
loose.py
      1  loose:log: no annotation for '*args', '**kwargs'
             add @arg(args=lists(…)), @arg(kwargs=dicts(…))
      2  loose:both: no annotation for 'x'
             add @arg(x=…)
      3  loose:some: needs no input, but its module has no annotations
             add --all, or any annotation

0 targets · 3 not testable
"""


def test_starred_arguments_alone_are_not_no_input_in_files_without_annotations(tmp_path):
    folder = write(tmp_path / "p", {"loose.py": UNANNOTATED})
    done = annotest("list", ".", cwd=folder)
    assert (done.stdout.lstrip("\n"), done.status) == (UNANNOTATED_SCREEN, 5)
