"""`annotest.check`: one function or class tested from within a test that a person wrote."""

import importlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from inspect import signature

import pytest
from conftest import annotest, left_processes
from folders import write
from patience import LONGEST, patience

from annotest import CheckFailed, check
from annotest.checking import running
from annotest.checking.subject import subject_of
from annotest.cli.keywords import options_of
from annotest.cli.main import run_command
from annotest.discovery.scan import scan
from annotest.errors import Mistake, Site, UsageError, recording
from annotest.events import (
    AnnotestFailed,
    MistakeFound,
    NotTestableFound,
    RunEnded,
    TargetFinished,
)
from annotest.facts import NotTestable, TargetInfo, TargetResult
from annotest.kinds import Status
from annotest.reports.checked import headline_of, is_passed
from annotest.triage import Report

CODE = """\
import ctypes
import time

from annotest import arg, exclude, ints, np_arrays, require


@arg(n=ints(0, 9))
def sound(n):
    return n


@arg(n=ints(0, 9))
def dies(n):
    if n > 4:
        ctypes.string_at(0)


@arg(n=ints(0, 1))
def hangs(n):
    if n:
        time.sleep(60)


@arg(n=ints(0, 10**9))
def rare(n):
    if 10 < n < 10**9:
        raise ValueError("rare")


@arg(n=ints(0, 3))
@require("m > 3")
def wrong(n): ...


def bare(x): ...


@exclude
@arg(n=ints(0, 3))
def excluded(n): ...


class Net:
    @arg(size=ints(1, 3))
    def __init__(self, size):
        self.size = size

    @arg(x=np_arrays("float32", "n self.size"))
    def forward(self, x):
        return x

    @property
    def area(self):
        return self.size**2

    def unsaid(self, x): ...


def foreign(n):
    return 1 // n


class Foreign:
    def __init__(self, n):
        self.n = n

    def half(self, n): ...
"""
OUTSIDE = """\
import net_OF
from annotest import annotate, arg, ints

annotate(net_OF.foreign, arg(n=ints(0, 3)))
annotate("net_OF:Foreign.__init__", arg(n=ints(0, 3)))
annotate("net_OF:Foreign.half", arg(n=ints(0, 3)))
"""


@pytest.fixture(scope="module")
def net(tmp_path_factory):
    """Return the module to be tested, imported in this very process, in which threads run."""
    folder = tmp_path_factory.mktemp("checked")
    name = f"net_{os.getpid()}"
    (folder / "pyproject.toml").write_text("")
    (folder / f"{name}.py").write_text(CODE)
    (folder / "outside.py").write_text(OUTSIDE.replace("net_OF", name))
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        patch.chdir(folder)
        module = importlib.import_module(name)
        importlib.import_module("outside")
        yield module
        del sys.modules[name], sys.modules["outside"]


def plain(text):
    """Return a report without what differs from run to run."""
    text = re.sub(r" +$", "", text, flags=re.MULTILINE)
    text = re.sub(r"net_\d+", "net", text)
    text = re.sub(r"─{2,}", "──", text)
    text = re.sub(r"\d+\.\d s", "0.0 s", text)
    return re.sub(r"finding [0-9a-f]{10}", "finding 0", text)


def failed(target, **options):
    """Return the text with which a check fails."""
    with pytest.raises(CheckFailed) as raised:
        check(target, **options)
    return str(raised.value)


def refused(target, **options):
    """Return why something is not checked at all."""
    with pytest.raises(UsageError) as raised:
        check(target, **options)
    return plain(str(raised.value))


# what is tested


def test_what_passes_says_what_was_tested(net):
    with ThreadPoolExecutor(1) as pool:  # and in a thread as well
        passed = pool.submit(check, net.sound, max_examples=5).result()
    assert (passed.targets, passed.inputs_run, passed.seed) == (("sound",), 5, 0)
    assert passed.seconds > 0
    assert plain(str(passed)) == (
        "1 target · 5 inputs run · 0 invalid discarded · 0 starved · 0 blocked · 0 skipped · "
        "0 findings · 0.0 s · seed 0"
    )


def test_a_call_that_kills_its_process_is_reported_as_on_the_terminal(net):
    assert issubclass(CheckFailed, AssertionError)
    assert plain(failed(net.dies, seed=7)) == (
        "dies: the process was killed by signal SIGSEGV during the call\n"
        "\n"
        "1 ── net:dies ── net.py:15\n"
        "the process was killed by signal SIGSEGV during the call\n"
        "\n"
        "    from net import dies\n"
        "    dies(n=5)\n"
        "\n"
        "  net.py:15 in dies\n"
        "      ctypes.string_at(0)\n"
        "  … 1 frame in Python's own library\n"
        "  finding 0 · after 0.0 s\n"
        "\n"
        "1 target · 10 inputs run · 0 invalid discarded · 0 starved · 0 blocked · 0 skipped · "
        "1 finding · 0.0 s · seed 7"
    )


@pytest.mark.slow
def test_a_call_that_hangs_is_ended(net):
    first, *_ = failed(net.hangs, timeout=0.3).splitlines()
    assert first == "hangs: the call took longer than 0.3 s, twice"


def test_of_a_class_the_constructor_and_the_methods_are_tested(net):
    passed = check(net.Net, max_examples=3)
    assert passed.targets == ("Net.__init__", "Net.forward", "Net.area")


def test_a_method_is_tested_alone(net):
    assert check(net.Net.forward, max_examples=3).targets == ("Net.forward",)


def test_what_another_module_annotates_is_tested_as_it_says(net):
    text = failed(net.foreign)
    assert text.startswith("foreign: ZeroDivisionError: ")
    found = re.search("finding ([0-9a-f]{10})", text).group(1)
    done = annotest("replay", found, cwd=os.getcwd())
    assert done.stdout.startswith(f"STILL FAILING finding {found} in {net.__name__}:foreign\n")
    assert check(net.Foreign, max_examples=2).targets == ("Foreign.__init__", "Foreign.half")


def test_failing_inputs_are_tried_first(net):
    assert failed(net.rare).startswith("rare: ValueError: rare\n")
    assert "rare(n=11)" in failed(net.rare, max_examples=1)
    assert check(net.rare, max_examples=1, no_database=True, seed=0).inputs_run == 1


# what is not tested does not pass


def test_a_mistake_is_told_of_the_function_itself_alone(net):
    assert plain(failed(net.wrong)).splitlines()[:4] == [
        "wrong: 1 mistake in its annotations",
        "",
        "mistake net.py:31: @require(\"m > 3\"): wrong knows no name 'm'.",
        "        use the arguments, the names of the module, or builtins",
    ]


def test_what_nobody_annotated_says_what_to_add(net):
    assert plain(failed(net.bare)).splitlines()[:6] == [
        "bare: not testable: no annotation for 'x'",
        "",
        "not testable",
        "net.py",
        "     35  net:bare: no annotation for 'x'",
        "             add @arg(x=…)",
    ]


def test_what_is_excluded_does_not_pass(net):
    first, *_ = failed(net.excluded).splitlines()
    assert first == (
        "excluded: nothing to test: it is private and has no annotations, or @exclude is on it"
    )


INFO = TargetInfo("m", "f", "function", "m.py", 1)
MISTAKE = Mistake(Site("m.py", 1), "@arg", "wrong")
UNTESTED = {
    "annotest itself failed": [AnnotestFailed("it did")],
    "1 mistake in its annotations": [MistakeFound(MISTAKE)],
    "starved": [TargetFinished(TargetResult(INFO, Status.STARVED))],
    "blocked": [TargetFinished(TargetResult(INFO, Status.BLOCKED))],
    "prevented": [TargetFinished(TargetResult(INFO, Status.PREVENTED))],
    "environment": [TargetFinished(TargetResult(INFO, Status.ENVIRONMENT))],
    "not testable: no annotation": [
        TargetFinished(TargetResult(INFO, Status.PASSED, 3)),
        NotTestableFound(NotTestable("m", "g", "m.py", 9, "no annotation", annotated=True)),
    ],
    "not tested to its end": [
        TargetFinished(TargetResult(INFO, Status.PASSED, 3)),
        TargetFinished(TargetResult(INFO, Status.UNFINISHED, unfinished="no time")),
    ],
    "interrupted": [
        TargetFinished(TargetResult(INFO, Status.PASSED, 3)),
        RunEnded(1.0, interrupted=True),
    ],
}


@pytest.mark.parametrize("why", UNTESTED)
def test_a_report_that_is_not_good(why):
    report = Report()
    for event in UNTESTED[why]:
        report.take(event)
    assert not is_passed(report)
    assert headline_of(report, "f") == f"f: {why}"


def test_a_note_does_not_fail():
    report = Report()
    report.take(TargetFinished(TargetResult(INFO, Status.NOTED, 1)))
    assert is_passed(report)


def test_a_run_that_is_killed_does_not_pass(net, monkeypatch):
    def spawn(program, parent_death, ground):
        pid = spawned(program, parent_death, ground)
        threading.Timer(0.05, os.kill, (pid, signal.SIGKILL)).start()
        return pid

    spawned = running.process.spawn
    monkeypatch.setattr(running.process, "spawn", spawn)
    text = failed(net.sound)
    assert text.startswith("sound: annotest itself failed\n")
    assert "the process of the run was killed by signal SIGKILL before its end\n" in text


# what cannot be tested


def test_a_local_function_is_refused():
    def local(n): ...

    anew = (
        f"is made anew by {test_a_local_function_is_refused.__name__}, so that no other process can "
        "find it; define it with def at the top of a module"
    )
    assert refused(local) == f"check(local): local {anew}"
    assert refused(lambda: 1) == f"check(<lambda>): <lambda> {anew}"


def test_what_cannot_be_found_again_is_refused(net, monkeypatch):
    assert refused(3) == "check(3) expects a function, class or method, got int"
    assert refused(net.Net(1).forward) == (
        "check got forward of one object, and tests it on all that the annotations of the "
        "constructor allow; write check(Net.forward)"
    )
    assert refused(len) == (
        "builtins is no Python file that another process could import; put what is to be tested "
        "in one, or name it in one: annotate(…)"
    )
    sound = net.sound
    monkeypatch.setattr(net, "sound", net.rare)
    assert refused(sound) == (
        "check(sound): no name of net leads to this object, so that no other "
        "process can find it; pass what a module holds under a name of its own"
    )


def test_what_a_module_calls_it_leads_to_a_wrapper(net, monkeypatch):
    def wrapped(): ...

    monkeypatch.setattr(net, "by_another_name", wrapped, raising=False)
    wrapped.__module__ = net.__name__
    assert subject_of(wrapped).targets == ("by_another_name",)


def test_a_check_at_the_top_of_a_module_is_refused_while_that_is_imported(net):
    with recording():
        assert refused(net.sound) == (
            "check is called while annotest imports this module to test what is in it; "
            'call it in a test function, or below if __name__ == "__main__":'
        )


# options


def test_the_options_are_those_of_a_run():
    names = [name for name, each in signature(check).parameters.items() if name != "target"]
    known = [option.opts[0] for option in run_command.params]
    assert {f"--{name.replace('_', '-')}" for name in names} <= {*known}


def test_keywords_are_read_as_the_command_line_reads_them(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.annotest]\nallow = ["programs"]\n')
    given = {"max_memory": "2GB", "timeout": 5, "max_time": 9.5, "allow": "network", "workers": 2}
    options = options_of((str(tmp_path),), {**given, "no_database": True, "no_guard": False})
    assert (options.limits.memory, options.limits.call) == (2 << 30, 5.0)
    assert (options.run_seconds, options.workers, options.database) == (9.5, 2, None)
    assert options.allowed.network
    assert options.allowed.programs
    assert options.max_examples == 200
    allowed = options_of((str(tmp_path),), {"allow": ["network", str(tmp_path)]}).allowed
    assert allowed.network
    assert str(tmp_path) in allowed.folders


def test_a_wrong_option_is_told_by_its_keyword(net):
    assert refused(net.sound, max_examples=0) == "max_examples: 0 is not in the range x>=1."


def test_processes_of_xdist_share_the_machine(net, monkeypatch):
    monkeypatch.setattr(running, "Run", None)  # nothing is run in this process
    asked = []
    monkeypatch.setattr("annotest.checking.checks.report_of", asked.append)
    monkeypatch.setattr("annotest.checking.checks.text_of", lambda report: sys.exit(0))
    memory = []
    for count in ("1", "64"):
        monkeypatch.setenv("PYTEST_XDIST_WORKER_COUNT", count)
        with pytest.raises(SystemExit):
            check(net.sound)
        memory.append(asked[-1].limits.memory)
    assert asked[-1].workers == 1
    assert memory[1] < memory[0]


# where modules are


@pytest.mark.parametrize(
    ("file", "name", "folder"),
    [
        ("lib/net.py", "net", "lib"),
        ("lib/net.py", "lib.net", "."),
        ("pkg/net.py", "net", "pkg"),
        ("pkg/net.py", "pkg.net", "."),
        ("pkg/__init__.py", "pkg", "."),
        ("lib/net.py", "__main__", "lib"),
        ("lib/net.py", "made.elsewhere", "lib"),
    ],
)
def test_a_module_has_the_name_that_it_has_where_it_is_asked_for(tmp_path, file, name, folder):
    write(
        tmp_path,
        {"pyproject.toml": "", "pkg/__init__.py": "", "lib/net.py": CODE, "pkg/net.py": CODE},
    )
    path = str(tmp_path / file)
    (module,) = scan((path,), True, (), {path: name}).modules
    is_its_own = name not in ("__main__", "made.elsewhere")
    assert module.module == (name if is_its_own else "net")
    assert module.import_folder == module.folders[0] == str((tmp_path / folder).resolve())


# in pytest

PROJECT = {
    "pyproject.toml": "",
    "library/net.py": """\
import sys

from annotest import arg, ints


@arg(n=ints(0, 3))
def f(n):
    return 1 // n


@arg(n=ints(0, 3))
def g(n):
    return n
""",
    "tests/conftest.py": """\
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "library"))
""",
    "tests/test_net.py": """\
import annotest
from annotest import arg, ints
from net import f, g


@arg(n=ints(0, 3))
def own(n):
    return n


def test_f():
    annotest.check(f)


def test_g():
    annotest.check(g)


def test_own():
    annotest.check(own)


def test_local():
    annotest.check(lambda: 1)
""",
}
SCREEN = """\
    def test_f():
>       annotest.check(f)
E       annotest.CheckFailed: f: ZeroDivisionError: integer division or modulo by zero
E
E       1 ── net:f ── library/net.py:8
E       ZeroDivisionError: integer division or modulo by zero
E
E           import sys; sys.path.insert(0, "library")
E           from net import f
E           f(n=0)
E
E         library/net.py:8 in f
E             return 1 // n
E         finding 0 · after 0.0 s
E
E       1 target · 4 inputs run · 0 invalid discarded · 0 starved · 0 blocked · 0 skipped · \
1 finding · 0.0 s · seed 0

tests/test_net.py:12: CheckFailed
"""
REFUSED = """\
    def test_local():
>       annotest.check(lambda: 1)
E       annotest.errors.UsageError: check(<lambda>): <lambda> is made anew by test_local, so that \
no other process can find it; define it with def at the top of a module

tests/test_net.py:24: UsageError
"""


def pytest_of(folder, *words, **env):
    return subprocess.Popen(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--color=no", *words],
        cwd=folder,
        env={**os.environ, "COLUMNS": "100", **env},
        stdout=subprocess.PIPE,
        text=True,
        # a shell that starts tests in the background has them ignore SIGINT
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


@pytest.mark.slow
def test_pytest_shows_the_report_and_none_of_our_frames(tmp_path):
    write(tmp_path, PROJECT)
    shown, _ = pytest_of(tmp_path, "-n", "2").communicate(timeout=LONGEST)
    assert "2 failed, 2 passed" in shown
    assert SCREEN in plain(shown)
    assert REFUSED in shown
    assert "checking" not in shown


@pytest.mark.slow
def test_an_interrupt_ends_everything(tmp_path):
    begun = tmp_path / "begun"
    write(
        tmp_path,
        {
            "test_slow.py": f"""\
import time
from pathlib import Path

import annotest
from annotest import arg, ints


@arg(n=ints(0, 3))
def slow(n):
    Path({str(begun)!r}).touch()
    time.sleep(60)


def test_slow():
    annotest.check(slow, allow={str(begun)!r})
"""
        },
    )
    marker = f"ended-{os.getpid()}-{tmp_path.name}"
    run = pytest_of(tmp_path, MARKER=marker)
    until = time.monotonic() + patience(60)
    while not begun.exists():
        assert time.monotonic() < until
        time.sleep(0.01)
    run.send_signal(signal.SIGINT)
    shown, _ = run.communicate(timeout=patience(30))
    assert "KeyboardInterrupt" in shown
    assert left_processes(marker) == []
