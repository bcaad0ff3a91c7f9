"""A module imports its own row of the table in layers.py, and the rows above it."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from layers import ARCHITECTURE, ROOM, ROW, with_tables

import annotest

SOURCE = Path(annotest.__file__).parent

# what a layer may not import although it lies above it, and libraries it may not load
FORBIDDEN = {"reports": {"engine"}}
HYPOTHESIS = {"strategies", "plan", "engine", "testing"}
FREE_OF_NUMPY = {"errors", "expr", "source", "constraints", "spec", "decorators", "an_language"}

# the rooms of relations/, and which others each may import
ROOMS = {
    "solving": set(),
    "reading": {"solving"},
    "arguments": {"solving", "reading"},
    "explaining": {"solving", "reading", "arguments"},
}

FILES = sorted(SOURCE.rglob("*.py"))
ENGINE = [path for path in FILES if path.is_relative_to(SOURCE / "engine")]


def layer_of(path):
    parts = path.relative_to(SOURCE).parts
    return parts[0].removesuffix(".py")


def imports_of(path):
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: relative import"
            if node.module == "annotest":
                yield from (f"annotest.{alias.name}" for alias in node.names)
            else:
                yield node.module


def own_imports(path):
    for name in imports_of(path):
        if name.startswith("annotest."):
            yield name.split(".")[1]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_module_imports_only_its_own_row_and_the_rows_above(path):
    layer = layer_of(path)
    if layer == "__init__":
        return
    assert layer in ROW, f"{layer} has no row in the layer table"
    for name in own_imports(path):
        if name == "__version__":
            continue
        short = str(path.relative_to(SOURCE))
        assert ROW[name] <= ROW[layer], f"{short} imports {name}"
        assert name not in FORBIDDEN.get(layer, ()), short


@pytest.mark.parametrize(
    "path", [path for path in FILES if layer_of(path) == "relations"], ids=lambda path: path.stem
)
def test_a_room_of_relations_imports_only_the_rooms_below_it(path):
    room = path.relative_to(SOURCE / "relations").parts[0].removesuffix(".py")
    if room == "__init__":
        return
    for name in imports_of(path):
        if name.startswith("annotest.relations."):
            assert name.split(".")[2] in {room} | ROOMS[room], f"{room} imports {name}"


def room_of(parts):
    """Return the folder of a module of the engine, or the engine where it stands in none."""
    return parts[0] if parts and (SOURCE / "engine" / parts[0]).is_dir() else "engine"


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_process_imports_only_its_own_room_and_those_inside(path):
    room = room_of(path.relative_to(SOURCE / "engine").parts)
    for name in imports_of(path):
        if name.startswith("annotest.engine"):
            assert ROOM[room_of(name.split(".")[2:])] <= ROOM[room], f"{path} imports {name}"


def importing(start):
    """Return the files of the parent that import something."""
    parent = [path for path in ENGINE if path.parent.name == "parent"]
    return {path.stem for path in parent if any(n.startswith(start) for n in imports_of(path))}


def test_the_parent_reaches_lanes_through_an_executor():
    # listing and replaying have no lanes: there the parent supervises a worker itself
    assert importing("annotest.engine.lane.supervisor") == {"run", "reproduce"}
    assert importing("annotest.engine.lane.lane") == {"local"}
    assert importing("annotest.engine.lane.target") == set()


@pytest.mark.parametrize("name", ["tasks", "parent/executor", "parent/schedule", "parent/campaign"])
def test_what_may_travel_knows_no_process(name):
    libraries = set(imports_of(SOURCE / "engine" / f"{name}.py"))
    assert not libraries & {"signal", "tempfile", "annotest.process", "annotest.process.channel"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_libraries_are_imported_only_where_the_table_allows(path):
    layer = layer_of(path)
    libraries = {name.split(".")[0] for name in imports_of(path)}
    if "hypothesis" in libraries:
        assert layer in HYPOTHESIS
    if layer in FREE_OF_NUMPY:
        assert "numpy" not in libraries
    if libraries & {"rich", "click"}:
        assert layer in ("reports", "cli")


def loaded_after(code):
    heavy = [
        "hypothesis",
        "numpy",
        "click",
        "rich",
        "jinja2",
        "torch",
        "tensorflow",
        "keras",
        "jax",
    ]
    script = f"{code}\nimport sys; print([m for m in {heavy} if m in sys.modules])"
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return result.stdout.strip()


def test_import_annotest_is_light():
    assert loaded_after("import annotest") == "[]"


def test_import_of_the_published_spelling_is_light():
    assert loaded_after("import annotest.an_language") == "[]"


def test_annotating_and_checking_values_is_light():
    code = (
        "from annotest import *\n"
        "@arg(n=ints(1, 5), x=np_arrays('float32', (3, 4)), k=anys(None, lists(floats(0, 1))))\n"
        "@require('n > 2')\n"
        "def f(n, x, k=None): pass\n"
        "assert 3 in ints(1, 5) and 3 not in np_arrays('int8')\n"
    )
    assert loaded_after(code) == "[]"


def test_every_public_name_is_exported_and_documented():
    for name in annotest.__all__:
        value = getattr(annotest, name)
        if name != "__version__":
            assert value.__doc__, name


def test_the_page_shows_the_tables():
    page = ARCHITECTURE.read_text()
    assert "<!-- layers:begin -->" in page
    assert "<!-- rooms:begin -->" in page
    assert page == with_tables(page), "run python tests/layers.py"


def test_no_two_classes_have_one_name():
    places = {}
    for path in FILES:
        for node in ast.parse(path.read_bytes()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(str(path.relative_to(SOURCE)))
    assert {name: files for name, files in places.items() if len(files) > 1} == {}
