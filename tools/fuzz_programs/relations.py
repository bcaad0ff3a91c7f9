"""Sizes that agree, and preconditions."""

from annotest import *

LIMIT = 6


@dims(h=ints(2, 6), w=froms([2, 4]))
@arg(x=np_arrays("float32", "b 2*h w+1 3"), sizes=int_lists(len="b", min=1, max=9))
@require("b * h < 20 and x.shape[-1] == 3")
def agree(x, sizes):
    assert len(sizes) == x.shape[0]
    return x.sum(axis=1)


@arg(a=np_arrays(same("T"), "n k"), b=np_arrays(same("T", of=["float32", "int8"]), "k m"))
@arg(m=ints(1, 4))
@require("n % 2 == 0 or k > 1")
def product(a, b, m):
    assert (a @ b).shape[1] == m


@arg(x=np_arrays("uint8", "*batch c 4"), y=np_arrays("float32", "... n"))
def ranks(x, y):
    return x[0], y[..., 0]


@arg(dense=anys(-1, int_lists(min_len=1, max_len=4)), blocks=ints(1, 4), ratio=floats(0, 1))
@require("type(dense) is not list or len(dense) == blocks")
@require(lambda blocks, ratio: blocks * ratio <= LIMIT)
def guarded(dense, blocks, ratio=0.5):
    return dense[0] if type(dense) is list else dense / ratio


@arg(xs=lists(ints(0, 30), min_len=2, max_len=5), total=ints(0, 90), low=ints(0, 9))
@require("sum(xs) == total and all(x >= low for x in xs)")
@require("xs[0] <= xs[-1] and len(set(xs)) > 1")
def sums(xs, total, low):
    assert total >= low * len(xs)


@arg(n=ints(1, 100), k=ints(1, 100), text=strs(max_len=5))
@require("n % k == 0 and n // k > 2")
@require("text == '' or text[0].isalpha()")
@require("max(n, k) < LIMIT * 12 and not n == 51")
def divides(n, k, text):
    assert n - k != 30


@arg(shape=np_shapes(min_dims=2, max_dims=4), axis=ints(-4, 3))
@require("-len(shape) <= axis < len(shape) and shape[axis] > 1")
def axes(shape, axis):
    return shape[axis] - 1


@arg(ranges=lists(tuples(ints(0, 9), ints(0, 9)), max_len=3), at=dicts({"x": ints(), "y?": ints()}))
@require("all(a <= b for a, b in ranges) and at['x'] > at.get('y', 0)")
def nested(ranges, at):
    for a, b in ranges:
        assert a < b or a != 7
