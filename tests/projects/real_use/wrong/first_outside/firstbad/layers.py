"""Code that nobody here can edit, with bugs."""

import numpy as np


class Dense:
    def __init__(self, width: int, units: int):
        self.weights = np.ones((units, width))

    def forward(self, x):
        return x @ self.weights  # planted: ValueError


class Wide(Dense):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)

    def column(self, n):
        return self.weights[:, n]  # planted: IndexError
