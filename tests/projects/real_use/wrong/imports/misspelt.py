from helprs import WIDTH  # planted: ModuleNotFoundError

from annotest import arg, ints


@arg(n=ints(1, 3))
def f(n):
    return WIDTH * n
