"""NumPy arrays: how to describe, copy, compare and write them.

NumPy is imported late: annotations name its dtypes in programs that need not load it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import cache, partial
from types import ModuleType
from typing import Any

from annotest.expr import Expr, Literal, Module, Ref, tree
from annotest.frameworks import ArrayView, RandomSource
from annotest.frameworks.dtypes import DTYPES, SHORT_NAMES

name, alias, called, hint = "numpy", "np", "a NumPy array", "ndarray"
dtypes, short_names = DTYPES, SHORT_NAMES
# what Python's own numbers become, and bytes
preferred = {
    "bool": "bool",
    "int": "int64",
    "uint": "uint8",
    "float": "float64",
    "complex": "complex128",
}
preloaded = ("numpy",)
layouts = usual_layouts = ("contiguous",)
devices = ("cpu",)
MOST_BYTES = 1 << 16  # that are kept of an array to see whether a call changes it

_np = Module(name, alias)
_MODULES = sys.modules
_DEFAULTS = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}


@cache
def _numpy() -> Any:
    import numpy

    return numpy


def view(value: Any) -> ArrayView | None:
    """Describe `value` when it is a NumPy array."""
    if isinstance(value, _numpy().ndarray):
        return ArrayView(name, value.shape, dtype_name(value.dtype))
    return None


def dtype(name: str) -> Any:
    """Return NumPy's dtype of a name."""
    return _numpy().dtype(name)


def build(elements: Any) -> Any:
    """Return the array itself."""
    return elements


def elements(value: Any) -> Any:
    """Return the array itself."""
    return value


def built_source(elements: Expr, shape: tuple[int, ...], held: str) -> Expr:
    """Return the source of the array itself."""
    return elements


def dtype_name(dtype: Any) -> str:
    """Return a dtype's plain name, or its type string when the byte order is not the machine's."""
    return str(dtype.name if dtype.isnative else dtype.str)


def device(value: Any) -> str:
    """Return where all arrays lie."""
    return devices[0]


def state(value: Any) -> Any:
    """Return the elements of an array that is not large."""
    is_plain = value.nbytes <= MOST_BYTES and not value.dtype.hasobject
    return value.tobytes() if is_plain else None


def copy(value: Any) -> Any:
    """Return an array equal to `value` that shares no memory with it."""
    return value.copy()


def same(one: Any, other: Any) -> bool:
    """Say whether two arrays hold the same values, NaN counting as equal to NaN."""
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    inexact = one.dtype.kind in "fc"
    return bool(_numpy().array_equal(one, other, equal_nan=inexact))


def part(value: Any, axis: int, start: int, stop: int) -> Any:
    """Return a part of an array along one axis."""
    return value[(slice(None),) * axis + (slice(start, stop),)].copy()


def scale(value: Any, factors: Any) -> None:
    """Multiply an array in place."""
    value[...] = value * factors


def needs_gradient(value: Any) -> bool:
    """NumPy finds no gradients."""
    return False


def source(value: Any) -> Expr | None:
    """Return the source of a NumPy array, scalar or dtype."""
    np = _numpy()
    if isinstance(value, np.dtype):
        return _np.dtype(dtype_name(value))
    if isinstance(value, np.generic) and value.dtype.kind in "biufc":
        return Ref("numpy", value.dtype.name, "np")(_plain(value.item()))
    if type(value) is np.ndarray and value.dtype.kind in "biufc":
        return _array_source(value)
    return None


def _array_source(array: Any) -> Expr:
    dtype = dtype_name(array.dtype)
    if array.size > 1 and (same_everywhere := array.ravel()[0]).tobytes() * array.size == (
        array.tobytes()
    ):
        return _np.full(array.shape, _plain(same_everywhere.item()), dtype=dtype)
    if array.size == 0:
        return _np.zeros(array.shape, dtype=dtype)
    return _np.array(_plain(array.tolist()), dtype=dtype)


def _plain(value: Any) -> Expr:
    if isinstance(value, list):
        return tree([_plain(item) for item in value])
    return Literal(value)


def module_kind(cls: type) -> None:
    """NumPy has no modules."""


def synchronize() -> None:
    """NumPy computes on the processor alone."""


def random_sources() -> list[RandomSource]:
    """Return the numbers of `np.random.rand` and the like."""
    random = _numpy().random  # NumPy itself loads it when it is first used

    def state() -> Any:
        told = random.get_state(legacy=False)
        return told["state"]["key"].tobytes(), told["state"]["pos"], told["has_gauss"]

    return [RandomSource(name, random.seed, state, Ref(name, "random.seed", alias))]


def aspects() -> list[Any]:
    """Return what a call may change for all others in its process."""
    return [ErrorSettings()]


class ErrorSettings:
    """What NumPy does on a division by zero and the like, where NumPy is loaded."""

    name = "numpy.seterr"

    def __init__(self) -> None:
        self.keep()

    def keep(self) -> None:
        numpy = _MODULES.get("numpy")
        self.errors = _DEFAULTS if numpy is None else numpy.geterr()
        self.read = _reader(numpy)
        self.before = self.read()

    def put_back(self, imported: bool) -> Iterable[str]:
        numpy = _MODULES["numpy"]
        if numpy.geterr() == self.errors:  # it has only now been loaded, or the same was set again
            return []
        numpy.seterr(**self.errors)
        return [self.name]


def _reader(numpy: ModuleType | None) -> Callable[[], Any]:
    """Return what tells most quickly that NumPy's settings are no longer those they were."""
    if numpy is None:
        return partial(_MODULES.get, "numpy")
    try:
        read: Callable[[], Any] = numpy._core.umath._extobj_contextvar.get
    except AttributeError:
        read = numpy.geterr  # before NumPy 2
    return read
