"""Annotations beside their targets, as data: each target is tested once."""

from annotest import annotate, arg, ints


def plain(n):
    assert n != 3  # planted: AssertionError


class Layer:
    def run(self, n):
        assert n != 2  # planted: AssertionError


annotate(plain, arg(n=ints(1, 3)))
annotate("self_annotated:Layer.run", arg(n=ints(1, 3)))
