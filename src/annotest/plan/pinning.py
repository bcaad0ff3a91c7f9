"""Calls with some of their choices pinned: what is drawn instead, relations respected."""

from __future__ import annotations

from annotest.constraints import Constraint
from annotest.errors import InvalidAnnotation
from annotest.plan.narrowing import LEFT_OUT, Path, Pin, Pins, is_pinned, narrowed
from annotest.plan.steps import Plan
from annotest.records import record
from annotest.relations.arguments.model import Model

PinsOfPlans = dict[int, Pins]  # by the identities of the plans


class NoSuchCall(Exception):
    """No valid call has what is pinned."""


@record
class Dimension:
    """A named dimension in place of an argument, where a path begins."""

    name: str


@record
class PinnedCall:
    """The narrower arguments of a call, those left out, and the model of all.

    The `optional` ones are narrower where they are given.
    """

    constraints: dict[str, Constraint]
    left_out: frozenset[str]
    optional: frozenset[str]
    model: Model | None


def pinned_call(plan: Plan, pins: Pins) -> PinnedCall:
    """Return what is drawn for a call with these choices pinned; NoSuchCall if there is none."""
    model = plan.model
    if not pins:
        return PinnedCall({}, frozenset(), frozenset(), model)
    left_out = frozenset(path[0] for path, pin in pins.items() if _is_left_out(path, pin))
    optional = frozenset(path[0] for path, pin in pins.items() if pin.may_be_left_out)
    constraints = _narrower(plan, pins, left_out)
    if model is not None and model.ways:
        dims = {path[0].name: pin.constraint for path, pin in _dimensions(pins)}
        known = {name: narrower for name, narrower in dims.items() if narrower is not None}
        model = model.narrowed(constraints, known, left_out, optional)
        if all(way.is_hopeless for way in model.ways):
            raise NoSuchCall
    return PinnedCall(constraints, left_out, optional, model)


def _is_left_out(path: Path, pin: object) -> bool:
    return len(path) == 1 and pin is LEFT_OUT


def _narrower(plan: Plan, pins: Pins, left_out: frozenset[str]) -> dict[str, Constraint]:
    known = {p.name: p.constraint for p in plan.parameters}
    try:
        return {
            name: narrowed(constraint, pins, (name,))
            for name, constraint in known.items()
            if constraint is not None and name not in left_out and is_pinned(pins, (name,))
        }
    except InvalidAnnotation as error:
        raise NoSuchCall from error


def _dimensions(pins: Pins) -> list[tuple[Path, Pin]]:
    return [(path, pin) for path, pin in pins.items() if isinstance(path[0], Dimension)]
