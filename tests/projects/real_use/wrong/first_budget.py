"""Large arrays that are too large for the code, and not for us."""

from annotest import arg, budget, dims, ints, np_arrays


@budget(examples=10)
@dims(h=ints(1, 10**4), w=ints(1, 10**4))
@arg(x=np_arrays("uint8", "h w"))
def counted(x):
    assert x.size <= 0xFFFF  # planted: AssertionError
