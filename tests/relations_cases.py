"""Preconditions with the arguments that they relate, for the tests of relations."""

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from annotest import (
    anys,
    bool_lists,
    bools,
    dicts,
    float_lists,
    floats,
    froms,
    int_lists,
    ints,
    lists,
    np_arrays,
    np_shapes,
    strs,
    tuples,
)

SMALL = ints(0, 20)
REAL = floats()
UNIT = floats(0, 1)
WEIGHTS = float_lists(min_len=2, max_len=5, min=0, max=1)
WORDS = lists(froms(["r", "g", "b"]), min_len=1, max_len=3)
SIZES = int_lists(min_len=1, max_len=5, min=1, max=9)
SHAPES = np_shapes(min_dims=1, max_dims=3, min_side=1, max_side=6)
ARRAYS = np_arrays("float32", SHAPES)
INT_ARRAYS = np_arrays("int8", SHAPES)
MATRICES = np_arrays("float32", np_shapes(min_dims=2, max_dims=2))
SPLITS = int_lists(min_len=1, max_len=6, min=1, max=64)
DTYPES = np_arrays(froms(["float32", "float64"]), (2,))
LISTS = int_lists(min_len=0, max_len=4, min=0, max=5)
BORDERS = int_lists(min_len=1, max_len=5, min=0, max=1000)
STARTS = lists(ints(0, 6), max_len=4)
SPANS = lists(tuples(SMALL, SMALL), min_len=1, max_len=4)
BOXES = lists(tuples(SMALL, SMALL, SMALL, SMALL), max_len=4)
ROWS = lists(int_lists(min_len=1, max_len=4, min=0, max=8), min_len=1, max_len=4)
STEPS = lists(dicts({"in": SMALL, "out": SMALL, "name": strs(max_len=2)}), min_len=1, max_len=4)
BATCH = lists(
    np_arrays("int8", np_shapes(min_dims=1, max_dims=3, max_side=3)), min_len=1, max_len=3
)


@dataclass
class Case:
    """A precondition that is understood, and the arguments it relates."""

    condition: Any
    constraints: dict

    def __init__(self, condition, **constraints):
        self.condition = condition
        self.constraints = constraints

    @property
    def holds(self):
        if callable(self.condition):
            return lambda values: self.condition(**values)
        scope = {"math": math, "np": np}
        return lambda values: eval(self.condition, {**scope, **values})


def shown(case):
    return case.condition if isinstance(case.condition, str) else case.condition.__name__


def is_multiple(n, k):
    """Say whether n can be divided by k."""
    return n % k == 0


def increases(b):
    """Say whether each number is above the one before it, in a way that nobody understands."""
    steps = [other - one for one, other in pairwise(b)]
    return all(step > 0 for step in steps)


CASES = [
    Case(
        "not isinstance(n, int) or n % k == 0", n=anys(ints(1, 64), LISTS), k=ints(2, 8)
    ),
    # arithmetic
    Case("h % stride == 0", h=ints(1, 512), stride=ints(1, 16)),
    Case("k <= h + 2*p", h=ints(1, 64), k=ints(1, 31), p=ints(0, 3)),
    Case("(h + 2*p - k) % s == 0 and k <= h + 2*p", h=ints(1, 64), k=SMALL, p=SMALL, s=ints(1, 4)),
    Case("a * b <= limit", a=ints(1, 100), b=ints(1, 100), limit=ints(1, 500)),
    Case("a // b == 3", a=SMALL, b=ints(1, 9)),
    Case("a - b > c", a=SMALL, b=SMALL, c=SMALL),
    Case("abs(a - b) <= 2", a=ints(-20, 20), b=ints(-20, 20)),
    Case("2 ** k == n", k=ints(0, 9), n=ints(1, 512)),
    Case("n & (n - 1) == 0", n=ints(1, 4096)),
    Case("math.gcd(a, b) == 1", a=ints(1, 60), b=ints(1, 60)),
    Case("a / b < 1.5", a=ints(1, 9), b=ints(1, 9)),
    Case("max(a, b) + min(a, b) == 21", a=SMALL, b=SMALL),
    Case("lo < hi", lo=floats(-10, 10), hi=floats(-10, 10)),
    Case("a + b == 2 * c", a=REAL, b=REAL, c=REAL),
    Case("a + b + c == 1", a=REAL, b=REAL, c=REAL),
    Case("a * b == c", a=REAL, b=REAL, c=REAL),
    Case("abs(a + b - c) < 1e-6", a=REAL, b=REAL, c=REAL),
    Case("0 < rate <= limit", rate=floats(0, 1), limit=floats(0.1, 1)),
    Case(lambda n, k: n % k == 0, n=ints(1, 200), k=ints(1, 9)),
    Case(is_multiple, n=ints(1, 200), k=ints(1, 9)),
    # comparisons, and what joins them
    Case("1 < a < b <= 9", a=SMALL, b=SMALL),
    Case("a != b", a=ints(0, 3), b=ints(0, 3)),
    Case("a == 0 or b == 0", a=SMALL, b=SMALL),
    Case("not (a < 5 and b < 5)", a=SMALL, b=SMALL),
    Case("not flag or n > 15", flag=bools(), n=SMALL),
    Case("n > 15 if flag else n < 5", flag=bools(), n=SMALL),
    Case("flag == (n > 10)", flag=bools(), n=SMALL),
    Case("n in (3, 5, 7)", n=SMALL),
    Case("n in (3, 5, 7)", n=ints(1, 10**9)),
    Case("n not in range(2, 18)", n=SMALL),
    Case("mode in ('a', 'b') or n == 0", mode=froms(["a", "b", "c"]), n=SMALL),
    Case("(mode, n) == ('same', 1000 * k + j)", mode=froms(["same", "valid"]), n=ints(1, 10**6), k=ints(1, 1000), j=ints(0, 999)),
    Case("mode != 'same' or stride == 1", mode=froms(["same", "valid"]), stride=ints(1, 4)),
    # lists
    Case("len(sizes) == n", sizes=SIZES, n=ints(0, 50)),
    Case("sum(sizes) == n", sizes=SIZES, n=ints(1, 60)),
    Case("sum(xs) < 3", xs=lists(ints(1, 5), min_len=2, max_len=60)),
    Case("isinstance(sum(sizes), int)", sizes=SIZES),
    Case("max(sizes) - min(sizes) <= 2", sizes=SIZES),
    Case("sizes[0] == sizes[-1]", sizes=SIZES),
    Case("all(one < n for one in sizes)", sizes=SIZES, n=ints(2, 20)),
    Case("any(one == n for one in sizes)", sizes=SIZES, n=ints(1, 9)),
    Case("n in sizes", sizes=SIZES, n=SMALL),
    Case("all(a < b for a, b in zip(x, x[1:]))", x=SIZES),
    Case("all(b[i] < b[i+1] for i in range(len(b)-1))", b=BORDERS),
    Case("all(b[i-1] <= b[i] for i in range(1, len(b)))", b=BORDERS),
    Case("all(b[i] > b[i + 1] for i in range(len(b) - 1))", b=BORDERS),
    Case("all(b[i] >= b[1 + i] for i in range(0, len(b) - 1))", b=BORDERS),
    Case(lambda b: all(b[i] < b[i + 1] for i in range(len(b) - 1)), b=BORDERS),
    Case("all(b[i] % 7 == 3 for i in range(len(b)))", b=BORDERS),
    Case("all(b[i] == b[-i-1] for i in range(len(b) // 2))", b=BORDERS),
    Case("all(a[i+1] >= 2*a[i] for i in range(len(a)-1))", a=SIZES),
    Case("all(d[i] % d[i+1] == 0 for i in range(len(d)-1))", d=int_lists(min_len=2, max_len=6, min=1, max=256)),
    Case("b[len(b) - 1] == 1000 and b[len(b) // 2] > 900", b=BORDERS),
    Case("x == sorted(x)", x=SIZES),
    Case("len(set(x)) == len(x)", x=SIZES),
    Case("x[:2] == y[:2]", x=SIZES, y=SIZES),
    Case("len(x[1:]) == len(y)", x=SIZES, y=SIZES),
    Case("sum(a) == sum(b)", a=SIZES, b=SIZES),
    Case("sum(a * b for a, b in zip(x, y)) < 40", x=SIZES, y=SIZES),
    Case("all(place < one for place, one in enumerate(x))", x=SIZES),
    Case("sum(weights) <= 1", weights=float_lists(min_len=1, max_len=4, min=0, max=1)),
    Case("n == pair[i] * 1000 + k", pair=tuples(ints(1, 1000), ints(1, 1000)), i=ints(0, 1), k=ints(0, 999), n=ints(0, 10**7)),
    Case("pair[0] < pair[1]", pair=tuples(SMALL, SMALL)),
    Case("sorted(order) == list(range(n))", order=int_lists(min_len=1, max_len=5, min=0), n=ints(1, 5)),
    Case(lambda x, n: len(x) == n and min(x) > 2, x=SIZES, n=ints(0, 9)),
    # lists of tuples, of lists, of records and of arrays
    Case("all(a < b for a, b in spans)", spans=SPANS),
    Case("all(a < b <= n for a, b in spans)", spans=SPANS, n=ints(2, 20)),
    Case("all(s[0] < s[1] for s in spans)", spans=SPANS),
    Case(lambda spans: all(span[0] < span[1] for span in spans), spans=SPANS),
    Case("all(i < n and j < n for i, j in edges)", edges=SPANS, n=ints(1, 20)),
    Case("all(0 <= v < n for e in edges for v in e)", edges=SPANS, n=ints(1, 20)),
    Case("max(max(e) for e in edges) < n", edges=SPANS, n=ints(1, 30)),
    Case("all(x1 < x2 and y1 < y2 for x1, y1, x2, y2 in boxes)", boxes=BOXES),
    Case("all(a[1] == b[0] for a, b in zip(blocks, blocks[1:]))", blocks=SPANS),
    Case("blocks[0][0] == x.shape[1]", blocks=SPANS, x=MATRICES),
    Case("spans == sorted(spans) and len(set(spans)) == len(spans)", spans=SPANS),
    Case("sum(b - a for a, b in spans) == 25", spans=SPANS),
    Case("all(k < n for _, k in pairs)", pairs=lists(tuples(strs(max_len=2), SMALL)), n=ints(1, 9)),
    Case("pair[0] < n", pair=tuples(SMALL, strs(max_len=2)), n=ints(1, 9)),
    Case("all(len(r) == len(rows[0]) for r in rows)", rows=ROWS),
    Case("all(len(r) == n for r in rows)", rows=ROWS, n=ints(1, 4)),
    Case("all(e < n for r in rows for e in r)", rows=ROWS, n=ints(1, 9)),
    Case("all(len(r) <= x.shape[1] for r in rows)", rows=ROWS, x=MATRICES),
    Case("len({len(r) for r in rows}) == 1", rows=ROWS),
    Case("len(set(map(len, rows))) == 1", rows=ROWS),
    Case("sum(len(r) for r in rows) == n", rows=ROWS, n=ints(1, 16)),
    Case("all(sum(r) == 8 for r in rows)", rows=ROWS),
    Case("all(len(r) == len(rows) for r in rows)", rows=ROWS),
    Case("all(len(a) == n for n, a in batch)", batch=lists(tuples(SMALL, LISTS), max_len=4)),
    Case("all(a['out'] == b['in'] for a, b in zip(steps, steps[1:]))", steps=STEPS),
    Case("all(x.shape == xs[0].shape for x in xs)", xs=BATCH),
    Case("all(x.max() < n for x in xs)", xs=lists(np_arrays("int8", ()), max_len=3), n=SMALL),
    # shapes
    Case("x.shape[1] == y.shape[0]", x=MATRICES, y=MATRICES),
    Case("sum(splits) == x.shape[axis]", splits=SPLITS, x=MATRICES, axis=froms([0, 1, -1])),
    Case("axis < x.ndim and n < x.shape[axis]", x=ARRAYS, axis=ints(-1, 2), n=SMALL),
    Case("x.ndim == len(sizes)", x=ARRAYS, sizes=SIZES),
    Case("x.size == math.prod(shape)", x=ARRAYS, shape=SHAPES),
    Case("x.shape[1:] == y.shape[1:]", x=ARRAYS, y=ARRAYS),
    Case("len(x) == n", x=ARRAYS, n=SMALL),
    Case("len(s) == x.ndim and all(a < n for a, n in zip(s, x.shape))", s=STARTS, x=INT_ARRAYS),
    Case("len(s) == x.ndim and all(0 <= a < n for a, n in zip(s, x.shape))", s=STARTS, x=INT_ARRAYS),
    Case("len(s) == x.ndim and all(s[i] < x.shape[i] for i in range(x.ndim))", s=STARTS, x=INT_ARRAYS),
    Case("len(a) == len(b) == x.ndim", a=STARTS, b=STARTS, x=INT_ARRAYS),
    Case("x.shape == (n, 2 * n)", x=ARRAYS, n=SMALL),
    Case("all(a == b or 1 in (a, b) for a, b in zip(x[::-1], y[::-1]))", x=SHAPES, y=SHAPES),
    Case("(x < n).all()", x=np_arrays("int64", SHAPES, min=0, max=99), n=ints(2, 20)),
    Case("all(x < n)", x=np_arrays("int64", (ints(1, 9),), min=0, max=99), n=ints(2, 20)),
    Case("x.max() <= n", x=np_arrays("int64", SHAPES, min=0, max=99), n=ints(2, 20)),
    Case("x.dtype == y.dtype", x=DTYPES, y=DTYPES),
    Case("x.dtype == np.float64 or n == 0", x=DTYPES, n=SMALL),
    # unions and records
    Case("a is not None or b is not None", a=anys(SMALL, None), b=anys(SMALL, None)),
    Case("a is None or a < n", a=anys(SMALL, None), n=SMALL),
    Case("type(x) is not list or len(x) == n", x=anys(-1, SIZES), n=ints(2, 5)),
    Case("isinstance(x, int) or sum(x) == n", x=anys(SMALL, SIZES), n=SMALL),
    Case("('rate' in cfg) == (mode == 'dropout')", mode=froms(["dropout", "none"]), cfg=dicts({"rate?": floats(0, 1)})),
    Case("cfg['low'] < cfg['high']", cfg=dicts({"low": SMALL, "high": SMALL})),
    Case("cfg.get('low', 0) <= n", cfg=dicts({"low?": SMALL}), n=SMALL),
    Case("len(cfg['a']) == len(cfg['b'])", cfg=dicts({"a": SIZES, "b": LISTS, "name": strs(max_len=2)})),
]  # fmt: skip

# found by looking at other arguments: products, squares, rounded sums; and lists and shapes as a whole
CASES += [
    Case("a * a + b * b == c * c", a=ints(1, 40), b=ints(1, 40), c=ints(1, 40)),
    Case("a * a + b * b == c * c and n < a and n < b", a=ints(1, 30), b=ints(1, 30), c=ints(1, 30), n=SMALL),
    Case("a * a + b * b == c * c if a is not None else b ** 2 == c ** 3", a=anys(None, ints(1, 40)), b=ints(1, 40), c=ints(1, 40)),
    Case("c % (r * r * groups) == 0", r=ints(1, 3), groups=ints(1, 4), c=ints(1, 8)),
    Case("a * b == c * d", a=ints(1, 40), b=ints(1, 40), c=ints(1, 40), d=ints(1, 40)),
    Case("tp * pp * dp == world", world=ints(1, 64), tp=ints(1, 64), pp=ints(1, 64), dp=ints(1, 64)),
    Case("h * w == area and abs(h - w) <= 4", h=ints(1, 64), w=ints(1, 64), area=ints(1, 1024)),
    Case("a * d != 0 and b * b // a == c * c // d and b * c % 7 == 3", a=ints(0, 12), b=ints(0, 12), c=ints(0, 12), d=ints(0, 12)),
    Case("k * x > 5 and n * n % k == 0", k=ints(-20, 20), x=ints(-500, 500), n=ints(0, 120)),
    Case("(len(word) * n * n) % 47 == k * k", word=froms(["a", "bb", "ccc"]), n=ints(1, 50), k=ints(1, 50)),
    Case("low <= x and x < a and x < b", a=ints(1, 10_000), b=ints(1, 10_000), x=ints(0, 20_000), low=ints(0, 20_000)),
    Case("x != y and a != b", x=ints(0, 10**6), y=ints(0, 10**6), a=UNIT, b=UNIT),
    Case("abs(a - b) < eps", a=UNIT, b=UNIT, eps=floats(1e-6, 0.1)),
    Case("p + q + r < 1", p=UNIT, q=UNIT, r=UNIT),
    Case("x + y <= 0.9", x=UNIT, y=UNIT),
    Case("a + b > 0", a=UNIT, b=UNIT),
    Case("warmup + hold <= total", warmup=UNIT, hold=UNIT, total=floats(0, 2)),
    Case("a + b < 1 and total * a >= 1", total=ints(1, 100), a=UNIT, b=UNIT),
    Case("a * b <= limit", a=floats(0, 10), b=floats(0, 10), limit=floats(1, 20)),
    Case("a / b <= 3 and b * steps >= 50", a=floats(0, 10), b=floats(0.1, 10), steps=ints(1, 1000)),
    Case("lr * decay ** steps >= end_lr", lr=floats(1e-6, 1), end_lr=UNIT, decay=floats(0.5, 1), steps=ints(1, 20)),
    Case("start < end if warm > 0 else start >= end", start=UNIT, end=UNIT, warm=ints(0, 9)),
    Case("not nesterov or (momentum > 0 and dampening == 0)", momentum=UNIT, dampening=UNIT, nesterov=bools()),
    Case("abs(sum(p) - 1) < 1e-6 and abs(a - b) <= 1", p=WEIGHTS, a=floats(0, 9), b=floats(0, 9)),
    Case("len(a) == len(p) and math.isclose(sum(p), 1.0, abs_tol=1e-3)", a=SIZES, p=WEIGHTS),
    Case("len(rates) == len(x) + 1 and rates == sorted(rates, reverse=True)", rates=WEIGHTS, x=SIZES),
    Case("a == b", a=SIZES, b=SIZES),
    Case("a == b", a=SIZES, b=lists(ints(3, 90), min_len=3, max_len=9)),
    Case("a == b and len(b) == n", a=SIZES, b=SIZES, n=SMALL),
    Case("b == a[::-1]", a=SIZES, b=SIZES),
    Case("len(b) <= len(a) and b == a[:len(b)]", a=SIZES, b=SIZES),
    Case("a == a[::-1]", a=SIZES),
    Case("c == c[::-1]", c=SHAPES),
    Case("words == words[::-1]", words=WORDS),
    Case("all(x == n for x in xs)", xs=SIZES, n=SMALL),
    Case("all(b < a for b, a in zip(xs, xs[1:]))", xs=SIZES),
    Case("all(a <= b for a, b in zip(xs, xs[1:]))", xs=tuples(ints(0, 9), min_len=1, max_len=4)),
    Case("all(x[i] < x[i + 1] for i in range(len(x) - 1)) and x[-1] < n", x=BORDERS, n=ints(1, 100)),
    Case("len(a) == len(b) and all(p <= q for p, q in zip(a, b))", a=SIZES, b=SIZES),
    Case("all(p % q == 0 for p, q in zip(a, b))", a=SIZES, b=SIZES),
    Case("all(a[i] <= b[i] for i in range(min(len(a), len(b))))", a=SIZES, b=SIZES),
    Case("all(q % p == 0 for p, q in zip(a, a[1:]))", a=SIZES),
    Case("not any(p == q for p, q in zip(a, b))", a=SIZES, b=SIZES),
    Case("n == 0 or all(p < q for p, q in zip(a, a[1:]))", a=SIZES, n=SMALL),
    Case("set(a) <= set(b)", a=SIZES, b=SIZES),
    Case("set(a) >= set(b)", a=SIZES, b=SIZES),
    Case("not set(a) & set(b)", a=SIZES, b=SIZES),
    Case("set(a).isdisjoint(b)", a=SIZES, b=SIZES),
    Case("n not in a", a=SIZES, n=SMALL),
    Case("n == len(set(a))", a=SIZES, n=SMALL),
    Case("len(set(x)) == len(x) and all(i < n for i in x)", x=LISTS, n=SMALL),
    Case("math.prod(a) <= 64", a=SIZES),
    Case("math.prod(a) <= n", a=LISTS, n=ints(-9, 20)),
    Case("math.prod(a) == n", a=SIZES, n=ints(1, 256)),
    Case("d * h == math.prod(a)", a=SIZES, d=ints(1, 8), h=ints(1, 8)),
    Case("math.prod(q) + max(q) <= n * 3 and 2 <= len(q)", q=lists(ints(2, 5), min_len=1, max_len=3), n=ints(4, 9)),
    Case("all(h % heads == 0 for h in a)", a=SIZES, heads=ints(1, 8)),
    Case("min(a) >= lo and max(a) < hi", a=SIZES, lo=SMALL, hi=SMALL),
    Case("max(a) == n", a=SIZES, n=SMALL),
    Case("max(a) == max(b)", a=SIZES, b=SIZES),
    Case("min(a) == n", a=SIZES, n=ints(3, 4)),
    Case("max(a) - min(a) == n", a=SIZES, n=SMALL),
    Case("max(a) <= min(b)", a=SIZES, b=SIZES),
    Case("min(a) > max(b)", a=SIZES, b=SIZES),
    Case("a[0] == n", a=SIZES, n=SMALL),
    Case("a[0] == n and a[-1] == k", a=int_lists(min_len=2, max_len=5, min=1, max=20), n=SMALL, k=SMALL),
    Case("b[0] == a[-1]", a=SIZES, b=SIZES),
    Case("sum(a) < sum(b)", a=SIZES, b=SIZES),
    Case("n <= sum(a) <= k", a=SIZES, n=SMALL, k=SMALL),
    Case("n == sum(a) and sum(a) <= sum(b)", a=SIZES, b=SIZES, n=SMALL),
    Case("sum(a) == n * len(a) and a[0] * a[-1] == n", a=SIZES, n=SMALL),
    Case("size[0] % patch[0] == 0 and size[1] % patch[1] == 0", size=tuples(ints(1, 64), ints(1, 64)), patch=int_lists(len=2, min=1, max=16)),
    Case("x.shape == y.shape", x=INT_ARRAYS, y=INT_ARRAYS),
    Case("x.shape == tuple(a)", x=INT_ARRAYS, a=SIZES),
    Case("x.shape[-len(c):] == c", x=INT_ARRAYS, c=SHAPES),
    Case("axis < x.ndim and x.shape[axis] == n", x=INT_ARRAYS, axis=ints(0, 2), n=SMALL),
    Case("axis < x.ndim and x.shape[axis] % n == 0", x=INT_ARRAYS, axis=ints(0, 2), n=ints(1, 6)),
    Case("-x.ndim <= axis < x.ndim", x=INT_ARRAYS, axis=ints(-8, 8)),
    Case("x.shape[-1] == y.shape[0]", x=INT_ARRAYS, y=MATRICES),
    Case("x.shape[1] == y.shape[1] * groups and y.shape[0] % groups == 0", x=MATRICES, y=MATRICES, groups=ints(1, 6)),
    Case("sum(splits) <= x.shape[1]", splits=SPLITS, x=MATRICES),
    Case("sorted(order) == list(range(x.ndim))", order=int_lists(min=0, max=7, max_len=8), x=INT_ARRAYS),
    Case("x.max() < y.shape[1]", x=np_arrays("int64", SHAPES, min=0, max=9), y=MATRICES),
    Case("x.size == np.prod(a)", x=INT_ARRAYS, a=SIZES),
    Case("math.prod(c) == n", c=SHAPES, n=ints(1, 512)),
    Case("sum(c) == n", c=SHAPES, n=SMALL),
    Case("math.prod(c) == math.prod(d)", c=SHAPES, d=SHAPES),
    Case("math.prod(c) == math.prod(a)", c=SHAPES, a=SIZES),
    Case("all(p == q or p == 1 or q == 1 for p, q in zip(reversed(x.shape), reversed(y.shape)))", x=INT_ARRAYS, y=INT_ARRAYS),
    Case("all(s[0] < s[1] for s in spans) and all(p[1] <= q[0] for p, q in zip(spans, spans[1:]))", spans=lists(tuples(SMALL, SMALL), max_len=2)),
    Case("all(i < n and j < n and i != j for i, j in spans)", spans=SPANS, n=ints(3, 20)),
    Case("all(kind != 'pool' or k <= n for kind, k in steps)", steps=lists(tuples(froms(["conv", "pool"]), ints(1, 8)), min_len=1, max_len=5), n=ints(1, 8)),
    Case("all(n < k for n, k in spans) and len(spans) == n", spans=SPANS, n=ints(1, 4)),
    Case("all(sum(t) == n for t in spans)", spans=SPANS, n=ints(2, 9)),
    Case("all(min(i, j) >= 3 for i, j in spans) and all(max(i, j) <= n for i, j in spans)", spans=SPANS, n=ints(3, 20)),
    Case("all(i < len(spans) for i, j in spans)", spans=SPANS),
    Case("all(o == i for (_, o), (i, _) in zip(spans, spans[1:]))", spans=SPANS),
    Case("spans[0][0] == a[0] and sum(i * j for i, j in spans) <= n", spans=lists(tuples(SMALL, SMALL), len=1), a=SIZES, n=ints(0, 300)),
    Case("pairs[0][1] <= n and pairs[1][0] < pairs[1][1]", pairs=lists(tuples(ints(0, 5), ints(0, 5)), len=2), n=ints(0, 9)),
    Case("pairs[0][0] <= n", pairs=lists(tuples(ints(0, 5), strs(max_len=2)), len=2), n=ints(0, 9)),
    Case("len(cfg['a']) == len(cfg['b']) and cfg['a'][0] == n", cfg=dicts({"a": SIZES, "b": SIZES}), n=ints(1, 9)),
    Case("all(p <= q for p, q in zip(cfg['b'], cfg['a']))", cfg=dicts({"a": SIZES, "b": SIZES})),
    Case("('beta' in cfg) == (mode == 'adam')", mode=froms(["sgd", "adam"]), cfg=dicts({"lr": UNIT, "beta?": UNIT})),
    # dtypes
    Case("a.dtype == b.dtype", a=np_arrays(froms(["float16", "int8", "float64"]), (2,)), b=DTYPES),
    Case("a.dtype == b.dtype", a=np_arrays(shape=(2,)), b=np_arrays(shape=(2,))),
    Case("x.dtype == 'float32' and y.dtype in (np.float16, np.float64)", x=DTYPES, y=DTYPES),
    Case("x.dtype != y.dtype", x=DTYPES, y=DTYPES),
    Case("dtype == x.dtype", dtype=froms(["float64", "float32", "int8"]), x=DTYPES),
    Case("x.dtype == dtype and y.dtype == dtype", dtype=froms([np.float32, np.dtype("float64"), "half"]), x=DTYPES, y=DTYPES),
    Case("x.dtype == dtype and x.dtype != np.float64", dtype=froms([np.float16, np.float32, np.float64]), x=DTYPES),
    Case("y is None or y.dtype == x.dtype", x=DTYPES, y=anys(None, DTYPES)),
    Case("(mode == 'single') == (str(x.dtype) == 'float32')", x=DTYPES, mode=froms(["double", "single"])),
    Case("x.dtype == y.dtype and z.dtype == w.dtype and x.dtype.itemsize <= z.dtype.itemsize", x=DTYPES, y=DTYPES, z=DTYPES, w=DTYPES),
]  # fmt: skip

# built, though some of what is drawn for them is discarded
DISCARDING = [
    Case("b == sorted(a)", a=SIZES, b=SIZES),
    Case("sorted(a) == sorted(b)", a=SIZES, b=SIZES),
    Case("b == [p + 1 for p in a]", a=SIZES, b=SIZES),
    Case("a * a + b * b == c * c", a=ints(1, 500), b=ints(1, 500), c=ints(1, 500)),
]


def without(bit):
    """Return a condition that remembers a value."""
    return lambda n: n & bit == 0


# each of these was not understood, or misunderstood
ONCE_WRONG = [
    Case("not any(one > 3 for one in x)", x=LISTS),
    Case("x != sorted(x)", x=LISTS),
    Case("not len(set(x)) == len(x)", x=LISTS),
    Case("len(set(x)) != len(x)", x=LISTS),
    Case("isinstance(x[0], int)", x=SIZES),
    Case("all(isinstance(one, int) for one in x)", x=SIZES),
    Case("x[0] is True", x=bool_lists(min_len=1)),
    Case("x[0] is None", x=lists(froms([None, 1]), min_len=1)),
    Case("(x < n).all()", x=np_arrays("float32", (3,)), n=floats(0, 1)),
    Case("(x > n).all() or (x < -n).all()", x=np_arrays("int8", (3,)), n=SMALL),
    Case("type(a) is type(b)", a=froms([1, True, 1.0]), b=froms([1, True, 1.0])),
    Case(lambda n, k=7: n % k == 0, n=ints(0, 100)),
    Case("sum(x or [0]) ** 2 > len(x)", x=LISTS),
    Case("(a or 0) in (0, 1, 4)", a=anys(ints(0, 9), None)),
    Case("(a or 3) == n", a=anys(ints(0, 9), None), n=ints(0, 9)),
    Case("max(x or [0]) <= sum(y)", x=LISTS, y=SHAPES.map(list)),
    Case("len(name) < n", name=strs(max_len=5), n=ints(6, 9)),
    Case("(a or 0) > abs(a or 0) / 2", a=anys(ints(0, 2), None)),
    Case("x.dtype.kind == 'f'", x=np_arrays(froms(["float32", "int32"]), (2,))),
    Case("(x > n).all()", x=np_arrays(froms(["int8", "int16"]), (2,)), n=ints(0, 900)),
    Case("(x > n).all()", x=np_arrays(froms(["int8", "float32"]), (2,)), n=ints(0, 900)),
    Case("(x > n).all()", x=np_arrays("float16", (2,)), n=ints(0, 90_000)),
    Case("a != b", a=floats(0, 1), b=floats(0, 1)),
    Case("abs(a) < abs(b)", a=floats(-1, 1), b=floats(-2, 2)),
    Case("all(one < n for one in x)", x=lists(SMALL, min_len=45, max_len=60), n=SMALL),
    Case("(5 - (a or 0)) % 5 > 0", a=anys(ints(0, 2), None)),
]
