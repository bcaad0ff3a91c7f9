"""The published tool's words."""

from datetime import timedelta

import numpy as np

from annotest.an_language import *

annotest_module_test()


@generator()
@exclude()
@arg("latent", integers(1, 10))
@arg("shape", array_shapes(min_dims=2, max_dims=3))
def gens(latent, shape):
    return np.zeros(shape) + latent


class Net:
    @arg("units", integer_lists(min_len=1, max_len=3, min_value=1, max_value=9))
    @arg("rate", floats(min_value=0, max_value=1, exclude_min=True))
    @cc_example(elements=[([6, 1], 0.1), ([7], 0.5)])
    def __init__(self, units, rate=0.5):
        self.units, self.rate = units, rate

    @arg("x", np_arrays(dtype=np.float32, shape=(2, 3)))
    @precondition("len(x) > 1")
    def forward(self, x):
        return x * self.rate / len(self.units)


@arg("start", obj(gens))
@arg("mode", sampled(["same", "valid"]))
@arg("pair", tuples(integers(1, 3), floats(min_value=0)))
@arg("table", dictionaries(sampled(["a", "b"]), integers()))
@arg("either", multiple(integers(1, 3), sampled([None])))
@deadline(timedelta(seconds=1))
@precondition("either is None or either < 3")
def build(start, mode, pair, table, either=None):
    return start.sum() / pair[0], mode[4:], table, either + 1
