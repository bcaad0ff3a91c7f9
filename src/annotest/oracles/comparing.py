"""Whether two results are the same: parts, dtypes, shapes, and values within a tolerance.

Numbers that are computed in another order differ by rounding. So floats may be apart by
eps x elements x largest: `eps` is that of the coarsest dtype among the arguments and the result,
`elements` those that went into each number of the result, at least 16, and `largest` the largest
number of the two results. Everything else is the same or is not.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

from annotest import frameworks
from annotest.frameworks.dtypes import FORMATTED
from annotest.oracles.leaves import leaves
from annotest.oracles.protocol import TargetCall
from annotest.records import record
from annotest.source import shown

if TYPE_CHECKING:
    import numpy as np

LEAST_ELEMENTS = 16
_NUMBERS = float, complex
# what has values that are compared: nobody knows what other classes mean by ==
_PLAIN = (int, str, bytes, bytearray, type(None), set, frozenset, range, slice, enum.Enum, type)


@record
class Leaf:
    """One value of a result, as it was: the elements of an array, or the value itself."""

    where: str
    value: Any
    dtype: str = ""
    shape: tuple[int, ...] = ()

    @property
    def is_array(self) -> bool:
        """Whether it has a dtype, as numbers with a fraction have too."""
        return self.dtype != ""

    @property
    def is_inexact(self) -> bool:
        """Whether its numbers are rounded."""
        return self.is_array and self.value.dtype.kind in "fc"


def kept(value: Any, name: str = "result") -> list[Leaf]:
    """Return what a value is made of, as nobody can change it any more."""
    return [_leaf(f"{name}{at}", leaf) for at, leaf in leaves(value)]


def _leaf(where: str, value: Any) -> Leaf:
    import numpy as np

    view = frameworks.view(value)
    if view is not None:
        elements = frameworks.load(view.framework).elements(value)
        return Leaf(where, np.array(elements), view.dtype, view.shape)
    if isinstance(value, np.generic | float | complex):
        array = np.asarray(value)
        return Leaf(where, array, array.dtype.name)
    return Leaf(where, frozenset(value) if type(value) is set else value)


@record
class Rounding:
    """How far numbers of a call may be apart: by its dtypes, and the elements that go in.

    What is `known` of a part of the result, by where it is, is allowed besides: where that is
    without end, anything.
    """

    eps: float
    elements: int
    known: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, call: TargetCall) -> Rounding:
        """Return that of a call."""
        views = [view for view in map(frameworks.view, _arrays(call)) if view is not None]
        eps = max((eps_of(view.dtype) for view in views), default=0.0)
        return cls(eps, sum(_size(view.shape) for view in views))

    def reach(self, leaf: Leaf) -> int:
        """Return how many elements went into one number of a part of the result."""
        return max(LEAST_ELEMENTS, self.elements // max(1, int(leaf.value.size)))

    def allows(self, leaf: Leaf, largest: float) -> float:
        """Return how far apart numbers may be where the largest is so large."""
        eps = max(self.eps, eps_of(leaf.dtype))
        return eps * self.reach(leaf) * largest + self.known.get(leaf.where, 0.0)


def eps_of(dtype: str) -> float:
    """Return the step from 1 to the next float of a dtype; 0 of what is not rounded."""
    import numpy as np

    if dtype in FORMATTED:
        known = FORMATTED[dtype].format
        assert known is not None
        return float(2.0 ** (1 - known.digits))
    if dtype.startswith("float8"):
        return 0.25
    if dtype == "complex32":
        dtype = "float16"
    return float(np.finfo(dtype).eps) if dtype.startswith(("float", "complex")) else 0.0


def _arrays(call: TargetCall) -> Iterator[Any]:
    """Yield the arrays that go into a call, those of modules among its arguments too."""
    for value in call.values.values():
        for _, leaf in leaves(value):
            kind = frameworks.module_kind(type(leaf))
            yield from [leaf] if kind is None else kind.state(leaf).values()


def _size(shape: Iterable[int]) -> int:
    size = 1
    for side in shape:
        size *= side
    return size


def difference(
    was: Sequence[Leaf], now: Sequence[Leaf], rounding: Rounding | None, when: str
) -> str:
    """Say where something is not as it was, and `when` it is otherwise; nothing where all is.

    Without `rounding` numbers must be the same.
    """
    before, after = ({leaf.where: leaf for leaf in part} for part in (was, now))
    for where in [*before, *(place for place in after if place not in before)]:
        if where not in after:
            return f"{where} was there and is not {when}"
        if where not in before:
            return f"{where} was not there and is {when}"
        if reason := _between(before[where], after[where], rounding, when):
            return reason
    return ""


def _between(was: Leaf, now: Leaf, rounding: Rounding | None, when: str) -> str:
    where = was.where
    if rounding is not None and rounding.known.get(where) == float("inf"):
        return ""
    if was.is_array != now.is_array:
        return f"{where} was {_kind(was)} and is {_kind(now)} {when}"
    if not was.is_array:
        same = _are_same(was.value, now.value)
        return "" if same else f"{where} was {shown(was.value)} and is {shown(now.value)} {when}"
    if was.dtype != now.dtype:
        return f"{where} was {was.dtype} and is {now.dtype} {when}"
    if was.shape != now.shape:
        return f"{where} had the shape {was.shape} and has {now.shape} {when}"
    return _between_arrays(was, now, rounding, when)


def _kind(leaf: Leaf) -> str:
    return f"an array of {leaf.dtype}" if leaf.shape else leaf.dtype or shown(leaf.value)


def _are_same(one: Any, other: Any) -> bool:
    """Say whether two values are the same, as far as anybody can tell."""
    if one is other or not isinstance(one, _PLAIN):
        return type(one) is type(other)
    return type(one) is type(other) and bool(one == other)


def _between_arrays(was: Leaf, now: Leaf, rounding: Rounding | None, when: str) -> str:
    import numpy as np

    one, other = was.value, now.value
    if np.array_equal(one, other, equal_nan=was.is_inexact):
        return ""
    apart, told = one != other, ""
    if was.is_inexact:
        apart &= ~(np.isnan(one) & np.isnan(other))
        if rounding is not None:
            tolerance = rounding.allows(was, max(_largest(one), _largest(other)))
            apart &= ~(_distance(one, other) <= tolerance)
            told = f" (more than {tolerance:.2g} apart)"
    if not apart.any():
        return ""
    index = np.unravel_index(int(apart.argmax()), one.shape)
    place = f"{was.where}[{', '.join(map(str, index))}]" if index else was.where
    return f"{place} was {one[index]!s} and is {other[index]!s} {when}{told}"


def _largest(array: np.ndarray[Any, Any]) -> float:
    import numpy as np

    finite = array[np.isfinite(array)]
    return float(abs(finite).max(initial=0.0))


def _distance(one: Any, other: Any) -> Any:
    import numpy as np

    with np.errstate(all="ignore"):
        wide = np.complex128 if one.dtype.kind == "c" else np.float64
        return abs(one.astype(wide) - other.astype(wide))


def changes(was: Sequence[Leaf], now: Sequence[Leaf]) -> dict[str, float]:
    """Return how far the numbers of each part are from what they were; without end where unlike."""
    after = {leaf.where: leaf for leaf in now}
    return {leaf.where: _change(leaf, after.get(leaf.where)) for leaf in was}


def _change(was: Leaf, now: Leaf | None) -> float:
    import numpy as np

    endless = float("inf")
    if now is None or (was.dtype, was.shape) != (now.dtype, now.shape):
        return endless
    if not was.is_inexact:
        return endless if _between(was, now, None, "") else 0.0
    return float(np.nan_to_num(_distance(was.value, now.value), nan=0.0).max(initial=0.0))
