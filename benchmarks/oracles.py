"""What oracles add to an input, as ratios of processor time measured side by side in one run.

Each program is searched without any oracle but the crash, with what is suspicious by default, and
with each oracle by name. The same inputs are drawn each time.

    python benchmarks/oracles.py            # needs torch in this environment
"""

from __future__ import annotations

import argparse
import importlib
import math
import sys
import tempfile
import time
from pathlib import Path

from annotest import guard, process
from annotest.discovery.discover import discover
from annotest.engine.child.bench import Bench
from annotest.engine.child.doing import do, warm_up
from annotest.engine.jobs import RunTarget
from annotest.engine.shards import SearchOptions, shards_of
from annotest.engine.worker.environment import use_one_thread
from annotest.oracles.project import Project
from annotest.process.limits import Limits
from annotest.promises import BY_DEFAULT

AT_MOST = 1.05
NONE, DEFAULTS = "none", "defaults"

HEAD = "import numpy as np\nimport torch\nfrom annotest import *\n"
PROGRAMS = {
    "numbers": """
@arg(n=ints(1, 64), rate=floats(0, 1), mode=anys("same", "valid", "full"))
@arg(sizes=lists(ints(1, 9), min_len=1, max_len=6))
{promise}
def {name}(n, rate, mode, sizes):
    total = n
    for size in sizes:
        total += size
    return total * rate if mode == "same" else total
""",
    "numpy": """
@arg(x=np_arrays("float32", "8 8", min=0, max=1))
{promise}
def {name}(x):
    e = np.exp(x)
    return e / e.sum(-1, keepdims=True)
""",
    "torch": """
@arg(x=tensors("8 8", min=0, max=1))
{promise}
def {name}(x):
    return torch.softmax(x, -1)
""",
}
ON_NUMBERS = ["finite", "no_nan", "in_range(0, 1000)"]
ON_ARRAYS = [
    "finite",
    "no_nan",
    "in_range(0, 1)",
    "sums_to_one",
    'shaped("8 8")',
    "same_dtype",
    "same_device",
]
# of each program, the oracles that judge it
ORACLES = {"numbers": ON_NUMBERS, "numpy": ON_ARRAYS, "torch": ON_ARRAYS}


def written(folder: Path) -> list[tuple[str, str]]:
    """Write the programs, and return each with its oracle, in the order of the module."""
    variants = [(name, what) for name in PROGRAMS for what in (NONE, DEFAULTS, *ORACLES[name])]
    parts = [HEAD]
    for place, (program, what) in enumerate(variants):
        promise = "" if what in (NONE, DEFAULTS) else f"@ensure({what})"
        parts.append(PROGRAMS[program].format(promise=promise, name=f"f{place}"))
    (folder / "judged.py").write_text("".join(parts))
    return variants


def benches(folder: Path) -> list[Bench]:
    """Return what a search of each program needs, in this very process."""
    sys.path.insert(0, str(folder))
    found = discover(importlib.import_module("judged"), "judged", False, frozenset())
    shared = Project((str(folder),), str(folder)), process.Blackboard(), process.Output()
    rest = guard.Log(), None, Limits(), lambda event: None, tuple, None
    return [Bench(target, found, *shared, *rest) for target in found.targets]


def seconds(bench: Bench, seed: int, count: int) -> float:
    """Return the processor time of a search."""
    began = time.process_time()
    do(bench, RunTarget(0, SearchOptions(seed, shards_of(count)), math.inf))
    return time.process_time() - began


def measured(folder: Path, repeats: int, count: int) -> dict[tuple[str, str], list[float]]:
    """Return what an input of each program takes with each oracle, in each round."""
    variants = written(folder)
    times: dict[tuple[str, str], list[float]] = {}
    use_one_thread()  # as a worker has
    found = benches(folder)
    warm_up()
    for seed in range(repeats + 1):
        for (program, what), bench in zip(variants, found, strict=True):
            bench.suspicious = BY_DEFAULT if what == DEFAULTS else ()
            took = seconds(bench, seed, count)
            if seed:  # the first round warms up
                times.setdefault((program, what), []).append(took / count)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--inputs", type=int, default=1000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        times = measured(Path(folder), options.repeats, options.inputs)
    good = True
    for (program, what), each in times.items():
        # the least is what it takes where nothing else is in the way
        ratio = min(each) / min(times[program, NONE])
        kept = ratio <= AT_MOST
        note = f"(promised: at most {AT_MOST}){'' if kept else '  NOT KEPT'}"
        print(f"{program:8} {what:18} {1e6 * min(each):6.0f} µs an input  {ratio:.3f} {note}")
        good &= kept
    sys.exit(not good)


if __name__ == "__main__":
    main()
