"""Targets by their names: which words of the command line mean them, and that what is shown is one."""

import json
import re

import pytest
from conftest import annotest, names_shown

from annotest.discovery.narrowing import failed_before, scan_words
from annotest.discovery.words import Word, read_word
from annotest.errors import UsageError

NET = """
import abc
from annotest import *

@arg(n=ints(0, 9))
def conv(n): return 1 / (n - 5)

@arg(n=ints(0, 9))
def pool(n): pass

class Base(abc.ABC):
    @arg(n=ints(0, 2))
    def step(self, n): pass
    @abc.abstractmethod
    def call(self, n): pass

class Layer(Base):
    def __init__(self): pass
    @arg(n=ints(0, 2))
    def call(self, n): pass

def helper(n): pass
"""
DEEP = "from annotest import *\n\n@arg(n=ints(0, 9))\ndef conv(n): pass\n"
OUTSIDE = (
    "from annotest import *\nimport textwrap\n"
    "annotate('textwrap:fill', arg(text=strs(max_len=3)))\n"
)


@pytest.fixture
def folder(project, monkeypatch):
    folder = project(net=NET, plain="def g(n): pass\n")
    (folder / "pkg").mkdir()
    (folder / "pkg" / "__init__.py").write_text("")
    (folder / "pkg" / "deep.py").write_text(DEEP)
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("net.py", Word("net.py", path="net.py")),
        ("nothing", Word("nothing", path="nothing")),
        ("net.py:conv", Word("net.py:conv", "net.py", "", "conv")),
        ("net.py::Layer::call", Word("net.py::Layer::call", "net.py", "", "Layer.call")),
        ("net:Layer.call", Word("net:Layer.call", "", "net", "Layer.call")),
        ("pkg/gone.py:f", Word("pkg/gone.py:f", "pkg/gone.py", "", "f")),
        ("odd:name.py", Word("odd:name.py", path="odd:name.py")),
        ("odd:name.py:f", Word("odd:name.py:f", "odd:name.py", "", "f")),
    ],
)
def test_a_word_is_a_path_or_names_a_target(folder, text, word):
    (folder / "odd:name.py").write_text(DEEP)
    assert read_word(text) == word


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["net.py:conv", "net:Layer"], {"net": ("conv", "Layer")}),
        (["pkg.deep:conv"], {"pkg.deep": ("conv",)}),
        (["deep:conv"], {"pkg.deep": ("conv",)}),
        (["pkg", "net:pool"], {"net": ("pool",), "pkg.deep": ()}),
        (["net.py", "net.py:pool"], {"net": ()}),
    ],
)
def test_names_narrow_their_modules_and_paths_stay_whole(folder, words, wanted):
    assert {file.module: file.wanted for file in scan_words(words).modules} == wanted


def test_a_class_is_all_its_methods(folder):
    (file,) = scan_words(["net.py:Layer"]).modules
    names = ["conv", "Layer.call", "Layer.__init__", "Layers.call", "Base.step"]
    assert [file.wants("net", name) for name in names] == [False, True, True, False, False]
    assert file.wanted_names == ["Layer", "Layer.__init__", "Layer.call"]


def test_only_what_is_named_is_told_to_be_not_testable(folder):
    assert [function.qualname for function in scan_words(["plain.py:g"]).not_testable] == ["g"]
    assert scan_words(["net.py:conv"]).not_testable == []


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("nett:conv", "nett:conv: there is no module 'nett' here. Did you mean 'net'?"),
        ("zz:f", "zz:f: there is no module 'zz' here. `annotest list` names targets."),
        ("plain.py:h", "plain.py:h: plain.py has no 'h'. `annotest list` names targets."),
        ("gone.py:f", "gone.py: there is no such file or folder"),
        ("net.py:", "net.py:: write FILE.py:NAME or module:NAME"),
    ],
)
def test_what_is_not_there_is_said_before_anything_is_imported(folder, word, message):
    with pytest.raises(UsageError, match=f"^{re.escape(message)}$"):
        scan_words([word])


@pytest.mark.parametrize("command", ["run", "list", "explain", "generate"])
@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("net.py:conw", "net.py:conw: net.py has no 'conw'. Did you mean net.py:conv?"),
        ("net:call", "net:call: net has no 'call'. Did you mean net:Layer.call?"),
    ],
)
def test_a_name_that_no_target_has_is_an_error(folder, command, word, message):
    done = annotest(command, word, cwd=folder)
    assert (done.status, done.stdout, done.stderr) == (2, "", f"annotest: {message}\n")


def shown_by_list(screen):
    return re.findall(r"^ +\d+  (\S+:\S+)  ", screen, re.MULTILINE)


def test_a_method_that_the_text_does_not_show_has_a_name_too(folder):
    done = annotest("list", "net.py:Layer.step", cwd=folder)
    assert (done.status, shown_by_list(done.stdout)) == (0, ["net:Layer.step"])


def test_what_list_shows_is_accepted_by_every_command(folder):
    (folder / "outside.py").write_text(OUTSIDE)
    shown = shown_by_list(annotest("list", cwd=folder).stdout)
    assert {"net:conv", "net:Layer.step", "pkg.deep:conv", "textwrap:fill"} <= set(shown)
    for name in shown:
        assert shown_by_list(annotest("list", name, cwd=folder).stdout) == [name]
    done = annotest("explain", *shown[:3], cwd=folder)
    names = [name.partition(":")[2] for name in shown[:3]]
    assert sorted(names_shown(done.stdout)) == sorted(names)


def test_a_run_tests_what_is_named_and_skips_the_rest(folder):
    words = ("net:conv", "pkg/deep.py::conv")
    done = annotest("run", *words, "--seed", 1, "--json", "-", cwd=folder)
    record = json.loads(done.stdout)
    statuses = {f"{one['module']}:{one['qualname']}": one["status"] for one in record["targets"]}
    assert {name for name, status in statuses.items() if status != "skipped"} == {
        "net:conv",
        "pkg.deep:conv",
    }
    assert "1 ── net:conv ─" in done.stderr
    assert done.status == 1


def test_only_the_tests_of_what_is_named_are_written(folder):
    done = annotest("generate", "net.py:Layer.call", "net:pool", cwd=folder)
    assert done.stdout == "annotest_tests/test_net.py: 2 tests\n"
    text = (folder / "annotest_tests" / "test_net.py").read_text()
    assert re.findall(r"def (test_\w+)", text) == ["test_pool", "test_Layer_call"]


@pytest.mark.parametrize("command", ["list", "explain"])
def test_k_selects_what_is_shown(folder, command):
    done = annotest(command, "-k", "conv and not deep", cwd=folder)
    shown = re.findall(r"\S+:\w+(?= +(?:function|─))", done.stdout)
    assert (done.status, shown) == (0, ["net:conv"])
    done = annotest(command, "-k", "conv and", cwd=folder)
    message = "annotest: -k 'conv and' cannot be read; write words joined by and, or, not\n"
    assert (done.status, done.stderr) == (2, message)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "name a target, a path, or words with -k; `annotest list` names targets"),
        (("conv", "net:pool"), "conv: beside net:pool, say where it is too: FILE.py:conv"),
    ],
)
def test_what_explain_cannot_understand_is_said(folder, words, message):
    done = annotest("explain", *words, cwd=folder)
    assert (done.status, done.stderr) == (2, f"annotest: {message}\n")


def test_modules_of_targets_that_failed_before_are_narrowed_to_these(folder):
    (folder / "outside.py").write_text(OUTSIDE)
    files = scan_words(["."]).modules
    kept = failed_before(files, ["net:conv", "textwrap:fill", "gone:f"])
    assert {file.module: file.wanted for file in kept} == {
        "net": ("net:conv",),
        "outside": ("textwrap:fill", "gone:f"),
    }
    assert failed_before(scan_words(["net.py:pool"]).modules, ["net:conv"]) == []


@pytest.mark.parametrize("command", ["run", "list", "explain", "generate"])
def test_json_goes_to_standard_output_alone(folder, command):
    done = annotest(command, "net.py:pool", "--json", "-", cwd=folder)
    assert done.status == 0 and json.loads(done.stdout)
    assert done.stderr
    assert not (folder / "-").exists()
