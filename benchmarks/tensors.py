"""Tensors of ours against those of hypothesis-torch, and against the arrays they are made of.

    python benchmarks/tensors.py --theirs FOLDER    # the one hypothesis-torch is installed in

In CPU time of one process each, side by side in one run; drawn and built. The exit status is 1 when
a limit is missed: whole numbers of 8 bits in the shape of a small image at least 20 times faster
than those of hypothesis-torch, and contiguous tensors of that size or more at most 1.2 times as
slow as arrays. Of a few elements, what Hypothesis takes for one more `map` is more than that.
"""

from __future__ import annotations

import argparse
import math
import os
import statistics
import subprocess
import sys
from typing import Any

from arrays import KEEP, seconds_each

from annotest import np_arrays, tensors
from annotest.expr import evaluate
from annotest.frameworks import load

FASTER, SLOWER = 20.0, 1.2
ROUNDS = 9
IMAGE = (32, 32, 3)
BOUNDS: dict[str, Any] = {"min": 0, "max": 255}
KINDS: list[tuple[str, tuple[int, ...], dict[str, Any]]] = [
    ("uint8", (4, 4), BOUNDS),
    ("uint8", IMAGE, BOUNDS),
    ("uint8", (3, 224, 224), BOUNDS),
    ("float32", (), {"min": 0, "max": 1}),
    ("float32", (4, 4), {"min": 0, "max": 1}),
    ("float32", IMAGE, {"min": 0, "max": 1}),
    ("float32", (3, 224, 224), {"min": 0, "max": 1}),
    ("int64", (8, 16), {"min": 0, "max": 9}),
]
OF_LAYOUTS = ("float32", (2, 3, 16, 16), {"min": 0, "max": 1})
NO_ARRAYS = ("bfloat16", "float8_e4m3fn")


def drawn(constraint: Any) -> Any:
    """Return the strategy of recipes that `annotest run` draws from."""
    return evaluate(constraint.strategy(), None)  # type: ignore[arg-type]


def of_theirs() -> Any:
    """Return the strategy of hypothesis-torch; what it draws needs no building."""
    import hypothesis.strategies as st
    import hypothesis_torch
    import torch

    made = hypothesis_torch.tensor_strategy(
        torch.uint8,
        IMAGE,
        elements=st.integers(BOUNDS["min"], BOUNDS["max"]),
        device=torch.device("cpu"),
        layout=torch.strided,
        memory_format=torch.contiguous_format,
    )
    return made.map(lambda tensor: None)


def medians(*strategies: Any) -> list[float]:
    """Return the seconds that an example of each costs; they take turns."""
    rounds = [[seconds_each(one, number) for one in strategies] for number in range(ROUNDS)]
    return [statistics.median(column) for column in zip(*rounds, strict=True)]


def against_theirs(folder: str) -> bool:
    """Print what a bounded image costs here and there; say whether ours is fast enough."""
    # hypothesis-torch watches torch's own state in every example once it is imported
    command = [sys.executable, __file__, "--time-theirs"]
    env = {**os.environ, "PYTHONPATH": folder}
    theirs = float(subprocess.run(command, env=env, check=True, capture_output=True).stdout)
    (ours,) = medians(drawn(tensors(IMAGE, "uint8", **BOUNDS)))
    good = theirs >= FASTER * ours
    print(
        f"uint8 {IMAGE} of {BOUNDS['min']} to {BOUNDS['max']}: ours {ours * 1e6:.0f} µs, "
        f"hypothesis-torch {theirs * 1e6:.0f} µs, {theirs / ours:.0f} times faster"
        f"{'' if good else '   missed'}\n",
        flush=True,
    )
    return good


def against_arrays(
    dtype: str, shape: tuple[int, ...], options: dict[str, Any], layout: str
) -> bool:
    """Print what a tensor costs beside the array of the same recipe."""
    of_array = "float32" if dtype in NO_ARRAYS else dtype
    array, tensor = medians(
        drawn(np_arrays(of_array, shape, **options)),
        drawn(tensors(shape, dtype, layout=layout, **options)),
    )
    is_promised = layout == "contiguous" and math.prod(shape) >= math.prod(IMAGE)
    good = tensor <= SLOWER * array or not is_promised
    print(
        f"{dtype:15}{shape!s:16}{layout:14}{array * 1e6:8.0f} µs{tensor * 1e6:8.0f} µs"
        f"{tensor / array:8.2f}{'' if good else '   missed'}",
        flush=True,
    )
    return good


def main() -> int:
    """Measure everything, or hypothesis-torch alone."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--theirs", metavar="FOLDER", help="where hypothesis-torch is; not compared without"
    )
    parser.add_argument("--time-theirs", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.time_theirs:
        print(*medians(of_theirs()))
        return 0
    good = against_theirs(chosen.theirs) if chosen.theirs else True
    print("dtype          shape           layout           array   tensor   times")
    for dtype, shape, options in KINDS:
        good &= against_arrays(dtype, shape, options, "contiguous")
    for layout in load("torch").layouts:
        good &= against_arrays(*OF_LAYOUTS, layout)
    for dtype in NO_ARRAYS:
        good &= against_arrays(dtype, *OF_LAYOUTS[1:], "contiguous")
    return 0 if good else 1


if __name__ == "__main__":
    if not KEEP.items() <= os.environ.items():
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **KEEP})
    sys.exit(main())
