from annotest import arg, ints

try:
    from theano import HEIGHT
except ImportError:
    from helpers import HEIGHT  # planted: ImportError


@arg(n=ints(1, 3))
def f(n):
    return HEIGHT * n
