"""Recursion of any depth is one bug; two circles are two."""

import sys
from pathlib import Path

from annotest import arg, bools, ints

sys.path.insert(0, str(Path(__file__).parent / "site-packages"))

import toylib


@arg(n=ints(0, 30))
def at_any_depth(n):
    return 1 // 0 if n == 0 else at_any_depth(n - 1)  # bugs: 1 ZeroDivisionError


@arg(n=ints(1, 50), up=bools())
def endless(n, up):
    return climb(n) if up else fall(n)


def climb(n):
    return climb(n + 1)  # circle: RecursionError


def fall(n):
    return fall_on(n - 1)  # circle: RecursionError


def fall_on(n):
    return fall(n - 2)


@arg(n=ints(0, 9), up=bools())
def endless_in_a_library(n, up):
    return toylib.endless_up(n) if up else toylib.endless_down(n)  # circle: RecursionError


@arg(n=ints(1, 50))
def endless_from_elsewhere(n):
    sys.setrecursionlimit(150)
    return climb(n)
