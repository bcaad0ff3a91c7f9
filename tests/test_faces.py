"""What others ask of a constraint: every constraint answers, and every structure has its places."""

import ast
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis.errors import Unsatisfiable

import annotest
from annotest import (
    anys,
    bools,
    floats,
    froms,
    int_lists,
    ints,
    lists,
    np_arrays,
    np_shapes,
    strs,
    tuples,
)
from annotest.constraints import REGISTRY
from annotest.constraints._structure import STRUCTURES
from annotest.relations.arguments.items import MAKING, ItemMaker
from annotest.relations.arguments.making import Maker
from annotest.signature import suggestion
from annotest.simplify.fitting import CHECKING
from annotest.simplify.slots import FINDING
from annotest.testing import cases, strategy_of

SOURCE = Path(annotest.__file__).parent
EACH = pytest.mark.parametrize("case", cases(), ids=lambda case: repr(case.constraint)[:60])


@pytest.mark.parametrize("table", [FINDING, CHECKING, MAKING], ids=["slots", "fits", "nodes"])
def test_every_structure_has_its_place_in_every_table(table):
    assert set(table) == set(STRUCTURES)


def test_the_table_of_nodes_names_methods():
    for name in MAKING.values():
        assert callable(getattr(ItemMaker, name))
        assert callable(getattr(Maker, name))


@EACH
def test_the_structure_of_a_constraint_is_one_of_the_table(case):
    assert type(case.constraint.structure) in STRUCTURES


@EACH
def test_the_parts_of_a_value_satisfy_their_constraints(case):
    for value in case.valid:
        for key, inner, item in case.constraint.parts(value):
            assert item in inner
            assert value[key] is item or value[key] == item


@EACH
def test_the_simplest_value_is_a_value(case):
    simplest = case.constraint.simplest()
    assert simplest is None or simplest in case.constraint


@EACH
def test_special_values_are_values(case):
    assert all(value in case.constraint for value in case.constraint.special_values())


@pytest.mark.parametrize("width", [16, 32, 64])
def test_the_edges_of_a_number_format_are_special(width):
    special = floats(width=width).special_values()
    edges = np.finfo(f"float{width}")
    for edge in (edges.smallest_subnormal, edges.smallest_normal, edges.max, 1 + edges.eps):
        assert float(edge) in special


@EACH
def test_what_lies_beyond_is_no_value(case):
    for outside in case.constraint.beyond() if case.constraint.decides() else ():
        try:
            simplest = find(strategy_of(outside.strategy()), lambda value: True)
        except Unsatisfiable:
            continue  # as of no elements among which one is 1
        assert simplest not in case.constraint


@pytest.mark.parametrize(
    ("constraint", "outside"),
    [
        (ints(1, 64), "0, 65"),
        (ints(1), "0"),
        (ints(3, 3), ""),
        (ints(), ""),
        (ints(8, 64, multiple_of=8), "0, 72"),
        (floats(0, 1, exclude_min=True), "0.0, 2.0"),
        (lists(bools(), min_len=2), "[], [False]"),
        (int_lists(), "[]"),
        (int_lists(len=3), ""),
        (strs(min_len=3), "''"),
        (tuples(bools(), ints(1, 2)), "(False, 0), (False, 3)"),
        (anys(None, ints(1, 3), ints(4, 9)), "0, 10"),
        (np_arrays("int8", (2, ints(1, 4))), "(2, 0), (2, 5)"),
        (np_arrays("int8", np_shapes(min_dims=2)), "(0, 0), (1,)"),
        (ints(1, 3).map(str), "'0', '4'"),
        (froms([1, 2]), ""),
    ],
    ids=str,
)
def test_just_outside(constraint, outside):
    values = [
        find(strategy_of(each.strategy()), lambda value: True) for each in constraint.beyond()
    ]
    assert ", ".join(repr(getattr(value, "shape", value)) for value in values) == outside


@EACH
def test_what_is_drawn_has_the_type_that_the_constraint_names(case):
    kind = case.constraint.kind
    if kind in (None, object):
        return

    @settings(max_examples=10, database=None, suppress_health_check=list(HealthCheck))
    @given(strategy_of(case.constraint.strategy()))
    def has_that_type(value):
        assert type(value) is kind

    has_that_type()


@EACH
def test_what_is_simpler_is_a_value_and_has_less_that_is_simpler(case):
    constraint = case.constraint
    for value in case.valid:
        simpler = list(constraint.simpler(value))
        assert all(other in constraint for other in simpler)
        assert all(len(list(constraint.simpler(other))) < len(simpler) for other in simpler)


HINTS = {
    "int": "ints(…)",
    "builtins.float": "floats(…)",
    "bool": "bools()",
    "str": "strs(…)",
    "list[int]": "lists(…)",
    "tuple": "tuples(…)",
    "set": "sets(…)",
    "dict[str, int]": "dicts(…)",
    "complex": "complexes(…)",
    "np.ndarray": "np_arrays(…)",
    "object": "…",
    "": "…",
}


@pytest.mark.parametrize("hint", HINTS)
def test_the_constraint_of_a_type_is_suggested_for_its_hint(hint):
    assert suggestion("x", hint) == f"@arg(x={HINTS[hint]})"


def test_no_layer_below_the_constraints_asks_for_their_classes():
    """A constraint that is not ours is served as well as ours are."""
    layers = (
        "simplify",
        "plan",
        "signature",
        "hints",
        "discovery",
        "relations",
        "decorators.py",
    )
    names = {*REGISTRY, *(cls.__name__ for cls in REGISTRY.values())} - {"map"}
    files = (file for layer in layers for file in [SOURCE / layer, *(SOURCE / layer).rglob("*.py")])
    for path in (file for file in files if file.suffix == ".py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance":
                asked = {one.id for one in ast.walk(node.args[1]) if isinstance(one, ast.Name)}
                assert not asked & names, f"{path.name}:{node.lineno}"
