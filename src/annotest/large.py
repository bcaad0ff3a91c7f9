"""Large arrays as recipes: a shape, how the bulk is filled, and a few values placed in it.

A recipe builds the same array on every machine and with every NumPy: all chance comes from the raw
output of a seeded bit generator, which NumPy promises never to change. NumPy is imported late.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

LARGE = 1000  # elements; arrays of no more are drawn one by one
SORTED, ONE_HOT, PROBABILITIES = "sorted", "one_hot", "probabilities"
ANY, RISING, DISTINCT = "any", "rising", "distinct"
EVEN, EXPONENTS = "even", "exponents"
# of each width of floats: the digits, and the exponent of the smallest number
_DIGITS = {2: (11, -24), 4: (24, -149), 8: (53, -1074)}
_HALF = {8: "float32", 16: "float64"}


@dataclass(frozen=True)
class Constant:
    """One value everywhere."""

    value: Any

    def filled(self, size: int, dtype: Any) -> Any:
        """Return a flat array."""
        import numpy as np

        return np.full(size, self.value, dtype=dtype)


@dataclass(frozen=True)
class Picked:
    """Some of a few values, each as often as chance will have it."""

    values: tuple[Any, ...]
    seed: int

    def filled(self, size: int, dtype: Any) -> Any:
        """Return a flat array."""
        import numpy as np

        return np.array(self.values, dtype=dtype)[_below(len(self.values), size, self.seed)]


@dataclass(frozen=True)
class Numbers:
    """Numbers from `low` to `high`, both included.

    `order` is "any", "rising" (no number is below the one before), or "distinct" (none comes
    twice). `scale` is "even", or "exponents": floats of each magnitude are then as frequent as
    there are such floats.
    """

    low: Any
    high: Any
    seed: int
    order: str = ANY
    scale: str = EVEN

    def filled(self, size: int, dtype: Any) -> Any:
        """Return a flat array."""
        import numpy as np

        if dtype.kind != "c":
            return self._reals(size, dtype)
        half = np.dtype(_HALF[dtype.itemsize])
        if self.order == ANY:
            return self._reals(2 * size, half).view(dtype)
        found = np.zeros(size, dtype=dtype)
        found.real = self._reals(size, half)
        return found

    def _reals(self, size: int, dtype: Any) -> Any:
        if dtype.kind in "iu":
            return _shifted(self._offsets(self.high - self.low + 1, size), self.low, dtype)
        if self.scale == EVEN:
            if self.order == ANY:
                return _evenly(self.low, self.high, size, self.seed, dtype)
            step = _step(max(abs(self.low), abs(self.high)), dtype)
            first = math.ceil(Fraction(self.low) / step)
            last = math.floor(Fraction(self.high) / step)
            if last - first + 1 >= size:
                steps = _shifted(self._offsets(last - first + 1, size), first, "int64")
                return (steps * float(step)).astype(dtype, copy=False)
        low, high = _rank(self.low, dtype), _rank(self.high, dtype)
        return _of_ranks(_shifted(self._offsets(high - low + 1, size), low, "int64"), dtype)

    def _offsets(self, count: int, size: int) -> Any:
        """Return numbers from 0 up, below `count`, in the order that is wanted."""
        if self.order == ANY:
            return _below(count, size, self.seed)
        if self.order == DISTINCT and count < size:
            raise ValueError(f"{count} values are too few for {size} elements that all differ")
        found = _rising(count, size, self.seed)
        return found[_mixed(size, self.seed)] if self.order == DISTINCT else found


Fill = Constant | Picked | Numbers


@dataclass(frozen=True)
class LargeArray:
    """An array of many elements: the bulk first, then what is placed, then the contents arranged.

    `placed` are pairs of a flat index and a value. Of "one_hot" contents the bulk and what is
    placed are classes: for each row, the place of its one.
    """

    shape: tuple[int, ...]
    dtype: str
    fill: Fill
    placed: tuple[tuple[int, Any], ...] = ()
    contents: str | None = None

    @property
    def filled_shape(self) -> tuple[int, ...]:
        """The shape of what is filled, and what the places are in."""
        return self.shape[:-1] if self.contents == ONE_HOT else self.shape

    def build(self) -> Any:
        """Return the array, a fresh one each time."""
        import numpy as np

        shape = self.filled_shape
        dtype = np.dtype("int64" if self.contents == ONE_HOT else self.dtype)
        flat = self.fill.filled(math.prod(shape), dtype)
        keep = isinstance(self.fill, Numbers) and self.fill.order == DISTINCT
        for place, value in self.placed:
            if keep:  # whoever has the value already takes what stood here
                flat[flat == dtype.type(value)] = flat[place]
            flat[place] = value
        if self.contents == ONE_HOT:
            return one_hot(flat, self.shape, self.dtype)
        found = arranged(flat.reshape(shape), self.contents)
        return found if found.flags.owndata else found.copy()  # programs may resize what they own


def large_array(
    shape: tuple[int, ...],
    dtype: str,
    fill: Any,
    placed: Mapping[int, Any] | None = None,
    *,
    contents: str | None = None,
) -> Any:
    """Return the array of a recipe; a plain value as `fill` stands everywhere."""
    fill = fill if isinstance(fill, Constant | Picked | Numbers) else Constant(fill)
    return LargeArray(shape, dtype, fill, tuple((placed or {}).items()), contents).build()


def count_of(low: Any, high: Any, dtype: Any) -> int:
    """Return how many different numbers of a dtype there are, both ends included."""
    if dtype.kind in "iu":
        return int(high) - int(low) + 1
    return _rank(high, dtype) - _rank(low, dtype) + 1


def arranged(array: Any, contents: str | None) -> Any:
    """Return an array with its last axis sorted, or made to add up to 1."""
    if contents == SORTED:
        array.sort(axis=-1)
    elif contents == PROBABILITIES:
        return _shares(array)
    return array


def one_hot(classes: Any, shape: tuple[int, ...], dtype: str) -> Any:
    """Return rows of zeros with a one for the class of each."""
    import numpy as np

    found = np.zeros(shape, dtype=dtype)
    found.reshape(-1, shape[-1])[np.arange(classes.size), classes.reshape(-1)] = 1
    return found


def _shares(array: Any) -> Any:
    """Return rows that add up to 1; where all is zero, every share is the same."""
    wide = array.astype("float64")
    total = wide.sum(axis=-1, keepdims=True)
    wide += total == 0
    wide /= total + (total == 0) * array.shape[-1]
    return wide.astype(array.dtype, copy=False)


def _raw(size: int, seed: int) -> Any:
    """Return 64 random bits for each element."""
    import numpy as np

    return np.random.PCG64(seed).random_raw(size)


def _lanes(size: int, seed: int, bits: int) -> Any:
    """Return fewer random bits for each element."""
    return _raw(-(-size * bits // 64), seed).view(f"uint{bits}")[:size]


def _below(count: int, size: int, seed: int) -> Any:
    """Return numbers from 0 up, below `count`."""
    import numpy as np

    if count > 2**32:
        raw = _raw(size, seed)
        return raw if count == 2**64 else np.remainder(raw, np.uint64(count), out=raw)
    bits = 16 if count <= 256 else 32
    wide = np.dtype(f"uint{2 * bits}").type
    found = np.multiply(_lanes(size, seed, bits), wide(count))
    found >>= wide(bits)
    return found


def _rising(count: int, size: int, seed: int) -> Any:
    """Return numbers from 0 up, below `count`: one from each of as many parts of equal size."""
    import numpy as np

    width, rest = divmod(count, size)
    found = np.arange(size, dtype="uint64")
    starts = found * np.uint64(rest) // np.uint64(size)
    found *= np.uint64(width)
    found += starts
    if width > 1:
        found += _below(width, size, seed)
    return found


def _mixed(size: int, seed: int) -> Any:
    """Return every number below `size` once, in an order that looks like none."""
    import numpy as np

    stride = int(size * 0.618) + seed % 97 + 1
    while math.gcd(stride, size) > 1:
        stride += 1
    return (np.arange(size, dtype="int64") * stride + seed) % size


def _shifted(offsets: Any, low: int, dtype: Any) -> Any:
    """Return `low` more, of a whole-number dtype."""
    import numpy as np

    found = np.dtype(dtype)
    unsigned = np.dtype(f"uint{8 * found.itemsize}")
    moved = offsets.astype(unsigned, copy=False)
    if low:
        moved += unsigned.type(low % 2 ** (8 * found.itemsize))
    return moved.view(found)


def _evenly(low: float, high: float, size: int, seed: int, dtype: Any) -> Any:
    """Return floats spread evenly, none beyond an end for being rounded."""

    if dtype.itemsize == 8:
        bits, digits, one = _raw(size, seed), 12, 0x3FF0000000000000
    else:
        bits, digits, one = _lanes(size, seed, 32), 9, 0x3F800000
    kind = bits.dtype.type
    bits >>= kind(digits)
    bits |= kind(one)
    found = bits.view(f"float{8 * bits.itemsize}")  # from 1 to 2, before that is taken away
    found -= found.dtype.type(1)
    _stretch(found, low, high)
    return found.astype(dtype, copy=False)


def _stretch(found: Any, low: float, high: float) -> None:
    """Move numbers between 0 and 1 to those between two ends."""
    import numpy as np

    kind = found.dtype.type
    if (low, high) == (0.0, 1.0):
        return
    with np.errstate(over="ignore", under="ignore"):
        if high - low <= np.finfo(kind).max:
            found *= kind(high - low)
            found += kind(low)
        else:  # by halves, since the whole is more than the largest float
            found *= kind(high / 2 - low / 2)
            found += kind(low / 2)
            found *= kind(2)
    np.clip(found, kind(low), kind(high), out=found)


def _step(largest: float, dtype: Any) -> Fraction:
    """Return a power of two of which all multiples, up to the largest, are floats."""
    digits, smallest = _DIGITS[dtype.itemsize]
    return Fraction(2) ** max(math.frexp(largest)[1] - digits, smallest)


def _rank(value: float, dtype: Any) -> int:
    """Return the place of a float among all, counted from zero."""
    import numpy as np

    dtype = np.dtype(_HALF[dtype.itemsize]) if dtype.kind == "c" else dtype

    bits = int(np.array(abs(value), dtype=dtype).view(f"uint{8 * dtype.itemsize}"))
    return -bits if value < 0 else bits


def _of_ranks(ranks: Any, dtype: Any) -> Any:
    """Return the floats at these places."""
    import numpy as np

    below = ranks < 0
    bits = np.abs(ranks, out=ranks).astype(f"uint{8 * dtype.itemsize}", copy=False)
    found = bits.view(dtype)
    return np.negative(found, out=found, where=below)
