"""tools/fuzz.py: mutants of annotated programs, and that annotest itself does not fail on them."""

import re
import sys
from pathlib import Path
from random import Random

import pytest

import annotest
from annotest import an_language

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import fuzz  # noqa: E402 - it is no package


def test_the_programs_have_every_word_of_the_language():
    own = {path.stem: path.read_text() for path in fuzz.OWN.glob("*.py")}
    published = set(re.findall(r"\w+", own.pop("published")))
    said = set(re.findall(r"\w+", " ".join(own.values())))
    words = {name for name in annotest.__all__ if name[0].islower()}
    words -= {"check", "check_call", "value"}  # which annotate nothing
    assert words - said == set()
    assert set(an_language.__all__) - published == set()


def test_mutants_differ_and_are_the_same_for_the_same_seed():
    text = (fuzz.OWN / "relations.py").read_text()
    mutants = [fuzz.Changes(Random(seed)).mutant(text) for seed in range(9)]
    assert len({text, *mutants}) == 10
    assert mutants == [fuzz.Changes(Random(seed)).mutant(text) for seed in range(9)]


FAILING = {
    "a status of its own": "import sys; sys.exit(3)",
    "asking for a report": "print('simplify them, and please report this')",
    "a traceback": "import sys; print('Traceback (most recent call last)', file=sys.stderr)",
    "no end": "import time; time.sleep(60)",
    "a wrong test file": "import os; os.mkdir('made'); open('made/test_m.py', 'w').write('def (')",
}


@pytest.mark.parametrize("how", FAILING)
def test_failures_are_noticed(how, tmp_path, monkeypatch, capsys):
    """Put a program that fails in the place of annotest."""
    run = fuzz.run
    command = [sys.executable, "-c", FAILING[how]]
    monkeypatch.setattr(fuzz, "run", lambda words, folder: run(command, folder))
    monkeypatch.setattr(fuzz, "LONGEST", 1)
    assert not fuzz.passes(1, 1, tmp_path)
    assert "seed 1: FAILED" in capsys.readouterr().out
    assert len([*(tmp_path / "1").glob("m00_*.py")]) == 1  # the mutant is kept


def test_an_exception_of_ours_on_import_is_noticed(tmp_path):
    (tmp_path / "ours.py").write_text("from annotest.expr import resolve\nresolve('math', 3)\n")
    (tmp_path / "theirs.py").write_text("1 / 0\n")
    for module, status in (("ours", 1), ("theirs", 0)):
        done = fuzz.run([sys.executable, fuzz.__file__, "--import", module], tmp_path)
        assert done.returncode == status, done.stdout + done.stderr


@pytest.mark.slow
def test_annotest_does_not_fail_on_mutants(tmp_path, capsys):
    passed = fuzz.passes(1, 12, tmp_path)
    assert passed, capsys.readouterr().out


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", [1, *range(11, 19)])
def test_annotest_does_not_fail_on_more_mutants(seed, tmp_path, capsys):
    passed = fuzz.passes(seed, 25, tmp_path)
    assert passed, capsys.readouterr().out
