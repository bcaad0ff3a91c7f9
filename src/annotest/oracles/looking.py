"""What there is in values and instances, looked through quickly: the first few thousand of it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import field, is_dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from annotest import frameworks
from annotest.frameworks import ArrayView
from annotest.oracles.judging import elements_of
from annotest.oracles.protocol import TargetCall
from annotest.records import record

MOST = 5000
_SILENT = frozenset({bool, str, bytes, type(None)})


@record
class Seen:
    """What there is in a value: floats, arrays, whole numbers, and whether it names a dtype."""

    floats: list[Any] = field(default_factory=list)
    arrays: list[tuple[Any, ArrayView]] = field(default_factory=list)
    scalars: set[str] = field(default_factory=set)  # the dtypes of NumPy's scalars
    wholes: list[int] = field(default_factory=list)
    others: list[Any] = field(default_factory=list)

    @cached_property
    def is_odd(self) -> bool:
        """Whether one of its numbers is NaN or infinite."""
        if not all(abs(number) < math.inf for number in self.floats):
            return True
        return any(not _is_finite(*item) for item in self.arrays)

    @property
    def has_nan(self) -> bool:
        """Whether one of its numbers is NaN."""
        if any(number != number for number in self.floats):
            return True
        each = (elements_of(*item) for item in self.arrays)
        return any(elements is not None and (elements != elements).any() for elements in each)

    @property
    def has_infinity(self) -> bool:
        """Whether one of its numbers is infinite, and not negative."""
        return self._has(math.inf)

    @property
    def has_zero(self) -> bool:
        """Whether one of its floats is zero."""
        return self._has(0)

    def _has(self, number: float) -> bool:
        each = (elements_of(*item) for item in self.arrays)
        in_arrays = any(elements is not None and (elements == number).any() for elements in each)
        return in_arrays or number in self.floats

    @property
    def largest(self) -> int:
        """The size of its largest whole number."""
        sizes = [abs(number) for number in self.wholes]
        for array, view in self.arrays:
            if "int" in view.dtype and (elements := elements_of(array, view)) is not None:
                sizes += [int(abs(elements.astype(float)).max(initial=0))]
        return max(sizes, default=0)

    @property
    def names_dtype(self) -> bool:
        """Whether one of its values is a dtype, or the name of one."""
        return any(type(each).__name__.lower().endswith("dtype") for each in self.others) or any(
            isinstance(each, type | str) and "float" in str(each) for each in self.others
        )

    @property
    def places(self) -> list[tuple[ArrayView, str]]:
        """Where its arrays lie that have sides."""
        loaded = frameworks.load
        return [
            (view, loaded(view.framework).device(array))
            for array, view in self.arrays
            if view.shape
        ]


def _is_finite(array: Any, view: ArrayView) -> bool:
    if "float" not in view.dtype and "complex" not in view.dtype:
        return True
    import numpy as np

    elements = elements_of(array, view)
    return elements is None or bool(np.isfinite(elements).all())


def seen_in(value: Any) -> Seen:
    """Return what there is in a value, inside lists, tuples, dicts and dataclasses too."""
    seen = Seen()
    waiting, steps = [value], 0
    while waiting and steps < MOST:
        steps += 1
        item = waiting.pop()
        kind = type(item)
        if kind is float or kind is complex:
            seen.floats.append(item)
        elif kind is int:
            seen.wholes.append(item)
        elif kind is str:
            seen.others.append(item)
        elif kind in _SILENT:
            continue
        elif isinstance(item, list | tuple):
            waiting += item[:MOST]
        elif isinstance(item, dict):
            waiting += islice(dict.values(item), MOST)
        else:
            waiting += _looked_at(item, seen)
    return seen


def _looked_at(item: Any, seen: Seen) -> list[Any]:
    """Note what something is that is no plain value; return what is inside it."""
    view = frameworks.view(item)
    if view is not None:
        seen.arrays.append((item, view))
    elif is_dataclass(item) and not isinstance(item, type):
        return list(getattr(item, "__dict__", {}).values())
    else:
        dtype = getattr(item, "dtype", None) if type(item).__module__ == "numpy" else None
        if dtype is not None and dtype.kind in "fc":
            seen.floats.append(item)
            seen.scalars.add(str(dtype.name))
        else:
            seen.others.append(item)
    return []


@record
class Instance:
    """The arrays that the instance of a method holds: their dtypes, and where they lie."""

    dtypes: set[str]
    places: set[tuple[str, str]]


def instance_of(call: TargetCall) -> Instance:
    """Return what is told by the arrays of the instance on which a method was called."""
    held = [*_held(call.values.get(call.target.signature.self_name))]
    dtypes = {view.dtype for _, view in held if "float" in view.dtype or "complex" in view.dtype}
    places = {(view.framework, frameworks.load(view.framework).device(a)) for a, view in held}
    return Instance(dtypes, places)


def _held(instance: Any) -> Iterator[tuple[Any, ArrayView]]:
    """Yield the arrays that an object holds, however deep, those of a module too."""
    waiting, known = [instance], set[int]()
    while waiting and len(known) < MOST:
        item = waiting.pop()
        if type(item) in _SILENT or id(item) in known:
            continue
        known.add(id(item))
        view = frameworks.view(item)
        if view is not None:
            yield item, view
        elif isinstance(item, dict):
            waiting += dict.values(item)
        elif isinstance(item, list | tuple | set):
            waiting += item
        elif not isinstance(item, type):
            waiting += getattr(item, "__dict__", {}).values()
