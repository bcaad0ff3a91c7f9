"""`annotest explain` says which arguments some calls leave out."""

import json

import pytest
from conftest import annotest
from in_process import steps_told

LEFT_OUT = """\
from annotest import *


@arg(n=ints(1, 20), k=ints(1, 9), p=ints(0, 3))
@require("n > 2 * k")
def f(n, k=9, p=0): pass


@arg(n=ints(1, 5), k=ints(1, 9), bias=bools())
@require("n > 2 * k")
def g(n, k=9, bias=True): pass
"""


@pytest.mark.parametrize(
    ("name", "left_out"), [("f", {"k": "9", "p": "0"}), ("g", {"bias": "True"})]
)
def test_an_argument_is_left_out_where_its_default_can_be_valid(project, name, left_out):
    folder = project(left=LEFT_OUT)
    file = folder / "found.json"
    assert annotest("explain", f"left.py:{name}", "--json", file, cwd=folder).status == 0
    assert json.loads(file.read_text())["targets"][0]["left_out"] == left_out


SCREEN = """\

left out of some calls
  k  it is then 9
  p  it is then 0

"""


def test_the_screen_of_arguments_that_are_left_out(project):
    done = annotest("explain", "f", cwd=project(left=LEFT_OUT))
    assert SCREEN in done.stdout


FILLED_IN = """\
from annotest import *


@arg(h=ints(1, 20), k=ints(1, 9), c=ints(1, 8), p=ints(0, 2), groups=ints(1, 8))
@require("k <= h + 2 * p and c % groups == 0")
@require("h > 2 and c >= (k - 1) * p")
def both(h, k, c, p=0, groups=1): pass
"""

OUTSIDE = """\
from annotest.an_language import *


@arg("h", integers(min_value=1, max_value=9))
@arg("k", integers(min_value=1, max_value=9))
@arg("p", integers(min_value=90, max_value=99))
@precondition("h > 2 and k > h + p")
def outside(h, k, p=-2): pass
"""


def conditions(folder, name, monkeypatch):
    steps = steps_told(f"filled_{name}", folder, monkeypatch)[name]
    return {step: said for step, _, said in steps if said}


def test_no_condition_has_the_default_of_an_argument_that_is_left_out(project, monkeypatch):
    assert conditions(project(filled_both=FILLED_IN), "both", monkeypatch) == {
        "groups": ["c % groups == 0"],
        "k": ["c >= (k - 1) * p"],
        "h": ["k <= h + 2 * p", "h > 2"],
    }


def test_what_only_a_default_can_meet_is_told_in_the_words_of_the_user(project, monkeypatch):
    folder = project(filled_outside=OUTSIDE)
    assert conditions(folder, "outside", monkeypatch) == {"k": ["h > 2 and k > h + p"]}
