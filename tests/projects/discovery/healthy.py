"""Nothing is wrong here: whatever stands beside it, this is tested."""

from annotest import arg, ints


@arg(n=ints(1, 3))
def healthy(n):
    assert n in (1, 2, 3)
