"""`[tool.annotest]` of pyproject.toml: which file is read, and what project it stands in."""

import os

import pytest

from annotest.config import Config, project_root, read_config
from annotest.errors import UsageError


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a real path, so that paths can be compared."""
    return tmp_path.resolve()


def write(folder, text):
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "pyproject.toml"
    file.write_text(text)
    return str(file)


def test_the_table_and_its_profiles_are_read_as_they_are_written(folder):
    file = write(folder, "[tool.annotest]\nbeyond = 3\n[tool.annotest.profiles.ci]\nx = []\n")
    assert read_config(str(folder)) == Config(file, {"beyond": 3}, {"ci": {"x": []}})


def test_an_empty_table_says_nothing_but_is_found(folder):
    file = write(folder, "[tool.annotest]\n")
    assert read_config(str(folder)) == Config(file)


def test_without_any_file_nothing_is_said(folder):
    assert read_config(str(folder)) == Config()


def test_the_nearest_file_with_the_table_is_read(folder):
    file = write(folder, '[tool.annotest]\nallow = ["network"]\n')
    write(folder / "a", "[tool.other]\nx = 1\n")
    write(folder / "a" / "b", "tool = 3\n")
    deep = folder / "a" / "b" / "c"
    deep.mkdir()
    assert read_config(str(deep)).file == file
    nearer = write(deep, "[tool.annotest]\n")
    assert read_config(str(deep)) == Config(nearer)


def test_a_file_may_be_the_start(folder):
    file = write(folder, "[tool.annotest]\n")
    module = folder / "module.py"
    module.write_text("")
    assert read_config(str(module)).file == file


def test_a_folder_named_like_the_file_is_passed_over(folder):
    (folder / "pyproject.toml").mkdir()
    assert read_config(str(folder)) == Config()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("[tool]\nannotest = 3\n", "tool.annotest"),
        ("[tool.annotest]\nprofiles = 3\n", "tool.annotest.profiles"),
        ("[tool.annotest.profiles]\nci = 3\n", "tool.annotest.profiles.ci"),
    ],
)
def test_a_table_must_be_a_table(folder, text, name):
    file = write(folder, text)
    with pytest.raises(UsageError) as caught:
        read_config(str(folder))
    assert str(caught.value) == (
        f"{file}: {name} must be a table, got 3 (int); write [{name}] and the settings below it"
    )


def test_what_is_no_toml_is_said_with_its_place(folder):
    file = write(folder, "[tool.annotest\n")
    with pytest.raises(UsageError) as caught:
        read_config(str(folder))
    assert str(caught.value) == (
        f"{file}: this is not TOML; correct it: "
        "Expected ']' at the end of a table declaration (at line 1, column 15)"
    )


def test_what_is_no_utf8_is_no_toml(folder):
    (folder / "pyproject.toml").write_bytes(b'[tool.annotest]\ndatabase = "\xff"\n')
    with pytest.raises(
        UsageError, match=r"^/.*pyproject\.toml: this is not TOML; correct it: .*utf-8"
    ):
        read_config(str(folder))


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_that_cannot_be_read_is_said(folder):
    file = write(folder, "[tool.annotest]\n")
    os.chmod(file, 0)
    with pytest.raises(UsageError) as caught:
        read_config(str(folder))
    assert str(caught.value) == f"{file}: cannot be read; make it readable: Permission denied"


@pytest.mark.parametrize("mark", ["pyproject.toml", "setup.py", "setup.cfg", ".git"])
def test_the_project_is_the_nearest_folder_with_a_mark(folder, mark):
    (folder / "setup.py").write_text("")
    project = folder / "project"
    deep = project / "a" / "b"
    deep.mkdir(parents=True)
    (project / mark).write_text("")  # .git is a file in a work tree
    module = deep / "module.py"
    module.write_text("")
    assert project_root(str(module)) == project_root(str(deep)) == str(project)


def test_without_a_mark_the_project_is_the_starts_own_folder(folder):
    marks = ("pyproject.toml", "setup.py", "setup.cfg", ".git")
    if any((above / mark).exists() for above in folder.parents for mark in marks):
        pytest.skip("the folder for temporary files is in a project")
    deep = folder / "a"
    deep.mkdir()
    module = deep / "module.py"
    module.write_text("")
    assert project_root(str(module)) == project_root(str(deep)) == str(deep)


def test_a_start_may_be_relative(folder, monkeypatch):
    file = write(folder, "[tool.annotest]\n")
    (folder / "a").mkdir()
    monkeypatch.chdir(folder / "a")
    assert read_config(".").file == file
    assert project_root("nothing.py") == str(folder)
