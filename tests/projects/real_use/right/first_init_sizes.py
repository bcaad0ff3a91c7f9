"""Constructors that do not keep their arguments: methods ask for them with `init`."""

from dataclasses import dataclass, field

import numpy as np

from annotest import annotate, arg, cc_example, dicts, int_lists, ints, np_arrays, objs, require


class Convolution:
    @arg(channels=ints(1, 4), kernel=ints(1, 3))
    def __init__(self, channels, kernel=2, *, scale=1):
        self.weights = np.full((channels, kernel), scale)

    @arg(x=np_arrays("float32", "b init.channels length", min=0, max=1))
    @require("length >= init.kernel")
    def forward(self, x):
        windows = x.shape[2] - self.weights.shape[1] + 1
        assert windows >= 1
        return np.einsum("bck,ck->b", x[:, :, : self.weights.shape[1]], self.weights)

    @arg(n=ints(0, 100))
    @require("n == 7 * init.channels + init.kernel and init.scale == 1")
    def exact(self, n):
        assert n == 7 * self.weights.shape[0] + self.weights.shape[1]

    @arg(n=ints(0, 100))
    @require(lambda n, init: n < init.channels)
    def one_channel(self, n):
        return self.weights[n]


class Inherits(Convolution):
    @arg(x=np_arrays("int8", "init.channels*2"))
    def halves(self, x):
        return x.reshape(2, self.weights.shape[0])


class Forwards(Convolution):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)

    @arg(x=np_arrays("int8", "init.channels+init.kernel"))
    def summed(self, x):
        assert len(x) == sum(self.weights.shape)


@dataclass
class Record:
    n: int
    k: int = 3
    rows: list = field(default_factory=list)

    @arg(x=np_arrays("int8", "init.n init.k"))
    def use(self, x):
        assert x.shape == (self.n, self.k)


annotate("first_init_sizes:Record.__init__", arg(n=ints(1, 3)))


class Consumes:
    @arg(sizes=int_lists(min=1, max=3))
    def __init__(self, sizes):
        self.count = len(sizes)
        sizes.clear()

    @arg(n=ints(0, 9))
    @require("n == len(init.sizes)")
    def use(self, n):
        assert n == self.count > 0


class Examples:
    @cc_example([3, 4])
    @cc_example([5], k=2)
    @arg(n=ints(1, 9))
    def __init__(self, n, k=1):
        self.shape = n, k

    @arg(x=np_arrays("int8", "init.n init.k"))
    def use(self, x):
        assert x.shape == self.shape


class Config:
    @arg(width=ints(1, 4))
    def __init__(self, width):
        self.width = width


class Configured:
    @arg(config=objs(Config), options=dicts({"depth": ints(1, 3)}))
    def __init__(self, config, **options):
        self.weights = np.zeros((options["depth"], config.width))

    @arg(x=np_arrays("int8", "init.depth init.config.width"))
    def use(self, x):
        return x + self.weights
