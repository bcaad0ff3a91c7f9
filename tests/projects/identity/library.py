"""Two bugs of a library behind one line of the program; what is compiled, and a framework, tell nothing."""

import sys
from pathlib import Path

import numpy as np

from annotest import annotate, arg, froms, ints

sys.path.insert(0, str(Path(__file__).parent / "site-packages"))

import toylib

annotate("toylib:read", arg(text=froms(["1", "["])))

# as a compiled module names its source, which is not there
compiled = compile("def fast(n):\n    return 1 // n\n", "toylib/_fast.pyx", "exec")
exec(compiled)


@arg(n=ints(0, 9))
def through_one_line(n):
    return toylib.area(n)  # bugs: 2 ValueError


@arg(n=ints(1, 9))
def deep_in_the_library(n):
    return toylib.depth(n)  # bugs: 1 KeyError


@arg(axis=froms([2, 3, 7]))
def in_a_framework(axis):
    return np.stack([np.zeros(2)], axis=axis)  # bugs: 1 numpy.exceptions.AxisError


@arg(n=ints(0, 3))
def compiled_a(n):
    return fast(n)  # noqa: F821  # bugs: 1 ZeroDivisionError


@arg(n=ints(0, 3))
def compiled_b(n):
    return 1 + fast(n)  # noqa: F821  # bugs: 1 ZeroDivisionError
