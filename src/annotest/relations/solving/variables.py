"""Variables: what is chosen for a call, each a small value of its own.

There is only one instance of each, so that they are compared and hashed as fast as any object:
they are the keys of every box. `str()` is how a variable is told to a person.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, dataclass_transform


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


@dataclass_transform(frozen_default=True, eq_default=False)
class Name(metaclass=_Once):
    """What a variable stands for; each subclass says one kind of thing that can be chosen.

    Its annotations are its fields.
    """

    __match_args__: tuple[str, ...] = ()
    told: ClassVar[str]  # how it is told, with its fields in it

    def __init_subclass__(cls) -> None:
        own = vars(cls).get("__annotations__", ())
        cls.__match_args__ += tuple(own)  # type: ignore[misc]  # mypy takes it for a constant

    def __init__(self, *fields: Any) -> None:
        vars(self).update(zip(self.__match_args__, fields, strict=True))

    def __str__(self) -> str:
        return self.told.format(self)

    def __repr__(self) -> str:
        return str(self)

    def __reduce__(self) -> Any:
        return type(self), tuple(getattr(self, name) for name in self.__match_args__)

    def path(self) -> Iterator[Name]:
        """Yield what it is a part of, from the outermost on, and itself."""
        yield self


class Named(Name):
    """An argument, or a dimension."""

    told = "{0.name}"
    name: str


class Group(Name):
    """Sides of any number that arguments share by name: `*batch`."""

    told = "*{0.name}"
    name: str


class StandIn(Name):
    """An item that is not yet known, of which only the bounds are."""

    told = "item {0.number}"
    number: int


class Branch(Name):
    """Which of several conditions is to hold."""

    told = "branch {0.number}"
    number: int


class Computed(Name):
    """What an expression gives on values that are built before the others are chosen."""

    told = "given {0.text}"
    text: str


class SharedDtype(Name):
    """The dtype that arrays share by a label."""

    told = "dtype {0.label}"
    label: str


class Inside(Name):
    """Something of another: a part of it, or what is known of it."""

    of: Name

    @property
    def step(self) -> str:
        """How it is told behind what it is of."""
        return self.told.format(self)

    def __str__(self) -> str:
        return f"{self.of}{self.step}"

    def path(self) -> Iterator[Name]:
        yield from self.of.path()
        yield self


class Member(Inside):
    """An item of a list or tuple by its place, or of a dict by its key."""

    told = "[{0.key!r}]"
    key: Any

    @property
    def is_place(self) -> bool:
        """Whether it is known by its place."""
        return type(self.key) is int


class ShapeOf(Inside):
    """The shape of an array."""

    told = ".shape"


class AsThere(Inside):
    """Whether a side, counted among those that a shape has, is as in the shape it broadcasts to."""

    told = "[{0.place}] as there"
    place: int


class Unnamed(Inside):
    """Sides of any number in the middle of a shape, without a name: `...`."""

    told = ".any"


class DtypeOf(Inside):
    """The dtype of an array."""

    told = ".dtype"


class Element(Inside):
    """Each element of an array."""

    told = "[…]"


class Length(Inside):
    """How long a list is."""

    told = "len({0.of})"

    def __str__(self) -> str:
        return self.step
