"""How long annotest takes on projects whose modules import frameworks, against another version.

    python benchmarks/startup.py --base OTHER/src          # needs torch, tensorflow and keras
    python benchmarks/startup.py --base OTHER/src --only torch --rounds 5

`--base` is the source folder of another version, the one measured against: for instance a worktree,
`git worktree add OTHER b9579dc`. Each round runs both, one after the other, and the median of the
ratios counts. Both are copied to where installed packages are: from a source folder Hypothesis
would read all of annotest in search of constants.
"""

from __future__ import annotations

import argparse
import compileall
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TORCH = """
import torch
from torch import nn
from annotest import arg, exclude, ints


@arg(n=ints(1, 30), m=ints(1, 9))
def layer_{number}(n, m):
    return nn.Linear(m, n)(torch.ones(2, m)).sum()
"""
KERAS = """
import tensorflow as tf
import keras
from annotest import arg, exclude, ints


@arg(n=ints(1, 30), m=ints(1, 9))
def layer_{number}(n, m):
    return tf.reduce_sum(tf.ones((2, m)) * n)
"""
PLAIN = """
from annotest import arg, exclude, ints


@arg(n=ints(1, 30), m=ints(1, 9))
def layer_{number}(n, m):
    return n * m
"""
PROJECTS = {  # modules with and without targets, and what a run may take of the other version's
    "torch": (TORCH, 10, 10, 0.35),
    "keras": (KERAS, 10, 10, 0.35),
    "one": (PLAIN, 1, 0, 1.0),
    "one-torch": (TORCH, 1, 0, 1.0),
}


def write(folder: Path, program: str, tested: int, untested: int) -> None:
    """Write a project; in a module without targets the function is excluded."""
    for number in range(tested + untested):
        text = program.format(number=number)
        if number >= tested:
            text = text.replace("@arg(", "@exclude\n@arg(")
        (folder / f"module_{number:02}.py").write_text(text)


def installed(source: Path, folder: Path) -> str:
    """Copy annotest to a folder of packages, compiled as pip does it; return that."""
    packages = folder / "site-packages"
    shutil.copytree(source / "annotest", packages / "annotest")
    compileall.compile_dir(packages, quiet=1)
    return str(packages)


def run(folder: Path, source: str) -> float:
    """Run annotest of a folder of packages; return the seconds it took."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "annotest", "run", ".", "--seed", "1", "--no-database"]
    env = {**os.environ, "PYTHONPATH": source}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    return time.perf_counter() - began


def measure(name: str, base: str, ours: str, rounds: int) -> bool:
    """Print the times of each round; say whether their median ratio is as promised."""
    program, tested, untested, most = PROJECTS[name]
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), program, tested, untested)
        for source in (base, ours):
            run(Path(folder), source)  # compiles what is to be compiled
        for _ in range(rounds):
            theirs, taken = run(Path(folder), base), run(Path(folder), ours)
            print(f"  {name}: {taken:.2f} s, the other version {theirs:.2f} s", flush=True)
            ratios.append(taken / theirs)
    median = statistics.median(ratios)
    kept = median <= most
    note = "" if kept else "  NOT KEPT"
    print(f"{name}: {median:.2f} of the other version's time (at most {most}){note}", flush=True)
    return kept


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", required=True, help="the other version's source folder")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", action="append", choices=PROJECTS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        base = installed(Path(options.base), Path(folder, "base"))
        ours = installed(Path(__file__).resolve().parent.parent / "src", Path(folder, "ours"))
        kept = [measure(name, base, ours, options.rounds) for name in options.only or PROJECTS]
    sys.exit(not all(kept))


if __name__ == "__main__":
    os.environ.pop("CI", None)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or our sources are compiled in every run
    main()
