"""Forks of a process that has imported a framework, with a forward and a backward pass in each.

`make test-frameworks` runs fifty for each framework, `make soak` a thousand.
"""

import os

import pytest
from conftest import run_json
from frameworks.programs import HEADS, program

FORKS = int(os.environ.get("ANNOTEST_FORKS", "50"))
pytestmark = pytest.mark.frameworks


@pytest.mark.parametrize("framework", HEADS)
def test_no_fork_of_an_imported_framework_hangs(framework, tmp_path):
    pytest.importorskip(framework, reason=f"make test-frameworks installs {framework}")
    (tmp_path / "steps.py").write_text(program(framework, FORKS))
    env = {"ANNOTEST_TEST_SECONDS": str(60 * FORKS)}
    done = run_json(
        "steps.py",
        "--processes",
        "fork",
        "--max-examples",
        "1",
        "--timeout",
        "60",
        "--verbose",
        cwd=tmp_path,
        tmp_path=tmp_path,
        env=env,
    )
    assert "each target in a fork of the imported module" in done.stderr
    statuses = [one["status"] for one in done.report["targets"]]
    assert statuses == ["passed"] * FORKS, done.stdout
    assert done.report["findings"] == []
