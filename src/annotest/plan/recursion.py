"""Generators whose values are made of values of their own, as trees are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any, TypeGuard

from annotest.expr import Call, Expr, Generated, Literal, Opaque, Ref
from annotest.plan.steps import Plan
from annotest.signature import EMPTY

DEEPEST = 4  # how often a value of a generator may stand inside another one
MOST = 20  # how many values of recursive generators may stand inside one that is around them all
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
    if isinstance(tree, Call) and _called(tree) == "one_of":
        return any(_can_be_drawn(alternative, makes) for alternative in tree.args)
    if isinstance(tree, Call) and _called(tree) == "fixed_dictionaries":
        return _can_be_drawn(tree.args[0], makes)
    return _may_be_empty(tree) or all(_can_be_drawn(part, makes) for part in tree.children())


def _called(tree: Expr) -> str:
    if isinstance(tree, Call) and isinstance(tree.function, Ref):
        return tree.function.qualname
    return ""


def _may_be_empty(tree: Expr) -> TypeGuard[Call]:
    if not isinstance(tree, Call) or _called(tree) not in _MAY_BE_EMPTY:
        return False
    least = dict(tree.kwargs).get("min_size", Literal(0))
    return isinstance(least, Literal) and least.value == 0


def emptied(tree: Any, makes: Makes) -> Any:
    """Return the tree in which containers whose elements cannot be drawn are always empty."""
    if isinstance(tree, tuple):
        return tuple(emptied(part, makes) for part in tree)
    if not isinstance(tree, Expr) or isinstance(tree, Ref | Opaque | Literal | Generated):
        return tree
    if _may_be_empty(tree) and not all(_can_be_drawn(part, makes) for part in tree.children()):
        # Hypothesis refuses a length where there are no elements
        return Call(tree.function, tree.args)
    return type(tree)(**{name: emptied(part, makes) for name, part in vars(tree).items()})
