"""Functions with two bugs each, one of which is easier to meet than the other."""

from annotest import anys, arg, bools, ints, lists


@arg(mode=anys("a", "b"), sizes=lists(ints(1, 9), min_len=1, max_len=6))
def pool(mode, sizes):
    if mode == "a" and len(sizes) == 1:
        raise ValueError("one size only")
    if mode == "b" and sizes[0] == 1:
        raise KeyError("a first size of one")


@arg(size=ints(1, 64), kernel=ints(1, 16), stride=ints(0, 4))
def convolve(size, kernel, stride):
    if kernel > size:
        raise ValueError("the kernel does not fit")
    return (size - kernel) // stride + 1


@arg(units=lists(ints(1, 32), max_len=5), activation=anys("relu", "tanh", None))
def dense(units, activation):
    first = units[0]
    return first, activation.lower()


@arg(heads=ints(1, 8), width=ints(8, 64), mask=anys(None, lists(bools(), min_len=1, max_len=8)))
def attention(heads, width, mask):
    if mask is not None and not any(mask):
        raise ValueError("everything is masked")
    if width % heads:
        raise ArithmeticError("the heads do not divide the width")


@arg(batch=ints(1, 32), steps=ints(1, 32), layers=ints(1, 3), bidirectional=bools())
def recurrent(batch, steps, layers, bidirectional):
    if bidirectional and layers == 3:
        raise NotImplementedError("three layers, both ways")
    if batch > steps:
        raise IndexError("more rows than steps")


@arg(labels=lists(ints(0, 5), min_len=1, max_len=8), smoothing=anys(0.0, 0.1, 0.5))
def cross_entropy(labels, smoothing):
    if smoothing and len(set(labels)) == 1:
        raise ZeroDivisionError("one class only")
    if not smoothing and labels[-1] == 5:
        raise IndexError("the last class")
