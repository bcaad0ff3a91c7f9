"""The relations of neural-network code that `relations.py` measures.

Each is an annotated function and says which of its inputs are more than trivial. Where dimensions
are named instead of a precondition written, `plainly` is the same relation with a precondition.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np  # noqa: F401 (preconditions name it)

from annotest import (
    anys,
    arg,
    bools,
    dicts,
    floats,
    froms,
    ints,
    lists,
    np_arrays,
    np_shapes,
    require,
)


@dataclass(frozen=True)
class Relation:
    """One relation; `plainly` is what independent draws are filtered with."""

    function: Any
    nontrivial: Callable[..., Any]
    plainly: Any
    hard: bool

    @property
    def name(self) -> str:
        """The name to choose it by."""
        return str(self.function.__name__)


RELATIONS: list[Relation] = []


def relation(nontrivial: Callable[..., Any], plainly: Any = None, hard: bool = False) -> Any:
    """Add a function to the table."""

    def add(function: Any) -> Any:
        RELATIONS.append(Relation(function, nontrivial, plainly or function, hard))
        return function

    return add


def shapes(dims: int, side: int = 8) -> Any:
    """Shapes with so many sides."""
    return np_shapes(min_dims=dims, max_dims=dims, max_side=side)


def floats32(dims: int, side: int = 8) -> Any:
    """Arrays with so many sides."""
    return np_arrays("float32", shapes(dims, side), min=-1, max=1)


# sizes of layers


@relation(lambda h, stride: stride > 1 and h > stride)
@arg(h=ints(1, 64), stride=ints(1, 8))
@require("h % stride == 0")
def stride_divides(h, stride): ...


@relation(lambda h, k, p: k > 1)
@arg(h=ints(1, 64), k=ints(1, 11), p=ints(0, 5))
@require("k <= h + 2*p")
def kernel_fits(h, k, p): ...


@relation(lambda h, k, p, s: k > 1 and s > 1)
@arg(h=ints(1, 64), k=ints(1, 11), p=ints(0, 5), s=ints(1, 4))
@require("k <= h + 2*p")
@require("(h + 2*p - k) % s == 0")
def conv_exact(h, k, p, s): ...


@relation(lambda h, k, p, dilation: k > 1 and dilation > 1)
@arg(h=ints(1, 64), k=ints(1, 11), p=ints(0, 5), dilation=ints(1, 8))
@require("dilation * (k - 1) + 1 <= h + 2*p")
def dilated_kernel_fits(h, k, p, dilation): ...


@relation(lambda h, k, p, s, d, out: k > 1 and s > 1)
@arg(h=ints(1, 64), k=ints(1, 11), p=ints(0, 5), s=ints(1, 4), d=ints(1, 3), out=ints(1, 64))
@require("out == (h + 2*p - d*(k - 1) - 1) // s + 1")
def conv_output(h, k, p, s, d, out): ...


@relation(lambda h, k, p, s, out: k > 1 and s > 1)
@arg(h=ints(1, 64), k=ints(1, 11), p=ints(0, 5), s=ints(1, 4), out=ints(1, 256))
@require("out == (h - 1)*s - 2*p + k")
def transposed_output(h, k, p, s, out): ...


@relation(lambda s, dilation, output_padding: output_padding > 0)
@arg(s=ints(1, 4), dilation=ints(1, 4), output_padding=ints(0, 7))
@require("output_padding < max(s, dilation)")
def output_padding(s, dilation, output_padding): ...


@relation(lambda k: k > 1)
@arg(k=ints(1, 31))
@require("k % 2 == 1")
def odd_kernel(k): ...


@relation(lambda k, p: k > 1)
@arg(k=ints(1, 31), p=ints(0, 15))
@require("k % 2 == 1 and p == (k - 1) // 2")
def same_padding(k, p): ...


@relation(lambda k, p: k > 1 and p > 0)
@arg(k=ints(1, 11), p=ints(0, 11))
@require("p <= k // 2")
def pool_padding(k, p): ...


@relation(lambda h, w, patch: patch > 1 and max(h, w) > patch)
@arg(h=ints(1, 224), w=ints(1, 224), patch=ints(1, 32))
@require("h % patch == 0 and w % patch == 0")
def patch_divides_both(h, w, patch): ...


@relation(lambda h, depth: depth > 0)
@arg(h=ints(1, 256), depth=ints(0, 6))
@require("h % 2**depth == 0")
def unet_depth(h, depth): ...


@relation(lambda h, w, window, shift: window > 1)
@arg(h=ints(1, 64), w=ints(1, 64), window=ints(1, 14), shift=ints(0, 13))
@require("h % window == 0 and w % window == 0")
@require("shift < window")
def shifted_windows(h, w, window, shift): ...


# channels and heads


@relation(lambda d, heads: heads > 1 and d > heads)
@arg(d=ints(1, 512), heads=ints(1, 16))
@require("d % heads == 0")
def heads_divide(d, heads): ...


@relation(lambda d, heads, kv_heads: kv_heads > 1)
@arg(d=ints(1, 512), heads=ints(1, 16), kv_heads=ints(1, 16))
@require("d % heads == 0 and heads % kv_heads == 0")
def grouped_query_heads(d, heads, kv_heads): ...


@relation(lambda in_ch, out_ch, groups: groups > 1)
@arg(in_ch=ints(1, 256), out_ch=ints(1, 256), groups=ints(1, 16))
@require("in_ch % groups == 0 and out_ch % groups == 0")
def channel_groups(in_ch, out_ch, groups): ...


@relation(lambda c, r: r > 1)
@arg(c=ints(1, 256), r=ints(1, 4))
@require("c % (r * r) == 0")
def pixel_shuffle(c, r): ...


@relation(lambda d, splits: len(splits) > 1)
@arg(d=ints(1, 64), splits=lists(ints(1, 32), min_len=1, max_len=6))
@require("sum(splits) == d")
def splits_sum(d, splits): ...


@relation(lambda d, k: k > 0)
@arg(d=ints(1, 1024), k=ints(0, 10))
@require("d == 2**k")
def power_of_two(d, k): ...


@relation(lambda a, b, limit: a > 1 and b > 1)
@arg(a=ints(1, 256), b=ints(1, 256), limit=ints(1, 4096))
@require("a * b <= limit")
def product_limited(a, b, limit): ...


# numbers in order


@relation(lambda lo, hi: hi - lo > 1e-6)
@arg(lo=floats(-10, 10), hi=floats(-10, 10))
@require("lo < hi")
def range_of_floats(lo, hi): ...


@relation(lambda lo, hi: hi - lo > 1)
@arg(lo=ints(0, 100), hi=ints(0, 100))
@require("lo < hi")
def range_of_ints(lo, hi): ...


@relation(lambda start, length, n: start > 0 and length > 1)
@arg(start=ints(0, 100), length=ints(1, 100), n=ints(1, 100))
@require("start + length <= n")
def slice_inside(start, length, n): ...


@relation(lambda train, val: train > 0 and val > 0)
@arg(train=floats(0, 1), val=floats(0, 1))
@require("train + val <= 1")
def shares_of_data(train, val): ...


@relation(lambda warmup, total, min_lr, lr: warmup > 0 and min_lr < lr)
@arg(warmup=ints(0, 100), total=ints(1, 100), min_lr=floats(0, 0.1), lr=floats(0, 0.1))
@require("warmup < total and min_lr <= lr")
def schedule(warmup, total, min_lr, lr): ...


@relation(lambda milestones: len(milestones) > 1)
@arg(milestones=lists(ints(1, 100), min_len=1, max_len=6))
@require("all(a < b for a, b in zip(milestones, milestones[1:]))")
def strictly_increasing(milestones): ...


# lists


@relation(lambda n, layers: len(layers) > 1)
@arg(n=ints(1, 10), layers=lists(ints(1, 64), max_len=10))
@require("len(layers) == n")
def list_of_length(n, layers): ...


@relation(lambda channels, kernels, strides: len(channels) > 1)
@arg(channels=lists(ints(1, 256), min_len=1, max_len=6))
@arg(kernels=lists(ints(1, 7), min_len=1, max_len=6))
@arg(strides=lists(ints(1, 3), min_len=1, max_len=6))
@require("len(channels) == len(kernels) == len(strides)")
def lists_as_long(channels, kernels, strides): ...


@relation(lambda labels, classes: len(labels) > 1 and classes > 1)
@arg(labels=lists(ints(0, 19), min_len=1, max_len=8), classes=ints(1, 20))
@require("all(label < classes for label in labels)")
def labels_in_list(labels, classes): ...


@relation(lambda dense_blocks, dense_layers: dense_blocks > 2 or type(dense_layers) is list)
@arg(dense_blocks=ints(2, 5))
@arg(dense_layers=anys(-1, ints(1, 5), lists(ints(1, 5), min_len=1, max_len=6)))
@require("type(dense_layers) is not list or len(dense_layers) == dense_blocks")
def number_or_list(dense_blocks, dense_layers): ...


# options


@relation(lambda size, scale: (size or 1) > 1 or (scale or 1.0) != 1.0)
@arg(size=anys(None, ints(1, 64)), scale=anys(None, floats(0.5, 4)))
@require("size is not None or scale is not None")
def at_least_one_option(size, scale): ...


@relation(lambda size, scale: (size or 1) > 1 or (scale or 1.0) != 1.0)
@arg(size=anys(None, ints(1, 64)), scale=anys(None, floats(0.5, 4)))
@require("(size is None) != (scale is None)")
def exactly_one_option(size, scale): ...


@relation(lambda mode, options: len(options) > 1 and any(options.values()))
@arg(mode=froms(["sgd", "adam", "rmsprop"]))
@arg(options=dicts({"lr": floats(0, 1), "momentum?": floats(0, 1), "beta?": floats(0, 1)}))
@require("('momentum' in options) == (mode == 'sgd')")
@require("('beta' in options) == (mode == 'adam')")
def options_of_mode(mode, options): ...


@relation(lambda bidirectional, hidden, out: hidden > 1)
@arg(bidirectional=bools(), hidden=ints(1, 128), out=ints(1, 256))
@require("out == (2 * hidden if bidirectional else hidden)")
def directions(bidirectional, hidden, out): ...
