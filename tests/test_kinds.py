"""The words for what happened: the same in the code, in the schema, and nowhere as loose text."""

import ast
from pathlib import Path

import pytest

import annotest
from annotest.kinds import KeptAs, Kind, Standing, Status, Verdict
from annotest.reports.json import schema

SOURCE = Path(annotest.__file__).parent
WORDS = {str(word) for words in (KeptAs, Kind, Standing, Status, Verdict) for word in words}


def allowed_by_schema(part, name):
    items = schema()["properties"][part]["items"]
    described = schema()["$defs"]["finding"] if "$ref" in items else items
    return sorted(described["properties"][name]["enum"])


def test_the_schema_and_the_enums_are_equal():
    assert allowed_by_schema("findings", "kind") == sorted(Kind)
    assert allowed_by_schema("asides", "verdict") == sorted(Verdict)
    assert allowed_by_schema("targets", "status") == sorted(Status)


def compared(tree):
    """Return the texts that code compares something with."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            for part in ast.walk(node):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part.value


@pytest.mark.parametrize(
    "folder", ["engine", "oracles", "reports", "cli", "process", "discovery", "database"]
)
def test_no_word_is_compared_as_loose_text(folder):
    for path in sorted((SOURCE / folder).rglob("*.py")):
        assert not WORDS & set(compared(ast.parse(path.read_bytes()))), path


@pytest.mark.parametrize("module", ["triage", "events", "facts"])
def test_no_word_is_compared_as_loose_text_at_the_top(module):
    path = SOURCE / f"{module}.py"
    assert not WORDS & set(compared(ast.parse(path.read_bytes())))
