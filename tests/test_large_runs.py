"""Large arrays in plans: relations, printed calls, generated files, whole runs."""

import json
import subprocess
import sys

import numpy as np
from hypothesis import HealthCheck, given, settings

from annotest import arg, dims, ints, np_arrays, require, strategies, tuples
from annotest.large import LargeArray
from annotest.outside import annotations_of
from annotest.plan.planner import Planner
from annotest.plan.strategy import Interpreter, Tally
from annotest.signature import read_signature

RELAXED = settings(
    max_examples=40, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
)


@arg(x=np_arrays("float32", "b 3 h w", min=0, max=1), y=np_arrays("uint8", "b h w"))
@dims(h=ints(200, 300), w=ints(1, 300))
@require("h % 4 == 0")
def paired(x, y):
    return x, y


@arg(x=np_arrays("float32", "n k", contents="probabilities"), k=ints(100, 300))
@dims(n=ints(50, 300))
@require("x.max() >= 0")
def shares(x, k):
    return x, k


@arg(pair=tuples(np_arrays("int16", 5000), np_arrays("float64", (2, 3))))
def nested(pair):
    return pair


def recipes_of(function):
    planner = Planner()
    name = function.__qualname__
    notes = annotations_of(function, f"{function.__module__}:{name}")
    plan = planner.plan_function(function, read_signature(function, notes, name, False), None, None)
    nothing = lambda: None  # noqa: E731
    return Interpreter(planner, Tally()).recipes(plan, nothing, nothing)


def test_related_arrays_have_large_named_shapes_and_are_recipes():
    kinds = set()

    @RELAXED
    @given(recipes_of(paired))
    def check(recipes):
        x, y = recipes["x"], recipes["y"]
        kinds.update((type(x), type(y)))
        assert (x.shape[0], *x.shape[2:]) == y.shape
        assert x.shape[2] % 4 == 0

    check()
    assert LargeArray in kinds


def test_calls_of_related_large_arrays_are_ready():
    @RELAXED
    @given(strategies.calls(paired))
    def check(call):
        x, y = call()
        assert (x.dtype, y.dtype) == ("float32", "uint8")
        assert x.shape[2:] == y.shape[1:]
        assert x.min() >= 0

    check()


def test_given_contents_keep_named_sizes():
    @RELAXED
    @given(strategies.calls(shares))
    def check(call):
        x, k = call()
        assert x.shape[1] == k
        assert np.allclose(x.sum(axis=1), 1, atol=1e-4)

    check()


def test_a_large_array_inside_a_tuple_is_built_for_the_call():
    @RELAXED
    @given(strategies.annotated(nested, "pair"))
    def check(pair):
        assert [one.shape for one in pair] == [(5000,), (2, 3)]

    check()


MODULE = """
from annotest import arg, dims, ints, np_arrays, require

@arg(image=np_arrays("float32", (1, 3, 64, 64), min=0, max=1))
def brighten(image):
    assert image.shape == (1, 3, 64, 64) and image.min() >= 0 and image.max() <= 1

@arg(x=np_arrays("float32", "b h w", min=-1, max=1), mask=np_arrays("bool", "h w"))
@dims(h=ints(20, 90), w=ints(20, 90))
@require("h >= w")
def masked(x, mask):
    assert (x * mask).shape == x.shape and x.shape[1] >= x.shape[2]

@arg(ids=np_arrays("int64", 3000, min=0, max=9999, unique=True))
@arg(rows=np_arrays("float64", (9, 300), contents="probabilities"))
def unique_ids(ids, rows):
    assert len(set(ids.tolist())) == 3000

@arg(labels=np_arrays("int64", (40, 50), min=0, max=9))
def all_classes(labels):
    assert labels.max() < 9, "class 9"
"""


def annotest(folder, *words):
    command = [sys.executable, "-m", "annotest", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)


def test_a_run_shows_a_large_array_as_a_call_that_fails_again(tmp_path):
    (tmp_path / "images.py").write_text(MODULE)
    done = annotest(tmp_path, "run", "images.py", "--max-examples", "60", "--json", "report.json")
    assert done.returncode == 1, done.stdout + done.stderr
    report = json.loads((tmp_path / "report.json").read_text())
    (finding,) = report["findings"]
    assert finding["target"]["qualname"] == "all_classes"
    assert "class 9" in done.stdout


def test_a_generated_file_with_large_arrays_runs(tmp_path):
    (tmp_path / "images.py").write_text(MODULE)
    written = annotest(tmp_path, "generate", "images.py", "--out", "tests")
    assert written.returncode == 0, written.stdout + written.stderr
    (file,) = (tmp_path / "tests").rglob("test_*.py")
    text = file.read_text()
    assert "from annotest.strategies import" in text
    assert 'arrays(dtype="float32", shape=(1, 3, 64, 64), min=0.0, max=1.0)' in text
    assert 'contents="probabilities"' in text
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(file)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert "1 failed, 3 passed" in done.stdout, done.stdout
