"""Whatever the annotations: values satisfy them, and the generated file compiles, is clean, runs."""

import ast
import subprocess
import sys

import pytest
from conftest import annotest as cli
from conftest import run_json
from hypothesis import HealthCheck, Phase, given, settings
from random_specs import HEAD, constraints, modules

import annotest

# ruff's own choice of rules, and the classic ones
RUFF = [sys.executable, "-m", "ruff", "check", "--isolated", "--extend-select", "E,F,I,W"]
RUFF += ["--no-cache", "--quiet"]


def module_namespace():
    namespace = {}
    exec(HEAD, namespace)
    return namespace


@settings(max_examples=300, database=None, deadline=None, suppress_health_check=list(HealthCheck))
@given(constraints)
def test_the_repr_of_any_constraint_evaluates_back(text):
    namespace = module_namespace()
    constraint = eval(text, namespace)
    if any(word in text for word in ("lambda", "NAMELESS", "np.arange")):
        assert repr(constraint)
        return  # live objects and arrays have no repr that compares equal
    assert eval(repr(constraint), {**vars(annotest), **namespace}) == constraint


def checked_run(folder):
    """Run annotest on the module, whose functions check what they are given."""
    options = ("--max-examples", 25, "--seed", 1)
    done = run_json("module.py", *options, cwd=folder, tmp_path=folder)
    found = done.report
    assert found["findings"] == [], done.stdout
    assert found["mistakes"] == [] or all(mistake["warning"] for mistake in found["mistakes"]), (
        done.stdout
    )
    assert {target["status"] for target in found["targets"]} <= {"passed"}, done.stdout
    return found


def checked_tests(folder):
    """Have the test file written, then read, linted and run."""
    done = cli("generate", "module.py", "--out", "written", cwd=folder)
    assert done.status == 0, done.stdout + done.stderr
    file = folder / "written" / "test_module.py"
    text = file.read_text()
    ast.parse(text)
    assert max(map(len, text.splitlines())) < 100
    lint = subprocess.run([*RUFF, str(file)], cwd=folder, capture_output=True, text=True)
    assert lint.returncode == 0, lint.stdout + text
    tests = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(file)],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert tests.returncode == 0, tests.stdout + text
    return text


def check_module(folder, text):
    (folder / "module.py").write_text(text)
    targets = checked_run(folder)["targets"]
    written = checked_tests(folder)
    assert written.count("\ndef test_") >= len(targets)


@pytest.mark.slow
@pytest.mark.parametrize("count", [3, pytest.param(25, marks=pytest.mark.exhaustive)])
def test_random_modules_run_and_their_generated_tests_pass(tmp_path_factory, count):
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate,),
        derandomize=True,
    )
    @given(modules())
    def check(text):
        check_module(tmp_path_factory.mktemp("random"), text)

    check()


def test_a_module_that_checks_itself_catches_a_wrong_value(tmp_path):
    """The check inside the modules has teeth: a value outside is a finding."""
    text = (
        HEAD
        + "CHECKS['f'] = {'a': ints(0, 4)}\n@arg(a=ints(0, 9))\ndef f(a): check('f', {'a': a})\n"
    )
    (tmp_path / "module.py").write_text(text)
    with pytest.raises(AssertionError, match="expected at most 4"):
        checked_run(tmp_path)
