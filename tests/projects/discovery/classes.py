"""Classes: which methods are targets, and how instances are built."""

import abc
import dataclasses
import enum
from typing import Annotated, NamedTuple, Protocol

from annotest import arg, cc_example, exclude, ints, require


class Base:
    @arg(units=ints(1, 4))
    def __init__(self, units):
        assert 1 <= units <= 4
        self.units = units

    @arg(n=ints(1, 3))
    def run(self, n):
        assert type(self) is Base
        assert self.units + n != 7  # planted: AssertionError

    @arg(n=ints(1, 3))
    def replaced(self, n):
        assert type(self) is Base

    def plain(self):
        assert type(self) is Base


class Inheriting(Base):
    """Built by the inherited, annotated constructor; `run` is tested on Base alone."""

    @arg(n=ints(5, 6))
    def own(self, n):
        assert type(self) is Inheriting
        assert self.units != 4  # planted: AssertionError

    def replaced(self, n):
        raise RuntimeError("an override inherits no annotations: nobody knows which n is valid")


class Defaulted:
    """Built without arguments."""

    @arg(n=ints(1, 3))
    def run(self, n):
        assert n != 2  # planted: AssertionError


class Chosen:
    """Built by the examples only, though its own annotations allow more."""

    @cc_example([8])
    @cc_example([9], scale=2)
    @arg(units=ints(1, 4))
    def __init__(self, units, scale=1):
        assert units != 4  # planted: AssertionError
        self.units, self.scale = units, scale

    def seen(self):
        assert (self.units, self.scale) in [(8, 1), (9, 2)]

    def first(self):
        assert self.units != 8  # planted: AssertionError

    def second(self):
        assert self.units != 9  # planted: AssertionError

    @arg(n=ints(1, 3))
    @require("n * self.scale == 4")
    def needs_self(self, n):
        assert (self.units, n) == (9, 2)


class Unbuildable:
    """Nobody says how to build it: its methods are not testable, and the constructor is named."""

    def __init__(self, units):
        self.units = units

    @arg(n=ints(1, 3))
    def run(self, n):
        raise RuntimeError("no instance can be built")


class Failing:
    """The constructor always fails: one finding, and the method is blocked."""

    @arg(units=ints(1, 4))
    def __init__(self, units):
        raise OSError("cannot be built")  # planted: OSError

    @arg(n=ints(1, 3))
    def run(self, n):
        raise RuntimeError("never reached")


class Hidden:
    """Its constructor is no target, and still builds."""

    @exclude
    @arg(units=ints(1, 4))
    def __init__(self, units):
        self.units = units

    @arg(n=ints(1, 3))
    def run(self, n):
        assert self.units != 3  # planted: AssertionError

    @exclude
    @arg(n=ints(1, 3))
    def skipped(self, n):
        raise RuntimeError("excluded")


@exclude
class Excluded:
    @arg(units=ints(1, 4))
    def __init__(self, units):
        raise RuntimeError("excluded with its class")

    @arg(n=ints(1, 3))
    def run(self, n):
        raise RuntimeError("excluded with its class")


class Callable:
    @arg(n=ints(1, 3))
    def __call__(self, n):
        assert n != 3  # planted: AssertionError

    def __len__(self):
        raise RuntimeError("a dunder method is a target only when annotated")

    def _private(self):
        raise RuntimeError("private and not annotated")

    @arg(n=ints(1, 3))
    def _annotated(self, n):
        assert n != 2  # planted: AssertionError

    def test_method(self):
        raise RuntimeError("named like a test")


class Outer:
    class Inner:
        @arg(n=ints(1, 3))
        def run(self, n):
            assert n != 3  # planted: AssertionError


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...

    @arg(n=ints(1, 3))
    def scaled(self, n):
        assert n != 3  # planted: AssertionError


class Square(Shape):
    def area(self):
        return 1 / 0  # planted: ZeroDivisionError


@dataclasses.dataclass
class Record:
    width: Annotated[int, ints(1, 4)]
    height: int = 2

    def area(self):
        assert self.width != 4  # planted: AssertionError
        return self.width * self.height


class Color(enum.Enum):
    RED = 1

    def shade(self):
        raise RuntimeError("an enum's members are not built")


class Sized(Protocol):
    def size(self): ...


class Pair(NamedTuple):
    left: int
    right: int = 0

    @arg(n=ints(1, 3))
    def shifted(self, n):
        return Pair(self.left + n, self.right)


Alias = Base
