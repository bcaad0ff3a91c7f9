"""Seeded mutations of lines that changed: does any test notice?

    python tools/mutate.py --base REV --count 60

Each mutation is made in a copy of the tree, on a line of `src` that differs from REV. The tests of
its module run first, then the fast ones of the whole suite, until one fails, and fails again by
itself: on a busy machine a test may fail for another reason. What none notices is listed at the
end; the exit status is 1 where more than a tenth survives.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 900  # seconds for the tests of one mutation; one that hangs is noticed
PYTEST = [
    "-m",
    "pytest",
    "-x",
    "-q",
    "-rfE",
    "-m",
    "not slow and not exhaustive and not frameworks",
]

COMPARISONS = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}
ARITHMETIC = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "+",
    ast.FloorDiv: "*",
    ast.Mod: "//",
    ast.Pow: "*",
}

# the tests that are about a part of the house, in the order in which they notice most
TESTS = {
    "relations": "relations relations_random sizes explain contradictions dimensions variety "
    "explain_ways explain_order explain_names explain_left_out",
    "constraints": "constraints faces sizes dimensions annotations mistakes large_arrays",
    "frameworks": "frameworks constraints large_arrays simplify_arrays",
    "plan": "plain sizes relations dimensions inputs raised large_arrays an_language replay",
    "simplify": "simplify simplify_arrays simplify_sizes smallest",
    "writer": "writer related generated inputs examples",
    "strategies": "inputs sizes writer generated",
    "oracles": "oracles fingerprints odd_exceptions postmortem run",
    "engine": "executor run search replay budgets prevented repeating oracles faults "
    "identity output_limit",
    "triage": "reports run database",
    "reports": "reports streams live",
    "database": "database database_writers replay",
    "discovery": "discovery an_language",
    "cli": "replay reports discovery config mistakes",
    "process": "children shield segments faults spawn",
    "facts": "run replay reports database",
    "spec": "annotations discovery mistakes",
    "signature": "annotations discovery an_language",
    "source": "writer source replay",
    "testing": "faces frameworks",
    "guard": "guard guard_log guard_reach prevented guard_kernel",
    "large": "large_arrays simplify_arrays large_runs",
    "hints": "raised explain_mistakes mistakes",
}


@dataclass(frozen=True)
class Mutation:
    """One change: of which line, from what to what."""

    file: str
    line: int
    start: int
    end: int
    new: str
    kind: str

    def applied_to(self, text: str) -> str:
        """Return the source with the change in it."""
        return text[: self.start] + self.new + text[self.end :]

    def told(self, text: str) -> str:
        """Return the change as a person may read it."""
        old = " ".join(text[self.start : self.end].split())
        return f"{self.file}:{self.line} {self.kind}: {old} -> {self.new}"


def changed_lines(base: str) -> dict[str, set[int]]:
    """Return the lines of src, by file, that a revision did not have."""
    command = ["git", "diff", "-U0", "--no-color", base, "--", "src"]
    lines: dict[str, set[int]] = {}
    name = ""
    for row in subprocess.check_output(command, cwd=ROOT, text=True).splitlines():
        if row.startswith("+++ b/"):
            name = row[6:]
        elif match := re.match(r"@@ \S+ \+(\d+)(?:,(\d+))? @@", row):
            first, count = int(match[1]), int(match[2] or 1)
            lines.setdefault(name, set()).update(range(first, first + count))
    return {name: numbers for name, numbers in lines.items() if name.endswith(".py") and numbers}


class Source:
    """The text of one file, and where its nodes are."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.text = (ROOT / name).read_text()
        self._starts = [0]
        for line in self.text.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def at(self, line: int, column: int) -> int:
        """Return the place in the text of a line and a column, which Python counts in bytes."""
        start = self._starts[line - 1]
        row = self.text[start : self._starts[line]]
        return start + len(row.encode()[:column].decode())

    def mutations(self) -> Iterator[Mutation]:
        """Yield every mutation of the file."""
        for node in ast.walk(ast.parse(self.text)):
            yield from self._of_node(node)

    def _of_node(self, node: ast.AST) -> Iterator[Mutation]:
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            new = COMPARISONS[type(node.ops[0])]
            yield self._between(node.left, node.comparators[0], new, "comparison")
        elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
            yield self._between(node.left, node.right, ARITHMETIC[type(node.op)], "arithmetic")
        elif isinstance(node, ast.Constant) and type(node.value) in (int, bool):
            new = str(not node.value) if type(node.value) is bool else str(node.value + 1)
            yield self._whole(node, new, "constant")
        elif isinstance(node, ast.If | ast.IfExp | ast.While):
            test = ast.get_source_segment(self.text, node.test)
            yield self._whole(node.test, f"not ({test})", "branch")
        elif isinstance(node, ast.Return) and node.value is not None:
            if not isinstance(node.value, ast.Constant):  # None is as false as False
                yield self._whole(node.value, "None", "return")

    def _whole(self, node: ast.expr, new: str, kind: str) -> Mutation:
        start = self.at(node.lineno, node.col_offset)
        end = self.at(node.end_lineno or node.lineno, node.end_col_offset or 0)
        return Mutation(self.name, node.lineno, start, end, new, kind)

    def _between(self, left: ast.expr, right: ast.expr, new: str, kind: str) -> Mutation:
        """Change the operator, leaving alone the brackets that may stand beside it."""
        start = self.at(left.end_lineno or left.lineno, left.end_col_offset or 0)
        end = self.at(right.lineno, right.col_offset)
        sign = re.search(r"[^\s()\\]+(?:\s+(?:in|not)\b)?", self.text[start:end])
        assert sign is not None
        first = start + sign.start()
        return Mutation(self.name, left.lineno, first, start + sign.end(), new, kind)


def chosen(base: str, count: int, seed: int) -> list[Mutation]:
    """Choose mutations among all of the changed lines, the same ones for the same seed."""
    every: list[Mutation] = []
    for name, lines in sorted(changed_lines(base).items()):
        every += [mutation for mutation in Source(name).mutations() if mutation.line in lines]
    return random.Random(seed).sample(every, min(count, len(every)))


def tests_of(name: str) -> list[str]:
    """Return the test files that import a module, and those about the part that it belongs to."""
    mentioned = re.compile(rf"\b{re.escape(_module(name))}\b")
    files = sorted((ROOT / "tests").glob("test_*.py"))
    own = [f"tests/{file.name}" for file in files if mentioned.search(file.read_text())]
    part = name.split("/")[2].removesuffix(".py")
    others = [f"tests/test_{word}.py" for word in TESTS.get(part, "").split()]
    return list(dict.fromkeys([*own, *others]))


class Tree:
    """A copy of the project, in which one mutation at a time is made."""

    def __init__(self, folder: Path) -> None:
        left_out = shutil.ignore_patterns(".venv*", ".git", "site", "__pycache__", ".stamp-*")
        self.folder = folder / "tree"
        shutil.copytree(ROOT, self.folder, ignore=left_out)
        self._time = time.time()

    def noticed(self, mutation: Mutation, only_near: bool) -> str:
        """Return what noticed a mutation; nothing if no test did."""
        text = (self.folder / mutation.file).read_text()
        self._write(mutation.file, mutation.applied_to(text))
        try:
            if self._wrong(["-c", f"import {_module(mutation.file)}"]):
                return "the import"
            noticed = self._failing(tests_of(mutation.file))
            return noticed or ("" if only_near else self._failing(["tests"]))
        finally:
            self._write(mutation.file, text)

    def _failing(self, tests: list[str]) -> str:
        """Return the first test that fails, and does so again by itself."""
        passed_over: list[str] = []
        while tests and (output := self._wrong([*PYTEST, "-n", "2", *tests, *passed_over])):
            failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - |$)", output, re.MULTILINE)
            if failed is None or self._wrong([*PYTEST, failed[1]]):
                return failed[1] if failed else "all of pytest"
            passed_over += ["--deselect", failed[1]]
        return ""

    def _write(self, name: str, text: str) -> None:
        """Write a file of the tree; its time tells Python that what it has compiled is old."""
        self._time += 10
        (self.folder / name).write_text(text)
        os.utime(self.folder / name, (self._time, self._time))

    def _wrong(self, arguments: list[str]) -> str:
        """Return what Python prints where it fails or never ends; nothing where all is well."""
        env = os.environ | {"PYTHONPATH": str(self.folder / "src")}
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        command = [sys.executable, *arguments]
        try:
            ended = subprocess.run(
                command, cwd=self.folder, env=env, capture_output=True, text=True, timeout=LONGEST
            )
        except subprocess.TimeoutExpired:
            return "it never ends"
        return ended.stdout + ended.stderr if ended.returncode else ""


def _module(name: str) -> str:
    return name.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def main() -> int:
    """Make the mutations one after the other, and tell of each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--base", required=True, help="the revision whose lines are left alone")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--near", action="store_true", help="run only the tests of its module")
    parser.add_argument("--list", action="store_true", help="only show what would be changed")
    given = parser.parse_args()
    mutations = chosen(given.base, given.count, given.seed)
    if given.list:
        for mutation in mutations:
            print(mutation.told((ROOT / mutation.file).read_text()))
        return 0
    survivors = []
    with tempfile.TemporaryDirectory() as temporary:
        tree = Tree(Path(temporary))
        for number, mutation in enumerate(mutations, 1):
            by = tree.noticed(mutation, given.near)
            told = mutation.told((ROOT / mutation.file).read_text())
            print(f"{number}/{len(mutations)} {'noticed by ' + by if by else 'SURVIVED'}: {told}")
            sys.stdout.flush()
            if not by:
                survivors.append(told)
    print(f"{len(mutations) - len(survivors)} of {len(mutations)} noticed")
    for told in survivors:
        print(f"  survived: {told}")
    return int(len(survivors) * 10 > len(mutations))


if __name__ == "__main__":
    sys.exit(main())
