import needed

from annotest import arg, ints


@arg(n=ints(1, 3))
def f(n):
    return needed.x * n
