"""`[tool.annotest]` of pyproject.toml: which file is read, what it may say, what is said of mistakes."""

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


def test_all_keys_are_read_relative_to_the_file(folder):
    text = (
        '[tool.annotest]\nallow = ["network"]\noutputs = ["runs", "a/../b.pt"]\ndatabase = "db"\n'
        'work-in = "project"\n'
    )
    file = write(folder, text)
    assert read_config(str(folder)) == Config(
        file=file,
        allow=("network",),
        outputs=(str(folder / "runs"), str(folder / "b.pt")),
        database=str(folder / "db"),
        work_in="project",
    )


def test_what_is_left_alone_is_read(folder):
    file = write(folder, '[tool.annotest]\nauto = false\nexclude = ["legacy/*", "old_*.py"]\n')
    exclude = (f"{folder}/legacy", f"{folder}/**/old_*.py")
    assert read_config(str(folder)) == Config(file=file, auto=False, exclude=exclude)


def test_an_empty_table_says_nothing_but_is_found(folder):
    file = write(folder, "[tool.annotest]\n")
    assert read_config(str(folder)) == Config(file=file)


def test_absolute_paths_and_the_home_folder_are_understood(folder, monkeypatch):
    monkeypatch.setenv("HOME", str(folder / "home"))
    write(folder, '[tool.annotest]\noutputs = ["/elsewhere/x", "~/models"]\n')
    outputs = read_config(str(folder)).outputs
    assert outputs == ("/elsewhere/x", str(folder / "home" / "models"))


def test_outputs_are_real_paths(folder):
    (folder / "big").mkdir()
    (folder / "runs").symlink_to(folder / "big")
    write(folder, '[tool.annotest]\noutputs = ["runs/new"]\n')
    assert read_config(str(folder)).outputs == (str(folder / "big" / "new"),)


def test_repeated_words_count_once(folder):
    write(folder, '[tool.annotest]\nallow = ["programs", "network", "programs"]\n')
    assert read_config(str(folder)).allow == ("programs", "network")


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
    assert read_config(str(deep)) == Config(file=nearer)


def test_a_file_may_be_the_start(folder):
    file = write(folder, "[tool.annotest]\n")
    module = folder / "module.py"
    module.write_text("")
    assert read_config(str(module)).file == file


def test_a_folder_named_like_the_file_is_passed_over(folder):
    (folder / "pyproject.toml").mkdir()
    assert read_config(str(folder)) == Config()


MISTAKES = [
    (
        'alow = ["network"]',
        "[tool.annotest] has no key 'alow'. Did you mean 'allow'? "
        "The keys are allow, outputs, database, auto, exclude, work-in, max-items, items-share",
    ),
    (
        "zzz = 1",
        "[tool.annotest] has no key 'zzz'. The keys are allow, outputs, database, auto, exclude, work-in, max-items, items-share",
    ),
    (
        'auto = "no"',
        "[tool.annotest] auto must be true or false, got 'no' (str); write auto = false",
    ),
    (
        'exclude = "legacy"',
        "[tool.annotest] exclude must be a list of strings, got 'legacy' (str); "
        'write for instance exclude = ["legacy/*"]',
    ),
    (
        'allow = ["netwrok"]',
        "[tool.annotest] allow: 'netwrok' is nothing that can be allowed. Did you mean 'network'? "
        'Write allow = ["network", "programs"] or one of the two',
    ),
    (
        'allow = ["zzz"]',
        "[tool.annotest] allow: 'zzz' is nothing that can be allowed. "
        'Write allow = ["network", "programs"] or one of the two',
    ),
    (
        'allow = "network"',
        "[tool.annotest] allow must be a list of strings, got 'network' (str); "
        'write for instance allow = ["network"]',
    ),
    (
        "outputs = [3]",
        "[tool.annotest] outputs must be a list of strings, got [3] (list); "
        'write for instance outputs = ["runs"]',
    ),
    (
        'outputs = ["runs/*"]',
        "[tool.annotest] outputs: 'runs/*' is no path. "
        "Write the path of one folder or file, without wildcards",
    ),
    (
        'outputs = [""]',
        "[tool.annotest] outputs: '' is no path. "
        "Write the path of one folder or file, without wildcards",
    ),
    (
        "database = true",
        "[tool.annotest] database must be a folder's path, got True (bool); "
        'write for instance database = ".annotest"',
    ),
    (
        "work-in = 3",
        '[tool.annotest] work-in must be "scratch" or "project", got 3 (int); '
        'write for instance work-in = "project"',
    ),
    (
        'database = ""',
        "[tool.annotest] database: '' is no path. "
        "Write the path of one folder or file, without wildcards",
    ),
]


@pytest.mark.parametrize(("line", "message"), MISTAKES)
def test_a_mistake_is_named_with_its_file_and_remedy(folder, line, message):
    file = write(folder, f"[tool.annotest]\n{line}\n")
    with pytest.raises(UsageError) as caught:
        read_config(str(folder))
    assert str(caught.value) == f"{file}: {message}"


def test_the_table_must_be_a_table(folder):
    file = write(folder, "[tool]\nannotest = 3\n")
    with pytest.raises(UsageError) as caught:
        read_config(str(folder))
    assert str(caught.value) == (
        f"{file}: tool.annotest must be a table, got 3 (int); "
        "write [tool.annotest] and the settings below it"
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
