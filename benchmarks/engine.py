"""What the engine costs, as ratios measured side by side in one run.

1. A fork for each target against a fresh process for each target, with torch imported.
2. An input of ours against an input of the same property under bare `@given`.
3. Many small targets on two workers against serial pytest on the generated files.

    python benchmarks/engine.py            # needs torch and pytest in this environment
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FORK_AT_LEAST, INPUT_AT_MOST, TARGETS_AT_MOST = 5.0, 1.15, 0.65

TORCH = """
import torch
from annotest import arg, ints
"""
TORCH_TARGET = """
@arg(n=ints(1, 3))
def step_{number}(n):
    torch.ones(n, 4).sum()
"""

LAYER = """
def layer(n, rate, mode, sizes):
    total = n
    for size in sizes:
        total += size
    return total * rate if mode == "same" else total
"""
ANNOTATED = f"""
from annotest import anys, arg, floats, ints, lists

@arg(n=ints(1, 64), rate=floats(0, 1), mode=anys("same", "valid", "full"))
@arg(sizes=lists(ints(1, 9), min_len=1, max_len=6))
{LAYER.strip()}
"""
BARE = f"""
import sys, time
from hypothesis import given, settings, strategies as st
{LAYER}
calls = 0

@settings(max_examples=int(sys.argv[1]))
@given(
    n=st.integers(1, 64),
    rate=st.floats(0, 1),
    mode=st.sampled_from(["same", "valid", "full"]),
    sizes=st.lists(st.integers(1, 9), min_size=1, max_size=6),
)
def test(n, rate, mode, sizes):
    global calls
    calls += 1
    layer(n, rate, mode, sizes)

began = time.perf_counter()
test()
print((time.perf_counter() - began) / calls)
"""

SMALL = """
@arg(n=ints(1, 64), flag=bools(), sizes=lists(ints(0, 9), max_len=4))
def small_{number}(n, flag, sizes):
    return n * len(sizes) if flag else n
"""


def annotest(folder: Path, *words: str) -> float:
    """Run annotest and return the seconds it took."""
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "annotest", *words], cwd=folder, capture_output=True, text=True
    )
    if done.returncode not in (0, 5):
        raise SystemExit(done.stdout + done.stderr)
    return time.perf_counter() - began


def forks(folder: Path, repeats: int, targets: int = 16) -> float:
    """Return how many times longer fresh processes take than forks."""
    steps = "".join(TORCH_TARGET.format(number=number) for number in range(targets))
    (folder / "steps.py").write_text(TORCH + steps)
    common = ("run", "steps.py", "--workers", "1", "--max-examples", "5", "--no-database")
    ratios = []
    for _ in range(repeats):
        fork = annotest(folder, *common, "--processes", "fork")
        fresh = annotest(folder, *common, "--processes", "fresh")
        print(f"  {targets} targets with torch: {fresh:.1f} s fresh, {fork:.1f} s forked")
        ratios.append(fresh / fork)
    return statistics.median(ratios)


def inputs(folder: Path, repeats: int, count: int = 3000) -> float:
    """Return the cost of one of our inputs relative to bare Hypothesis."""
    (folder / "annotated.py").write_text(ANNOTATED)
    (folder / "bare.py").write_text(BARE)
    ratios = []
    for seed in range(repeats):
        bare = subprocess.run(
            [sys.executable, "bare.py", str(count)], cwd=folder, capture_output=True, text=True
        )
        theirs = float(bare.stdout)
        words = ("--max-examples", str(count), "--workers", "1", "--seed", str(seed))
        annotest(folder, "run", "annotated.py", *words, "--no-database", "--json", "out.json")
        (target,) = json.loads((folder / "out.json").read_text())["targets"]
        ours = target["seconds"] / target["inputs_run"]
        print(f"  an input: {1e6 * ours:.0f} µs ours, {1e6 * theirs:.0f} µs under bare @given")
        ratios.append(ours / theirs)
    return statistics.median(ratios)


def targets(folder: Path, repeats: int, files: int = 10, each: int = 20) -> float:
    """Return the time of a run on two workers relative to serial pytest, the same inputs."""
    for file in range(files):
        functions = "".join(SMALL.format(number=number) for number in range(each))
        head = "from annotest import arg, bools, ints, lists\n"
        (folder / f"small_{file}.py").write_text(head + functions)
    annotest(folder, "generate", ".", "--out", "generated")
    # as many inputs as the generated tests draw
    words = ("run", ".", "--workers", "2", "--max-examples", "100", "--no-database")
    ratios = []
    for _ in range(repeats):
        began = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "generated"],
            cwd=folder,
            check=True,
            capture_output=True,
        )
        serial = time.perf_counter() - began
        ours = annotest(folder, *words)
        print(
            f"  {files * each} targets: {ours:.1f} s on two workers, {serial:.1f} s serial pytest"
        )
        ratios.append(ours / serial)
    return statistics.median(ratios)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", choices=["forks", "inputs", "targets"])
    options = parser.parse_args()
    measured = {"forks": forks, "inputs": inputs, "targets": targets}
    found = {}
    for name, measure in measured.items():
        if options.only in (None, name):
            with tempfile.TemporaryDirectory() as folder:
                found[name] = measure(Path(folder), options.repeats)
    report(found)


def report(found: dict[str, float]) -> None:
    """Print the ratios and leave with status 1 where one is not as promised."""
    good = True
    for name, (text, limit, at_least) in {
        "forks": ("fresh processes take {:.1f} times as long as forks", FORK_AT_LEAST, True),
        "inputs": ("an input costs {:.2f} of one under bare @given", INPUT_AT_MOST, False),
        "targets": ("two workers take {:.2f} of serial pytest", TARGETS_AT_MOST, False),
    }.items():
        if name in found:
            kept = found[name] >= limit if at_least else found[name] <= limit
            word = "at least" if at_least else "at most"
            note = "" if kept else "  NOT KEPT"
            print(f"{text.format(found[name])} (promised: {word} {limit}){note}")
            good &= kept
    sys.exit(not good)


if __name__ == "__main__":
    os.environ.pop("CI", None)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or our sources are compiled in every run
    main()
