"""Partial objects and callable objects with bugs."""

import functools

from annotest import arg, ints


def power(base, exponent):
    assert base**exponent < 10**5  # planted: AssertionError
    return base**exponent


cube = arg(base=ints(0, 100))(functools.partial(power, exponent=3))


class Scale:
    def __call__(self, n):
        return 1 // (n - 5)  # planted: ZeroDivisionError


scale = arg(n=ints(0, 9))(Scale())
