"""What preconditions and late choices call may end or hang the process that reads annotations."""

import pytest
from conftest import annotest, run_json

HEAD = """
import ctypes, os, sys, time
from annotest import *


@arg(n=ints(0, 50))
def other(n):
    if n > 3:
        raise ValueError
"""

FAULTS = [
    "os._exit(4)",
    "ctypes.string_at(0)",
    pytest.param("forever()", marks=pytest.mark.slow),
]
FAULTY = """

def forever():
    while True:
        time.sleep(1)


forever = exclude(forever)


@arg(n=ints(0, 50))
@require(lambda n: n < 48 or {fault})
def faulty(n):
    pass
"""


@pytest.mark.parametrize("fault", FAULTS)
def test_a_precondition_that_ends_the_process_is_a_finding_with_its_input(project, tmp_path, fault):
    folder = project(m=HEAD + FAULTY.format(fault=fault))
    done = run_json("m.py", "--seed", "1", "--timeout", "1", cwd=folder, tmp_path=tmp_path)
    calls = {finding["target"]["qualname"]: finding["call"] for finding in done.report["findings"]}
    assert calls["other"].endswith("other(n=4)")
    assert calls["faulty"].endswith("faulty(n=48)")
    assert done.target("faulty")["inputs_run"] > 0


def test_a_precondition_that_leaves_is_a_mistake(project, tmp_path):
    folder = project(m=HEAD + FAULTY.format(fault="sys.exit(0)"))
    done = run_json("m.py", "--seed", "1", cwd=folder, tmp_path=tmp_path)
    (mistake,) = {mistake["reason"].partition(" for ")[0] for mistake in done.report["mistakes"]}
    assert mistake == "it raises SystemExit: 0"
    assert done.target("other")["status"] == "failed"


LATE = """

def values():
    {fault}


def few():
    return [1, 2, 3]


values = exclude(values)


@arg(n=froms(values))
def from_values(n):
    pass


@arg(n=froms(few))
def from_few(n):
    assert n < 3
"""


@pytest.mark.parametrize(
    "fault", ["os._exit(4)", pytest.param("time.sleep(1000)", marks=pytest.mark.exhaustive)]
)
def test_late_choices_that_end_the_process_are_a_mistake_of_their_own(project, tmp_path, fault):
    folder = project(m=HEAD + LATE.format(fault=fault))
    done = run_json("m.py", "--timeout", "1", cwd=folder, tmp_path=tmp_path)
    (mistake,) = done.report["mistakes"]
    assert mistake["reason"].startswith("froms(values) cannot be used: a function that it calls")
    assert {finding["target"]["qualname"] for finding in done.report["findings"]} == {
        "other",
        "from_few",
    }
    assert "froms(values) cannot be used" in annotest("list", "m.py", cwd=folder).stdout


ATTRIBUTE = """

class Table:
    @arg(n=ints(0, 50))
    def __init__(self, n):
        self.n = n

    @property
    def size(self):
        if self.n > 20:
            ctypes.string_at(0)
        return 3

    @arg(k=ints(0, 9))
    @require("k < self.size")
    def row(self, k):
        if k == 2:
            raise ValueError
"""


@pytest.mark.slow
def test_a_death_in_what_a_precondition_reads_has_its_input(project, tmp_path):
    folder = project(m=HEAD + ATTRIBUTE)
    done = run_json("m.py", "-k", "row", "--seed", "1", cwd=folder, tmp_path=tmp_path)
    calls = {finding["call"].splitlines()[-1] for finding in done.report["findings"]}
    assert calls == {"Table(n=21).row(k=0)", "Table(n=0).row(k=2)"}


SIDE = """

class Table:
    @arg(n=ints(21, 50))
    def __init__(self, n):
        self.n = n

    @property
    def size(self):
        {fault}

    @arg(x=int_lists(len="self.size"))
    def row(self, x):
        pass
"""


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("os._exit(4)", "the process exited with status 4 while the input was built"),
        pytest.param(
            "time.sleep(1000)",
            "building the input took longer than 1 s",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_death_in_what_a_shape_reads_has_its_object(project, tmp_path, fault, message):
    folder = project(m=HEAD + SIDE.format(fault=fault))
    options = ("-k", "row", "--seed", "1", "--timeout", "1")
    (found,) = run_json("m.py", *options, cwd=folder, tmp_path=tmp_path).report["findings"]
    assert found["message"] == message
    table = found["inputs"]["self"]
    assert found["call"].splitlines() == ["from m import Table", f"self = {table}", "self.size"]
