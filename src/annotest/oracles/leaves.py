"""What a result is made of: the arrays, numbers and other values inside containers."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

from annotest import frameworks
from annotest.source import shown

DEEPEST = 20


def leaves(value: Any, at: str = "", around: tuple[int, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Yield the values inside lists, tuples, dicts and dataclasses, each with where it is.

    Where is what stands behind the name of the whole: `[0]`, `['loss']`, `.logits`. What holds
    itself is looked into once; `around` are the containers on the way.
    """
    if id(value) in around:
        return
    is_leaf = len(around) > DEEPEST or frameworks.view(value) is not None
    inside = None if is_leaf else _inside(value)
    if inside is None:
        yield at, value
        return
    for where, part in inside:
        yield from leaves(part, f"{at}{where}", (*around, id(value)))


def _inside(value: Any) -> Iterator[tuple[str, Any]] | None:
    """Return the parts of a container with their places; None of what is no container."""
    if isinstance(value, Mapping):
        return ((f"[{shown(key)}]", part) for key, part in value.items())
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return ((f".{name}", part) for name, part in zip(value._fields, value, strict=True))
    if isinstance(value, list | tuple):
        return ((f"[{place}]", part) for place, part in enumerate(value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = dataclasses.fields(value)
        return ((f".{field.name}", getattr(value, field.name)) for field in fields)
    return None
