"""Constructors that do not keep their arguments, and methods that are wrong for some of them."""

import numpy as np

from annotest import arg, ints, np_arrays, require


class Convolution:
    @arg(channels=ints(1, 4), kernel=ints(1, 3))
    def __init__(self, channels, kernel=2):
        self.weights = np.ones((channels, kernel))

    @arg(x=np_arrays("float32", "b init.channels length", min=0, max=1))
    @require("length >= init.kernel")
    def forward(self, x):
        return x[:, :, 1 : 1 + self.weights.shape[1]] * self.weights  # planted: ValueError

    @arg(n=ints(0, 100))
    @require("n == 7 * init.channels + init.kernel")
    def exact(self, n):
        assert n != 24  # planted: AssertionError


class Forwards(Convolution):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)

    @arg(x=np_arrays("int8", "init.channels init.kernel"))
    def transposed(self, x):
        return x.T + self.weights  # planted: ValueError


class Grows:
    @arg(width=ints(1, 4))
    def __init__(self, width):
        self.width = width + 1

    @arg(x=np_arrays("int8", "self.width init.width"))
    def use(self, x):
        assert x.shape != (4, 3)  # planted: AssertionError
