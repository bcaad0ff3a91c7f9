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
    made._compared = _reader([field.name for field in fields(made) if field.compare])
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
    heads = [_head(field) for field in listed if not field.kw_only]
    named = [_head(field) for field in listed if field.kw_only]
    heads += ["*", *named] if named else []
    lines = [f"    self.{field.name} = {_value(field)}" for field in listed]
    lines += ["    self.__post_init__()"] * hasattr(cls, "__post_init__")
    text = f"def __init__({', '.join(['self', *heads])}):\n" + "\n".join(lines or ["    pass"])
    space: dict[str, Any] = {"_LEFT_OUT": MISSING, "__name__": cls.__module__}
    space |= {f"_default_{field.name}": field.default for field in listed}
    space |= {f"_make_{field.name}": field.default_factory for field in listed}
    exec(text, space)
    made = space["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    made.__annotations__ = {field.name: field.type for field in listed} | {"return": None}
    return made


def _head(field: Field[Any]) -> str:
    if field.default_factory is not MISSING:
        return f"{field.name}=_LEFT_OUT"
    return field.name if field.default is MISSING else f"{field.name}=_default_{field.name}"


def _value(field: Field[Any]) -> str:
    if field.default_factory is MISSING:
        return field.name
    return f"_make_{field.name}() if {field.name} is _LEFT_OUT else {field.name}"


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
    shown = (f"{field.name}={getattr(self, field.name)!r}" for field in fields(self) if field.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


_SHARED = {"__eq__": _eq, "__hash__": _hash, "__repr__": _repr}
