"""Values without source: how a report writes them, and `annotest.value`, which builds them again."""

import ast
import dataclasses
import importlib
import os
import subprocess
import sys

import pytest
from conftest import run_json

import annotest
from annotest.discovery.discover import discover
from annotest.engine.child.calling import written_call
from annotest.engine.child.rounds import simplest
from annotest.errors import UsageError
from annotest.plan.rebuilding import ValueText
from annotest.plan.strategy import Interpreter, Tally

PROGRAM = """
import dataclasses
import functools
from typing import NamedTuple

import numpy as np
from annotest import *


class Box:
    def __init__(self, content):
        self.content = content


class Pair(NamedTuple):
    left: object
    right: object


@dataclasses.dataclass
class Batch:
    items: list
    size: int = 3


@dataclasses.dataclass
class Doubled:
    size: int

    def __post_init__(self):
        self.size *= 2


def adding(number):
    return lambda other: other + number


@generator
@exclude
@arg(step=froms([adding(1), adding(2)]), count=ints(0, 5))
def steps(step, count):
    return [step] * count


def said(value):
    raise RuntimeError(repr(value))


@arg(box=froms([Box(1), Box(2)]))
def listed(box):
    said(box.content)


@arg(boxes=lists(anys(froms([Box(5)]), 3), len=2))
def in_a_list(boxes):
    said([box.content for box in boxes])


@arg(pair=ints(2, 9).map(lambda n: Pair(n, [Batch([n])])))
def record(pair):
    said(pair)


@arg(doubled=ints(2, 9).map(Doubled).map(lambda made: made))
def changed_by_its_constructor(doubled):
    said(doubled)


@arg(x=np_arrays("float32", (80, 80), min=1, max=2).map(lambda x: np.cumsum(x)))
def large(x):
    said(x.shape)


@arg(calls=objs(steps))
def made(calls):
    said(len(calls))


class Layer:
    @arg(step=froms([adding(7)]), box=froms([Box(4)]))
    def __init__(self, step, box):
        self.number = step(box.content)

    @arg(n=ints(1, 3))
    def forward(self, n):
        said(self.number + n)


@arg("box, count", tuples(froms([Box(6)]), ints(2, 3)))
def together(box, count):
    said((box.content, count))


def late_boxes():
    return [Box(9), Box(10)]


@arg(box=froms(late_boxes))
def listed_late(box):
    said(box.content)


@arg(options=froms(lambda: [{"box": Box(11), "n": 1}]))
def listed_late_in_a_dict(options):
    said(options["box"].content)


MARKS = []


def marks():
    MARKS[:] = MARKS or [object(), print]
    return MARKS


@arg(mark=lists(anys(froms(marks), 3), len=2))
def a_mark(mark):
    said(len(mark))


@arg(box=froms(late_boxes).map(lambda box: box))
def made_of_what_is_listed_late(box):
    said(box.content)
"""
OUTSIDE = """
import annotest
from boxes import Box
annotest.annotate("plain:opened", annotest.arg(box=annotest.froms([Box(8)])))
"""
CALLS = {
    "listed": "listed(box=annotest.value('boxes:listed(box) …'))",
    "in_a_list": (
        "in_a_list(boxes=[annotest.value('boxes:in_a_list(boxes) …'), "
        "annotest.value('boxes:in_a_list(boxes) …')])"
    ),
    "record": "record(pair=Pair(left=2, right=[Batch(items=[2], size=3)]))",
    "changed_by_its_constructor": (
        "changed_by_its_constructor(doubled=annotest.value("
        "'boxes:changed_by_its_constructor(doubled) …'))"
    ),
    "large": "large(x=annotest.value('boxes:large(x) …'))",
    "made": "made(calls=steps(step=annotest.value('boxes:made(calls) …'), count=0))",
    "Layer.forward": (
        "Layer(step=annotest.value('boxes:Layer.forward(self) …'), "
        "box=annotest.value('boxes:Layer.forward(self) …')).forward(n=1)"
    ),
    "together": "together(box=annotest.value('boxes:together(box, count) …'), count=2)",
    "listed_late": "listed_late(box=annotest.value('boxes:listed_late(box) …'))",
    "listed_late_in_a_dict": (
        "listed_late_in_a_dict(options=annotest.value('boxes:listed_late_in_a_dict(options) …'))"
    ),
    "a_mark": (
        "a_mark(mark=[annotest.value('boxes:a_mark(mark) …'), "
        "annotest.value('boxes:a_mark(mark) …')])"
    ),
    "made_of_what_is_listed_late": (
        "made_of_what_is_listed_late(box=annotest.value("
        "'boxes:made_of_what_is_listed_late(box) …'))"
    ),
    "opened": "opened(box=annotest.value('plain:opened(box) of outside …'))",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("values")
    (made / "boxes.py").write_text(PROGRAM)
    (made / "outside.py").write_text(OUTSIDE)
    (made / "plain.py").write_text("from boxes import said\n\ndef opened(box): said(box.content)\n")
    sys.path.insert(0, str(made))
    yield made
    sys.path.remove(str(made))
    for name in ("boxes", "outside", "plain"):
        sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def written(folder):
    """Return the simplest call of each target as a report writes it, and its error."""
    calls = {}
    for name in ("boxes", "outside"):
        contents = discover(importlib.import_module(name), name, False, frozenset())
        for target in (target for target in contents.targets if target.info.qualname in CALLS):
            drawing = Interpreter(contents.planner, Tally())
            recipes = simplest(drawing.recipes(target.plan, lambda: None, lambda: None))
            calls[target.info.qualname] = written_call(target, recipes)
    return calls


def without_recipes(call):
    """Return the last statement of a call on one line, without what stands for recipes."""

    class Shortened(ast.NodeTransformer):
        def visit_Constant(self, node):
            said = ValueText.read(node.value) if type(node.value) is str else None
            return (
                node if said is None else ast.Constant(str(dataclasses.replace(said, packed="…")))
            )

    return ast.unparse(Shortened().visit(ast.parse(call).body[-1]))


@pytest.mark.parametrize("name", CALLS)
def test_what_has_no_source_is_written_as_a_value_and_all_else_as_source(name, written):
    assert without_recipes(written[name]) == CALLS[name]


RAISED = {
    "listed": "1",
    "in_a_list": "[5, 5]",
    "record": "Pair(left=2, right=[Batch(items=[2], size=3)])",
    "changed_by_its_constructor": "Doubled(size=4)",
    "large": "(6400,)",
    "made": "0",
    "Layer.forward": "12",
    "together": "(6, 2)",
    "listed_late": "9",
    "listed_late_in_a_dict": "11",
    "a_mark": "2",
    "made_of_what_is_listed_late": "9",
    "opened": "8",
}


def test_a_call_with_values_fails_the_same_way_in_a_session_of_python(written, folder):
    program = [f"CALLS = {list(written.values())!r}", "for call in CALLS:"]
    program += ["    try: exec(call, {})", "    except RuntimeError as error: print(error)"]
    env = {**os.environ, "PYTHONPATH": str(folder)}
    command = [sys.executable, "-c", "\n".join(program)]
    ran = subprocess.run(command, env=env, cwd="/", capture_output=True, text=True)
    assert ran.stdout.splitlines() == [RAISED[name] for name in written], ran.stderr


def text_of(call):
    return call.partition("value('")[2].partition("'")[0]


def lost(reason):
    return f"annotest.value cannot build 'box' of {reason}"


def test_a_value_that_cannot_be_built_is_told(written):
    text = text_of(written["listed"])
    wrong = {
        "Box(3)": "annotest.value is given what a report writes in it, and this is not it",
        text.replace("boxes:", "crates:"): lost(
            "crates:listed: crates cannot be imported here: No module named 'crates'"
        ),
        text.replace("listed", "closed"): lost("boxes:closed: boxes has no such target any more"),
        text[:-3]: lost("boxes:listed: its annotations have changed since (the text is damaged)"),
    }
    for text, message in wrong.items():
        with pytest.raises(UsageError) as raised:
            annotest.value(text)
        assert str(raised.value) == message


def test_annotations_that_have_changed_are_told(written, folder):
    source = PROGRAM.replace("froms([Box(1), Box(2)])", "ints(0, 3).map(Box)")
    (folder / "boxes_later.py").write_text(source)
    importlib.invalidate_caches()
    text = text_of(written["listed"]).replace("boxes:", "boxes_later:")
    with pytest.raises(UsageError) as raised:
        annotest.value(text)
    assert str(raised.value) == lost(
        "boxes_later:listed: its annotations have changed since (Box is not where it was)"
    )


@pytest.mark.slow
def test_the_call_of_a_finding_has_values_and_its_inputs_say_what_they_are(folder, tmp_path):
    done = run_json("boxes.py::listed", cwd=folder, tmp_path=tmp_path)
    (finding,) = done.findings("listed")
    assert without_recipes(finding["call"]) == CALLS["listed"]
    assert finding["inputs"]["box"].startswith("<boxes.Box object at ")
