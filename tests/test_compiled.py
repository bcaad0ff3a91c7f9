"""Code that frameworks compile in one process of a run is kept for the next ones, and no longer.

What the frameworks do with it is in tests/frameworks/test_memory.py: here a program writes to the
folder that they are told of.
"""

import os

import pytest
from conftest import run_json

from annotest.engine.scratch import MOST_COMPILED, make_scratch, tidy_compiled

PROGRAM = """
import os
from annotest import arg, ints

FOLDER = os.environ["JAX_COMPILATION_CACHE_DIR"]
assert os.environ["JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"] == "0"


@arg(n=ints(0, 0))
def compiles(n):
    with open(os.path.join(FOLDER, "code"), "w") as file:
        file.write("code")
    {end}


@arg(n=ints(0, 0))
def uses(n):
    raise ValueError(f"{{FOLDER}}: {{os.listdir(FOLDER)}}")
"""
OPTIONS = "--workers", 1, "--no-database"
ENDS = {
    "by itself": ("pass", "passed", ["code"]),
    "killed": ("os._exit(3)", "failed", []),
}


@pytest.mark.parametrize("how", ENDS)
def test_what_a_process_compiled_is_there_for_others_unless_it_was_killed(how, tmp_path):
    end, status, seen = ENDS[how]
    (tmp_path / "program.py").write_text(PROGRAM.format(end=end))
    done = run_json(".", *OPTIONS, cwd=tmp_path, tmp_path=tmp_path)
    assert done.target("compiles")["status"] == status, done.stdout
    (finding,) = done.findings("uses")
    folder, _, files = finding["exception"]["message"].partition(": ")
    assert files == str(seen)
    assert not os.path.exists(folder)


def test_a_folder_that_the_user_has_named_is_used_instead(tmp_path):
    program = PROGRAM.format(end="pass").replace("assert", "pass  #")
    (tmp_path / "program.py").write_text(program)
    kept = tmp_path / "kept"
    kept.mkdir()
    environment = {"JAX_COMPILATION_CACHE_DIR": str(kept)}
    done = run_json(
        ".", *OPTIONS, "--allow", kept, cwd=tmp_path, tmp_path=tmp_path, env=environment
    )
    (finding,) = done.findings("uses")
    assert finding["exception"]["message"] == f"{kept}: ['code']"
    assert os.listdir(kept) == ["code"]


@pytest.mark.parametrize("more", [0, 1])
def test_what_has_become_too_much_is_removed(more, tmp_path):
    make_scratch(str(tmp_path))
    for part in ("tmp", "compiled"):
        (tmp_path / part / "code").touch()
        os.truncate(tmp_path / part / "code", MOST_COMPILED + more)
    tidy_compiled(str(tmp_path), is_whole=True)
    assert (tmp_path / "compiled" / "code").exists() == (not more)
    assert (tmp_path / "tmp" / "code").exists()


def test_without_a_scratch_folder_nothing_is_removed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "compiled").mkdir()
    (tmp_path / "compiled" / "mine").touch()
    tidy_compiled("", is_whole=False)
    assert (tmp_path / "compiled" / "mine").exists()
