"""Recipes as Python: the calls that build the same values."""

from __future__ import annotations

import dataclasses
from typing import Any

from annotest import frameworks
from annotest.expr import Call, Expr, Item, Mapping, Method, Module, Sequence, Star, ours
from annotest.frameworks import Framed
from annotest.frameworks.seeded import Seeded
from annotest.large import Constant, Fill, LargeArray, Numbers
from annotest.plan.recipe import LEFT_OUT, Applied, BuildFailed, Factory, Made, bind, build
from annotest.records import record
from annotest.signature import VAR_KEYWORD, VAR_POSITIONAL, Parameter
from annotest.source import named, opaque, source_tree

_np = Module("numpy", "np")


@record
class Part:
    """One item of a recipe that supplies several arguments; only ever written."""

    whole: Any
    place: int


def recipe_tree(recipe: Any) -> Expr:
    """Return the source of a recipe: generators as the calls they are."""
    kind = type(recipe)
    if kind in (list, tuple, set):
        items = tuple(recipe_tree(item) for item in recipe)
        return Sequence(kind, tuple(sorted(items, key=repr)) if kind is set else items)
    if kind is dict:
        return Mapping(tuple((recipe_tree(k), recipe_tree(v)) for k, v in recipe.items()))
    if kind is Made:
        factory = recipe.factory
        values = split_groups(factory.groups, recipe.values)
        made = call_tree(_callee_tree(factory.function), factory.parameters, values)
        placed = frameworks.placed_source(made, factory.function)
        return Method(placed, recipe.mode, ()) if recipe.mode else placed
    if kind is Applied and _is_large_framed(recipe):
        framed: Framed = recipe.function
        large = recipe.value
        written = framed.source(recipe_tree(large), large.shape, large.dtype)
        return frameworks.placed_source(written, framed)
    if kind is Applied and type(recipe.function) is Seeded:
        return recipe.function.source(recipe.value)
    if kind is Applied and named(recipe.function) is None:
        return frameworks.placed_source(_result_tree(recipe), recipe.function)
    if kind is Applied:
        return Call(_callee_tree(recipe.function), (recipe_tree(recipe.value),))
    if kind is Part:
        return Item(recipe_tree(recipe.whole), recipe.place)
    if kind is LargeArray:
        return _large_tree(recipe)
    fields = None if isinstance(recipe, Expr) else _fields_of(recipe)
    return source_tree(recipe) if fields is None else _record_tree(recipe, fields)


def _fields_of(value: Any) -> tuple[str, ...] | None:
    """Return the fields of a record whose constructor only keeps them; None of anything else."""
    cls = type(value)
    if isinstance(value, tuple) and "_fields" in vars(cls):
        return value._fields  # type: ignore[attr-defined, no-any-return]
    if "__dataclass_params__" not in vars(cls) or not cls.__dataclass_params__.init:
        return None
    fields = tuple(field.name for field in dataclasses.fields(value))
    is_plain = all(field.init for field in dataclasses.fields(value))
    if hasattr(cls, "__post_init__") or getattr(value, "__dict__", {}).keys() - set(fields):
        return None
    return fields if is_plain and all(hasattr(value, name) for name in fields) else None


def _record_tree(value: Any, fields: tuple[str, ...]) -> Expr:
    given = tuple((name, recipe_tree(getattr(value, name))) for name in fields)
    return Call(_callee_tree(type(value)), (), given)


def _is_large_framed(recipe: Applied) -> bool:
    """Say whether it is a framework's array that is best written by its recipe: not a constant."""
    large = recipe.value
    if type(recipe.function) is not Framed or type(large) is not LargeArray:
        return False
    return bool(large.placed) or not isinstance(large.fill, Constant)


def _large_tree(recipe: LargeArray) -> Expr:
    """Return the call that builds a large array."""
    fill, contents = recipe.fill, recipe.contents
    if isinstance(fill, Constant) and not recipe.placed and contents is None:
        return _np.full(recipe.shape, fill.value, dtype=recipe.dtype)
    args: list[Any] = [recipe.shape, recipe.dtype, _fill_tree(fill)]
    args += [dict(recipe.placed)] if recipe.placed else []
    return ours.large_array(*args, **({"contents": contents} if contents else {}))


def _fill_tree(fill: Fill) -> Any:
    if isinstance(fill, Constant):
        return fill.value
    if isinstance(fill, Numbers):
        changed = {"order": fill.order, "scale": fill.scale}
        named = {name: word for name, word in changed.items() if word != getattr(Numbers, name)}
        return ours.numbers(fill.low, fill.high, seed=fill.seed, **named)
    return ours.picked(fill.values, seed=fill.seed)


def _result_tree(recipe: Applied) -> Expr:
    """Return the source of what a nameless function makes, which has none of its own."""
    try:
        with frameworks.on_device(""):  # which may be spoilt, or not there
            return recipe_tree(build(recipe))
    except BuildFailed:
        return Call(opaque(recipe.function), (recipe_tree(recipe.value),))


def split_groups(groups: tuple[tuple[str, ...], ...], values: dict[str, Any]) -> dict[str, Any]:
    """Return recipes by argument; a part of what a generator builds is written as its item."""
    values = dict(values)
    for group in groups:
        if ", ".join(group) not in values:
            continue  # written apart
        whole = values.pop(", ".join(group))
        if type(whole) is dict:
            values.update(whole)
        elif type(whole) is tuple:
            values.update(zip(group, whole, strict=False))
        else:
            values.update({name: Part(whole, place) for place, name in enumerate(group)})
    return values


def _callee_tree(function: Any) -> Expr:
    return named(function) or opaque(function)


def call_tree(callee: Expr, parameters: tuple[Parameter, ...], values: dict[str, Any]) -> Call:
    """Return the source of a call with these recipes."""
    args, kwargs = bind(parameters, _spread(parameters, values))
    named = tuple((name, recipe_tree(value)) for name, value in kwargs.items())
    return Call(callee, tuple(map(recipe_tree, args)), named)


def whole_call(callee: Expr, factory: Factory, values: dict[str, Any]) -> Call:
    """Return the source of a call with these recipes, and of the call of its result, if any."""
    call = call_tree(callee, factory.own_parameters, values)
    return call_tree(call, factory.parameters_of_result, values) if factory.calls_result else call


def _spread(parameters: tuple[Parameter, ...], values: dict[str, Any]) -> dict[str, Any]:
    """Return recipes in which `*args` and `**kwargs` that no display gives are spread."""
    spread = dict(values)
    for p in parameters:
        value = values.get(p.name, LEFT_OUT)
        if value is LEFT_OUT:
            continue
        if p.kind is VAR_POSITIONAL and type(value) not in (list, tuple):
            spread[p.name] = [Star(recipe_tree(value), "*")]
        elif p.kind is VAR_KEYWORD and not _has_plain_keys(value):
            spread[p.name] = {"": Star(recipe_tree(value), "**")}
    return spread


def _has_plain_keys(value: Any) -> bool:
    return type(value) is dict and all(isinstance(k, str) and k.isidentifier() for k in value)
