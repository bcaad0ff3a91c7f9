"""One call of a target: made, and written as Python."""

from __future__ import annotations

from typing import Any

from annotest.discovery.targets import (
    CLASS_METHOD,
    CONSTRUCTOR,
    FUNCTION,
    PROPERTY,
    STATIC_METHOD,
    Target,
)
from annotest.expr import Attribute, Expr, Ref
from annotest.oracles.crash import finish
from annotest.plan.recipe import LEFT_OUT, bind, call_tree, recipe_tree, split_groups
from annotest.source import Names, loose_layout, quote, text_of


def make_call(target: Target, values: dict[str, Any]) -> None:
    """Call the target with built values, and bring a lazy result to its end."""
    assert target.plan is not None
    values = dict(values)
    instance = values.pop(target.signature.self_name, None)
    args, kwargs = bind(target.plan.parameters, values)
    if target.kind == PROPERTY:
        finish(getattr(instance, target.attribute))
    elif target.needs_instance:
        finish(getattr(instance, target.attribute)(*args, **kwargs))
    elif target.kind in (CLASS_METHOD, STATIC_METHOD):
        finish(getattr(target.owner, target.attribute)(*args, **kwargs))
    else:
        finish(target.function(*args, **kwargs))


def written_call(target: Target, recipes: dict[str, Any], folder: str = "") -> str:
    """Return the call as Python that can be pasted: imports first.

    `folder` is the one that must be on the path for the import, if it is not the current one.
    """
    names = Names()
    text = loose_layout(_tree(target, recipes), names)
    path = [f"import sys; sys.path.insert(0, {quote(folder)})"] if folder else []
    return "\n".join([*path, *names.imports(), text])


def written_inputs(target: Target, recipes: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return each input's source text; an argument left out shows its default."""
    assert target.plan is not None
    found = []
    for key, recipe in recipes.items():
        if recipe is LEFT_OUT:
            default = next(p.default for p in target.plan.parameters if p.name == key)
            found.append((key, text_of(default)))
        else:
            found.append((key, text_of(recipe_tree(recipe))))
    return tuple(found)


def _tree(target: Target, recipes: dict[str, Any]) -> Expr:
    assert target.plan is not None
    values = split_groups(target.plan.factory.groups, recipes)
    instance = values.pop(target.signature.self_name, None)
    return_value: Expr
    if target.kind == PROPERTY:
        return_value = Attribute(recipe_tree(instance), target.attribute)
    else:
        callee = _callee(target, instance)
        return_value = call_tree(callee, target.plan.parameters, values)
    return return_value


def _callee(target: Target, instance: Any) -> Expr:
    info = target.info
    if target.kind == FUNCTION:
        return Ref(info.module, info.qualname)
    cls = Ref(info.module, info.qualname.rpartition(".")[0])
    if target.kind == CONSTRUCTOR:
        return cls
    base = recipe_tree(instance) if target.needs_instance else cls
    return Attribute(base, target.attribute)
