"""`annotest.check_call`: whether the annotations of a function allow a call, and why not."""

import numpy as np
import pytest

from annotest import (
    CallCheck,
    annotate,
    anys,
    arg,
    bools,
    check_call,
    dicts,
    dims,
    generator,
    ints,
    lists,
    np_arrays,
    objs,
    raises,
    require,
    same,
    tuples,
)
from annotest.errors import InvalidAnnotation, UsageError


@arg(x=np_arrays("float32", "b c"), w=np_arrays(same("T"), "c k"), v=np_arrays(same("T"), "k"))
@arg(k=ints(1, 5), stride=ints(1, 3))
@require("b % stride == 0")
def conv(x, w, v, k, stride=1):
    raise AssertionError("nothing is called")


@dims(h=ints(2, 4))
@arg(x=np_arrays("float32", "2*h"), y=np_arrays("float32", "q-3"), z=np_arrays("float32", "q"))
def even(x, y, z): ...


@arg(a=np_arrays("float32", "2*h"))
def any_size(a): ...


@arg(a=np_arrays("float32", "*batch 2"), b=np_arrays("float32", "*batch 3"))
def batched(a, b): ...


@arg(sizes=anys(None, lists(ints(1, 3), len="n")), x=np_arrays("float32", "n"))
def optional(x, sizes=None): ...


@arg(n=ints(1, 3))
def outside_default(n=0): ...


@arg(args=lists(ints(0, 3)), kwargs=dicts({"a": ints(0, 1), "b?": bools()}))
def starred(*args, **kwargs): ...


@arg("low, high", tuples(ints(0, 1), ints(2, 3)))
def together(low, high): ...


@generator
@arg(n=ints(0, 1))
def pairs(n):
    return n, n


@arg("p, q", objs(pairs))
@arg(r=np_arrays("float32", "n").map(list), s=ints(0, 9).where(lambda n: 1 // n))
@require("n > 1")
def late(p, q, r, s=1): ...


@arg(n=ints(1, 3))
@require("1 // (n - 1)")
def careless(n): ...


@raises(ValueError)
def hinted(flag: bool, count: int = 3): ...


def library(n, m=2): ...


annotate(library, arg(n=ints(0, 3)))


class Net:
    @arg(units=ints(1, 9))
    def __init__(self, units):
        self.units = units

    @arg(x=np_arrays("float32", "n self.units"))
    @require("n < self.units")
    def forward(self, x): ...

    @arg(x=np_arrays("float32", "n init.units"))
    @require("init.units > 1")
    def constructed(self, x): ...

    @classmethod
    @arg(n=ints(1, 2))
    def make(cls, n): ...

    @staticmethod
    @arg(n=ints(1, 2))
    def twice(n): ...

    def bare(self, x): ...


class Child(Net):
    pass


def zeros(*shape, dtype="float32"):
    return np.zeros(shape, dtype)


def call(function, *args, **kwargs):
    return function, args, kwargs


GOOD = (zeros(4, 3), zeros(3, 2), zeros(2), 2)
NET = Net(3)
VALID = [
    call(conv, *GOOD),
    call(conv, *GOOD, stride=2),
    call(conv, zeros(400, 3), *GOOD[1:]),
    call(even, zeros(8), zeros(1), zeros(4)),
    call(any_size, zeros(3200)),
    call(batched, zeros(4, 5, 2), zeros(4, 5, 3)),
    call(optional, zeros(2)),
    call(optional, zeros(2), [1, 3]),
    call(outside_default, 1),
    call(starred, 1, 2, a=0),
    call(together, 0, 3),
    call(careless, 2),
    call(hinted, True),
    call(library, 3, m="anything"),
    call(Net, 9),
    call(Child, 9),
    call(Net.forward, NET, zeros(2, 3)),
    call(Child.forward, NET, zeros(2, 3)),
    call(NET.forward, zeros(2, 3)),
    call(Net.make, 1),
    call(Net.twice, 1),
    call(NET.twice, 1),
]


@pytest.mark.parametrize("made", VALID, ids=lambda made: made[0].__qualname__)
def test_a_valid_call_is_true(made):
    function, args, kwargs = made
    told = check_call(function, *args, **kwargs)
    assert (bool(told), str(told)) == (True, "valid")


SHAPE = "w.shape: expected one of [(3, 2)], got"
WHERE = "where c = 3, k = 2, T = float32"
INVALID = [
    (call(conv, *GOOD, stride=0), "stride: expected at least 1, got 0 (int)"),
    (call(conv, *GOOD, stride=3), '@require("b % stride == 0") does not hold'),
    (call(conv, *GOOD[:2]), "missing a required argument: 'v'"),
    (call(conv, *GOOD, strid=1), "got an unexpected keyword argument 'strid'"),
    (call(conv, zeros(4, 3), zeros(4, 2), *GOOD[2:]), f"{SHAPE} (4, 2) (tuple), {WHERE}"),
    (call(conv, zeros(4, 3), zeros(3, 3), *GOOD[2:]), f"{SHAPE} (3, 3) (tuple), {WHERE}"),
    (
        call(conv, *GOOD[:2], zeros(2, dtype="float64"), 2),
        "v.dtype: expected float32, got 'float64' (str), where k = 2, T = float32",
    ),
    (
        call(conv, 1, *GOOD[1:3], k=2.0, stride=9),
        "x: expected a NumPy array, got 1 (int)\n"
        "k: expected a whole number, got 2.0 (float)\n"
        "stride: expected at most 3, got 9 (int)",
    ),
    (call(even, zeros(5), zeros(1), zeros(4)), "x: no h fits 2*h"),
    (call(even, zeros(20), zeros(1), zeros(4)), "h: expected at most 4, got 10 (int)"),
    (call(even, zeros(4), zeros(1), zeros(2)), "y: q-3 is no size, where q = 2"),
    (call(batched, zeros(4, 2), zeros(5, 3)), "b: expected *batch = (4,), got (5,)"),
    (
        call(optional, zeros(2), [1]),
        "sizes: expected any of froms([None]), lists(ints(min=1, max=3), len=2), "
        "got [1] (list), where n = 2",
    ),
    (call(outside_default), "n: expected at least 1, got 0 (int)"),
    (
        call(starred, 1, 9, a=0, c=1),
        "args[1]: expected at most 3, got 9 (int)\n"
        "kwargs: expected a dict without the key 'c', got {'a': 0, 'c': 1} (dict)",
    ),
    (call(together, 0, 1), "low, high[1]: expected at least 2, got 1 (int)"),
    (
        call(late, 1, 2, [1], 0),
        "s: ints(min=0, max=9).where(<lambda>) raises "
        "ZeroDivisionError: integer division or modulo by zero",
    ),
    (
        call(careless, 1),
        '@require("1 // (n - 1)") raises ZeroDivisionError: integer division or modulo by zero',
    ),
    (call(hinted, 1), "flag: expected True or False, got 1 (int)"),
    (call(library, 4), "n: expected at most 3, got 4 (int)"),
    (call(Net, 0), "units: expected at least 1, got 0 (int)"),
    (call(Child, 0), "units: expected at least 1, got 0 (int)"),
    (call(Net.forward), "missing a required argument: 'self'"),
    (
        call(NET.forward, zeros(2, 4)),
        "x.shape: expected one of [(2, 3)], got (2, 4) (tuple), where n = 2",
    ),
    (call(NET.forward, zeros(7, 3)), '@require("n < self.units") does not hold'),
    (call(Net.make, 3), "n: expected at most 2, got 3 (int)"),
    (call(Net.twice, 3), "n: expected at most 2, got 3 (int)"),
]


@pytest.mark.parametrize(
    ("made", "why"), INVALID, ids=[made[0].__qualname__ for made, _ in INVALID]
)
def test_an_invalid_call_is_false_and_says_why(made, why):
    function, args, kwargs = made
    told = check_call(function, *args, **kwargs)
    assert (bool(told), str(told)) == (False, why)


def test_what_cannot_be_told_is_named():
    told = check_call(late, 1, 2, [1])
    assert told == CallCheck((), ("r", "p, q", '@require("n > 1")'))
    assert told
    assert str(told) == 'valid, as far as can be told: not r, p, q, @require("n > 1")'
    told = check_call(NET.constructed, zeros(2, 9))
    assert told
    assert told.undecided == ("x", '@require("init.units > 1")')


def test_a_method_of_a_local_class_takes_its_instance():
    class Local:
        @arg(n=ints(1, 2))
        def method(self, n): ...

    assert check_call(Local.method, Local(), 1)
    assert not check_call(Local().method, 3)


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (Net.bare, "Net.bare has no annotations that could allow or forbid a call; add @arg(x=…)"),
        (3, "check_call(3) expects a function, class or method first, got int"),
    ],
    ids=["a method", "a number"],
)
def test_what_has_no_annotations_is_refused(function, why):
    with pytest.raises(UsageError) as raised:
        check_call(function, 1)
    assert str(raised.value) == why


def test_a_wrong_annotation_is_told_with_its_line():
    @arg(n=ints(0, 3))
    @require("m > 3")
    def wrong(n): ...

    with pytest.raises(InvalidAnnotation) as raised:
        check_call(wrong, 1)
    line = wrong.__code__.co_firstlineno + 1
    name = test_a_wrong_annotation_is_told_with_its_line.__name__
    assert str(raised.value) == (
        f"{__file__}:{line}: @require(\"m > 3\"): {name}.<locals>.wrong knows no name 'm'."
    )
    assert raised.value.remedy == "use the arguments, the names of the module, or builtins"
