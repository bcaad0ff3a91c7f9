"""`--device`: tensors and modules are put on a device, and what spoils it is a finding."""

import subprocess
import sys

import pytest
from conftest import annotest, run_json

torch = pytest.importorskip("torch", reason="torch is not installed")
needs_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")

# "meta" is a device that every torch has: its tensors have no elements
PROGRAM = """
import torch
from torch import nn
from annotest import arg, exclude, generator, ints, modes, objs, tensors


class Net(nn.Module):
    @arg(n=ints(1, 6))
    def __init__(self, n):
        super().__init__()
        self.n = n
        self.weight = nn.Parameter(torch.zeros(n))

    @arg(x=tensors("b self.n"))
    def forward(self, x):
        assert x.device.type == self.weight.device.type == WHERE
        assert self.training or len(x) < 3
        return x + self.weight

    @arg(x=tensors("b self.n", device="cpu"))
    def elsewhere(self, x):
        assert x.device.type == "cpu"


@generator
@exclude
@arg(net=objs(Net))
def wrapped(net):
    return nn.Sequential(net)


@arg(net=objs(wrapped), x=tensors((3000, 2)))
def of_generator(net, x):
    assert net[0].weight.device.type == WHERE
    assert x.device.type != WHERE
"""
ON_GPU = """

@arg(index=tensors("n", "int64", min=0, max=9))
def looked_up(index):
    assert len(index) != 7
    return torch.ones(5, device=index.device)[index]


@arg(x=tensors("n"))
def healthy(x):
    return (x * 2).cpu().numpy()


@arg(gigabytes=ints(1, 1000))
def large(gigabytes):
    return torch.empty(gigabytes << 30, dtype=torch.uint8, device="cuda")


@arg(x=tensors("n"))
def drawn(x):
    assert torch.rand(1, device=x.device).item() < 0.9
"""


def written(folder, where, more=""):
    (folder / "net.py").write_text(PROGRAM.replace("WHERE", repr(where)) + more)
    return folder


def run(folder, device, *words):
    words = ("net.py", "--seed", "1", "--device", device, *words)
    return run_json(*words, cwd=folder, tmp_path=folder)


def calls_of(done):
    return {
        found["target"]["qualname"]: found["call"].splitlines()[-1]
        for found in done.report["findings"]
    }


CALLS = {
    "Net.forward": "Net(n=1).to({device!r}).eval()(x=torch.zeros(3, 1).to({device!r}))",
    "of_generator": (
        "of_generator(net=wrapped(net=Net(n=1).to({device!r})), "
        "x=torch.zeros(3000, 2).to({device!r}))"
    ),
}


def test_tensors_and_modules_are_put_on_the_device_and_written_so(tmp_path):
    done = run(written(tmp_path, "meta"), "meta", "--max-examples", "30")
    assert calls_of(done) == {name: call.format(device="meta") for name, call in CALLS.items()}
    (found,) = done.findings("Net.forward")
    env = {"ANNOTEST_DATABASE": str(tmp_path / "kept")}
    again = annotest("replay", found["id"], "--device", "meta", cwd=tmp_path, env=env)
    assert (again.status, "STILL FAILING" in again.stdout) == (1, True), again.stdout
    elsewhere = annotest("replay", found["id"], cwd=tmp_path, env=env)
    assert "CHANGED" in elsewhere.stdout  # on the processor it fails otherwise


def test_a_check_puts_them_there_too(tmp_path):
    written(tmp_path, "meta")
    code = "import annotest, net; annotest.check(net.Net.elsewhere, device='meta', max_examples=9)"
    code += "; annotest.check(net.of_generator, device='meta', max_examples=9)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert ".to('meta')" in done.stderr, done.stderr


def test_a_device_that_is_not_there_is_told_in_one_line(tmp_path):
    done = annotest("run", "net.py", "--device", "warp", cwd=written(tmp_path, "warp"))
    assert done.status == 2
    assert done.stderr.startswith("annotest: --device warp: torch cannot use it here: RuntimeError")
    assert done.stderr.count("\n") == 1


# stands for a GPU: an assert in a kernel is told late, and nothing can be computed after it
SPOILT = """
import torch
from annotest import arg, ints

SPOILT = []


def synchronize():
    if SPOILT:
        raise RuntimeError("CUDA error: device-side assert triggered")


torch.cuda.is_initialized, torch.cuda.synchronize = SPOILT.__len__, synchronize


@arg(n=ints(0, 30))
def gathered(n):
    if n > 20:
        SPOILT.append(n)
    assert n != 7


@arg(n=ints(0, 1000))
def halved(n):
    if n % 2:
        SPOILT.append(n)
    assert n < 8
"""


def test_after_a_call_that_spoils_the_device_the_run_goes_on_in_a_new_process(tmp_path):
    (tmp_path / "net.py").write_text(SPOILT)
    done = run(tmp_path, "meta", "--workers", "1", "-v")
    last = {found["call"].splitlines()[-1]: found for found in done.findings("gathered")}
    assert last.keys() == {"gathered(n=21)", "gathered(n=7)"}, done.stdout
    assert last["gathered(n=21)"]["message"] == "CUDA error: device-side assert triggered"
    assert "a call has spoilt the device for the process of gathered" in done.stdout + done.stderr
    assert done.target("gathered")["inputs_run"] == 31


def test_what_spoils_the_device_while_another_input_is_made_smaller_costs_a_process(tmp_path):
    (tmp_path / "net.py").write_text(SPOILT)
    done = run(tmp_path, "meta", "-k", "halved")
    last = {found["call"].splitlines()[-1] for found in done.findings("halved")}
    assert last == {"halved(n=1)", "halved(n=8)"}, done.stdout
    assert "warning" not in done.stdout


@needs_gpu
def test_on_a_gpu_what_spoils_it_is_a_finding_and_the_run_goes_on(tmp_path):
    done = run(
        written(tmp_path, "cuda", ON_GPU), "cuda", "--max-examples", "60", "--max-time", "300"
    )
    # what is small is another test: to begin with a GPU takes most of the time for that
    assert all(".to('cuda')" in done.findings(name)[0]["call"] for name in CALLS)
    assert {name: done.target(name)["status"] for name in ("healthy", "Net.elsewhere")} == {
        "healthy": "passed",
        "Net.elsewhere": "passed",
    }
    said = {found["message"].partition("\n")[0] for found in done.findings("looked_up")}
    assert len(said) == 2 and any("device-side assert" in message for message in said), said
    (large,) = done.findings("large")
    assert large["exception"]["type"] == "torch.OutOfMemoryError"
    assert "torch.manual_seed" in done.findings("drawn")[0]["call"]
    assert large["verdict"] == "bug"
