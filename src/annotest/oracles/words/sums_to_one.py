"""`sums_to_one`: the numbers of the result sum to one along an axis, but for rounding."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotest.oracles.judging import Numeric, numbers_in, rounding
from annotest.oracles.protocol import TargetCall
from annotest.oracles.words import judges_values
from annotest.promises import sums_to_one

_PLAIN = (bool, int, float, complex)


@judges_values(sums_to_one)
def what_does_not(value: Any, call: TargetCall, axis: int = -1) -> Iterator[str]:
    """Yield where the elements along an axis do not sum to one; no elements have no sum."""

    def has_axis(found: Numeric) -> bool:
        return bool(-found.elements.ndim <= axis < found.elements.ndim)

    for found in numbers_in(_joined(value), f"arrays that have an axis {axis}", has_axis, value):
        count = found.elements.shape[axis]
        if count == 0:
            continue
        sums, allowed = _sums(found, axis, count)
        wrong = ~(abs(sums - 1) <= allowed)
        if wrong.any() and call.is_ordinary:
            yield _told(found, axis, sums, allowed, wrong)


def _sums(found: Numeric, axis: int, count: int) -> tuple[Any, Any]:
    """Return the sums along an axis, and by how much each may be wrong.

    To add n numbers and to divide by their sum rounds about n + 2 times; what is negative cancels.
    """
    import numpy as np

    dtype = np.complex128 if found.elements.dtype.kind == "c" else np.float64
    exact = found.elements.astype(dtype)
    with np.errstate(invalid="ignore", over="ignore"):
        sums, sizes = np.asarray(exact.sum(axis)), np.asarray(abs(exact).sum(axis))
    is_plain = ~np.isfinite(sizes) | (sizes == sums)
    return sums, rounding(found) * (count / 2 + 2) * np.where(is_plain, 1, np.maximum(sizes, 1))


def _told(found: Numeric, axis: int, sums: Any, allowed: Any, wrong: Any) -> str:
    import numpy as np

    place = tuple(np.argwhere(wrong)[0])
    index = [str(number) for number in place]
    axis %= found.elements.ndim
    if axis < len(index):
        index.insert(axis, ":")
    at = f"{found.at}[{', '.join(index)}]" if index else found.at
    expected = f"1 ± {allowed[place]:.2g}" if allowed[place] else "1"
    count = found.elements.shape[axis]
    total = f"{sums[place]:.8g}"
    return f"{at} sums to {total}, {expected} expected for {found.kind} over {count}"


def _joined(value: Any) -> Any:
    """Return plain lists of numbers as the arrays that they are, alone or inside another."""
    import numpy as np

    if type(value) not in (list, tuple) or not value:
        return value
    if all(type(item) in _PLAIN for item in value):
        return np.array(value)
    parts = [_joined(item) for item in value]
    made = [part for part, item in zip(parts, value, strict=True) if part is not item]
    is_whole = len(made) == len(parts) and all(isinstance(part, np.ndarray) for part in parts)
    return np.array(parts) if is_whole and len({part.shape for part in parts}) == 1 else parts
