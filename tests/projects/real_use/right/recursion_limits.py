"""Recursion limits that a program sets for itself, low ones and high ones."""

import sys
from contextlib import contextmanager

from annotest import arg, ints

sys.setrecursionlimit(4000)


def depth_of(tree):
    return 0 if tree is None else 1 + depth_of(tree[0])


def nested(depth):
    tree = None
    for _ in range(depth):
        tree = (tree,)
    return tree


@arg(depth=ints(0, 60))
def careful(depth):
    """Have a mistake of one's own end soon."""
    sys.setrecursionlimit(80)
    assert sys.getrecursionlimit() == 80
    assert depth_of(nested(depth)) == depth


@arg(depth=ints(3000, 3900))
def deep(depth):
    assert depth_of(nested(depth)) == depth


@contextmanager
def limit_of(limit):
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(limit)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


@arg(depth=ints(0, 900))
def polite(depth):
    with limit_of(1000):
        assert depth_of(nested(depth)) == depth


@arg(depth=ints(0, 9))
def without_a_limit(depth):
    sys.setrecursionlimit(2**31 - 1)
    assert depth_of(nested(depth)) == depth
