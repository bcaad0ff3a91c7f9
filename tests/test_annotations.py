"""Annotations as data: every spelling, any order, through other decorators, from outside."""

import functools
import pickle
import subprocess
import sys

import pytest
from conftest import run_json

import annotest
from annotest import (
    arg,
    bools,
    budget,
    cc_example,
    dicts,
    example,
    exclude,
    generator,
    ints,
    lists,
    require,
    timeout,
)
from annotest.plan.planner import Planner
from annotest.plan.strategy import Tally, run_steps
from annotest.signature import read_signature
from annotest.spec import attached


def signature(function):
    return read_signature(function, attached(function), function.__qualname__)


def constraints(function):
    return {p.name: p.constraint for p in signature(function).parameters}


DECORATORS = [
    arg("n", ints(1, 5)),
    arg(n=ints(1, 5)),
    require("n > 1"),
    require(lambda n: n > 1),
    timeout(3),
    budget(examples=3),
    example(3),
    cc_example([3]),
    exclude,
    exclude(),
    generator,
    generator(),
]


def plain(n=1):
    return n


@pytest.mark.parametrize("decorator", DECORATORS, ids=repr)
def test_a_decorator_returns_the_same_function_object(decorator):
    def f(n):
        return n

    assert decorator(f) is f
    assert f(4) == 4


def test_an_annotated_function_can_be_pickled():
    arg(n=ints())(plain)
    try:
        assert pickle.loads(pickle.dumps(plain)) is plain
    finally:
        del plain.__annotest__


def test_both_spellings_say_the_same():
    @arg("a", ints(1, 5))
    @arg("b", bools())
    def one(a, b): ...

    @arg(a=ints(1, 5), b=bools())
    def two(a, b): ...

    assert constraints(one) == constraints(two) == {"a": ints(1, 5), "b": bools()}


def test_the_order_of_decorators_does_not_matter():
    @require("a > 1")
    @exclude
    @arg(a=ints())
    @timeout(3)
    def one(a): ...

    @timeout(3)
    @arg(a=ints())
    @exclude
    @require("a > 1")
    def two(a): ...

    for f in (one, two):
        found = signature(f)
        assert found.excluded
        assert found.timeout == 3
        assert constraints(f) == {"a": ints()}


def test_annotations_are_found_through_other_decorators():
    def other(function):
        @functools.wraps(function)
        def wrapper(*args):
            return function(*args)

        return wrapper

    @other
    @arg(a=ints(1, 2))
    def below(a): ...

    @arg(a=ints(1, 2))
    @other
    def above(a): ...

    @functools.lru_cache
    @arg(a=ints(1, 2))
    def cached(a): ...

    for f in (below, above, cached):
        assert constraints(f) == {"a": ints(1, 2)}, f


def test_annotating_a_wrapper_leaves_the_inner_function_alone():
    @arg(a=ints(1, 2))
    def inner(a, b): ...

    @functools.wraps(inner)
    def outer(a, b): ...

    arg(b=bools())(outer)
    assert len(attached(inner)) == 1
    assert constraints(outer) == {"a": ints(1, 2), "b": bools()}


LIMIT = 3


def holds(function, self_name_first=False, **values):
    notes = attached(function)
    found = read_signature(function, notes, function.__qualname__, self_name_first)
    plan = Planner().plan_function(function, found)
    return all(asked.holds(values) for asked in plan.preconditions)


def test_a_precondition_sees_arguments_closure_globals_and_builtins():
    bound = 5

    @arg(a=ints(), b=lists(ints()))
    @require("max(b, default=0) < a + bound and len(b) < LIMIT and all(e > a for e in b)")
    def f(a, b):
        return bound

    assert holds(f, a=1, b=[2, 3])
    assert not holds(f, a=1, b=[2, 7])
    assert not holds(f, a=1, b=[2, 3, 4])
    assert not holds(f, a=1, b=[1])


def test_a_callable_precondition_names_what_it_needs():
    @arg(a=ints(), b=ints())
    @require(lambda b: b > 2)
    def f(a, b): ...

    assert holds(f, a=0, b=3)
    assert not holds(f, a=9, b=1)


def test_a_precondition_sees_the_default_of_an_argument_left_out():
    @arg(a=ints(0, 3))
    @require("a < limit")
    def f(a, limit=2): ...

    plan = Planner().plan_function(f, signature(f))
    later = tuple(step for step in plan.steps if type(step).__name__ != "Draw")
    assert run_steps(later, {"a": 1}, Tally()) == {"a": 1}
    assert run_steps(later, {"a": 2}, Tally()) is None


def test_an_override_inherits_no_annotations():
    class Base:
        @arg(a=ints())
        def m(self, a): ...

    class Child(Base):
        def m(self, a): ...

    assert attached(Child.m) == ()
    assert len(attached(Base.m)) == 1


TOGETHER = """\
from annotest import *

@generator
@exclude
@arg(n=ints(1, 3))
def pair(n): return n, n * 10

@generator
@exclude
@arg(n=ints(1, 3))
def named(n): return {"big": n * 10, "small": n}

@arg("small, big", objs(pair))
def from_tuple(small, big): assert big == small * 10 and small != 2

@arg("small, big", objs(named))
def from_dict(small, big): assert big == small * 10 and small != 3

@arg("a, b", tuples(ints(0, 1), ints(5, 6)))
def from_constraint(a, b): assert (a, b) != (1, 6)

@generator
@exclude
@arg("small, big", objs(pair))
def sums(small, big): return small + big

@arg(total=objs(sums))
def nested(total): assert total % 11 == 0

@arg("a, b, c", objs(pair))
def wrong_number(a, b, c): pass
"""


def test_arguments_that_belong_together_come_from_one_constraint(project, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    done = run_json("m.py", cwd=project(m=TOGETHER), tmp_path=tmp_path)
    status = {target["qualname"]: target["status"] for target in done.report["targets"]}
    assert status == {
        "from_tuple": "failed",
        "from_dict": "failed",
        "from_constraint": "failed",
        "nested": "passed",
        "wrong_number": "blocked",
    }
    (finding,) = done.findings("from_tuple")
    assert finding["call"].endswith(
        "small, big = parts(pair(n=2), 'small', 'big')\nfrom_tuple(small=small, big=big)"
    )
    for finding in done.report["findings"]:
        if finding["kind"] == "exception":
            with pytest.raises(AssertionError):
                exec(finding["call"], {})
    (finding,) = done.findings("from_constraint")
    assert finding["call"].endswith("from_constraint(a=1, b=6)")


EVERY_KIND = """\
from annotest import *

@arg(a=ints(0, 3), b=ints(0, 3), c=ints(0, 3))
def kinds(a, /, b, *, c): assert isinstance(a, int) and isinstance(c, int)

@arg(rest=lists(ints(0, 3), max_len=2), a=ints(5, 6))
def starred(a, *rest, k=1): assert all(r < 4 for r in rest) and a in (5, 6) and k == 1

@arg(options=dicts({"x": ints(0, 3), "y?": bools()}))
def keywords(**options): assert set(options) <= {"x", "y"} and "x" in options

@arg(options=dicts(keys=froms(["input_shape"]), values=np_shapes(min_dims=1, max_dims=1)))
def mapping(k=3, **options): assert set(options) <= {"input_shape"}

@arg(b=ints(0, 3))
def default_before(a=9, /, b=1): assert a == 9

def nothing(): pass

def defaults_only(a=1, *args, b=2, **kwargs): assert (a, b, args, kwargs) == (1, 2, (), {})
"""


def test_every_kind_of_parameter_works(project, tmp_path):
    done = run_json("m.py", cwd=project(m=EVERY_KIND), tmp_path=tmp_path)
    assert done.status == 0, done.stdout
    assert len(done.report["targets"]) == 7
    assert done.target("nothing")["inputs_run"] == 1


def test_bounds_may_be_any_expression():
    assert ints(max=LIMIT, min=-(2**4)) == ints(-16, 3)


def test_the_types_of_annotated_functions_are_kept(tmp_path):
    """`reveal_type` of an annotated function is its own type: seen by mypy."""
    pytest.importorskip("mypy", reason="the environment of make test-oldest has no mypy")
    code = (
        "from annotest import arg, ints, require, exclude, generator, timeout\n"
        "@exclude\n@generator()\n@timeout(3)\n@require('n > 0')\n@arg(n=ints(1, 3))\n"
        "def f(n: int) -> str: return ''\n"
        "reveal_type(f)\n"
        "x: str = f(3)\n"
        "y: int = f('a')\n"
    )
    file = tmp_path / "typed.py"
    file.write_text(code)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir=/dev/null", str(file)]
    out = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True).stdout
    assert 'Revealed type is "def (n: int) -> str"' in out.replace("builtins.", "")
    assert out.count("error:") == 2


def test_dicts_and_arrays_can_be_hashed_like_other_constraints():
    assert len({dicts({"a": ints()}), dicts({"a": ints()}), annotest.np_arrays("int8")}) == 2
