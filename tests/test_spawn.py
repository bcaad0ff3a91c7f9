"""Without fork: `os.fork` is taken away from every process of a run, and all of it still works."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from conftest import annotest, left_processes, run_json, started
from patience import LONGEST, patience

HEAD = "import ctypes, os, time\nfrom annotest import *\n"

TWO_BUGS = f"""{HEAD}
@arg(n=ints(0, 1000), words=str_lists(max_len=3))
@require("n != 5")
def scale(n, words):
    if n > 70 and words:
        raise ValueError(n)

@arg(n=ints(0, 1000))
def sees(n):
    raise RuntimeError(f"fork: {{hasattr(os, 'fork')}}")
"""

DEADLY = f"""{HEAD}
class Device:
    pass

class Model:
    @arg(width=ints(1, 9))
    def __init__(self, width):
        self.width = width

    @arg(n=ints(0, 5), device=froms([Device, int]))
    def crash(self, n, device):
        if n > 3:
            ctypes.string_at(0)

@arg(n=ints(0, 5))
def leave(n):
    if n > 3:
        os._exit(3)

@arg(n=ints(0, 5))
def hang(n):
    if n > 3:
        time.sleep(100)

@arg(n=ints(0, 5))
def flood(n):
    if n > 3:
        os.write(1, b"x" * (2 << 20))
        time.sleep(0.5)

@arg(n=ints(0, 5))
def swell(n):
    if n > 3:
        held = b"x" * (600 << 20)
        time.sleep(0.9)
"""


@pytest.fixture
def no_fork(tmp_path_factory):
    """An environment in which no Python can fork."""
    return changed(tmp_path_factory, "import os\ndel os.fork, os.forkpty\n")


@pytest.fixture
def marker():
    """A word for the environment of a run; what a failing test leaves running is killed."""
    word = f"{os.getpid()}-{time.time()}"
    yield word
    for pid in left_processes(word):
        os.kill(pid, signal.SIGKILL)


def changed(tmp_path_factory, code):
    """Return an environment in which every Python runs some code first."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "sitecustomize.py").write_text(code)
    return {"PYTHONPATH": str(folder)}


def told(done):
    """Return what must not depend on how processes are started."""
    findings, targets = done.report["findings"], done.report["targets"]
    for record in (*findings, *targets):
        for key in ("seconds_to_find", "seconds"):
            record.pop(key, None)
    return findings, targets


def test_the_findings_are_those_of_forks(project, tmp_path, no_fork):
    folder = project(m=TWO_BUGS)
    options = ("m.py", "--seed", 3, "--max-examples", 60, "--workers", 2, "--no-database")
    forked = run_json(*options, "-k", "scale", cwd=folder, tmp_path=tmp_path)
    spawned = run_json(*options, "-k", "scale", cwd=folder, tmp_path=tmp_path, env=no_fork)
    assert "scale(n=71, words=[''])" in forked.stdout
    assert told(spawned) == told(forked)


@pytest.mark.slow
def test_the_code_under_test_has_no_fork_and_the_run_says_so(project, no_fork):
    folder = project(m=TWO_BUGS)
    options = ("m.py", "-k", "sees", "--max-examples", 3, "--workers", 1)
    done = annotest("run", *options, "--verbose", cwd=folder, env=no_fork)
    assert "RuntimeError: fork: False" in done.stdout
    assert "m.py: each target in a fresh process, spawned: this system cannot fork\n" in done.stderr


@pytest.mark.slow
def test_spawning_can_be_forced_and_then_nothing_is_forked(project, tmp_path_factory):
    code = "import os\ndef fork(): os.write(2, b'FORKED'); os._exit(1)\nos.fork = fork\n"
    done = annotest(
        *("run", "m.py", "--processes", "spawn", "--verbose", "--max-examples", 3),
        cwd=project(m=TWO_BUGS),
        env=changed(tmp_path_factory, code),
    )
    assert "RuntimeError: fork: True" in done.stdout
    why = "asked for with --processes spawn"
    assert f"m.py: each target in a fresh process, spawned: {why}\n" in done.stderr
    assert "FORKED" not in done.stdout + done.stderr


def test_fork_cannot_be_forced_where_there_is_none(project, no_fork):
    done = annotest("run", "m.py", "--processes", "fork", cwd=project(m=TWO_BUGS), env=no_fork)
    assert done.status == 2
    assert done.stderr == (
        "annotest: --processes fork: this system cannot fork; leave the option out\n"
    )


CRASH = "was killed by signal SIGSEGV during the call"
DEATHS = [
    ("leave", "died", "exited with status 3 during the call", "leave(n=4)"),
    *(
        pytest.param(*death, marks=pytest.mark.exhaustive)
        for death in (
            ("Model.crash", "died", CRASH, ".crash(n=4, device=Device)"),
            ("hang", "timeout", "the call took longer than 1 s, twice", "hang(n=4)"),
            ("flood", "output", "the call printed more than 1 MB", "flood(n=4)"),
            ("swell", "memory", "the call used more than 400 MB of memory", "swell(n=4)"),
        )
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kind", "says", "call"), DEATHS)
def test_a_death_is_found_with_its_input_and_shrunk(
    name, kind, says, call, project, tmp_path, no_fork, marker
):
    options = ("-k", name, "--seed", 1, "--max-examples", 20, "--workers", 1, "--timeout", 1)
    done = run_json(
        *("m.py", *options, "--max-memory", "400MB", "--max-output", "1MB"),
        cwd=project(m=DEADLY),
        tmp_path=tmp_path,
        env={**no_fork, "ANNOTEST_TEST_MARKER": marker},
    )
    (finding,) = done.report["findings"]
    assert finding["kind"] == kind
    assert says in finding["message"]
    assert call in finding["call"]
    assert finding["repeats"] is None
    assert left_processes(marker) == []


@pytest.mark.exhaustive
def test_a_death_that_earlier_calls_lead_to_is_judged_as_with_forks(project, tmp_path, no_fork):
    code = (
        f"{HEAD}calls = []\n"
        "@arg(n=ints(0, 1000))\n"
        '@require("sum(map(int, str(n))) % 3 != 0")\n'
        "def f(n):\n"
        "    calls.append(n)\n"
        "    if len(calls) > 4: os._exit(3)\n"
    )
    options = ("m.py", "--seed", 1, "--max-examples", 10, "--workers", 1, "--no-database")
    forked = run_json(*options, cwd=project(m=code), tmp_path=tmp_path)
    spawned = run_json(*options, cwd=project(m=code), tmp_path=tmp_path, env=no_fork)
    assert told(spawned) == told(forked)


@pytest.mark.exhaustive
def test_a_module_that_changes_its_process_is_imported_again_as_at_first(
    project, tmp_path, no_fork
):
    code = (
        f"{HEAD}os.chdir('below')\n"
        "os.environ['LEVEL'] = os.environ.get('LEVEL', '') + 'x'\n"
        "assert os.environ['LEVEL'] == 'x'\n"
        "@arg(n=ints(0, 3))\n"
        "def f(n):\n"
        "    if n == 3: ctypes.string_at(0)\n"
    )
    folder = project(m=code)
    (folder / "below").mkdir()
    options = ("m.py", "--seed", 1, "--workers", 1)
    done = run_json(*options, cwd=folder, tmp_path=tmp_path, env=no_fork)
    (finding,) = done.report["findings"]
    assert "SIGSEGV" in finding["message"]
    assert finding["call"].endswith("f(n=3)")
    assert done.target("f")["inputs_run"] == 4


def hanging(folder, env, marker):
    """Start a run that finds something and hangs; return it when it has done both."""
    code = (
        f"{HEAD}"
        "@arg(n=ints(0, 9))\n"
        "def a(n): raise ValueError(n)\n"
        "@arg(n=ints(0, 9))\n"
        "def b(n): open('hangs', 'w').close(); time.sleep(60)\n"
    )
    (folder / "m.py").write_text(code)
    env = {**env, "ANNOTEST_TEST_MARKER": marker}
    words = ("m.py", "--workers", "2", "--no-guard")
    run = started(folder, *words, env=env, ready=(folder / "hangs").exists)
    time.sleep(1)  # it is kept before it is told
    return run


@pytest.mark.slow
@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.exhaustive)]
)
def test_a_signal_ends_a_run_with_what_was_found(tmp_path, no_fork, marker, number):
    run = hanging(tmp_path, no_fork, marker)
    run.send_signal(number)
    stdout, stderr = run.communicate(timeout=patience(20))
    assert run.returncode == 130
    assert "ValueError" in stdout
    assert "interrupted; this is what was found so far" in stdout
    assert "Traceback" not in stdout + stderr
    assert left_processes(marker) == []


@pytest.mark.slow
def test_sigkill_leaves_nothing_running(tmp_path, no_fork, marker):
    run = hanging(tmp_path, no_fork, marker)
    until = time.monotonic() + patience(20)
    while len(left_processes(marker)) < 5:  # a lane may just have no worker
        assert time.monotonic() < until, "there are no parent, two lanes and their workers"
        time.sleep(0.01)
    run.kill()
    run.communicate(timeout=patience(20))
    until = time.monotonic() + patience(5)
    while left_processes(marker):
        assert time.monotonic() < until, "processes are left"
        time.sleep(0.05)


@pytest.mark.exhaustive
def test_replay_and_debug_work(project, no_fork, monkeypatch):
    monkeypatch.delenv("ANNOTEST_DATABASE")
    folder = project(m=TWO_BUGS)
    annotest("run", "m.py", "-k", "scale", "--workers", 1, cwd=folder, env=no_fork)
    (file,) = (folder / ".annotest" / "findings").glob("*.json")
    known = json.loads(file.read_text())["id"]
    assert "STILL FAILING" in annotest("replay", known, cwd=folder, env=no_fork).stdout
    done = subprocess.run(
        [sys.executable, "-m", "annotest", "replay", known, "--debug"],
        input="p 'n is', n\nquit\n",
        cwd=folder,
        env={**os.environ, **no_fork},
        capture_output=True,
        text=True,
        timeout=LONGEST,
    )
    assert "('n is', 71)" in done.stdout
    (folder / "m.py").write_text(TWO_BUGS.replace("n > 70", "n > 1000"))
    assert "FIXED" in annotest("replay", known, cwd=folder, env=no_fork).stdout


COMMANDS = [
    ("list",),
    pytest.param(("explain", "scale_one"), marks=pytest.mark.exhaustive),
    pytest.param(("generate", "--out", "tests", "--force"), marks=pytest.mark.exhaustive),
]


@pytest.mark.parametrize("command", COMMANDS)
def test_what_calls_nothing_says_the_same(command, project, no_fork):
    folder = project(m=TWO_BUGS)
    package = folder / "package"
    package.mkdir()
    for name in ("__init__", "one", "two"):
        (package / f"{name}.py").write_text(TWO_BUGS.replace("scale", f"scale_{name}"))
    forked = annotest(*command, cwd=folder)
    spawned = annotest(*command, cwd=folder, env=no_fork)
    assert "scale" in forked.stdout or "package" in forked.stdout
    assert (spawned.status, spawned.stdout, spawned.stderr) == (
        forked.status,
        forked.stdout,
        forked.stderr,
    )


def test_a_system_that_lacks_more_than_fork_is_told_so(tmp_path, tmp_path_factory):
    env = changed(tmp_path_factory, "import sys\nsys.modules['fcntl'] = None\n")
    done = annotest("list", cwd=tmp_path, env=env)
    assert done.status == 3
    assert done.stdout == ""
    assert done.stderr == (
        "annotest: this Python has no module 'fcntl'; annotest needs Linux or a system like it\n"
    )
