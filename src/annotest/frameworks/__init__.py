"""One adapter per framework, loaded by name when first needed.

An adapter knows one framework's arrays: how to describe, copy and write them. Adapters are modules
of this package, or of others through the entry-point group `annotest.frameworks`.
"""

from __future__ import annotations

import importlib
import sys
from functools import cache
from typing import Any, NamedTuple, Protocol, cast

from annotest.errors import MissingFramework
from annotest.expr import Expr

BUILTIN = ("numpy",)


class ArrayView(NamedTuple):
    """What any framework's array looks like from outside."""

    framework: str
    shape: tuple[int, ...]
    dtype: str


class Adapter(Protocol):
    """What annotest asks of a framework."""

    def view(self, value: Any) -> ArrayView | None:
        """Describe `value` when it is this framework's array."""

    def copy(self, value: Any) -> Any:
        """Return an array equal to `value` that shares no memory with it."""

    def source(self, value: Any) -> Expr | None:
        """Return the source of this framework's value (array, scalar, dtype), if it is one."""

    def same(self, one: Any, other: Any) -> bool:
        """Say whether two arrays hold the same values, NaN counting as equal to NaN."""


@cache
def _entry_points() -> dict[str, Any]:
    # imported late: annotations stand in production code, and this is slow to import
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=__name__)}


def known() -> tuple[str, ...]:
    """Return the names of all frameworks with an adapter, ours first."""
    return BUILTIN + tuple(name for name in _entry_points() if name not in BUILTIN)


@cache
def load(name: str) -> Adapter:
    """Import one adapter, and with it the framework."""
    if name not in BUILTIN and name not in known():
        raise MissingFramework(f"unknown framework {name!r}; known: {', '.join(known())}")
    try:
        if name in BUILTIN:
            return cast(Adapter, importlib.import_module(f"{__name__}.{name}"))
        return cast(Adapter, _entry_points()[name].load())
    except ModuleNotFoundError as error:
        raise MissingFramework(
            f"framework {name!r} needs {error.name}; install it with: pip install {error.name}"
        ) from error


def adapter_of(value: Any) -> Adapter | None:
    """Return the adapter of an array of any *already imported* framework; import none."""
    if type(value).__module__ == "builtins":
        return None  # most values are: to look the frameworks up is slow
    for name in known():
        if name in sys.modules:
            adapter = load(name)
            if adapter.view(value) is not None:
                return adapter
    return None


def source(value: Any) -> Expr | None:
    """Return the source of a value of any already imported framework."""
    for name in known():
        if name in sys.modules and (found := load(name).source(value)) is not None:
            return found
    return None
