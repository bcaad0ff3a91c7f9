"""Exceptions that are meant beside some that are not."""

from annotest import arg, ints, raises


@arg(n=ints(0, 9))
@raises(ValueError)
def checked(n):
    if n < 3:
        raise ValueError(n)
    return {5: 1, 6: 2}[n]  # planted: KeyError


@raises(KeyError)
@arg(n=ints(0, 9))
def parent_is_not_meant(n):
    if n > 4:
        raise LookupError(n)  # planted: LookupError


class Model:
    @arg(n=ints(0, 9))
    @raises(ValueError)
    def __init__(self, n):
        if n > 7:
            raise ValueError(n)
        self.n = n

    @arg(k=ints(0, 9))
    def use(self, k):
        if k + self.n > 12:
            raise ValueError("never said")  # planted: ValueError
