"""Relations of numbers, for the tests of generated files.

Every function checks its own precondition, so that an invalid input fails its test.
"""

HEAD = "import math\n\nLIMIT = 3\n\n\n"

PLAIN = {
    "conv": """\
@arg(h=ints(1, 64), k=ints(1, 31), p=ints(0, 3), s=ints(1, 4), bias=bools())
@require("k <= h + 2 * p")
@require("(h + 2 * p - k) % s == 0")
def conv(h, k, p, s, bias): pass
""",
    "matmul": """\
@dims(k=froms([8, 16]))
@arg(x=np_arrays("float32", "b k"), w=np_arrays("float32", "k 2*m"))
def matmul(x, w): pass
""",
    "unfold": """\
@arg(height=ints(1, 99), width=ints(1, 99), patch=ints(1, 32), stride=ints(1, 9))
@require("(height - patch) % stride == 0 or (height + patch) % stride == 1")
@require("(width - patch) % stride == 0 and height - width in (patch, stride)")
def unfold(height, width, patch, stride): pass
""",
    "split": """\
@arg(splits=int_lists(min_len=1, max_len=4, min=1, max=9), d=ints(1, 30))
@require("sum(splits) == d")
def split(splits, d): pass
""",
    "from_zero": """\
@arg(a=ints(0, 99), b=ints(0, 99))
@require("a == b + 50")
def from_zero(a, b): pass
""",
    "alone": """\
@arg(x=np_arrays("int8", "b k"))
@require("b * k == 12")
def alone(x): pass
""",
    "broken_once": """\
@arg(mode=froms([1, 2]), stride=ints(1, 4), kernel=ints(1, 99))
@require("mode != 1 or stride == 1 and kernel % 11 == 0")
def broken_once(mode, stride, kernel): pass
""",
    "quoted": """\
@arg(h=ints(1, 99), w=ints(1, 99))
@require("(h == 50 + w) == True")
def quoted(h, w): pass
""",
    "otherwise": """\
@arg(x=ints(0, 99), mode=froms(["a", "b"]))
@require("x % 2 == 0 if mode == 'a' else x > 3")
def otherwise(x, mode): pass
""",
    "ambiguous": """\
@arg(x=np_arrays("int8", "l k"), y=np_arrays("int8", "k l"))
def ambiguous(x, y): pass
""",
}

SELDOM = {
    "triple": """\
@arg(a=ints(1, 40), b=ints(1, 40), c=ints(1, 40))
@require("a * a + b * b == c * c")
def triple(a, b, c):
    assert a * a + b * b == c * c
""",
    "few": """\
@arg(r=ints(1, 3), groups=ints(1, 4), c=ints(1, 8))
@require("c % (r * r * groups) == 0")
def few(r, groups, c):
    assert c % (r * r * groups) == 0
""",
    "reshaped": """\
@arg(a=ints(1, 40), b=ints(1, 40), c=ints(1, 40), d=ints(1, 40))
@require("a * b == c * d")
def reshaped(a, b, c, d):
    assert a * b == c * d
""",
    "grouped": """\
@arg(x=np_arrays("int8", np_shapes(min_dims=2, max_dims=2, max_side=6)))
@arg(w=np_arrays("int8", np_shapes(min_dims=2, max_dims=2, max_side=6)), groups=ints(1, 6))
@require("x.shape[1] == w.shape[1] * groups and w.shape[0] % groups == 0")
def grouped(x, w, groups):
    assert x.shape[1] == w.shape[1] * groups and w.shape[0] % groups == 0
""",
    "parallel": """\
@arg(world=ints(1, 64), tp=ints(1, 64), pp=ints(1, 64), dp=ints(1, 64))
@require("tp * pp * dp == world")
def parallel(world, tp, pp, dp):
    assert tp * pp * dp == world
""",
    "aspect": """\
@arg(h=ints(1, 64), w=ints(1, 64), area=ints(1, 1024))
@require("h * w == area and abs(h - w) <= 4")
def aspect(h, w, area):
    assert h * w == area and abs(h - w) <= 4
""",
    "more_of_one": """\
@arg(a=ints(1, 30), b=ints(1, 30), c=ints(1, 30), n=ints(1, 20))
@require("a * a + b * b == c * c and n < a and n < b")
def more_of_one(a, b, c, n):
    assert a * a + b * b == c * c and n < min(a, b)
""",
    "guarded": """\
@arg(a=ints(0, 12), b=ints(0, 12), c=ints(0, 12), d=ints(0, 12))
@require("a * d != 0 and b * b // a == c * c // d and b * c % 7 == 3")
def guarded(a, b, c, d):
    assert a * d and b * b // a == c * c // d and b * c % 7 == 3
""",
    "in_one_of_two_ways": """\
@arg(a=anys(None, ints(1, 40)), b=ints(1, 40), c=ints(1, 40))
@require("a * a + b * b == c * c if a is not None else b ** 2 == c ** 3")
def in_one_of_two_ways(a, b, c):
    assert a * a + b * b == c * c if a is not None else b**2 == c**3
""",
    "sides": """\
@dims(h=ints(1, 30), w=ints(1, 30))
@arg(x=np_arrays("int8", "h w"), r=ints(1, 30))
@require("h * h + w * w == r * r")
def sides(x, r):
    assert math.hypot(*x.shape) == r
""",
    "words": """\
@arg(word=froms(["a", "bb", "ccc"]), n=ints(1, 50), k=ints(1, 50))
@require("(len(word) * n * n) % 47 == k * k")
def words(word, n, k):
    assert (len(word) * n * n) % 47 == k * k
""",
    "Box.__init__": """\
class Box:
    @arg(a=ints(1, 40), b=ints(1, 40), c=ints(1, 40))
    @require("a * a + b * b == c * c + LIMIT")
    def __init__(self, a, b, c):
        assert a * a + b * b == c * c + LIMIT
""",
    "near": """\
@arg(a=floats(0, 1), b=floats(0, 1), eps=floats(1e-6, 0.1))
@require("abs(a - b) < eps")
def near(a, b, eps):
    assert abs(a - b) < eps
""",
    "below_one": """\
@arg(p=floats(0, 1), q=floats(0, 1), r=floats(0, 1))
@require("p + q + r < 1")
def below_one(p, q, r):
    assert p + q + r < 1
""",
    "shares_of_data": """\
@arg(train=floats(0, 1), val=floats(0, 1))
@require("train + val <= 1")
def shares_of_data(train, val):
    assert train + val <= 1
""",
    "warm_and_hold": """\
@arg(warmup=floats(0, 1), hold=floats(0, 1), total=floats(0, 2))
@require("warmup + hold <= total")
def warm_and_hold(warmup, hold, total):
    assert warmup + hold <= total
""",
    "made_items": """\
@generator
@exclude
@arg(size=ints(1, 9), half=ints(1, 9))
@require("half * 2 <= size")
def pairs(size, half):
    return [half] * size


@arg(xs=lists(objs(pairs), min_len=1, max_len=3), a=ints(1, 30), b=ints(1, 30), c=ints(1, 30))
@require("a * a + b * b == c * c and len(xs) <= a")
def made_items(xs, a, b, c):
    assert a * a + b * b == c * c and len(xs) <= a
""",
    "decayed": """\
@arg(lr=floats(1e-6, 1), end_lr=floats(0, 1), decay=floats(0.5, 1), steps=ints(1, 20))
@require("lr * decay ** steps >= end_lr")
def decayed(lr, end_lr, decay, steps):
    assert lr * decay**steps >= end_lr
""",
    "some_weight": """\
@arg(a=floats(0, 1), b=floats(0, 1))
@require("a + b > 0")
def some_weight(a, b):
    assert a + b > 0
""",
    "nesterov": """\
@arg(momentum=floats(0, 1), dampening=floats(0, 1), nesterov=bools())
@require("not nesterov or (momentum > 0 and dampening == 0)")
def nesterov(momentum, dampening, nesterov):
    assert not nesterov or (momentum > 0 and dampening == 0)
""",
}

ROUNDED = {
    "odd_bound": """\
@arg(x=floats(0, 1), y=floats(0, 1))
@require("x + y <= 0.9")
def odd_bound(x, y):
    assert x + y <= 0.9
""",
    "one_part": """\
@arg(total=ints(1, 100), a=floats(0, 1), b=floats(0, 1))
@require("a + b < 1 and total * a >= 1")
def one_part(total, a, b):
    assert a + b < 1 and total * a >= 1
""",
}

LARGE = {
    "too_many": """\
@arg(a=ints(1, 500), b=ints(1, 500), c=ints(1, 500))
@require("a * a + b * b == c * c")
def too_many(a, b, c):
    assert a * a + b * b == c * c
""",
    "changed_by_the_call": """\
@arg(pair=froms([[1, 2], [3, 4], [5]]), n=ints(1, 60), k=ints(1, 60))
@require("(sum(pair) * n * n) % 47 == k * k")
def changed_by_the_call(pair, n, k):
    assert (sum(pair) * n * n) % 47 == k * k
    pair.append(1)
""",
}

# where k is 0, it is only the condition on x that says so
UNGUARDED = """\
@arg(k=ints(-20, 20), x=ints(-500, 500), n=ints(0, 120))
@require("k * x > 5 and n * n % k == 0")
def unguarded(k, x, n):
    assert k * x > 5 and n * n % k == 0
"""

# what must be seen to be in the words, and not taken for simpler ones
WORDED = {
    "sides_below_zero": """\
@arg(x=np_arrays("int8", "n-3 k"), n=ints(1, 9))
def sides_below_zero(x, n):
    assert x.shape[0] == n - 3
""",
    "sides_divided": """\
@arg(x=np_arrays("int8", "n//m m"), n=ints(1, 9), m=ints(1, 3))
def sides_divided(x, n, m):
    assert x.shape == (n // m, m)
""",
    "two_ends": """\
@arg(labels=int_lists(min=0, max=19), lo=ints(0, 5), hi=ints(6, 20))
@require("all(lo <= label < hi for label in labels)")
def two_ends(labels, lo, hi):
    assert all(lo <= one < hi for one in labels)
""",
    "each_below_an_element": """\
@arg(x=np_arrays("int8", (3,), min=5, max=9), idx=int_lists(min=0, max=9))
@require("all(i < x.max() for i in idx)")
def each_below_an_element(x, idx):
    assert max(idx) < x.max()
""",
    "neighbours_the_other_way": """\
@arg(xs=int_lists(min=0, max=9, max_len=4))
@require("all(b < a for b, a in zip(xs, xs[1:]))")
def neighbours_the_other_way(xs):
    assert xs == sorted(set(xs))
""",
    "falling": """\
@arg(xs=int_lists(min=0, max=9, max_len=4))
@require("all(a > b for a, b in zip(xs, xs[1:]))")
def falling(xs):
    assert xs == sorted(set(xs), reverse=True)
""",
    "more_different_than_there_are": """\
@arg(xs=int_lists(min=0, max=2, min_len=1, max_len=5), n=ints(1, 5))
@require("len(set(xs)) == len(xs) and len(xs) == n")
def more_different_than_there_are(xs, n):
    assert len({*xs}) == len(xs) == n
""",
    "outside_its_range": """\
@arg(a=ints(0, 9), b=ints(3, 12))
@require("b == a + 5")
def outside_its_range(a, b):
    assert b == a + 5 <= 12
""",
    "whole_and_half": """\
@arg(h=ints(1, 9), n=ints(1, 9))
@require("n == h / 2")
def whole_and_half(h, n):
    assert type(n) is int and 2 * n == h
""",
    "in_steps": """\
@arg(n=ints(4, 64, multiple_of=4), k=ints(1, 64))
@require("n <= k")
def in_steps(n, k):
    assert n % 4 == 0 and n <= k
""",
    "texts_to_compare": """\
@arg(mode=froms(["same", "valid"]), other=froms(["valid", "full"]), k=ints(1, 9))
@require("mode == other and k > len(mode)")
def texts_to_compare(mode, other, k):
    assert mode == other == "valid" and k > 5
""",
    "lengths_that_differ": """\
@arg(a=int_lists(max_len=6), b=int_lists(max_len=6))
@require("len(a) == len(b) + 1")
def lengths_that_differ(a, b):
    assert len(a) == len(b) + 1
""",
    "of_a_length": """\
@arg(n=ints(0, 4), names=str_lists(len="2*n+1"))
def of_a_length(n, names):
    assert len(names) == 2 * n + 1
""",
    "whole_shapes": """\
@arg(x=np_arrays("int8", np_shapes(min_dims=3, max_dims=3)), y=np_arrays("int8", "a b c"))
@require("x.shape[1:] == y.shape[:-1] and x.ndim == 3 and len(y) < y.size")
def whole_shapes(x, y):
    assert x.shape[1:] == y.shape[:2] and len(y) < y.size
""",
    "all_alike": """\
@arg(xs=int_lists(min=0, max=9, max_len=4), n=ints(0, 9))
@require("all(x == n for x in xs)")
def all_alike(xs, n):
    assert {*xs} == {n}
""",
    "tuples_in_order": """\
@arg(xs=tuples(ints(0, 9), min_len=1, max_len=4))
@require("all(a <= b for a, b in zip(xs, xs[1:]))")
def tuples_in_order(xs):
    assert type(xs) is tuple and [*xs] == sorted(xs)
""",
    "unique_elements": """\
@arg(x=np_arrays("int8", "n k", unique=True), y=np_arrays("float16", "k", contents="sorted"))
@arg(z=np_arrays("int64", "n", elements=ints(2, 8, multiple_of=2)))
def unique_elements(x, y, z):
    assert x.shape == (len(z), len(y)) and len({*x.ravel()}) == x.size
    assert sorted(y) == y.tolist() and {*z.tolist()} <= {2, 4, 6, 8}
""",
    "of_several_dtypes": """\
@arg(x=np_arrays(froms(["int8", "float32"]), "n", min=0, max=9), y=np_arrays(shape="n n"))
def of_several_dtypes(x, y):
    assert y.shape == (len(x), len(x)) and 0 <= x.min() <= x.max() <= 9
""",
    "quantities": """\
@arg(x=np_arrays("int8", "a b"), n=ints(1, 64))
@require("n == x.size")
def quantities(x, n):
    assert n == x.size
""",
}

CASES = PLAIN | WORDED | SELDOM | ROUNDED | LARGE | {"unguarded": UNGUARDED}
