"""`annotest explain` says which arguments some calls leave out."""

import json

import pytest
from conftest import annotest

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
