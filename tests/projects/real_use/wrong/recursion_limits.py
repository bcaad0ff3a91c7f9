"""A recursion limit that is too low for what the program does."""

import sys

from annotest import arg, ints


@arg(depth=ints(0, 300))
def shallow(depth):
    sys.setrecursionlimit(120)
    return shallower(depth)


def shallower(depth):
    return 0 if depth == 0 else 1 + shallower(depth - 1)  # planted: RecursionError


@arg(limit=ints(-2, 500))
def set_to(limit):
    sys.setrecursionlimit(limit)  # planted: ValueError
