"""The relations of `relations.py` said with torch tensors, against the same said with arrays.

What is an array in the table is a tensor here, and so is what only has a shape there; the sizes of
`SIDES` are the sides of one. Of each relation at least 99% of the inputs started must reach the
call, and tensors must not be drawn, built and checked at less than 0.9 of the arrays' rate.

    python benchmarks/relations_tensors.py
    python benchmarks/relations_tensors.py --only matmul --only stride_divides
"""

from __future__ import annotations

import argparse
import math
import re
import statistics
import sys
from typing import Any

import numpy as np
import torch
from relations import ACCEPTANCE, ENOUGH, Ours
from relations_table import RELATIONS, Relation

from annotest import Constraint, arg, dims, np_arrays, require, tensors
from annotest.constraints import np_shapes
from annotest.outside import annotations_of
from annotest.plan.relating import dimension_values
from annotest.signature import preconditions, read_signature

RATE, SECONDS, ROUNDS = 0.9, 0.15, 5
# sizes of the table that are those of data; each here is a side of one tensor
SIDES = {
    "stride_divides": "h",
    "kernel_fits": "h",
    "conv_exact": "h",
    "dilated_kernel_fits": "h",
    "conv_output": "h",
    "patch_divides_both": "h w",
    "unet_depth": "h",
    "shifted_windows": "h w",
    "heads_divide": "d",
    "grouped_query_heads": "d",
    "channel_groups": "in_ch",
    "pixel_shuffle": "c",
    "splits_sum": "d",
    "slice_inside": "n",
    "list_of_length": "n",
}
UNIT = {"min": -1, "max": 1}  # the bounds of the table's own arrays
# not built with arrays either
NOT_UNDERSTOOD = ("increasing_array",)
ARRAYS, SHAPES = type(np_arrays()), type(np_shapes())
# how torch says what NumPy's arrays have
WORDS = [
    (r"np\.all\(", "torch.all("),
    (r"(\w+)\.size\b", r"\1.numel()"),
    (r"(\w+)\.ndim\b", r"\1.dim()"),
]


class Said:
    """One relation as it is said with arrays, or with tensors."""

    def __init__(self, relation: Relation, with_tensors: bool) -> None:
        self._of_torch = with_tensors
        function = relation.function
        notes = annotations_of(function, f"{function.__module__}:{relation.name}")
        self._signature = read_signature(function, notes, relation.name)
        self.name = relation.name
        self._sides = SIDES.get(relation.name, "").split()

    @property
    def _arguments(self) -> dict[str, Constraint]:
        given = {p.name: p.constraint for p in self._signature.parameters if p.constraint}
        named = {name: self._data(given[name]) for name in given if name not in self._sides}
        return named | ({"x": self._of_shape(" ".join(self._sides), **UNIT)} if self._sides else {})

    def _of_shape(self, shape: Any, dtype: Any = "float32", **options: Any) -> Constraint:
        if self._of_torch:
            return tensors(shape, dtype, **options)
        return np_arrays(dtype, shape, **options)

    def _data(self, constraint: Any) -> Constraint:
        """Return arrays or tensors in the place of arrays and shapes, and all else as it is."""
        if isinstance(constraint, SHAPES):
            return self._of_shape(constraint, **UNIT)
        if not isinstance(constraint, ARRAYS):
            return constraint  # type: ignore[no-any-return]
        options = {"min": constraint.min, "max": constraint.max}
        return self._of_shape(constraint.shape, constraint.dtype, **options)

    @property
    def has_data(self) -> bool:
        """Whether it is about data at all."""
        shaped = (p.constraint for p in self._signature.parameters)
        return bool(self._sides) or any(isinstance(one, ARRAYS | SHAPES) for one in shaped)

    def _condition(self, text: str) -> str:
        """Return a precondition in the words for what the arguments are now."""
        for p in self._signature.parameters:
            if isinstance(p.constraint, SHAPES):
                text = re.sub(rf"(?<![.\w]){p.name}\b", f"{p.name}.shape", text)
        for arrays, tensor in WORDS if self._of_torch else []:
            text = re.sub(arrays, tensor, text)
        return text

    def function(self) -> Any:
        """Return an annotated function of the relation."""
        arguments = self._arguments
        scope: dict[str, Any] = {"np": np, "torch": torch, "math": math, "__name__": __name__}
        exec(f"def {self.name}({', '.join(arguments)}): ...", scope)
        made = arg(**arguments)(scope[self.name])
        for note in preconditions(self._signature):
            made = require(self._condition(note.condition))(made)
        own = {p.name: p.constraint for p in self._signature.parameters if p.name in self._sides}
        known = {**own, **dimension_values(self._signature)}
        return dims(**known)(made) if known else made


def measured(relation: Relation) -> tuple[float, float]:
    """Return the share of a relation's inputs that is accepted, and the rate beside the arrays'."""
    sides = [Ours(Said(relation, with_tensors).function()) for with_tensors in (False, True)]
    ratios = []
    for _ in range(ROUNDS):
        for side in sides:
            side.count = side.started = side.cut = 0
            side.shards.clear()  # a run keeps no inputs, and tensors are looked at by the collector
            side.seconds = 0.0
            while side.seconds < SECONDS or side.count < ENOUGH:
                side.shard(math.inf)
        arrays, of_torch = (side.rate for side in sides)
        ratios.append(of_torch / arrays)
    last = sides[1]
    return last.count / (last.started - last.cut), statistics.median(ratios)


def main() -> int:
    """Measure all relations, or those that are named."""
    every = [one for one in RELATIONS if Said(one, True).has_data]
    every = [one for one in every if one.name not in NOT_UNDERSTOOD]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", choices=[one.name for one in every])
    only = parser.parse_args().only
    torch.set_num_threads(1)  # what others spend on waiting for work would be counted
    print(f"{'relation':24}accepted   of the arrays' rate")
    ratios, good = [], True
    for relation in every:
        if only is None or relation.name in only:
            accepted, ratio = measured(relation)
            ratios.append(ratio)
            kept = accepted >= ACCEPTANCE
            good &= kept
            print(f"{relation.name:24}{accepted:8.1%}{ratio:12.2f}{'' if kept else '   missed'}")
    median, least = statistics.median(ratios), min(ratios)
    print(
        f"{len(ratios)} relations; of the arrays' rate {median:.2f} (median), {least:.2f} (least)"
    )
    return 0 if good and median >= RATE else 1


if __name__ == "__main__":
    sys.exit(main())
