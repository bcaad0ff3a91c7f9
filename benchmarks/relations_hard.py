"""Relations that are hard on purpose, for `relations.py`."""

from __future__ import annotations

import math

import numpy as np  # noqa: F401 (preconditions name it)
from relations_table import relation, shapes

from annotest import (
    arg,
    dicts,
    floats,
    ints,
    lists,
    np_arrays,
    np_shapes,
    require,
    strs,
    tuples,
)


@relation(lambda a, b: a > 1 and b > 1, hard=True)
@arg(a=ints(1, 100), b=ints(1, 100))
@require("math.gcd(a, b) == 1")
def coprime(a, b): ...


@relation(lambda a, b, c: c > 5, hard=True)
@arg(a=ints(1, 100), b=ints(1, 100), c=ints(1, 100))
@require("a*a + b*b == c*c")
def pythagorean(a, b, c): ...


@relation(lambda n, order: order != sorted(order), hard=True)
@arg(n=ints(1, 8), order=lists(ints(0, 7), min_len=1, max_len=8))
@require("sorted(order) == list(range(n))")
def permutation(n, order): ...


@relation(lambda sizes: len(sizes) > 1, hard=True)
@arg(sizes=lists(ints(1, 64), min_len=1, max_len=8))
@require("sizes == sizes[::-1]")
def palindrome(sizes): ...


@relation(lambda a, b: len(a) > 1 and len(b) > 1, hard=True)
@arg(a=lists(ints(1, 20), min_len=1, max_len=5), b=lists(ints(1, 20), min_len=1, max_len=5))
@require("sum(a) == sum(b)")
def equal_sums(a, b): ...


def is_prime(n):
    for divisor in range(2, math.isqrt(n) + 1):
        if n % divisor == 0:
            return False
    return n > 1


@relation(lambda n: n > 3, hard=True)
@arg(n=ints(1, 1000))
@require(is_prime)
def primality(n): ...


@relation(lambda ids: len(ids) > 1, hard=True)
@arg(ids=lists(ints(0, 31), min_len=1, max_len=8))
@require("len(set(ids)) == len(ids)")
def distinct(ids): ...


@relation(lambda values, d: d > 0, hard=True)
@arg(values=lists(ints(0, 50), min_len=2, max_len=6), d=ints(0, 50))
@require("max(values) - min(values) == d")
def spread(values, d): ...


@relation(lambda layout: layout != "CHNW", hard=True)
@arg(layout=strs(alphabet="NCHW", min_len=4, max_len=4))
@require("len(set(layout)) == 4")
def layout_text(layout): ...


@relation(lambda n: n > 1, hard=True)
@arg(n=ints(1, 4096))
@require("n & (n - 1) == 0")
def power_by_bits(n): ...


@relation(lambda mask, flag: flag > 0, hard=True)
@arg(mask=ints(0, 255), flag=ints(0, 255))
@require("mask & flag == flag")
def flags_in_mask(mask, flag): ...


@relation(lambda blocks: len(blocks) > 1, hard=True)
@arg(blocks=lists(tuples(ints(1, 64), ints(1, 64)), min_len=1, max_len=5))
@require("all(a[1] == b[0] for a, b in zip(blocks, blocks[1:]))")
def chained_blocks(blocks): ...


@relation(lambda spans, n: len(spans) > 1, hard=True)
@arg(spans=lists(tuples(ints(0, 64), ints(0, 64)), min_len=1, max_len=5), n=ints(2, 64))
@require("all(a < b <= n for a, b in spans)")
def spans_inside(spans, n): ...


@relation(lambda rows: len(rows) > 1 and len(rows[0]) > 1, hard=True)
@arg(rows=lists(lists(ints(0, 9), min_len=1, max_len=5), min_len=1, max_len=5))
@require("all(len(row) == len(rows[0]) for row in rows)")
def rows_as_long(rows): ...


@relation(lambda rows, n: sum(map(len, rows)) > 1, hard=True)
@arg(rows=lists(lists(ints(0, 31), min_len=1, max_len=4), min_len=1, max_len=4), n=ints(1, 32))
@require("all(index < n for row in rows for index in row)")
def indexes_in_rows(rows, n): ...


@relation(lambda x, starts: any(starts), hard=True)
@arg(x=np_arrays("int8", np_shapes(max_dims=4, max_side=6)), starts=lists(ints(0, 6), max_len=4))
@require("len(starts) == x.ndim and all(s < n for s, n in zip(starts, x.shape))")
def starts_inside(x, starts): ...


@relation(lambda config: len(config["layers"]) > 1, hard=True)
@arg(
    config=dicts(
        {
            "layers": lists(ints(1, 64), min_len=1, max_len=6),
            "dropout": lists(floats(0, 1), min_len=1, max_len=6),
        }
    )
)
@require("len(config['layers']) == len(config['dropout'])")
def nested_lengths(config): ...


@relation(lambda bins: bins.size > 1, hard=True)
@arg(bins=np_arrays("float64", shapes(1), min=0, max=1))
@require("np.all(np.diff(bins) > 0)")
def increasing_array(bins): ...
