from annotest import arg, ints

try:
    import theano
except ImportError:
    theano = None

ZERO = theano.shared(0)  # planted: AttributeError


@arg(n=ints(1, 3))
def f(n):
    return ZERO * n
