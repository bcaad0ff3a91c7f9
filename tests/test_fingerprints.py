"""The identity of a finding: it lasts, or what a project has kept would be of no use."""

import pytest
from conftest import PROJECTS, run_json

from annotest import process
from annotest.engine.deaths import Death, fault_of
from annotest.facts import TargetInfo
from annotest.kinds import Kind
from annotest.oracles.crash import raised, unparsable
from annotest.oracles.project import Project
from annotest.process.limits import Limits

# of each kind of failure, in tests/projects/fingerprints
PINNED = {
    ("deadly:<module>", "died"): "dd373d4540",
    ("kinds:raises", "exception"): "2da4db9820",
    ("kinds:leaves", "exit"): "871c1877a4",
    ("kinds:ends", "died"): "2e69afb152",
    ("kinds:falls", "died"): "a7b4f6df29",
    ("kinds:hangs", "timeout"): "029cdc340d",
    ("kinds:prints", "output"): "1ec56bec4b",
    ("kinds:grows", "memory"): "07cd5dadbc",
    ("kinds:broken", "exception"): "48bce5c4f1",
    ("kinds:Layer.__init__", "exception"): "35b096940e",
    ("unimportable:<module>", "import"): "0f33fe1b43",
}


@pytest.mark.slow
def test_a_finding_of_each_kind_keeps_its_id(tmp_path):
    limits = ("--max-memory", "300MB", "--max-output", "1MB", "--max-examples", 2)
    project = PROJECTS / "fingerprints"
    done = run_json(".", "--seed", 1, *limits, cwd=project, tmp_path=tmp_path)
    found = {_name(finding): finding["id"] for finding in done.report["findings"]}
    assert found == PINNED


def _name(finding):
    target = finding["target"]
    return f"{target['module']}:{target['qualname']}", finding["kind"]


INFO = TargetInfo("net", "f", "function", "/p/net.py", 3)
PROJECT = Project(("/p",), "/p")
SIGKILLED, LEFT_WITH_7 = 9, 7 << 8


def death(phase, status=0, exceeded=None):
    return fault_of(Death(phase, status, exceeded, ""), INFO, PROJECT, Limits(), 60.0)


# what has no trace, or none in a file that could be read
WITHOUT_TRACE = [
    ("39c1e649c4", Kind.GENERATOR, death(process.BUILDING, exceeded=Kind.TIMEOUT)),
    ("39c1e649c4", Kind.GENERATOR, death(process.BUILDING, exceeded=Kind.OUTPUT)),
    ("f345ee2a71", Kind.GENERATOR, death(process.BUILDING, SIGKILLED)),
    ("7c004cef58", Kind.TIMEOUT, death(process.CALLING, exceeded=Kind.TIMEOUT)),
    ("7cb9d7e3ef", Kind.MEMORY, death(process.CALLING, exceeded=Kind.MEMORY)),
    ("15a0450b28", Kind.DIED, death(process.CALLING, SIGKILLED)),
    ("06831dd3b5", Kind.DIED, death(process.IDLE, LEFT_WITH_7)),
    ("82239b9e27", Kind.EXCEPTION, raised(ValueError("x"), Kind.EXCEPTION, INFO, PROJECT)),
    ("f23de0f604", Kind.IMPORT, raised(ValueError("x"), Kind.IMPORT, INFO, PROJECT)),
    ("5109626ada", Kind.SYNTAX, unparsable(INFO, "invalid syntax", "x =")),
]


@pytest.mark.parametrize(("fingerprint", "kind", "fault"), WITHOUT_TRACE)
def test_what_has_no_trace_keeps_its_id(fingerprint, kind, fault):
    assert (fault.fingerprint, fault.kind) == (fingerprint, kind)
    has_died = kind not in (Kind.EXCEPTION, Kind.IMPORT, Kind.SYNTAX)
    assert fault.died is has_died


class OutOfMemoryError(RuntimeError):
    """Says what other processes had taken, as torch's does."""


def test_what_other_processes_took_of_a_device_is_no_part_of_what_failed():
    keys = set()
    for said in ("Tried to allocate 2 GiB.", "Process 9 has 3 GiB. Tried to allocate 2 GiB."):
        error = OutOfMemoryError(said)
        keys.add(raised(error, Kind.EXCEPTION, INFO, PROJECT).fingerprint)
    assert len(keys) == 1
