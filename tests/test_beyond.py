"""`--beyond`: calls just outside the annotations are made too, and told apart."""

import pytest
from conftest import annotest, run_json

PROGRAM = """
import os

import numpy as np

from annotest import arg, dims, int_lists, ints, np_arrays, require


@arg(sizes=int_lists(min_len=1))
def largest(sizes):
    return max(sizes)


@arg(n=ints(1, 64))
def refuses(n):
    if n < 1:
        raise ValueError("n must be positive")


@arg(n=ints(1, 64))
def aborts(n):
    if n == 65:
        os.abort()


@arg(x=np_arrays("float32", "b c"))
def scaled(x):
    return x / x.max()


@arg(n=ints(0, 9), k=ints(1, 9))
@require("k > n")
def related(n, k):
    return 1 // (10 - k), 1 // (k - n)


@arg(limit=ints(1, 9))
def optional(limit=None):
    return [0] * limit


@arg(n=ints(1, 9))
def both(n):
    return 1 // (n % 3)


class Table:
    @arg(rows=ints(1, 3))
    def __init__(self, rows):
        self.rows = [0] * rows

    @arg(row=ints(0, 0).map(abs), by=ints(1, 4))
    def part(self, row, by):
        return self.rows[row] // by
"""

SHOWN = """\
beyond m.py:11: largest: ValueError: max() arg is an empty sequence; just outside sizes in int_lists()
        from m import largest
        largest(sizes=[])
beyond m.py:23: aborts: the process was killed by signal SIGABRT during the call; just outside n in 1..64
        from m import aborts
        aborts(n=65)
beyond m.py:28: scaled: ValueError: zero-size array to reduction operation maximum which has no identity; just outside b in 1..8
        import numpy as np
        from m import scaled
        scaled(x=np.zeros((0, 1), dtype='float32'))
beyond m.py:34: related: ZeroDivisionError: integer division or modulo by zero; just outside k in 1..9
        from m import related
        related(n=0, k=10)
beyond m.py:39: optional: TypeError: can't multiply sequence by non-int of type 'NoneType'; just outside limit in 1..9
        from m import optional
        optional(limit=None)
beyond m.py:54: Table.part: ZeroDivisionError: integer division or modulo by zero; just outside by in 1..4
        from m import Table
        Table(rows=1).part(row=abs(0), by=0)
"""


@pytest.fixture
def folder(project):
    return project(m=PROGRAM)


@pytest.mark.parametrize("way", ["fork", pytest.param("spawn", marks=pytest.mark.exhaustive)])
def test_what_fails_just_outside_is_told_apart(folder, tmp_path, way):
    done = run_json(
        "m.py", "--seed", "1", "--beyond", "--processes", way, cwd=folder, tmp_path=tmp_path
    )
    assert SHOWN in done.stdout
    # a bug that valid inputs show too is a finding, and nothing else
    assert [finding["target"]["qualname"] for finding in done.report["findings"]] == ["both"]
    assert "6 beyond · 1 finding" in done.stdout
    assert done.status == 1


def test_beyond_alone_changes_no_exit_status_and_keeps_nothing(folder, tmp_path):
    args = ("-k", "largest or scaled", "--seed", "1", "--beyond", "--database", tmp_path / "kept")
    done = annotest("run", "m.py", *args, cwd=folder)
    assert done.status == 0, done.stdout
    assert "2 beyond · 0 findings" in done.stdout
    assert list((tmp_path / "kept").glob("findings/*.json")) == []


def test_nobody_goes_beyond_without_being_asked(folder):
    done = annotest("run", "m.py", "--seed", "1", cwd=folder)
    assert "beyond" not in done.stdout


def test_a_call_that_hangs_out_there_costs_little(project, tmp_path):
    text = "from annotest import *\n\n\n@arg(n=ints(1, 9))\ndef f(n):\n    while n < 1:\n        pass\n"
    args = ("m.py", "--seed", "1", "--beyond", "--timeout", "0.5")
    done = run_json(*args, cwd=project(m=text), tmp_path=tmp_path)
    assert done.status == 0, done.stdout
    assert "f: the call took longer than 0.5 s; just outside n in 1..9" in done.stdout
