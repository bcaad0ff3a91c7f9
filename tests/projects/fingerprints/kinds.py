"""One function for each kind of failure: their fingerprints are pinned in test_fingerprints.py."""

import ctypes
import os
import sys

from annotest import arg, generator, ints, objs, timeout


class BrokenError(ValueError):
    pass


@arg(n=ints(0, 9))
def raises(n):
    raise BrokenError(f"not {n}")


@arg(n=ints(0, 9))
def leaves(n):
    sys.exit(3)


@arg(n=ints(0, 9))
def ends(n):
    os._exit(7)


@arg(n=ints(0, 9))
def falls(n):
    ctypes.string_at(0)


@arg(n=ints(0, 9))
@timeout(1)
def hangs(n):
    while True:
        pass


@arg(n=ints(0, 9))
def prints(n):
    for _ in range(1000):
        print("x" * 10_000)


@arg(n=ints(0, 9))
def grows(n):
    held = []
    while True:
        held.append(b"x" * 1_000_000)


@generator
def broken():
    raise KeyError("none")


@arg(x=objs(broken))
def unbuilt(x):
    pass


class Layer:
    @arg(size=ints(0, 9))
    def __init__(self, size):
        assert size > 9

    @arg(n=ints(0, 9))
    def call(self, n):
        pass
