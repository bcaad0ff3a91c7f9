"""What the tests share: running the command line, and reading its report."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import warm
from hypothesis import settings
from patience import LONGEST, patience

from annotest.reports.json import schema

PROJECTS = Path(__file__).parent / "projects"

settings.load_profile("default")  # and not Hypothesis's own for CI: the tests are the same there


@dataclass
class Done:
    """A finished run of `annotest`."""

    status: int
    stdout: str
    stderr: str
    report: dict[str, Any] | None = None

    def target(self, qualname):
        return next(each for each in self.report["targets"] if each["qualname"] == qualname)

    def findings(self, qualname):
        findings = self.report["findings"]
        return [found for found in findings if found["target"]["qualname"] == qualname]


def pytest_collection_modifyitems(items):
    """Begin with what takes long, so that no worker is left alone with it at the end."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def pytest_unconfigure():
    """End the process that ran the commands."""
    warm.end()


def annotest(*args, cwd, env=None):
    """Run the command line as a user would; in the warm process where that is the same."""
    words = warm.with_one_worker([*map(str, args)])
    environment = {**os.environ, "COLUMNS": "100", **(env or {})}
    seconds = float(environment.get("TEST_SECONDS", LONGEST))
    if warm.can_run(environment):
        done = warm.run(words, cwd=cwd, env=environment, timeout=seconds)
    else:
        done = subprocess.run(
            [sys.executable, "-m", "annotest", *words],
            cwd=cwd,
            env=environment,
            capture_output=True,
            text=True,
            timeout=seconds,
        )
    return Done(done.returncode, done.stdout, done.stderr)


def run_json(*args, cwd, tmp_path, env=None):
    """Run `annotest run` and read its JSON, which must fit the shipped schema."""
    file = tmp_path / "report.json"
    env = {"ANNOTEST_DATABASE": str(tmp_path / "kept"), **(env or {})}
    done = annotest("run", *args, "--json", file, cwd=cwd, env=env)
    assert file.exists(), done.stdout + done.stderr
    done.report = json.loads(file.read_text())
    jsonschema.validate(done.report, schema())
    assert done.report["exit_status"] == done.status
    return done


def started(folder, *words, env=None, ready=lambda: True):
    """Start `annotest run`, and return it when it has kept a finding and something else is so."""
    run = subprocess.Popen(
        [sys.executable, "-m", "annotest", "run", *words],
        cwd=folder,
        env={**os.environ, **(env or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # a shell that starts tests in the background has them ignore SIGINT
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    kept, until = Path(os.environ["ANNOTEST_DATABASE"]), time.monotonic() + patience(60)
    while not (list(kept.glob("findings/*.json")) and ready()):
        assert time.monotonic() < until, "nothing was found"
        time.sleep(0.01)
    return run


def left_processes(marker):
    """Return the processes that have a marker in their environment."""
    pids = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            environ = open(f"/proc/{pid}/environ", "rb").read()
        except OSError:
            continue
        if marker.encode() in environ:
            pids.append(int(pid))
    return pids


@pytest.fixture
def project(tmp_path):
    """Return a function that writes files into a folder of its own and returns it."""

    def write(**files):
        for name, text in files.items():
            (tmp_path / f"{name}.py").write_text(text)
        return tmp_path

    return write


@pytest.fixture(scope="session")
def _all_kept(tmp_path_factory):
    """Return one folder for all that is kept: calls see what is beside the folder of a test."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture(autouse=True)
def _kept_apart(_all_kept, monkeypatch):
    """Keep the failing inputs of each test to itself, and show progress even in CI."""
    monkeypatch.setenv("ANNOTEST_DATABASE", tempfile.mkdtemp(dir=_all_kept))
    monkeypatch.delenv("CI", raising=False)


def generated(folder, modules):
    """Write modules, have their tests generated, and return the folder of these."""
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(f"from annotest import *\n\n\n{text}")
    done = annotest("generate", ".", cwd=folder)
    assert done.status == 0, done.stdout + done.stderr
    return folder / "annotest_tests"


def names_shown(screen):
    """Return the names of the targets that `annotest explain` shows, without their modules."""
    return re.findall(r"^\S+:(\S+) ─+$", screen, re.MULTILINE)
