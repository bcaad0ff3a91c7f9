"""Generators of random numbers as arguments: made from a seed, and reported as the call with it."""

import importlib.util

import numpy as np
import pytest
from conftest import generated, run_json
from hypothesis import find

from annotest import InvalidAnnotation, lists, rngs
from annotest.testing import strategy_of

HAS_TORCH = importlib.util.find_spec("torch") is not None
needs_torch = pytest.mark.skipif(not HAS_TORCH, reason="torch is not installed")

PROGRAM = """
@arg(rng=rngs(), n=ints(1, 9))
def of_numpy(rng, n):
    assert rng.random(n).max() < 0.9

@arg(rngs=lists(rngs(), min_len=2))
def several(rngs):
    assert len(rngs) < 3

@arg(rng=anys(None, rngs()))
def optional(rng=None):
    assert rng is None
"""
CALLS = {
    "several": "several(rngs=[np.random.default_rng(0), np.random.default_rng(0), "
    "np.random.default_rng(0)])",
    "optional": "optional(rng=np.random.default_rng(0))",
}


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rngs")
    (folder / "chance.py").write_text("from annotest import *\n" + PROGRAM)
    return folder, run_json(
        "chance.py", "--seed", 1, "--max-examples", 40, cwd=folder, tmp_path=folder
    )


def test_what_fails_is_reported_with_the_seed(done, monkeypatch):
    calls = {f["target"]["qualname"]: f["call"] for f in done[1].report["findings"]}
    assert calls.keys() == {"of_numpy", *CALLS}
    assert {name: calls[name].splitlines()[-1] for name in CALLS} == CALLS
    assert "of_numpy(rng=np.random.default_rng(" in calls["of_numpy"]
    monkeypatch.syspath_prepend(done[0])
    for call in calls.values():  # it can be pasted, and fails again
        with pytest.raises(AssertionError):
            exec(call, {})


def test_generated_tests_draw_them(tmp_path):
    text = (generated(tmp_path, {"chance": PROGRAM}) / "test_chance.py").read_text()
    assert 'rng=seeded("numpy")' in text


@pytest.mark.parametrize("kind", ["numpy", pytest.param("torch", marks=needs_torch)])
def test_each_draw_is_a_generator_of_its_own(kind):
    first, second = find(strategy_of(lists(rngs(kind), len=2).strategy()), bool)
    assert first in rngs(kind)
    assert first is not second
    assert np.random.RandomState(0) not in rngs(kind)
    assert 3 not in rngs(kind)


def test_an_unknown_kind_is_told():
    with pytest.raises(InvalidAnnotation) as raised:
        rngs("numpi")
    assert (raised.value.reason, raised.value.remedy) == (
        "rngs('numpi'): there are none of that name. Did you mean 'numpy'?",
        "use 'numpy' or 'torch'",
    )
