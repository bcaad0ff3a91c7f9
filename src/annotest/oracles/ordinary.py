"""Which inputs oracles may judge: those whose floats are ordinary, or bounded by the user."""

from __future__ import annotations

import dataclasses
import numbers
from collections.abc import Iterable, Mapping
from typing import Any

from annotest import frameworks
from annotest.constraints import Constraint
from annotest.constraints._ordinary import LARGEST, SMALLEST

_WITHOUT_FLOATS = {int, bool, str, bytes, type(None)}


def is_ordinary(values: Mapping[str, Any], constraints: Mapping[str, Constraint | None]) -> bool:
    """Say whether all floats of some arguments are 0, or neither tiny nor huge.

    What the user bounded does not count, nor what is inside objects of unknown classes.
    """
    return all(_in_constraint(value, constraints.get(name)) for name, value in values.items())


def _in_constraint(value: Any, constraint: Constraint | None) -> bool:
    if constraint is None:
        return _has_ordinary_floats(value)
    if constraint.ordinary is None:
        return True
    parts = list(constraint.parts(value))
    if not parts:
        return _has_ordinary_floats(value)
    return all(_in_constraint(item, part) for _, part, item in parts)


def _has_ordinary_floats(value: Any) -> bool:
    """Say whether all floats in a value are ordinary, however deep they lie."""
    waiting, seen = [value], set()
    while waiting:
        item = waiting.pop()
        if type(item) in _WITHOUT_FLOATS:
            continue
        if isinstance(item, numbers.Complex):
            if not _is_ordinary_number(item):
                return False
        elif (view := frameworks.view(item)) is not None:
            if not _is_ordinary_array(item, view):
                return False
        elif id(item) not in seen:
            seen.add(id(item))
            waiting += _items_of(item)
    return True


def _is_ordinary_number(number: Any) -> bool:
    if isinstance(number, numbers.Rational):
        return True  # NumPy's whole numbers are, too
    return bool(number == 0 or SMALLEST <= abs(number) <= LARGEST)


def _is_ordinary_array(array: Any, view: frameworks.ArrayView) -> bool:
    adapter = frameworks.load(view.framework)
    known = adapter.dtypes.get(view.dtype)
    if known is not None and known.kind not in ("float", "complex"):
        return True
    elements = adapter.elements(array)
    if elements.dtype.kind == "c" and not (
        abs(elements.real).max(initial=0) <= LARGEST
        and abs(elements.imag).max(initial=0) <= LARGEST
    ):
        return False  # whose size may not be a float
    size = abs(elements)
    return bool(((size <= LARGEST) & ((size >= SMALLEST) | (size == 0))).all())


def _items_of(value: Any) -> Iterable[Any]:
    if isinstance(value, list | tuple | set | frozenset):
        return value
    if isinstance(value, dict):
        return (*value, *value.values())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, field.name, None) for field in dataclasses.fields(value)]
    return ()
