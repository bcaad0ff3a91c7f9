"""Classes: constructors, methods, instances by example."""

import annotest.an_language as an


class Dense:
    """Built by its annotated constructor."""

    @an.arg("units", an.integers(1, 16))
    @an.arg("gain", an.floats(min_value=0, max_value=4))
    def __init__(self, units, gain=1.0):
        self.units, self.gain = units, gain

    @an.arg("factor", an.integers(min_value=2, max_value=4))
    @an.precondition("factor != 3")
    def widen(self, factor):
        assert factor in (2, 4)
        assert 1 <= self.units <= 16
        self.units *= factor
        return self.units

    def halve(self):
        if self.units == 1:
            raise ValueError("one unit cannot be halved")  # planted: ValueError
        return self.units // 2


class Block:
    """Built only as the examples say, whatever the constructor's own annotations allow."""

    @an.cc_example(elements=[(6, 1), (7, 1)])
    @an.arg("layers", an.integers())
    @an.arg("growth", an.integers(min_value=1))
    def __init__(self, layers, growth):
        self.layers, self.growth = layers, growth

    @an.arg("depth", an.integers(1, 3))
    def grow(self, depth):
        assert (self.layers, self.growth) in [(6, 1), (7, 1)]
        return self.layers + depth * self.growth

    def first(self):
        return 1 / (self.layers - 6)  # planted: ZeroDivisionError

    def second(self):
        return 1 / (self.layers - 7)  # planted: ZeroDivisionError


class Plain:
    """Built without arguments."""

    @an.arg("sizes", an.integer_lists(min_len=2))
    def total(self, *sizes):
        assert 2 <= len(sizes) <= 4
        return sum(sizes)
