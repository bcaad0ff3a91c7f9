"""`finite`: no number of the result is NaN or infinite."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotest.oracles.protocol import TargetCall
from annotest.oracles.words import judges_values
from annotest.promises import finite


@judges_values(finite)
def not_finite(value: Any, call: TargetCall) -> Iterator[str]:
    """Yield where a value is not finite."""
    import math

    if isinstance(value, float) and not math.isfinite(value):
        yield f"it is {value}"
