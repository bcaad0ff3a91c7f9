"""The adapter of the toy framework."""

import math
import sys

from annotest.expr import Module
from annotest.frameworks import ArrayView
from annotest.frameworks.dtypes import DTYPES

name, alias, called, hint = "toy_arrays", "", "a toy array", "toy"
dtypes = {name: DTYPES[name] for name in ("float32", "float64", "int32", "bool", "complex64")}
short_names: dict[str, str] = {}
preferred = {"float": "float32", "int": "int32", "bool": "bool", "complex": "complex64"}
preloaded = ()
layouts = usual_layouts = ("contiguous",)
devices = ("cpu",)

_toy = Module(name)


def _is_toy(value):
    return isinstance(value, sys.modules[name].Toy)


def view(value):
    return ArrayView(name, value.shape, value.dtype) if _is_toy(value) else None


def dtype(name):
    return name


def build(elements):
    return sys.modules[name].from_numpy(elements)


def elements(value):
    import numpy as np

    return np.array(value.items, value.dtype).reshape(value.shape)


def device(value):
    return "cpu"


def state(value):
    return tuple(value.items)


def copy(value):
    return type(value)(value.shape, value.dtype, value.items)


def same(one, other):
    def equal(left, right):
        return left == right or (left != left and right != right)

    alike = (one.shape, one.dtype) == (other.shape, other.dtype)
    return alike and all(map(equal, one.items, other.items))


def part(value, axis, start, stop):
    return build(elements(value).take(range(start, stop), axis))


def scale(value, factors):
    value.items = (elements(value) * factors).astype(value.dtype).ravel().tolist()


def needs_gradient(value):
    return False


def source(value):
    if not _is_toy(value):
        return None
    return _toy.array(_nested(value.items, value.shape), value.dtype, value.shape)


def _nested(items, shape):
    if not shape:
        return items[0]
    size = math.prod(shape[1:])
    rows = (items[start * size : (start + 1) * size] for start in range(shape[0]))
    return [_nested(row, shape[1:]) for row in rows]


def built_source(elements, shape, held):
    return _toy.from_numpy(elements)


class Mode:
    """The setting that a call may leave changed."""

    name = "toy_arrays.MODE"

    def __init__(self):
        self.keep()

    def read(self):
        return dict(sys.modules[name].MODE)

    def keep(self):
        self.before = self.read()

    def put_back(self, imported):
        sys.modules[name].MODE.update(self.before)
        return [self.name]


def module_kind(cls):
    return None


def synchronize():
    pass


def random_sources():
    return []


def aspects():
    return [Mode()]
