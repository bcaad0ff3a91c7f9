"""A script that uses the package beside it, which has its name."""

from net.layers import SIZES

from annotest import arg, froms


@arg(size=froms(SIZES))
def chosen(size):
    assert size in SIZES
