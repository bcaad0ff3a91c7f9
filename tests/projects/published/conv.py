"""Sizes of convolutions: numbers, tuples, preconditions, a time limit."""

from datetime import timedelta

import annotest.an_language as an


@an.arg("size", an.integers(min_value=1, max_value=64))
@an.arg("kernel", an.integers(1, 7))
@an.arg("stride", an.integers(min_value=0, max_value=3))
@an.precondition("kernel <= size")
def output_size(size, kernel, stride=1):
    assert kernel <= size  # holds, because the precondition says so
    return (size - kernel) // stride + 1  # planted: ZeroDivisionError


@an.arg("shape", an.tuples(an.integers(20, 70), an.integers(20, 70), an.integers(1, 3)))
@an.arg("bias", an.sampled([True, False]))
@an.deadline(timedelta(seconds=27))
def weights(shape, bias=True):
    height, width, channels = shape
    assert type(shape) is tuple
    return height * width * channels + bias


@an.arg("a", an.integers())
@an.arg("b", an.integers())
@an.precondition("a > b")
@an.precondition("b > 0")
@an.deadline()
def ratio(a, b):
    assert a > b > 0
    return b / a


@an.arg("rate", an.floats(min_value=0, max_value=1, exclude_max=True))
def keep(rate):
    return 1 / (1 - rate)
