"""What is read from the output of a process that was killed."""

import pytest
from conftest import run_json

from annotest.engine.postmortem import read_dump
from annotest.facts import Frame

STACK = 'Stack (most recent call first):\n  File "/x/net.py", line 3 in inner\n'
OLD = 'Stack (most recent call first):\n  File "/etc/passwd", line 9 in nowhere\n'
FATAL = f"Fatal Python error: Segmentation fault\n\n{STACK}"
THREADS = (
    'Thread 0x00007f01 (most recent call first):\n  File "/x/other.py", line 1 in waits\n\n'
    'Current thread 0x00007f02 (most recent call first):\n  File "/x/net.py", line 3 in inner\n'
)
ABORTED = f"Fatal Python error: f: text\nPython runtime state: initialized\n\n{THREADS}"


@pytest.mark.parametrize("dump", [STACK, FATAL, THREADS, ABORTED])
@pytest.mark.parametrize("after", ["", "\nExtension modules: numpy.core (total: 1)\n"])
@pytest.mark.parametrize(
    "before", ["", "training ... ", "one\n", OLD + "\n", "Fatal Python error: mine\n\n" + OLD + "x"]
)
def test_the_last_dump_is_found_wherever_it_begins(before, dump, after):
    assert read_dump(before + dump + after) == ((Frame("/x/net.py", 3, "inner"),), before)


def test_output_without_a_dump_is_left_whole():
    assert read_dump("Stack overflow\n") == (None, "Stack overflow\n")


UNFINISHED_LINES = """\
import ctypes, os, sys
from annotest import arg, ints

def start():
    sys.stdout.write("training ... ")
    sys.stdout.flush()

@arg(n=ints(0, 9))
def hangs(n):
    start()
    while True: pass

@arg(n=ints(0, 9))
def dies(n):
    start()
    ctypes.string_at(0)

@arg(n=ints(0, 9))
def leaves(n):
    os.write(1, b'Stack (most recent call first):\\n  File "/etc/passwd", line 3 in x\\n')
    os._exit(3)

@arg(n=ints(0, 9))
def killed(n):
    os.write(1, b'Stack (most recent call first):\\n  File "/etc/passwd", line 3 in x\\n')
    os.kill(os.getpid(), 9)
"""


def test_output_without_a_final_newline_hides_no_line(project, tmp_path):
    folder = project(m=UNFINISHED_LINES)
    done = run_json("m.py", "--timeout", 1, "--max-examples", 3, cwd=folder, tmp_path=tmp_path)
    for name, line in {"hangs": 11, "dies": 16}.items():
        (finding,) = done.findings(name)
        assert finding["location"] == {"file": "m.py", "line": line}
        assert finding["output"] == "training ... "
    for name in ("leaves", "killed"):  # which dumps nothing: what looks so is its output
        (finding,) = done.findings(name)
        assert finding["location"] is None
        assert "/etc/passwd" in finding["output"]
