"""Dataclasses that nobody changes, made in a quarter of the time.

For each frozen dataclass Python 3.11 compiles six functions: half a millisecond, and we have two
hundred of them. These share all but one. That nobody changes them is left to mypy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T]) -> type[T]:
    """Make a class a dataclass that is compared, hashed and shown by its fields."""
    own = set(vars(cls))
    made: Any = dataclass(eq=False, repr=False)(cls)
    made._compared = _reader([one.name for one in fields(made) if one.compare])
    for name, method in _SHARED.items():
        if name not in own:
            setattr(made, name, method)
    return cls


def _reader(names: list[str]) -> Callable[[Any], Any]:
    """Return what reads these attributes: not a function, which would become a method."""
    return attrgetter(*names) if names else attrgetter("__class__")


def _eq(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    read = self._compared
    return read(self) == read(other)


def _hash(self: Any) -> int:
    return hash(self._compared(self))


def _repr(self: Any) -> str:
    shown = (f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


_SHARED = {"__eq__": _eq, "__hash__": _hash, "__repr__": _repr}
