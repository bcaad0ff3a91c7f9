"""The first thing a torch user writes: arrays made tensors by `map`, on a module's `forward`."""

import re
import subprocess
import sys

import folders
import pytest

pytestmark = pytest.mark.frameworks

NET = """
import torch
from torch import nn
from annotest import arg, ints, lists, np_arrays, require


class Head(nn.Module):
    @arg(d=ints(1, 8), classes=ints(1, 5))
    def __init__(self, d, classes):
        super().__init__()
        self.d = d
        self.linear = nn.Linear(d, classes)

    @arg(x=np_arrays("float32", "b self.d", min=-1, max=1).map(torch.from_numpy))
    def forward(self, x):
        y = self.linear(x)
        return y.view(3, -1, 7) if x.shape[0] > 3 and self.d > 2 else y

    @arg(xs=lists(np_arrays("float32", "b self.linear.in_features").map(torch.tensor), min_len=1))
    def joined(self, xs):
        return torch.cat([self.linear(x) for x in xs]).reshape(len(xs), -1)

    @arg(x=np_arrays("float32", "b init.d", min=-1, max=1).map(torch.as_tensor))
    @require("init.classes > 1")
    def last(self, x):
        return self.linear(x)[:, 4]


class Plain(nn.Module):
    @arg(x=np_arrays("float32", "b 3").map(torch.from_numpy))
    def forward(self, x):
        return x.sum()


class Forwards(Head):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)

    @arg(x=np_arrays("float32", "b init.d").map(torch.from_numpy))
    def twice(self, x):
        return self.linear(self.linear(x))
"""
# whichever end of the elements or sizes was tried first may stay in the call
_ELEMENTS = r"x={}\(np\.(array|full)\(.*(0|1)\.0.*, dtype='float32'\)\)\)"
CALLS = {
    "Head.forward": r"import numpy as np\nimport torch\nfrom net import Head\n"
    r"torch\.manual_seed\(0\)\nHead\(d=3, classes=1\)\(" + _ELEMENTS.format(r"torch\.from_numpy"),
    "Head.last": r"import numpy as np\nimport torch\nfrom net import Head\n"
    r"torch\.manual_seed\(0\)\nHead\(d=1, classes=2\)\.last\("
    + _ELEMENTS.format(r"torch\.as_tensor"),
    "Forwards.twice": r"import numpy as np\nimport torch\nfrom net import Forwards\n"
    r"torch\.manual_seed\(0\)\nForwards\(d=[12], classes=[12]\)\.twice\("
    + _ELEMENTS.format(r"torch\.from_numpy"),
}
OUTSIDE = """
import torch
from annotest import annotate, arg, dims, ints, np_arrays, require

annotate("torch.nn:Conv2d.__init__", arg(in_channels=ints(1, 4), out_channels=ints(1, 4)),
         arg(kernel_size=ints(1, 3), groups=ints(1, 2)),
         require("in_channels % groups == 0 and out_channels % groups == 0"))
annotate("torch.nn:Conv2d.forward",
         arg(input=np_arrays("float32", "n init.in_channels h w").map(torch.from_numpy)),
         require("h >= init.kernel_size and w >= init.kernel_size"))
annotate(torch.nn.functional.unfold,
         arg(input=np_arrays("float32", "n c h w").map(torch.from_numpy), kernel_size=ints(1, 3)))
"""


@pytest.fixture(scope="module")
def torch_project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("torch") / "project"
    return folders.write(folder, {"net.py": NET, "checks.py": OUTSIDE})


def test_calls_of_modules_are_shrunk_and_can_be_pasted(torch_project):
    done = folders.annotest(torch_project, "run", "net.py", "--seed", "1")
    calls = {found["target"]["qualname"]: found["call"] for found in done.record["findings"]}
    assert calls.keys() == CALLS.keys(), done.output
    assert all(re.fullmatch(CALLS[name], call) for name, call in calls.items()), done.output
    for found in done.record["findings"]:
        pasted = [sys.executable, "-c", found["call"]]
        end = subprocess.run(pasted, cwd=torch_project, capture_output=True, text=True, check=False)
        assert found["exception"]["type"] in end.stderr.splitlines()[-1]


def test_a_library_is_annotated_by_the_names_of_its_documentation(torch_project):
    done = folders.annotest(torch_project, "run", "checks.py", "--seed", "1")
    calls = [found["call"].splitlines()[-1] for found in done.record["findings"]]
    assert len(done.targets()) == 3 and done.record["mistakes"] == [], done.output
    assert [call.partition("(")[0] for call in calls] == ["unfold"], done.output
