"""An abstract class that one of its heirs does not suit."""

from abc import ABC, abstractmethod

import numpy as np

from annotest import arg, ints, np_arrays


class Layer(ABC):
    @arg(width=ints(1, 4))
    def __init__(self, width):
        self.width = width

    @abstractmethod
    def weights(self): ...

    @arg(x=np_arrays("float32", "b init.width", min=0, max=1))
    def forward(self, x):
        return x @ self.weights()  # planted: ValueError

    @classmethod
    @arg(width=ints(1, 4))
    def build(cls, width):
        return cls(width, 3)  # planted: TypeError


class Ones(Layer):
    def weights(self):
        return np.ones(self.width + 1)
