"""What modules see of frameworks that other modules of their project import."""

import subprocess
import sys

import pytest
from conftest import run_json
from folders import write

pytestmark = pytest.mark.frameworks

TOLD = """
import os, sys
from annotest import arg, ints

FRAMEWORKS = ("jax", "keras", "tensorflow", "torch")
HERE = os.getpid()


@arg(n=ints(1, 1))
def f(n):
    seen = [name for name in FRAMEWORKS if name in sys.modules]
    backend = sys.modules["keras"].backend.backend() if "keras" in seen else "no keras"
    raise ValueError(f"{backend}, sees {', '.join(seen)}")
"""
SET = "import os\nos.environ['KERAS_BACKEND'] = {!r}\nimport keras\n"
PROGRAMS = {
    "torch_one": "import torch\n",
    "torch_two": "import torch\nfrom torch import nn\n",
    "jax_two": "import jax.numpy as jnp\n",
    "keras_one": "import keras\n",
    "keras_two": "from keras import layers\n",
    "keras_torch": SET.format("torch"),
    "keras_jax_one": SET.format("jax"),
    "keras_jax_two": SET.format("jax"),
    "all": "import torch, jax\nimport keras\n",
}


def by_itself(file):
    """Return what a module says that is run as a program of its own."""
    program = f"import runpy; runpy.run_path({str(file)!r})['f'](1)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    return done.stderr.splitlines()[-1].removeprefix("ValueError: ")


def test_a_module_sees_the_frameworks_that_it_imports_and_no_others(tmp_path):
    files = {f"{name}.py": head + TOLD for name, head in PROGRAMS.items()}
    project = write(tmp_path / "project", files)
    done = run_json(".", cwd=project, tmp_path=tmp_path)
    raised = {
        found["target"]["module"]: found["exception"]["message"]
        for found in done.report["findings"]
    }
    assert raised == {name: by_itself(project / f"{name}.py") for name in PROGRAMS}, done.stdout
    assert raised["torch_one"] == raised["torch_two"] == "no keras, sees torch"
    assert raised["keras_jax_one"].startswith("jax, sees jax, keras")
    assert raised["keras_torch"].startswith("torch, ")
