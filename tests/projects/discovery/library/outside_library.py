"""Code that one cannot edit: it knows nothing of annotest."""


def scale(x, factor=2):
    assert x != 3  # planted: AssertionError
    return x * factor


def untouched(x):
    raise RuntimeError("nobody annotated this")


class Layer:
    def __init__(self, units):
        self.units = units

    def forward(self, n):
        return 1 / (self.units - n)  # planted: ZeroDivisionError

    @staticmethod
    def static(n):
        assert n != 3  # planted: AssertionError

    @classmethod
    def make(cls, n):
        return cls(n)

    @property
    def size(self):
        return self.units
