"""Copies of what a call may change, made before it."""

from __future__ import annotations

import copy
from typing import Any

from annotest import frameworks


def copied(value: Any) -> Any:
    """Return a copy that shares nothing with a value; of what cannot be copied, itself."""
    adapter = frameworks.adapter_of(value)
    if adapter is not None:
        return adapter.copy(value)
    if type(value) is dict:
        return {key: copied(item) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(map(copied, value))
    try:
        return copy.deepcopy(value)
    except Exception:
        return value  # an open file, a lock
