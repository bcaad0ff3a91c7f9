"""What is in force: what the file, its profiles, the environment and the command line say."""

import json
import re
from pathlib import Path

import click
import pytest
from conftest import annotest
from folders import CODE
from folders import write as write_files

from annotest.cli import main as commands
from annotest.cli.keys import keys_of
from annotest.cli.settings import settings_of
from annotest.errors import UsageError

KEYS = keys_of(commands.run_command)
NAMES = ", ".join(KEYS)
FILE = "pyproject.toml [tool.annotest]"
CI = "pyproject.toml [tool.annotest.profiles.ci]"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return the working folder, with a real path and no settings in the environment."""
    monkeypatch.chdir(tmp_path.resolve())
    monkeypatch.delenv("ANNOTEST_DATABASE")
    return Path.cwd()


def write(folder, text):
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "pyproject.toml"
    file.write_text(text)
    return str(file)


def in_force(*words, command="run"):
    """Return the settings of a command with these words after it."""
    context = commands.main.commands[command].make_context(command, [*words])
    return settings_of(context, KEYS)


def values(*words, command="run"):
    """Return the settings that are no defaults."""
    known = in_force(*words, command=command).known
    return {key: setting.value for key, setting in known.items() if setting.origin != "default"}


def origins(*words, command="run"):
    known = in_force(*words, command=command).known
    return {key: setting.origin for key, setting in known.items() if setting.origin != "default"}


# each key as it may be written in the file, and what is in force then
WRITTEN = [
    ('paths = ["src", "net.py"]', ("{folder}/src", "{folder}/net.py")),
    ('k = "conv and not 3d"', "conv and not 3d"),
    ("seed = 3", 3),
    ("beyond = true", True),
    ("max-examples = 500", 500),
    ("run-examples = 5000", 5000),
    ("target-time = 30", 30.0),
    ("max-time = 0.5", 0.5),
    ("timeout = 10", 10.0),
    ('max-memory = "2GB"', 2 << 30),
    ("max-output = 10", 10 << 20),
    ("max-items = 100", 100),
    ("items-share = 0.1", 0.1),
    ('allow = ["programs", "network", "programs"]', ("programs", "network")),
    ("no-guard = true", True),
    ('work-in = "project"', "project"),
    ("workers = 3", 3),
    ('processes = "fresh"', "fresh"),
    ('database = "db"', "{folder}/db"),
    ("no-database = true", True),
    ("verbose = true", True),
    ("quiet = true", True),
    ("all = true", True),
    ('exclude = ["legacy/*", "old_*.py"]', ("{folder}/legacy", "{folder}/**/old_*.py")),
    ("auto = false", False),
    ('outputs = ["runs", "a/../b.pt"]', ("{folder}/runs", "{folder}/b.pt")),
    ('suspicious = ["finite!", "pure"]', ("finite!", "pure")),
    ('json = "report.json"', "{folder}/report.json"),
]


def filled(value, folder):
    """Return a value with the folder's name in it."""
    if isinstance(value, tuple):
        return tuple(filled(item, folder) for item in value)
    return value.format(folder=folder) if isinstance(value, str) else value


def key_in(line):
    return line.partition(" = ")[0]


def test_every_option_of_run_is_a_key_but_the_profile():
    options = [max(param.opts, key=len) for param in commands.run_command.params]
    assert {option.lstrip("-") for option in options} - set(KEYS) == {"profile"}
    assert {key_in(line) for line, _ in WRITTEN} <= set(KEYS)


@pytest.mark.parametrize(("line", "value"), WRITTEN, ids=lambda case: str(case)[:30])
def test_a_key_means_what_the_option_means(folder, line, value):
    write(folder, f"[tool.annotest]\n{line}\n")
    assert values() == {key_in(line): filled(value, folder)}
    assert origins() == {key_in(line): FILE}


@pytest.mark.parametrize(("line", "value"), WRITTEN, ids=lambda case: str(case)[:30])
def test_a_variable_means_what_the_key_means(folder, line, value, monkeypatch):
    key, _, text = line.partition(" = ")
    text = json.loads(text)
    text = ",".join(text) if isinstance(text, list) else str(text)
    variable = f"ANNOTEST_{key.upper().replace('-', '_')}"
    monkeypatch.setenv(variable, text)
    assert values() == {key: filled(value, folder)}
    assert origins() == {key: variable}
    monkeypatch.setenv(variable, "")
    assert values() == {}


def test_a_new_option_is_a_key_without_further_code(folder):
    @click.command
    @click.option("--fail-fast", is_flag=True)
    @click.option("--at-most", type=click.IntRange(1, 9), default=1)
    @click.option("--profile")
    def command():
        pass

    keys = keys_of(command)
    write(folder, "[tool.annotest]\nfail-fast = true\nat-most = 3\n")
    known = settings_of(command.make_context("run", []), keys).known
    assert (known["fail-fast"].value, known["at-most"].value) == (True, 3)
    write(folder, "[tool.annotest]\nat-most = 10\n")
    with pytest.raises(
        UsageError, match=r"at-most must be a whole number, 1 or more, 9 at most, got 10 \(int\)"
    ):
        settings_of(command.make_context("run", []), keys)


def test_paths_are_relative_to_the_file_and_those_of_variables_to_the_working_folder(
    folder, monkeypatch
):
    (folder / "big").mkdir()
    (folder / "deep").mkdir()
    (folder / "runs").symlink_to(folder / "big")
    monkeypatch.setenv("HOME", str(folder / "home"))
    write(folder, '[tool.annotest]\noutputs = ["/elsewhere/x", "~/models", "runs/new"]\n')
    monkeypatch.chdir(folder / "deep")
    outputs = ("/elsewhere/x", f"{folder}/home/models", f"{folder}/big/new")
    assert values() == {"outputs": outputs}
    monkeypatch.setenv("ANNOTEST_OUTPUTS", "a, ~/b ,")
    monkeypatch.setenv("ANNOTEST_EXCLUDE", "./c,d")
    assert values() == {
        "outputs": (f"{folder}/deep/a", f"{folder}/home/b"),
        "exclude": (f"{folder}/deep/c", f"{folder}/deep/**/d"),
    }


LAYERS = """\
[tool.annotest]
timeout = 1
max-time = 1
target-time = 1
exclude = ["a"]
[tool.annotest.profiles.ci]
timeout = 2
max-time = 2
exclude = ["b"]
[tool.annotest.profiles.nightly]
timeout = 9
"""


def test_the_command_line_goes_before_the_environment_the_profile_and_the_file(folder, monkeypatch):
    write(folder, LAYERS)
    assert values() == {
        "timeout": 1.0,
        "max-time": 1.0,
        "target-time": 1.0,
        "exclude": (f"{folder}/**/a",),
    }
    monkeypatch.setenv("ANNOTEST_TIMEOUT", "3")
    words = "--profile", "ci", "--timeout", "4", "--exclude", "c"
    assert values(*words) == {
        "timeout": 4.0,
        "max-time": 2.0,
        "target-time": 1.0,
        "exclude": (f"{folder}/**/b", "c"),  # what can be given several times is added
    }
    assert origins(*words) == {
        "timeout": "command line",
        "max-time": CI,
        "target-time": FILE,
        "exclude": f"{CI}, command line",
    }
    assert values("--profile", "ci")["timeout"] == 3.0
    assert values("--timeout", "60.0")["timeout"] == 60.0  # asked for, though it is the default
    monkeypatch.setenv("ANNOTEST_PROFILE", "ci")
    assert in_force().profile == "ci"
    assert in_force("--profile", "nightly").profile == "nightly"
    monkeypatch.delenv("ANNOTEST_TIMEOUT")
    assert values()["timeout"] == 2.0


def test_an_option_takes_away_its_opposite_below(folder, monkeypatch):
    write(folder, '[tool.annotest]\ndatabase = "db"\n[tool.annotest.profiles.ci]\nno-database=true')
    assert values() == {"database": f"{folder}/db"}
    assert values("--profile", "ci") == {"no-database": True}
    assert values("--no-database") == {"no-database": True}
    monkeypatch.setenv("ANNOTEST_DATABASE", "other")
    assert values("--profile", "ci") == {"database": f"{folder}/other"}
    assert values("--no-database") == {"no-database": True}
    monkeypatch.setenv("ANNOTEST_NO_DATABASE", "0")
    assert values("--profile", "ci") == {"database": f"{folder}/other", "no-database": False}


BOTH = "database and no-database cannot both be meant; leave one out"


def test_opposites_in_one_place_are_a_mistake(folder):
    assert mistake("--database", "x", "--no-database") == BOTH.replace(
        "database and no", "--database and --no"
    )
    file = write(folder, '[tool.annotest]\ndatabase = "x"\nno-database = true\n')
    assert mistake() == f"{file}: [tool.annotest] {BOTH}"


def mistake(*words):
    """Return what is said of a mistake."""
    with pytest.raises(UsageError) as caught:
        in_force(*words)
    return str(caught.value)


# a line of the file, and what is said after the name of the table
MISTAKES = [
    (
        'alow = ["network"]',
        f"has no key 'alow'. Did you mean 'allow'? The keys are {NAMES}, profiles",
    ),
    ("zzz = 1", f"has no key 'zzz'. The keys are {NAMES}, profiles"),
    (
        "max_examples = 1",
        f"has no key 'max_examples'. Did you mean 'max-examples'? The keys are {NAMES}, profiles",
    ),
    (
        "profile = 1",
        f"has no key 'profile'. Did you mean 'profiles'? The keys are {NAMES}, profiles",
    ),
    (
        "ci = {}",
        "has no key 'ci'. Did you mean [tool.annotest.profiles.ci]? "
        f"The keys are {NAMES}, profiles",
    ),
    ('auto = "no"', "auto must be true or false, got 'no' (str); write auto = false"),
    ("beyond = 1", "beyond must be true or false, got 1 (int); write beyond = true"),
    (
        'max-examples = "500"',
        "max-examples must be a whole number, 1 or more, got '500' (str); "
        "write for instance max-examples = 100",
    ),
    (
        "max-examples = 1.5",
        "max-examples must be a whole number, 1 or more, got 1.5 (float); "
        "write for instance max-examples = 100",
    ),
    (
        "max-examples = true",
        "max-examples must be a whole number, 1 or more, got True (bool); "
        "write for instance max-examples = 100",
    ),
    (
        "run-examples = 0",
        "run-examples must be a whole number, 1 or more, got 0 (int); "
        "write for instance run-examples = 100",
    ),
    ("seed = []", "seed must be a whole number, got [] (list); write for instance seed = 100"),
    (
        "timeout = 0",
        "timeout must be a number above 0, got 0 (int); write for instance timeout = 10",
    ),
    (
        "items-share = 1",
        "items-share must be a number above 0, 0.5 at most, got 1 (int); "
        "write for instance items-share = 0.1",
    ),
    (
        'max-memory = "2XB"',
        "max-memory must be a size, 1 MB or more, got '2XB' (str); "
        'write for instance max-memory = "2GB"',
    ),
    (
        "max-memory = 1.5",
        "max-memory must be a size, 1 MB or more, got 1.5 (float); "
        'write for instance max-memory = "2GB"',
    ),
    (
        'workers = "many"',
        "workers must be a whole number, 1 or more, or \"auto\", got 'many' (str); "
        "write for instance workers = 4",
    ),
    (
        'processes = "threads"',
        'processes must be "auto" or "fork" or "fresh" or "spawn", got \'threads\' (str); '
        'write for instance processes = "spawn"',
    ),
    (
        "work-in = 3",
        'work-in must be "scratch" or "project", got 3 (int); '
        'write for instance work-in = "project"',
    ),
    ("k = 3", 'k must be a string, got 3 (int); write for instance k = "…"'),
    (
        'paths = "src"',
        "paths must be a list of strings, got 'src' (str); write for instance paths = [\"src\"]",
    ),
    (
        'exclude = "legacy"',
        "exclude must be a list of strings, got 'legacy' (str); "
        'write for instance exclude = ["legacy/*"]',
    ),
    (
        "suspicious = true",
        'suspicious must be a list of strings, got True (bool); write for instance suspicious = ["finite!"]',
    ),
    (
        'allow = ["netwrok"]',
        "allow: 'netwrok' is nothing that can be allowed. Did you mean 'network'? "
        'Write allow = ["network", "programs"] or one of the two',
    ),
    (
        'allow = ["zzz"]',
        "allow: 'zzz' is nothing that can be allowed. "
        'Write allow = ["network", "programs"] or one of the two',
    ),
    (
        'allow = "network"',
        "allow must be a list of strings, got 'network' (str); "
        'write for instance allow = ["network"]',
    ),
    (
        "outputs = [3]",
        'outputs must be a list of strings, got [3] (list); write for instance outputs = ["runs"]',
    ),
    (
        'outputs = ["runs/*"]',
        "outputs: 'runs/*' is no path. Write the path of one folder or file, without wildcards",
    ),
    (
        'outputs = [""]',
        "outputs: '' is no path. Write the path of one folder or file, without wildcards",
    ),
    (
        "database = true",
        "database must be a folder's path, got True (bool); "
        'write for instance database = ".annotest"',
    ),
    (
        'database = ""',
        "database: '' is no path. Write the path of one folder or file, without wildcards",
    ),
    (
        "json = true",
        'json must be a file\'s path, got True (bool); write for instance json = "report.json"',
    ),
]


@pytest.mark.parametrize(("line", "message"), MISTAKES)
def test_a_mistake_is_named_with_its_file_and_remedy(folder, line, message):
    file = write(folder, f"[tool.annotest]\n{line}\n")
    assert mistake() == f"{file}: [tool.annotest] {message}"


def test_a_mistake_in_a_profile_is_told_even_if_another_is_asked_for(folder):
    file = write(folder, "[tool.annotest.profiles.ci]\ntimeout = 'x'\n[tool.annotest.profiles.a]\n")
    assert mistake("--profile", "a") == (
        f"{file}: [tool.annotest.profiles.ci] timeout must be a number above 0, got 'x' (str); "
        "write for instance timeout = 10"
    )
    write(folder, "[tool.annotest.profiles.ci.profiles.a]\n")
    assert mistake() == (
        f"{file}: [tool.annotest.profiles.ci] has no key 'profiles'. "
        f"Did you mean [tool.annotest.profiles.profiles]? The keys are {NAMES}"
    )


VARIABLES = [
    ("TIMEOUT", "x", "must be a number above 0, got 'x'; write for instance ANNOTEST_TIMEOUT=10"),
    ("BEYOND", "si", "must be true or false, got 'si'; write ANNOTEST_BEYOND=true"),
    ("AUTO", "nein", "must be true or false, got 'nein'; write ANNOTEST_AUTO=false"),
    (
        "WORK_IN",
        "x",
        'must be "scratch" or "project", got \'x\'; write for instance ANNOTEST_WORK_IN=project',
    ),
]


@pytest.mark.parametrize(("name", "text", "message"), VARIABLES)
def test_a_mistake_in_the_environment_is_named_with_its_variable(
    folder, monkeypatch, name, text, message
):
    monkeypatch.setenv(f"ANNOTEST_{name}", text)
    assert mistake() == f"ANNOTEST_{name} {message}"


def test_words_and_paths_of_variables_are_checked_too(folder, monkeypatch):
    monkeypatch.setenv("ANNOTEST_ALLOW", "network,x")
    assert mistake() == (
        "ANNOTEST_ALLOW: 'x' is nothing that can be allowed. "
        "Write ANNOTEST_ALLOW=network,programs or one of the two"
    )
    monkeypatch.setenv("ANNOTEST_ALLOW", "network")
    monkeypatch.setenv("ANNOTEST_DATABASE", "a*")
    assert mistake() == (
        "ANNOTEST_DATABASE: 'a*' is no path. "
        "Write the path of one folder or file, without wildcards"
    )


def test_a_variable_without_a_meaning_is_told_and_harms_nothing(folder, monkeypatch, capsys):
    monkeypatch.setenv("ANNOTEST_TIMOUT", "3")
    monkeypatch.setenv("ANNOTEST_ZZZ", "3")
    monkeypatch.setenv("ANNOTEST_DEBUG", "1")
    monkeypatch.setenv("ANNOTEST_PROFILE", "")
    assert values() == {}
    assert capsys.readouterr().err == (
        "annotest: ANNOTEST_TIMOUT is set, but there is no key 'timout'. Did you mean 'timeout'?\n"
        "annotest: ANNOTEST_ZZZ is set, but there is no key 'zzz'.\n"
    )


def test_an_unknown_profile_is_told_with_the_known_ones(folder, monkeypatch):
    assert mistake("--profile", "ci") == (
        "--profile ci: no pyproject.toml here has [tool.annotest.profiles.ci]; write one"
    )
    file = write(folder, "[tool.annotest]\n")
    assert mistake("--profile", "ci") == (
        f"--profile ci: {file} has no [tool.annotest.profiles.ci]. The profiles are none"
    )
    write(folder, LAYERS)
    monkeypatch.setenv("ANNOTEST_PROFILE", "nigthly")
    assert mistake() == (
        f"ANNOTEST_PROFILE=nigthly: {file} has no [tool.annotest.profiles.nigthly]. "
        "Did you mean 'nightly'? The profiles are ci, nightly"
    )


def test_the_first_path_says_which_file_counts(folder):
    write(folder / "a", "[tool.annotest]\ntimeout = 1\n")
    write(folder / "b", "[tool.annotest]\ntimeout = 2\n")
    assert values("a", "b")["timeout"] == 1.0
    assert values("b/m.py")["timeout"] == 2.0
    assert values("f", "b", command="explain")["timeout"] == 2.0
    assert values("a/m.py:f", command="explain")["timeout"] == 1.0
    assert values() == {}


def test_other_commands_take_the_keys_that_concern_them(folder):
    lines = [line for line, _ in WRITTEN if "no-database" not in line]
    write(folder, "[tool.annotest]\n" + "\n".join(lines))
    look = ["all", "allow", "auto", "exclude", "items-share", "max-items", "outputs", "paths"]
    assert sorted(values(command="list")) == sorted([*look, "k", "timeout"])
    assert sorted(values(command="generate")) == [*look, "timeout"]
    assert sorted(values("f", command="explain")) == sorted([*look[1:], "k", "seed", "timeout"])
    # its limits are those under which the finding was made
    replay = ["allow", "database", "no-guard", "outputs", "work-in"]
    assert sorted(values("x", command="replay")) == replay


PROJECT = {"pyproject.toml": '[tool.annotest]\npaths = ["src"]\n', "src/m.py": CODE, "x.py": CODE}
LISTED = """\
src/m.py
      2  m:f  function
             n: ints(min=1, max=3)

1 target · 0 not testable
"""


def test_configured_paths_are_tested_when_none_are_given(folder):
    write_files(folder, PROJECT)
    deep = folder / "deep"
    deep.mkdir()
    listed = annotest("list", cwd=folder)
    assert (listed.stdout, listed.stderr, listed.status) == (LISTED, "", 0)
    assert annotest("list", cwd=deep).stdout == LISTED.replace("src/", "../src/")
    assert annotest("list", ".", cwd=folder).stdout.endswith("2 targets · 0 not testable\n")
    assert annotest("run", "-q", cwd=folder).stdout.startswith("1 target · ")
    assert annotest("explain", "f", cwd=folder).stdout.count(".py:") == 1
    assert "\nx.py:2\n" in annotest("explain", "x.py:f", cwd=folder).stdout
    assert annotest("generate", cwd=folder).stdout == "annotest_tests/test_m.py: 1 test\n"
    made = (folder / "annotest_tests" / "test_m.py").read_text()
    assert "\n# with: annotest generate\n" in made  # which reads the configuration again
    write(folder, "[tool.annotest.profiles.ci]\nall = true\n")
    annotest("generate", "src", "--profile", "ci", cwd=folder)
    made = (folder / "annotest_tests" / "test_m.py").read_text()
    assert "\n# with: annotest generate src --profile ci\n" in made


def test_a_configured_path_must_be_there(folder):
    write(folder, '[tool.annotest]\npaths = ["src"]\n')
    done = annotest("run", cwd=folder)
    said = f"annotest: {FILE} paths: there is no file or folder {folder}/src\n"
    assert (done.stderr, done.status) == (said, 2)


def test_what_is_configured_is_done(folder):
    write_files(folder, PROJECT)
    report = folder / "report.json"
    lines = 'max-examples = 2\njson = "report.json"\nquiet = true\n[tool.annotest.profiles.ci]\nk = "g"\n'
    write(folder, f'[tool.annotest]\npaths = ["src"]\n{lines}')
    assert "1 target · 2 inputs run" in annotest("run", cwd=folder).stdout
    assert len(json.loads(report.read_text())["targets"]) == 1
    report.unlink()
    annotest("list", cwd=folder)
    assert not report.exists()  # that file is for the result of a run
    one = annotest("run", cwd=folder, env={"ANNOTEST_MAX_EXAMPLES": "1"})
    assert "1 target · 1 input run" in one.stdout or "1 target · 1 inputs run" in one.stdout
    assert annotest("run", "--profile", "ci", cwd=folder).status == 5
    assert annotest("run", cwd=folder, env={"ANNOTEST_PROFILE": "ci"}).status == 5


SHOWN = """\
pyproject.toml, profile: ci (of ci, nightly)

paths         src                                    command line
max-examples  7                                      ANNOTEST_MAX_EXAMPLES
target-time   1                                      pyproject.toml [tool.annotest]
max-time      2                                      pyproject.toml [tool.annotest.profiles.ci]
timeout       0.25                                   command line
workers       3                                      command line
database      db                                     ANNOTEST_DATABASE
exclude       **/b                                   pyproject.toml [tool.annotest.profiles.ci]

"""
LEFT = """\
max-output    100 MB                                 default
max-items     1000                                   default
items-share   0.05                                   default
allow         –                                      default
no-guard      false                                  default
work-in       scratch                                default
"""
WORDS = "--profile", "ci", "src", "--timeout", "0.25", "--workers", "3"


def test_the_settings_are_shown_with_where_each_comes_from(folder):
    write(folder, LAYERS)
    env = {"ANNOTEST_MAX_EXAMPLES": "7", "ANNOTEST_DATABASE": "db"}
    done = annotest("config", *WORDS, cwd=folder, env=env)
    assert done.stdout.startswith(SHOWN)
    assert LEFT in done.stdout.removeprefix(SHOWN)
    shown = re.findall(r"^([a-z-]+)  ", done.stdout, re.MULTILINE)
    assert (sorted(shown), done.stderr, done.status) == (sorted(KEYS), "", 0)
    annotest("config", *WORDS, "--json", "shown.json", cwd=folder, env=env)
    record = json.loads((folder / "shown.json").read_text())
    settings = record.pop("settings")
    file = str(folder / "pyproject.toml")
    assert record == {"file": file, "profile": "ci", "profiles": ["ci", "nightly"]}
    assert list(settings) == list(KEYS)
    assert settings["max-output"] == {"value": 100 << 20, "from": "default"}
    assert settings["timeout"] == {"value": 0.25, "from": "command line"}
    assert settings["max-time"] == {"value": 2.0, "from": CI}


def test_without_a_file_that_is_said_and_the_defaults_are_shown(folder):
    done = annotest("config", cwd=folder, env={"ANNOTEST_DATABASE": ""})
    heading = "no pyproject.toml with [tool.annotest] here or above\n\n"
    assert done.stdout.startswith(f"{heading}paths         {'–':39}default\n")
    write(folder, '[tool.annotest]\ntimeout = 3\njson = "x.json"\n')
    done = annotest("config", cwd=folder, env={"ANNOTEST_DATABASE": ""})
    assert done.stdout.startswith(
        f"pyproject.toml, profile: none\n\ntimeout       {'3':39}pyproject.toml [tool.annotest]\n"
    )
    assert not (folder / "x.json").exists()  # which is for the result of a run
