"""Relations of each kind, for the tests of generated files.

Every function checks its own precondition, so that an invalid input fails its test.
"""

HEAD = "import math\n\nimport numpy as np\n\n\n"

BUILT = {
    "pairs_in_a_list": """\
@arg(pairs=lists(tuples(ints(0, 5), ints(0, 5)), len=2), n=ints(0, 9))
@require("pairs[0][1] <= n and pairs[1][0] < pairs[1][1]")
def pairs_in_a_list(pairs, n):
    assert pairs[0][1] <= n and pairs[1][0] < pairs[1][1]
""",
    "product_of_sides": """\
@arg(shape=int_lists(min_len=1, max_len=4, min=1, max=16), n=ints(1, 256))
@require("math.prod(shape) == n")
def product_of_sides(shape, n):
    assert math.prod(shape) == n <= 256 and max(shape) <= 16
""",
    "keeps_size": """\
@arg(x=np_arrays("int8", "a b c"), shape=int_lists(min_len=1, max_len=3, min=1, max=64))
@require("x.size == np.prod(shape)")
def keeps_size(x, shape):
    assert x.reshape(shape).ndim <= 3
""",
    "product_of_two": """\
@arg(sides=int_lists(min_len=1, max_len=3, min=1, max=9), d=ints(1, 8), h=ints(1, 8))
@require("d * h == math.prod(sides)")
def product_of_two(sides, d, h):
    assert math.prod(sides) == d * h
""",
    "not_one_value_and_below_others": """\
@arg(x=ints(0, 20), a=ints(1, 20), b=ints(1, 20))
@require("x < a and x < b and x != 3")
def not_one_value_and_below_others(x, a, b):
    assert x < a and x < b and x != 3
""",
    "one_value_left": """\
@arg(b=ints(1, 12), words=froms(["s", "v"]))
@require("b in (1, 13) and (words == 's' or b > 1)")
def one_value_left(b, words):
    assert b == 1 and words == "s"
""",
    "each_item": """\
@arg(labels=lists(ints(0, 19), max_len=8), lo=ints(0, 5), hi=ints(6, 20))
@require("all(lo <= label < hi for label in labels)")
def each_item(labels, lo, hi):
    assert all(lo <= one < hi for one in labels)
""",
    "chosen_side": """\
@arg(x=np_arrays("int8", "b c"), axis=ints(-2, 1), idx=int_lists(min=-10, max=10))
@require("all(-x.shape[axis] <= i < x.shape[axis] for i in idx)")
def chosen_side(x, axis, idx):
    assert all(-x.shape[axis] <= i < x.shape[axis] for i in idx)
""",
    "largest_and_smallest": """\
@arg(ids=int_lists(min=0, max=19), lo=ints(0, 19), hi=ints(0, 20))
@require("min(ids) >= lo and max(ids) < hi")
def largest_and_smallest(ids, lo, hi):
    assert lo <= min(ids) and max(ids) < hi
""",
    "multiples": """\
@arg(hidden=int_lists(min=1, max=64), heads=ints(1, 8))
@require("all(h % heads == 0 for h in hidden)")
def multiples(hidden, heads):
    assert all(h % heads == 0 for h in hidden)
""",
    "other_items": """\
@arg(pad=ints(0, 9), tokens=int_lists(min=0, max=9))
@require("pad not in tokens")
def other_items(pad, tokens):
    assert pad not in tokens
""",
    "rising": """\
@arg(steps=int_lists(min=1, max=99, max_len=6), total=ints(1, 100))
@require("all(steps[i] < steps[i + 1] for i in range(len(steps) - 1))")
@require("steps[-1] < total")
def rising(steps, total):
    assert steps == sorted(set(steps)) and max(steps) < total
""",
    "falling_floats": """\
@arg(rates=float_lists(min=0, max=1, max_len=5), bounds=int_lists(min=0, max=99, max_len=4))
@require("len(rates) == len(bounds) + 1")
@require("rates == sorted(rates, reverse=True)")
def falling_floats(rates, bounds):
    assert len(rates) == len(bounds) + 1 and rates == sorted(rates)[::-1]
""",
    "different": """\
@arg(ids=int_lists(min=0, max=31, max_len=8), n=ints(1, 32))
@require("len(set(ids)) == len(ids) and all(i < n for i in ids)")
def different(ids, n):
    assert len({*ids}) == len(ids) and max(ids) < n
""",
    "permutation": """\
@arg(order=int_lists(min=0, max=7, max_len=8), x=np_arrays("int8", np_shapes(max_dims=4)))
@require("sorted(order) == list(range(x.ndim))")
def permutation(order, x):
    assert sorted(order) == [*range(x.ndim)]
""",
    "sum_below": """\
@arg(x=np_arrays("int8", "b c"), splits=int_lists(min=1, max=8, max_len=6))
@require("sum(splits) <= c")
def sum_below(x, splits):
    assert sum(splits) <= x.shape[1]
""",
    "elements": """\
@arg(logits=np_arrays("float32", "b c"), labels=np_arrays("int64", "b", min=0, max=9))
@require("labels.max() < logits.shape[1]")
def elements(logits, labels):
    assert len(labels) == len(logits) and (labels < logits.shape[1]).all()
""",
    "axis": """\
@arg(x=np_arrays("int8", np_shapes(max_dims=4, max_side=4)), axis=ints(-8, 8))
@require("-x.ndim <= axis < x.ndim")
def axis(x, axis):
    assert -x.ndim <= axis < x.ndim
""",
    "parts": """\
@arg(size=tuples(ints(1, 64), ints(1, 64)), patch=int_lists(len=2, min=1, max=16))
@require("size[0] % patch[0] == 0 and size[1] % patch[1] == 0")
def parts(size, patch):
    assert size[0] % patch[0] == size[1] % patch[1] == 0
""",
    "record": """\
@arg(mode=froms(["sgd", "adam"]), options=dicts({"lr": floats(0, 1), "beta?": floats(0, 1)}))
@require("('beta' in options) == (mode == 'adam')")
def record(mode, options):
    assert ("beta" in options) == (mode == "adam") and "lr" in options
""",
    "apart": """\
@arg(x=ints(0, 1000000), y=ints(0, 1000000), a=floats(0, 1), b=floats(0, 1))
@require("x != y and a != b")
def apart(x, y, a, b):
    assert x != y and a != b
""",
    "otherwise": """\
@arg(start=floats(0, 1), end=floats(0, 1), warm=ints(0, 9))
@require("start < end if warm > 0 else start >= end")
def otherwise(start, end, warm):
    assert start < end if warm else start >= end
""",
    "several_bounds": """\
@arg(a=ints(1, 10000), b=ints(1, 10000), x=ints(0, 20000), low=ints(0, 20000))
@require("low <= x and x < a and x < b")
def several_bounds(a, b, x, low):
    assert low <= x < min(a, b)
""",
    "in_parts": """\
@arg(h=ints(1, 224), w=ints(1, 224), patch=ints(1, 32))
@require("h % patch == 0 and w % patch == 0")
def in_parts(h, w, patch):
    assert h % patch == w % patch == 0
""",
    "Layer_cut": """\
class Layer:
    limit = 4

    @arg(units=ints(1, 64))
    def __init__(self, units):
        self.units = units

    @arg(n=ints(1, 640), ids=int_lists(min=0, max=60))
    @require("n % self.units == 0 and all(i < self.units for i in ids)")
    def cut(self, n, ids):
        assert n % self.units == 0 and max(ids) < self.units
""",
    "Layer_apply": """\
    @arg(x=np_arrays("int16", "b self.units", min=0, max=99))
    @require("(x < self.units).all()")
    def apply(self, x):
        assert x.shape[1] == self.units > x.max()
""",
    "Layer_of_class": """\
    @classmethod
    @arg(n=ints(1, 50), k=ints(1, 50))
    @require("n % cls.limit == 0 and k < n")
    def of_class(cls, n, k):
        assert n % 4 == 0 and k < n
""",
}

ROUNDED = {
    "product": """\
@arg(a=floats(0, 10), b=floats(0, 10), limit=floats(1, 20))
@require("a * b <= limit")
def product(a, b, limit):
    assert a * b <= limit
""",
    "ratio": """\
@arg(a=floats(0, 10), b=floats(0.1, 10), steps=ints(1, 1000))
@require("a / b <= 3 and b * steps >= 50")
def ratio(a, b, steps):
    assert a / b <= 3 and b * steps >= 50
""",
    "near": """\
@arg(probs=float_lists(min=0, max=1, min_len=2, max_len=5), a=floats(0, 9), b=floats(0, 9))
@require("abs(sum(probs) - 1) < 1e-6")
@require("abs(a - b) <= 1")
def near(probs, a, b):
    assert abs(sum(probs) - 1) < 1e-6 and abs(a - b) <= 1
""",
    "Layer_rate": """\
@arg(layer=objs(Layer), rate=floats(0, 10))
@require("rate < layer.units")
def Layer_rate(layer, rate):
    assert rate < layer.units
""",
}

PARTS = """\
@arg(pairs=lists(tuples(ints(0, 5), strs(max_len=2)), len=2), n=ints(0, 9))
@require("pairs[0][0] <= n")
def with_texts(pairs, n):
    assert pairs[0][0] <= n


@arg(pair=tuples(ints(0, 5), strs(max_len=2)), n=ints(0, 9))
@require("pair[0] <= n")
def with_a_text(pair, n):
    assert pair[0] <= n


@arg(rows=lists(lists(ints(0, 5), max_len=3), max_len=3))
@require("all(len(row) == len(rows[0]) for row in rows)")
def rows_as_long(rows):
    assert len({len(row) for row in rows}) <= 1
"""

CASES = BUILT | ROUNDED | {"parts of arguments": PARTS}
