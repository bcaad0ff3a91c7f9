"""Calls that take too long, and what ends a run while they are made again."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

HANGS = """
from annotest import *


@arg(n=ints(0, 3))
def hangs(n):
    while True:
        pass
"""


def interrupted(folder, *options):
    """Run annotest and interrupt it when a call has taken too long once; return what it says."""
    run = subprocess.Popen(
        [sys.executable, "-m", "annotest", "run", "m.py", "--timeout", "1", *options],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        # a shell that starts tests in the background has them ignore SIGINT
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    kept = Path(os.environ["ANNOTEST_DATABASE"])
    until = time.monotonic() + 60
    while not list(kept.glob("findings/*.json")) and time.monotonic() < until:
        time.sleep(0.01)
    time.sleep(0.1)
    run.send_signal(signal.SIGINT)
    return run.communicate(timeout=20)[0], run.returncode


def test_a_hang_that_is_not_yet_confirmed_is_told_by_an_interrupted_run(project, tmp_path):
    report = tmp_path / "report.json"
    said, status = interrupted(project(m=HANGS), "--json", str(report))
    assert status == 130
    message = "the call took longer than 1 s; the run ended before the call was made again"
    assert message in said
    (finding,) = json.loads(report.read_text())["findings"]
    assert finding["message"] == message
    assert finding["call"].startswith("from m import hangs\nhangs(n=")
