"""Running annotest on folders that the tests write: shared by the tests of discovery."""

import json
import os
import re
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import conftest

PROJECT = Path(__file__).parent / "projects" / "discovery"
HEAD = "from annotest import arg, ints\n"
FUNCTION = "@arg(n=ints(1, 3))\ndef f(n):\n    assert n in (1, 2, 3)\n"
CODE = HEAD + FUNCTION
HEALTHY = CODE.replace("def f", "def healthy")


class Done(NamedTuple):
    """How a run ended: its record, its exit status, what it printed."""

    record: dict[str, Any]
    status: int
    output: str

    def targets(self, file: str = "") -> dict[str, str]:
        """Return the targets of a file, or of all, with how each fared."""
        chosen = [target for target in self.record["targets"] if file in ("", target["file"])]
        names = [("" if file else f"{each['file']}:") + each["qualname"] for each in chosen]
        assert len(names) == len(set(names)), f"tested twice: {Counter(names).most_common(3)}"
        return dict(zip(names, (target["status"] for target in chosen), strict=True))

    def findings(self, file: str) -> list[dict[str, Any]]:
        """Return the findings on targets of a file."""
        return [found for found in self.record["findings"] if found["target"]["file"] == file]


def annotest(folder: Path, *words: str) -> Done:
    """Run annotest in a folder, as a user does."""
    record = folder.parent / f"{folder.name}.json"
    record.unlink(missing_ok=True)
    done = conftest.annotest(*words, "--json", record, cwd=folder)
    output = done.stdout + done.stderr
    assert record.exists(), output
    return Done(json.loads(record.read_text()), done.status, output)


def write(folder: Path, files: dict[str | bytes, str | bytes]) -> Path:
    """Write files below a folder; names and contents may be bytes."""
    for name, content in files.items():
        path = os.path.join(os.fsencode(folder), os.fsencode(name))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
    return folder


PASSED, FAILED, BLOCKED = "passed", "failed", "blocked"


def not_testable(project: Done, file: str) -> dict[str, str]:
    named = [function for function in project.record["not_testable"] if function["file"] == file]
    assert all(function["add"] for function in named)
    return {function["qualname"]: function["reason"] for function in named}


def planted_in(path: Path) -> Counter[tuple[int, str]]:
    """Return the lines of a file that are marked `# planted: ExceptionType`, with that type."""
    marks = (re.search(r"# planted: (\w+)", line) for line in path.read_text().splitlines())
    return Counter((number, mark[1]) for number, mark in enumerate(marks, 1) if mark)


def found_in(record: dict[str, Any], file: str) -> Counter[tuple[int, str]]:
    """Return the lines of a file on which something was found, with the type of the exception."""
    places = [(found["location"], found["exception"]) for found in record["findings"]]
    return Counter(
        (place["line"], exception["type"])
        for place, exception in places
        if place and exception and place["file"] == file
    )
