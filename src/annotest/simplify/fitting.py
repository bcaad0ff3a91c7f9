"""Whether recipes satisfy the constraints that they belong to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

from annotest.constraints import Constraint
from annotest.constraints import _structure as structures
from annotest.constraints._choices import Instances, same_value
from annotest.expr import Generated
from annotest.frameworks.seeded import Seeded
from annotest.large import LargeArray
from annotest.plan.preconditions import PreconditionFailed
from annotest.plan.recipe import LEFT_OUT, Applied, BuildFailed, Made, build, constructed
from annotest.plan.steps import INIT, Draw, Plan
from annotest.plan.strategy import FilterFailed, Tally, run_steps
from annotest.relations.arguments.dimensions import NamedSizes
from annotest.signature import EMPTY

# how a plan is found from the factory of what it made
Plans = Callable[[Any], Plan | None]
# the key of a recipe, what it must satisfy, whether it may be left out
PlannedArgument = tuple[str, Constraint | None, bool]


def fits(constraint: Constraint, recipe: Any, plans: Plans) -> bool:
    """Say whether a recipe is one that the constraint could have given."""
    if not constraint.is_built_late():
        return _is_in(constraint, recipe)
    return CHECKING[type(constraint.structure)](constraint.structure, recipe, plans)


def _is_in(constraint: Constraint, recipe: Any) -> bool:
    try:
        # a predicate may change what it is given; else the very objects that are listed count
        value = build(recipe) if _has_predicate(constraint) else _with_arrays(recipe)
        return value in constraint
    except Exception:
        return False  # a .where that raises, or a value that it was not written for


def _has_predicate(constraint: Constraint) -> bool:
    return any(isinstance(part.structure, structures.Narrowed) for part in constraint.with_parts())


def _with_arrays(recipe: Any) -> Any:
    """Return the value of a recipe of which nothing but arrays must be built."""
    if type(recipe) in (list, tuple):
        return type(recipe)(map(_with_arrays, recipe))
    if type(recipe) is dict:
        return {key: _with_arrays(item) for key, item in recipe.items()}
    if type(recipe) is Applied:
        return recipe.function(_with_arrays(recipe.value))
    return built(recipe) if isinstance(recipe, LargeArray) else recipe


@lru_cache(8)
def built(recipe: LargeArray) -> Any:
    """Return a large array, which must not be changed: it is looked at again and again."""
    return recipe.build()


def _never(structure: Any, recipe: Any, plans: Plans) -> bool:
    return False  # nothing inside is built late


def _narrowed(structure: structures.Narrowed, recipe: Any, plans: Plans) -> bool:
    if not fits(structure.base, recipe, plans):
        return False
    try:
        return bool(structure.predicate(build(recipe)))
    except Exception:
        return False


def _derived(structure: structures.Derived, recipe: Any, plans: Plans) -> bool:
    same = type(recipe) is Applied and (
        recipe.function is structure.function or type(recipe.function) is Seeded
    )
    return same and fits(structure.base, recipe.value, plans)


def _union(structure: structures.Alternatives, recipe: Any, plans: Plans) -> bool:
    return any(fits(alternative, recipe, plans) for alternative in structure.constraints)


def _row(structure: structures.Row, recipe: Any, plans: Plans) -> bool:
    right = type(recipe) is tuple and len(recipe) == len(structure.elements)
    return right and _parts_fit(structure, recipe, plans)


def _repeated(structure: structures.Repeated, recipe: Any, plans: Plans) -> bool:
    if type(recipe) is not structure.kind or structure.element is None:
        return False
    low, high = structure.lengths
    return low <= len(recipe) <= high and _parts_fit(structure, recipe, plans)


def _fields(structure: structures.Fields, recipe: Any, plans: Plans) -> bool:
    if type(recipe) is not dict:
        return False
    wanted = {key for key, (_, optional) in structure.record.items() if not optional}
    right = wanted <= recipe.keys() <= structure.record.keys()
    return right and _parts_fit(structure, recipe, plans)


def _entries(structure: structures.Maps, recipe: Any, plans: Plans) -> bool:
    low, high = structure.lengths
    right = type(recipe) is dict and low <= len(recipe) <= high
    return (
        right
        and all(fits(structure.keys, key, plans) for key in recipe)
        and _parts_fit(structure, recipe, plans)
    )


def _parts_fit(structure: structures.Structure, recipe: Any, plans: Plans) -> bool:
    return all(fits(inner, item, plans) for _, inner, item in structure.parts(recipe))


def _made(structure: structures.Built, recipe: Any, plans: Plans) -> bool:
    plan = plans(recipe.factory) if type(recipe) is Made else None
    if plan is None or not _is_factory(structure.generator, recipe.factory.function):
        return False
    if recipe.mode not in structure.modes:
        return False
    if plan.calls:
        return any(same_value(recipe.values, call) for call in plan.calls)
    values = recipe.values
    has_all = all(draw.key in values for draw in plan.draws)
    return has_all and call_fits(plan, arguments_of(plan), values, plans) and holds(plan, values)


def call_fits(
    plan: Plan,
    arguments: Iterable[PlannedArgument],
    recipes: dict[str, Any],
    plans: Plans,
    before: dict[str, Any] | None = None,
) -> bool:
    """Say whether the constraints allow a call; what is as it was `before` is taken for fit."""
    for key, constraint, optional in arguments:
        recipe = recipes.get(key, LEFT_OUT)
        if before is not None and recipe is before.get(key):
            continue
        if recipe is LEFT_OUT:
            if not optional:
                return False
        elif constraint is not None and not fits(constraint, recipe, plans):
            return False
    return _agree(plan, recipes)


def holds(plan: Plan, recipes: dict[str, Any]) -> bool:
    """Say whether the preconditions of a call hold."""
    later = tuple(step for step in plan.steps if not isinstance(step, Draw))
    try:
        return run_steps(later, recipes, Tally(), plan.sizes) is not None
    except (BuildFailed, PreconditionFailed, FilterFailed):
        return False


def _agree(plan: Plan, recipes: dict[str, Any]) -> bool:
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
            recipe = recipes.get(draw.key, LEFT_OUT)
            if draw.with_init:
                values[draw.key], values[INIT] = constructed(recipe)
            elif recipe is not LEFT_OUT:
                values[draw.key] = build(recipe)
    except BuildFailed:
        return None
    return values


def named_sizes(plan: Plan) -> NamedSizes:
    """Return what a call's arguments say about dimensions, integer arguments among them."""
    constraints = {p.name: p.constraint for p in plan.parameters if p.constraint is not None}
    return NamedSizes(constraints, {} if plan.sizes is None else plan.sizes.domains)


def arguments_of(plan: Plan) -> Iterator[PlannedArgument]:
    """Yield the keys of a plan's recipes, what each must satisfy, whether it may be left out."""
    by_name = {p.name: p.constraint for p in plan.parameters}
    for draw in plan.draws:
        constraint = by_name.get(draw.key)
        if constraint is None and isinstance(draw.strategy, Generated):
            # an instance, or several arguments at once
            constraint = Instances(draw.strategy.factory, draw.strategy.modes)
        yield draw.key, constraint, draw.default is not EMPTY


def _is_factory(wanted: Any, function: Any) -> bool:
    if isinstance(wanted, str):  # a name that is looked up late
        return getattr(function, "__name__", "") == wanted.rpartition(".")[2]
    return wanted is function


# for each structure; a test sees to it that none is missing
CHECKING: dict[type, Callable[[Any, Any, Plans], bool]] = {
    structures.Undivided: _never,
    structures.Wholes: _never,
    structures.Reals: _never,
    structures.ListedValues: _never,
    structures.Row: _row,
    structures.Repeated: _repeated,
    structures.Fields: _fields,
    structures.Maps: _entries,
    structures.Alternatives: _union,
    structures.Shaped: _never,
    structures.NamedSides: _never,
    structures.Broadcasting: _never,
    structures.Narrowed: _narrowed,
    structures.Derived: _derived,
    structures.Built: _made,
}
