"""Classes of which nobody makes instances by calling them."""

import abc
import enum
from typing import Protocol, runtime_checkable

from annotest import arg, ints


class Activation(enum.Enum):
    RELU = ("relu", 0)
    TANH = ("tanh", 1)

    def __init__(self, title, code):
        self.title = title
        self.number = self.NUMBERS[code] if hasattr(self, "NUMBERS") else code

    def describe(self):
        return f"{self.title} ({self.value[1]})"

    @classmethod
    def default(cls):
        return cls.RELU


class Flags(enum.IntFlag):
    BIAS = 1
    BATCH_NORM = 2

    def has_bias(self):
        return bool(self & Flags.BIAS)


@runtime_checkable
class Layer(Protocol):
    units: int

    def forward(self, x): ...

    def width(self):
        return self.units * 2

    @arg(factor=ints(1, 4))
    def scaled(self, factor):
        return self.units * factor


class Dense(Layer):
    units = 3

    def forward(self, x):
        return x


class Registry(type):
    known: dict[str, type] = {}

    def __init__(cls, name="?", bases=(), members=None):
        super().__init__(name, bases, members or {})
        cls.known[name.lower()] = cls

    def names(cls):
        return sorted(cls.known)


class Model(metaclass=Registry):
    def __init__(self, depth=2):
        self.depth = depth


class Optimizer(abc.ABC):
    def __init__(self, rate=0.1):
        self.rate = rate

    @abc.abstractmethod
    def step(self): ...

    def many(self, times=3):
        return [self.step() for _ in range(times)]

    @classmethod
    def title(cls):
        return cls.__name__


class Sgd(Optimizer):
    def step(self):
        return -self.rate


class Forwarding(Sgd):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if not args and not kwargs:
            raise TypeError("say at least the rate")


class Wrapper(dict):
    def __init__(self, *args, **kwargs):
        if not args:
            raise TypeError("what is to be wrapped?")
        super().__init__(*args, **kwargs)


def log(*args, **kwargs):
    print(args[0], kwargs["level"])


def merge(**options):
    return options["first"]
