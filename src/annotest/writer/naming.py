"""What things are called in a test file, and how a test calls its target."""

from __future__ import annotations

import re
import sys
from typing import Any

from annotest.discovery.targets import (
    CLASS_METHOD,
    CONSTRUCTOR,
    FUNCTION,
    STATIC_METHOD,
    Target,
)
from annotest.errors import UnwritableValue
from annotest.expr import Attribute, Call, Expr, Local, Ref
from annotest.plan.steps import Draw, Plan
from annotest.plan.written import whole_call
from annotest.signature import Parameter, initializer
from annotest.source import named, shown


def identifier(name: str) -> str:
    """Return a name with everything replaced that no identifier may have."""
    return re.sub(r"\W", "_", name)


def test_name(target: Target) -> str:
    """Return what the test of a target is called, after `test_`."""
    qualname = target.info.qualname
    if target.kind == CONSTRUCTOR:
        qualname = qualname.rpartition(".")[0] + "_init"
    return identifier(qualname)


def call_of_locals(callee: Expr, plan: Plan, self_name: str = "") -> Call:
    """Return a call whose arguments are local variables, those that a plan draws."""
    drawn = {name for draw in plan.draws for name in draw.names} - {self_name}
    return whole_call(callee, plan.factory, {name: Local(name) for name in drawn})


def reference_to(target: Target) -> Expr:
    """Return the function itself, for what must be read from its annotation."""
    qualname = target.info.qualname
    if target.kind == CONSTRUCTOR:
        qualname = qualname.rpartition(".")[0]
    return Ref(target.home, qualname)


def callee_of(target: Target) -> Expr:
    """Return what the test of a target calls."""
    if target.kind in (FUNCTION, CONSTRUCTOR, CLASS_METHOD, STATIC_METHOD):
        return reference_to(target)
    instance = Local(instance_name(target))
    is_called = target.plan is not None and target.plan.calls_instance
    return instance if is_called else Attribute(instance, target.attribute)


def untaken(name: str, parameters: tuple[Parameter, ...]) -> str:
    """Return a name, or a variation of it, that no argument has."""
    while name in {p.name for p in parameters}:
        name += "_"
    return name


def label_of(draw: Draw, parameters: tuple[Parameter, ...], renamed: dict[str, str]) -> str:
    """Return what a drawn value is called: its argument, or all those that it supplies."""
    label = "_and_".join(renamed.get(name, name) for name in draw.names)
    return untaken(label, parameters) if len(draw.names) > 1 else label


def home_of(function: Any) -> Ref:
    """Return the name by which a module holds a generator or a class."""
    reference = named(function)
    if reference is not None:
        return reference
    home = getattr(function, "__module__", "")
    for name, value in vars(sys.modules[home]).items() if home in sys.modules else ():
        if value is function:
            return Ref(home, name)
    raise UnwritableValue(f"no module holds {shown(function)} under a name")


def instance_name(target: Target) -> str:
    """Return what the instance is called in the test of a method."""
    return untaken("instance", target.signature.parameters)


def inner_function(plan: Plan) -> Any:
    """Return the function whose names the preconditions of a plan see."""
    function = plan.factory.function
    return initializer(function) if isinstance(function, type) else function
