"""Programs as people write them: right ones, without a finding, and wrong ones, with exactly theirs.

They lie in `projects/real_use`; a line with a bug says `# planted: TYPE`, or the kind of a bug that
is no exception. Each folder or file below `right` and `wrong` is a program of its own.
"""

import re
import shutil
from collections import Counter
from functools import cache

import pytest
from conftest import PROJECTS
from folders import annotest

REAL_USE = PROJECTS / "real_use"
PROGRAMS = 40  # functions and methods, at least, of each


def planted(side):
    """Return the lines with bugs: file, line and type."""
    bugs = Counter()
    for path in sorted((REAL_USE / side).rglob("*.py")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for kind in re.findall(r"# planted: ([\w.]+)", line):
                bugs[str(path.relative_to(REAL_USE / side)), number, kind] += 1
    return bugs


def place(finding):
    where = finding["location"] or finding["target"]
    what = finding["exception"]["type"] if finding["exception"] else finding["kind"]
    return where["file"], where["line"], what


@cache
def run_of(folder, side, seed):
    project = folder / f"{side}{seed}" / "project"
    shutil.copytree(REAL_USE / side, project)
    return annotest(project, "run", ".", "--seed", str(seed))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("real_use")


EXHAUSTIVE = pytest.mark.exhaustive


@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=EXHAUSTIVE) for n in (2, 3))])
@pytest.mark.parametrize("side", ["right", "wrong"])
def test_the_findings_are_the_bugs(folder, side, seed):
    done = run_of(folder, side, seed)
    assert Counter(map(place, done.record["findings"])) == planted(side)
    assert [each for each in done.record["mistakes"] if not each["warning"]] == []


def test_there_are_enough_programs(folder):
    assert planted("wrong").total() >= PROGRAMS
    assert len(run_of(folder, "right", 1).targets()) >= PROGRAMS
