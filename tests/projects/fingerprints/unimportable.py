"""A module whose import raises."""

from annotest import arg, ints


@arg(n=ints(0, 9))
def never(n):
    pass


raise RuntimeError("not today")
