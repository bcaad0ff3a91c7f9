"""Arrays: by dtype, by shape, by neither."""

import numpy as np

import annotest.an_language as an


@an.arg("x", an.np_arrays(dtype=np.dtype("float32"), shape=an.array_shapes(min_dims=2)))
def normalise(x):
    assert x.dtype == np.float32
    assert 2 <= x.ndim <= 4
    if np.isnan(x).any():
        raise ValueError("NaN in the input")  # planted: ValueError
    if np.isinf(x).any():
        raise OverflowError("infinity in the input")  # planted: OverflowError
    return x


@an.arg("labels", an.np_arrays(np.uint8, an.sampled(elements=[(3,), (3, 2)])))
def one_hot(labels):
    assert labels.shape in [(3,), (3, 2)]
    table = np.zeros((labels.size, 255))
    table[np.arange(labels.size), labels.ravel()] = 1  # planted: IndexError
    return table


@an.arg("x", an.np_arrays())
def kind(x):
    assert x.dtype.kind in "iuf"
    assert 1 <= x.ndim <= 3
    assert max(x.shape) <= 6
    return x.dtype


@an.arg("x", an.np_arrays(np.dtype("int16")))
@an.arg("axis", an.sampled(elements=[0, -1]))
def total(x, axis=None):
    return x.sum(axis=axis)
