"""Variables: what is chosen for a call, each a small value of its own.

There is only one instance of each, so that they are compared and hashed as fast as any object:
they are the keys of every box. `str()` is how a variable is told to a person.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeVar, dataclass_transform

N = TypeVar("N")


class _Once(type):
    """Makes each instance once."""

    def __init__(cls, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cls._made: dict[Any, Any] = {}

    def __call__(cls, *args: Any) -> Any:
        key = (*args, *map(type, args))  # 1 and True are equal, and not the same
        try:
            return cls._made[key]
        except KeyError:
            return cls._made.setdefault(key, super().__call__(*args))


class Name(metaclass=_Once):
    """What a variable stands for; each subclass says one kind of thing that can be chosen."""

    __slots__ = ()
    __match_args__: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return str(self)

    def __reduce__(self) -> Any:
        return type(self), tuple(getattr(self, name) for name in self.__match_args__)

    def path(self) -> Iterator[Name]:
        """Yield what it is a part of, from the outermost on, and itself."""
        yield self


@dataclass_transform(frozen_default=True, eq_default=False)
def variable(cls: type[N]) -> type[N]:
    """Give a class its fields, and leave comparing to the instances themselves."""
    return dataclass(frozen=True, eq=False, repr=False, slots=True)(cls)


@variable
class Named(Name):
    """An argument, or a dimension."""

    name: str

    def __str__(self) -> str:
        return self.name


@variable
class Group(Name):
    """Sides of any number that arguments share by name: `*batch`."""

    name: str

    def __str__(self) -> str:
        return f"*{self.name}"


@variable
class StandIn(Name):
    """An item that is not yet known, of which only the bounds are."""

    number: int

    def __str__(self) -> str:
        return f"item {self.number}"


@variable
class Branch(Name):
    """Which of several conditions is to hold."""

    number: int

    def __str__(self) -> str:
        return f"branch {self.number}"


@variable
class Computed(Name):
    """What an expression gives on values that are built before the others are chosen."""

    text: str

    def __str__(self) -> str:
        return f"given {self.text}"


@variable
class SharedDtype(Name):
    """The dtype that arrays share by a label."""

    label: str

    def __str__(self) -> str:
        return f"dtype {self.label}"


@variable
class Inside(Name):
    """Something of another: a part of it, or what is known of it."""

    of: Name

    @property
    def step(self) -> str:
        """How it is told behind what it is of."""
        raise NotImplementedError(type(self).__name__)  # each has its own

    def __str__(self) -> str:
        return f"{self.of}{self.step}"

    def path(self) -> Iterator[Name]:
        yield from self.of.path()
        yield self


@variable
class Member(Inside):
    """An item of a list or tuple by its place, or of a dict by its key."""

    key: Any

    @property
    def is_place(self) -> bool:
        """Whether it is known by its place."""
        return type(self.key) is int

    @property
    def step(self) -> str:
        return f"[{self.key!r}]"


@variable
class ShapeOf(Inside):
    """The shape of an array."""

    @property
    def step(self) -> str:
        return ".shape"


@variable
class Unnamed(Inside):
    """Sides of any number in the middle of a shape, without a name: `...`."""

    @property
    def step(self) -> str:
        return ".any"


@variable
class DtypeOf(Inside):
    """The dtype of an array."""

    @property
    def step(self) -> str:
        return ".dtype"


@variable
class Element(Inside):
    """Each element of an array."""

    @property
    def step(self) -> str:
        return "[…]"


@variable
class Length(Inside):
    """How long a list is."""

    def __str__(self) -> str:
        return f"len({self.of})"
