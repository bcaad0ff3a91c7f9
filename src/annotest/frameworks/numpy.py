"""NumPy arrays: how to describe, copy, compare and write them."""

from __future__ import annotations

from typing import Any

import numpy as np

from annotest.expr import Expr, Literal, Module, Ref, tree
from annotest.frameworks import ArrayView

_np = Module("numpy", "np")


def view(value: Any) -> ArrayView | None:
    """Describe `value` when it is a NumPy array."""
    if isinstance(value, np.ndarray):
        return ArrayView("numpy", value.shape, dtype_name(value.dtype))
    return None


def dtype_name(dtype: Any) -> str:
    """Return a dtype's plain name, or its type string when the byte order is not the machine's."""
    found = np.dtype(dtype)
    return str(found.name if found.isnative else found.str)


def copy(value: Any) -> Any:
    """Return an array equal to `value` that shares no memory with it."""
    return value.copy()


def same(one: Any, other: Any) -> bool:
    """Say whether two arrays hold the same values, NaN counting as equal to NaN."""
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    inexact = one.dtype.kind in "fc"
    return bool(np.array_equal(one, other, equal_nan=inexact))


def source(value: Any) -> Expr | None:
    """Return the source of a NumPy array, scalar or dtype."""
    if isinstance(value, np.dtype):
        return _np.dtype(dtype_name(value))
    if isinstance(value, np.generic) and value.dtype.kind in "biufc":
        return Ref("numpy", value.dtype.name, "np")(_plain(value.item()))
    if type(value) is np.ndarray and value.dtype.kind in "biufc":
        return _array_source(value)
    return None


def _array_source(array: Any) -> Expr:
    dtype = dtype_name(array.dtype)
    if array.size > 1 and (same_everywhere := array.ravel()[0]).tobytes() * array.size == (
        array.tobytes()
    ):
        return _np.full(array.shape, _plain(same_everywhere.item()), dtype=dtype)
    if array.size == 0:
        return _np.zeros(array.shape, dtype=dtype)
    return _np.array(_plain(array.tolist()), dtype=dtype)


def _plain(value: Any) -> Expr:
    if isinstance(value, list):
        return tree([_plain(item) for item in value])
    return Literal(value)
