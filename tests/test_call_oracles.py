"""Oracles of calls: what they find in wrong programs, and nothing in right ones."""

from pathlib import Path

import pytest
from in_process import failures_found

torch = pytest.importorskip("torch")

from call_oracles import RIGHT, WRONG  # noqa: E402  (they need torch)

HERE = str(Path(__file__).parent)
SEEDS = [1, 2, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(3, 21))]


def met(names, seed, inputs):
    """Return what is found in each program, as the oracle and what it says."""
    found = failures_found("call_oracles", HERE, names, seed, inputs)
    return {
        name: {(failure.oracle, failure.message) for failure in failures}
        for name, failures in found.items()
    }


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_program_is_found(name, seed):
    assert {oracle for oracle, _ in met([name], seed, 200)[name]} == {WRONG[name]}


@pytest.mark.parametrize("inputs", [200, pytest.param(1000, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("name", RIGHT)
def test_a_right_program_passes(name, inputs):
    assert met([name], 1, inputs) == {name: set()}
