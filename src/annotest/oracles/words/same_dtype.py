"""`same_dtype`: floats in the result have the dtype of the float arrays that were given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from annotest.oracles.judging import Unjudgeable, dtypes_in, given
from annotest.oracles.protocol import TargetCall
from annotest.oracles.words import judges_values
from annotest.promises import same_dtype


@judges_values(same_dtype)
def what_has_another_dtype(value: Any, call: TargetCall, of: str = "") -> Iterator[str]:
    """Yield the floats that have another dtype; where no float array was given, nothing."""
    results = list(dtypes_in(value))
    if not results and value is not None:
        raise Unjudgeable("arrays of floats", value)
    names = {
        name: [dtype for _, dtype in dtypes_in(argument)]
        for name, argument in given(call, of).items()
    }
    wanted = dict.fromkeys(dtype for dtypes in names.values() for dtype in dtypes)
    told = ", ".join(name for name, dtypes in names.items() if dtypes)
    for at, dtype in results if wanted else ():
        if dtype not in wanted and not _is_size_of(dtype, wanted):
            yield f"{at} is {dtype}, {' or '.join(wanted)} expected, as in {told}"


_PARTS = {"complex64": "float32", "complex128": "float64"}


def _is_size_of(dtype: str, wanted: Iterable[str]) -> bool:
    """Say whether a dtype is that of the parts, or the size, of complex numbers that were given."""
    return any(_PARTS.get(given) == dtype or _PARTS.get(dtype) == given for given in wanted)
