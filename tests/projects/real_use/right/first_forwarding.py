"""Constructors that only forward take what their parent's constructor takes."""

from annotest import arg, ints


class Base:
    @arg(n=ints(1, 4), k=ints(0, 3))
    def __init__(self, n, k=0):
        self.n, self.k = n, k


class Both(Base):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)

    def total(self):
        assert 1 <= self.n + self.k <= 7


class ByPlace(Base):
    def __init__(self, *args):
        super().__init__(*args)

    def total(self):
        assert 1 <= self.n + self.k <= 7


class ByName(Both):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)

    def total(self):
        assert 1 <= self.n + self.k <= 7


class Inherits(ByName):
    def half(self):
        assert self.n // 2 <= 2


def log(*args, **kwargs):
    raise SystemError("nobody says what it takes")


class Anything:
    def __init__(self, *args, **kwargs):
        self.first = args[0]
