"""Partial objects, wrappers and callable objects that are annotated."""

import functools
import operator

from annotest import arg, ints, raises, require


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
