"""One of each shape in which related arguments are drawn."""

from annotest import arg, dims, float_lists, floats, froms, int_lists, ints, np_arrays, require


@arg(hidden=ints(1, 9), out=ints(0, 99), mode=froms(["sum", "mean"]))
@require("out == 2*hidden + 1")
def assignment(hidden, out, mode):
    assert out == 2 * hidden + 1


@arg(lo=floats(0, 1), hi=floats(0, 1), warmup=ints(0, 100), total=ints(1, 100))
@require("lo < hi and warmup < total")
def interval(lo, hi, warmup, total):
    assert lo < hi and warmup < total


@arg(h=ints(1, 64), k=ints(1, 11), p=ints(0, 5), s=ints(1, 4))
@require("k <= h + 2*p")
@require("(h + 2*p - k) % s == 0")
def listing(h, k, p, s):
    assert k <= h + 2 * p and (h + 2 * p - k) % s == 0


@arg(x=np_arrays("float32", "b k", min=-1, max=1), w=np_arrays("float32", "k 2*m", min=-1, max=1))
@dims(k=froms([8, 16]))
def arrays_from_sides(x, w):
    assert x.shape[1] == w.shape[0] in (8, 16) and w.shape[1] % 2 == 0


@arg(labels=int_lists(min=0, max=19, max_len=8), classes=ints(1, 20))
@require("all(label < classes for label in labels)")
def each_item(labels, classes):
    assert max(labels) < classes


@arg(rates=float_lists(min=0, max=1, max_len=5))
@require("rates == sorted(rates, reverse=True)")
def in_order(rates):
    assert rates == sorted(rates)[::-1]


@arg(ids=int_lists(min=0, max=31, max_len=8))
@require("len(set(ids)) == len(ids)")
def different(ids):
    assert len({*ids}) == len(ids)


@arg(n=ints(1, 8), order=int_lists(min=0, max=7, max_len=8))
@require("sorted(order) == list(range(n))")
def permutation(n, order):
    assert sorted(order) == [*range(n)]


@arg(n=ints(1, 10), layers=int_lists(min=1, max=64, max_len=10))
@require("len(layers) == n")
def length(n, layers):
    assert len(layers) == n


@arg(splits=int_lists(min=1, max=32, max_len=6), d=ints(1, 64))
@require("sum(splits) == d")
def by_name(splits, d):
    assert sum(splits) == d


@arg(splits=int_lists(min=1, max=32, max_len=6), d=ints(1, 64))
@require("sum(splits) == d")
def by_place(splits, d, /):
    assert sum(splits) == d
