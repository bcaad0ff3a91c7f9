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
from annotest.expr import Attribute, Expr, Local, Ref, Star
from annotest.plan.steps import Draw, Plan
from annotest.signature import (
    KEYWORD_ONLY,
    POSITIONAL_ONLY,
    VAR_KEYWORD,
    VAR_POSITIONAL,
    Parameter,
    initializer,
)
from annotest.source import named, shown, source_tree


def identifier(name: str) -> str:
    """Return a name with everything replaced that no identifier may have."""
    return re.sub(r"\W", "_", name)


def test_name(target: Target) -> str:
    """Return what the test of a target is called, after `test_`."""
    qualname = target.info.qualname
    if target.kind == CONSTRUCTOR:
        qualname = qualname.rpartition(".")[0] + "_init"
    return identifier(qualname)


def passed(plan: Plan, self_name: str) -> tuple[tuple[Expr, ...], tuple[tuple[str, Expr], ...]]:
    """Return the arguments of a call whose values are local variables."""
    drawn = {name for draw in plan.draws for name in draw.names} - {self_name}
    spread = any(p.kind is VAR_POSITIONAL and p.name in drawn for p in plan.parameters)
    by_place = [p.name for p in plan.parameters if p.kind is POSITIONAL_ONLY]
    while by_place and by_place[-1] not in drawn:
        by_place.pop()
    args: list[Expr] = []
    kwargs: list[tuple[str, Expr]] = []
    for p in plan.parameters:
        if p.name not in drawn:
            places = spread and p.kind not in (VAR_POSITIONAL, VAR_KEYWORD, KEYWORD_ONLY)
            if places or p.name in by_place:  # what stands before another must be there
                args.append(source_tree(p.default))
        elif p.kind is VAR_POSITIONAL:
            args.append(Star(Local(p.name), "*"))
        elif p.kind is VAR_KEYWORD:
            kwargs.append(("", Star(Local(p.name), "**")))
        elif p.kind is POSITIONAL_ONLY or (spread and p.kind is not KEYWORD_ONLY):
            args.append(Local(p.name))
        else:
            kwargs.append((p.name, Local(p.name)))
    return tuple(args), tuple(kwargs)


def reference_to(target: Target) -> Expr:
    """Return the function itself, for what must be read from its annotation."""
    info = target.info
    if target.kind == CONSTRUCTOR:
        return Ref(info.module, info.qualname.rpartition(".")[0])
    return Ref(info.module, info.qualname)


def callee_of(target: Target) -> Expr:
    """Return what the test of a target calls."""
    if target.kind in (FUNCTION, CONSTRUCTOR, CLASS_METHOD, STATIC_METHOD):
        return reference_to(target)
    return Attribute(Local(instance_name(target)), target.attribute)


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
    found = named(function)
    if found is not None:
        return found
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
