"""What a child that makes models grows to, and what keeping it small costs.

    python benchmarks/memory.py                    # needs torch, keras, tensorflow and jax
    python benchmarks/memory.py --only keras-torch --calls 100

Each program is tested twice by `annotest run` itself, with what keeps its process small and without
it, at the same time on two processors. Every call writes down how much memory its process has then.
Two numbers come of that, each with what is promised:

- memory: the most of all calls, relative to the most of the first 50 calls;
- speed: inputs per second, from the first call to the last, relative to the other run.

Memory is that of the process of a call, whichever it is: where a process has made way for another
one, both count.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

MEMORY_AT_MOST, SPEED_AT_LEAST = 1.2, 0.9
EARLY = 50

HEAD = """
import os
import time
from annotest import arg, ints


def _note():
    with open("/proc/self/statm") as file:
        size = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    os.write(LOG, f"{time.monotonic()} {size} {os.getpid()}\\n".encode())


LOG = os.open(os.environ["MEMORY_LOG"], os.O_WRONLY | os.O_APPEND)
"""
KERAS = """
import keras


@arg(filters=ints(1, 32), kernel=ints(1, 5), units=ints(1, 300), classes=ints(2, 20))
def make(filters, kernel, units, classes):
    model = keras.Sequential([
        keras.Input((8, 8, 3)),
        keras.layers.Conv2D(filters, kernel),
        keras.layers.Flatten(),
        keras.layers.Dense(units),
        keras.layers.Dropout(0.5),
        keras.layers.Dense(classes),
    ])
    model.compile(optimizer="adam", loss="mse")
    _note()
"""
TRAINED = KERAS.replace(
    "    _note()",
    """    model.train_on_batch(np.ones((2, 8, 8, 3), "float32"), np.ones((2, classes), "float32"))
    _note()""",
).replace("import keras", "import keras\nimport numpy as np")
TORCH = """
import torch
from torch import nn


@arg(filters=ints(1, 32), kernel=ints(1, 5), units=ints(1, 300), classes=ints(2, 20))
def make(filters, kernel, units, classes):
    side = 9 - kernel
    layers = nn.Conv2d(3, filters, kernel), nn.Flatten(), nn.Linear(filters * side**2, units)
    model = nn.Sequential(*layers, nn.Linear(units, classes))
    optimizer = torch.optim.Adam(model.parameters())
    model(torch.ones(2, 3, 8, 8)).square().mean().backward()
    optimizer.step()
    _note()
"""
PROGRAMS = {
    "keras-tensorflow": KERAS,
    "keras-torch": KERAS,
    "keras-jax": KERAS,
    "torch": TORCH,
    "keras-tensorflow trained": TRAINED,
}
# how the engine was before: nothing is released, and no process makes way
WITHOUT = """
from annotest.engine.child.footprint import Footprint
Footprint.look = lambda self: None
from annotest.cli.main import main
main()
"""


def started(folder: Path, name: str, calls: int, releases: bool) -> subprocess.Popen[bytes]:
    """Start a run on one worker."""
    folder.mkdir(parents=True)
    (folder / "program.py").write_text(HEAD + PROGRAMS[name])
    log = folder / "log"
    log.touch()
    backend = name.removeprefix("keras-").split()[0]
    more = {"KERAS_BACKEND": backend, "MEMORY_LOG": str(log), "TF_CPP_MIN_LOG_LEVEL": "3"}
    begin = ["-m", "annotest"] if releases else ["-c", WITHOUT]
    words = ["run", "program.py", "--workers", "1", "--max-examples", str(calls), "--seed", "1"]
    words += ["--no-database", "--no-guard", "--target-time", "3000"]
    output = (folder / "output").open("wb")
    command = [sys.executable, *begin, *words]
    return subprocess.Popen(
        command, cwd=folder, env=os.environ | more, stdout=output, stderr=output
    )


def measured(folder: Path) -> tuple[list[int], float, int]:
    """Return the memory after each call, the inputs per second, and how many processes it took."""
    lines = [line.split() for line in (folder / "log").read_text().splitlines()]
    if len(lines) <= EARLY:
        raise SystemExit((folder / "output").read_text())
    seconds = float(lines[-1][0]) - float(lines[0][0])
    return [int(line[1]) for line in lines], len(lines) / seconds, len({line[2] for line in lines})


def compare(folder: Path, name: str, calls: int) -> bool:
    """Print what one program comes to; say whether what is promised is kept."""
    runs = {
        kind: started(folder / kind, name, calls, kind == "with") for kind in ("with", "without")
    }
    for run in runs.values():
        run.wait()
    sizes, speed, processes = measured(folder / "with")
    sizes_without, speed_without, _ = measured(folder / "without")
    growth, growth_without = (max(each) / max(each[:EARLY]) for each in (sizes, sizes_without))
    kept = growth <= MEMORY_AT_MOST and speed / speed_without >= SPEED_AT_LEAST
    print(
        f"{name:26}{len(sizes):6} calls, {processes} processes: memory {growth:.2f}"
        f" ({max(sizes) >> 20} MB; without {growth_without:.2f}, {max(sizes_without) >> 20} MB),"
        f" speed {speed / speed_without:.2f}{'' if kept else '  NOT KEPT'}",
        flush=True,
    )
    return kept


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=500)
    parser.add_argument("--only", choices=PROGRAMS)
    options = parser.parse_args()
    print(f"promised: memory at most {MEMORY_AT_MOST}, speed at least {SPEED_AT_LEAST}")
    names = [options.only] if options.only else PROGRAMS
    with tempfile.TemporaryDirectory() as folder:
        kept = [compare(Path(folder) / name, name, options.calls) for name in names]
    sys.exit(not all(kept))


if __name__ == "__main__":
    os.environ.pop("CI", None)
    main()
