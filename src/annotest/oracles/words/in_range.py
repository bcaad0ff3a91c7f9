"""`in_range`: the numbers of the result lie between two, both included."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotest.oracles.judging import Numeric, not_finite, numbers_in
from annotest.oracles.protocol import TargetCall
from annotest.oracles.words import judges_values
from annotest.promises import in_range
from annotest.source import shown


@judges_values(in_range)
def what_is_outside(value: Any, call: TargetCall, lo: Any, hi: Any) -> Iterator[str]:
    """Yield where numbers lie outside; what is not finite is told of ordinary inputs only."""
    for found in numbers_in(value, "numbers that have an order", _has_order):
        low, high = found.nearest(lo, up=False), found.nearest(hi, up=True)
        wrong = ~((found.elements >= low) & (found.elements <= high))
        if not wrong.any():
            continue
        odd = not_finite(found)
        finite = wrong if odd is None else wrong & ~odd
        if finite.any():
            wrong = finite
        elif not call.is_ordinary:
            continue
        yield f"{found.first_of(wrong, 'outside')}, {shown(lo)} to {shown(hi)} expected"


def _has_order(found: Numeric) -> bool:
    return bool(found.elements.dtype.kind != "c")
