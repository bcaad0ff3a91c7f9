"""Classes, methods, generators, and the other annotations."""

import numpy as np

from annotest import *


class Layer:
    @arg(units=ints(1, 5), rate=floats(0, 1), kind=froms(["relu", "tanh"]))
    @require("units > 1 or rate < 1")
    def __init__(self, units, rate=0.5, kind="relu"):
        self.units, self.rate, self.kind = units, rate, kind

    @arg(x=np_arrays("float32", "n self.units"), times=ints(1, 3))
    @require("n >= times")
    def __call__(self, x, times=1):
        assert x.shape[1] == self.units
        return x * self.rate**times

    @classmethod
    @arg(size=ints(1, 3))
    def small(cls, size):
        return cls(size)

    @staticmethod
    @arg(xs=int_lists(min_len=1))
    def mean(xs):
        return sum(xs) / len(xs)

    @property
    def half(self):
        return self.units // 2


class Wide(Layer):
    @cc_example([3, 0.5])
    @cc_example([4], kind="tanh")
    def __init__(self, units, rate=0.1, kind="relu"):
        super().__init__(2 * units, rate, kind)

    @arg(channels=ints(1, 4), x=np_arrays("int8", "init.units channels"))
    def forward(self, channels, x):
        assert x.shape[0] < self.units + channels
        return x[channels - 1]


@generator
@exclude
@arg(size=ints(1, 4), layer=objs(Layer))
@require("size <= layer.units")
def sized(size, layer):
    return np.zeros((size, layer.units))


@generator
@arg(items=lists(ints(0, 3), max_len=2), below=anys(None, objs("trees")))
def trees(items, below=None):
    return {"items": items, "below": below}


@generator
@exclude
@arg(n=ints(1, 3))
def pairs(n):
    return n, [0] * n


@arg(start=objs(sized), tree=objs(trees), several=lists(objs(sized), max_len=2))
@arg("count, zeros", objs(pairs))
@require("len(several) < 2 or start.shape[0] == several[0].shape[0]")
def build(start, tree, several, count, zeros):
    assert len(zeros) == count
    return tree["items"][:1], start @ start.T, several


@arg(n=ints(0, 9))
@example(3)
@example(n=9)
@timeout(1)
@budget(examples=9, seconds=2)
@raises(ZeroDivisionError, IndexError)
def fails(n):
    return [1, 2, 3][n] / n


@arg(n=ints(1, 20))
def counts(n):
    for i in range(n):
        yield 10 // (n - i)


@arg(seconds=floats(0, 0.01))
async def waits(seconds):
    return 1 / seconds


module_test()
