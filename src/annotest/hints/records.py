"""Dataclasses and named tuples whose fields have precise hints."""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any


def is_record(hint: type) -> bool:
    """Say whether a class is a dataclass or a named tuple, of which there can be instances."""
    is_data = dataclasses.is_dataclass(hint) or is_named_tuple(hint)
    return is_data and not inspect.isabstract(hint)


def is_named_tuple(hint: type) -> bool:
    """Say whether a class is a named tuple."""
    return issubclass(hint, tuple) and hasattr(hint, "_fields")


def needed_fields(record: type) -> list[str]:
    """Return what a record cannot be constructed without."""
    parameters = inspect.signature(record).parameters.values()
    starred = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [p.name for p in parameters if p.default is p.empty and p.kind not in starred]


def where_hints_are(cls: Any) -> Any:
    """Return what of a class has the hints of its constructor's arguments."""
    if cls.__init__ is not object.__init__:
        return cls.__init__
    return cls if is_named_tuple(cls) else cls.__new__
