"""`no_nan`: no number of the result is NaN."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotest.oracles.judging import numbers_in
from annotest.oracles.protocol import TargetCall
from annotest.oracles.words import judges_values
from annotest.promises import no_nan


@judges_values(no_nan)
def what_is_nan(value: Any, call: TargetCall) -> Iterator[str]:
    """Yield where numbers are NaN."""
    for found in numbers_in(value):
        wrong = found.elements != found.elements
        if found.is_float and wrong.any() and call.is_ordinary:
            yield found.first_of(wrong, "nan")
