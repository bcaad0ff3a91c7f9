"""Temporary files: every command lets the code under test have them, and none are left behind."""

import os
import tempfile

import pytest
from conftest import annotest, run_json

CODE = """
import os
import tempfile

from annotest import arg, ints

with tempfile.NamedTemporaryFile("w", delete=False) as file:
    file.write("made while the module was imported")
FOLDER = tempfile.mkdtemp()


@arg(n=ints(0, 3))
def f(n):
    with tempfile.TemporaryDirectory() as folder:
        open(os.path.join(folder, "kept"), "w").close()
        return 1 // n
"""
TOLD = {
    ("list",): "1 target · 0 not testable\n",
    ("explain", "f"): "4 of 4 inputs are valid, for instance\n",
    ("generate",): "test_m.py: 1 test\n",
}


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setenv("TMPDIR", str(folder))
    return folder


@pytest.mark.parametrize("words", TOLD, ids=" ".join)
def test_a_module_may_make_temporary_files_when_it_is_looked_at(project, temporary, words):
    done = annotest(*words, cwd=project(m=CODE), env={"TMPDIR": str(temporary)})
    assert done.status == 0 and TOLD[words] in done.stdout, done.stdout + done.stderr
    assert os.listdir(temporary) == []


def test_a_replayed_call_may_make_temporary_files(project, tmp_path, temporary):
    folder = project(m=CODE)
    run = run_json(".", cwd=folder, tmp_path=tmp_path, env={"TMPDIR": str(temporary)})
    (finding,) = run.findings("f")
    kept = {"ANNOTEST_DATABASE": str(tmp_path / "kept"), "TMPDIR": str(temporary)}
    done = annotest("replay", finding["id"], cwd=folder, env=kept)
    assert done.status == 1
    assert "ZeroDivisionError: integer division or modulo by zero" in done.stdout, done.stdout
    assert os.listdir(temporary) == []
