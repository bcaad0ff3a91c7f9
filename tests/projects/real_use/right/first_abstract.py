"""What is annotated on an abstract class is tested on the classes that inherit it."""

from abc import ABC, abstractmethod

import numpy as np

from annotest import arg, ints, np_arrays, timeout


class Layer(ABC):
    @arg(width=ints(1, 4))
    def __init__(self, width):
        self.width = width

    @abstractmethod
    def weights(self): ...

    @arg(x=np_arrays("float32", "b init.width", min=0, max=1))
    def forward(self, x):
        return x @ self.weights()

    @classmethod
    @arg(width=ints(1, 4))
    def build(cls, width):
        return cls(width)

    @staticmethod
    @arg(n=ints(1, 4))
    def half(n):
        return n / 2

    @property
    @timeout(5)
    def total(self):
        return self.weights().sum()


class Ones(Layer):
    def weights(self):
        return np.ones(self.width)


class Square(Layer, ABC):
    def weights(self):
        return np.ones((self.width, self.side()))

    @abstractmethod
    def side(self): ...


class Small(Square):
    def side(self):
        return 1
