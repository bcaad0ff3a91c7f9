"""Says in words of its own what is missing."""

from annotest import arg, ints

try:
    import theano
except ImportError as error:
    raise RuntimeError("pip install 'neighbours[theano]', please") from error


@arg(rows=ints(1, 9))
def zeros(rows):
    return theano.shared(rows)
