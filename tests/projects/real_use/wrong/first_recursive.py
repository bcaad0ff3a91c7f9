"""Values made of values of their own kind, and functions that some of them break."""

from annotest import anys, arg, exclude, generator, ints, lists, objs


@generator
@exclude
@arg(value=ints(0, 9), left=anys(None, objs("trees")), right=anys(None, objs("trees")))
def trees(value, left, right):
    return {"value": value, "left": left, "right": right}


def depth(tree):
    return 0 if tree is None else 1 + max(depth(tree["left"]), depth(tree["right"]))


@arg(tree=objs(trees))
def shallow(tree):
    assert depth(tree) < 3  # planted: AssertionError


@generator
@exclude
@arg(children=lists(objs("forests"), max_len=3))
def forests(children):
    return children


@arg(forest=objs(forests))
def second(forest):
    return forest[0][0] if forest else None  # planted: IndexError


class Block:
    @arg(n=ints(1, 3), inner=anys(None, objs("Block")))
    def __init__(self, n, inner=None):
        self.n, self.inner = n, inner

    def total(self):
        return self.n + self.inner.n  # planted: AttributeError
