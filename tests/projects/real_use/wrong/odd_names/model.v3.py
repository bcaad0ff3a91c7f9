"""The third version of a model, named as people name it."""

from annotest import arg, ints


@arg(units=ints(0, 64))
def ratio(units):
    return 64 // units  # planted: ZeroDivisionError
