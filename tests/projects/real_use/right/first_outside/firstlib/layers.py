"""Code that nobody here can edit."""

from abc import ABC, abstractmethod
from typing import Literal

import numpy as np


class Module:
    def __init__(self, *args, **kwargs):
        super().__init__()


class Dense(Module):
    def __init__(self, width: int, units: int, mode: Literal["plain", "odd"] = "plain"):
        super().__init__()
        if mode == "odd":
            raise NotImplementedError
        self.weights = np.ones((width, units))

    def forward(self, x):
        return x @ self.weights


class Wide(Dense):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)

    def columns(self, n):
        return self.weights[:, :n]


class Metric(ABC):
    @abstractmethod
    def score(self, a, b): ...

    def mean(self, a, b):
        return float(np.mean(self.score(a, b)))
