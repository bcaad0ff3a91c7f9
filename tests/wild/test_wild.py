"""Real libraries, annotated from outside by their documentation: no finding in what is right.

A program calls functions of a library and checks the shapes of their results. Its twin has a mistake
in one line of each function: the line of the comment `# twin:` instead of the one above.
"""

import re
from pathlib import Path

import pytest
from folders import annotest, write

pytestmark = pytest.mark.frameworks

HERE = Path(__file__).parent
LIBRARIES = [
    "torch_functional",
    "torch_modules",
    "torch_sound",
    "einops_layers",
    "transformers_models",
    "monai_parts",
]
TWIN = re.compile(r"^( *)\S.*\n *# twin: (.*)$", re.MULTILINE)
FUNCTIONS = 25  # of all libraries, at least
# what is suspicious in what is right: MONAI gives NaN for what is nowhere in the image, and says so
FALSE_ALARMS = {"monai_parts:dice"}


def program(library):
    return (HERE / f"{library}.py").read_text()


def wrong(text):
    """Return a program with all mistakes made."""
    return TWIN.sub(r"\1\2  # planted", text)


def with_twins(text):
    """Return the functions and classes that have a twin."""
    parts = re.split(r"^(?:def|class) (\w+)", text, flags=re.MULTILINE)
    return {name for name, body in zip(parts[1::2], parts[2::2]) if "# twin:" in body}


def run(folder, library, text, *words):
    checks = (HERE / f"{library}_checks.py").read_text()
    write(folder / "project", {f"{library}.py": text, f"{library}_checks.py": checks})
    return annotest(folder / "project", "run", f"{library}_checks.py", "--seed", "1", *words)


# torch_sound calls a module many times for each input
INPUTS = [
    *((library, 30 if library == "torch_sound" else 100) for library in LIBRARIES),
    pytest.param("torch_sound", 100, marks=pytest.mark.exhaustive),
]


@pytest.mark.parametrize(("library", "inputs"), INPUTS)
def test_nothing_is_found_where_nothing_is_wrong(tmp_path, library, inputs):
    done = run(tmp_path, library, program(library), "--max-examples", str(inputs))
    assert set(done.targets().values()) == {"passed"}, done.output
    assert [each for each in done.record["mistakes"] if not each["warning"]] == []
    told = {
        f"{each['target']['module']}:{each['target']['qualname']}" for each in done.record["asides"]
    }
    assert told <= FALSE_ALARMS


@pytest.mark.parametrize("library", LIBRARIES)
def test_each_planted_mistake_is_found_and_nothing_else(tmp_path, library):
    # the library itself is as right as before
    inputs = 80 if library == "torch_sound" else 60
    only = "--max-examples", str(inputs), "-k", library
    found = run(tmp_path, library, wrong(program(library)), *only).record["findings"]
    assert {finding["target"]["file"] for finding in found} == {f"{library}.py"}
    names = {finding["target"]["qualname"].partition(".")[0] for finding in found}
    assert names == with_twins(program(library))


def test_there_are_enough_functions():
    assert sum(len(with_twins(program(library))) for library in LIBRARIES) >= FUNCTIONS
