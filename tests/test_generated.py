"""Generated files of the benchmark's relations and of the examples: valid, short, clean."""

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import annotest
from generated_checks import Contract
from related_files import composites_in, run_ruff, shape_of

ROOT = Path(__file__).resolve().parents[1]
TABLES = ("relations_table", "relations_arrays", "relations_hard")
CHECKER = Path(__file__).with_name("generated_checks.py")
MOST_LINES = 25
# how many of the 74 relations are written in each shape; a change is to be seen in review
SHAPES = {"composite": 36, "assume": 2, "inputs": 36}


def copied(folder, paths):
    """Copy modules into a folder, have their tests generated, and return these files."""
    for path in paths:
        shutil.copy(path, folder)
    done = annotest("generate", ".", cwd=folder)
    assert done.status in (0, 1), done.stdout + done.stderr  # one example cannot be imported
    return sorted((folder / "annotest_tests").glob("test_*.py"))


@pytest.fixture(scope="module")
def relations(tmp_path_factory):
    folder = tmp_path_factory.mktemp("relations")
    return copied(folder, [ROOT / "benchmarks" / f"{name}.py" for name in TABLES])


@pytest.fixture(scope="module")
def examples(tmp_path_factory):
    return copied(tmp_path_factory.mktemp("examples"), (ROOT / "examples").glob("*.py"))


@pytest.fixture(params=["relations", "examples"])
def files(request):
    return request.getfixturevalue(request.param)


def found_in(folder, count):
    """Return what plain Python says of so many inputs of each function."""
    command = [sys.executable, str(CHECKER), str(folder), str(count)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_every_file_is_clean(files):
    done = run_ruff(files[0].parent, "check")
    assert done.returncode == 0, done.stdout


def test_no_composite_is_long(files):
    trees = [ast.parse(file.read_text()) for file in files]
    functions = [node for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)]
    composites = [node for node in functions if "composite" in ast.unparse(node).splitlines()[0]]
    assert composites
    for node in composites:
        assert node.end_lineno - node.decorator_list[0].lineno < MOST_LINES, node.name


def test_the_shapes_are_as_reviewed(relations):
    blocks = {}
    for file in relations:
        blocks |= composites_in(file.read_text())
    shapes = [shape_of(block) for block in blocks.values()]
    assert {name: shapes.count(name) for name in shapes} == SHAPES


def test_no_input_is_invalid(relations):
    found = found_in(relations[0].parents[1], 20)
    assert len(found) == 74
    assert [said["invalid"] for said in found.values() if said["invalid"]] == []
    assert [name for name, said in found.items() if not said["inputs"]] == []


@pytest.mark.exhaustive
def test_no_input_of_two_hundred_is_invalid(relations):
    found = found_in(relations[0].parents[1], 200)
    assert len(found) == 74
    assert [said["invalid"] for said in found.values() if said["invalid"]] == []


@pytest.mark.exhaustive
def test_no_input_of_the_examples_is_invalid(examples, tmp_path):
    folder = shutil.copytree(examples[0].parents[1], tmp_path / "examples")
    (folder / "annotest_tests" / "test_train_script.py").unlink()  # it tests an import only
    found = found_in(folder, 200)
    assert found.keys() >= {"DenseNet", "build_gan", "prepare"}
    assert [said["invalid"] for said in found.values() if said["invalid"]] == []


WRONG = """\
from annotest import arg, dims, ints, lists, np_arrays, require


@arg(n=ints(1, 9), k=ints(1, 9), xs=lists(ints(0, 5), min_len=1, max_len=3))
@require("n % k == 0")
def numbers(n, k, xs): ...


@arg(x=np_arrays("float32", "n 2*n"), n=ints(1, 3))
@dims(m=ints(1, 2))
def sides(x, n): ...
"""


@pytest.mark.parametrize(
    ("name", "values", "wrong"),
    [
        ("numbers", {"n": 4, "k": 2, "xs": [1]}, 0),
        ("numbers", {"n": 4, "k": 3, "xs": [1]}, 1),
        ("numbers", {"n": 10, "k": 3, "xs": []}, 3),
        ("numbers", {"n": True, "k": 1, "xs": [6]}, 2),
        ("sides", {"x": (2, 4), "n": 2}, 0),
        ("sides", {"x": (2, 4), "n": 1}, 2),
        ("sides", {"x": (2, 5), "n": 2}, 1),
    ],
)
def test_the_checker_sees_what_is_wrong(name, values, wrong):
    definitions = {one.name: one for one in ast.parse(WRONG).body if hasattr(one, "name")}
    if "x" in values:
        values = {**values, "x": np.zeros(values["x"], "float32")}
    assert len(list(Contract(definitions[name], {}).complaints(values))) == wrong
