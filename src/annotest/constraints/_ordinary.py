"""Ordinary numbers: 0, and what is neither tiny nor huge. On them no healthy layer overflows."""

from __future__ import annotations

from typing import Any

from annotest.constraints._formats import rounded

SMALLEST, LARGEST = 1e-3, 1e3  # in size, of the ordinary numbers other than 0


def is_left_open(numbers: Any) -> bool:
    """Say whether the user gave no two ends, or allows NaN or infinity: it may be any number."""
    open_ended = numbers.min is None or numbers.max is None
    return open_ended or numbers.allow_nan or numbers.allow_infinity


def ordinary_bounds(numbers: Any) -> dict[str, Any]:
    """Return what to change for numbers between two ends, each given or not, to be ordinary."""
    changed: dict[str, Any] = {"allow_nan": False, "allow_infinity": False, "_apart": SMALLEST}
    low, high = numbers.min, numbers.max
    if low is None or (not isinstance(low, str) and low < -LARGEST):
        changed |= {"min": -LARGEST, "exclude_min": False}
    if high is None or (not isinstance(high, str) and high > LARGEST):
        changed |= {"max": LARGEST, "exclude_max": False}
    return changed


def sides_of_zero(low: float, high: float, apart: float, width: int) -> list[tuple[float, float]]:
    """Return the ends of the positive and of the negative floats that are `apart` from zero."""
    least = rounded(apart, width, up=True)
    sides = [(max(low, least), high), (low, min(high, -least))]
    return [(start, end) for start, end in sides if start <= end]
