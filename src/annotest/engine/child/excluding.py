"""The precondition that excludes a failure which modules show in train mode and at size one only.

It is said only if probes agree: the same input in eval mode, and the next size in train mode. Sides
that make it pass as the first one does are its factors: `b * h * w > 1` excludes less than `b > 1`.
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
Passes = Callable[[Recipes], bool]
ONE = 1


def excluding(target: Target, form: Form, recipes: Recipes, passes: Passes) -> str:
    """Return the line that excludes a failing call, or nothing; `passes` makes another call."""
    self_name = target.signature.self_name
    instance = recipes.get(self_name)
    kind = None if target.owner is None else frameworks.module_kind(target.owner)
    first, *others = _sides_of_one(target, form, recipes) or [""]
    if kind is None or not first or type(instance) is not Made or instance.mode:
        return ""

    def allows(other: Recipes) -> bool:
        return form.fits(other) and passes(other)

    def is_factor(name: str) -> bool:
        return allows(_of_size(target, form, recipes, name, ONE + 1))

    elsewhere = ({**recipes, self_name: replace(instance, mode=mode)} for mode in kind.modes[1:])
    if not all(map(allows, elsewhere)) or not is_factor(first):
        return ""
    product = " * ".join([first, *filter(is_factor, others)])
    return f'@require("not {self_name}.{kind.tells} or {product} > {ONE}")'


def _sides_of_one(target: Target, form: Form, recipes: Recipes) -> list[str]:
    """Return the names of the sides that are one long, of the first array whose first side is."""
    sides = list(_named_sides(target, form, recipes))
    for first, extent in sides:
        if extent.axis == 0 and extent.size == ONE and first.isidentifier():
            own = (side for side, other in sides if other.slot is extent.slot and other.size == ONE)
            return [name for name in dict.fromkeys(own) if name.isidentifier()]
    return []


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
