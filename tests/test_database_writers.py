"""Many writers of the database at once, and writers that are really killed: no file is ever half."""

import os
import subprocess
import sys
import time

import pytest

from annotest.database import Database, Entry

WRITER = """
import sys
from annotest.database import Database, Entry

def write(folder, writer, times):
    database = Database(folder)
    for count in range(times):
        text = f"{writer} {count} " * 2000
        for number in range(4):
            database.save(Entry(f"{number:010x}", "m:f", "m.py", "exception", "E", text, text))
            assert database.warnings == [], database.warnings

if __name__ == "__main__":
    write(sys.argv[1], sys.argv[2], 40)
"""

# forks writers from a process without threads, kills each of them, and looks at what is there
KILLER = """
import os, pathlib, random, signal, sys, time
from test_database_writers import whole_entries
from writer import write

folder, pause, cut_short = sys.argv[1], random.Random(1), 0
for number in range(150):
    pid = os.fork()
    if pid == 0:
        write(folder, f"writer{number}", 10**9)
    time.sleep(pause.uniform(0, 0.008))
    os.kill(pid, signal.SIGKILL)
    assert os.waitpid(pid, 0)[1] == signal.SIGKILL
    whole_entries(folder)
    for partial in pathlib.Path(folder).rglob("*.partial"):
        cut_short += 1
        partial.unlink()
print(cut_short)
"""


def whole_entries(folder):
    """Return the entries there; all must be as one of the writers wrote it, to the end."""
    database = Database(str(folder))
    entries = database.all()
    assert database.warnings == []
    for entry in entries:
        words = entry.message.split()
        assert len(words) == 4000
        assert len(set(words)) == 2
        assert entry.message == entry.call
    return entries


@pytest.fixture
def folder(tmp_path):
    return tmp_path / ".annotest"


@pytest.fixture
def script(tmp_path):
    """Return a function that starts a script beside which the writer and this module lie."""

    def start(text, *args):
        (tmp_path / "writer.py").write_text(WRITER)
        (tmp_path / "script.py").write_text(text)
        path = os.pathsep.join([str(tmp_path), os.path.dirname(__file__)])
        command = [sys.executable, tmp_path / "script.py", *args]
        env = {**os.environ, "PYTHONPATH": path + os.pathsep + os.environ.get("PYTHONPATH", "")}
        return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)

    return start


def test_many_writers_at_once_leave_whole_files(folder, script):
    writers = [script(WRITER, folder, f"writer{number}") for number in range(4)]
    reads = 0
    while any(writer.poll() is None for writer in writers):
        reads += bool(whole_entries(folder))
    assert [writer.wait() for writer in writers] == [0] * 4
    assert reads > 5, "the writers were never seen at work: the test shows nothing"
    assert len(whole_entries(folder)) == 4
    assert list(folder.rglob("*.partial")) == []


def test_a_writer_killed_at_any_moment_leaves_whole_files(folder, script):
    killer = script(KILLER, folder)
    said, _ = killer.communicate()
    assert killer.returncode == 0
    assert int(said) > 3, "no writer was killed in the middle of a file: the test shows nothing"
    assert len(whole_entries(folder)) == 4
    assert (folder / ".gitignore").read_text() == "*\n"


def test_what_killed_writers_left_is_swept_after_an_hour(folder):
    entry = Entry("0123456789", "m:f", "m.py", "exception", "E", "", "")
    Database(str(folder)).save(entry)
    names = [f"findings/{entry.name}.77-0a1b2c3d.partial", ".gitignore.77-0a1b2c3d.partial"]
    for name in (*names, "findings/x.json.1-0a1b2c3d.partial", "findings/notes.partial"):
        (folder / name).write_text("{")
        age = 10 if "x.json" in name else 4000
        os.utime(folder / name, (time.time() - age, time.time() - age))
    Database(str(folder)).save(entry)
    assert sorted(str(one.relative_to(folder)) for one in folder.rglob("*.*")) == [
        ".gitignore",
        "README.txt",
        f"findings/{entry.name}",
        "findings/notes.partial",
        "findings/x.json.1-0a1b2c3d.partial",
    ]
