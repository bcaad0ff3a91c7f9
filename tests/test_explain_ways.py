"""`annotest explain` of calls that can be made in several ways, and of those that are refused."""

import json

from conftest import annotest
from in_process import steps_told

SOURCE = """\
from annotest import *


@arg(x=anys(ints(2, 5), floats(0, 1)), k=anys(None, ints(0, 5)), n=ints(0, 5))
@require("x <= n and (k is None or k < n)")
def union(x, k, n): pass


@arg(a=anys(ints(1, 5), int_lists(max_len=3, min=1, max=9), None), n=ints(1, 20))
@require("not isinstance(a, list) or len(a) < n")
def mixed(a, n): pass


@arg(c=dicts({"a": ints(1, 4), "b?": ints(0, 9)}), n=ints(0, 9))
@require("'b' not in c or c['b'] < n")
def options(c, n): pass


def in_order(*numbers):
    steps = [two - one for one, two in zip(numbers, numbers[1:])]
    return 0.51 < min(steps) < 0.99


@arg(x=np_arrays("bool", "d"), a=floats(0, 1), b=floats(0, 1))
@require("in_order(a, b)")
@require("x.size > 0")
def opaque(x, a, b): pass
"""


def test_all_alternatives_are_shown(project, monkeypatch):
    steps = steps_told("alternatives", project(alternatives=SOURCE), monkeypatch)
    assert {name: values for name, values, _ in steps["union"]} == {
        "k": "None or 0..4",
        "x": "2..5 or 0 to 1",
        "n": "0..5",
    }
    assert [name for name, _, conditions in steps["union"] if conditions] == ["k", "n"]
    assert [(name, values) for name, values, _ in steps["mixed"]] == [
        ("len(a)", "1..3"),
        ("a", "anys(ints(min=1, max=5), int_lists(max_len=3, min=1, max=9), None)"),
        ("n", "1..20"),
    ]
    assert [name for name, _, _ in steps["options"]] == ["c['a']", "c['b']", "n", "c"]


def test_what_misses_values_is_a_filter(project, tmp_path):
    file = tmp_path / "explained.json"
    done = annotest("explain", "net.py:opaque", "--json", file, cwd=project(net=SOURCE))
    assert done.status == 0, done.stdout + done.stderr
    (opaque,) = json.loads(file.read_text())["targets"]
    order = next(asked for asked in opaque["preconditions"] if "in_order" in asked["text"])
    assert [asked["how"] for asked in opaque["preconditions"] if asked is not order] == ["built"]
    assert order["how"] == "filtered"
    assert opaque["inputs_discarded"] == order["asked"] - order["held"] > 0


OF_DTYPES = """\
from annotest import *


@arg(a=np_arrays(froms(["int8", "float32"]), "n"))
@require("a.dtype.kind == 'f' and n > 2")
def f(a): pass
"""


def test_what_is_said_of_a_dtype_is_shown_as_it_is_written(project):
    shown = annotest("explain", "f", cwd=project(net=OF_DTYPES)).stdout
    assert "such that a.dtype.kind == 'f'\n" in shown


NESTED = """\
from annotest import *


@arg(rows=lists(tuples(ints(0, 4), lists(ints(0, 9), max_len=4)), min_len=1, max_len=3))
@require("all(len(items) == n for n, items in rows)")
def rows(rows): pass


@arg(steps=lists(dicts({"low": ints(0, 9), "high": ints(0, 9)}), min_len=1, max_len=3))
@require("all(one['low'] < one['high'] for one in steps)")
def steps(steps): pass
"""


def test_the_items_of_a_list_and_what_is_inside_them_are_one_choice(project, monkeypatch):
    steps = steps_told("nested_items", project(nested_items=NESTED), monkeypatch)
    assert steps["rows"][:2] == [
        ("len(rows)", "1..3", []),
        ("len of the items of rows", "0..4", []),
    ]
    low, high = steps["steps"][1:3]
    assert low == ("['low'] of the items of steps", "0..9", [])
    assert high[:2] == ("['high'] of the items of steps", "0..9")
    assert high[2][0].startswith("all(")


BESIDE_DRAWN = """\
from annotest import *


@arg(names=lists(strs(min_len=1), min_len=1, max_len=7, unique=True), ids=int_lists(max_len=8))
@require("len(names) == len(ids) - 1")
def built(names, ids): pass


@arg(names=lists(strs(min_len=1), max_len=3, unique=True))
@require("len(names) < 4")
def by_chance(names): pass
"""


def test_a_length_chosen_for_what_is_drawn_is_built_and_every_filter_has_its_rate(project):
    done = annotest("explain", "built or chance", "net.py", cwd=project(net=BESIDE_DRAWN))
    assert '  built     @require("len(names) == len(ids) - 1")\n' in done.stdout
    filtered = '  filtered  @require("len(names) < 4"): held for 200 of 200 inputs (100%)\n'
    assert filtered in done.stdout


def test_a_length_that_an_instance_gives_is_built(project):
    text = """\
from annotest import *


class Layer:
    @arg(n=ints(1, 4))
    def __init__(self, n):
        self.n = n

    @arg(sizes=int_lists(max_len=6))
    @require("len(sizes) <= self.n")
    def run(self, sizes): pass
"""
    screen = annotest("explain", "Layer.run", "m.py", cwd=project(m=text)).stdout
    assert '  built     @require("len(sizes) <= self.n")\n' in screen
