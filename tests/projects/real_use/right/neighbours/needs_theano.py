"""Wants a package that nobody has installed any more."""

import theano.tensor as tensor

from annotest import arg, ints


@arg(rows=ints(1, 9))
def zeros(rows):
    return tensor.zeros((rows, rows))
