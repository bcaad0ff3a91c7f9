"""Whether recipes satisfy the constraints that they belong to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from annotest.constraints import Constraint
from annotest.constraints._choices import Anys, Chosen, Objs, Transformed, same_value
from annotest.constraints._containers import Tuples
from annotest.constraints._mappings import Dicts
from annotest.expr import Generated
from annotest.large import LargeArray
from annotest.plan.preconditions import PreconditionFailed
from annotest.plan.recipe import LEFT_OUT, Applied, BuildFailed, Made, build
from annotest.plan.steps import Draw, Plan
from annotest.plan.strategy import FilterFailed, Tally, run_steps
from annotest.relations.arguments.dimensions import NamedSizes
from annotest.signature import EMPTY

# how a plan is found from the factory of what it made
Plans = Callable[[Any], Plan | None]


def fits(constraint: Constraint, recipe: Any, plans: Plans) -> bool:
    """Say whether a recipe is one that the constraint could have given."""
    if not constraint.is_built_late():
        return _is_in(constraint, recipe)
    for kind, check in _CHECKING.items():
        if isinstance(constraint, kind):
            return check(constraint, recipe, plans)
    elements = getattr(constraint, "elements", None)
    if isinstance(elements, Constraint) and type(recipe) is list:
        low, high = constraint.lengths  # type: ignore[attr-defined]
        return low <= len(recipe) <= high and all(fits(elements, one, plans) for one in recipe)
    return False


def _is_in(constraint: Constraint, recipe: Any) -> bool:
    try:
        # a predicate may change what it is given; else the very objects that are listed count
        value = build(recipe) if _has_predicate(constraint) else _with_arrays(recipe)
        return value in constraint
    except Exception:
        return False  # a .where that raises, or a value that it was not written for


def _has_predicate(constraint: Constraint) -> bool:
    return isinstance(constraint, Chosen) or any(map(_has_predicate, constraint.children()))


def _with_arrays(recipe: Any) -> Any:
    """Return the value of a recipe of which nothing but large arrays must be built."""
    if type(recipe) in (list, tuple):
        return type(recipe)(map(_with_arrays, recipe))
    if type(recipe) is dict:
        return {key: _with_arrays(item) for key, item in recipe.items()}
    return built(recipe) if isinstance(recipe, LargeArray) else recipe


@lru_cache(8)
def built(recipe: LargeArray) -> Any:
    """Return a large array, which must not be changed: it is looked at again and again."""
    return recipe.build()


def _chosen(constraint: Chosen, recipe: Any, plans: Plans) -> bool:
    if not fits(constraint.base, recipe, plans):
        return False
    try:
        return bool(constraint.predicate(build(recipe)))
    except Exception:
        return False


def _applied(constraint: Transformed, recipe: Any, plans: Plans) -> bool:
    same = type(recipe) is Applied and recipe.function is constraint.function
    return same and fits(constraint.base, recipe.value, plans)


def _union(constraint: Anys, recipe: Any, plans: Plans) -> bool:
    return any(fits(one, recipe, plans) for one in constraint.constraints)


def _tuple(constraint: Tuples, recipe: Any, plans: Plans) -> bool:
    if type(recipe) is not tuple:
        return False
    low, high = constraint.lengths
    elements = constraint.elements * (1 if constraint.is_fixed else len(recipe))
    return low <= len(recipe) <= high and all(
        fits(one, item, plans) for one, item in zip(elements, recipe, strict=False)
    )


def _dict(constraint: Dicts, recipe: Any, plans: Plans) -> bool:
    if type(recipe) is not dict:
        return False
    if not isinstance(constraint.keys, dict):
        assert constraint.values is not None
        low, high = constraint.lengths
        inside = low <= len(recipe) <= high
        return inside and all(
            fits(constraint.keys, key, plans) and fits(constraint.values, item, plans)
            for key, item in recipe.items()
        )
    record = constraint.record
    wanted = {key for key, (_, optional) in record.items() if not optional}
    return wanted <= recipe.keys() <= record.keys() and all(
        fits(record[key][0], item, plans) for key, item in recipe.items()
    )


def _made(constraint: Objs, recipe: Any, plans: Plans) -> bool:
    plan = plans(recipe.factory) if type(recipe) is Made else None
    if plan is None or not _is_factory(constraint.generator, recipe.factory.function):
        return False
    if plan.calls:
        return any(same_value(recipe.values, one) for one in plan.calls)
    for key, one, optional in arguments_of(plan):
        if key not in recipe.values:
            return False
        value = recipe.values[key]
        if value is LEFT_OUT:
            if not optional:
                return False
        elif one is not None and not fits(one, value, plans):
            return False
    if not agree(plan, recipe.values):
        return False
    later = tuple(step for step in plan.steps if not isinstance(step, Draw))
    try:
        return run_steps(later, recipe.values, Tally(), plan.sizes) is not None
    except (BuildFailed, PreconditionFailed, FilterFailed):
        return False


def agree(plan: Plan, recipes: dict[str, Any]) -> bool:
    """Say whether the named dimensions of a call mean one number each."""
    if not plan.is_named:
        return True
    values = values_of(plan, recipes)
    return values is not None and named_sizes(plan).agree(values)


def values_of(plan: Plan, recipes: dict[str, Any]) -> dict[str, Any] | None:
    """Return the arguments of a call, defaults included; None where one cannot be built."""
    values = {p.name: p.default for p in plan.parameters}
    try:
        for draw in plan.draws:
            if recipes.get(draw.key, LEFT_OUT) is not LEFT_OUT:
                values[draw.key] = build(recipes[draw.key])
    except BuildFailed:
        return None
    return values


def named_sizes(plan: Plan) -> NamedSizes:
    """Return what a call's arguments say about dimensions, integer arguments among them."""
    constraints = {p.name: p.constraint for p in plan.parameters if p.constraint is not None}
    return NamedSizes(constraints, {} if plan.sizes is None else plan.sizes.domains)


def arguments_of(plan: Plan) -> Iterator[tuple[str, Constraint | None, bool]]:
    """Yield the keys of a plan's recipes, what each must satisfy, whether it may be left out."""
    by_name = {p.name: p.constraint for p in plan.parameters}
    for draw in plan.draws:
        constraint = by_name.get(draw.key)
        if constraint is None and isinstance(draw.strategy, Generated):
            constraint = Objs(draw.strategy.factory)  # an instance, or several arguments at once
        yield draw.key, constraint, draw.default is not EMPTY


def _is_factory(wanted: Any, function: Any) -> bool:
    if isinstance(wanted, str):  # a name that is looked up late
        return getattr(function, "__name__", "") == wanted.rpartition(".")[2]
    return wanted is function


_CHECKING: dict[type, Callable[[Any, Any, Plans], bool]] = {
    Chosen: _chosen,
    Transformed: _applied,
    Anys: _union,
    Tuples: _tuple,
    Dicts: _dict,
    Objs: _made,
}
