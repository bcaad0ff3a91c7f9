"""Records: classes that are compared, hashed and shown by their fields, and made fast.

For each `@dataclass(frozen=True)` Python 3.11 compiles six functions: half a millisecond, and we
have two hundred such classes. Records share all but `__init__`, which is compiled for the first
instance: most of the classes that a command imports never have one. mypy refuses to assign to a
field of a record; at run time nothing does, because that would make reading or making them slow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: type[T]) -> type[T]:
    """Make a class a dataclass that is compared, hashed and shown by its fields."""
    own = set(vars(cls))
    made: Any = dataclass(init=False, eq=False, repr=False)(cls)
    made._compared = _reader([one.name for one in fields(made) if one.compare])
    for name, method in _SHARED.items():
        if name not in own:
            setattr(made, name, method)
    if "__init__" not in own:
        made.__init__ = _Late(made)
    return cls


class _Late:
    """Stands where an `__init__` belongs, and makes it when it is first asked for."""

    def __init__(self, cls: Any) -> None:
        self._cls = cls

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        made = self._cls.__init__ = _init_of(self._cls)
        return made.__get__(instance, owner)


def _init_of(cls: Any) -> Any:
    """Return what sets the fields of a new instance."""
    listed = fields(cls)
    heads = [_head(one) for one in listed if not one.kw_only]
    named = [_head(one) for one in listed if one.kw_only]
    heads += ["*", *named] if named else []
    lines = [f"    self.{one.name} = {_value(one)}" for one in listed]
    lines += ["    self.__post_init__()"] * hasattr(cls, "__post_init__")
    text = f"def __init__({', '.join(['self', *heads])}):\n" + "\n".join(lines or ["    pass"])
    space: dict[str, Any] = {"_LEFT_OUT": MISSING, "__name__": cls.__module__}
    space |= {f"_default_{one.name}": one.default for one in listed}
    space |= {f"_make_{one.name}": one.default_factory for one in listed}
    exec(text, space)
    made = space["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    made.__annotations__ = {one.name: one.type for one in listed} | {"return": None}
    return made


def _head(one: Field[Any]) -> str:
    if one.default_factory is not MISSING:
        return f"{one.name}=_LEFT_OUT"
    return one.name if one.default is MISSING else f"{one.name}=_default_{one.name}"


def _value(one: Field[Any]) -> str:
    if one.default_factory is MISSING:
        return one.name
    return f"_make_{one.name}() if {one.name} is _LEFT_OUT else {one.name}"


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
