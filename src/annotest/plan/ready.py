"""Calls that are ready to be made, shown as Python that can be pasted."""

from __future__ import annotations

import functools
import sys
from typing import Any

from annotest.expr import Attribute, Expr, Ref
from annotest.plan.lazy import finish
from annotest.plan.recipe import DIMENSIONS, bind
from annotest.plan.steps import Plan
from annotest.plan.written import recipe_tree, split_groups, whole_call
from annotest.signature import POSITIONAL_ONLY, VAR_POSITIONAL
from annotest.source import Names, loose_layout, named

# what a failing example has room for, behind `inputs=`
WIDTH, MOST_LINES = 80, 40


def is_passed_by_name(plan: Plan) -> bool:
    """Say whether every argument that a plan draws can be passed as a keyword."""
    if plan.factory.calls_result:
        return False
    drawn = {name for draw in plan.draws for name in draw.names}
    by_place = {p.name for p in plan.parameters if p.kind in (POSITIONAL_ONLY, VAR_POSITIONAL)}
    return plan.self_name not in drawn and not drawn & by_place


class Written:
    """A call as Python, written when somebody looks at it; `owner` is the class that it is on."""

    def __init__(self, plan: Plan, recipes: dict[str, Any], owner: Any) -> None:
        self._plan = plan
        self._recipes = recipes
        self._owner = owner

    def __str__(self) -> str:
        kept = {key: recipe for key, recipe in self._recipes.items() if key != DIMENSIONS}
        values = split_groups(self._plan.factory.groups, kept)
        callee = self._callee(values)
        values.pop(self._plan.self_name, None)
        call = whole_call(callee, self._plan.factory, values)
        text = loose_layout(call, Names(), WIDTH)
        # an array of many numbers is better one long line than a screen of short ones
        return text if text.count("\n") < MOST_LINES else loose_layout(call, Names(), sys.maxsize)

    def _callee(self, values: dict[str, Any]) -> Expr:
        function = self._plan.factory.function
        if self._plan.self_name in values:
            instance = recipe_tree(values[self._plan.self_name])
            is_called = self._plan.calls_instance
            return instance if is_called else Attribute(instance, function.__name__)
        if self._owner is not None:
            owner = named(self._owner) or Ref(self._owner.__module__, self._owner.__qualname__)
            return Attribute(owner, function.__name__)
        return named(function) or Ref(function.__module__, _name_of(function))


def _name_of(function: Any) -> str:
    """Return what a function is called; a partial object has only the name of what it calls."""
    while isinstance(function, functools.partial):
        function = function.func
    return str(getattr(function, "__qualname__", type(function).__name__))


class _Shown:
    """What Hypothesis and people are shown as a call."""

    _written: Written

    def __repr__(self) -> str:
        return str(self._written)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))


class Inputs(_Shown, dict[str, Any]):
    """The keyword arguments of a call, shown as that call."""

    def __init__(self, values: dict[str, Any], written: Written) -> None:
        super().__init__(values)
        self._written = written


class ReadyCall(_Shown):
    """A call with all its arguments; `first` are those before the ones of the plan."""

    def __init__(
        self, plan: Plan, values: dict[str, Any], first: tuple[Any, ...], written: Written
    ) -> None:
        self._function = plan.factory.function
        self._first = (values[plan.self_name],) if plan.self_name in values else first
        if plan.calls_instance:
            self._function, self._first = self._first[0], ()
        factory = plan.factory
        self._args, self._kwargs = bind(factory.own_parameters, values)
        self._of_result = bind(factory.parameters_of_result, values)
        self._calls_result = factory.calls_result
        self._written = written

    def __call__(self) -> Any:
        """Make the call, that of its result if it has one, and bring a lazy result to its end."""
        result = self._function(*self._first, *self._args, **self._kwargs)
        if self._calls_result:
            args, kwargs = self._of_result
            result = result(*args, **kwargs)
        finish(result)
        return result
