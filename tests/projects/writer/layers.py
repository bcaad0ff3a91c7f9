"""One of everything that a generated test file can hold."""

import enum
from typing import Annotated, Literal

import numpy as np

from annotest import (
    anys,
    arg,
    bools,
    budget,
    cc_example,
    dicts,
    example,
    exclude,
    floats,
    froms,
    generator,
    int_lists,
    ints,
    lists,
    module_test,
    np_arrays,
    np_shapes,
    objs,
    require,
    strs,
    timeout,
    tuples,
)

module_test()

LIMIT = 64


class Mode(enum.Enum):
    TRAIN = "train"
    TEST = "test"


def is_power_of_two(number):
    return number & (number - 1) == 0


def fits(width, depth):
    return width * depth <= LIMIT


@generator
@exclude
@arg(units=ints(1, 8), bias=bools())
@require("units > 1 or bias")
def dense(units, bias=True):
    return ("dense", units, bias)


@generator
@exclude
@arg(size=ints(2, 4))
def pair(size):
    return [0] * size, [1] * size


@arg("input_shape", tuples(ints(20, 70), ints(20, 70), ints(1, 3)))
@arg("blocks", ints(2, 5))
@arg("layers", anys(-1, ints(1, 5), int_lists(min_len=2, max_len=5, min=2, max=5)))
@arg("rate", floats(min=0, max=1, exclude_min=True))
@require("type(layers) is not list or len(layers) == blocks")
def build(input_shape, blocks=3, layers=-1, rate=0.25):
    return input_shape


@arg(width=ints(1, LIMIT).where(is_power_of_two), depth=ints(1, 2**4, multiple_of=2))
@require(fits)
@require("width >= depth or width * depth <= LIMIT // 2 or (width == LIMIT and depth == 1)")
@timeout(5)
@budget(examples=50)
def scale(width, depth, /, *extra, mode: Annotated[Mode, froms(Mode)] = Mode.TRAIN):
    return width * depth


@arg(
    net=objs(dense),
    nets=lists(objs(dense), max_len=2),
    options=dicts({"name": strs(), "seed?": ints()}),
)
def combine(net, nets, **options):
    return net, nets, options


@arg("left, right", objs(pair))
def zipped(left, right):
    return list(zip(left, right, strict=True))


@arg(image=np_arrays(np.float32, np_shapes(min_dims=2, max_dims=3), min=0, max=1))
@arg(kernel=np_arrays("int8", (3, 3)))
@require(lambda image: image.std() < 1)
@example(np.zeros((2, 2), dtype="float32"), kernel=np.ones((3, 3), dtype="int8"))
def convolve(image, kernel):
    return image


def activate(kind: Literal["relu", "tanh"], inplace: bool = False):
    return kind


class Optimizer:
    @arg(rate=floats(1e-4, 1e-1))
    def __init__(self, rate=0.01):
        self.rate = rate

    @arg(grads=lists(floats(-1, 1), min_len=1))
    @require("len(grads) < 5 or self.rate > 0.05")
    def step(self, grads):
        return grads

    @property
    def speed(self):
        return self.rate

    @classmethod
    @arg(name=froms(["sgd", "adam"]))
    def named(cls, name):
        return cls()


class Callback:
    @cc_example(["a.png"], every=2)
    @cc_example(["b.png"])
    @arg(path=froms(["a.png", "b.png"]))
    def __init__(self, path, every=1):
        self.path = path

    @arg(epoch=ints(0, 9))
    @example(3)
    def on_epoch_end(self, epoch):
        return epoch
