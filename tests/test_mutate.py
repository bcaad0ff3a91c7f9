"""tools/mutate.py makes changes that compile and that differ."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

from mutate import TESTS, Source  # noqa: E402 - it is no package

FILES = ["src/annotest/constraints/_sizes.py", "src/annotest/relations/solving/terms.py"]


@pytest.mark.parametrize("name", FILES)
def test_every_mutation_changes_the_program_and_nothing_but_its_own_place(name):
    source = Source(name)
    before = ast.dump(ast.parse(source.text))
    mutations = list(source.mutations())
    for mutation in mutations:
        mutated = mutation.applied_to(source.text)
        assert ast.dump(ast.parse(mutated)) != before, mutation
        assert mutated.startswith(source.text[: mutation.start])
    assert {"comparison", "arithmetic", "constant", "branch", "return"} <= {
        mutation.kind for mutation in mutations
    }


def test_the_tests_of_each_part_are_there():
    named = {word for words in TESTS.values() for word in words.split()}
    assert {word for word in named if not (ROOT / "tests" / f"test_{word}.py").exists()} == set()


def test_the_parts_are_there():
    source = ROOT / "src" / "annotest"
    parts = {
        part for part in TESTS if not ((source / part).exists() or (source / f"{part}.py").exists())
    }
    assert parts == set()
