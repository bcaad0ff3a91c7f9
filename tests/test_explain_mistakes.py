"""`annotest explain` where something goes wrong."""

import pytest
from conftest import annotest, names_shown

BAD = """\
import os
from annotest import *


@arg(n=ints(0, 4))
@require("n > 2")
@require("n < 2")
def never(n): pass


@arg(n=ints(0, 4), m=ints(0, 4))
@require("n > m + 4")
def above(n, m): pass


@generator
@arg(n=ints(0, 3))
def dying(n):
    os._exit(3)


@arg(x=objs(dying))
def takes_dead(x): pass


@generator
@arg(n=ints(0, 3))
def hanging(n):
    while True: pass


@arg(x=objs(hanging))
@timeout(2)
def takes_hung(x): pass


@generator
@arg(n=ints(0, 3))
def raising(n):
    raise ValueError("no such layer")


@arg(x=objs(raising))
def takes_raised(x): pass


@arg(n=ints(1, 3))
def warned(n=9): pass
"""

CONTRADICTIONS = """\
mistake bad.py:7: @require("n < 2"): n in 0..4, n > 2 and n < 2 cannot all hold
        widen the values, or correct the precondition
mistake bad.py:12: @require("n > m + 4"): n in 0..4, m in 0..4 and n > m + 4 cannot all hold
        widen the values, or correct the precondition

"""


def test_a_contradiction_is_refused(project):
    done = annotest("explain", "never or above", "bad.py", cwd=project(bad=BAD))
    assert (done.status, done.stdout, done.stderr) == (2, CONTRADICTIONS, "")


DEAD = (
    "annotest: bad:takes_dead cannot be explained: "
    "its process ended while inputs were made for it\n"
)
HUNG = (
    "annotest: bad:takes_hung cannot be explained: "
    "its process took more than 2 s while inputs were made for it\n"
)


def test_a_process_that_dies_while_inputs_are_made_is_said(project):
    done = annotest("explain", "bad.py:takes_dead", cwd=project(bad=BAD))
    assert (done.status, done.stdout, done.stderr) == (2, "", DEAD)


@pytest.mark.slow
def test_a_process_that_hangs_while_inputs_are_made_is_said(project):
    env = {"TEST_SECONDS": "20"}
    done = annotest("explain", "bad.py:takes_hung", cwd=project(bad=BAD), env=env)
    assert (done.status, done.stdout, done.stderr) == (2, "", HUNG)


RAISED = """\
bad:takes_raised ───────────────────────────────────────────────────────────────────────────────────
bad.py:43

chosen in this order
  1. x  objs(raising)

tried first: up to 8 inputs with one choice fixed
  n of raising: 0, 1, 2, 3

4 inputs could not be made: code that makes or checks them raised; `annotest run` says where

0 of 0 inputs are valid, for instance
  (none)

"""


def test_a_generator_that_raises_is_said(project):
    done = annotest("explain", "bad.py:takes_raised", cwd=project(bad=BAD))
    assert (done.status, done.stdout, done.stderr) == (0, RAISED, "")


def test_a_process_that_dies_leaves_the_other_targets_explained(project):
    done = annotest("explain", "dead or raised", "bad.py", cwd=project(bad=BAD))
    assert (done.status, done.stdout, done.stderr) == (2, RAISED, DEAD)


def test_a_warning_is_shown_and_is_no_mistake(project):
    done = annotest("explain", "bad.py:warned", cwd=project(bad=BAD))
    assert done.stdout.startswith(
        "warning bad.py:47: @arg(\"n\"): the default of 'n' lies outside its constraint: "
        "n: expected at most 3, got 9 (int)\n"
    )
    assert names_shown(done.stdout) == ["warned"]
    assert done.status == 0
