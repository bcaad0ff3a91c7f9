"""`finite`: no number of the result is NaN or infinite."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotest.oracles.judging import not_finite, numbers_in
from annotest.oracles.protocol import TargetCall
from annotest.oracles.words import judges_values
from annotest.promises import finite


@judges_values(finite)
def what_is_not_finite(value: Any, call: TargetCall) -> Iterator[str]:
    """Yield where numbers are not finite."""
    for found in numbers_in(value):
        wrong = not_finite(found)
        if wrong is not None and call.is_ordinary:
            yield found.first_of(wrong, "not finite")
