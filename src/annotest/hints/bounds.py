"""The bounds of `annotated_types` → constraints."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from annotest.constraints import Constraint, floats, ints, strs
from annotest.hints.precise import NotPrecise

_BOUNDS = {
    "Ge": {"ge": "min"},
    "Gt": {"gt": "min"},
    "Le": {"le": "max"},
    "Lt": {"lt": "max"},
    "MultipleOf": {"multiple_of": "multiple_of"},
    "MinLen": {"min_length": "min_len"},
    "MaxLen": {"max_length": "max_len"},
}


def bounds_in(extras: Iterable[Any]) -> dict[str, Any]:
    """Return the bounds that `Annotated[…]` holds, in the words of constraints."""
    # nobody can have written such a bound without having imported the library
    if "annotated_types" not in sys.modules:
        return {}
    import annotated_types as at

    known: dict[str, Any] = {}
    for extra in _spread(extras):
        if isinstance(extra, at.Predicate):
            raise NotPrecise(f"{extra} says more than bounds can")
        for kind, names in _BOUNDS.items():
            if isinstance(extra, getattr(at, kind)):
                _narrow(known, {ours: getattr(extra, theirs) for theirs, ours in names.items()})
        if isinstance(extra, at.Gt):
            known["exclude_min"] = True
        if isinstance(extra, at.Lt):
            known["exclude_max"] = True
    return {name: value for name, value in known.items() if value is not None}


def _narrow(known: dict[str, Any], more: dict[str, Any]) -> None:
    """Take in another bound: the tighter of two counts."""
    for name, value in more.items():
        tighter = max if name.startswith("min") else min
        known[name] = value if known.get(name) is None else tighter(known[name], value)


def _spread(extras: Iterable[Any]) -> list[Any]:
    import annotated_types as at

    spread: list[Any] = []
    for extra in extras:
        spread += list(extra) if isinstance(extra, at.GroupedMetadata) else [extra]
    return spread


def lengths_in(bounds: dict[str, Any]) -> dict[str, Any]:
    """Return those of some bounds that are about a length."""
    return {name: bounds[name] for name in ("min_len", "max_len") if name in bounds}


def bounded(base: Any, bounds: dict[str, Any]) -> Constraint:
    """Return the numbers or texts within bounds."""
    lengths = lengths_in(bounds)
    if base is int:
        low, high = bounds.get("min"), bounds.get("max")
        low = low + 1 if low is not None and bounds.get("exclude_min") else low
        high = high - 1 if high is not None and bounds.get("exclude_max") else high
        return ints(low, high, multiple_of=bounds.get("multiple_of"))
    if base is float and "multiple_of" not in bounds and not lengths:
        return floats(**bounds)
    if base is str and lengths:
        return strs(**lengths)
    raise NotPrecise
