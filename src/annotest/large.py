"""Large arrays as recipes: a shape, how the bulk is filled, and a few values placed in it.

A recipe builds the same array on every machine and with every NumPy: all chance comes from the raw
output of a seeded bit generator, which NumPy promises never to change. NumPy is imported late.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from annotest.records import record

PART = 32768  # elements that are made at once: what is needed for them stays in the cache
FEW = 16  # values that a random byte picks from
ENOUGH = 1024  # places for each element: it does not matter then that a few at the end are left out
MOST_ELEMENTS = 20_000_000  # arrays of more are never made: 160 MB of float64
LARGE = 1000  # elements; arrays of no more are drawn one by one
SORTED, ONE_HOT, PROBABILITIES = "sorted", "one_hot", "probabilities"
# what the rows of Booleans may hold
ALL_TRUE, ALL_FALSE, SOME_TRUE = "all_true", "all_false", "some_true"
RAGGED, CAUSAL = "ragged", "causal"
ANY, RISING, DISTINCT = "any", "rising", "distinct"
EVEN, EXPONENTS = "even", "exponents"
# of each width of floats: the digits, and the exponent of the smallest number
_DIGITS = {2: (11, -24), 4: (24, -149), 8: (53, -1074)}
_HALF = {8: "float32", 16: "float64"}


@record
class Constant:
    """One value everywhere."""

    value: Any

    def fill(self, flat: Any) -> None:
        """Fill a flat array."""
        flat.fill(self.value)


@record
class Picked:
    """Some of a few values, each as often as chance will have it."""

    values: tuple[Any, ...]
    seed: int

    def fill(self, flat: Any) -> None:
        """Fill a flat array."""
        import numpy as np

        values, count = np.array(self.values, dtype=flat.dtype), len(self.values)
        if count <= FEW:  # a byte says which
            values = values[np.arange(256) * count >> 8]

        def pick(part: range, out: Any, chance: Any) -> None:
            few = count <= FEW
            places = _bits(len(part), chance, 8) if few else _below(count, len(part), chance)
            values.take(places.astype("intp"), mode="clip", out=out)

        _in_parts(flat, self.seed, pick)


@record
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

    def fill(self, flat: Any) -> None:
        """Fill a flat array."""
        if flat.dtype.kind != "c":
            self._fill(flat)
        elif self.order == ANY:
            self._fill(flat.view(_HALF[flat.itemsize]))
        else:  # it is enough that the real parts rise, or differ
            flat.imag = 0
            self._fill(flat.real)

    def _fill(self, flat: Any) -> None:
        size, dtype = flat.size, flat.dtype
        if dtype.kind == "f" and (self.scale, self.order) == (EVEN, ANY):
            self._fill_evenly(flat)
            return
        count, values_of = self._values(size, dtype)
        if self.order == DISTINCT and count < size:
            raise ValueError(f"{count} values are too few for {size} elements that all differ")

        def fill(part: range, out: Any, chance: Any) -> None:
            out[:] = values_of(self._places(count, size, part, chance))

        _in_parts(flat, self.seed, fill)

    def _fill_evenly(self, flat: Any) -> None:
        """Fill with floats spread evenly, none beyond an end for being rounded."""
        import numpy as np

        kind = np.float64 if flat.dtype.itemsize == 8 else np.float32
        width = 32 if kind is np.float64 else 24  # of the random bits used
        low, high = self.low, self.high
        halved = high - low > float(np.finfo(kind).max)  # the whole is more than the largest float
        if halved:
            low, high = low / 2, high / 2
        factor, first = kind((high - low) * 2.0**-width), kind(low)

        def spread(bits: Any, floats: Any) -> Any:
            floats[:] = bits  # faster than to multiply them as they are
            floats *= factor
            floats += first
            if halved:
                floats *= kind(2)
            return floats

        with np.errstate(over="ignore", under="ignore"):
            top = spread(np.array([2**width - 1], "uint32"), np.empty(1, kind))[0]

            def fill(part: range, out: Any, chance: Any) -> None:
                bits = _bits(len(part), chance, 32)
                if width < 32:
                    bits >>= np.uint32(32 - width)
                numbers = spread(bits, out if out.dtype == kind else np.empty(out.size, kind))
                if top > self.high:
                    np.minimum(numbers, kind(self.high), out=numbers)
                if numbers is not out:
                    out[:] = numbers

            _in_parts(flat, self.seed, fill)

    def _values(self, size: int, dtype: Any) -> tuple[int, Callable[[Any], Any]]:
        """Return how many values there are to take from, and who knows which is at a place."""
        if dtype.kind in "iu":
            return self.high - self.low + 1, lambda places: _shifted(places, self.low, dtype)
        if self.scale == EVEN:
            step = _step(max(abs(self.low), abs(self.high)), dtype)
            first = math.ceil(Fraction(self.low) / step)
            count = math.floor(Fraction(self.high) / step) - first + 1
            if count >= size:
                return count, lambda places: _shifted(places, first, "int64") * float(step)
        low = _rank(self.low, dtype)
        count = _rank(self.high, dtype) - low + 1
        return count, lambda places: _of_ranks(_shifted(places, low, "int64"), dtype)

    def _places(self, count: int, size: int, part: range, chance: Any) -> Any:
        """Return places below `count`, in the order that is wanted, for a part of the elements."""
        import numpy as np

        if self.order == ANY:
            return _below(count, len(part), chance)
        places = np.arange(part.start, part.stop, dtype="uint64")
        if self.order == DISTINCT:  # each element once, in an order that looks like none
            places *= np.uint64(_stride(size, self.seed))
            places += np.uint64(self.seed)
            places = _rest(places, size)
        # as many stretches of equal length as elements, and one place from each
        length, rest = divmod(count, size)
        starts = places * np.uint64(rest) // np.uint64(size) if length < ENOUGH else np.uint64(0)
        places *= np.uint64(length)
        places += starts
        return places if length < 2 else places + _below(length, len(part), chance)


Fill = Constant | Picked | Numbers


@record
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

        dtype = np.dtype("int64" if self.contents == ONE_HOT else self.dtype)
        array = np.empty(self.filled_shape, dtype=dtype)
        flat = array.reshape(-1)
        self.fill.fill(flat)
        keep = isinstance(self.fill, Numbers) and self.fill.order == DISTINCT
        for place, value in self.placed:
            if keep:  # whoever has the value already takes what stood here
                flat[flat == dtype.type(value)] = flat[place]
            flat[place] = value
        if self.contents == ONE_HOT:
            return one_hot(array, self.shape, self.dtype)
        return arranged(array, self.contents)


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
    """Return an array with its last axis as contents say: sorted, made to add up to 1, …"""
    return _ARRANGING[contents](array) if contents in _ARRANGING else array


def one_hot(classes: Any, shape: tuple[int, ...], dtype: str) -> Any:
    """Return rows of zeros with a one for the class of each."""
    import numpy as np

    rows = np.zeros(shape, dtype=dtype)
    rows.reshape(-1, shape[-1])[np.arange(classes.size), classes.reshape(-1)] = 1
    return rows


def _shares(array: Any) -> Any:
    """Return rows that add up to 1; where all is zero, every share is the same."""
    wide = array.astype("float64")
    total = wide.sum(axis=-1, keepdims=True)
    wide += total == 0
    wide /= total + (total == 0) * array.shape[-1]
    return wide.astype(array.dtype, copy=False)


def _sorted(array: Any) -> Any:
    array.sort(axis=-1)
    return array


def _with_some_true(array: Any) -> Any:
    """Return Booleans with the first of a row True where none is."""
    array[..., :1] |= ~array.any(axis=-1, keepdims=True)
    return array


def _ragged(array: Any) -> Any:
    """Return Booleans with what is True in a row at its beginning, one at least."""
    array.sort(axis=-1)
    array = array[..., ::-1].copy()
    array[..., :1] = True
    return array


def causal(shape: tuple[int, ...]) -> Any:
    """Return the Booleans of a shape that are True up to the place of their row in its matrix."""
    import numpy as np

    matrix = np.tri(*(1, *shape)[-2:], dtype=np.bool_)
    return np.broadcast_to(matrix if len(shape) > 1 else matrix[0], shape).copy()


_ARRANGING: dict[str | None, Callable[[Any], Any]] = {
    SORTED: _sorted,
    PROBABILITIES: _shares,
    ALL_TRUE: lambda array: array | True,
    ALL_FALSE: lambda array: array & False,
    SOME_TRUE: _with_some_true,
    RAGGED: _ragged,
    CAUSAL: lambda array: causal(array.shape),
}


def _in_parts(flat: Any, seed: int, make: Callable[[range, Any, Any], None]) -> None:
    """Fill a flat array part by part, from one source of chance."""
    import numpy as np

    chance = np.random.SFC64(seed)
    for start in range(0, flat.size, PART):
        part = range(start, min(start + PART, flat.size))
        make(part, flat[part.start : part.stop], chance)


def _bits(size: int, chance: Any, width: int) -> Any:
    """Return so many random bits for each element."""
    return chance.random_raw(-(-size * width // 64)).view(f"uint{width}")[:size]


def _below(count: int, size: int, chance: Any) -> Any:
    """Return numbers from 0 up, below `count`."""
    import numpy as np

    if count > 2**32:
        bits = _bits(size, chance, 64)
        return bits if count == 2**64 else _rest(bits, count)
    width = 16 if count <= 256 else 32
    wide = np.dtype(f"uint{2 * width}").type
    bits = _bits(size, chance, width)
    numbers = np.multiply(bits, wide(count), dtype=wide)  # NumPy 1 stays narrow
    numbers >>= wide(width)
    return numbers


def _rest(numbers: Any, divisor: int) -> Any:
    """Return what division leaves over; NumPy divides by a number faster than it finds rests."""
    import numpy as np

    whole = numbers // np.uint64(divisor)
    whole *= np.uint64(divisor)
    numbers -= whole
    return numbers


def _stride(size: int, seed: int) -> int:
    """Return a number, from the seed, that has no divisor in common with the size."""
    stride = int(size * 0.618) + seed % 97 + 1
    while math.gcd(stride, size) > 1:
        stride += 1
    return stride


def _shifted(places: Any, low: int, dtype: Any) -> Any:
    """Return `low` more, of a whole-number dtype."""
    import numpy as np

    dtype = np.dtype(dtype)
    unsigned = np.dtype(f"uint{8 * dtype.itemsize}")
    moved = places.astype(unsigned, copy=False)
    if low:
        moved += unsigned.type(low % 2 ** (8 * dtype.itemsize))
    return moved.view(dtype)


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

    width = 8 * dtype.itemsize
    signs = ranks >> np.int64(63)  # 0, or -1 where the float is below zero
    ranks ^= signs
    ranks -= signs
    signs &= np.int64(-(2 ** (width - 1)))
    ranks |= signs
    return ranks.astype(f"uint{width}", copy=False).view(dtype)
