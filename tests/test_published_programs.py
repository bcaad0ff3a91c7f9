"""Programs annotated for the published tool run unchanged.

The programs of `projects/published` are annotated as its users annotate. A line that fails is
marked `# planted: ExceptionType`; a run must find exactly those.
"""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import run_json
from folders import found_in, planted_in

import annotest
import annotest.an_language as an
from annotest.signature import read_signature
from annotest.spec import attached

PROGRAMS = Path(__file__).parent / "projects" / "published"


@pytest.fixture(scope="module")
def programs(tmp_path_factory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("published")
    return run_json(".", "--seed", "7", cwd=PROGRAMS, tmp_path=folder).report


NAMES = sorted(file.name for file in PROGRAMS.glob("*.py"))


@pytest.mark.parametrize("program", NAMES)
def test_a_program_shows_its_planted_bugs_once_each(programs, program):
    assert found_in(programs, program) == planted_in(PROGRAMS / program)


def test_the_programs_show_nothing_else(programs):
    planted = sum(planted_in(PROGRAMS / program).total() for program in NAMES)
    assert len(programs["findings"]) == planted == 14
    assert programs["mistakes"] == []
    assert [
        (function["qualname"], function["reason"]) for function in programs["not_testable"]
    ] == [("Network.__init__", "no annotation for 'inputs', 'outputs'")]
    assert programs["exit_status"] == 1


TARGETS = {
    "conv.py": {"output_size", "weights", "ratio", "keep"},
    "words.py": {"layer", "dropout", "interval"},
    "gan.py": {"build_gan", "latent_of", "gen_units"},
    "layers.py": {
        "Dense.__init__",
        "Dense.widen",
        "Dense.halve",
        "Block.__init__",
        "Block.grow",
        "Block.first",
        "Block.second",
        "Plain.total",
    },
    "images.py": {"normalise", "one_hot", "kind", "total"},
    "options.py": {"configure", "mean", "dense_net"},
    "defaults.py": {"epoch", "split", "unannotated_default"},
    "start.py": {"<module>", "largest"},
    "start_broken.py": {"<module>"},
}


@pytest.mark.parametrize("program", TARGETS)
def test_a_program_has_these_targets_and_each_is_called(programs, program):
    results = [target for target in programs["targets"] if target["file"] == program]
    assert sorted(target["qualname"] for target in results) == sorted(TARGETS[program])
    assert {target["status"] for target in results} <= {"passed", "failed"}
    assert all(target["inputs_run"] for target in results)


def test_only_targets_with_a_planted_bug_fail(programs):
    failed = {target["qualname"] for target in programs["targets"] if target["status"] == "failed"}
    assert failed == {
        "output_size",
        "layer",
        "build_gan",
        "gen_units",
        "Dense.halve",
        "Block.first",
        "Block.second",
        "normalise",
        "one_hot",
        "configure",
        "dense_net",
        "epoch",
        "<module>",
    }


def test_the_programs_are_imported_as_they_are():
    """Annotations stand in production code: nothing but its own bug keeps one from importing."""
    names = [name.removesuffix(".py") for name in NAMES if name != "start_broken.py"]
    code = f"import {', '.join(names)}\ntry:\n    import start_broken\nexcept ValueError: pass"
    done = subprocess.run([sys.executable, "-c", code], cwd=PROGRAMS, capture_output=True)
    assert done.returncode == 0, done.stderr


# ---- defaults, and limits, at work

BOTH = """
import time
from datetime import timedelta

import annotest.an_language as an
from annotest import arg, froms, objs


@an.exclude()
@an.generator()
def gen():
    return "made"


@an.arg("mode", an.sampled(elements=["train"]))
def published(mode="auto"):
    assert mode != "auto"


@arg("mode", froms(["train"]))
def ours(mode="auto"):
    assert mode != "auto"


@an.arg("mode", an.sampled(elements=["train"]))
def published_also_takes_its_constraint(mode="auto"):
    assert mode != "train"


@an.arg("value", an.obj(generator=gen))
def published_obj(value=None):
    assert value == "made"


@arg("value", objs(gen))
def ours_obj(value=None):
    assert value == "made"


@an.exclude()
@an.generator()
@an.arg("size", an.integers(1, 2))
def gen_sized(size=0):
    return size


@an.arg("size", an.obj(generator=gen_sized))
def of_a_generators_default(size):
    assert size != 0


@an.arg("items", an.integer_lists())
@an.arg("options", an.dictionaries(keys=an.sampled(["a"]), values=an.integers(), min_size=1))
def starred(*items, **options):
    assert items and options


class Open:
    @an.cc_example(elements=[(6, [1, 2], {"lr": 0.1})])
    @an.arg("units", an.integers(1, 3))
    def __init__(self, units, *sizes, **options):
        self.values = units, sizes, options

    def built(self):
        assert self.values == (6, (1, 2), {"lr": 0.1})


@an.deadline(timedelta(seconds=0.2))
@an.arg("n", an.sampled([0, 1]))
def slow(n):
    time.sleep(1.5 * n)


@an.deadline()
@an.arg("n", an.sampled([0, 1]))
def unlimited(n):
    time.sleep(0.3 * n)
"""


@pytest.fixture(scope="module")
def both(tmp_path_factory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("both")
    (folder / "both.py").write_text(BOTH)
    options = (".", "--seed", "7", "--max-examples", "40")
    return run_json(*options, cwd=folder, tmp_path=folder).report


STATUSES = {
    "published": "failed",
    "ours": "passed",
    "published_also_takes_its_constraint": "failed",
    "published_obj": "passed",
    "ours_obj": "passed",
    "of_a_generators_default": "failed",
    "starred": "passed",
    "slow": "failed",
    "unlimited": "passed",
    "Open.__init__": "passed",
    # an example has one element an argument, a list for *args and a dict for **kwargs
    "Open.built": "passed",
}


@pytest.mark.parametrize("name", STATUSES)
def test_defaults_are_taken_in_this_spelling_only_and_not_for_obj(both, name):
    statuses = {target["qualname"]: target["status"] for target in both["targets"]}
    assert statuses[name] == STATUSES[name]


def test_a_default_that_is_not_tested_is_said_and_only_in_our_spelling(both):
    said = {mistake["function"]: mistake["warning"] for mistake in both["mistakes"]}
    assert said == {"ours": True}


def test_a_default_is_shown_as_the_call_that_leaves_it_out(both):
    (found,) = (
        finding for finding in both["findings"] if finding["target"]["qualname"] == "published"
    )
    assert found["call"].splitlines()[-1] == "published()"
    assert found["inputs"] == {"mode": "'auto'"}


def test_a_call_past_its_deadline_is_a_finding_of_kind_timeout(both):
    (found,) = (finding for finding in both["findings"] if finding["target"]["qualname"] == "slow")
    assert found["kind"] == "timeout"
    assert found["message"] == "the call took longer than 0.2 s, twice"
    assert found["call"].splitlines()[-1] == "slow(n=1)"


def test_both_spellings_may_stand_on_one_function():
    @annotest.arg(a=annotest.ints(1, 2))
    @an.arg("b", an.integers(1, 2))
    def f(a=0, b=0):
        pass

    a, b = read_signature(f, attached(f), "f").parameters
    assert (a.takes_default, b.takes_default) == (False, True)
