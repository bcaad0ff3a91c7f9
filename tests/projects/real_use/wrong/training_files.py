"""Bugs that stand behind a write below the working directory, or behind a caught refusal."""

import json
import os
import pathlib
import subprocess

from annotest import arg, float_lists, ints


@arg(losses=float_lists(min_len=0, max_len=4, min=0, max=9))
def finish(losses):
    os.makedirs("results", exist_ok=True)
    with open("results/losses.json", "w") as file:
        json.dump(losses, file)
    with open("results/losses.json") as file:
        return sum(json.load(file)) / len(losses)  # planted: ZeroDivisionError


@arg(epoch=ints(0, 200))
def resume(epoch):
    pathlib.Path("saved").mkdir()
    pathlib.Path("saved", f"{epoch:02}.txt").write_text("x")
    newest = max(os.listdir("saved"))
    return int(newest[:2]) == epoch or {}[epoch]  # planted: KeyError


def has_compiler():
    """Try a compiler the hard way; where it may not be run, there is none."""
    try:
        subprocess.run(["g++", "-x", "c++", "-c", os.devnull, "-o", "probe.o"], capture_output=True)
    except OSError:
        return False
    return True


@arg(size=ints(1, 64))
def kernel(size):
    has_compiler()
    blocks = [size // block for block in (1, 2, 4, 8)]
    return 64 // blocks[-1]  # planted: ZeroDivisionError


@arg(n=ints(0, 9))
def worker_probe(n):
    pid = os.fork()
    if not pid:
        os._exit(0 if not has_compiler() else 1)
    os.waitpid(pid, 0)
    return [0, 1, 2, 3][n]  # planted: IndexError
