"""What calls promise: conditions, oracles by name, exceptions, results."""

import numpy as np

from annotest import *


@arg(x=np_arrays("float64", "b n", min=-9, max=9))
@ensure("result.shape == (b, n)", lambda result, x: result.dtype == x.dtype)
@ensure(finite, no_nan, in_range(0, 1), sums_to_one(-1), shaped("b n"), same_dtype, same_device)
def softmax(x):
    shares = np.exp(x)
    return shares / shares.sum(-1, keepdims=True)


@arg(xs=lists(ints(0, 9), min_len=1))
@ensure("sorted(xs) == sorted(old(xs)) and all(x <= max(old(xs)) for x in xs)")
@raises(ValueError, when="len(xs) > 8", message="many")
def turned(xs):
    if len(xs) > 8:
        raise ValueError("too many")
    xs.reverse()


@arg(total=ints(1, 9))
@require("step <= total")
@returns(calls(step=ints(0, 9)))
@returns(floats(0, 1))
def linear(total):
    return lambda step: 1 - step / total
