"""Recursion of any depth is one bug; two circles are two."""

from annotest import arg, bools, ints


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
