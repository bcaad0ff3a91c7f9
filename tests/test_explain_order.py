"""`annotest explain` tells each choice in its place: what a step needs stands before it."""

import pytest
from in_process import steps_told

SOURCE = """\
from annotest import *


@arg(x=np_arrays("bool", (ints(1, 2), ints(1, 8), ints(1, 10), ints(1, 10))))
@arg(k=ints(1, 3), d=ints(1, 3))
@require("(k - 1) * d < x.shape[2]")
@require("(k - 1) * d < x.shape[3]")
def dilated(x, k, d): pass


@arg(x=np_arrays("bool", np_shapes(min_dims=3, max_dims=3, max_side=32)))
@arg(heads=ints(1, 8), head_dim=ints(1, 16))
@require("x.shape[-1] == heads * head_dim")
def attention(x, heads, head_dim): pass


@arg(x=np_arrays("bool", np_shapes(min_dims=3, max_dims=3, max_side=8)), n=ints(1, 50))
@require("x.shape[0] + x.shape[1] < n")
def alike(x, n): pass


@arg(sizes=tuples(ints(2, 9), ints(1, 9), ints(2, 9)), n=ints(1, 50))
@require("sum(sizes) < n")
def other_values(sizes, n): pass


@arg(sizes=tuples(ints(1, 9), ints(1, 9)), n=ints(1, 9))
@require("sizes[0] % n == 0 and sizes[1] % n == 0")
def apart(sizes, n): pass


@arg(sizes=int_lists(min_len=1, max_len=4, min=1, max=9), n=ints(1, 50), k=ints(1, 3))
@require("sum(sizes) < n")
@require("sizes[0] >= k")
def open_length(sizes, n, k): pass


@arg(tokens=np_arrays("int64", "t", min=0, max=50), table=np_arrays("float32", "n 4"))
@require("(tokens < table.shape[0]).all()")
@require("tokens.sum() % 2 < 2")
def embedded(tokens, table): pass


@arg(sizes=tuples(ints(1, 9), ints(1, 9)), n=anys(ints(1, 60), ints(1, 3)))
@require("sizes[1] != n and sizes[1] < 9")
def needs_later(sizes, n): pass
"""


@pytest.fixture(scope="module")
def steps(tmp_path_factory):
    """The steps of every target: name, values, conditions."""
    folder = tmp_path_factory.mktemp("ordered")
    (folder / "ordered_net.py").write_text(SOURCE)
    with pytest.MonkeyPatch.context() as monkeypatch:
        return steps_told("ordered_net", folder, monkeypatch)


def test_sides_with_other_values_are_told_one_by_one_each_in_its_place(steps):
    assert steps["dilated"][:-1] == [
        ("x.shape[0]", "1..2", []),
        ("k", "1..3", []),
        ("d", "1..3", []),
        ("x.shape[1]", "1..8", []),
        ("x.shape[2]", "1..10", ["(k - 1) * d < x.shape[2]"]),
        ("x.shape[3]", "1..10", ["(k - 1) * d < x.shape[3]"]),
    ]


def test_sides_with_the_same_values_are_told_together(steps):
    assert steps["attention"][:-1] == [
        ("len(x.shape)", "3", []),
        ("heads", "1..8", []),
        ("head_dim", "1..16", []),
        ("the items of x.shape", "1..32", ["x.shape[-1] == heads * head_dim"]),
    ]
    assert steps["alike"][:-1] == [
        ("len(x.shape)", "3", []),
        ("the items of x.shape", "1..8", []),
        ("n", "3..50", ["x.shape[0] + x.shape[1] < n"]),
    ]


def test_items_with_other_values_are_told_one_by_one(steps):
    assert sorted(step[:2] for step in steps["other_values"][:-2]) == [
        ("sizes[0]", "2..9"),
        ("sizes[1]", "1..9"),
        ("sizes[2]", "2..9"),
    ]


def test_items_that_something_stands_between_are_told_one_by_one(steps):
    assert steps["apart"][:-1] == [
        ("sizes[0]", "1..9", []),
        ("n", "1..9", ["sizes[0] % n == 0"]),
        ("sizes[1]", "1..9", ["sizes[1] % n == 0"]),
    ]


def test_items_of_a_list_of_open_length_are_told_together(steps):
    assert [step[0] for step in steps["open_length"]] == [
        "len(sizes)",
        "k",
        "the items of sizes",
        "n",
    ]


def test_what_elements_are_built_to_satisfy_is_told_at_their_array(steps):
    assert [(name, conditions) for name, _, conditions in steps["embedded"]] == [
        ("n", []),
        ("t", []),
        ("tokens", ["(tokens < table.shape[0]).all()"]),
        ("table", []),
    ]


def test_items_of_which_one_needs_what_comes_later_in_the_list_are_told_one_by_one(steps):
    assert [step[0] for step in steps["needs_later"][:-1]] == ["sizes[1]", "sizes[0]", "n"]
