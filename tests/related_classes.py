"""Relations of constructors, generators, floats and options, for the tests of generated files."""

# constructors, methods, generators, floats, options
CLASSES = """\
import math


class Attention:
    @arg(embed=ints(1, 64), heads=ints(1, 8), bias=bools())
    @require("embed % heads == 0")
    def __init__(self, embed, heads, bias):
        assert embed % heads == 0

    @arg(length=ints(1, 64), window=ints(1, 8))
    @require("length % window == 0")
    def forward(self, length, window):
        assert length % window == 0

    @classmethod
    @arg(width=ints(1, 64), parts=ints(1, 8))
    @require("width % parts == 0")
    def of_width(cls, width, parts):
        assert width % parts == 0


@generator
@exclude
@arg(vocab=ints(2, 64), groups=ints(1, 16))
@require("vocab % groups == 0")
def embeddings(vocab, groups):
    assert vocab % groups == 0
    return [groups] * vocab


@arg(table=objs(embeddings), attention=objs(Attention))
def from_factories(table, attention):
    pass


@arg(low=floats(0, 1), high=floats(0, 1))
@require("low < high")
def interval(low, high):
    assert 0 <= low < high <= 1


@arg(low=floats(), high=floats())
@require("low < high")
def unbounded(low, high):
    assert -math.inf < low < high < math.inf


@arg(train=floats(0, 1), val=floats(0, 1), test=floats(0, 1))
@require("train + val + test == 1.0")
def equation(train, val, test):
    assert train + val + test == 1.0 and min(train, val, test) >= 0


@arg(a=floats(0, 1), b=floats(0, 1), c=floats(0, 1))
@require("a + b + c <= 1")
def sums(a, b, c):
    assert a + b + c <= 1


@arg(rate=floats(0, 10), other=floats(0.5, 3))
@require("rate >= other + 0.25")
def differences(rate, other):
    assert rate >= other + 0.25


@arg(fractions=float_lists(min=0, max=1, min_len=2, max_len=5))
@require("sum(fractions) <= 1")
def items_up_to_one(fractions):
    assert sum(fractions) <= 1


@arg(probabilities=float_lists(min=0, max=1, min_len=2, max_len=6))
@require("abs(sum(probabilities) - 1) < 1e-6")
def items_that_make_one(probabilities):
    assert abs(sum(probabilities) - 1) < 1e-6


@arg(top_k=anys(None, ints(1, 100)), vocab=ints(1, 80), greedy=bools())
@require("top_k is None or top_k <= vocab")
def option(top_k, vocab, greedy=False):
    assert top_k is None or top_k <= vocab


@arg(size=anys(None, ints(1, 64), froms(["same", "valid"])), stride=ints(1, 8))
@require("not isinstance(size, int) or size % stride == 0")
def union(size, stride):
    assert not isinstance(size, int) or size % stride == 0


@arg(x=np_arrays("int8", "t b"), mask=anys(None, np_arrays("bool", "t b")))
def optional_array(x, mask):
    assert mask is None or mask.shape == x.shape


class Schedule:
    @arg(start=floats(0, 1), end=floats(0, 1))
    @require("start <= end")
    def __init__(self, start, end):
        assert start <= end
"""
