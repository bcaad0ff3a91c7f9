"""A module of a package without an __init__.py."""

from annotest import arg, ints

from .sizes import LARGEST


@arg(units=ints(1, 64))
def block(units):
    from . import sizes

    assert units <= LARGEST == sizes.LARGEST
