"""Bugs at an end, in one option, in a pair of options, in a default."""

import numpy as np

from annotest import anys, arg, bools, dicts, dims, floats, froms, ints, lists, np_arrays, require


@arg(size=anys(ints(1, 100), froms(["auto"])), patience=ints(0, 64))
def early_stopping(size, patience=8):
    return [1 / patience] * (10 if size == "auto" else size)  # planted: ZeroDivisionError


@arg(dim=ints(1, 512), heads=ints(1, 512), bias=bools())
@require("dim % heads == 0")
def head_slices(dim, heads=1, bias=True):
    width = dim // heads
    middle = {2: "half", 1: None}.get(width, "many")
    return len(middle) * heads  # planted: TypeError


@arg(mode=froms(["reflect", "constant", "edge", "wrap", "symmetric"]), pad=ints(0, 200))
def padding(pad, mode="constant"):
    fills = {"reflect": 1, "constant": 0, "edge": 1, "wrap": 2}
    return fills[mode] * pad  # planted: KeyError


@arg(config=dicts({"lr": floats(0, 1), "decay?": floats(0, 1), "steps?": ints(0, 900)}))
def schedule(config):
    steps = config.get("steps", 1) if "decay" in config else 1
    return config["lr"] / steps  # planted: ZeroDivisionError


@arg(x=np_arrays("float64", "b c", min=-1, max=1))
@dims(b=ints(1, 64), c=ints(1, 64))
def unbiased_variance(x):
    rows = len(x) - 1
    return sum(float(row.sum()) for row in x) / rows  # planted: ZeroDivisionError


@arg(layers=lists(ints(1, 512), max_len=6), residual=bools(), dropout=floats(0, 1))
def stack(layers, residual=False, dropout=0.0):
    if residual:
        return layers[0] + dropout  # planted: IndexError
    return sum(layers)


class Pool:
    @arg(kind=froms(["max", "mean", "none"]), window=ints(1, 99))
    def __init__(self, kind="max", window=2):
        self.kind, self.window = kind, window

    @arg(x=np_arrays("float64", (ints(1, 20),)), ceil=bools())
    def forward(self, x, ceil=False):
        reduce = {"max": np.max, "mean": np.mean}.get(self.kind)
        return reduce(x) if ceil else x  # planted: TypeError
