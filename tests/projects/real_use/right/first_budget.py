"""Arrays whose sides are free and whose product could be huge: they stay within the budget."""

from annotest import arg, budget, dims, ints, np_arrays, tuples

MOST = 20_000_000


@budget(examples=8)
@dims(h=ints(1, 10**6), w=ints(1, 10**6))
@arg(x=np_arrays("uint8", "h w"))
def by_dimensions(x):
    assert x.size <= MOST


@budget(examples=8)
@arg(x=np_arrays("uint8", tuples(ints(1, 10**6), ints(1, 10**6))))
def by_sides(x):
    assert x.size <= MOST


class Layer:
    @arg(width=ints(1, 10**4))
    def __init__(self, width):
        self.width = width

    @budget(examples=8)
    @dims(b=ints(1, 10**5))
    @arg(x=np_arrays("uint8", "b self.width"))
    def forward(self, x):
        assert x.shape[1] == self.width and x.size <= MOST

    @budget(examples=8)
    @arg(x=np_arrays("uint8", "init.width self.width"))
    def squared(self, x):
        assert x.size <= MOST
