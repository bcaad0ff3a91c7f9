"""Variables of relations: small values, of which there is one each."""

import copy
import pickle

import pytest

from annotest.relations.arguments.axes import Alternative, LeftOut, Present, is_sensible
from annotest.relations.solving.variables import (
    Branch,
    Computed,
    DtypeOf,
    Element,
    Group,
    Length,
    Member,
    Named,
    ShapeOf,
    SharedDtype,
    StandIn,
    Unnamed,
)

X = Named("x")
TOLD = {
    X: "x",
    Group("batch"): "*batch",
    StandIn(3): "item 3",
    Branch(7): "branch 7",
    Computed("self.units"): "given self.units",
    SharedDtype("T"): "dtype T",
    Member(X, 0): "x[0]",
    Member(X, "a"): "x['a']",
    Member(ShapeOf(X), 1): "x.shape[1]",
    Length(Unnamed(ShapeOf(X))): "len(x.shape.any)",
    DtypeOf(X): "x.dtype",
    Element(Member(X, 0)): "x[0][…]",
    Length(Member(X, 0)): "len(x[0])",
    LeftOut(X): "x left out",
    Present(Member(X, "a")): "x['a'] present",
    Alternative(X, 1): "x as alternative 1",
}


@pytest.mark.parametrize("variable", TOLD, ids=str)
def test_each_variable_is_told_in_its_own_way(variable):
    assert str(variable) == repr(variable) == TOLD[variable]


@pytest.mark.parametrize("variable", TOLD, ids=str)
def test_a_copy_of_a_variable_is_the_same_variable(variable):
    assert copy.deepcopy(variable) is variable
    assert pickle.loads(pickle.dumps(variable)) is variable


def test_variables_made_alike_are_the_same_one():
    assert Length(Member(Named("x"), 0)) is Length(Member(Named("x"), 0))
    assert Length(X) is not X


def test_keys_that_are_equal_but_of_other_types_are_told_apart():
    assert [str(Member(X, key)) for key in (1, True, 1.0)] == ["x[1]", "x[True]", "x[1.0]"]


def test_variables_are_compared_and_hashed_by_the_interpreter_alone():
    for variable in TOLD:
        assert type(variable).__eq__ is object.__eq__
        assert type(variable).__hash__ is object.__hash__


def test_the_path_of_a_variable_leads_to_it_from_the_argument():
    assert [str(step) for step in Length(Member(X, 0)).path()] == ["x", "x[0]", "len(x[0])"]


def test_a_way_that_differs_only_in_what_is_not_there_is_left_out():
    union, inner = X, Member(Alternative(X, 10), 0)
    assert is_sensible({union: 10, inner: 1})
    assert is_sensible({union: 1, inner: 0})
    assert not is_sensible({union: 1, inner: 1})
    assert not is_sensible({LeftOut(X): 1, union: 1})
    assert is_sensible({LeftOut(X): 1, union: 0, Named("y"): 1})
