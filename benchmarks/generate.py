"""Discovery and test generation for 1,000 annotated functions, against the published tool.

    python benchmarks/generate.py --published .venv-published/bin/python

Measured is CPU time, user and system, of the whole process tree. `annotest generate` discovers and
generates in one go, as the published tool does: it may take 10% of that tool's time, and together
with an `annotest list` before it 15%. The exit status is 1 where either takes more.
Each run works on a fresh copy of the same project, and must write a test for every function.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from project import Module, write_project

LIMITS = {"generate": 0.10, "list + generate": 0.15}
LEAST_COVERED = 0.99
OURS, PUBLISHED = "ours", "published"


class Cost(NamedTuple):
    """What one command took, in seconds."""

    cpu: float
    wall: float


class Failed(Exception):
    """A tool did not do its work, so its time means nothing."""


def run(command: list[str], folder: Path, environment: dict[str, str]) -> Cost:
    """Run a command to its end; its CPU time is that of all processes it waited for."""
    with tempfile.TemporaryFile() as output:
        began = time.monotonic()
        child = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT
        )
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - began
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            output.seek(0)
            tail = output.read().decode("utf-8", "replace")[-2000:]
            raise Failed(f"{' '.join(command)}: exit status {child.returncode}\n{tail}")
    return Cost(usage.ru_utime + usage.ru_stime, wall)


def environment_of(python: str, scratch: Path) -> dict[str, str]:
    """Return the environment of a tool: its own programs first, no cache of earlier runs."""
    found = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    found["PATH"] = f"{Path(python).absolute().parent}{os.pathsep}{found.get('PATH', '')}"
    found["BLACK_CACHE_DIR"] = str(scratch / "black")
    return found


def run_ours(python: str, folder: Path, scratch: Path) -> dict[str, Cost]:
    """List the targets, then write the tests."""
    environment = environment_of(python, scratch)
    commands = {"list": ["list", "."], "generate": ["generate", "."]}
    return {
        name: run([python, "-m", "annotest", *words], folder, environment)
        for name, words in commands.items()
    }


def run_published(python: str, folder: Path, scratch: Path) -> dict[str, Cost]:
    """Do all that the published tool does: it is one command."""
    environment = environment_of(python, scratch)
    return {"everything": run([python, "-m", "annotest", str(folder)], folder, environment)}


def our_file(folder: Path, module: Module) -> Path:
    """Return the test file that ours writes for a module."""
    return folder / "annotest_tests" / f"test_{module.package}_{module.stem}.py"


def published_file(folder: Path, module: Module) -> Path:
    """Return the test file that the published tool writes for a module."""
    return folder / "test_annotest" / module.package / f"test_{module.stem}.py"


def our_name(target: str) -> str:
    """Return the name that ours gives to the test of a target."""
    return "test_" + target.replace(".__init__", "_init").replace(".", "_")


def published_name(target: str) -> str:
    """Return the name that the published tool gives to the test of a target."""
    owner, _, name = target.rpartition(".")
    return f"Test_{owner}.test_{name.replace('__init__', 'init')}" if owner else f"test_{name}"


def tests_in(file: Path) -> set[str]:
    """Return the test functions of a file, and the test methods both with and without class."""
    if not file.exists():
        return set()
    try:
        tree = ast.parse(file.read_bytes())
    except SyntaxError as error:
        raise Failed(f"{file}: not Python, line {error.lineno}") from error
    found = set()
    for node in tree.body:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        for one in inner:
            if isinstance(one, ast.FunctionDef) and one.name.startswith("test_"):
                found.add(one.name)
                if isinstance(node, ast.ClassDef):
                    # with constructor examples there is one test for each of them
                    found |= {f"{node.name}.{one.name}", f"{node.name}.{one.name[:-2]}"}
    return found


def covered(
    folder: Path,
    modules: list[Module],
    file_of: Callable[[Path, Module], Path],
    name_of: Callable[[str], str],
) -> int:
    """Return how many targets have a test of their own."""
    total = 0
    for module in modules:
        tests = tests_in(file_of(folder, module))
        total += sum(name_of(target) in tests for target in module.targets)
    return total


def measure(repetitions: int, ours: str, published: str) -> dict[str, Any]:
    """Run both tools in turn, on fresh copies, and return every number."""
    runs: dict[str, list[dict[str, Cost]]] = {OURS: [], PUBLISHED: []}
    tests: dict[str, int] = {}
    with tempfile.TemporaryDirectory(prefix="annotest-bench-") as temporary:
        scratch = Path(temporary)
        modules = write_project(scratch / "project")
        targets = sum(len(module.targets) for module in modules)
        tools = {
            OURS: (run_ours, ours, our_file, our_name),
            PUBLISHED: (run_published, published, published_file, published_name),
        }
        for repetition in range(repetitions):
            for tool, (work, python, file_of, name_of) in tools.items():
                folder = scratch / f"{tool}-{repetition}" / "zoo"
                shutil.copytree(scratch / "project", folder)
                runs[tool].append(work(python, folder, scratch / f"{tool}-{repetition}"))
                tests[tool] = covered(folder, modules, file_of, name_of)
                if tests[tool] < LEAST_COVERED * targets:
                    raise Failed(f"{tool}: only {tests[tool]} of {targets} functions have a test")
    return {"files": len(modules), "functions": targets, "tested": tests, "runs": runs}


def summarised(measured: dict[str, Any]) -> dict[str, Any]:
    """Return the measurement as plain data, with medians and the ratio."""
    runs = measured["runs"]
    cpu = {tool: [sum(c.cpu for c in one.values()) for one in runs[tool]] for tool in runs}
    medians = {
        f"{tool} {part}": statistics.median(one[part].cpu for one in runs[tool])
        for tool in runs
        for part in runs[tool][0]
    }
    pairs = list(zip(runs[OURS], cpu[PUBLISHED], strict=True))
    ratios = {
        name: statistics.median(
            sum(mine[part].cpu for part in name.split(" + ")) / theirs for mine, theirs in pairs
        )
        for name in LIMITS
    }
    return {
        **{name: measured[name] for name in ("files", "functions", "tested")},
        "cpu_seconds": cpu,
        "cpu_seconds_median": medians,
        "runs": {
            tool: [{part: cost._asdict() for part, cost in one.items()} for one in runs[tool]]
            for tool in runs
        },
        "ratios": ratios,
        "limits": LIMITS,
    }


def print_table(record: dict[str, Any]) -> None:
    """Print the numbers of a measurement."""
    print(f"{record['functions']:,} annotated functions in {record['files']} files")
    for tool, tests in record["tested"].items():
        print(f"  {tool}: {tests:,} functions have a test")
    print(f"\n{'CPU seconds':<24}{'median':>8}   runs")
    for label, median in record["cpu_seconds_median"].items():
        tool, part = label.split()
        each = "  ".join(f"{one[part]['cpu']:.2f}" for one in record["runs"][tool])
        print(f"{label:<24}{median:>8.2f}   {each}")
    print()
    for name, limit in LIMITS.items():
        ratio = record["ratios"][name]
        verdict = "within" if ratio <= limit else "ABOVE"
        print(f"{name} / published: {ratio:.3f} (median), {verdict} the limit of {limit:.2f}")


def main() -> int:
    """Measure, print, and say whether the limit holds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--published", required=True, help="the python with annotest==0.1.1")
    parser.add_argument("--ours", default=sys.executable, help="the python with annotest-nn")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--json", metavar="FILE", help="write the numbers to this file")
    given = parser.parse_args()
    try:
        pythons = os.path.abspath(given.ours), os.path.abspath(given.published)
        record = summarised(measure(given.repetitions, *pythons))
    except Failed as error:
        print(error, file=sys.stderr)
        return 2
    print_table(record)
    if given.json:
        Path(given.json).write_text(json.dumps(record, indent=2) + "\n")
    return int(any(record["ratios"][name] > limit for name, limit in LIMITS.items()))


if __name__ == "__main__":
    sys.exit(main())
