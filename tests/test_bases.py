"""Modules that import the same libraries begin with these imported, and with nothing else."""

import functools
import json
import os
import signal
import sys
import time
from contextlib import contextmanager

import pytest
from conftest import annotest
from folders import write

from annotest import process
from annotest.discovery.leading import leading_imports
from annotest.discovery.scan import scan
from annotest.engine.base.base import Base
from annotest.engine.base.bases import Bases
from annotest.engine.base.sharing import chains_of
from annotest.engine.ways import AUTO, way_of
from annotest.engine.worker.worker import WorkerOptions
from annotest.process import children
from annotest.process.limits import Limits

LIBRARIES = {
    "aheavy.py": "import os\nPID, BACKEND = os.getpid(), os.environ.get('BACKEND', 'usual')\n",
    "aother.py": "import os\nPID = os.getpid()\n",
    "afirst.py": "import sys\nif 'aheavy' in sys.modules:\n    raise ImportError('too late')\n",
    "athreads.py": (
        "import os, threading, time\nPID = os.getpid()\n"
        "threading.Thread(target=time.sleep, args=(600,), daemon=True).start()\n"
    ),
    "awrites.py": "import os\nPID = os.getpid()\nopen('written.txt', 'w').close()\n",
    "aleaves.py": "raise SystemExit(3)\n",
    "adies.py": "import os\nos.kill(os.getpid(), 9)\n",
}
TOLD = """
import os, sys
from annotest import arg, ints

HERE = os.getpid()


@arg(n=ints(1, 1))
def f(n):
    modules = [sys.modules[name] for name in {names} if name in sys.modules]
    shared = [module.__name__ for module in modules if module.PID != HERE]
    own = [module.__name__ for module in modules if module.PID == HERE]
    raise ValueError(f"shared {{shared}}, own {{own}}{more}")
"""
NAMES = ["aheavy", "aother", "athreads"]


def module(imports, more=""):
    return imports + TOLD.format(names=NAMES, more=more)


def run(tmp_path, files, *words):
    """Run annotest on a project whose libraries lie outside; return what each file's f raised."""
    write(tmp_path / "libraries", LIBRARIES)
    project = write(tmp_path / "project", files)
    env = {"PYTHONPATH": str(tmp_path / "libraries"), "CI": "1"}
    words = ("--workers", "1", "--seed", "1", "--json", tmp_path / "out.json", *words)
    done = annotest("run", ".", *words, cwd=project, env=env)
    assert (tmp_path / "out.json").exists(), done.stderr
    record = json.loads((tmp_path / "out.json").read_text())
    return done, {
        found["target"]["file"]: found["exception"]["message"] if found["exception"] else found
        for found in record["findings"]
    }


BACKEND = ", backend {sys.modules['aheavy'].BACKEND}"
OURS = "import os\nos.environ['BACKEND'] = 'ours'\nimport aheavy\n"
SHARING = {
    "first.py": (module("import aheavy\n"), "shared ['aheavy'], own []"),
    "inside/of/second.py": (module("from aheavy import PID\n"), "shared ['aheavy'], own []"),
    "others.py": (module("import aheavy, aother\n"), "shared ['aheavy', 'aother'], own []"),
    "others_too.py": (
        module("import aheavy\nimport aother as other\n"),
        "shared ['aheavy', 'aother'], own []",
    ),
    # nobody else imports it before aheavy
    "another_order.py": (
        module("import aother\nimport aheavy\n"),
        "shared ['aheavy'], own ['aother']",
    ),
    "none.py": (module("import json\n"), "shared [], own []"),
    "by_way_of_its_own.py": (module("import utils\n"), "shared ['aheavy'], own []"),
    "utils.py": ("'''Tools.'''\nimport aheavy\n\n\ndef tool():\n    pass\n", None),
    # what it sets first, it sets first; and shares with those that set the same
    "sets.py": (
        module("import os\nos.environ['BACKEND'] = 'mine'\nimport aheavy\n", BACKEND),
        "shared [], own ['aheavy'], backend mine",
    ),
    "sets_ours.py": (module(OURS, BACKEND), "shared ['aheavy'], own [], backend ours"),
    "sets_ours_too.py": (
        module("import warnings\n" + OURS, BACKEND),
        "shared ['aheavy'], own [], backend ours",
    ),
    "computes.py": (
        module("import os\nos.environ['BACKEND'] = str(1 + 1)\nimport aheavy\n", BACKEND),
        "shared [], own ['aheavy'], backend 2",
    ),
    "usual.py": (module("import aheavy\n", BACKEND), "shared ['aheavy'], own [], backend usual"),
    "path.py": (
        module("import sys\nsys.path.insert(0, 'nowhere')\nimport aheavy\n"),
        "shared [], own ['aheavy']",
    ),
    "by_way_of_what_sets.py": (
        module("import setting\nimport aheavy\n", BACKEND),
        "shared [], own ['aheavy'], backend theirs",
    ),
    "setting.py": ("import os\nos.environ['BACKEND'] = 'theirs'\n", None),
    "package/__init__.py": ("import os\nos.environ['BACKEND'] = 'package'\n", None),
    "package/net.py": (
        module("import aheavy\n", BACKEND),
        "shared [], own ['aheavy'], backend package",
    ),
    # it fails where aheavy was imported before it: then it is judged by itself
    "in_time.py": (module("import afirst\nimport aheavy\n"), "shared [], own ['aheavy']"),
}


def test_modules_begin_with_what_they_share_and_nothing_else(tmp_path):
    _, raised = run(tmp_path, {name: text for name, (text, _) in SHARING.items()})
    assert raised == {name: said for name, (_, said) in SHARING.items() if said}


def test_a_shim_of_the_project_is_no_library(tmp_path):
    shim = "import os\nPID = os.getpid()\n"
    files = {f"{name}.py": module("import aheavy\n") for name in ("one", "two", "three")}
    _, raised = run(tmp_path, {**files, "aheavy.py": shim})
    assert set(raised.values()) == {"shared [], own ['aheavy']"}


def test_a_library_that_starts_threads_is_imported_by_each_module(tmp_path):
    files = {f"{name}.py": module("import athreads\n") for name in ("one", "two")}
    done, raised = run(tmp_path, files, "--verbose")
    assert set(raised.values()) == {"shared [], own ['athreads']"}
    assert "one.py: each target in a fresh process: importing it left 2 threads" in done.stderr


def test_fresh_processes_share_nothing(tmp_path):
    files = {f"{name}.py": module("import aheavy\n") for name in ("one", "two")}
    _, raised = run(tmp_path, files, "--processes", "fresh")
    assert set(raised.values()) == {"shared [], own ['aheavy']"}


@pytest.mark.parametrize(
    ("library", "said"),
    {
        "aleaves": "SystemExit: 3",
        "adies": "the process was killed by signal SIGKILL while the module was imported",
    }.items(),
)
def test_a_library_that_ends_its_process_costs_the_modules_that_import_it(library, said, tmp_path):
    files = {f"{name}.py": module(f"import {library}\n") for name in ("one", "two")}
    files["three.py"] = module("import aheavy\n")
    done, raised = run(tmp_path, files)
    assert raised["three.py"] == "shared [], own ['aheavy']"
    assert done.stdout.count(said) == 2, done.stdout


def test_what_a_library_writes_while_it_is_imported_is_prevented(tmp_path):
    files = {f"{name}.py": module("import awrites\n") for name in ("one", "two")}
    done, raised = run(tmp_path, files)
    assert raised == {}
    assert not (tmp_path / "project" / "written.txt").exists()
    assert "write written.txt" in done.stdout.replace(str(tmp_path / "project") + "/", "")


def apart(test):
    """Have a test made in a process of its own: what it ends are only its own children."""

    @functools.wraps(test)
    def run(tmp_path):
        pid = process.fork(lambda: test(tmp_path), print)
        assert process.reap(pid) == 0

    return run


@contextmanager
def made_bases(tmp_path):
    """Give the bases of two modules that share two libraries, and the files by name."""
    sys.path.insert(0, str(write(tmp_path / "libraries", LIBRARIES)))
    text = module("import aheavy\nimport aother\n")
    files = {"one.py": text, "two.py": text, "three.py": module("import aheavy\n")}
    modules = scan([str(write(tmp_path / "project", files))]).modules
    process.adopt_orphans()
    held = Bases(chains_of(modules), WorkerOptions(way_of(AUTO)), Limits())
    yield held, {os.path.basename(file.path): file for file in modules}
    held.close()


class Sends:
    """A program that tells what it has."""

    def __init__(self, channel):
        self.channel = channel

    def run(self):
        self.channel.writing_end()
        self.channel.send((os.getppid(), "aheavy" in sys.modules, "aother" in sys.modules))

    failed = None


def started(base):
    answers = process.Channel()
    pid = base.start(Sends(answers))
    answers.reading_end()
    told = answers.receive(20) if pid else None
    answers.close()
    return pid, told


@apart
def test_what_a_base_starts_is_a_child_of_its_owner(tmp_path):
    with made_bases(tmp_path) as (held, files):
        base = held._longest(held.chains[files["one.py"].path])
        pid, told = started(base)
        assert told == (os.getpid(), True, True)
        assert process.reap(pid) == 0  # and not unknown
        assert process.end_strays() == 0  # the bases are none
        assert started(held._longest(held.chains[files["three.py"].path]))[1] == (
            os.getpid(),
            True,
            False,
        )
        process.end_strays()


@apart
def test_a_base_that_was_killed_is_replaced(tmp_path):
    with made_bases(tmp_path) as (held, files):
        chain = held.chains[files["one.py"].path]
        os.kill(held._longest(chain).pid, signal.SIGKILL)
        worker = FileOf(files["one.py"])
        assert held.start(worker) == 0  # its lane starts it without a base
        assert started(held._longest(chain))[1] == (os.getpid(), True, True)
        process.end_strays()


class FileOf:
    """A worker, as far as bases look at it before they start it."""

    def __init__(self, file):
        self.file = file

    def __reduce__(self):
        return (str, ())


@apart
def test_bases_end_with_whoever_owns_them(tmp_path):
    with made_bases(tmp_path) as (held, files):
        pid = held._longest(held.chains[files["one.py"].path]).pid
        held.close()
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@apart
def test_a_base_that_takes_too_long_is_given_up(tmp_path):
    library = "import time\ntime.sleep(600)\n"
    sys.path.insert(0, str(write(tmp_path / "libraries", {"aslow.py": library})))
    process.adopt_orphans()
    held = Bases({}, WorkerOptions(way_of(AUTO)), Limits(imports=0.3))
    began = time.monotonic()
    assert held._longest((("import aslow",),)) is None
    assert held._longest((("import aslow",),)) is None  # not tried again
    assert time.monotonic() - began < 30
    assert process.end_strays() == 0


LEADING = {
    "import torch": ["import torch"],
    "import torch.nn as nn, numpy": ["import torch", "import torch.nn", "import numpy"],
    "from torch.nn import Linear, ReLU as R": [
        "import torch",
        "import torch.nn",
        "from torch.nn import Linear",
        "from torch.nn import ReLU",
    ],
    "from torch import *": ["import torch"],
    "'''Text.'''\nfrom __future__ import annotations\nimport os\nimport torch": ["import torch"],
    "N = 3\nSIZES: list = [1, 2]\nimport torch": ["import torch"],
    "def f():\n    import jax\nclass C:\n    pass\nimport torch": ["import torch"],
    "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import jax\nimport torch": [
        "import torch"
    ],
    "import os\nos.environ['A'] = 'b'\nimport torch": ["os.environ['A'] = 'b'\nimport torch"],
    "import torch, os\nos.environ.setdefault('A', 'b')\nimport jax": [
        "import torch",
        "os.environ.setdefault('A', 'b')\nimport jax",
    ],
    "import warnings\nwarnings.filterwarnings('ignore')\nimport torch": [
        "warnings.filterwarnings('ignore')\nimport torch"
    ],
    "import os\nos.environ['A'] = choose()\nimport torch": [],
    "import os\nos.environ[name] = 'b'\nimport torch": [],
    "import sys\nsys.modules['torch'] = None\nimport torch": [],
    "backend = choose()\nimport torch": [],
    "print((n := 3))\nimport torch": [],
    "try:\n    import torch\nexcept ImportError:\n    torch = None": [],
    "if True:\n    import torch": [],
    "import torch\nprint(torch)\nimport jax": ["import torch"],
    "import near\nimport torch": ["import jax", "import torch"],
    "from . import near\nimport torch": ["import jax", "import torch"],
    "from inner import one\nimport torch": ["import flax", "import torch"],
    "import inner.two\nimport torch": ["import keras"],
    "import circle\nimport torch": ["import torch"],
    "import random\nimport torch": [],  # the project's or Python's
    "import broken\nimport torch": [],
}
NEAR = {
    "near.py": "import jax\nVALUE = 1\n",
    "inner/one.py": "import flax\n",
    "inner/two.py": "import keras\nkeras.set(1)\n",
    "circle.py": "import net\n",
    "random.py": "",
    "broken.py": "def",
}


@pytest.mark.parametrize(("text", "imports"), LEADING.items(), ids=map(repr, LEADING))
def test_the_imports_that_a_module_begins_with(text, imports, tmp_path):
    write(tmp_path, {**NEAR, "net.py": f"{text}\nimport annotest\n"})
    (file,) = scan([str(tmp_path / "net.py")]).modules
    assert [text for text in leading_imports(file) if "annotest" not in text] == imports


def test_a_base_reports_what_it_could_not_import():
    base = Base(("import nowhere_to_be_found",), WorkerOptions(way_of(AUTO)), None, None, None)
    assert base._prepare().reason == "ModuleNotFoundError: No module named 'nowhere_to_be_found'"


@apart
def test_what_is_kept_counts_for_nobody_else(tmp_path):
    with made_bases(tmp_path) as (held, files):
        base = held._longest(held.chains[files["one.py"].path])
        answers = process.Channel()

        def tell():
            answers.send((children._kept, process.end_strays()))
            time.sleep(60)

        pid = process.fork(tell, print)
        assert answers.receive(20) == (set(), 0)
        started = {each.pid for each in children.all_started(pid)}
        assert pid in started
        assert base.pid not in started
        process.kill(pid)
        process.reap(pid)
        answers.close()
