"""What is reported is the smallest call that fails, and keeps all relations."""

import numpy as np
import pytest
from conftest import run_json
from smallest_cases import BOUNDED, NESTED, PLAIN, SCOPE, random_cases

pytestmark = pytest.mark.slow
HEAD = "import math\nimport numpy as np\nfrom annotest import *\n\n\n"
SHARE_FOUND, SHARE_LARGER = 0.975, 0.05


def reported(done, name):
    """Return the call of the one finding of a function, or None where the bug was not found."""
    if not done.findings(name):
        return None
    (finding,) = done.findings(name)
    return {key: eval(text, {"np": np}) for key, text in finding["inputs"].items()}


CASES = [
    pytest.param(PLAIN, 12, id="some plain"),
    pytest.param(NESTED, 6, id="some nested"),
    pytest.param(BOUNDED, 6, id="some bounded"),
    pytest.param(PLAIN, 205, id="plain", marks=pytest.mark.exhaustive),
    pytest.param(NESTED, 60, id="nested", marks=pytest.mark.exhaustive),
    pytest.param(BOUNDED, 60, id="bounded", marks=pytest.mark.exhaustive),
]


@pytest.mark.parametrize(("makers", "count"), CASES)
def test_random_bugs_are_shown_by_the_smallest_call_there_is(makers, count, project, tmp_path):
    cases = {f"f{number}": case for number, case in enumerate(random_cases(3, count, makers))}
    text = HEAD + "\n\n".join(case.source(name) for name, case in cases.items())
    folder = project(m=text)
    done = run_json("m.py", "--seed", 1, "--workers", 2, cwd=folder, tmp_path=tmp_path)
    calls = {name: reported(done, name) for name in cases}
    found = {name: call for name, call in calls.items() if call is not None}
    assert len(found) >= SHARE_FOUND * count, "too few of the bugs were found to say anything"
    assert all(cases[name].allows(call) for name, call in found.items())
    assert all(eval(cases[name].bug, SCOPE, call) for name, call in found.items())
    larger = {
        name: (call, cases[name].smallest)
        for name, call in found.items()
        if cases[name].measure(call) != cases[name].smallest
    }
    assert len(larger) <= SHARE_LARGER * len(found), larger
