"""Annotated here, imported elsewhere: tested once."""

from annotest import arg, exclude, generator, ints, require


@arg(n=ints(1, 3))
def shared(n):
    assert n != 3  # planted: AssertionError


@generator
@exclude
@arg(a=ints(1, 4), b=ints(1, 4))
@require("a < b")
def pairs(a, b):
    assert a < b
    return (a, b)


class Shared:
    @arg(n=ints(1, 3))
    def run(self, n):
        assert n != 2  # planted: AssertionError
