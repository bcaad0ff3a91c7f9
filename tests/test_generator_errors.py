"""A generator that fails is one bug, however many targets use it."""

import pytest
from conftest import run_json

from annotest.oracles.exceptions import reasons_of

MAKING = """
from annotest import *

@generator
{mark}
@arg(n=ints(0, 20))
def half(n):
    if n > 10:
        raise OSError("no more")
    return [n]

@generator
{mark}
@arg(n=ints(0, 20))
def never(n):
    return {{}}[n]

@arg(x=objs(half))
def one(x): pass

@arg(x=objs(half), y=objs(never))
def two(x, y): pass
"""
USING = """
from annotest import *
from making import half, never

@arg(x=objs(half))
def three(x): pass

@arg(y=objs(never))
def four(y): pass
"""


@pytest.mark.parametrize(("mark", "kind"), [("", "exception"), ("@exclude", "generator")])
def test_it_is_one_finding_and_names_the_targets_that_use_it(project, tmp_path, mark, kind):
    folder = project(making=MAKING.format(mark=mark), using=USING)
    done = run_json(".", "--seed", 1, "--max-examples", 40, cwd=folder, tmp_path=tmp_path)
    half, never = done.report["findings"]
    assert [half["kind"], never["kind"]] == [kind, kind]
    assert shown_in(half) >= {"one", "two", "three"}
    assert shown_in(never) >= {"two", "four"}
    assert done.target("two")["status"] == done.target("four")["status"] == "blocked"
    assert done.target("two")["blocked_by"] in (half["id"], never["id"])
    assert done.target("four")["blocked_by"] == never["id"]
    assert done.target("one")["status"] == done.target("three")["status"] == "passed"
    if not mark:  # each has a search of its own, whose call is the plainest
        calls = [finding["call"].splitlines()[-1] for finding in (half, never)]
        assert calls == ["half(n=11)", "never(n=0)"]


def shown_in(finding):
    """Return the targets that show a finding: the one whose call it has, and the others."""
    called = finding["call"].splitlines()[-1].partition("(")[0]
    return {called, *(name.partition(":")[2] for name in finding["also_in"])}


def test_a_built_in_function_that_fails_is_told_where_it_is_used(project, tmp_path):
    text = (
        "from annotest import *\n@arg(n=strs(alphabet='1a', max_len=2).map(int))\ndef f(n): pass\n"
    )
    done = run_json("m.py", cwd=project(m=text), tmp_path=tmp_path)
    (finding,) = done.report["findings"]
    assert finding["target"] == {"module": "builtins", "qualname": "int", "file": "m.py", "line": 2}
    assert finding["inputs"] == {"n": "int('')"}
    assert done.status == 1


def raised_by(function):
    try:
        function()
    except Exception as error:
        return error


def fails():
    raise ValueError("on its own")


def fails_while_handling():
    try:
        fails()
    except ValueError:
        raise OSError("for that")  # noqa: B904 its context is what is tested


def test_what_is_handled_around_a_call_is_no_part_of_what_it_raises():
    try:
        raise KeyError("of the process that was forked here")
    except KeyError:
        error = raised_by(fails)
    assert isinstance(error.__context__, KeyError)
    assert list(reasons_of(error)) == []
    (inner,) = reasons_of(raised_by(fails_while_handling))
    assert isinstance(inner, ValueError)
