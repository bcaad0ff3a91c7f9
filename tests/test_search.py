"""The search: past the first bug, through deaths, the same whoever shares the work."""

import pytest
from conftest import PROJECTS, run_json
from in_process import failures_found

ENGINE = PROJECTS / "engine"
pytestmark = pytest.mark.slow


TWO_BUGS_EACH = dict.fromkeys(
    ("pool", "convolve", "dense", "attention", "recurrent", "cross_entropy"), 2
)
INPUTS = 200  # as many as a run makes unless told otherwise


MORE_SEEDS = [pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(4, 10)]


@pytest.mark.parametrize("seed", [*range(4), *MORE_SEEDS])
def test_both_bugs_of_each_function_are_met_for_every_seed(monkeypatch, seed):
    monkeypatch.syspath_prepend(ENGINE)
    failures = failures_found("masked", str(ENGINE), TWO_BUGS_EACH, seed, INPUTS)
    different = {name: {failure.fingerprint for failure in met} for name, met in failures.items()}
    assert {name: len(met) for name, met in different.items()} == TWO_BUGS_EACH


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(20))
def test_both_bugs_of_each_function_are_found_for_every_seed(tmp_path, seed):
    done = run_json("masked.py", "--seed", seed, cwd=ENGINE, tmp_path=tmp_path)
    names = [target["qualname"] for target in done.report["targets"]]
    assert {name: len(done.findings(name)) for name in names} == TWO_BUGS_EACH


DEADLY = {
    "blocks": ("dies", "died"),
    "decays": ("hangs", "timeout"),
    "grows": ("eats", "memory"),
    "sums": ("dies", "died"),
}


FURTHER_SEEDS = [pytest.param(seed, marks=pytest.mark.exhaustive) for seed in (1, 2)]


@pytest.fixture(scope="module", params=[0, *FURTHER_SEEDS])
def deadly(tmp_path_factory, request):
    folder = tmp_path_factory.mktemp("deadly")
    # seconds enough for a busy machine: only a call that never ends may be taken for a hang
    options = ("--timeout", 3, "--max-memory", "150MB", "--max-examples", 200)
    return run_json("deadly.py", *options, "--seed", request.param, cwd=ENGINE, tmp_path=folder)


@pytest.mark.parametrize("name", DEADLY)
def test_a_death_is_shrunk_as_far_as_hypothesis_shrinks_an_exception(deadly, name):
    how, kind = DEADLY[name]
    (death,) = deadly.findings(f"{name}_{how}")
    (raised,) = deadly.findings(f"{name}_raises")
    assert death["kind"] == kind
    assert death["inputs"] == raised["inputs"]
    assert death["repeats"] is None


def findings_of(report):
    return [(found["id"], found["call"], found["also_in"]) for found in report["findings"]]


ALL_TARGETS = pytest.param(("masked", "bugs"), 3, marks=pytest.mark.exhaustive)


@pytest.mark.parametrize(("words", "times"), [(("pool", "dense", "bugs"), 1), ALL_TARGETS])
def test_findings_do_not_depend_on_the_number_of_workers(tmp_path, words, times):
    options = ("masked.py", "bugs.py", "-k", " or ".join(words), "--seed", 11, "--workers")
    runs = [
        run_json(*options, workers, cwd=ENGINE, tmp_path=tmp_path) for workers in (1, 2) * times
    ]
    first, *others = [findings_of(done.report) for done in runs]
    assert len(first) > 8
    assert others == [first] * (2 * times - 1)
    assert len(runs[0].findings("pool")) == len(runs[0].findings("dense")) == 2


def test_one_target_is_shared_by_workers_and_finds_the_same(tmp_path):
    args = ("masked.py", "-k", "convolve", "--seed", 4, "--max-examples", 600)
    alone, shared = (
        run_json(*args, "--workers", workers, cwd=ENGINE, tmp_path=tmp_path) for workers in (1, 3)
    )
    assert findings_of(alone.report) == findings_of(shared.report)
    inputs = alone.target("convolve")["inputs_run"]
    assert 500 < inputs <= 600
    # inputs drawn by several workers are run by each of them
    assert inputs <= shared.target("convolve")["inputs_run"] <= 600


STOPPER = """
import os
import signal

from annotest import arg, ints


@arg(n=ints(0, 100))
def stops(n):
    if n > 20:
        os.kill(os.getppid(), signal.SIGSTOP)


@arg(n=ints(0, 100))
def fine(n):
    pass
"""


def test_calls_that_stop_whoever_started_them_do_not_stop_the_run(project, tmp_path):
    options = ("m.py", "--seed", 1, "--max-examples", 50)
    done = run_json(*options, cwd=project(m=STOPPER), tmp_path=tmp_path)
    assert all(not target["unfinished"] for target in done.report["targets"])
    assert not done.findings("fine") and done.findings("stops")


BROKEN_MINIMISER = """
from annotest.simplify.minimiser import Minimiser


def run(self):
    raise ZeroDivisionError("a fault of ours")


Minimiser.run = run
"""
LARGE_SUM = """
from annotest import arg, ints


@arg(n=ints(0, 1000))
def large(n):
    if n > 20:
        raise ValueError(n)
"""


def test_a_fault_of_the_minimiser_costs_a_warning_and_not_the_finding(project, tmp_path):
    folder = project(m=LARGE_SUM)
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "sitecustomize.py").write_text(BROKEN_MINIMISER)
    env = {"PYTHONPATH": str(tmp_path / "broken")}
    done = run_json("m.py", "--seed", 1, cwd=folder, tmp_path=tmp_path, env=env)
    (found,) = done.findings("large")
    assert found["inputs"] == {"n": "1000"}  # as Hypothesis left it, to which that is pinned
    warned = "may not be the smallest: ZeroDivisionError: a fault of ours"
    assert warned in done.stdout + done.stderr
