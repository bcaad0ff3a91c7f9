"""Forks of a process that has imported a framework, with a forward and a backward pass in each.

Many modules with a step each: their workers are forked from a base that has imported the framework,
and the steps run in forks of those. `make test-frameworks` has fifty modules for each framework,
`make soak` a thousand.
"""

import os

import pytest
from conftest import run_json
from frameworks.programs import HEADS, program

FORKS = int(os.environ.get("ANNOTEST_FORKS", "50"))
pytestmark = pytest.mark.frameworks


def run_steps(folder, targets):
    """Run every step once; all must pass."""
    env = {"TEST_SECONDS": str(60 * (targets + 1))}
    options = ("--max-examples", 1, "--timeout", 60, "--verbose")
    done = run_json(".", *options, cwd=folder, tmp_path=folder, env=env)
    statuses = [target["status"] for target in done.report["targets"]]
    assert statuses == ["passed"] * targets, done.stdout
    assert done.report["findings"] == []
    return done


@pytest.mark.parametrize("framework", HEADS)
def test_no_fork_of_an_imported_framework_hangs(framework, tmp_path):
    for number in range(FORKS):
        (tmp_path / f"steps_{number:04}.py").write_text(program(framework, 1))
    done = run_steps(tmp_path, FORKS)
    assert "each target in a fork of the imported module: importing it left no" in done.stderr


@pytest.mark.parametrize("framework", HEADS)
def test_a_module_that_computes_when_it_is_imported_is_tested_all_the_same(framework, tmp_path):
    (tmp_path / "steps.py").write_text(program(framework, 3) + "\n\nstep(2)\n")
    done = run_steps(tmp_path, 3)
    if framework != "torch":  # on one thread, torch starts no others
        assert "each target in a fresh process: importing it left" in done.stderr
