"""Standard streams that are closed or full do no harm."""

import json
import os
import subprocess
import sys

import pytest
from patience import LONGEST

FAILS = "from annotest import *\n@arg(n=ints(0, 9))\ndef f(n): assert n < 5\n"
UNWRITTEN = "annotest: standard output cannot be written: "
# a file system of one page, which is full; 77 where mounting is not permitted
FULL_DISK = """
mkdir full && mount -t tmpfs -o size=4k tmpfs full || exit 77
head -c 4096 /dev/zero > full/page
exec "$@" > full/report
"""
# a descriptor that can only be read
READ_ONLY = "1<m.py"


def started(folder, script, *command, within=(), unbuffered=""):
    env = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    words = [*within, "sh", "-c", script, "sh", sys.executable, "-m", "annotest", *command]
    return subprocess.run(
        words, cwd=folder, capture_output=True, text=True, timeout=LONGEST, env=env
    )


def run(folder, streams, *command, **how):
    return started(folder, f'exec "$@" {streams}', *command, **how)


NONE = "<&- >&- 2>&-"
STREAMS = [">&-", "2>&-", "<&-", NONE, "2<m.py"]
FORKED = [(streams, "fork") for streams in STREAMS]
SPAWNED = [
    pytest.param(
        streams,
        "spawn",
        marks=pytest.mark.slow if streams == NONE else pytest.mark.exhaustive,
    )
    for streams in STREAMS
]


@pytest.mark.parametrize(("streams", "processes"), [*FORKED, *SPAWNED])
def test_a_run_does_not_need_its_streams(project, streams, processes):
    options = ["--json", "report.json", "--processes", processes]
    done = run(project(m=FAILS), streams, "run", "m.py", *options)
    assert done.returncode == 1
    (finding,) = json.loads((project() / "report.json").read_text())["findings"]
    assert finding["inputs"] == {"n": "5"}
    assert ("AssertionError" in done.stdout) == (" >&-" not in f" {streams}")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", ["run", "list", "generate"])
def test_a_report_that_cannot_be_written_is_said_in_one_line(project, command, unbuffered):
    done = run(project(m=FAILS), READ_ONLY, command, "m.py", unbuffered=unbuffered)
    assert done.returncode == 2
    assert done.stderr.removeprefix("m.py: 1 target\n") == f"{UNWRITTEN}Bad file descriptor\n"


def test_a_full_disk_for_the_report_is_said_in_one_line(project):
    done = started(project(m=FAILS), FULL_DISK, "run", "m.py", "-q", within=("unshare", "-m"))
    if done.returncode == 77 or "unshare" in done.stderr:
        pytest.skip("a file system cannot be mounted here")
    assert (done.returncode, done.stderr) == (2, f"{UNWRITTEN}No space left on device\n")


@pytest.mark.parametrize("streams", ["2>&-", "2<m.py"])
def test_a_mistake_that_cannot_be_said_still_has_its_exit_status(project, streams):
    done = run(project(m=FAILS), streams, "run", "nowhere.py")
    assert (done.returncode, done.stdout) == (2, "")
