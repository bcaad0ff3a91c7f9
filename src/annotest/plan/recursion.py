"""Generators whose values are made of values of their own, as trees are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any

from annotest.expr import Call, Expr, Generated, Literal, Ref
from annotest.plan.steps import Plan
from annotest.signature import EMPTY

DEEPEST = 4  # how often a value of a generator may stand inside another one
_MAY_BE_EMPTY = ("lists", "sets", "dictionaries")

Makes = Callable[[Any], bool]


def ending(plans: Mapping[int, Plan], without: Collection[int] = ()) -> set[int]:
    """Return the plans that come to an end: they need themselves, or others, only by choice."""
    known: set[int] = set()
    while True:
        makes = partial(_is_in, frozenset(known))
        able = (key for key, plan in plans.items() if key not in without and _ends(plan, makes))
        ends = set(able)
        if ends == known:
            return known
        known = ends


def _is_in(known: frozenset[int], factory: Any) -> bool:
    return id(factory) in known


def _ends(plan: Plan, makes: Makes) -> bool:
    """Say whether a call can be drawn where only some generators make values."""
    needed = (draw for draw in plan.draws if draw.default is EMPTY)
    return all(_can_be_drawn(draw.strategy, makes) for draw in needed)


def _can_be_drawn(tree: Expr, makes: Makes) -> bool:
    """Say whether a value can be drawn where only some generators make values."""
    if isinstance(tree, Generated):
        return makes(tree.factory)
    name = (
        tree.function.qualname if isinstance(tree, Call) and isinstance(tree.function, Ref) else ""
    )
    if isinstance(tree, Call) and name == "one_of":
        return any(_can_be_drawn(alternative, makes) for alternative in tree.args)
    if isinstance(tree, Call) and name == "fixed_dictionaries":
        return _can_be_drawn(tree.args[0], makes)
    if isinstance(tree, Call) and name in _MAY_BE_EMPTY and _least(tree) == 0:
        return True
    return all(_can_be_drawn(part, makes) for part in tree.children())


def _least(tree: Call) -> Any:
    least = dict(tree.kwargs).get("min_size", Literal(0))
    return least.value if isinstance(least, Literal) else 1
