"""Relations of shapes, and of what arrays contain, for `relations.py`."""

from __future__ import annotations

import math

import numpy as np  # noqa: F401 (preconditions name it)
from relations_table import floats32, relation, shapes

from annotest import (
    arg,
    dims,
    froms,
    ints,
    lists,
    np_arrays,
    np_shapes,
    require,
    same,
)

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
