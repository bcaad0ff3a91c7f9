"""Real libraries, annotated from outside by their documentation: no finding in what is right.

A program calls functions of a library and checks the shapes of their results. Its twin has a mistake
in one line of each function: the line of the comment `# twin:` instead of the one above.
"""

import re
from functools import cache
from pathlib import Path

import pytest
from folders import annotest, write

pytestmark = pytest.mark.frameworks

HERE = Path(__file__).parent
LIBRARIES = [
    "torch_functional",
    "torch_modules",
    "einops_layers",
    "transformers_models",
    "monai_parts",
]
TWIN = re.compile(r"^( *)\S.*\n *# twin: (.*)$", re.MULTILINE)
FUNCTIONS = 25  # of all libraries, at least


def program(library):
    return (HERE / f"{library}.py").read_text()


def wrong(text):
    """Return a program with all mistakes made."""
    return TWIN.sub(r"\1\2  # planted", text)


def with_twins(text):
    """Return the functions and classes that have a twin."""
    parts = re.split(r"^(?:def|class) (\w+)", text, flags=re.MULTILINE)
    return {name for name, body in zip(parts[1::2], parts[2::2]) if "# twin:" in body}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    @cache
    def run_of(library, text):
        folder = tmp_path_factory.mktemp(library) / "project"
        checks = (HERE / f"{library}_checks.py").read_text()
        write(folder, {f"{library}.py": text, f"{library}_checks.py": checks})
        return annotest(folder, "run", f"{library}_checks.py", "--seed", "1")

    return run_of


@pytest.mark.parametrize("library", LIBRARIES)
def test_nothing_is_found_where_nothing_is_wrong(run, library):
    done = run(library, program(library))
    assert set(done.targets().values()) == {"passed"}, done.output
    assert [each for each in done.record["mistakes"] if not each["warning"]] == []


@pytest.mark.parametrize("library", LIBRARIES)
def test_each_planted_mistake_is_found_and_nothing_else(run, library):
    done = run(library, wrong(program(library)))
    failed = {name for name, status in done.targets().items() if status == "failed"}
    assert {name.partition(":")[2].split(".")[0] for name in failed} == with_twins(
        program(library)
    ), done.output


def test_there_are_enough_functions():
    assert sum(len(with_twins(program(library))) for library in LIBRARIES) >= FUNCTIONS
