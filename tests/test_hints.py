"""Type hints: which are precise, what they mean, and what is said of the others."""

import dataclasses
import enum
import importlib.util
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple, Optional

import annotated_types as at
import numpy as np
import pytest
from conftest import annotest, run_json

from annotest import (
    anys,
    arg,
    bools,
    dicts,
    floats,
    froms,
    ints,
    lists,
    np_arrays,
    objs,
    same,
    strs,
    tensors,
    tuples,
)
from annotest.hints import Hinted, hint_constraints
from annotest.signature import read_signature, suggestion
from annotest.spec import attached

jaxtyping = pytest.importorskip("jaxtyping", reason="jaxtyping is not installed")
from jaxtyping import (  # noqa: E402
    AbstractDtype,
    Bool,
    Complex,
    Float,
    Float16,
    Inexact,
    Int,
    Integer,
    Key,
    Num,
    Real,
    Shaped,
    UInt,
    UInt8,
)

HAS_TORCH = importlib.util.find_spec("torch") is not None
Array = np.ndarray
NAN = float("nan")


class Mode(enum.Enum):
    A = 1
    B = 2


@dataclasses.dataclass
class Config:
    mode: Mode
    x: Float[Array, "n"]
    units: int = 3
    flags: list[bool] = dataclasses.field(default_factory=list)


class Point(NamedTuple):
    x: "Float[Array, 'n']"
    y: Float[Array, "n"]


@dataclasses.dataclass
class Tree:
    value: bool
    left: Optional["Tree"] = None


class Vague(NamedTuple):
    flag: bool
    n: int


class Halves(AbstractDtype):
    dtypes = ["float16", re.compile("^bfloat")]


HINTS = {
    "aN": (Annotated[int, ints(1, 3)], ints(1, 3)),
    "bool": (bool, bools()),
    "none": (None, froms([None])),
    "literal": (Literal["a", 2], froms(["a", 2])),
    "enum": (Mode, froms([Mode.A, Mode.B])),
    "optional": (bool | None, anys(bools(), froms([None]))),
    "bounds": (Annotated[int, at.Ge(1), at.Lt(5)], ints(1, 4)),
    "interval": (Annotated[float, at.Interval(gt=0, le=1)], floats(0, 1, exclude_min=True)),
    "multiple": (Annotated[int, at.Ge(0), at.MultipleOf(8)], ints(0, multiple_of=8)),
    "length": (Annotated[str, at.Len(1, 3)], strs(min_len=1, max_len=3)),
    "bounded_list": (Annotated[list[bool], at.MaxLen(3)], lists(bools(), max_len=3)),
    "inside_optional": (Annotated[int, ints(1, 3)] | None, anys(ints(1, 3), froms([None]))),
    "note": (Annotated[bool, "just a note"], bools()),
    "list": (list[bool], lists(bools())),
    "sequence": (Sequence[Mode], lists(froms([Mode.A, Mode.B]))),
    "tuple": (tuple[bool, Literal[1]], tuples(bools(), froms([1]))),
    "any_tuple": (tuple[bool, ...], tuples(bools(), min_len=0)),
    "dict": (dict[str, bool], dicts(strs(), bools())),
    "mapping": (Mapping[Literal["a"], list[bool]], dicts(froms(["a"]), lists(bools()))),
    "dataclass": (Config, objs(Config)),
    "named_tuple": (list[Point], lists(objs(Point))),
    "holds_its_own_kind": (Tree, objs(Tree)),
    # jaxtyping, on NumPy
    "float": (Float[Array, "b c"], np_arrays("float64", "b c")),
    "int": (Int[Array, "b"], np_arrays("int64", "b")),
    "uint": (UInt[Array, "b"], np_arrays("uint8", "b")),
    "exact": (Float16[Array, "b"], np_arrays("float16", "b")),
    "bool_array": (Bool[Array, "b"], np_arrays("bool", "b")),
    "complex": (Complex[Array, "b"], np_arrays("complex128", "b")),
    "own_dtypes": (Halves[Array, "b"], np_arrays("float16", "b")),
    "integer": (Integer[Array, "b"], np_arrays(same("Integer", of=["int64", "uint8"]), "b")),
    "real": (Real[Array, "b"], np_arrays(same("Real", of=["int64", "uint8", "float64"]), "b")),
    "inexact": (
        Inexact[Array, "b"],
        np_arrays(same("Inexact", of=["float64", "complex128"]), "b"),
    ),
    "num": (
        Num[Array, "b"],
        np_arrays(same("Num", of=["int64", "uint8", "float64", "complex128"]), "b"),
    ),
    "shaped": (
        Shaped[Array, "b"],
        np_arrays(same("Shaped", of=["int64", "uint8", "float64", "bool", "complex128"]), "b"),
    ),
    "scalar": (Float[Array, ""], np_arrays("float64", ())),
    "fixed": (Float[Array, "3 rows=4"], np_arrays("float64", "3 4")),
    "anonymous": (Float[Array, "_ _c"], np_arrays("float64", "_ _")),
    "any_sides": (Float[Array, "... c"], np_arrays("float64", "... c")),
    "any_sides_anonymous": (Float[Array, "*_batch c"], np_arrays("float64", "... c")),
    "variadic": (Float[Array, "*batch c"], np_arrays("float64", "*batch c")),
    "symbolic": (Float[Array, "n+1 2*h"], np_arrays("float64", "n+1 2*h")),
    "of_an_argument": (Float[Array, "{k} 2*{k+1}"], np_arrays("float64", "k 2*(k+1)")),
    "of_an_instance": (Float[Array, "{self.k}"], np_arrays("float64", "self.k")),
    "broadcast": (
        Float[Array, "#b *#s c"],
        anys(np_arrays("float64", "b *s c"), np_arrays("float64", "1 *s c")),
    ),
    "nested": (Float[Float[Array, "c"], "b"], np_arrays("float64", "b c")),
    "optional_array": (
        Float[Array, "b"] | None,
        anys(np_arrays("float64", "b"), froms([None])),
    ),
    "dict_of_arrays": (dict[str, Float[Array, "b"]], dicts(strs(), np_arrays("float64", "b"))),
}
if HAS_TORCH:
    from torch import Tensor

    HINTS |= {
        "tensor": (Float[Tensor, "b c h w"], tensors("b c h w")),
        "index_tensor": (Int[Tensor, "b"], tensors("b", "int64")),
        "image_tensor": (UInt8[Tensor, "3 h w"], tensors("3 h w", "uint8")),
        "complex_tensor": (Complex[Tensor, ""], tensors((), "complex64")),
        "half_tensor": (
            Halves[Tensor, "b"],
            tensors("b", same("Halves", of=["float16", "bfloat16"])),
        ),
        "any_array": (
            Float[Tensor | Array, "b"],
            anys(tensors("b"), np_arrays("float64", "b")),
        ),
    }
# each with what is said of it
UNREAD = {
    "bare_int": (int, ""),
    "bare_str": (str, ""),
    "bare_list": (list[int], ""),
    "untyped_list": (list, ""),
    "anything": (Any, ""),
    "unbounded": (Annotated[int, "just a note"], ""),
    "half_precise": (int | None, ""),
    "scalar": (Float[float, ""], ""),
    "predicate": (
        Annotated[int, at.Ge(1), at.Predicate(str.isdigit)],
        "Predicate(str.isdigit) says more than bounds can",
    ),
    "unknown": ("NowhereDefined", "it is known to type checkers only"),
    "record": (Vague, "nothing says which Vague.n is valid"),
    "record_inside": (list[Vague] | None, "nothing says which Vague.n is valid"),
    "whose_array": (Float[Any, "b"], "it does not say whose arrays they are"),
    "other_array": (Float[Vague, "b"], f"annotest makes no {__name__}.Vague"),
    "no_dtype": (Key[Array, "b"], "numpy has no such dtype"),
    "tree": (Float[Array, "?b"], "?b is a side that differs within a tree"),
    "no_size": (Float[Array, "b {len(x)}"], "np_arrays: '(len(x))' in 'b (len(x))' is no size"),
    "too_large": (
        Float[Array, "9000 9000 9000"],
        "np_arrays(dtype='float64', shape='9000 9000 9000') has 729,000,000,000 elements or more, "
        "and arrays of at most 20,000,000 are made",
    ),
}


def with_hint(hint):
    def f(n): ...

    f.__annotations__ = {"n": hint}
    return f


def constraints(function):
    found = read_signature(function, attached(function), function.__qualname__)
    return {p.name: p.constraint for p in found.parameters}


@pytest.mark.parametrize("name", HINTS)
def test_precise_hints_are_read(name):
    hint, expected = HINTS[name]
    assert hint_constraints(with_hint(hint))["n"].constraint == expected


@pytest.mark.parametrize("name", UNREAD)
def test_others_are_not_and_it_is_said_why_where_that_is_news(name):
    hint, why = UNREAD[name]
    assert hint_constraints(with_hint(hint)) == {"n": Hinted(None, unread=why)}


def test_a_hint_known_to_type_checkers_only_does_not_spoil_the_others():
    def f(a, b): ...

    f.__annotations__ = {"a": "NowhereDefined", "b": "bool"}
    assert hint_constraints(f)["b"] == Hinted(bools())


def test_an_annotation_overrides_a_hint():
    @arg(flag=froms([True]), x=np_arrays("float32", "b"))
    def f(flag: bool, x: Float[Array, "b"]): ...

    assert constraints(f) == {"flag": froms([True]), "x": np_arrays("float32", "b")}


def test_an_annotation_inside_the_hint_overrides_it_too():
    def f(x: Annotated[Float[Array, "b"], np_arrays("float32", "b")]): ...

    assert constraints(f) == {"x": np_arrays("float32", "b")}


def test_a_dimension_may_have_the_name_of_an_argument_that_is_a_number():
    def f(n: Literal[1, 2], x: Float[Array, "n k"], k=3): ...

    assert constraints(f)["x"] == np_arrays("float64", "n k")


def test_a_hint_whose_dimension_has_the_name_of_another_argument_is_not_read():
    def f(x: Float[Array, "b y"], y: Float[Array, "b"]): ...

    found = read_signature(f, (), "f")
    assert found.mistakes == ()
    assert found.lacking == (
        "no annotation for 'x'; the hint of 'x', Float[ndarray, 'b y'], is not read: its dimension "
        "'y' has the name of an argument that is no whole number"
    )


def test_a_wrapper_that_checks_types_is_looked_through():
    import functools

    def checker(function):
        @functools.wraps(function)
        def checked(*args, **kwargs):
            return function(*args, **kwargs)

        return checked

    @jaxtyping.jaxtyped(typechecker=checker)
    @dataclasses.dataclass
    class Checked:
        x: Float[Array, "n"]

    @jaxtyping.jaxtyped(typechecker=checker)
    def f(x: Float[Array, "n"], more: Checked): ...

    assert constraints(f) == {"x": np_arrays("float64", "n"), "more": objs(Checked)}


SUGGESTED = {
    "Float[np.ndarray, 'b c']": "np_arrays(…)",
    'jt.Float[np.ndarray, "b c"]': "np_arrays(…)",
    "Float[jax.Array, 'b c']": "…",
}
if HAS_TORCH:
    SUGGESTED |= {
        "torch.Tensor": "tensors(…)",
        "Tensor": "tensors(…)",
        "Float[torch.Tensor, 'b c']": "tensors(…)",
    }


@pytest.mark.parametrize("hint", SUGGESTED)
def test_the_constraint_of_an_array_is_suggested_for_its_hint(hint):
    assert suggestion("x", hint) == f"@arg(x={SUGGESTED[hint]})"


PROGRAM = """
from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated, NamedTuple

import numpy as np
from annotest import arg, ints, require
from jaxtyping import Bool, Float, Int, jaxtyped

if TYPE_CHECKING:
    from jax import Array


class Box(NamedTuple):
    low: Float[np.ndarray, "d"]
    high: Float[np.ndarray, "d"]


@dataclasses.dataclass
class Batch:
    x: Float[np.ndarray, "b d"]
    y: Int[np.ndarray, "b"]
    mask: Bool[np.ndarray, "b"] | None = None

    def __post_init__(self):
        assert len(self.x) == len(self.y)


@arg(heads=ints(2, 4))
@require("d % heads == 0")
@jaxtyped(typechecker=None)
def attention(q: Float[np.ndarray, "n d"], k: Float[np.ndarray, "m d"], heads: int):
    assert q.shape[1] == k.shape[1] and q.shape[1] % heads == 0
    assert len(q) < 3  # planted


def joined(parts: list[Float[np.ndarray, "s 3"]], more: Float[np.ndarray, "*b s"] = None):
    assert len({part.shape for part in parts}) < 2
    assert more is None or all(len(part) == more.shape[-1] for part in parts)


def trained(batch: Batch, box: Box):
    assert box.low.shape == box.high.shape
    assert batch.mask is None or len(batch.x) < 3  # planted


class Layer:
    def __init__(self, units: Annotated[int, ints(1, 4)]):
        self.units = units

    def forward(self, x: Float[np.ndarray, "b {self.units}"]):
        assert x.shape[1] == self.units != 3  # planted


def vague(x: Float[Array, "b"], n: int, y: Float[np.ndarray, "b n"]):
    raise RuntimeError("nobody says what n is")
"""


CALLS = [
    """import numpy as np
from m import attention
attention(
    q=np.full((3, 2), 0.0, dtype='float64'),
    k=np.full((1, 2), 0.0, dtype='float64'),
    heads=2,
)""",
    """import numpy as np
from m import Batch, Box, trained
trained(
    batch=Batch(
        x=np.full((3, 1), 0.0, dtype='float64'),
        y=np.full((3,), 0, dtype='int64'),
        mask=np.full((3,), False, dtype='bool'),
    ),
    box=Box(low=np.array([0.0], dtype='float64'), high=np.array([0.0], dtype='float64')),
)""",
    """import numpy as np
from m import Layer
Layer(units=3).forward(x=np.full((1, 3), 0.0, dtype='float64'))""",
]
LISTED = """m.py
     56  m:vague: no annotation for 'x', 'n', 'y'; the hint of 'x', Float[Array, 'b'], is not read: it is known to type checkers only; the hint of 'y', Float[np.ndarray, 'b n'], is not read: its dimension 'n' has the name of an argument that is no whole number
             add @arg(x=…), @arg(n=ints(…)), @arg(y=np_arrays(…))

6 targets · 1 not testable
"""
# a module that nobody imports, for it does not use annotest
TYPED = """
def flip(x: Float[Tensor, "b n"], mode: Literal["h", "w"], both: bool): ...


def other(x: Float[jax.Array, "b n"], both: bool): ...
"""
LISTED_UNIMPORTED = """not testable
typed.py
      2  typed:flip: needs no input, but its module has no annotations
             add --all, or any annotation
      5  typed:other: no annotation for 'x'
             add @arg(x=…)

0 targets · 2 not testable
"""


def test_functions_are_tested_with_what_their_hints_allow(project, tmp_path):
    done = run_json("m.py", "--seed", "1", cwd=project(m=PROGRAM), tmp_path=tmp_path)
    found = {each["target"]["qualname"]: each["call"] for each in done.report["findings"]}
    assert found == {
        "attention": CALLS[0],
        "trained": CALLS[1],
        "Layer.forward": CALLS[2],
    }


def test_what_is_not_read_is_listed_with_the_reason_and_what_to_add(project):
    done = annotest("list", "m.py", cwd=project(m=PROGRAM))
    assert done.stdout.partition("not testable\n")[2] == LISTED


def test_a_precise_hint_is_not_missed_where_a_module_is_only_read(project):
    done = annotest("list", "typed.py", cwd=project(typed=TYPED))
    assert done.stdout == LISTED_UNIMPORTED
