"""Partial objects, wrappers and callable objects that are annotated."""

import functools
import operator

from annotest import arg, int_lists, ints, raises, require


def power(base, exponent):
    assert base**exponent <= 10**6
    return base**exponent


square = arg(base=ints(0, 100))(functools.partial(power, exponent=2))
cube = arg(base=ints(0, 100))(functools.partial(functools.partial(power), exponent=3))
two_to = require("exponent < 20")(arg(exponent=ints(0, 99))(functools.partial(power, 2)))
divided = raises(ZeroDivisionError)(arg(b=ints(0, 3))(functools.partial(operator.floordiv, 6)))


@functools.lru_cache
@arg(n=ints(0, 9))
def remembered(n):
    return n * n


class Scale:
    def __call__(self, n):
        return 2 * n


scale = arg(n=ints(0, 9))(Scale())


def shifted(values, by, limit):
    assert by + len(values) <= limit
    return [value + by for value in values]


near = require("by * len(values) + by <= 6 or by == 0")(
    arg(values=int_lists(max_len=5), by=ints(0, 3))(functools.partial(shifted, limit=9))
)
