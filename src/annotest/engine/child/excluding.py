"""The precondition that excludes a failure which modules show in train mode and at size one only.

It is said only if probes agree: the same input in eval mode, and the next size in train mode.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from annotest import frameworks
from annotest.discovery.targets import Target
from annotest.plan.recipe import Made
from annotest.simplify import Form
from annotest.simplify.moves import Extent
from annotest.simplify.paths import put_all
from annotest.simplify.sizing import resized
from annotest.simplify.slots import ArraySlot, NumberSlot

Recipes = dict[str, Any]
ONE = 1


def excluding(
    target: Target, form: Form, recipes: Recipes, passes: Callable[[Recipes], bool]
) -> str:
    """Return the line that excludes a failing call, or nothing; `passes` makes another call."""
    self_name = target.signature.self_name
    instance = recipes.get(self_name)
    kind = None if target.owner is None else frameworks.module_kind(target.owner)
    name = _first_side(target, form, recipes)
    if kind is None or not name or type(instance) is not Made or instance.mode:
        return ""
    elsewhere = ({**recipes, self_name: replace(instance, mode=mode)} for mode in kind.modes[1:])
    larger = _of_size(target, form, recipes, name, ONE + 1)
    if not all(form.fits(other) and passes(other) for other in (*elsewhere, larger)):
        return ""
    return f'@require("not {self_name}.{kind.tells} or {name} > {ONE}")'


def _first_side(target: Target, form: Form, recipes: Recipes) -> str:
    """Return the name of the first side of the first array that is one long there."""
    for side, extent in _named_sides(target, form, recipes):
        if extent.axis == 0 and extent.size == ONE and side.isidentifier():
            return side
    return ""


def _of_size(target: Target, form: Form, recipes: Recipes, name: str, size: int) -> Recipes:
    """Return a call in which all sides of a name, and an argument of that name, have a size."""
    wanted = [each for side, each in _named_sides(target, form, recipes) if side == name]
    numbers = (slot for slot in form.slots(recipes) if isinstance(slot, NumberSlot))
    wanted += [Extent(slot) for slot in numbers if slot.path == (name,)]
    return form.resized(put_all(recipes, resized([(each, size) for each in wanted])))


def _named_sides(target: Target, form: Form, recipes: Recipes) -> Iterator[tuple[str, Extent]]:
    """Yield the sides of arrays, each as the annotation of its argument writes it."""
    constraints = {p.name: p.constraint for p in target.signature.parameters}
    for slot in form.slots(recipes):
        constraint = constraints.get(slot.path[0])
        if isinstance(slot, ArraySlot) and constraint is not None:
            sides = [side.text for side in constraint.named_sides()]
            if len(sides) == slot.array.ndim:  # not so of "*batch n"
                yield from ((side, Extent(slot, axis)) for axis, side in enumerate(sides))
