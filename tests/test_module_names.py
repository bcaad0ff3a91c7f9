"""What a module is called: as its own program imports it, wherever annotest is run from.

Each layout has a function that fails; the call that is shown must fail likewise where it is pasted.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from conftest import annotest
from folders import write

HEAD = "from annotest import arg, ints\n"
BUG = "@arg(n=ints(0, 3))\ndef f(n):\n    return 1 // n\n"
CODE = HEAD + BUG
IN_PACKAGE = HEAD + "from . import other\nfrom .other import VALUE\n" + BUG
OTHER = {"pkg/other.py": "VALUE = 1\n"}


class Layout(NamedTuple):
    """Files, where and on what annotest is run, and what the modules are called."""

    files: dict[str, str]
    modules: list[str]
    paths: tuple[str, ...] = (".",)
    here: str = "."


NAMESPACE = {"pkg/net.py": IN_PACKAGE, **OTHER}
DEEP = {
    "pkg/sub/net.py": HEAD + "from ..other import VALUE\nfrom . import near\n" + BUG,
    "pkg/sub/near.py": "",
    **OTHER,
}
SRC = {f"src/{name}": text for name, text in NAMESPACE.items()}
REGULAR = {"pkg/__init__.py": "", **NAMESPACE}
TRIED = "try:\n    from .other import VALUE\nexcept ImportError:\n    from other import VALUE\n"
LATE = HEAD + "@arg(n=ints(0, 3))\ndef f(n):\n    from .other import VALUE\n    return VALUE // n\n"
BESIDE = {
    "net.py": HEAD + "from net.layers import SIZE\n" + BUG,
    "net/__init__.py": "",
    "net/layers.py": "SIZE = 3\n",
}
TWO_UTILS = {
    "pkg/__init__.py": "",
    "pkg/utils.py": "WHERE = 'package'\n",
    "pkg/net.py": HEAD + "import utils\nassert utils.WHERE == 'top'\n" + BUG,
    "utils.py": "WHERE = 'top'\n",
}
BY_TWO_NAMES = {
    "pkg/__init__.py": "",
    "pkg/net.py": CODE.replace("    return", "    from pkg import check\n    return"),
    "pkg/check.py": "import net\nimport pkg.net\nassert net is pkg.net\n",
}
LAYOUTS = {
    "a script": Layout({"net.py": CODE}, ["net"]),
    "a script in a folder": Layout({"sub/net.py": CODE}, ["sub.net"]),
    "a folder named like a library": Layout({"test/net.py": CODE}, ["net"]),
    "a package": Layout(REGULAR, ["pkg.net"]),
    "a package, its file named": Layout(REGULAR, ["pkg.net"], ("pkg/net.py",)),
    "a package, from inside": Layout(REGULAR, ["pkg.net"], here="pkg"),
    "a package, its file named from inside": Layout(REGULAR, ["pkg.net"], ("net.py",), "pkg"),
    "a namespace package": Layout(NAMESPACE, ["pkg.net"]),
    "a namespace package, its file named": Layout(NAMESPACE, ["pkg.net"], ("pkg/net.py",)),
    "a namespace package, from inside": Layout(NAMESPACE, ["pkg.net"], here="pkg"),
    "a namespace package, its file named from inside": Layout(
        NAMESPACE, ["pkg.net"], ("net.py",), "pkg"
    ),
    "a deep namespace package, from inside": Layout(DEEP, ["pkg.sub.net"], here="pkg/sub"),
    "a deep namespace package, from its middle": Layout(DEEP, ["pkg.sub.net"], here="pkg"),
    "a namespace package in src": Layout(SRC, ["pkg.net"]),
    "a namespace package in src, from inside": Layout(SRC, ["pkg.net"], here="src/pkg"),
    "a relative import in a function": Layout(
        {"pkg/net.py": LATE, **OTHER}, ["pkg.net"], here="pkg"
    ),
    "a relative import that is tried": Layout(
        {"pkg/net.py": HEAD + TRIED + BUG, **OTHER}, ["net"], here="pkg"
    ),
    "a dot in the name": Layout({"model.v2.py": CODE}, ["model.v2"]),
    "a dot in the name, in a folder": Layout({"sub/model.v2.py": CODE}, ["sub.model.v2"]),
    "a dot in the name, in a package": Layout(
        {**OTHER, "pkg/model.v2.py": IN_PACKAGE}, ["pkg.model.v2"]
    ),
    "a dot and a module of that name": Layout(
        {"model.v2.py": CODE, "model/__init__.py": "", "model/v2.py": ""}, ["model.v2"]
    ),
    "a dash": Layout({"train-v2.py": CODE}, ["train-v2"]),
    "a digit": Layout({"01_intro.py": CODE}, ["01_intro"]),
    "a digit, in a folder": Layout({"notes/01_intro.py": CODE}, ["01_intro"]),
    "a keyword": Layout({"class.py": CODE}, ["class"]),
    "__main__": Layout({"__main__.py": CODE}, ["__main__"]),
    "__main__ of a package": Layout(
        {**OTHER, "pkg/__init__.py": "", "pkg/__main__.py": IN_PACKAGE}, ["pkg.__main__"]
    ),
    "a script beside a package of its name": Layout(BESIDE, ["net"]),
    "a script beside a package, both with a bug": Layout(
        {**BESIDE, "net/__init__.py": CODE}, ["net", "net"]
    ),
    "the name of a library": Layout(
        {"random.py": HEAD + "import helpers\n" + BUG, "helpers.py": ""}, ["random"]
    ),
    "a module of the package's name at the top": Layout(TWO_UTILS, ["pkg.net"]),
    "a module of the package's name at the top, from inside": Layout(
        TWO_UTILS, ["pkg.net"], here="pkg"
    ),
}


@pytest.fixture(params=LAYOUTS)
def layout(request, tmp_path):
    layout = LAYOUTS[request.param]
    folder = write(tmp_path / "project", {"pyproject.toml": "", **layout.files})
    return layout, folder / layout.here


def findings_of(record):
    return json.loads(record.read_text())["findings"]


def test_a_module_has_its_name_and_the_call_can_be_pasted(layout, tmp_path):
    layout, here = layout
    record = tmp_path / "record.json"
    done = annotest("run", *layout.paths, "--max-examples", 9, "--json", record, cwd=here)
    findings = findings_of(record)
    shown = [finding["exception"]["type"] for finding in findings]
    assert shown == ["ZeroDivisionError"] * len(layout.modules), done.stdout
    assert sorted(finding["target"]["module"] for finding in findings) == layout.modules
    for finding in findings:
        assert_fails_as_pasted(finding, here)


def assert_fails_as_pasted(finding, here):
    pasted = subprocess.run(
        [sys.executable, "-c", finding["call"]], cwd=here, capture_output=True, text=True
    )
    lines = pasted.stderr.splitlines()
    assert lines[-1] == f"ZeroDivisionError: {finding['message']}", finding["call"]
    assert f'{Path(finding["location"]["file"]).name}"' in pasted.stderr


def run_in(here, record, *command, **env):
    ended = subprocess.run(
        [*command, "run", ".", "--max-examples", "9", "--json", record],
        cwd=here,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 1, ended.stdout + ended.stderr
    return [(each["target"]["module"], each["exception"]["type"]) for each in findings_of(record)]


COMMAND = Path(sys.executable).with_name("annotest")


@pytest.mark.parametrize("here", [".", pytest.param("pkg", marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("files", [TWO_UTILS, BY_TWO_NAMES, NAMESPACE])
def test_however_annotest_is_started_a_module_is_the_same(tmp_path, files, here):
    folder = write(tmp_path / "project", {"pyproject.toml": "", **files}) / here
    record, module = tmp_path / "record.json", (sys.executable, "-m", "annotest")
    expected = [("pkg.net", "ZeroDivisionError")]
    assert run_in(folder, record, COMMAND) == expected
    assert run_in(folder, record, *module) == expected
    assert run_in(folder, record, COMMAND, PYTHONPATH=".") == expected
    elsewhere = os.pathsep.join((str(folder), str(folder / "pkg"), str(folder.parent)))
    assert run_in(folder, record, COMMAND, PYTHONPATH=elsewhere) == expected


HIDDEN = {
    "model.v2.py": CODE + "class Layer:\n    @arg(n=ints(1, 3))\n    def __init__(self, n):\n"
    "        self.n = n\n    @arg(k=ints(0, 2))\n    def part(self, k):\n        return k // self.n\n",
    "__main__.py": "from annotest import module_test\nmodule_test()\n" + CODE,
    **BESIDE,
    "train-v2.py": CODE,
}


def test_tests_of_modules_that_no_import_names_can_be_generated(tmp_path):
    folder = write(tmp_path / "project", {"pyproject.toml": "", **HIDDEN})
    assert annotest("generate", ".", cwd=folder).status == 0
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "annotest_tests", "-p", "no:cacheprovider"],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    # in each module f fails; the constructor, the method and the import do not
    assert ended.stdout.splitlines()[-1].startswith("4 failed, 3 passed"), ended.stdout


def test_explain_shows_calls_without_what_imports_the_module(tmp_path):
    folder = write(tmp_path / "project", {"pyproject.toml": "", **HIDDEN})
    told = annotest("explain", "Layer.part", cwd=folder).stdout
    calls = told.partition("for instance\n")[2].split("\n")
    assert calls[0].startswith("  model_v2.Layer(n="), told


def test_a_module_that_cannot_be_imported_is_loaded_as_it_is_shown(tmp_path):
    folder = write(tmp_path / "project", {"pyproject.toml": "", "model.v2.py": CODE + "1 // 0\n"})
    record = tmp_path / "record.json"
    annotest("run", ".", "--json", record, cwd=folder)
    (finding,) = findings_of(record)
    assert finding["call"].splitlines() == [
        "import importlib.util",
        "import sys",
        'spec = importlib.util.spec_from_file_location("model_v2__under_test", "model.v2.py")',
        "model_v2 = sys.modules[spec.name] = importlib.util.module_from_spec(spec)",
        "spec.loader.exec_module(model_v2)",
    ]
    assert_fails_as_pasted(finding, folder)
