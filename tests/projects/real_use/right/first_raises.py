"""Exceptions that are meant: they pass, from functions, methods, properties and lazy functions."""

from annotest import arg, exclude, generator, ints, objs, raises


class TooSmall(ValueError):
    pass


@arg(n=ints(0, 9))
@raises(ValueError, KeyError)
def checked(n):
    if n < 3:
        raise TooSmall(n)
    return {5: 1, 6: 2}[n]


@raises(ZeroDivisionError)
@arg(n=ints(0, 9))
def counted(n):
    for k in range(n):
        yield 1 // (7 - k)


@raises(ValueError)
@arg(n=ints(0, 9))
async def awaited(n):
    if n > 4:
        raise ValueError(n)


class Model:
    @arg(n=ints(0, 9))
    @raises(ValueError)
    def __init__(self, n):
        if n > 7:
            raise ValueError(n)
        self.n = n

    @arg(k=ints(0, 9))
    def use(self, k):
        assert self.n <= 7

    @property
    @raises(RuntimeError)
    def state(self):
        if self.n > 3:
            raise RuntimeError("not trained")

    @classmethod
    @raises(LookupError)
    @arg(n=ints(0, 3))
    def build(cls, n):
        return cls([3, 4][n])


@generator
@exclude
@arg(n=ints(0, 9))
@raises(ValueError)
def small(n):
    if n > 5:
        raise ValueError(n)
    return n


@arg(n=objs(small))
def of_small(n):
    assert n <= 5
