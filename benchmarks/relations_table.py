"""The relations of neural-network code that `relations.py` measures.

Each is an annotated function and says which of its inputs are more than trivial. Where dimensions
are named instead of a precondition written, `plainly` is the same relation with a precondition.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np  # noqa: F401 (preconditions name it)

from annotest import (
    anys,
    arg,
    bools,
    dicts,
    dims,
    floats,
    froms,
    ints,
    lists,
    np_arrays,
    np_shapes,
    require,
    same,
    strs,
    tuples,
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


# shapes


@relation(lambda shape, n: len(shape) > 1 and n > 1)
@arg(shape=np_shapes(max_dims=4, max_side=8), n=ints(1, 512))
@require("math.prod(shape) == n")
def product_of_shape(shape, n): ...


@relation(lambda old, new: math.prod(old) > 1 and old != new)
@arg(old=np_shapes(max_dims=3, max_side=8), new=np_shapes(max_dims=3, max_side=8))
@require("math.prod(old) == math.prod(new)")
def reshape_keeps_size(old, new): ...


@relation(lambda x, shape: x.size > 1)
@arg(x=np_arrays("int8", np_shapes(max_dims=3, max_side=6)))
@arg(shape=np_shapes(max_dims=3, max_side=8))
@require("x.size == math.prod(shape)")
def reshape_of_array(x, shape): ...


@relation(lambda a, b: math.prod(a) > 1 and math.prod(b) > 1)
@arg(a=np_shapes(max_dims=4, max_side=8), b=np_shapes(max_dims=4, max_side=8))
@require("all(x == y or x == 1 or y == 1 for x, y in zip(a[::-1], b[::-1]))")
def shapes_broadcast(a, b): ...


@relation(lambda a, b, axis: math.prod(a) > 1 and a != b)
@arg(a=shapes(3), b=shapes(3), axis=ints(0, 2))
@require("all(i == axis or a[i] == b[i] for i in range(3))")
def concat_any_axis(a, b, axis): ...


@relation(lambda a, b, axis: a.size > 1)
@arg(a=floats32(2), b=floats32(2), axis=ints(0, 1))
@require("a.shape[:axis] == b.shape[:axis] and a.shape[axis + 1:] == b.shape[axis + 1:]")
def concat_by_slices(a, b, axis): ...


@relation(lambda a, b: a.size > 1)
@arg(a=floats32(3, 5), b=floats32(3, 5))
@require("a.shape[1:] == b.shape[1:]")
def concat_arrays(a, b): ...


@relation(lambda a, b: a.shape[1] > 1)
@arg(a=floats32(2), b=floats32(2))
@require("a.shape[1] == b.shape[0]")
def matmul(a, b): ...


@relation(lambda a, b: a.shape[1] > 1, plainly=matmul)
@arg(a=np_arrays("float32", "n k", min=-1, max=1), b=np_arrays("float32", "k m", min=-1, max=1))
@dims(n=ints(1, 8), k=ints(1, 8), m=ints(1, 8))
def matmul_named(a, b): ...


@relation(lambda a, b: a.shape[0] > 1 or a.shape[2] > 1)
@arg(a=floats32(3, 6), b=floats32(3, 6))
@require("a.shape[0] == b.shape[0] and a.shape[2] == b.shape[1]")
def matmul_batched(a, b): ...


@relation(lambda q, k, v, mask: k.shape[1] > 1)
@arg(q=floats32(2, 6), k=floats32(2, 6), v=floats32(2, 6), mask=np_arrays("bool", shapes(2, 6)))
@require("q.shape[1] == k.shape[1] and k.shape[0] == v.shape[0]")
@require("mask.shape == (q.shape[0], k.shape[0])")
def attention(q, k, v, mask): ...


@relation(lambda x, w, groups: groups > 1)
@arg(x=floats32(3, 6), w=floats32(3, 6), groups=ints(1, 6))
@require("x.shape[1] == w.shape[1] * groups and w.shape[0] % groups == 0")
@require("w.shape[2] <= x.shape[2]")
def grouped_convolution(x, w, groups): ...


@relation(lambda x, sizes: len(sizes) > 1)
@arg(x=np_arrays("int8", np_shapes(max_dims=4, max_side=4)))
@arg(sizes=lists(ints(1, 8), min_len=1, max_len=6))
@require("x.ndim == len(sizes)")
def size_for_each_axis(x, sizes): ...


@relation(lambda x, axis: x.ndim > 1 and axis != 0)
@arg(x=np_arrays("int8", np_shapes(max_dims=4, max_side=4)), axis=ints(-8, 8))
@require("-x.ndim <= axis < x.ndim")
def axis_exists(x, axis): ...


@relation(lambda x, shape: math.prod(shape) > 1)
@arg(x=np_arrays("int8", np_shapes(min_dims=2, max_dims=3, max_side=5)))
@arg(shape=np_shapes(max_dims=2, max_side=5))
@require("x.shape[-len(shape):] == shape")
def normalized_shape(x, shape): ...


@relation(lambda image: image.shape[1] * image.shape[2] > 1)
@arg(image=np_arrays("uint8", shapes(3)))
@require("image.shape[0] in (1, 3)")
def channels_first(image): ...


# contents of arrays, dtypes


@relation(lambda labels, classes: labels.size > 1 and classes > 1)
@arg(labels=np_arrays("int64", shapes(1, 16), min=0, max=99), classes=ints(1, 100))
@require("labels.max() < classes")
def labels_in_array(labels, classes): ...


@relation(lambda logits, labels: labels.size > 1 and logits.shape[1] > 1)
@arg(logits=floats32(2), labels=np_arrays("int64", shapes(1), min=0, max=9))
@require("len(labels) == logits.shape[0]")
@require("(labels < logits.shape[1]).all()")
def labels_of_logits(logits, labels): ...


@relation(lambda x, index: x.shape[0] > 1)
@arg(x=floats32(2), index=np_arrays("int64", shapes(1), min=0, max=9))
@require("np.all(index < x.shape[0])")
def gather(x, index): ...


@relation(lambda x, lengths: len(lengths) > 1)
@arg(x=floats32(3, 6), lengths=lists(ints(1, 10), min_len=1, max_len=8))
@require("len(lengths) == x.shape[1]")
@require("lengths == sorted(lengths, reverse=True) and lengths[0] <= x.shape[0]")
def packed_lengths(x, lengths): ...


@relation(lambda a, b: a.size > 1 or b.size > 1)
@arg(a=np_arrays(froms(["float16", "float32", "float64", "int32", "int64"]), shapes(1)))
@arg(b=np_arrays(froms(["float16", "float32", "float64", "int32", "int64"]), shapes(1)))
@require("a.dtype == b.dtype")
def same_dtype(a, b): ...


@relation(lambda a, b: a.size > 1 or b.size > 1, plainly=same_dtype)
@arg(a=np_arrays(same("T", of=["float16", "float32", "float64", "int32", "int64"]), shapes(1)))
@arg(b=np_arrays(same("T"), shapes(1)))
def same_dtype_named(a, b): ...


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


# deliberately hard


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
