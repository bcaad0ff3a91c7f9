"""Programs on torch's tensors, wrong and right ones, for each oracle of values."""

import torch
import torch.nn.functional as F

from annotest import (
    arg,
    dims,
    ensure,
    finite,
    in_range,
    ints,
    no_nan,
    same_device,
    same_dtype,
    shaped,
    sums_to_one,
    tensors,
)

SMALL = dims(b=ints(0, 3), n=ints(1, 4))


@SMALL
@arg(x=tensors("b n"))
@ensure(finite)
def wrong_finite_norm(x):
    return x / x.norm(dim=-1, keepdim=True)


@SMALL
@arg(p=tensors("b n", min=0, max=1))
@ensure(finite)
def wrong_finite_log(p):
    return [p, {"log": p.log()}]


@arg(x=tensors("n", dtype="bfloat16"))
@ensure(finite)
def wrong_finite_variance(x):
    return x.var()


@SMALL
@arg(x=tensors("b n"))
@ensure(finite)
def right_finite_softmax(x):
    return F.softmax(x, -1)


@SMALL
@arg(x=tensors("b n"))
@ensure(finite)
def right_finite_log_softmax_of_large_logits(x):
    return F.log_softmax(1000 * x, -1)


@arg(x=tensors("n", dtype="float16"))
@ensure(finite)
def right_finite_half(x):
    return torch.tanh(x), x.sum().float(), None


@SMALL
@arg(p=tensors("b n", min=0, max=1))
@ensure(no_nan)
def wrong_no_nan_entropy(p):
    return -(p * p.log()).sum(-1)


@arg(x=tensors("n"))
@ensure(no_nan)
def wrong_no_nan_root(x):
    return x.sqrt()


@arg(x=tensors("n", dtype="complex64"))
@ensure(no_nan)
def wrong_no_nan_complex(x):
    return x / x.abs()


@SMALL
@arg(p=tensors("b n", min=0, max=1))
@ensure(no_nan)
def right_no_nan_log_of_zero(p):
    return p.log()


@arg(x=tensors("n"))
@ensure(no_nan)
def right_no_nan_inverse(x):
    return 1 / x, x > 0


@arg(x=tensors("0", dtype="float16"))
@ensure(no_nan)
def right_no_nan_empty(x):
    return x * 2


@arg(x=tensors("n"))
@ensure(in_range(0, 1))
def wrong_in_range_tanh(x):
    return torch.tanh(x)


@arg(x=tensors("n", dtype="bfloat16"))
@ensure(in_range(-0.5, 0.5))
def wrong_in_range_clipped(x):
    return x.clamp(-0.6, 0.5)


@SMALL
@arg(x=tensors("b n"))
@ensure(in_range(0, 2))
def wrong_in_range_index(x):
    return x.argmax(-1)


@arg(x=tensors("n", dtype="bfloat16"))
@ensure(in_range(-0.1, 0.1))
def right_in_range_clipped_half(x):
    return x.clamp(-0.1, 0.1)


@SMALL
@arg(x=tensors("b n"))
@ensure(in_range(0, 1))
def right_in_range_softmax(x):
    return F.softmax(x, -1), x > 0


@SMALL
@arg(x=tensors("b n", dtype="float16"))
@ensure(in_range(0, 3))
def right_in_range_order_of_ties(x):
    return torch.zeros_like(x).sort(-1).indices, x.sort(-1).indices


@SMALL
@arg(x=tensors("b n"))
@ensure(sums_to_one)
def wrong_sums_to_one_axis(x):
    return F.softmax(x, 0)


@SMALL
@arg(x=tensors("b n"))
@ensure(sums_to_one)
def wrong_sums_to_one_dropped(x):
    return F.dropout(F.softmax(x, -1), 0.5)


@SMALL
@arg(x=tensors("b n"))
@ensure(sums_to_one)
def wrong_sums_to_one_sigmoid(x):
    return torch.sigmoid(x)


@SMALL
@arg(x=tensors("b n", dtype="float16"))
@ensure(sums_to_one)
def right_sums_to_one_half(x):
    return F.softmax(x, -1)


@SMALL
@arg(x=tensors("b n", dtype="bfloat16"))
@ensure(sums_to_one)
def right_sums_to_one_equal_logits(x):
    return F.softmax(torch.zeros_like(x), -1), F.softmax(x, -1)


@SMALL
@arg(x=tensors("b n"))
@ensure(sums_to_one(axis=0))
def right_sums_to_one_transposed(x):
    return F.softmax(x[:, :1], -1).T


@SMALL
@arg(x=tensors("b n"))
@ensure(shaped("n b"))
def wrong_shaped_not_transposed(x):
    return x


@SMALL
@arg(x=tensors("b n"))
@ensure(shaped("b 1"))
def wrong_shaped_not_kept(x):
    return x.sum(-1)


@SMALL
@arg(x=tensors("b n"))
@ensure(shaped("b h"))
def wrong_shaped_different(x):
    return x, x[:, 1:]


@SMALL
@arg(x=tensors("b n"))
@ensure(shaped("b 2*n"))
def right_shaped_doubled(x):
    return torch.cat([x, x], -1), x.repeat(1, 2)


@arg(x=tensors("*batch n"))
@ensure(shaped("*batch"))
def right_shaped_batches(x):
    return x.sum(-1)


@SMALL
@arg(x=tensors("b n"), k=ints(1, 3))
@ensure(shaped("... k"))
def right_shaped_arguments(x, k):
    return x.unsqueeze(-1).expand(-1, -1, k)


@arg(x=tensors("n", dtype="float64"))
@ensure(same_dtype)
def wrong_same_dtype_default(x):
    return x, torch.zeros(3)


@arg(x=tensors("n", dtype="float16"))
@ensure(same_dtype("x"))
def wrong_same_dtype_widened(x):
    return {"y": x.float()}


@arg(x=tensors("n"))
@ensure(same_dtype)
def wrong_same_dtype_added(x):
    return x + torch.zeros(1, dtype=torch.float64)


@arg(x=tensors("n", dtype="bfloat16"))
@ensure(same_dtype)
def right_same_dtype_half(x):
    return x * 2.0, x > 0


@arg(x=tensors("n"), k=tensors("n", dtype="int64"))
@ensure(same_dtype("x"))
def right_same_dtype_mixed(x, k):
    return torch.where(k > 0, x, 0.0)


@arg(x=tensors("0", dtype="complex64"))
@ensure(same_dtype)
def right_same_dtype_empty(x):
    return x.conj()


@arg(x=tensors("n"))
@ensure(same_device)
def wrong_same_device_moved(x):
    return x.to("meta")


@arg(x=tensors("n"))
@ensure(same_device("x"))
def wrong_same_device_made(x):
    return x, torch.zeros(3, device="meta")


@arg(x=tensors("n", dtype="float16"))
@ensure(same_device)
def wrong_same_device_inside(x):
    return {"y": [torch.empty_like(x, device="meta")]}


@arg(x=tensors("n", dtype="float16"))
@ensure(same_device)
def right_same_device_half(x):
    return x + 1, x.sum()


@arg(n=ints(0, 5))
@ensure(same_device)
def right_same_device_made(n):
    return [torch.zeros(n, device="meta")]


@arg(x=tensors("0"))
@ensure(same_device("x"))
def right_same_device_empty(x):
    return x
