"""What is suspicious where nobody has promised otherwise: shown apart, silenced, or a finding."""

import json

import pytest
from conftest import annotest, run_json

from annotest import InvalidAnnotation, ensure
from annotest.kinds import Status, Verdict

pytest.importorskip("torch", reason="torch is not installed")

FEW = """
import numpy as np
from annotest import *

@arg(x=np_arrays("float32", "b c"))
def norm(x):
    return {"y": x / x.sum()}

@arg(x=np_arrays("float32", "b c"))
def wide(x):
    return x.astype("float64") * 2

@arg(xs=lists(ints(0, 9), max_len=5))
def largest(xs):
    xs.sort()
    return xs[-1:]

@arg(options=dicts({"a": ints(0, 3)}), rows=lists(np_arrays("int64", "2"), max_len=2))
def popped(options, rows):
    for row in rows:
        row += 1
    return options.pop("a")
"""
ODD = f"""{FEW}
import torch

@arg(x=tensors("b c"))
def relu(x):
    x[x < 0] = 0
    return x

@arg(x=tensors("b c"))
def moved(x):
    return x.new_empty(3, device="meta")
"""

SHOWN = """\
suspicious m.py:5: norm: finite: result['y'][0, 0] is nan; 4 of 4 elements are not finite; its inputs are neither tiny nor huge
        @ensure(finite) makes it a finding, @ensure(except_="finite") silences it
        import numpy as np
        from m import norm
        norm(x=np.full((2, 2), 0.0, dtype='float32'))
suspicious m.py:9: wide: same_dtype: result is float64, float32 expected, as in x; nobody asked for another dtype
        @ensure(same_dtype) makes it a finding, @ensure(except_="same_dtype") silences it
        import numpy as np
        from m import wide
        wide(x=np.array([[0.0]], dtype='float32'))
suspicious m.py:13: largest: pure: xs was [1, 0] and is [0, 1]; a function that changes its arguments has a name that ends in _
        @ensure(pure) makes it a finding, @ensure(except_="pure") silences it
        from m import largest
        largest(xs=[1, 0])
suspicious m.py:18: popped: pure: options was {'a': 0} and is {}; a function that changes its arguments has a name that ends in _
        @ensure(pure) makes it a finding, @ensure(except_="pure") silences it
        from m import popped
        popped(options={'a': 0}, rows=[])
suspicious m.py:26: relu: pure: x[0, 0] was -1.0 and is 0.0; a function that changes its arguments has a name that ends in _
        @ensure(pure) makes it a finding, @ensure(except_="pure") silences it
        import torch
        from m import relu
        relu(x=torch.tensor([[-1.0]]))
suspicious m.py:31: moved: same_device: result is on meta, cpu expected, as in x; nobody asked for another device
        @ensure(same_device) makes it a finding, @ensure(except_="same_device") silences it
        import torch
        from m import moved
        moved(x=torch.zeros(1, 1))
"""


def told(done):
    """Return what is suspicious, by target and oracle."""
    asides = done.report["asides"]
    assert {aside["verdict"] for aside in asides} <= {Verdict.SUSPICIOUS}
    return [(aside["target"]["qualname"], aside["oracle"]) for aside in asides]


def test_each_is_shown_once_with_its_smallest_call_and_what_to_write(project, tmp_path):
    words = "m.py", "--seed", 1, "--max-examples", 60
    done = run_json(*words, cwd=project(m=ODD), tmp_path=tmp_path)
    assert SHOWN in done.stdout
    assert done.status == 0
    assert done.report["findings"] == []
    assert {each["status"] for each in done.report["targets"]} == {Status.PASSED}
    assert min(each["inputs_run"] for each in done.report["targets"]) > 50
    assert done.report["summary"][Verdict.SUSPICIOUS] == 6
    assert "· 6 suspicious · 0 findings ·" in done.stdout
    assert not list((tmp_path / "kept").glob("findings/*.json"))


SETTINGS = [
    ('["finite!", "pure"]', 1, [("norm", "finite")], ["pure", "pure"]),
    ("[]", 0, [], []),
    ('["same_dtype"]', 0, [], ["same_dtype"]),
]


@pytest.mark.parametrize(("names", "status", "findings", "asides"), SETTINGS)
def test_the_configuration_says_what_is_heard_and_what_makes_findings(
    project, tmp_path, names, status, findings, asides
):
    folder = project(m=FEW)
    (folder / "pyproject.toml").write_text(f"[tool.annotest]\nsuspicious = {names}\n")
    done = run_json("m.py", "--seed", 1, "--max-examples", 60, cwd=folder, tmp_path=tmp_path)
    assert done.status == status
    found = [(each["target"]["qualname"], each["oracle"]) for each in done.report["findings"]]
    assert found == findings
    assert [oracle for _, oracle in told(done)] == asides
    for finding in done.report["findings"]:
        words = "replay", finding["id"], "--database", tmp_path / "kept"
        assert annotest(*words, cwd=folder).stdout.startswith("STILL FAILING")


def test_a_name_that_judges_nothing_is_refused(project):
    folder = project(m=FEW)
    (folder / "pyproject.toml").write_text('[tool.annotest]\nsuspicious = ["finit!"]\n')
    done = annotest("run", "m.py", cwd=folder)
    assert done.status == 2
    assert done.stderr.partition("suspicious: ")[2] == (
        "'finit' judges nothing by default. Did you mean 'finite'? There are finite, same_dtype, "
        'same_device and pure. Write suspicious = ["finite"] to hear that one alone\n'
    )
    with pytest.raises(InvalidAnnotation) as caught:
        ensure(except_=("pur",))
    assert str(caught.value) == (
        "@ensure(except_=('pur',)): 'pur' judges nothing by default. Did you mean 'pure'? There are "
        "finite, same_dtype, same_device and pure"
    )


QUIET = """
import numpy as np
import torch
from annotest import *
from annotest.oracles import register

X = arg(x=tensors("b c"))
N = arg(x=np_arrays("float32", "b c"))

@X
@ensure(except_="pure")
def silenced(x):
    x[x < 0] = 0
    return x

@N
@ensure(no_nan)
def promised(x):
    return 1 / x

@N
@ensure("in_range(result['y'], -1e9, 1e9) or True")
def promised_in_text(x):
    return {"y": x / x.sum()}

@ensure(except_=("pure", "finite"))
class Silenced:
    @arg(k=ints(0, 3))
    def __init__(self, k): self.k = k

    @X
    def both(self, x):
        x[:] = 0
        return x / x

@X
def relu_(x):
    x[x < 0] = 0
    return x

@X
def fill(x):
    x[:] = 0
    return x

@X
def no_result(x):
    x[:] = 0

@arg(x=tensors("b c"), out=tensors("b c"))
def into(x, out):
    out[:] = x
    return out

@arg(x=tensors("b c"), inplace=bools())
def clipped(x, inplace):
    return x.clamp_(0) if inplace else x.clamp(0)

@arg(x=np_arrays("int64", "300 300"))
def large(x):
    x[0, 0] = 3
    return x

@X
def same_again(x):
    return x.add_(0)

@X
def items(x):
    x[:] = 0
    yield x / x

@arg(x=tensors("b c", dtype="float16"))
def widened(x):
    return x.float()

@arg(x=tensors("b c"))
def as_double(x):
    return x.double()

@arg(x=tensors("b c"), dtype=froms([torch.float64]))
def converted(x, dtype):
    return x.to(dtype)

@arg(x=tensors("b c"), kind=froms(["float64"]))
def told_by_a_name(x, kind):
    return x.to(getattr(torch, kind))

@arg(x=tensors("b c"), y=tensors("b c", dtype="float64"))
def mixed(x, y):
    return x + y

@N
def total(x):
    return np.float64(x.sum(dtype="float64") * 0), x > 0, x.argmax()

class Weighed:
    @arg(k=ints(1, 3))
    def __init__(self, k): self.weights = {"w": [np.ones(k)]}

    @N
    def times(self, x): return x * self.weights["w"][0][0] + self.weights["w"][0].sum(keepdims=True)

class Scaled:
    @arg(k=floats())
    def __init__(self, k): self.k = k

    @arg(x=np_arrays("float32", "n"))
    def times(self, x): return x * (self.k if abs(self.k) > 1e3 else 1)

@arg(n=ints(1, 4))
def causal(n):
    return torch.full((n, n), -torch.inf).triu(1)

@arg(x=tensors("n n"))
def logarithms(x):
    return x.abs().log()

@arg(x=tensors("n"), mask=masks("n"))
def attended(x, mask):
    return torch.softmax(x.masked_fill(mask, -torch.inf), -1)

@arg(x=tensors("n"), weight=tensors("n", min=0, max=1))
def mean(x, weight):
    return (x * weight).sum() / weight.sum()

@arg(x=tensors("n"), k=ints())
def powers(x, k):
    return x * float(k) ** 9

@arg(x=tensors("n"), fill=froms([float("inf")]))
def filled(x, fill):
    return x + fill

@arg(x=tensors("n"))
def left_at_default(x, fill=float("nan")):
    return x + fill

@arg(x=floats())
def huge(x):
    return x * 1e300

def by_guess(x: float = 0.0):
    return float("nan")
"""


@pytest.mark.parametrize("inputs", [60, pytest.param(200, marks=pytest.mark.exhaustive)])
def test_nothing_is_said_where_it_is_promised_silenced_or_done_on_purpose(
    project, tmp_path, inputs
):
    words = "m.py", "--seed", 1, "--max-examples", inputs
    done = run_json(*words, cwd=project(m=QUIET), tmp_path=tmp_path)
    assert told(done) == []
    assert done.report["findings"] == []
    assert done.status == 0


MANY = """
from annotest import *

@arg(n=ints(0, 10**6), x=floats(0, 1))
def always(n, x):
    return float("nan")

@arg(n=ints(0, 10**6), x=floats(0, 1))
def raises_too(n, x):
    if n > 100:
        raise ValueError("n")
    return float("inf")
"""


def test_it_ends_no_search_and_no_run_and_keeps_no_finding_away(project, tmp_path):
    args = ("m.py", "--seed", 1, "--fail-fast", "--workers", 1)
    done = run_json(*args, cwd=project(m=MANY), tmp_path=tmp_path)
    assert done.target("always")["inputs_run"] > 100
    (finding,) = done.report["findings"]
    assert finding["message"] == "n"
    assert ("always", "finite") in told(done)


def test_beyond_the_annotations_nothing_is_suspicious(project, tmp_path):
    code = """
from annotest import *

@arg(n=ints(1, 9), x=floats(0, 1))
def ratio(n, x):
    return x if n else float("nan")
"""
    args = ("m.py", "--seed", 1, "--beyond")
    done = run_json(*args, cwd=project(m=code), tmp_path=tmp_path)
    assert done.report["asides"] == []


def test_what_is_fixed_and_suspicious_still_is_fixed(project, monkeypatch):
    monkeypatch.delenv("ANNOTEST_DATABASE")
    code = "from annotest import *\n\n@arg(x=floats(0, 9))\ndef f(x):\n    raise ValueError(x)\n"
    folder = project(m=code)
    annotest("run", "m.py", "--seed", 1, cwd=folder)
    (file,) = folder.glob(".annotest/findings/*.json")
    (folder / "m.py").write_text(code.replace("raise ValueError(x)", "return float('nan')"))
    done = annotest("replay", json.loads(file.read_text())["id"], cwd=folder)
    assert done.stdout.startswith("FIXED")
