"""The second version of a model, named as people name it."""

from annotest import arg, ints


@arg(units=ints(1, 64))
def layers(units):
    return [units // 2**step for step in range(3)]
