"""Modules under test: called as their framework calls them, in train and in eval mode."""

import re
import subprocess
import sys

import numpy as np
import pytest
from conftest import annotest, run_json
from in_process import benches, steps_told

from annotest.frameworks import Framed
from annotest.plan.recipe import Applied, Made, build
from annotest.simplify import Form, Minimiser

pytest.importorskip("torch", reason="torch is not installed")

HEAD = """
import torch
from torch import nn
from annotest import arg, cc_example, ints, modes, objs, require, tensors


class Base(nn.Module):
    @arg(n=ints(1, 6))
    def __init__(self, n=2):
        super().__init__()
        self.n = n

"""
PROGRAM = (
    HEAD
    + '''
class Hooked(Base):
    """Fails in a hook, which runs where the module is called, and not where its forward is."""

    def __init__(self):
        super().__init__()
        self.register_forward_hook(self.hook)

    def hook(self, module, args, result):
        raise KeyError("in the hook")

    @arg(x=tensors("b 3"))
    def forward(self, x):
        return x

    @arg(x=tensors("b 3"))
    def other(self, x):
        return x


class Called(Base):
    """Is called in a way of its own, and not by its forward."""

    def __call__(self, x):
        raise RuntimeError("not the forward")

    @arg(x=tensors("b"))
    def forward(self, x):
        assert len(x) < 3


class InEval(Base):
    @arg(x=tensors("b self.n"))
    def forward(self, x):
        assert self.training or len(x) < 3


class InTrain(Base):
    @arg(x=tensors("b self.n"))
    def forward(self, x):
        assert not self.training


class InBoth(Base):
    @cc_example([4])
    def __init__(self, n):
        super().__init__(n)

    @arg(x=tensors("b self.n"))
    def forward(self, x):
        assert len(x) < 3


class Example(Base):
    @cc_example([4])
    def __init__(self, n):
        super().__init__(n)

    @arg(x=tensors("b init.n"))
    def forward(self, x):
        assert self.training


@modes("eval")
class OnlyEval(Base):
    @arg(x=tensors("b"))
    def forward(self, x):
        assert not self.training
        assert len(x) < 3

    @arg(x=tensors("b"))
    @modes("train")
    def measure(self, x):
        assert self.training
        assert len(x) < 3


class Later(OnlyEval):
    @arg(x=tensors("b"))
    def forward(self, x):
        assert not self.training


class Guarded(Base):
    @arg(x=tensors("b self.n"))
    @require("not self.training or b > 3")
    def forward(self, x):
        assert not self.training or len(x) > 3
        assert len(x) < 8


class Refusing(Base):
    @arg(x=tensors("b"))
    @require("not self.training")
    def forward(self, x):
        assert not self.training


class Broken(Base):
    def eval(self):
        raise OSError("no eval")

    @arg(x=tensors("b"))
    def forward(self, x):
        pass


@arg(net=objs(InEval))
def taken(net):
    assert net.training
'''
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("modules")
    (folder / "nets.py").write_text(PROGRAM)
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))
    sys.modules.pop("nets", None)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    return tmp_path_factory.mktemp("report")


@pytest.fixture(scope="module")
def done(folder, kept):
    words = ("nets.py", "--seed", "1", "--max-examples", "40", "--workers", "1")
    return run_json(*words, cwd=folder, tmp_path=kept)


def call_of(done, qualname):
    (found,) = done.findings(qualname)
    return found["call"].splitlines()[-1]


CALLS = {
    "Hooked.forward": "Hooked()(x=torch.zeros(1, 3))",
    "Called.forward": "Called().forward(x=torch.zeros(3))",
    "InEval.forward": "InEval().eval()(x=torch.zeros(3, 2))",
    "InTrain.forward": "InTrain()(x=torch.zeros(1, 2))",
    "InBoth.forward": "InBoth(n=4)(x=torch.zeros(3, 4))",
    "Example.forward": "Example(n=4).eval()(x=torch.zeros(1, 4))",
    "OnlyEval.forward": "OnlyEval().eval()(x=torch.zeros(3))",
    "OnlyEval.measure": "OnlyEval().measure(x=torch.zeros(3))",
    "Guarded.forward": "Guarded()(x=torch.zeros(8, 2))",
}


@pytest.mark.parametrize("qualname", CALLS)
def test_a_module_is_called_in_the_simplest_mode_that_fails(done, qualname):
    assert call_of(done, qualname) == CALLS[qualname]


@pytest.mark.parametrize("qualname", ["Later.forward", "Refusing.forward", "Hooked.other"])
def test_a_module_is_in_no_other_mode(done, qualname):
    assert done.target(qualname)["status"] == "passed"


def test_as_an_argument_a_module_is_as_it_was_made(done):
    assert done.target("taken")["status"] == "passed"


def test_what_depends_on_the_mode_is_built_and_not_filtered(done):
    assert done.target("Guarded.forward")["inputs_discarded"] == 0


def test_a_precondition_that_only_one_mode_meets_does_not_starve(done):
    assert done.target("Refusing.forward")["inputs_run"] == 40


@pytest.mark.parametrize(
    ("qualname", "mode"), [("InEval.forward", ""), ("OnlyEval.forward", "eval")]
)
def test_the_minimiser_brings_instances_into_the_simplest_mode_there_is(folder, qualname, mode):
    bench = next(each for _, name, each, _ in benches("nets", str(folder)) if name == qualname)
    plan, planner = bench.target.plan, bench.contents.planner
    made = Made(planner.plans[id(bench.target.owner)].factory, {"n": 4}, "eval")
    x = Applied(Framed("torch"), np.zeros((2, 4) if mode == "" else 2, "float32"))
    form = Form(plan, planner)
    new = Made(made.factory, made.values)
    assert form.fits({"self": new, "x": x}) == (mode == "")  # what is kept may be so no longer
    least = Minimiser(form, {"self": made, "x": x}, lambda recipes: True).run()
    assert (least["self"].mode, build(least["self"]).training) == (mode, mode == "")


def test_what_a_mode_method_raises_is_no_fault_of_the_method_under_test(done):
    (found,) = done.findings("Broken.eval")
    assert (found["message"], found["also_in"]) == ("no eval", ["nets:Broken.forward"])


def test_a_finding_can_be_run_again_in_its_mode(done, folder, kept):
    (found,) = done.findings("Example.forward")
    env = {"ANNOTEST_DATABASE": str(kept / "kept")}
    again = annotest("replay", found["id"], cwd=folder, env=env)
    assert "Example(n=4).eval()(x=torch.zeros(1, 4))" in again.stdout, again.stdout + again.stderr


def test_it_is_told_in_which_modes_instances_are(folder, monkeypatch):
    steps = steps_told("nets", folder, monkeypatch)
    told = {
        qualname: values
        for qualname, made in steps.items()
        for name, values, _ in made
        if name == "self"
    }
    assert told["InEval.forward"] == "an instance of InEval, new or after .eval()"
    assert told["OnlyEval.forward"] == "an instance of OnlyEval, after .eval()"
    assert told["OnlyEval.measure"] == "an instance of OnlyEval"


NORMED = """
class Normed(Base):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(3)
        self.norm_images = nn.BatchNorm2d(3)

    @arg(x=tensors("b 3"))
    def named(self, x):
        return self.norm(x)

    @arg(x=tensors("b 3"))
    @require("not self.training or b > 1")
    def excluded(self, x):
        return self.norm(x)

    @arg(x=tensors("n 3"), y=tensors("n 3"), n=ints(1, 8))
    def three(self, x, y, n):
        assert len(x) == len(y) == n
        return self.norm(x + y)

    @arg(x=tensors("b 3 h w"))
    def images(self, x):
        return self.norm_images(x)

    @arg(x=tensors("b 3 h w"))
    @require("not self.training or b * h * w > 1")
    def images_excluded(self, x):
        assert not self.training or len(x) > 1 or x.shape[2] > 1 or x.shape[3] > 1
        return self.norm_images(x)

    @arg(x=tensors("b 3 h w"), y=tensors("h"))
    def pooled(self, x, y):
        return self.norm(x.mean(dim=(2, 3)))

    @arg(x=tensors("b 3 h w"))
    def in_columns(self, x):
        return self.norm(x.sum(dim=2).transpose(1, 2).flatten(0, 1))

    @arg(x=tensors((ints(1, 8), 3)))
    def unnamed(self, x):
        return self.norm(x)

    @arg(x=tensors("b 3"))
    @require("b == 1")
    def always_one(self, x):
        return self.norm(x)

    @arg(x=tensors("b 3"))
    @modes("train")
    def in_train(self, x):
        return self.norm(x)

    @arg(x=tensors("b 3"))
    def in_both(self, x):
        assert len(x) > 1

    @arg(x=tensors("b 3"))
    def at_any_size(self, x):
        assert not self.training
"""
EXCLUDED_BY = {
    "named": '@require("not self.training or b > 1")',
    "three": '@require("not self.training or n > 1")',
    "images": '@require("not self.training or b * h * w > 1")',
    "pooled": '@require("not self.training or b > 1")',
    "in_columns": '@require("not self.training or b * w > 1")',
    "unnamed": None,
    "always_one": None,
    "in_train": None,
    "in_both": None,
    "at_any_size": None,
}


@pytest.fixture(scope="module")
def normed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("normed")
    (folder / "normed.py").write_text(HEAD + NORMED)
    words = ("normed.py", "--seed", "1", "--max-examples", "40", "--workers", "1")
    return run_json(*words, cwd=folder, tmp_path=folder)


@pytest.mark.parametrize("name", EXCLUDED_BY)
def test_the_line_is_told_that_excludes_one_in_train_mode_where_probes_agree(normed, name):
    (found,) = normed.findings(f"Normed.{name}")
    assert found["excluded_by"] == EXCLUDED_BY[name]


@pytest.mark.parametrize("name", ["excluded", "images_excluded"])
def test_with_the_line_that_is_told_there_is_no_finding(normed, name):
    target = normed.target(f"Normed.{name}")
    assert (target["status"], target["inputs_discarded"] < 5) == ("passed", True)


def test_the_line_is_shown_where_the_finding_is(normed):
    said = "passes in eval mode, and where a side is 2 instead of 1: if such an input is not valid, add "
    assert f'\n{said}@require("not self.training or b > 1")\n' in normed.stdout


MISTAKES = """
class Plain:
    @modes("eval")
    @arg(n=ints())
    def method(self, n):
        pass


@modes("train")
@arg(n=ints())
def function(n):
    pass


class Misspelt(Base):
    @arg(n=ints())
    @modes("evil")
    def forward(self, n):
        pass


@modes("frozen")
class OfClass(Base):
    @arg(n=ints())
    def forward(self, n):
        pass


class Made(Base):
    @modes("eval")
    @arg(n=ints())
    def __init__(self, n):
        super().__init__(n)


class Twice(Base):
    @modes("eval")
    @modes("train")
    @arg(n=ints())
    def forward(self, n):
        pass


class Empty(Base):
    @modes()
    @arg(n=ints())
    def forward(self, n):
        pass


class Wrong(Base):
    @modes(True)
    @arg(n=ints())
    def forward(self, n):
        pass
"""
TOLD = """
@modes("eval"): Plain has no modes: it is no module of a framework
    leave it out
@modes("train"): function is called on no instance that could be in a mode
    put it on a method, or on the class
@modes("evil"): Misspelt has no mode 'evil'. Did you mean 'eval'?
    its modes are: train, eval
@modes("frozen"): OfClass has no mode 'frozen'.
    its modes are: train, eval
@modes("eval"): Made.__init__ is called on no instance that could be in a mode
    put it on a method, or on the class
@modes("train"): Twice.forward has two @modes annotations
    keep one
@modes(): @modes() names no mode
    write @modes("train", "eval")
@modes(True): @modes(True) expects the names of modes as text, got bool
    write @modes("eval")
"""


def test_wrong_modes_are_told_with_what_to_do(tmp_path):
    (tmp_path / "wrong.py").write_text(HEAD + MISTAKES)
    done = run_json("wrong.py", "--max-examples", "5", cwd=tmp_path, tmp_path=tmp_path)
    said = (
        f"{wrong['annotation']}: {wrong['reason']}\n    {wrong['remedy']}\n"
        for wrong in done.report["mistakes"]
        if not wrong["warning"]
    )
    assert "".join(said) == TOLD.lstrip()


GENERATED = """
@given(
    instance=st.one_of(instances_of_Hooked(), instances_of_Hooked().map(Hooked.eval)),
    x=related_arguments_of_Hooked_forward(),
)
def test_Hooked_forward(instance, x):
    instance(x=x)
"""


def test_generated_tests_call_modules_in_their_modes(folder, tmp_path):
    made = annotest("generate", "nets.py", "--out", tmp_path, cwd=folder)
    assert made.status == 0, made.stderr
    text = (tmp_path / "test_nets.py").read_text()
    assert GENERATED in text
    assert "instance=instances_of_OnlyEval().map(OnlyEval.eval)" in text
    some = "Hooked_forward or Called_forward or InEval or OnlyEval"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", tmp_path, "-k", some]
    ran = subprocess.run(command, capture_output=True, text=True)
    failed = re.findall(r"^FAILED .*::test_(\w+)", ran.stdout, re.MULTILINE)
    assert failed == [
        "Hooked_forward",
        "Called_forward",
        "InEval_forward",
        "OnlyEval_forward",
        "OnlyEval_measure",
    ]
    assert "InEval().eval()(" in ran.stdout  # of a call that is drawn as a whole
