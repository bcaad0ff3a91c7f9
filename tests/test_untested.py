"""What somebody has annotated is tested, or it is said why not."""

import json

from conftest import annotest

FORGOTTEN = """
from annotest import *


@arg(a=ints(1, 3))
def forgotten(a, b):
    return a // b


@arg(a=ints(1, 3))
def complete(a):
    return a


def never_annotated(c):
    return c
"""
WARNING = """\
warning m.py:5: forgotten: annotated, but not tested: no annotation for 'b'
        add @arg(b=…)
"""


def test_a_run_tells_of_an_annotated_function_that_lacks_an_annotation(project):
    folder = project(m=FORGOTTEN)
    done = annotest("run", "m.py", "--json", "out.json", cwd=folder)
    assert done.status == 0
    assert WARNING in done.stdout and "never_annotated" not in done.stdout
    record = json.loads((folder / "out.json").read_text())
    told = {function["qualname"]: function["annotated"] for function in record["not_testable"]}
    assert told == {"forgotten": True, "never_annotated": False}


def test_it_is_told_of_selected_functions_only(project):
    folder = project(m=FORGOTTEN)
    assert "forgotten" not in annotest("run", "m.py", "-k", "complete", cwd=folder).stdout
    done = annotest("run", "m.py", "-k", "forgotten", cwd=folder)
    assert WARNING in done.stdout and done.status == 5


def test_generate_and_explain_tell_it_too(project):
    folder = project(m=FORGOTTEN)
    done = annotest("generate", "m.py", cwd=folder)
    assert WARNING in done.stdout and done.status == 0
    done = annotest("explain", "m.py:forgotten", cwd=folder)
    assert (done.stdout.strip(), done.stderr, done.status) == (WARNING.strip(), "", 2)


def test_a_function_from_outside_whose_signature_cannot_be_read(project):
    folder = project(m="from annotest import *\nannotate('builtins:max', arg(a=ints(1, 3)))\n")
    done = annotest("run", "m.py", cwd=folder)
    assert done.status == 5
    assert "warning m.py:2: max: annotated, but not tested: its signature cannot" in done.stdout
    assert "no annotated function has all that it needs" in done.stdout
    assert (
        "m.py\n      2  m:max: its signature cannot be read" in annotest("list", cwd=folder).stdout
    )


NAMES = """
from annotest import *


def renamed(n):
    assert n < 3


renamed.__qualname__ = "_Native.renamed"
annotate(renamed, arg(n=ints(1, 3)))


def outer():
    def inner(n):
        pass

    return inner


annotate(outer(), arg(n=ints(1, 3)))
"""


def test_an_object_is_annotated_by_the_name_that_leads_to_it(project):
    done = annotest("run", "m.py", cwd=project(m=NAMES))
    assert "renamed(n=3)" in done.stdout and done.status == 1
    assert done.stdout.startswith(
        "mistake m.py:20: annotate(<outer.<locals>.inner>) names inner, which outer makes anew at "
        "each call\n        annotate a function of a module that calls outer and inner; or, if a "
        "module keeps what outer returns, the name that it has there: "
        'annotate("module:name", …)\n\n'
    )


KEPT = """
from annotest import *

SIDES = dims(h=ints(2, 3))
IMAGE = arg(x=np_arrays("uint8", "h h"))
SQUARE = require("x.shape[0] == x.shape[1]")


@IMAGE
@SIDES
@SQUARE
def first(x):
    assert x.shape != (3, 3)


@IMAGE
@SIDES
def second(x):
    assert x.shape != (2, 2)
"""


def test_a_decorator_may_be_kept_and_used_again(project):
    done = annotest("run", "m.py", cwd=project(m=KEPT))
    assert "mistake" not in done.stdout and done.status == 1
    assert "2 findings" in done.stdout


HINTS = """
from annotest import *


class Broadcasting:
    def __getitem__(self, kind):
        return None


Sizes = Broadcasting()


@arg(n=ints(1, 2))
def pooled(n, size: Sizes[int] = 1, ceil: bool = None):
    assert size is not None
    assert ceil is None or ceil in (True, False)
    if ceil is None:
        raise KeyError("left out")
    if ceil:
        raise ValueError("given")
"""


def test_a_plain_hint_does_not_rule_out_the_default(project):
    done = annotest("run", "m.py", cwd=project(m=HINTS))
    assert "KeyError" in done.stdout and "ValueError" in done.stdout
    assert "2 findings" in done.stdout
