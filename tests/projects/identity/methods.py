"""Methods of one name and text, in classes that have nothing to do with each other."""

from annotest import arg, ints


class Pool:
    @arg(n=ints(0, 3))
    def forward(self, n):
        return 6 // n  # bugs: 1 ZeroDivisionError


class Flip:
    @arg(n=ints(0, 3))
    def forward(self, n):
        return 6 // n  # bugs: 1 ZeroDivisionError


class Base:
    @arg(n=ints(0, 3))
    def __init__(self, n):
        self.n = n

    def ratio(self):
        return 6 // self.n  # bugs: 1 ZeroDivisionError


class Child(Base):
    @arg(k=ints(0, 1))
    def more(self, k):
        return self.ratio() + k


class Other(Base):
    @arg(k=ints(0, 1))
    def less(self, k):
        return k - self.ratio()


def outer_pool(n):
    def inner():
        return 7 // n  # bugs: 1 ZeroDivisionError

    return inner()


def outer_flip(n):
    def inner():
        return 7 // n  # bugs: 1 ZeroDivisionError

    return inner()


@arg(n=ints(0, 3))
def pooled(n):
    return outer_pool(n)


@arg(n=ints(0, 3))
def flipped(n):
    return outer_flip(n)
