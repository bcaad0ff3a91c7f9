"""The identity of a finding: it lasts, or what a project has kept would be of no use."""

import pytest
from conftest import PROJECTS, run_json

# of each kind of failure, in tests/projects/fingerprints
PINNED = {
    ("deadly:<module>", "died"): "dd373d4540",
    ("kinds:raises", "exception"): "2da4db9820",
    ("kinds:leaves", "exit"): "7da2f652f9",
    ("kinds:ends", "died"): "2e69afb152",
    ("kinds:falls", "died"): "a7b4f6df29",
    ("kinds:hangs", "timeout"): "029cdc340d",
    ("kinds:prints", "output"): "1ec56bec4b",
    ("kinds:grows", "memory"): "07cd5dadbc",
    ("kinds:broken", "exception"): "48bce5c4f1",
    ("kinds:broken", "generator"): "a8385d6de4",
    ("kinds:Layer.__init__", "exception"): "09eea83d2e",
    ("unimportable:<module>", "import"): "0f33fe1b43",
}


@pytest.mark.slow
def test_a_finding_of_each_kind_keeps_its_id(tmp_path):
    limits = ("--max-memory", "300MB", "--max-output", "1MB", "--max-examples", 2)
    project = PROJECTS / "fingerprints"
    done = run_json(".", "--seed", 1, *limits, cwd=project, tmp_path=tmp_path)
    found = {_name(one): one["id"] for one in done.report["findings"]}
    assert found == PINNED


def _name(finding):
    target = finding["target"]
    return f"{target['module']}:{target['qualname']}", finding["kind"]
