"""Programs on NumPy's arrays, wrong and right ones, for each oracle of values."""

import numpy as np

from annotest import (
    arg,
    dims,
    ensure,
    finite,
    in_range,
    ints,
    lists,
    no_nan,
    np_arrays,
    same_device,
    same_dtype,
    shaped,
    sums_to_one,
)
from annotest import floats as numbers

SMALL = dims(b=ints(0, 3), n=ints(1, 4))


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis, keepdims=True, initial=-np.inf))
    return e / e.sum(axis, keepdims=True)


@SMALL
@arg(x=np_arrays("float32", "b n"))
@ensure(finite)
def wrong_finite_sum(x):
    return x / x.sum(-1, keepdims=True)


@SMALL
@arg(p=np_arrays("float64", "b n", min=0, max=1))
@ensure(finite)
def wrong_finite_log(p):
    return {"log": [np.log(p)]}


@arg(x=np_arrays("float16", "n"))
@ensure(finite)
def wrong_finite_deviation(x):
    return (x - x.mean()) / x.std()


@SMALL
@arg(x=np_arrays("float32", "b n"))
@ensure(finite)
def right_finite_softmax(x):
    return softmax(x)


@SMALL
@arg(x=np_arrays("float64", "b n"))
@ensure(finite)
def right_finite_log_softmax_of_large_logits(x):
    x = 1000 * x
    x = x - x.max(-1, keepdims=True, initial=-np.inf)
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


@arg(x=np_arrays("float16", "n"))
@ensure(finite)
def right_finite_half(x):
    return (x / (1 + abs(x)), None, len(x), float(x.size > 1))


@SMALL
@arg(p=np_arrays("float64", "b n", min=0, max=1))
@ensure(no_nan)
def wrong_no_nan_entropy(p):
    return -(p * np.log(p)).sum(-1)


@arg(x=numbers())
@ensure(no_nan)
def wrong_no_nan_number(x):
    return float(np.float64(x) / np.float64(x))


@arg(x=np_arrays("float32", "n"))
@ensure(no_nan)
def wrong_no_nan_root(x):
    return np.sqrt(x)


@SMALL
@arg(p=np_arrays("float64", "b n", min=0, max=1))
@ensure(no_nan)
def right_no_nan_log_of_zero(p):
    return np.log(p)


@arg(x=np_arrays("float32", "n"))
@ensure(no_nan)
def right_no_nan_inverse(x):
    return 1 / x, x > 0


@arg(x=np_arrays("float16", "0"))
@ensure(no_nan)
def right_no_nan_empty(x):
    return x * 2


@arg(x=np_arrays("float32", "n"), y=np_arrays("float32", "n"))
@ensure(in_range(-1, 1))
def wrong_in_range_cosine(x, y):
    return (x * y).sum() / (np.linalg.norm(x) + 1)


@arg(x=np_arrays("float32", "n"))
@ensure(in_range(0, 1))
def wrong_in_range_tanh(x):
    return np.tanh(x)


@arg(x=np_arrays("float64", "n"))
@ensure(in_range(0, 3))
def wrong_in_range_index(x):
    return int(np.argmax(x)) + 1


@arg(x=np_arrays("float16", "n"))
@ensure(in_range(-0.1, 0.1))
def right_in_range_clipped_half(x):
    return np.clip(x, -0.1, 0.1)


@SMALL
@arg(x=np_arrays("float32", "b n"))
@ensure(in_range(0, 1))
def right_in_range_softmax(x):
    return softmax(x), x > 0


@SMALL
@arg(x=np_arrays("float64", "b n"))
@ensure(in_range(0, 3))
def right_in_range_order(x):
    return np.argsort(x, axis=-1, kind="stable")


@SMALL
@arg(x=np_arrays("float32", "b n"))
@ensure(sums_to_one)
def wrong_sums_to_one_axis(x):
    return softmax(x, 0)


@SMALL
@arg(x=np_arrays("float64", "b n"))
@ensure(sums_to_one(0))
def wrong_sums_to_one_sigmoid(x):
    return np.tanh(x).T


@arg(x=lists(numbers(0, 1), min_len=1, max_len=4))
@ensure(sums_to_one)
def wrong_sums_to_one_list(x):
    return [each / (sum(x) + 0.001) for each in x]


@SMALL
@arg(x=np_arrays("float16", "b n"))
@ensure(sums_to_one)
def right_sums_to_one_half(x):
    return softmax(x.astype("float32")).astype("float16")


@SMALL
@arg(x=np_arrays("float32", "b n"))
@ensure(sums_to_one(axis=0))
def right_sums_to_one_transposed(x):
    return softmax(x).T


@arg(k=ints(0, 3))
@ensure(sums_to_one)
def right_sums_to_one_one_hot(k):
    return np.eye(4, dtype="int64")[k], [0.1] * 10, np.zeros((2, 0))


@SMALL
@arg(x=np_arrays("float32", "b n"))
@ensure(shaped("n b"))
def wrong_shaped_transposed(x):
    return x


@SMALL
@arg(x=np_arrays("float32", "b n"))
@ensure(shaped("b n-1"))
def wrong_shaped_squeezed(x):
    return np.diff(x, axis=-1).squeeze()


@arg(n=ints(0, 5), k=ints(0, 5))
@ensure(shaped("m m"))
def wrong_shaped_not_square(n, k):
    return np.zeros((n, k))


@SMALL
@arg(x=np_arrays("float32", "b n"))
@ensure(shaped("b 2*n"))
def right_shaped_doubled(x):
    return np.concatenate([x, x], -1), x.repeat(2, -1)


@arg(x=np_arrays("float32", "*batch n"))
@ensure(shaped("*batch n-1"))
def right_shaped_batches(x):
    return np.diff(x, axis=-1)


@SMALL
@arg(x=np_arrays("float32", "b n"))
@ensure(shaped("_ m m ..."))
def right_shaped_new_names(x):
    return x[:, :, None] * x[:, None, :]


@arg(x=np_arrays("float32", "n"))
@ensure(same_dtype)
def wrong_same_dtype_positions(x):
    return x * np.arange(len(x)) / 2.0


@arg(x=np_arrays("float16", "n"))
@ensure(same_dtype("x"))
def wrong_same_dtype_list(x):
    return {"y": np.array(x.tolist())}


@arg(x=np_arrays("float64", "n"))
@ensure(same_dtype)
def wrong_same_dtype_narrow(x):
    return x, np.zeros(3, "float32")


@arg(x=np_arrays("float16", "n"))
@ensure(same_dtype)
def right_same_dtype_half(x):
    return x * 2.0 + 1, x.sum(), x > 0


@arg(x=np_arrays("float32", "n"), k=np_arrays("int64", "n"))
@ensure(same_dtype("x"))
def right_same_dtype_mixed(x, k):
    return np.where(k > 0, x, 0)


@arg(x=np_arrays("complex64", "n"))
@ensure(same_dtype)
def right_same_dtype_complex(x):
    return x.conj()


@arg(x=np_arrays("float16", "n"))
@ensure(same_device)
def right_same_device_half(x):
    return x + 1


@arg(n=ints(0, 5))
@ensure(same_device)
def right_same_device_made(n):
    return [np.zeros(n)]


@arg(x=np_arrays("float32", "0"))
@ensure(same_device("x"))
def right_same_device_empty(x):
    return x
