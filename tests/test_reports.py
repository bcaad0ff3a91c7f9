"""The screens, as a person sees them."""

import json
import os
import re
from dataclasses import replace
from io import StringIO

import jsonschema
import pytest
from conftest import annotest

from annotest import triage
from annotest.events import FailureFound, RunStarted, TargetFinished
from annotest.facts import Fault, Frame, TargetInfo, TargetResult
from annotest.kinds import Kind
from annotest.reports.console import Console
from annotest.reports.findings import footnote, trace_lines
from annotest.reports.json import finding_record, schema
from annotest.reports.listing import print_listing
from annotest.triage import Report

PROJECT = """\
import json
from annotest import *

@arg(text=strs(alphabet='{}', min_len=1, max_len=2), depth=ints(1, 3))
def parse(text, depth=1):
    return json.loads(text)

@arg(n=strs(alphabet='a', max_len=5))
@require("'b' in n")
def never(n): pass

def unannotated(size, rate: float): pass

@arg(n=ints(0, 5))
def fine(n): pass
"""

RUN_SCREEN = """\
1 ── net:parse ─────────────────────────────────────────────────────────────────────────── net.py:6
json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)

    from net import parse
    parse(text='}')

  net.py:6 in parse
      return json.loads(text)
  … 3 frames in Python's own library
  finding ID · after SECONDS

2 ── net:parse, the same line ──────────────────────────────────────────────────────────── net.py:6
json.decoder.JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)

    from net import parse
    parse(text='{')

  net.py:6 in parse
      return json.loads(text)
  … 3 frames in Python's own library
  finding ID · after SECONDS

starved net.py:8: never: 0 of 6 inputs were valid; @require("'b' in n") held for 0 of 6

3 targets · 30 inputs run · 6 invalid discarded · 1 starved · 0 blocked · 0 skipped · 2 findings · SECONDS · seed 5
"""

LIST_SCREEN = """\
net.py
      4  net:parse  function
             text: strs(alphabet='{}', min_len=1, max_len=2)
             depth: ints(min=1, max=3)
      8  net:never  function
             n: strs(alphabet='a', max_len=5)
             @require("'b' in n")
     14  net:fine  function
             n: ints(min=0, max=5)

not testable
net.py
     12  net:unannotated: no annotation for 'size', 'rate'
             add @arg(size=…), @arg(rate=floats(…))

3 targets · 1 not testable
"""


@pytest.fixture
def folder(project):
    return project(net=PROJECT)


def stable(text):
    text = re.sub(r"finding [0-9a-f]{10}", "finding ID", text)
    return re.sub(r"\d+\.\d s", "SECONDS", text)


def test_the_screen_of_a_run(folder):
    done = annotest("run", "net.py", "--seed", 5, cwd=folder)
    assert stable(done.stdout) == RUN_SCREEN
    assert done.stderr == "net.py: 3 targets\n"


def test_the_screen_of_a_listing(folder):
    done = annotest("list", "net.py", cwd=folder)
    assert done.stdout == LIST_SCREEN


DIMS = """\
from annotest import *
@dims(h=ints(4, 9), w=froms([8, 16]))
@arg(x=np_arrays("uint8", "h w"))
@require("h < w")
def f(x): pass
"""
DIMS_SCREEN = """\
m.py
      2  m:f  function
             x: np_arrays(dtype='uint8', shape='h w')
             @dims(h=ints(min=4, max=9), w=froms([8, 16]))
             @require("h < w")

1 target · 0 not testable
"""


def test_a_listing_shows_the_values_of_dimensions(project):
    assert annotest("list", "m.py", cwd=project(m=DIMS)).stdout == DIMS_SCREEN


def test_a_listing_styles_each_line_and_writes_no_control_codes():
    info = TargetInfo("m", "f", "function", "m.py", 2, preconditions=("a <\n\tb\x07",))
    report = Report()
    report.take(TargetFinished(TargetResult(info, "listed")))
    screen = StringIO()
    print_listing(Console(file=screen, force_terminal=True, color_system="standard"), report)
    assert screen.getvalue().splitlines()[:5] == [
        "\x1b[1mm.py\x1b[0m",
        "      2  m:f\x1b[2m  function\x1b[0m",
        "\x1b[2m             a <\x1b[0m",
        "\x1b[2m        b\\x07\x1b[0m",
        "",
    ]


def test_of_a_long_constraint_a_listing_shows_the_beginning(project):
    text = "from annotest import *\n@arg(n=froms([*range(10**4)]))\ndef f(n): pass\n"
    screen = annotest("list", "m.py", cwd=project(m=text)).stdout
    (line,) = [line for line in screen.splitlines() if " n: " in line]
    assert line.startswith("             n: froms([0, 1, 2, ") and line.endswith("…")
    assert len(line) < 1100


def test_library_frames_are_folded_and_the_users_own_are_shown(tmp_path):
    own = Frame(str(tmp_path / "net.py"), 1, "f")
    (tmp_path / "net.py").write_text("numpy.dot(a, b)\n")
    library = Frame("/x/site-packages/numpy/core.py", 3, "dot")
    lines = trace_lines([own, library, library, own])
    assert lines[1:3] == ["    numpy.dot(a, b)", "… 2 frames in numpy"]
    assert len(lines) == 5


RECURSIVE = """\
import copy
from annotest import *

class Node:
    def __deepcopy__(self, memo):
        return copy.deepcopy([Node()])

@arg(n=ints(0, 9))
def visit(n):
    return even(n) if n else copy.deepcopy(Node())

def even(n):
    return odd(n + 1)

def odd(n):
    return even(n + 1)
"""
CIRCLES = """\
1 ── m:visit ─────────────────────────────────────────────────────────────────────────────── m.py:6
RecursionError: MESSAGE

    from m import visit
    visit(n=0)

  m.py:10 in visit
      return even(n) if n else copy.deepcopy(Node())
  … 1 frame in Python's own library
  m.py:6 in __deepcopy__
      return copy.deepcopy([Node()])
  … 3 frames in Python's own library
  … the last 4 frames repeat TIMES more times
  finding ID · after SECONDS

2 ── m:visit ────────────────────────────────────────────────────────────────────────────── m.py:13
RecursionError: MESSAGE

    from m import visit
    visit(n=1)

  m.py:10 in visit
      return even(n) if n else copy.deepcopy(Node())
  m.py:13 in even
      return odd(n + 1)
  m.py:16 in odd
      return even(n + 1)
  … the last 2 frames repeat TIMES more times
  finding ID · after SECONDS

"""


def without_depth(screen):
    """Return a screen without what depends on how deep Python lets calls be."""
    screen = re.sub(r"RecursionError: .*", "RecursionError: MESSAGE", stable(screen))
    screen = re.sub(r"repeat [\d,]+ more", "repeat TIMES more", screen)
    # which line of the circle comes last, and what is left of its last round
    screen = re.sub(r"(TIMES more times\n)(?:  (?!finding).*\n)+", r"\1", screen)
    return re.sub(r"m\.py:1[36]\n", "m.py:13\n", screen)


def test_calls_that_go_round_in_a_circle_are_shown_once_in_a_run_and_in_replay(project):
    done = annotest("run", "m.py", "--seed", 1, "--json", "m.json", cwd=project(m=RECURSIVE))
    report, _ = without_depth(done.stdout).split("1 target ·")
    assert report == CIRCLES
    findings = json.loads((project() / "m.json").read_text())["findings"]
    assert min(len(finding["frames"]) for finding in findings) > 500  # programs get them all
    replayed = annotest("replay", findings[1]["id"], cwd=project()).stdout
    assert "frames repeat TIMES more times" in without_depth(replayed)
    assert replayed.count("\n") < 25


FOLDED = {
    "aab": "aab",
    "aaab": "a+1*2 b",
    "ababab": "ab+2*2",
    "xaabaabaaby": "x aab+3*2 y",
    "aaabaaabaaab": "aaab+4*2",
    "abababa": "ab+2*2 a",
}


@pytest.mark.parametrize("steps", FOLDED)
def test_circles_of_any_length_are_folded(steps):
    lines = trace_lines(Frame(f"/none/{name}.py", 1, name) for name in steps)
    shown = "".join(_short(line) for line in lines)
    assert shown == FOLDED[steps].replace(" ", "")


def _short(line):
    match = re.match(r"… the last (?:(\d+) frames repeat|frame repeats) (\d+) more times?", line)
    return f"+{match[1] or 1}*{match[2]}" if match else line[-1]


def test_a_long_trace_without_circles_is_cut_in_the_middle():
    lines = trace_lines(Frame(os.path.abspath("m.py"), n * n, "f") for n in range(1000))
    assert len(lines) == 31
    assert lines[14:17] == [
        "m.py:196 in f",
        "… 970 more frames",
        "m.py:970225 in f",
    ]


def test_paths_in_json_are_relative_however_far_away(project, tmp_path):
    folder = project(m="from annotest import *\n@arg(n=ints())\ndef f(n): raise ValueError\n")
    far = tmp_path / "a" / "b" / "c" / "d"
    far.mkdir(parents=True)
    file = far / "report.json"
    annotest("run", folder / "m.py", "--json", file, cwd=far)
    (finding,) = json.loads(file.read_text())["findings"]
    assert finding["location"]["file"] == "../../../../m.py"
    assert finding["frames"][-1][0] == finding["target"]["file"] == "../../../../m.py"


def test_a_dead_childs_last_words_are_shown(project):
    text = (
        "import os\nfrom annotest import *\n@arg(n=ints(0, 3))\n"
        "def f(n):\n    os.write(2, b'out of luck')\n    os._exit(9)\n"
    )
    done = annotest("run", "m.py", cwd=project(m=text))
    assert "the process exited with status 9 during the call" in done.stdout
    assert "out of luck" in done.stdout


def test_json_of_list_names_targets_and_what_is_not_testable(folder, tmp_path):
    file = tmp_path / "list.json"
    done = annotest("list", "net.py", "--json", file, cwd=folder)
    record = json.loads(file.read_text())
    jsonschema.validate(record, schema())
    assert [target["qualname"] for target in record["targets"]] == ["parse", "never", "fine"]
    assert {target["status"] for target in record["targets"]} == {"listed"}
    assert record["not_testable"][0]["add"] == "@arg(size=…), @arg(rate=floats(…))"
    assert done.status == 0


def test_json_goes_to_a_device_and_through_a_link_which_stay_what_they_are(tmp_path):
    (tmp_path / "m.py").write_text("from annotest import *\n@arg(n=ints(1, 2))\ndef f(n): pass\n")
    (tmp_path / "link.json").symlink_to("real.json")
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    for name in ("link.json", "pipe"):
        assert annotest("run", "m.py", "--json", name, "--no-database", cwd=tmp_path).status == 0
    through_pipe = os.read(reader, 1 << 20).decode()
    os.close(reader)
    assert (tmp_path / "link.json").is_symlink() and (tmp_path / "pipe").is_fifo()
    for text in (through_pipe, (tmp_path / "real.json").read_text()):
        assert json.loads(text)["exit_status"] == 0


def test_a_finding_is_told_with_the_time_when_it_was_first_seen(monkeypatch):
    now = 100.0
    monkeypatch.setattr(triage, "monotonic", lambda: now)
    info = TargetInfo("m", "f", "function", "m.py", 2)
    failure = Fault(info, Kind.EXCEPTION, "crash", "id", "ValueError").on("m:f", "f(n=7)")
    report = Report()
    report.take(RunStarted(1, 1))
    for seconds, seen_in, final in [(3.5, "m:g", False), (4.0, "m:f", False), (9.0, "m:f", True)]:
        now = 100.0 + seconds
        report.take(FailureFound(replace(failure, seen_in=seen_in, final=final)))
    (finding,) = report.findings
    assert finding.failure.final
    assert footnote(finding) == "finding id · after 3.5 s · also in m:g"
    assert finding_record(finding)["seconds_to_find"] == 3.5


def test_the_result_can_be_written_to_a_pipe_by_its_path(tmp_path):
    (tmp_path / "m.py").write_text("from annotest import *\n@arg(n=ints())\ndef f(n): pass\n")
    done = annotest("list", "m.py", "--json", "/dev/stdout", cwd=tmp_path)
    assert (done.status, done.stderr) == (0, "")
    record, _ = json.JSONDecoder().raw_decode(done.stdout[done.stdout.index("{") :])
    assert [target["qualname"] for target in record["targets"]] == ["f"]
