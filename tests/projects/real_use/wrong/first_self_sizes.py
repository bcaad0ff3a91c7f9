"""The same layers, each with a bug at some sizes."""

import numpy as np

from annotest import anys, arg, dicts, ints, lists, np_arrays


def to_list(array):
    return array.tolist()


class Head:
    @arg(width=ints(1, 5))
    def __init__(self, width):
        self.width = width

    @arg(rows=np_arrays("float32", "b self.width").map(to_list))
    def of_lists(self, rows):
        return rows[0][3 - self.width]  # planted: IndexError

    @arg(parts=lists(np_arrays("float32", "b self.width", min=0, max=1), min_len=1))
    def joined(self, parts):
        if len(parts) > 2:
            return np.concatenate(parts) @ np.ones(self.width + 1)  # planted: ValueError
        return parts

    @arg(bias=anys(None, np_arrays("float32", "self.width", min=0, max=1)))
    def shifted(self, bias):
        return bias.sum()  # planted: AttributeError

    @arg(batch=dicts({"x": np_arrays("int8", "b self.width"), "y?": np_arrays("int8", "b")}))
    def step(self, batch):
        return batch["y"]  # planted: KeyError
