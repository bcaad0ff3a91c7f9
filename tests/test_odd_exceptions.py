"""Exceptions that resist inspection are findings like any other."""

import pytest
from conftest import annotest, run_json

ODD = """\
from annotest import *

class Meta(type):
    @property
    def __name__(cls): raise ValueError("no name")
    @property
    def __module__(cls): raise ValueError("no module")
    def __repr__(cls): raise ValueError
class Nameless(Exception, metaclass=Meta): pass
class Shy(Exception):
    def __getattribute__(self, name): raise RuntimeError(name)
class ShyExit(SystemExit):
    def __getattribute__(self, name): raise KeyboardInterrupt
class ShySyntax(SyntaxError):
    filename = property(lambda self: 1 / 0)
class Text(str):
    def __len__(self): raise ValueError
class Wordy(Exception):
    def __str__(self): return Text("many words")
class Unnamed(Exception):
    def __str__(self): raise Nameless
class Misplaced(Exception):
    __module__ = 5

def raising_in(file):
    return compile("def q():\\n  raise ValueError('q')\\nq()", file, "exec")

A = arg(n=ints(0, 50))
@A
def nameless(n):
    if n > 7: raise Nameless("a")
@A
def shy(n):
    if n > 7: raise Shy("b")
@A
def shy_exit(n):
    if n > 7: raise ShyExit(3)
@A
def shy_syntax(n):
    if n > 7: raise ShySyntax("c")
@A
def wordy(n):
    if n > 7: raise Wordy
@A
def unnamed(n):
    if n > 7: raise Unnamed
@A
def misplaced(n):
    if n > 7: raise Misplaced("d")
@A
def surrogate(n):
    if n > 7: exec(raising_in("no\\ud800where.py"))
@A
def bracketed(n):
    if n > 7: exec(raising_in("<nowhere>\\n\\ud800"))
class Made:
    @A
    def __init__(self, n):
        if n > 7: raise Shy("e")
"""
SAID = {
    "nameless": ("m.Nameless", "a"),
    "shy": ("m.Shy", "b"),
    "shy_exit": ("m.ShyExit", "3"),
    "shy_syntax": ("m.ShySyntax", "c"),
    "wordy": ("m.Wordy", "many words"),
    "unnamed": ("m.Unnamed", "<its message raises m.Nameless>"),
    "misplaced": ("Misplaced", "d"),
    "surrogate": ("ValueError", "q"),
    "bracketed": ("ValueError", "q"),
    "Made.__init__": ("m.Shy", "e"),
}


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    folder = tmp_path_factory.mktemp("odd")
    (folder / "m.py").write_text(ODD)
    return run_json("m.py", cwd=folder, tmp_path=folder)


@pytest.mark.parametrize("name", SAID)
def test_an_exception_that_resists_inspection_is_a_finding_with_its_input(done, name):
    assert done.status == 1, done.stdout + done.stderr
    (finding,) = done.findings(name)
    assert (finding["exception"]["type"], finding["message"]) == SAID[name]
    assert finding["inputs"] == {"n": "8"}
    assert finding["location"]["file"] == "m.py"
    assert not finding["flaky"]


@pytest.mark.parametrize("name", ["Shy", "Nameless", "ShyExit"])
def test_so_it_is_when_the_module_is_imported(project, name):
    done = annotest("run", "m.py", cwd=project(m=f"{ODD}\nraise {name}(4)\n"))
    assert done.status == 1, done.stdout + done.stderr
    assert f"cannot be imported: m.{name}: 4" in done.stdout


TRACED = """\
import sys
from annotest import *

def tracer(frame, event, what): raise RuntimeError("of the tracer")

@arg(n=ints(0, 50))
def traced(n):
    sys.settrace(tracer)
    if n > 9: raise ValueError("of the call")
"""


def test_a_trace_function_that_raises_is_left_to_the_call(project, tmp_path):
    done = run_json("m.py", cwd=project(m=TRACED), tmp_path=tmp_path)
    (finding,) = done.findings("traced")
    assert (finding["message"], finding["inputs"]) == ("of the call", {"n": "10"})
