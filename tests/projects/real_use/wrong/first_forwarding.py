"""A constructor that forwards, and adds a bug of its own."""

from annotest import arg, ints


class Base:
    @arg(n=ints(1, 4))
    def __init__(self, n):
        self.n = n


class Halved(Base):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.share = 1 / (self.n - 2)  # planted: ZeroDivisionError


class Named(Base):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)

    def third(self):
        return [1, 2, 3][self.n]  # planted: IndexError
