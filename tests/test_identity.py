"""One bug, one finding: readable programs in `projects/identity`, each with several bugs.

A line with bugs says so: `# bugs: 2 ValueError, 1 KeyError`.
"""

import re
import shutil
from collections import Counter

import pytest
from conftest import PROJECTS
from folders import annotest

from annotest.oracles.messages import alike

IDENTITY = PROJECTS / "identity"
FILES = sorted(str(path.relative_to(IDENTITY)) for path in IDENTITY.rglob("*.py"))
PROGRAMS = 30  # functions and methods that fail, at least


def planted(file):
    """Return how many bugs each line of a file has, by type."""
    bugs = Counter()
    for number, line in enumerate((IDENTITY / file).read_text().splitlines(), 1):
        for count, kind in re.findall(r"(?:bugs:|,) (\d) ([\w.]+)", line):
            bugs[number, kind.rpartition(".")[2]] = int(count)  # NumPy has moved some
    return bugs


@pytest.fixture(
    scope="module", params=[1, *(pytest.param(s, marks=pytest.mark.exhaustive) for s in (2, 3))]
)
def done(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("identity") / "project"
    shutil.copytree(IDENTITY, folder)
    return annotest(folder, "run", ".", "--seed", str(request.param))


@pytest.mark.parametrize("file", FILES)
def test_the_findings_are_the_bugs(done, file):
    seen = Counter()
    for finding in done.findings(file):
        if finding["exception"]["type"] != "RecursionError":
            kind = finding["exception"]["type"].rpartition(".")[2]
            seen[finding["location"]["line"], kind] += 1
    assert seen == planted(file)


def test_a_circle_is_one_bug_wherever_it_ends(done):
    endless = [
        finding
        for finding in done.findings("recursion.py")
        if finding["exception"]["type"] == "RecursionError"
    ]
    assert len(endless) == 4


def test_one_bug_is_told_once_with_all_that_show_it(done):
    (ratio,) = [
        finding for finding in done.findings("wrappers.py") if finding["frames"][-1][2] == "_ratio"
    ]
    shown = {ratio["target"]["qualname"], *(name.partition(":")[2] for name in ratio["also_in"])}
    assert shown == {"once", "twice", "wrapped"}


def test_there_are_enough_programs(done):
    assert len([status for status in done.targets().values() if status == "failed"]) >= PROGRAMS


@pytest.mark.parametrize(
    ("message", "other"),
    [
        (
            "index 5 is out of bounds for axis 0 with size 3",
            "index 7 is out of bounds for axis 1 with size 6",
        ),
        ("shapes (2,3) and (4,) not aligned", "shapes (2, 3, 4) and (4, 1) not aligned"),
        ("got [1, 2] at 0x7f1", "got [1] at 0x9ab"),
        ("no 'alpha' in \"x y\"", "no 'b' in \"\""),
        ("loss is nan after 3e-05", "loss is -inf after 12"),
        ("expected float32, got float64", "expected float16, got float32"),
        ("expected Float but found Long", "expected Double but found Int"),
        ("got torch.Size([])", "got torch.Size([2, 3])"),
        ("got [[1 2]\n [3 4]]", "got [1 2]"),
        ("no ['a', 'b'] in {'c': 1}", "no [] in {}"),
        ("no {'a'} here", "no set() here"),
        ("got [[ True False]]", "got [None]"),
        ("cannot open /tmp/a1/x.pt", "cannot open /home/me/model-2.bin"),
        ("no b'x\\'y' here", 'no "it\'s" here'),
        ("checksum 9f86d081884c7d65", "checksum 1234567a"),
        ("sizes " + str([*range(300)]), "sizes " + str([*range(900)])[:400] + "…"),
    ],
)
def test_messages_that_differ_in_numbers_and_quoted_words_are_alike(message, other):
    assert alike(message) == alike(other)


@pytest.mark.parametrize(
    ("message", "other"),
    [
        ("can't be odd", "can't be even"),
        ("sequence too long", "sequence too short"),
        ("[1] is odd", "[1] is even"),
        ("Error in Net:\n  missing key", "Error in Net:\n  size mismatch"),
        ("<Pool object at 0x7f1>", "<Flip object at 0x7f1>"),
    ],
)
def test_messages_with_other_words_differ(message, other):
    assert alike(message) != alike(other)


def test_of_many_findings_on_one_line_a_few_are_made_smaller_and_shown(tmp_path):
    words = "WORDS = 'one two three four five six seven eight'.split()\n"
    text = (
        f"from annotest import *\n{words}\n\ndef fail(message):\n    raise ValueError(message)\n\n\n"
        "@arg(word=froms(WORDS), n=ints(0, 99))\ndef f(word, n):\n    fail(f'the {word} is wrong')\n"
    )
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "m.py").write_text(text)
    done = annotest(folder, "run", "m.py", "--seed", "1")
    findings = done.findings("m.py")
    assert len(findings) == 8 and done.record["summary"]["findings"] == 8
    assert sum("n=0)" in finding["call"] for finding in findings) >= 5
    assert done.output.count("── m:f, the same line ─") == 4
    assert "3 more findings on this line, not made smaller: see --json\n" in done.output
