"""What a call changes in its process is put back, and named; what it does not change costs little."""

import json
import os
import subprocess
import sys
import timeit
import warnings
from pathlib import Path

import pytest
import surroundings_patches  # noqa: F401  (more cases)
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from surroundings_cases import CASES

from annotest.engine.child.surroundings import Surroundings

FORKS = Path(__file__).parent / "surroundings_forks.py"


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """What became of each case; forked from a process that has no threads."""
    file = tmp_path_factory.mktemp("surroundings") / "outcomes.json"
    done = subprocess.run(
        [sys.executable, FORKS, file], stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(file.read_text())


@pytest.mark.parametrize("name", CASES)
def test_what_a_call_changes_is_put_back_and_named(outcomes, name):
    outcome, expected = outcomes[name], CASES[name]
    assert outcome["lost"] == list(expected.stays)
    assert outcome["names"] == list(expected.names)
    assert outcome["then"]
    assert outcome["again"] == []  # it is named once
    assert outcome["seen"] == bool(expected.names or expected.stays)  # a change that can be seen


def search(body):
    """Run a property that fails for large numbers, as the engine does, shrinking included."""

    @seed(1)
    @settings(
        max_examples=200,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @given(st.integers(0, 1000))
    def run(number):
        body(number)
        assert number < 500

    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        with pytest.raises(AssertionError):
            run()
    return said


class Calls:
    """Calls, each of which does the same, and what was reported after each."""

    def __init__(self, call=lambda: None):
        self.call = call
        self.surroundings = None
        self.reported = []

    def __call__(self, number):
        # made inside of Hypothesis, whose recursion limit is another for the calls of the shrinker
        self.surroundings = self.surroundings or Surroundings()
        self.surroundings.before_call()
        self.call()
        self.reported.append(self.surroundings.restore())


def test_hypothesis_itself_changes_nothing():
    calls = Calls()
    assert search(calls) == []
    assert set(calls.reported) == {()}


def test_hypothesis_itself_sets_the_recursion_limit_before_each_call():
    calls, surroundings = Calls(), Surroundings()
    surroundings.before_call = lambda: None
    calls.surroundings = surroundings
    search(calls)
    assert {names[0] for names in calls.reported} == {"recursion limit"}


def test_a_recursion_limit_that_a_call_sets_does_not_reach_hypothesis():
    calls = Calls(lambda: sys.setrecursionlimit(5000))
    assert search(calls) == []
    assert set(calls.reported) == {("recursion limit",)}


def test_closing_gives_the_descriptors_back():
    before = len(os.listdir("/proc/self/fd"))
    many = [Surroundings() for _ in range(10)]
    assert len(os.listdir("/proc/self/fd")) == before + 30
    for surroundings in many:
        surroundings.close()
        assert surroundings.restore() == ()
    assert len(os.listdir("/proc/self/fd")) == before


def test_restoring_what_has_not_changed_takes_no_longer_than_a_little_arithmetic():
    surroundings = Surroundings()
    # about as long where this was written; the bound is wide, for machines are busy
    best = min(timeit.repeat(surroundings.restore, number=500, repeat=20))
    reference = min(timeit.repeat(lambda: sum(range(1000)), number=500, repeat=20))
    assert best < 10 * reference
    assert surroundings.restore() == ()
    surroundings.close()
