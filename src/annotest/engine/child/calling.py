"""One call of a target: made, and written as Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from annotest import frameworks
from annotest.discovery.scan import SourceFile
from annotest.discovery.targets import (
    CLASS_METHOD,
    CONSTRUCTOR,
    FUNCTION,
    PROPERTY,
    STATIC_METHOD,
    Target,
)
from annotest.expr import Attribute, Expr, Local, Ref
from annotest.imports import by_name, from_file, is_importable, quote, variable_for
from annotest.plan.lazy import finished_call, is_lazy
from annotest.plan.recipe import DIMENSIONS, LEFT_OUT, START, Factory, Start, bind
from annotest.plan.returning import NotCallable
from annotest.plan.written import call_tree, recipe_tree, split_groups, whole_call
from annotest.process.own import os
from annotest.source import Names, loose_layout, text_of


class UnfitArguments(Exception):
    """What the annotations gave cannot be spread over *args or **kwargs."""


def make_call(target: Target, values: dict[str, Any]) -> Any:
    """Call the target with built values, and what it returns, if that is asked for.

    A lazy result is still to be brought to its end.
    """
    assert target.plan is not None
    factory = target.plan.factory
    result = _outer_call(target, factory, dict(values))
    if not factory.calls_result:
        return result
    if not callable(result):
        raise NotCallable(result)
    args, kwargs = bind(factory.parameters_of_result, values)
    return result(*args, **kwargs)


def _outer_call(target: Target, factory: Factory, values: dict[str, Any]) -> Any:
    instance = values.pop(target.signature.self_name, None)
    try:
        args, kwargs = bind(factory.own_parameters, values)
    except (TypeError, ValueError) as error:
        raise UnfitArguments(f"what is given for * or ** cannot be spread: {error}") from error
    assert target.plan is not None
    if target.kind == PROPERTY:
        return getattr(instance, target.attribute)
    if target.plan.calls_instance:
        return instance(*args, **kwargs)
    if target.needs_instance:
        return getattr(instance, target.attribute)(*args, **kwargs)
    if target.kind in (CLASS_METHOD, STATIC_METHOD):
        return getattr(target.owner, target.attribute)(*args, **kwargs)
    return target.function(*args, **kwargs)


def is_unfinished(target: Target, result: Any) -> bool:
    """Say whether a result has work to do that is part of the call; a new instance has not."""
    return target.kind != CONSTRUCTOR and is_lazy(result)


def written_call(
    target: Target, recipes: dict[str, Any], folders: tuple[str, ...] = (), items: int = 0
) -> str:
    """Return the call as Python that can be pasted: imports first.

    `folders` are those that must be on the path for the imports, `items` those of a lazy result
    that are needed, where that is known.
    """
    recipes = target.rebuilding.call(recipes)
    names, lines = _call_lines(target, recipes, items)
    return "\n".join([*_path_lines(folders), *names.imports(), *lines])


def bare_call(target: Target, recipes: dict[str, Any]) -> list[str]:
    """Return the lines of a call without the imports that it needs."""
    return "\n".join(_call_lines(target, recipes, 0)[1]).splitlines()


def _call_lines(target: Target, recipes: dict[str, Any], items: int) -> tuple[Names, list[str]]:
    assert target.plan is not None
    groups = target.plan.factory.groups
    names = Names(frozenset(name for group in groups for name in group))
    seeds = [loose_layout(seed, names) for seed in _seeds(recipes.get(START))]
    lines, recipes = _unpacking(target, recipes, names)
    lines = seeds + lines
    call = finished_call(_tree(target, recipes), target.function, items)
    lines.append(loose_layout(call, names))
    return names, lines


def _seeds(start: Start | None) -> list[Expr]:
    """Return the calls that have random numbers begin as they did, of those that are drawn."""
    used = () if start is None else start.used
    sources = (source for source in frameworks.random_sources() if source.name in used)
    return [source.source(start.seed) for source in sources if start is not None]


def written_part(target: Target, recipes: dict[str, Any], folders: tuple[str, ...]) -> str:
    """Return, as Python, what is built while other arguments are drawn, and what is asked of it."""
    assert target.plan is not None
    draws = [draw for draw in target.plan.draws if draw.key in recipes]
    known = {name for draw in draws for name in draw.names}
    names = Names(frozenset(known))
    lines = []
    recipes = target.rebuilding.call(recipes)
    for draw in draws:
        recipe = recipes[draw.key]
        tree = recipe_tree(draw.default if recipe is LEFT_OUT else recipe)
        if len(draw.names) > 1:
            tree = Ref("annotest.strategies", "parts")(tree, *draw.names)
        lines.append(f"{draw.key} = {loose_layout(tree, names)}")
    model = target.plan.model
    asked = () if model is None else model.asked_of(known)
    return "\n".join([*_path_lines(folders), *names.imports(), *lines, *asked])


def written_import(file: SourceFile, folders: tuple[str, ...], here: str) -> str:
    """Return the import of a module as Python that can be pasted."""
    if file.loaded_as:
        name, seen = variable_for(Path(file.path).stem), os.path.relpath(file.path, here)
        statement = "import importlib.util\nimport sys\n"
        statement += from_file(file.loaded_as, name, quote(seen))
    elif is_importable(file.module):
        statement = f"import {file.module}"
    else:
        statement = f"import importlib; {by_name(file.module)}"
    return "\n".join([*_path_lines(folders), statement])


def _path_lines(folders: tuple[str, ...]) -> list[str]:
    path = [f"sys.path.insert(0, {quote(folder)})" for folder in reversed(folders)]
    if path:
        path[0] = f"import sys; {path[0]}"
    return path


def _unpacking(
    target: Target, recipes: dict[str, Any], names: Names
) -> tuple[list[str], dict[str, Any]]:
    """Return the lines that build arguments which belong together, and recipes that use them."""
    assert target.plan is not None
    recipes, lines = dict(recipes), []
    for group in target.plan.factory.groups:
        whole = recipes[", ".join(group)]
        if type(whole) in (dict, tuple):
            continue  # its parts can be written by themselves
        del recipes[", ".join(group)]
        # a tuple, or a dict by name: only building it would tell
        taken_apart = Ref("annotest.strategies", "parts")(recipe_tree(whole), *group)
        lines.append(f"{', '.join(group)} = {loose_layout(taken_apart, names)}")
        recipes.update({name: Local(name) for name in group})
    return lines, recipes


def written_inputs(target: Target, recipes: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return each input's source text; an argument left out shows its default."""
    assert target.plan is not None
    defaults = {parameter.name: parameter.default for parameter in target.plan.parameters}
    return tuple(
        (key, text_of(defaults[key] if recipe is LEFT_OUT else recipe_tree(recipe)))
        for key, recipe in recipes.items()
        if key not in (DIMENSIONS, START)
    )


def _tree(target: Target, recipes: dict[str, Any]) -> Expr:
    assert target.plan is not None
    values = split_groups(target.plan.factory.groups, recipes)
    instance = values.pop(target.signature.self_name, None)
    factory = target.plan.factory
    if target.kind != PROPERTY:
        return whole_call(_callee(target, instance), factory, values)
    read = Attribute(recipe_tree(instance), target.attribute)
    return call_tree(read, factory.parameters_of_result, values) if factory.calls_result else read


def _callee(target: Target, instance: Any) -> Expr:
    qualname = target.info.qualname
    if target.kind == FUNCTION:
        return Ref(target.home, qualname)
    cls = Ref(target.home, qualname.rpartition(".")[0])
    if target.kind == CONSTRUCTOR:
        return cls
    base = recipe_tree(instance) if target.needs_instance else cls
    is_base = target.plan is not None and target.plan.calls_instance
    return base if is_base else Attribute(base, target.attribute)
