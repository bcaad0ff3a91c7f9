from annotest import arg, ints


@arg(n=ints(1, 3))
def f(n:  # planted: SyntaxError
    return n
