"""Defaults: an annotated argument also takes its own, even outside its constraint."""

import annotest.an_language as an


@an.arg("mode", an.sampled(elements=["train", "test"]))
def epoch(mode="auto"):
    return {"train": 10, "test": 1}[mode]  # planted: KeyError


@an.arg("units", an.integers(1, 4))
@an.arg("groups", an.integers(1, 4))
@an.precondition("groups is None or units % groups == 0")
def split(units, groups=None):
    return units if groups is None else units // groups


@an.arg("size", an.integers(1, 4))
def unannotated_default(size, scale=2):
    assert scale == 2
    return size * scale
