"""Relations of each kind, for the tests of generated files."""

from related_files import Relation

HEAD = """\
import math

import numpy as np

FLOATS = ["float16", "float32", "float64"]
LIMIT, U = 3, 3


"""

SIDES = 'x=np_arrays("int8", "{}"), y=np_arrays("int8", "{}")'
SAME = 'a=np_arrays(same("D", of={}), "n"{}), b=np_arrays(same("D"), "n")'
WORDS = "words=lists(froms(['r', 'g', 'b']), min_len=1, max_len=3)"

RELATIONS = {
    # numbers, of which the last is listed or reckoned
    "unfold": Relation(
        "height=ints(1, 99), width=ints(1, 99), patch=ints(1, 32), stride=ints(1, 9)",
        "(height - patch) % stride == 0 or (height + patch) % stride == 1",
        "(width - patch) % stride == 0 and height - width in (patch, stride)",
    ),
    "quoted": Relation("h=ints(1, 99), w=ints(1, 99)", "(h == 50 + w) == True"),
    "otherwise": Relation(
        "x=ints(0, 99), mode=froms(['a', 'b'])", "x % 2 == 0 if mode == 'a' else x > 3"
    ),
    "outside_its_range": Relation("a=ints(0, 9), b=ints(3, 12)", "b == a + 5"),
    "whole_and_half": Relation("h=ints(1, 9), n=ints(1, 9)", "n == h / 2"),
    "in_steps": Relation("n=ints(4, 64, multiple_of=4), k=ints(1, 64)", "n <= k"),
    "texts_to_compare": Relation(
        "mode=froms(['same', 'valid']), other=froms(['valid', 'full']), k=ints(1, 9)",
        "mode == other and k > len(mode)",
    ),
    "not_one_value_and_below_others": Relation(
        "x=ints(0, 20), a=ints(1, 20), b=ints(1, 20)", "x < a and x < b and x != 3"
    ),
    "one_value_left": Relation(
        "b=ints(1, 12), words=froms(['s', 'v'])", "b in (1, 13) and (words == 's' or b > 1)"
    ),
    "too_many": Relation(
        "a=ints(1, 500), b=ints(1, 500), c=ints(1, 500)", "a * a + b * b == c * c"
    ),
    "interval": Relation("low=floats(0, 1), high=floats(0, 1)", "low < high"),
    "unbounded": Relation("low=floats(), high=floats()", "low < high"),
    "equation": Relation(
        "train=floats(0, 1), val=floats(0, 1), test=floats(0, 1)", "train + val + test == 1.0"
    ),
    # lists of which each item, or the length, is what is related
    "two_ends": Relation(
        "labels=int_lists(min=0, max=19), lo=ints(0, 5), hi=ints(6, 20)",
        "all(lo <= label < hi for label in labels)",
    ),
    "each_below_an_element": Relation(
        'x=np_arrays("int8", (3,), min=5, max=9), idx=int_lists(min=0, max=9)',
        "all(i < x.max() for i in idx)",
    ),
    "chosen_side": Relation(
        'x=np_arrays("int8", "b c"), axis=ints(-2, 1), idx=int_lists(min=-10, max=10)',
        "all(-x.shape[axis] <= i < x.shape[axis] for i in idx)",
    ),
    "falling": Relation(
        "xs=int_lists(min=0, max=9, max_len=4)", "all(a > b for a, b in zip(xs, xs[1:]))"
    ),
    "more_different_than_there_are": Relation(
        "xs=int_lists(min=0, max=2, min_len=1, max_len=5), n=ints(1, 5)",
        "len(set(xs)) == len(xs) and len(xs) == n",
    ),
    "few_that_differ": Relation(
        f"{WORDS}, n=ints(0, 20)",
        "len(set(words)) == len(words) and (len(words) == n or n == 0)",
    ),
    "lengths_that_differ": Relation(
        "a=int_lists(max_len=6), b=int_lists(max_len=6)", "len(a) == len(b) + 1"
    ),
    "record": Relation(
        "mode=froms(['a', 'b']), options=dicts({'lr': floats(0, 1), 'beta?': floats(0, 1)})",
        "('beta' in options) == (mode == 'a')",
    ),
    "option": Relation(
        "top_k=anys(None, ints(1, 100)), vocab=ints(1, 80)", "top_k is None or top_k <= vocab"
    ),
    "union": Relation(
        "size=anys(None, ints(1, 64), froms(['same', 'valid'])), stride=ints(1, 8)",
        "not isinstance(size, int) or size % stride == 0",
    ),
    # sides
    "ambiguous": Relation(SIDES.format("l k", "k l"), holds="x.shape == y.shape[::-1]"),
    "sides_below_zero": Relation(
        'x=np_arrays("int8", "n-3 k"), n=ints(1, 9)', holds="x.shape[0] == n - 3"
    ),
    "sides_divided": Relation(
        'x=np_arrays("int8", "n//m m"), n=ints(1, 9), m=ints(1, 3)', holds="x.shape == (n // m, m)"
    ),
    "sides_squared": Relation(
        'x=np_arrays("int8", "h w"), r=ints(1, 30)',
        "h * h + w * w == r * r",
        dims="h=ints(1, 30), w=ints(1, 30)",
        holds="math.hypot(*x.shape) == r",
    ),
    "alone": Relation('x=np_arrays("int8", "b k")', "b * k == 12", holds="x.size == 12"),
    "of_a_length": Relation(
        'n=ints(0, 4), names=str_lists(len="2*n+1")', holds="len(names) == 2 * n + 1"
    ),
    "whole_shapes": Relation(
        'x=np_arrays("int8", np_shapes(min_dims=3, max_dims=3)), y=np_arrays("int8", "a b c")',
        "x.shape[1:] == y.shape[:-1] and x.ndim == 3 and len(y) < y.size",
    ),
    "quantities": Relation('x=np_arrays("int8", "a b"), n=ints(1, 64)', "n == x.size"),
    "optional_array": Relation(
        'x=np_arrays("int8", "t b"), mask=anys(None, np_arrays("bool", "t b"))',
        holds="mask is None or mask.shape == x.shape",
    ),
    "unique_elements": Relation(
        'x=np_arrays("int8", "n k", unique=True), y=np_arrays("float16", "k", contents="sorted"), '
        'z=np_arrays("int64", "n", elements=ints(2, 8, multiple_of=2))',
        holds="x.shape == (len(z), len(y))",
    ),
    # dtypes
    "of_several_dtypes": Relation(
        'x=np_arrays(froms(["int8", "float32"]), "n", min=0, max=9), y=np_arrays(shape="n n")',
        holds="y.shape == (len(x), len(x))",
    ),
    "not_every_dtype_has_them": Relation(
        f"{SAME.format(['int8', 'int16'], '')}, k=ints(0, 999)",
        "(a > k).all()",
        holds="a.dtype == b.dtype and a.min() > k",
    ),
    "of_several_widths": Relation(
        SAME.format(["float16", "float64"], ", elements=floats(0, 1, width=32)"),
        holds="a.dtype == b.dtype",
    ),
    "whole": Relation(
        SAME.format(["int32", "int64"], ", min=0, max=9"),
        "(a > 3).all()",
        holds="a.dtype == b.dtype and a.min() > 3",
    ),
    "narrow": Relation(
        f"{SAME.format(['int8', 'int16'], ', max=999')}, k=ints(0, 999)",
        "(a < k).all()",
        holds="a.dtype == b.dtype and a.max() < k",
    ),
    "elements": Relation(
        f"{SAME.format('FLOATS', ', elements=floats(0, 1)')}, "
        'c=np_arrays(same("D"), "n", elements=ints(0, 3)), '
        'd=np_arrays(same("D"), "n", allow_nan=True)',
        holds="{x.dtype for x in (b, c, d)} == {a.dtype}",
    ),
    "large": Relation(
        'a=np_arrays(same("D", of=["float32", "int32"]), (2000,)), '
        'b=np_arrays(same("D"), (2000,), min=1, max=2.5)',
        holds="a.dtype == b.dtype",
    ),
    "bounds": Relation(
        'a=np_arrays(same("D", of=FLOATS), "n d", min=0, max=0.1), '
        'b=np_arrays(same("D"), "d m", min=-1)',
        "n <= m",
        holds="a.dtype == b.dtype and len(a) <= b.shape[1]",
    ),
    "chain": Relation(
        ", ".join(f'{name}=np_arrays(froms(FLOATS), "n")' for name in "xyz")
        + ", l=int_lists(max_len=9)",
        "x.dtype == y.dtype == z.dtype and len(l) == n",
        holds="x.dtype == y.dtype == z.dtype and len(l) == len(x)",
    ),
    "module_names": Relation(
        'a=np_arrays(same("U", of=FLOATS), "n"), b=np_arrays(same("U"), "n"), k=ints(1, 20)',
        "k % U == 0 and n < 5",
        holds="a.dtype == b.dtype and k % 3 == 0 and len(a) < 5",
    ),
}

# constructors, methods, generators, and a call that changes what it is given
SOURCES = """\
@arg(pair=froms([[1, 2], [3, 4], [5]]), n=ints(1, 60), k=ints(1, 60))
@require("(sum(pair) * n * n) % 47 == k * k")
def changed_by_the_call(pair, n, k):
    check((sum(pair) * n * n) % 47 == k * k)
    pair.append(1)


class Box:
    @arg(a=ints(1, 40), b=ints(1, 40), c=ints(1, 40))
    @require("a * a + b * b == c * c + LIMIT")
    def __init__(self, a, b, c):
        check(a * a + b * b == c * c + LIMIT)


@generator
@exclude
@arg(size=ints(1, 9), half=ints(1, 9))
@require("half * 2 <= size")
def pairs(size, half):
    check(half * 2 <= size)
    return [half] * size


@arg(xs=lists(objs(pairs), min_len=1, max_len=3), a=ints(1, 30), b=ints(1, 30), c=ints(1, 30))
@require("a * a + b * b == c * c and len(xs) <= a")
def made_items(xs, a, b, c):
    check(a * a + b * b == c * c and len(xs) <= a)


class Attention:
    limit = 4

    @arg(embed=ints(1, 64), heads=ints(1, 8), bias=bools())
    @require("embed % heads == 0")
    def __init__(self, embed, heads, bias):
        check(embed % heads == 0)
        self.units = embed

    @arg(length=ints(1, 64), window=ints(1, 8))
    @require("length % window == 0")
    def forward(self, length, window):
        check(length % window == 0)

    @arg(n=ints(1, 640), ids=int_lists(min=0, max=60))
    @require("n % self.units == 0 and all(i < self.units for i in ids)")
    def cut(self, n, ids):
        check(n % self.units == 0 and max(ids) < self.units)

    @arg(x=np_arrays("int16", "b self.units", min=0, max=99))
    @require("(x < self.units).all()")
    def apply(self, x):
        check(x.shape[1] == self.units > x.max())

    @classmethod
    @arg(width=ints(1, 64), parts=ints(1, 8))
    @require("width % cls.limit == 0 and parts < width")
    def of_width(cls, width, parts):
        check(width % 4 == 0 and parts < width)


@arg(table=objs(pairs), attention=objs(Attention))
def from_factories(table, attention):
    check(len(table) >= 2 * table[0])


@arg(layer=objs(Attention), rate=floats(0, 10))
@require("rate < layer.units")
def below_an_attribute(layer, rate):
    check(rate < layer.units)


class Pair:
    @arg(a=np_arrays(same("T", of=FLOATS), "n"), b=np_arrays(same("T"), "n"), T=ints(1, 4))
    def __init__(self, a, b, T):
        check(a.dtype == b.dtype and type(T) is int)
        self.dtype = a.dtype

    @arg(x=np_arrays(froms(FLOATS), "n"), y=np_arrays(froms(FLOATS), "n"), dtype=ints(1, 4))
    @require("x.dtype == y.dtype")
    def like(self, x, y, dtype):
        check(x.dtype == y.dtype and type(dtype) is int)

    @arg(x=np_arrays(froms(FLOATS), "n"))
    @require("x.dtype == self.dtype")
    def same(self, x):
        check(x.dtype == self.dtype)
"""

TEXT = HEAD + "".join(case.source(name) for name, case in RELATIONS.items()) + SOURCES
