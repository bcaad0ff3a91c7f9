"""What the published tool's spelling says of arguments that are not there is left out, with a warning.

In our own spelling the same is a mistake, which costs the function.
"""

import importlib
import sys
from typing import NamedTuple

import pytest
from conftest import run_json

from annotest import InvalidAnnotation

HEAD = """
from annotest.an_language import arg, integers, precondition, obj, generator, exclude
"""
OURS = "from annotest import arg, ints as integers, require as precondition, objs as obj\n"
OURS += "from annotest import generator, exclude\n"


class Case(NamedTuple):
    """A module in which each function has an annotation too many; what is told, what is tested."""

    text: str
    told: tuple[str, str]
    tested: tuple[str, ...]


TOO_MANY = '@arg("k", integers(1, 3))\n{0}@arg("kk", integers(1, 3))\n'
CASES = {
    "function": Case(
        TOO_MANY.format("") + "def f(k): assert k\n",
        ("@arg(\"kk\"): f has no argument 'kk'. Did you mean 'k'?", "f takes: k"),
        ("f",),
    ),
    "without arguments": Case(
        '@arg("kk", integers())\ndef f(): pass\n',
        ("@arg(\"kk\"): f has no argument 'kk'.", "f takes no arguments"),
        ("f",),
    ),
    "**kwargs": Case(
        '@arg("kk", integers())\ndef f(**kwargs): assert not kwargs\n',
        (
            "@arg(\"kk\"): f has no argument 'kk'.",
            "f takes: kwargs; say what is in kwargs: arg(kwargs=dicts({'kk': …}))",
        ),
        ("f",),
    ),
    "constructor": Case(
        f"class Layer:\n    {TOO_MANY.format('    ')}    def __init__(self, k): self.k = k\n"
        '    @arg("n", integers(1, 2))\n    def part(self, n): assert n and self.k\n',
        ("@arg(\"kk\"): Layer.__init__ has no argument 'kk'. Did you mean 'k'?",)
        + ("Layer.__init__ takes: k",),
        ("Layer.__init__", "Layer.part"),
    ),
    "method": Case(
        f"class Layer:\n    {TOO_MANY.format('    ')}    def part(self, k): assert k\n",
        ("@arg(\"kk\"): Layer.part has no argument 'kk'. Did you mean 'k'?", "Layer.part takes: k"),
        ("Layer.part",),
    ),
    "class method": Case(
        f"class Layer:\n    @classmethod\n    {TOO_MANY.format('    ')}    def part(cls, k): assert k\n",
        ("@arg(\"kk\"): Layer.part has no argument 'kk'. Did you mean 'k'?", "Layer.part takes: k"),
        ("Layer.part",),
    ),
    "generator": Case(
        f"@generator\n@exclude\n{TOO_MANY.format('')}def g(k): return k\n"
        '@arg("made", obj(g))\ndef f(made): assert made\n',
        ("@arg(\"kk\"): g has no argument 'kk'. Did you mean 'k'?", "g takes: k"),
        ("f",),
    ),
    "precondition": Case(
        '@arg("k", integers(1, 3))\n@precondition("k < size")\ndef f(k): assert k\n',
        ("@require(\"k < size\"): f knows no name 'size'.",)
        + ("use the arguments, the names of the module, or builtins",),
        ("f",),
    ),
}


@pytest.fixture(params=CASES)
def case(request):
    return CASES[request.param]


def told_in(run):
    return [
        (f"{each['annotation']}: {each['reason']}", each["remedy"], each["warning"])
        for each in run.report["mistakes"]
    ]


def test_in_the_published_spelling_it_is_a_warning_and_the_function_is_tested(
    case, project, tmp_path
):
    folder = project(m=HEAD + case.text)
    run = run_json(".", "--max-examples", 5, cwd=folder, tmp_path=tmp_path)
    reason, remedy = case.told
    assert told_in(run) == [(reason, f"it is left out; {remedy}", True)]
    assert {each["qualname"]: each["status"] for each in run.report["targets"]} == dict.fromkeys(
        case.tested, "passed"
    )
    assert (run.status, f"{reason}\n        it is left out; {remedy}" in run.stdout) == (0, True)


def test_in_our_own_it_is_a_mistake(case, project, tmp_path):
    run = run_json(".", cwd=project(m=OURS + case.text), tmp_path=tmp_path)
    reason, remedy = case.told
    assert told_in(run)[0] == (reason, remedy, False)
    assert run.status == 2


def test_a_program_in_the_published_spelling_still_runs_by_itself(case, tmp_path, monkeypatch):
    (tmp_path / "published_by_itself.py").write_text(HEAD + case.text)
    (tmp_path / "ours_by_itself.py").write_text(OURS + case.text)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("published_by_itself")
    del sys.modules["published_by_itself"]
    if "precondition(" not in case.text:  # which is asked when the function is tested
        with pytest.raises(InvalidAnnotation) as caught:
            importlib.import_module("ours_by_itself")
        assert str(caught.value) == case.told[0]
