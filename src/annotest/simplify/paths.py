"""Places inside recipes, and recipes with something else in such a place."""

from __future__ import annotations

from typing import Any

from annotest.plan.recipe import DIMENSIONS, Applied, Made
from annotest.simplify.arrays import with_element
from annotest.simplify.slots import Path


def put(recipe: Any, path: Path, value: Any) -> Any:
    """Return a recipe with another value in one place; the recipe itself is left as it is."""
    if not path:
        return value
    step, rest = path[0], path[1:]
    if type(recipe) in (list, tuple):
        items = list(recipe)
        items[step] = put(items[step], rest, value)
        return type(recipe)(items)
    if type(recipe) is dict:
        return {**recipe, step: put(recipe.get(step), rest, value)}
    if type(recipe) is Made:
        values = put(recipe.values, path, value)
        values.pop(DIMENSIONS, None)  # to be read off the arguments as they are now
        return Made(recipe.factory, values, recipe.mode)
    if type(recipe) is Applied:
        return Applied(recipe.function, put(recipe.value, rest, value))
    return with_element(recipe, step, value)


def put_all(recipe: Any, changes: list[tuple[Path, Any]]) -> Any:
    """Return a recipe with other values in several places."""
    for path, value in changes:
        recipe = put(recipe, path, value)
    return recipe
