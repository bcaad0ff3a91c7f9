"""ARCHITECTURE.md is true: every file, folder and function that it names is there."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "annotest"
PAGES = [ROOT / "ARCHITECTURE.md", *sorted((ROOT / "docs" / "decisions").glob("*.md"))]

# `engine/lane/lane.py:Lane.run`, `relations/`, `tests/layers.py`
_NAMED = re.compile(r"`([\w/.-]+(?:\.py|/))(?::(\w+(?:\.\w+)*))?`")


def named_in(page):
    return [match.groups() for match in _NAMED.finditer(page.read_text())]


def found(path):
    """Return the file or folder of a path as a page says it, or its last part alone."""
    for base in (SOURCE, SOURCE / "engine", SOURCE / "relations", ROOT):
        if (base / path).exists():
            return base / path
    if "/" not in path.rstrip("/"):  # named after a folder that the sentence has named
        return next(SOURCE.rglob(path.rstrip("/")), None)
    return None


def definitions(tree, before=""):
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield before + node.name
        if isinstance(node, ast.ClassDef):
            yield from definitions(node, f"{before}{node.name}.")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_a_page_names_is_there(page):
    assert [path for path, _ in named_in(page) if found(path) is None] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_function_that_a_page_names_is_there(page):
    named = [(path, name) for path, name in named_in(page) if name]
    missing = [
        f"{path}:{name}"
        for path, name in named
        if name not in definitions(ast.parse(found(path).read_text()))
    ]
    assert missing == []


def test_the_walk_goes_from_the_command_line_to_the_report():
    walk = PAGES[0].read_text().partition("## One function")[2].partition("\n## ")[0]
    hops = re.findall(r"^\| \d+ \| `([\w/.]+):", walk, re.MULTILINE)
    assert hops[0].startswith("cli/")
    assert hops[-1].startswith("reports/")
    assert {"discovery", "plan", "relations", "oracles"} <= {hop.split("/")[0] for hop in hops}
