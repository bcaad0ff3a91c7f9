"""Frameworks: NumPy, and a toy one registered by entry point, are served alike."""

import ast
import importlib
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import annotest, run_json

from annotest import floats, frameworks, ints
from annotest.constraints import REGISTRY
from annotest.engine.child.surroundings import Surroundings
from annotest.plan import plain
from annotest.plan.recipe import Applied, build
from annotest.plan.written import recipe_tree
from annotest.source import Names, Renderer
from annotest.testing import Case, check_conformance

TOY = Path(__file__).parent / "toy_framework"
HAS_TORCH = importlib.util.find_spec("torch") is not None
NAMES = (
    "numpy",
    "toy_arrays",
    pytest.param("torch", marks=pytest.mark.skipif(not HAS_TORCH, reason="torch is not installed")),
)


def forget_frameworks():
    for cached in (frameworks._entry_points, frameworks.known, frameworks.load):
        cached.cache_clear()


@pytest.fixture(scope="module", autouse=True)
def toy():
    """Return the toy framework, installed for these tests only."""
    sys.path.insert(0, str(TOY))
    forget_frameworks()
    yield importlib.import_module("toy_arrays")
    sys.path.remove(str(TOY))
    REGISTRY.pop("toy_arrays")
    for name in ("toy_arrays", "toy_adapter"):
        sys.modules.pop(name, None)
    forget_frameworks()


def written(tree):
    """Return what the source of a tree evaluates to."""
    names = Names()
    text = Renderer(names).layout(tree)
    space = {}
    for line in names.imports():
        exec(line, space)
    return eval(text, space)


SHAPES = [(), (0,), (3,), (2, 3)]


@pytest.mark.parametrize("name", NAMES)
def test_an_adapter_builds_describes_and_gives_back_arrays_of_all_its_dtypes(name):
    adapter = frameworks.load(name)
    assert adapter.name == name
    for dtype in adapter.dtypes:
        for shape in SHAPES:
            held_as = adapter.dtypes[dtype].held_as
            elements = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(held_as)
            options = {"dtype": dtype} if held_as != dtype else {}
            value = adapter.build(elements.copy(), **options)
            assert adapter.view(value) == (name, shape, dtype)
            assert frameworks.adapter_of(value) is adapter
            back = adapter.elements(value)
            assert (back.shape, back.dtype) == (shape, held_as)
            assert np.array_equal(back, elements)


@pytest.mark.parametrize("name", NAMES)
def test_an_adapter_copies_compares_and_writes_arrays(name):
    adapter = frameworks.load(name)
    elements = np.array([[0, 1.5, np.nan], [-0.0, 2, np.inf]], "float32")
    value = adapter.build(elements)
    assert adapter.view("text") is None
    assert adapter.copy(value) is not value
    assert adapter.same(adapter.copy(value), value)
    assert not adapter.same(adapter.build(elements[:, :2].copy()), value)
    assert not adapter.same(adapter.build(elements + 1), value)
    assert not adapter.same(adapter.build(elements.astype("float64")), value)
    assert adapter.same(written(adapter.source(value)), value)
    array = frameworks.load("numpy").source(elements)
    tree = adapter.built_source(array, elements.shape, "float32")
    assert adapter.same(written(tree), value)
    assert adapter.source("text") is None


@pytest.mark.parametrize("name", ["numpy", "toy_arrays"])
def test_what_a_call_changes_in_a_framework_is_put_back(name, toy):
    changes = {
        "numpy": (lambda: np.seterr(over="raise"), lambda: np.geterr()["over"] == "raise"),
        "toy_arrays": (lambda: toy.MODE.update(strict=True), lambda: toy.MODE["strict"]),
    }
    change, is_changed = changes[name]
    surroundings = Surroundings()
    change()
    surroundings.restore()
    assert not is_changed()


def toy_cases(toy):
    arrays = toy.toy_arrays
    rows = [toy.Toy((2, 2), "float32", [0.25, 0.75, 1.0, 0.0])]
    ones = toy.Toy((2000,), "float64", [1.0] * 2000)
    return [
        Case(
            arrays((2, 2), min=0, max=1),
            rows,
            [np.zeros((2, 2), "float32"), toy.Toy((2, 2), "float32", [2.0] * 4), [[0.0]]],
        ),
        Case(arrays(), [toy.Toy((1,), "float32", [3.0])], [toy.Toy((1,), "float64", [3.0])]),
        Case(arrays((2, ints(1, 9)), contents="probabilities"), rows, [ones]),
        Case(arrays(2000, "float64", max=1), [ones], [toy.Toy((1,), "float64", [1.0])]),
        Case(arrays("n n", "int32", elements=ints(0, 3)), [toy.Toy((1, 1), "int32", [3])], [ones]),
        Case(arrays(2, dtype=None, elements=floats(0, 1)), [toy.Toy((2,), "float64", [0, 1])], []),
        Case(arrays(3, "int32", unique=True), [toy.Toy((3,), "int32", [1, 2, 3])], []),
        Case(arrays(2, "complex64"), [toy.Toy((2,), "complex64", [1j, 0j])], []),
    ]


@pytest.mark.parametrize("number", range(8))
def test_a_constraint_of_another_framework_conforms(number, toy):
    check_conformance(toy_cases(toy)[number])


def test_a_dtype_that_a_framework_does_not_have_is_told(toy):
    with pytest.raises(ValueError, match="toy_arrays: unknown dtype 'float16'"):
        toy.toy_arrays(2, "float16")


def test_a_message_speaks_of_the_framework_s_arrays(toy):
    reason = next(toy.toy_arrays((2,)).mismatches(3, "x"))
    assert str(reason) == "x: expected a toy array, got 3 (int)"


def test_a_recipe_of_another_framework_is_kept_as_plain_text(toy):
    recipe = Applied(frameworks.Framed("toy_arrays"), np.array([1.5, 2], "float32"))
    again = plain.read(plain.written({"x": recipe}, []), [])["x"]
    assert build(again).items == [1.5, 2.0]


def test_a_large_array_of_another_framework_is_written_as_its_recipe(toy):
    from annotest.large import Constant, LargeArray

    large = LargeArray((2000,), "float32", Constant(0.5), ((3, 1.0),))
    tree = recipe_tree(Applied(frameworks.Framed("toy_arrays"), large))
    text = Renderer(Names()).layout(tree)
    assert text == 'from_numpy(large_array((2000,), "float32", 0.5, {3: 1.0}))'
    assert written(tree).items[3] == 1.0


PROGRAM = """
from toy_arrays import MODE, toy_arrays
from annotest import arg, dims, ints, require, same

@arg(a=toy_arrays("n k"), b=toy_arrays("k m"), m=ints(1, 6))
@require("k % 2 == 0")
def multiply(a, b, m):
    assert a.shape[1] == b.shape[0] and b.shape[1] == m and a.shape[1] % 2 == 0
    assert a.shape[0] < 3, "too many rows"

@arg(x=toy_arrays(3, min=-5, max=5))
@require("x.shape[0] == 3")
def peak(x):
    MODE["strict"] = True
    assert max(x.items) < 2

@arg(x=toy_arrays((26, 40), "float64", min=0, max=1))
def bulk(x):
    assert x.items[70] < 0.75

@arg(x=toy_arrays("n", None))
@require("x.dtype == 'float64' and len(x.shape) == 1")
def typed(x):
    assert x.dtype == "float64"

@arg(x=toy_arrays("n", same("T")), y=toy_arrays("n", same("T")))
def alike(x, y):
    assert (x.dtype, x.shape) == (y.dtype, y.shape)
"""


ALONE = """
from toy_arrays import toy_arrays
from annotest import arg, lists

@arg(x=toy_arrays((2, 3), min=0, max=1), parts=lists(toy_arrays(2, "int32"), max_len=2))
def mean(x, parts):
    assert 0 <= sum(x.items) / 6 <= 1
    assert all(part.dtype == "int32" for part in parts)

@arg(x=toy_arrays((26, 40), "float64", min=0, max=1))
def bulk(x):
    assert len(x.items) != 26 * 40
"""


def framed_environment():
    path = os.pathsep.join(filter(None, [str(TOY), os.environ.get("PYTHONPATH", "")]))
    return {"PYTHONPATH": path}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("toys")
    (made / "program.py").write_text(PROGRAM)
    (made / "alone.py").write_text(ALONE)
    return made


@pytest.fixture(scope="module")
def done(folder):
    env = framed_environment()
    return run_json("program.py", "--seed", "1", cwd=folder, tmp_path=folder, env=env)


FOUND = {
    "multiply": (
        "multiply(a=array([[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]], 'float32', (3, 2)), "
        "b=array([[0.0], [0.0]], 'float32', (2, 1)), m=1)"
    ),
    "peak": "peak(x=array([0.0, 0.0, 2.0], 'float32', (3,)))",
}


@pytest.mark.parametrize("name", FOUND)
def test_the_smallest_call_is_written_in_the_framework_s_words(name, done):
    (finding,) = done.findings(name)
    call = ast.parse(finding["call"]).body[-1]
    assert ast.unparse(call) == FOUND[name]


def test_the_smallest_call_with_a_large_array_is_written_as_its_recipe(done):
    (finding,) = done.findings("bulk")
    call = ast.unparse(ast.parse(finding["call"]).body[-1])
    assert call.startswith("bulk(x=from_numpy(large_array((26, 40), 'float64', 0.0, {70: 1.0")


def test_arrays_of_a_framework_share_dtypes_and_dimensions(done):
    assert done.target("alike")["status"] == "passed"


def test_a_precondition_on_the_dtype_of_a_framework_is_understood(done):
    assert done.target("typed")["status"] == "passed"
    assert done.target("typed")["inputs_discarded"] == 0


def test_what_is_written_is_a_test_that_runs(folder, tmp_path):
    env = framed_environment()
    made = annotest("generate", "alone.py", "--out", tmp_path, cwd=folder, env=env)
    assert made.status == 0, made.stdout + made.stderr
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    path = os.pathsep.join([env["PYTHONPATH"], str(folder)])
    ran = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert "1 failed, 1 passed" in ran.stdout, ran.stdout
    text = "".join(file.read_text() for file in tmp_path.rglob("test_*.py"))
    assert "framed(" in text


def test_an_annotation_loads_no_framework():
    code = "import sys, annotest; annotest.np_arrays('float32', 3); print('numpy' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.stdout == "False\n"


WATCHING = """
import os, sys
from annotest import *

IMPORTED_BY = {}


class Watch:
    def find_spec(name, path=None, target=None):
        IMPORTED_BY[name] = os.getpid()


sys.meta_path.insert(0, Watch)


@generator
@arg(x=np_arrays("int8", 2))
def pair(x):
    return x


@arg(x=objs(pair))
def looks(x):
    worker = os.getppid()
    assert [IMPORTED_BY["numpy"], IMPORTED_BY["numpy.random"]] == [worker, worker]
"""


def test_numpy_is_imported_before_calls_where_the_module_itself_does_not(project, tmp_path):
    """Every child would import it anew, at the cost of most of its time."""
    watching = project(watching=WATCHING)
    done = run_json("watching.py", "--max-examples", 5, cwd=watching, tmp_path=tmp_path)
    assert done.status == 0, done.stdout
