"""The cases of our own constraints."""

from __future__ import annotations

import enum
import functools
import importlib.util
import math
from dataclasses import field
from typing import Any

import numpy as np

from annotest.constraints import (
    Constraint,
    anys,
    bool_lists,
    bools,
    broadcasts,
    complexes,
    dicts,
    float_lists,
    floats,
    froms,
    images,
    int_lists,
    ints,
    labels,
    lists,
    masks,
    np_arrays,
    np_shapes,
    objs,
    one_hots,
    probabilities,
    rngs,
    sets,
    str_lists,
    strs,
    tensors,
    token_ids,
    tuples,
)
from annotest.decorators import arg, exclude, generator
from annotest.records import record


@record
class Case:
    """A constraint with values inside and outside it."""

    constraint: Constraint
    valid: list[Any] = field(default_factory=list)
    invalid: list[Any] = field(default_factory=list)


class Color(enum.Enum):
    """Values for a case."""

    RED = 1
    BLUE = 2


def is_even(number: int) -> bool:
    """Serve as a predicate in a case."""
    return number % 2 == 0


def halved(number: int) -> float:
    """Serve as a function in a case."""
    return number / 2


def late_values() -> list[str]:
    """Serve as a late list in a case."""
    return ["relu", "tanh"]


@generator
@exclude
@arg(size=ints(1, 3))
def made(size: int) -> list[int]:
    """Serve as a generator in a case."""
    return [0] * size


@functools.cache
def cases() -> tuple[Case, ...]:
    """Return at least one case for each constraint."""
    arrays = (*_array_cases(), *_tensor_cases(), *_large_array_cases(), *_contents_cases())
    return (*_plain_cases(), *_container_cases(), *arrays, *_word_cases())


def _plain_cases() -> list[Case]:
    nan, inf = math.nan, math.inf
    return [
        Case(froms([0, 0.0, None, "a"]), [0, 0.0, None, "a"], [1, False, "b"]),
        Case(froms([[1], [2]]), [[1], [2]], [[3], (1,)]),
        Case(froms(Color), [Color.RED], [1, "RED"]),
        Case(froms(range(0, 9, 3)), [0, 3, 6], [1, 9]),
        Case(froms(late_values), ["relu", "tanh"], ["elu"]),
        Case(bools(), [True, False], [0, 1, None]),
        Case(ints(), [0, 1000], [-1, 1001, True, 1.0, "1"]),
        Case(ints(1, 5), [1, 5, np.int64(3)], [0, 6]),
        Case(ints(min=2000), [2000, 3000], [1999, 3001]),
        Case(ints(max=-5), [-5, -1005], [-4, -1006]),
        Case(ints(1, 64, multiple_of=8), [8, 64], [4, 65, 0]),
        Case(floats(), [0.0, -1e300, 3], [nan, inf, True, "1.0"]),
        Case(floats(0, 1, exclude_min=True), [1.0, 0.5, 5e-324], [0.0, 1.1, nan]),
        Case(floats(0.1, 0.9, width=32), [0.5], [0.1, 0.95]),
        Case(floats(0.1, 0.3, exclude_min=True, exclude_max=True, width=16), [0.25], [0.1, 0.3]),
        Case(floats(allow_nan=True, allow_infinity=True), [nan, inf, -inf, 0.0], ["x"]),
        Case(floats(min=0, max=1, allow_nan=True), [nan, 0.0, 1.0], [inf, 2.0]),
        Case(floats(min=0, allow_infinity=True), [inf, 0.0], [-inf, -1.0]),
        Case(
            complexes(), [0j, 1e300 - 1j, 2.5, np.complex64(1j)], [nan * 1j, inf + 0j, True, "1j"]
        ),
        Case(complexes(max_magnitude=2, width=64), [2j, 1 + 1j], [2.1j, 2 + 2j, 0.1j]),
        Case(complexes(max_magnitude=1, allow_nan=True), [complex(nan, 0), 1j], [2j, inf + 0j]),
        Case(complexes(allow_infinity=True), [complex(0, inf)], [complex(nan, 0)]),
        Case(strs(), ["", "a b~"], ["x" * 21, "\n", "é", 1]),
        Case(strs(alphabet="ab", min_len=1, max_len=3), ["a", "bab"], ["", "abab", "c"]),
        Case(strs(pattern="[a-c]+[0-9]"), ["a1", "abc9"], ["a", "1", ""]),
        Case(strs(pattern="x*", min_len=1, max_len=2), ["x", "xx"], ["", "xxx"]),
        Case(anys(-1, ints(1, 5), int_lists(min_len=2)), [-1, 3, [1, 2]], [0, 6, [1], None]),
        Case(anys(None, [1, 2]), [None, [1, 2]], [[1], 0]),
        Case(objs(made), [[0]], []),
        Case(rngs(), [np.random.default_rng(3)], [np.random.RandomState(3), 3]),
        Case(ints(0, 9).map(halved), [0.5], []),
        Case(ints(0, 9).where(is_even), [0, 8], [1, 10, "a"]),
    ]


def _container_cases() -> list[Case]:
    return [
        Case(lists(ints(0, 9)), [[], [0] * 10], [[10], [0] * 11, (0,), None]),
        Case(lists(bools(), len=2), [[True, False]], [[True], [True] * 3]),
        Case(lists(ints(0, 9), min_len=2, max_len=4, unique=True), [[1, 2]], [[1, 1], [1]]),
        Case(lists(lists(ints(0, 1), len=1), unique=True, max_len=2), [[[0], [1]]], [[[0], [0]]]),
        Case(int_lists(), [[1], [6, 1, 3]], [[], [0], [7], [1] * 4, [True]]),
        Case(int_lists(min_len=2, max_len=5, min=2, max=5), [[2, 5]], [[2], [1, 2]]),
        Case(int_lists(len=2, max=0), [[0, -5]], [[0], [1, 1]]),
        Case(float_lists(min=0, max=1), [[0.5], [0.0, 1.0]], [[], [1.5]]),
        Case(bool_lists(max_len=2), [[True], [True, False]], [[], [1], [True] * 3]),
        Case(str_lists(alphabet="ab"), [["a"], ["", "ab"]], [[], ["c"], [1]]),
        Case(tuples(ints(20, 70), bools()), [(20, True)], [(20,), (19, True), [20, True], (20, 1)]),
        Case(tuples(), [()], [(1,)]),
        Case(tuples(ints(1, 3), min_len=1, max_len=2), [(1,), (1, 3)], [(), (1, 2, 3), (4,)]),
        Case(sets(ints(0, 3), min_len=1), [{0}, {0, 1, 2, 3}], [set(), {4}, [0]]),
        Case(
            dicts(froms(["a", "b"]), ints(0, 9), min_size=1),
            [{"a": 1}, {"a": 0, "b": 9}],
            [{}, {"c": 1}, {"a": 10}, []],
        ),
        Case(
            dicts({"shape": np_shapes(), "name?": strs()}),
            [{"shape": (1,)}, {"shape": (2, 2), "name": "x"}],
            [{}, {"shape": 1}, {"shape": (1,), "other": 1}, None],
        ),
    ]


def _array_cases() -> list[Case]:
    ones = np.ones((3, 4), dtype="float32")
    return [
        Case(np_shapes(), [(1,), (6, 6, 6)], [(), (0,), (7,), (1, 1, 1, 1), [1]]),
        Case(np_shapes(min_dims=2, max_dims=2, max_side=3), [(1, 3)], [(1,), (4, 1)]),
        Case(broadcasts((2, 3)), [(), (3,), (1, 3)], [(2,), (1, 2, 3), [3]]),
        Case(broadcasts("x", min_dims=1), [(1,), (9, 9)], [(), 1]),
        Case(np_arrays("int8", broadcasts((3,))), [np.zeros(1, "int8")], [np.zeros(2, "int8")]),
        Case(np_arrays(), [np.zeros(2, dtype="int8"), ones], [np.zeros(2, dtype="bool"), [1], 3]),
        Case(
            np_arrays("float32", (3, 4), min=0, max=1),
            [ones, ones * 0],
            [ones * 2, ones[0], ones.astype("float64"), ones * np.nan],
        ),
        Case(
            np_arrays("uint8", np_shapes(min_dims=1, max_dims=1)), [np.array([255], "uint8")], [1]
        ),
        Case(
            np_arrays("float64", (2, ints(1, 2)), min=0, exclude_min=True),
            [np.array([[0.5], [1.0]])],
            [np.array([[0.0], [1.0]]), np.zeros((2, 3))],
        ),
        Case(
            np_arrays(froms(["int16", "int32"]), 3, min=-2, max=2),
            [np.array([-2, 0, 2], "int16")],
            [np.array([3, 0, 0], "int16"), np.zeros(3, "int64")],
        ),
        Case(
            np_arrays("int64", 4, elements=ints(0, 9), unique=True),
            [np.arange(4)],
            [np.zeros(4, "int64"), np.arange(10, 14)],
        ),
        Case(np_arrays("bool", 2), [np.array([True, False])], [np.array([1, 0])]),
        Case(np_arrays("int8", ints(1, 9)), [np.zeros(3, "int8")], [np.zeros((1, 2), "int8")]),
        Case(np_arrays("float16", 2, elements=floats(0, 1)), [np.zeros(2, "float16")], []),
        Case(np_arrays(min=-1, max=1), [np.array([-1, 1], "int8")], [np.array([2.0])]),
        Case(
            np_arrays("float32", 2, allow_nan=True, allow_infinity=True),
            [np.array([np.nan, np.inf], "float32")],
            [],
        ),
        Case(np_arrays("complex64", 1), [np.array([1j], "complex64")], [np.array([1.0])]),
    ]


def _tensor_cases() -> list[Case]:
    if importlib.util.find_spec("torch") is None:
        return []
    import torch

    zeros, ones = torch.zeros(2, 3), torch.ones(2, 3)
    return [
        Case(tensors((2, 3)), [zeros, zeros.T.contiguous().T], [zeros.T, zeros.double(), [0.0]]),
        Case(tensors("n n", min=0, max=1), [ones[:, :2]], [zeros, -ones[:, :2]]),
        Case(
            tensors((2, 3), "bfloat16", min=0.1, max=0.7),
            [zeros.bfloat16() + 0.5],
            [ones, ones.bfloat16()],
        ),
        Case(tensors(2, "float8_e4m3fn"), [zeros[:, 0].to(torch.float8_e4m3fn)], [zeros[:, 0]]),
        Case(tensors((1, 3, 2, 2), "float16"), [torch.zeros(1, 3, 2, 2).half()], [zeros]),
        Case(tensors(3, layout="contiguous"), [zeros[0]], [torch.zeros(6)[::2]]),
        Case(tensors((2, 2), layout=["transposed", "expanded"]), [torch.ones(1, 2).expand(2, 2)]),
        Case(tensors(3, requires_grad=True), [zeros[0].clone().requires_grad_()], [zeros[0]]),
        Case(tensors((2000,), "bfloat16", max=1), [torch.ones(2000).bfloat16()], [ones]),
        Case(tensors((40, 40), "bool"), [torch.ones(40, 40) > 0], [torch.ones(40, 40)]),
        Case(
            tensors((2, 2), "float8_e5m2", contents="one_hot"),
            [torch.eye(2).to(torch.float8_e5m2)],
            [torch.ones(2, 2)],
        ),
    ]


def _large_array_cases() -> list[Case]:
    ones = np.ones(2000, dtype="float32")
    return [
        Case(
            np_arrays("float32", 2000, min=0, max=1, exclude_min=True, exclude_max=True),
            [ones / 2],
            [ones, ones * 0, ones / 2 * np.nan, ones[1:] / 2],
        ),
        Case(
            np_arrays("int64", (2, ints(600, 700)), min=-5, max=5),
            [np.zeros((2, 600), "int64")],
            [np.full((2, 600), 6), np.zeros((2, 500), "int64")],
        ),
        Case(np_arrays("float16", 1500, unique=True), [np.arange(1500).astype("float16")], [ones]),
        Case(
            np_arrays("float64", 1500, min=-1, allow_nan=True, allow_infinity=True),
            [np.full(1500, np.inf), np.full(1500, np.nan)],
            [np.full(1500, -np.inf)],
        ),
        Case(np_arrays("complex128", (40, 50)), [np.zeros((40, 50), "complex128")], [ones]),
        Case(np_arrays("bool", 1001), [np.ones(1001, "bool")], [np.ones(1000, "bool")]),
        Case(
            np_arrays("int32", 3000, elements=froms([1, 7])),
            [np.full(3000, 7, "int32")],
            [np.full(3000, 2, "int32")],
        ),
    ]


def _contents_cases() -> list[Case]:
    rows = np.array([[0.25, 0.75], [1.0, 0.0]], dtype="float32")
    return [
        Case(
            np_arrays("float32", (2, ints(1, 900)), contents="probabilities"),
            [rows],
            [rows * 2, rows - 1, np.zeros((2, 0), "float32")],
        ),
        Case(
            np_arrays("int8", "n 3", contents="one_hot"),
            [np.eye(3, dtype="int8")],
            [np.ones((3, 3), "int8"), np.zeros((1, 3), "int8"), np.eye(3, dtype="int8") * 2],
        ),
        Case(
            np_arrays("int16", (2, 3), max=9, contents="sorted"),
            [np.array([[0, 0, 9], [-1, 2, 2]], "int16")],
            [
                np.array([[0, 0, 9], [2, -1, 2]], "int16"),
                np.array([[0, 0, 10], [2, 3, 4]], "int16"),
            ],
        ),
    ]


def _word_cases() -> list[Case]:
    true, false = np.array([[True, True]]), np.array([[True, False]])
    return [
        Case(labels("b", 3), [np.array([0, 2])], [np.array([3]), np.array([0.0]), 1]),
        Case(labels("b", "classes", dtype="uint8"), [np.array([9], "uint8")], [np.array([1])]),
        Case(token_ids("b t", 2), [np.array([[0, 1]])], [np.array([1]), np.array([[2]])]),
        Case(one_hots("b", 2, dtype="int8"), [np.eye(2, dtype="int8")], [np.ones((1, 2), "int8")]),
        Case(
            probabilities("b 2", dtype="float64"),
            [np.array([[0.5, 0.5]])],
            [np.array([[0.5, 0.4]]), np.array([0.5, 0.5])],
        ),
        Case(masks("b n"), [true, false], [~true, true[0], np.array([1])]),
        Case(masks("b n", kinds=["causal", "all_false"]), [false, ~true], [true, ~false]),
        Case(masks((40, 40), kinds="ragged"), [np.ones((40, 40), "bool")], [np.eye(40) > 0]),
        Case(images("h w"), [np.ones((1, 2), "float32")], [true, np.full((1, 2), 2, "float32")]),
        Case(images("h w 3", dtype="uint8"), [np.full((1, 1, 3), 255, "uint8")], [true]),
    ]
