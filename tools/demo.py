"""Run annotest on the examples, and check that it finds the planted bugs and nothing else.

Where torch is not installed, the examples that use it are left out. Options are passed on:
`python tools/demo.py --max-examples 50`.
"""

import importlib.util
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
RAN_WELL = (0, 1)  # annotest's exit status without and with findings
USES_TORCH = re.compile(r"^(import|from) torch\b", re.MULTILINE)


class Bug(NamedTuple):
    """What tells one bug from another; the line is its text, so that editing moves nothing."""

    file: str
    target: str
    exception: str
    line: str

    def __str__(self) -> str:
        return f"{self.file}, {self.target}: {self.exception} at `{self.line}`"


def left_out() -> set[str]:
    """Return the examples that cannot be run: those that use torch where there is none."""
    if importlib.util.find_spec("torch") is not None:
        return set()
    files = EXAMPLES.glob("*.py")
    return {file.name for file in files if USES_TORCH.search(file.read_text())}


def planted_bugs() -> list[Bug]:
    """Return the bugs that the examples are known to have."""
    return [Bug(**record) for record in json.loads((EXAMPLES / "planted.json").read_text())]


def run_annotest(files: list[str], report: Path) -> int:
    """Run annotest in full view, have it write its report, and return its exit status."""
    command = [sys.executable, "-m", "annotest", "run", *files, "--seed", "1", *sys.argv[1:]]
    return subprocess.run([*command, "--json", str(report)], cwd=ROOT).returncode


def found_bugs(report: Path) -> list[Bug]:
    """Return the bugs that annotest reports."""
    return [_bug(finding) for finding in json.loads(report.read_text())["findings"]]


def _bug(finding: dict) -> Bug:
    exception = (finding["exception"] or {"type": finding["kind"]})["type"]
    file = Path(finding["target"]["file"]).name
    return Bug(file, finding["target"]["qualname"], exception, _line(finding["location"]))


def _line(location: dict | None) -> str:
    if location is None:
        return ""
    lines = (ROOT / location["file"]).read_text().splitlines()
    return lines[location["line"] - 1].strip()


def main() -> int:
    """Return 0 if annotest found what was planted, all of it and nothing else."""
    without = left_out()
    files = sorted(f"examples/{file.name}" for file in EXAMPLES.glob("*.py"))
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        status = run_annotest([file for file in files if Path(file).name not in without], report)
        if status not in RAN_WELL:
            print(f"demo: annotest could not do its work: it ended with status {status}")
            return 1
        found = Counter(found_bugs(report))
    planted = Counter(bug for bug in planted_bugs() if bug.file not in without)
    missing, extra = planted - found, found - planted
    known = f"{(planted & found).total()} of {planted.total()} planted bugs found"
    print(f"demo: {known}; other findings: {extra.total()}")
    if without:
        print(f"demo: torch is not installed; left out: {', '.join(sorted(without))}")
    for bug in missing.elements():
        print(f"  missing: {bug}")
    for bug in extra.elements():
        print(f"  extra:   {bug}")
    return 1 if missing or extra else 0


if __name__ == "__main__":
    sys.exit(main())
