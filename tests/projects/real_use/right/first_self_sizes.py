"""Layers whose inputs have the sizes of the instance, wherever the constraint stands."""

import numpy as np

from annotest import anys, arg, dicts, int_lists, ints, lists, np_arrays, tuples


def to_list(array):
    return array.tolist()


def is_calm(array):
    return array.size == 0 or float(np.abs(array).max()) < 1e30


class Head:
    @arg(width=ints(1, 5), classes=ints(0, 3))
    def __init__(self, width, classes):
        self.width = width
        self.weights = np.ones((width, classes), "float32")

    @arg(rows=np_arrays("float32", "b self.width").map(to_list))
    def of_lists(self, rows):
        assert {len(row) for row in rows} == {self.width}

    @arg(x=np_arrays("float32", "b self.width").where(is_calm))
    def forward(self, x):
        return x @ self.weights

    @arg(parts=lists(np_arrays("float32", "b self.width", min=0, max=1), min_len=1))
    def joined(self, parts):
        return np.concatenate(parts, axis=1) @ np.ones(len(parts) * self.width)

    @arg(bias=anys(None, np_arrays("float32", "self.width", min=0, max=1)))
    def shifted(self, bias):
        return self.weights if bias is None else (self.weights.T + bias).T

    @arg(batch=dicts({"x": np_arrays("int8", "b self.width"), "y?": np_arrays("int8", "b")}))
    def step(self, batch):
        if "y" in batch:
            assert batch["x"].shape == (len(batch["y"]), self.width)

    @arg(pair=tuples(int_lists(len="self.width"), np_arrays("int8", "2*self.width")))
    def doubled(self, pair):
        return np.concatenate([pair[0], pair[0]]) + pair[1]

    @arg(rows=anys(None, lists(np_arrays("float32", "b self.width").map(to_list)).where(bool)))
    def deep(self, rows):
        assert rows is None or all(len(row) == self.width for part in rows for row in part)
