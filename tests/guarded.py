"""Running code under the guard: in a forked child each, since a guard cannot be taken back."""

import os
import pickle
import signal
import sqlite3
import tempfile
import threading
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from annotest import guard
from annotest.guard.landlock import available


@dataclass
class Seen:
    """What became of code that ran under the guard, and what the guard says of it."""

    value: Any = None
    error: str = ""
    text: str = ""
    blocked: tuple[guard.Blocked, ...] = ()
    explained: guard.Blocked | None = None
    kernel: guard.Kernel = field(default_factory=guard.Kernel)

    @property
    def actions(self):
        return [blocked_act.action for blocked_act in self.blocked]


def run_guarded(act, allowed, kernel=False, home=None, before=None, seconds=30, **options):
    """Run `act(log)` in a forked child under a guard, and return what was seen."""
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        status = 1
        try:
            os.close(reading)
            signal.alarm(seconds)
            seen = _observe(act, allowed, kernel, home, before, options)
            os.write(writing, pickle.dumps(seen))
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    assert os.waitpid(pid, 0)[1] == 0, "the child did not end well: see its output"
    return pickle.loads(data)


def _observe(act, allowed, kernel, home, before, options):
    if home is not None:
        os.environ["HOME"] = str(home)
        os.environ.pop("XDG_CACHE_HOME", None)
    if before is not None:
        before()
    log = guard.install(allowed, kernel=kernel, **options)
    log.start_call()
    seen = Seen(kernel=log.kernel)
    try:
        seen.value = act(log)
    except BaseException as error:
        seen.error, seen.text = type(error).__name__, printed(error)
        seen.explained = log.explains(error)
    seen.blocked = log.blocked
    return seen


def printed(error):
    try:
        return str(error)
    except ZeroDivisionError:
        return "cannot be printed"


@dataclass
class Ground:
    """A folder that may be written to, and a project that may not."""

    scratch: Path
    project: Path
    home: Path

    def run(self, act, kernel=False, before=None, **allowed):
        """Run `act(log)` in the project, allowed to write to the scratch folder only."""
        folders = (str(self.scratch), *map(str, allowed.pop("folders", ())))
        rules = guard.Allowed(folders, root=str(self.project), **allowed)

        def start():
            os.chdir(self.project)
            if before is not None:
                before()

        return run_guarded(act, rules, kernel, self.home, start)

    def snapshot(self):
        """Return all that a change in the project would change."""
        return {
            str(path.relative_to(self.project)): (
                path.lstat().st_mode,
                path.lstat().st_mtime_ns,
                path.lstat().st_nlink,
                path.read_bytes() if path.is_file() else b"",
            )
            for path in [self.project, *self.project.rglob("*")]
        }


def fill(folder):
    """Write the files that the acts of the tests work on."""
    (folder / "sub").mkdir(parents=True)
    (folder / "keep.txt").write_text("kept")
    (folder / "sub" / "deep.txt").write_text("deep")
    (folder / "empty").mkdir()


def new_ground(tmp_path):
    """Return a filled scratch folder and a filled project."""
    tmp_path = tmp_path.resolve()
    made = Ground(tmp_path / "scratch", tmp_path / "project", tmp_path / "home")
    fill(made.scratch)
    fill(made.project)
    made.home.mkdir()
    return made


def write(path, mode="w"):
    with open(path, mode) as file:
        file.write("x" if "b" not in mode else b"x")


def sqlite(path):
    connection = sqlite3.connect(path)
    connection.execute("create table t (x)")
    connection.close()


def run_in_thread(act):
    thread = threading.Thread(target=act)
    thread.start()
    thread.join()


def temporary_in(folder):
    def use():
        tempfile.tempdir = None
        os.environ["TMPDIR"] = str(folder)

    return use


needs_landlock = pytest.mark.skipif(not available(), reason="no Landlock here")
