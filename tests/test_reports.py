"""The screens, as a person sees them."""

import re

import pytest
from conftest import annotest

PROJECT = """\
import json
from annotest import *

@arg(text=strs(alphabet='{}', min_len=1, max_len=2), depth=ints(1, 3))
def parse(text, depth=1):
    return json.loads(text)

@arg(n=ints(0, 5))
@require("n > 10")
def never(n): pass

def unannotated(size, rate: float): pass

@arg(n=ints(0, 5))
def fine(n): pass
"""

RUN = """\
1 ── parse ───────────────────────────────────────────────────────────────────────────── net.py:6
json.decoder.JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)

    from net import parse
    parse(text='{')

  net.py:6 in parse
      return json.loads(text)
  … 3 frames in Python's own library
  finding ID · after SECONDS

2 ── parse ───────────────────────────────────────────────────────────────────────────── net.py:6
"""


@pytest.fixture
def folder(project):
    return project(net=PROJECT)


def stable(text):
    text = re.sub(r"finding [0-9a-f]{10}", "finding ID", text)
    return re.sub(r"\d+\.\d s", "SECONDS", text)


def test_the_screen_of_a_run(folder):
    done = annotest("run", "net.py", "--seed", 5, cwd=folder)
    assert stable(done.stdout) == RUN_SCREEN
    assert done.stderr == "net.py: 3 targets\n"


def test_the_screen_of_a_listing(folder):
    done = annotest("list", "net.py", cwd=folder)
    assert done.stdout == LIST_SCREEN


RUN_SCREEN = """\
"""
LIST_SCREEN = """\
"""
