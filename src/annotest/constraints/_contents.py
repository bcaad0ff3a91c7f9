"""What the last axis of an array holds: sorted values, a one among zeros, probabilities, masks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from annotest.constraints._base import Mismatch
from annotest.constraints._elements import unraveled
from annotest.constraints._shapes import shape_constraint
from annotest.frameworks.dtypes import DType
from annotest.large import (
    ALL_FALSE,
    ALL_TRUE,
    CAUSAL,
    ONE_HOT,
    PROBABILITIES,
    RAGGED,
    SOME_TRUE,
    SORTED,
    causal,
)
from annotest.source import shown

OF_BOOLEANS = (ALL_TRUE, ALL_FALSE, SOME_TRUE, RAGGED, CAUSAL)
CONTENTS = (SORTED, ONE_HOT, PROBABILITIES, *OF_BOOLEANS)
# the binary digits of floats
_DIGITS = {16: 11, 32: 24, 64: 53}
_BOUNDS = ("min", "max", "exclude_min", "exclude_max", "allow_nan", "allow_infinity")
_GIVEN = (*_BOUNDS, "elements", "unique")


def fits_contents(dtype: DType, contents: str | None) -> bool:
    """Say whether a dtype can hold such contents."""
    if contents == PROBABILITIES:
        return dtype.kind == "float"
    if contents in OF_BOOLEANS:
        return dtype.kind == "bool"
    return contents is None or dtype.kind != "complex"


def check_contents(arrays: Any) -> None:
    """Refuse contents that are unknown, or that do not fit the other arguments."""
    contents = arrays.contents
    if contents is None:
        return
    if contents not in CONTENTS:
        hint = f"use one of {', '.join(map(repr, CONTENTS))}"
        raise arrays.refuse(f"has unknown contents {shown(contents)}", hint)
    if contents == SORTED and arrays.allow_nan:
        raise arrays.refuse("sorts nan, which has no order", "drop allow_nan")
    for name in () if contents == SORTED else _GIVEN:
        value = getattr(arrays, name)
        if value is not None and value is not False:
            raise arrays.refuse(
                f"has a {name} beside its contents, which say what values there are", f"drop {name}"
            )
    if () in shape_constraint(arrays.name, arrays.shape):
        raise arrays.refuse(
            f"may have no last axis to hold {contents} contents", "give the shape a last side"
        )
    if arrays.dtype is not None and not arrays.dtypes:
        fitting = "a float dtype" if contents == PROBABILITIES else "another dtype"
        fitting = "bool" if contents in OF_BOOLEANS else fitting
        raise arrays.refuse(f"cannot hold {contents} contents", f"use {fitting}")


def contents_mismatches(array: Any, dtype: DType, contents: str, at: str) -> Iterator[Mismatch]:
    """Yield the first row whose contents are wrong, of an array that holds elements of a dtype."""
    needs_one = contents in (ONE_HOT, PROBABILITIES)
    if not array.ndim or (needs_one and not array.shape[-1]):
        yield Mismatch(f"{at}.shape", f"a last axis with {contents} contents", array.shape)
    elif array.size:
        wrong, expected = _WRONG[contents](array, dtype)
        for place in wrong.ravel().nonzero()[0][:1].tolist():
            index = tuple(unraveled(place, array.shape[:-1]))
            where = f"{at}{list(index)}" if index else at
            yield Mismatch(where, expected, array[index].tolist())


def _unsorted(array: Any, dtype: DType) -> tuple[Any, str]:
    return (array[..., 1:] < array[..., :-1]).any(axis=-1), "sorted values"


def _not_one_hot(array: Any, dtype: DType) -> tuple[Any, str]:
    ones, zeros = (array == 1).sum(axis=-1), (array == 0).sum(axis=-1)
    return (ones != 1) | (zeros != array.shape[-1] - 1), "one 1, the others 0"


def _unlikely(array: Any, dtype: DType) -> tuple[Any, str]:
    digits = dtype.format.digits if dtype.format else _DIGITS[dtype.bits]
    rounding = 2.0 ** (1 - digits) * (4 + math.sqrt(array.shape[-1]))
    total = array.sum(axis=-1, dtype="float64")
    return abs(total - 1) > rounding, "values that add up to 1"


def _not_ragged(array: Any, dtype: DType) -> tuple[Any, str]:
    rises = (array[..., 1:] & ~array[..., :-1]).any(axis=-1)
    return rises | ~array[..., 0], "True up to some place"


def _not_causal(array: Any, dtype: DType) -> tuple[Any, str]:
    return (array != causal(array.shape)).any(axis=-1), "True up to the place of the row"


_WRONG: dict[str, Callable[[Any, DType], tuple[Any, str]]] = {
    SORTED: _unsorted,
    ONE_HOT: _not_one_hot,
    PROBABILITIES: _unlikely,
    ALL_TRUE: lambda array, dtype: (~array.all(axis=-1), "True everywhere"),
    ALL_FALSE: lambda array, dtype: (array.any(axis=-1), "False everywhere"),
    SOME_TRUE: lambda array, dtype: (~array.any(axis=-1), "True somewhere"),
    RAGGED: _not_ragged,
    CAUSAL: _not_causal,
}
