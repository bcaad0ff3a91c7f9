"""Training code that writes below its working directory: runs, checkpoints, logs, caches."""

import csv
import ctypes.util
import json
import os
import pickle
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from annotest import arg, float_lists, floats, ints, objs

CHECKPOINTS = "checkpoints"


class SummaryWriter:
    """Writes events to a folder of its own below `runs`, as TensorBoard's does."""

    @arg(comment=ints(0, 9))
    def __init__(self, comment):
        stamp = time.strftime("%b%d_%H-%M-%S")
        self.folder = os.path.join("runs", f"{stamp}_{os.uname().nodename}{comment}")
        os.makedirs(self.folder, exist_ok=True)
        self.events = os.path.join(self.folder, f"events.out.{os.getpid()}")

    @arg(value=floats(-1e3, 1e3), step=ints(0, 100))
    def add_scalar(self, value, step):
        with open(self.events, "a") as file:
            file.write(json.dumps([step, value]) + "\n")
        with open(self.events) as file:
            assert json.loads(file.readlines()[-1]) == [step, value]


@arg(writer=objs(SummaryWriter), losses=float_lists(min_len=1, max_len=4, min=0, max=9))
def train(writer, losses):
    """Keep the last and the best state, the way that training loops do."""
    os.makedirs(CHECKPOINTS, exist_ok=True)
    best = float("inf")
    for epoch, loss in enumerate(losses):
        writer.add_scalar(loss, epoch)
        state = {"epoch": epoch, "loss": loss}
        save(state, os.path.join(CHECKPOINTS, "last.pkl"))
        if loss < best:
            best = loss
            shutil.copyfile(f"{CHECKPOINTS}/last.pkl", f"{CHECKPOINTS}/best.pkl")
    with open(Path(CHECKPOINTS).resolve() / "best.pkl", "rb") as file:
        assert pickle.load(file)["loss"] == min(losses)


def save(state, path):
    """Write beside the file and put it in its place, so that no half file is ever seen."""
    partial = path + ".tmp"
    with open(partial, "wb") as file:
        pickle.dump(state, file)
    os.replace(partial, path)


@arg(rows=ints(0, 20))
def log(rows):
    """Write a table, read it back."""
    Path.cwd().joinpath("logs", "v0").mkdir(parents=True, exist_ok=True)
    path = Path("logs/v0/metrics.csv")
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([row, row / 2] for row in range(rows))
    with path.open(newline="") as file:
        assert len(list(csv.reader(file))) == rows


@arg(keep=ints(1, 5), steps=ints(1, 12))
def prune(keep, steps):
    """Keep a few snapshots: write, list, delete the oldest."""
    folder = Path("snapshots")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for step in range(steps):
        (folder / f"{step:04}.bin").write_bytes(bytes(8))
        for old in sorted(folder.iterdir())[:-keep]:
            old.unlink()
    assert len(list(folder.iterdir())) == min(keep, steps)


@arg(n=ints(0, 1))
def device_report(n):
    """Ask the machine what it has, as setup code does; what is missing is missing."""
    facts = {}
    for name, command in {
        "compiler": ["g++", "--version"],
        "cuda": ["nvcc", "--version"],
        "gpus": ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"],
        "system": ["lsb_release", "-d"],
        "commit": ["git", "rev-parse", "--short", "HEAD"],
    }.items():
        try:
            done = subprocess.run(command, capture_output=True, text=True)
            facts[name] = done.stdout.strip()
        except FileNotFoundError:
            facts[name] = None
    facts["fonts"] = os.popen("fc-list 2>/dev/null | head -3").read().splitlines()
    facts["machine"] = subprocess.check_output("uname -m", shell=True, text=True).strip()
    facts["threads"] = ctypes.util.find_library("pthread")
    assert facts["machine"]


@arg(size=ints(1, 40))
def cached_table(size):
    """Look for a folder that can be written, as plotting libraries look for their cache."""
    for folder in (os.environ.get("TABLE_CACHE", ""), "cache", tempfile.gettempdir()):
        if not folder:
            continue
        try:
            os.makedirs(folder, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder) as file:
                file.write(bytes(size))
            break
        except OSError:
            continue
    else:
        raise RuntimeError("no folder to write to")
    path = os.path.join(folder, f"table{size}.json")
    if not os.path.exists(path):
        with open(path, "w") as file:
            json.dump(list(range(size)), file)
    with open(path) as file:
        assert len(json.load(file)) == size
