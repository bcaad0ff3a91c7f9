"""Arrays of ours against Hypothesis' own: what they cost, and how soon bugs are found with them.

    python benchmarks/arrays.py

Compared side by side in one run, in CPU time of this process, attempts that Hypothesis gives up
included. The exit status is 1 when a limit is missed: large arrays at least 5 times faster than
`hypothesis.extra.numpy.arrays` and within 5 times of NumPy's own generator, small ones at most 1.1
times as slow, bugs found in no more examples (medians), and the smallest failing array found in 98%
of the runs in which it is found with plain arrays.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import hypothesis.extra.numpy as hnp
import hypothesis.strategies as st
import numpy as np
from arrays_table import BUGS, SIDES, Bug
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.internal.conjecture import engine

from annotest import arg
from annotest.constraints import np_arrays, np_shapes
from annotest.expr import evaluate
from annotest.outside import annotations_of
from annotest.plan.arrays import array_recipes
from annotest.plan.planner import Planner
from annotest.plan.recipe import build
from annotest.signature import read_signature
from annotest.simplify import Form, Minimiser, Spent

FASTER, SLOWER_THAN_NUMPY, SLOWER_SMALL, AS_OFTEN = 5.0, 5.0, 1.1, 0.98
# how long Hypothesis may shrink, and our minimiser after it
PATIENCE, SECONDS = 20.0, 5.0
LARGE, SMALL = (150_528, 1_000_000), (1, 16, 64)
ROUNDS, EXAMPLES, MOST_EXAMPLES = 9, 50, 300
KINDS: list[tuple[str, dict[str, Any]]] = [
    ("uint8", {}),
    ("uint8", {"min": 0, "max": 9}),
    ("float32", {}),
    ("float32", {"min": 0.0, "max": 1.0}),
    ("float64", {}),
    ("float64", {"min": -1.0, "max": 1.0}),
]


def ours(dtype: str, shape: Any, options: dict[str, Any]) -> Any:
    """Return the strategy of recipes that `annotest run` draws from."""
    return array_recipes(dtype, shape, **options)


def plain(dtype: str, shape: Any, options: dict[str, Any]) -> Any:
    """Return Hypothesis' own strategy of the same arrays."""
    element = np_arrays(dtype, **options).element(dtype)
    assert element is not None
    elements = evaluate(element.strategy(), None)  # type: ignore[arg-type]
    return hnp.arrays(dtype, shape, elements=elements)


def run(
    strategy: Any,
    examples: int,
    number: int,
    test: Callable[[Any], None],
    phases: tuple[Phase, ...] = (Phase.generate,),
) -> None:
    """Call a test with examples."""

    @seed(number)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=phases,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def called(value: Any) -> None:
        test(value)

    called()


def seconds_each(strategy: Any, number: int) -> float:
    """Return the time that one example costs: drawing it, building it, and attempts in vain."""
    spent, made = 0.0, 0

    @st.composite
    def timed(draw: Any) -> None:
        nonlocal spent, made
        began = time.thread_time()
        try:
            build(draw(strategy))
            made += 1
        finally:
            spent += time.thread_time() - began

    run(timed(), EXAMPLES, number, lambda _: None)
    return spent / made


def numpy_seconds(dtype: str, size: int, options: dict[str, Any]) -> float:
    """Return the time in which NumPy's generator fills the same array."""
    chance = np.random.default_rng(0)
    low, high = options.get("min"), options.get("max")
    if dtype == "uint8":
        ends = (0, 255) if low is None else (low, high)
        fill = lambda: chance.integers(*ends, size, dtype=dtype, endpoint=True)  # noqa: E731
    elif low in (None, 0.0):
        fill = lambda: chance.random(size, dtype=dtype)  # noqa: E731
    else:
        fill = lambda: chance.uniform(low, high, size)  # noqa: E731
    began = time.thread_time()
    for _ in range(EXAMPLES):
        fill()
    return (time.thread_time() - began) / EXAMPLES


def timings(sizes: tuple[int, ...]) -> bool:
    """Print what arrays cost; say whether all is within the limits."""
    good = True
    print(
        "elements   arrays                        ours     plain    times faster   of NumPy's time"
    )
    for size in sizes:
        for dtype, options in KINDS:
            good &= timing(dtype, size, options)
    return good


def timing(dtype: str, size: int, options: dict[str, Any]) -> bool:
    """Print one line: medians over rounds that take turns."""
    kinds = (ours(dtype, (size,), options), plain(dtype, (size,), options))
    rounds = [
        (*(seconds_each(one, number) for one in kinds), numpy_seconds(dtype, size, options))
        for number in range(ROUNDS)
    ]
    mine, theirs, numpy = (statistics.median(column) for column in zip(*rounds, strict=True))
    if size in SMALL:
        good = mine <= SLOWER_SMALL * theirs
    else:
        good = mine * FASTER <= theirs and mine <= SLOWER_THAN_NUMPY * numpy
    shown = f"{dtype} {options or ''}"
    print(
        f"{size:9,}  {shown:27}{mine * 1e6:7.0f} µs{theirs * 1e6:7.0f} µs"
        f"{theirs / mine:13.1f}{mine / numpy:15.1f}{'' if good else '   missed'}",
        flush=True,
    )
    return good


class Found(Exception):
    """The bug was met."""


def examples_to_find(bug: Bug, strategy: Any, number: int) -> int:
    """Return how many examples a bug takes; one more than were tried where it was not found."""
    tried = 0

    def test(recipe: Any) -> None:
        nonlocal tried
        tried += 1
        if bug.fails(build(recipe)):
            raise Found

    try:
        run(strategy, MOST_EXAMPLES, number, test)
    except Found:
        return tried
    return MOST_EXAMPLES + 1


def shrunk(bug: Bug, strategy: Any, number: int) -> Any:
    """Return the smallest failing recipe that Hypothesis comes to, or None where it found none."""
    last = None

    def test(recipe: Any) -> None:
        nonlocal last
        if bug.fails(build(recipe)):
            last = recipe
            raise Found

    try:
        run(strategy, MOST_EXAMPLES, number, test, (Phase.generate, Phase.shrink))
    except Found:
        pass
    return last


def simplified(bug: Bug, recipe: Any, side: int) -> Any:
    """Return what our minimiser makes of a recipe, as `annotest run` does after Hypothesis."""
    shapes = np_shapes(min_dims=2, max_dims=2, max_side=side)

    @arg(x=np_arrays(bug.dtype, shapes, **bug.options))
    def called(x: Any) -> None:
        """Be called."""

    planner = Planner()
    plan = planner.plan_function(called, read_signature(called, annotations_of(called), "called"))
    until = time.monotonic() + SECONDS

    def fails(recipes: dict[str, Any]) -> bool:
        if time.monotonic() > until:
            raise Spent
        return bool(bug.fails(build(recipes["x"])))

    return Minimiser(Form(plan, planner), {"x": recipe}, fails).run()["x"]


def smallest(seeds: int) -> bool:
    """Print how often the smallest array is found; say whether as often as without large arrays."""
    engine.MAX_SHRINKING_SECONDS = PATIENCE
    print("\nthe smallest array, of so many runs    64        2,000      150,000   (ours / plain)")
    both = theirs = 0
    for bug in BUGS:
        cells = []
        for side in SIDES.values():
            shapes = hnp.array_shapes(min_dims=2, max_dims=2, max_side=side)
            mine, other = [], []
            for number in range(seeds):
                recipe = shrunk(bug, ours(bug.dtype, shapes, bug.options), number)
                if recipe is not None:
                    recipe = build(simplified(bug, recipe, side))
                mine.append(recipe is not None and bug.is_smallest(recipe))
                array = shrunk(bug, plain(bug.dtype, shapes, bug.options), number)
                other.append(array is not None and bug.is_smallest(array))
            theirs += sum(other)
            both += sum(one for one, its in zip(mine, other, strict=True) if its)
            worse = any(its and not one for one, its in zip(mine, other, strict=True))
            cells.append(f"{sum(mine):>6} /{sum(other):>3}{'*' if worse else ' '}")
        print(f"{bug.name:33}{'  '.join(cells)}", flush=True)
    share = both / max(1, theirs)
    print(f"smallest in {both} of the {theirs} runs where plain arrays are: {share:.1%}")
    return share >= AS_OFTEN


def bugs(seeds: int) -> bool:
    """Print how many examples each bug takes; say whether ours takes no more."""
    print("\nmedian examples to find     up to 64 elements   2,000        150,000   (ours / plain)")
    worse, all_ours, all_plain = 0, [], []
    for bug in BUGS:
        cells = []
        for side in SIDES.values():
            shapes = hnp.array_shapes(min_dims=2, max_dims=2, max_side=side)
            mine, theirs = (
                [
                    examples_to_find(bug, make(bug.dtype, shapes, bug.options), n)
                    for n in range(seeds)
                ]
                for make in (ours, plain)
            )
            all_ours += mine
            all_plain += theirs
            pair = statistics.median(mine), statistics.median(theirs)
            worse += pair[0] > pair[1]
            cells.append(
                f"{_count(pair[0]):>6} /{_count(pair[1]):>5}{'*' if pair[0] > pair[1] else ' '}"
            )
        print(f"{bug.name:33}{'  '.join(cells)}", flush=True)
    pair = statistics.median(all_ours), statistics.median(all_plain)
    cases = len(BUGS) * len(SIDES)
    print(f"over all: {pair[0]:g} against {pair[1]:g}; worse in {worse} of {cases} cases (*)")
    return pair[0] <= pair[1]


def _count(median: float) -> str:
    return "never" if median > MOST_EXAMPLES else f"{median:g}"


def main() -> int:
    """Run all parts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10, help="runs for each bug (10)")
    parser.add_argument("--only", choices=("timings", "bugs", "smallest"))
    parser.add_argument("--sizes", type=int, nargs="*", help="elements of the arrays timed")
    chosen = parser.parse_args()
    good = True
    if chosen.only in (None, "timings"):
        good &= timings(chosen.sizes or (*SMALL, *LARGE))
    if chosen.only in (None, "bugs"):
        good &= bugs(chosen.seeds)
    if chosen.only in (None, "smallest"):
        good &= smallest(max(1, chosen.seeds // 3))
    return 0 if good else 1


# what the allocator gives back to the system costs page faults at random: it is told to keep it
KEEP = {"MALLOC_TRIM_THRESHOLD_": "4000000000", "MALLOC_MMAP_THRESHOLD_": "4000000000"}

if __name__ == "__main__":
    if not KEEP.items() <= os.environ.items():
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **KEEP})
    sys.exit(main())
