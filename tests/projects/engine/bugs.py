"""Functions with several bugs, or with one that others share."""

from annotest import arg, bools, example, exclude, floats, froms, int_lists, ints, lists, require


@arg(mode=froms(["a", "b", "c"]), items=int_lists(min_len=1, max_len=6, min=0, max=9))
def two_bugs(mode, items):
    if mode == "a" and len(items) == 1:
        raise ValueError("first")
    if mode == "b" and items[0] == 1:
        raise KeyError("second")


@arg(n=ints(0, 100))
def inner(n):
    return 1 / (n - 50)


@arg(n=ints(0, 100))
def outer(n):
    return inner(n)


@arg(items=lists(ints(1, 9), min_len=2, max_len=5))
def mutates(items):
    taken = [items.pop() for _ in range(len(items))]
    assert len(taken) < 3, "emptied"


@arg(n=ints(0, 1_000_000))
@example(n=123_456)
def rare(n):
    assert n != 123_456


@arg(rate=floats(0, 1), fast=bools())
@require("rate > 0.5")
def shrinks(rate, fast=False):
    assert rate < 0.75


@exclude
@arg(n=ints())
def left_alone(n):
    raise AssertionError("never called")


@arg(n=ints(0, 9))
def fine(n):
    print("this must not reach annotest's own output")
    return n
