"""Instances and generated values that cannot always be built."""

from annotest import arg, cc_example, exclude, generator, ints, lists, objs, require, strs


class AlwaysFails:
    @arg(n=ints(0, 9))
    def __init__(self, n):
        raise RuntimeError("never built")

    @arg(x=ints(0, 9))
    def method(self, x):
        return x


class SometimesFails:
    @arg(n=ints(0, 9))
    def __init__(self, n):
        if n == 7:
            raise RuntimeError("seven")
        self.n = n

    @arg(x=ints(0, 9))
    def method(self, x):
        assert self.n != 3


class Excluded:
    @exclude
    @arg(n=ints(0, 9))
    def __init__(self, n):
        if n == 7:
            raise RuntimeError("excluded, and wrong")

    def method(self):
        return 1


class WithExamples:
    @cc_example([1], name="one")
    @cc_example([2], name="two")
    @arg(n=ints(0, 9))
    def __init__(self, n, name="none"):
        assert n != 5, "found by the constructor's own test"
        self.n, self.name = n, name

    def method(self):
        assert (self.n, self.name) in [(1, "one"), (2, "two")]

    @require("self.n == 2")
    @arg(x=ints(0, 3))
    def second(self, x):
        assert self.n == 2


class Child(WithExamples):
    def method(self):
        assert self.name in ("one", "two")


@generator
@exclude
@arg(n=ints(0, 9))
def sometimes(n):
    if n == 7:
        raise OSError("no such net")
    return [n]


@arg(net=objs(sometimes))
def uses_sometimes(net):
    assert net != [3]


@generator
@exclude
@arg(nets=lists(objs(sometimes), min_len=1, max_len=2))
def never(nets):
    raise OSError("never made")


@arg(net=objs(never))
def uses_never(net):
    return net


@arg(n=strs())
@require("len(n) < 15")
@require("n == 'x' * 16")
def starved(n):
    return n
