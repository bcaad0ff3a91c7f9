"""Type hints that are precise by themselves → constraints."""

from __future__ import annotations

import enum
import inspect
import sys
import types
import typing
from typing import Annotated, Any, Literal, Union

from annotest.constraints import (
    Constraint,
    anys,
    bools,
    floats,
    froms,
    ints,
    lists,
    strs,
)
from annotest.errors import InvalidAnnotation, recording


def hint_constraints(function: Any) -> dict[str, tuple[Constraint, bool]]:
    """Return the constraints that a function's hints give, and whether aN is written in them.

    A hint that is not precise (a bare `int`) or cannot be evaluated gives nothing.
    """
    constraints = {}
    with recording():  # a wrong constraint in a hint given as text is kept, and told, as any other
        hints = _hints_of(function)
    for name, hint in hints.items():
        if name == "return":
            continue
        constraint = _hinted(name, hint)
        if constraint is not None:
            constraints[name] = (constraint, _has_constraint(hint))
    return constraints


def _hinted(name: str, hint: Any) -> Constraint | None:
    try:
        return constraint_of(hint)
    except InvalidAnnotation as error:
        raise InvalidAnnotation(f"{name!r}: {error.reason}", error.remedy) from None


def _hints_of(function: Any) -> dict[str, Any]:
    function = inspect.unwrap(function)
    if not getattr(function, "__annotations__", None):
        return {}
    try:
        return typing.get_type_hints(function, include_extras=True)
    except Exception:  # one name only known to type checkers spoils them all: take them singly
        raw = getattr(function, "__annotations__", {})
        return {name: _evaluated(function, hint) for name, hint in raw.items()}


def _evaluated(function: Any, hint: Any) -> Any:
    if not isinstance(hint, str):
        return hint
    try:
        return eval(hint, getattr(function, "__globals__", {}))
    except Exception:
        return None  # known to type checkers only


def _has_constraint(hint: Any) -> bool:
    parts = typing.get_args(hint)
    return any(isinstance(part, Constraint) or _has_constraint(part) for part in parts)


def constraint_of(hint: Any) -> Constraint | None:
    """Return the constraint a hint means, or None when it is not precise."""
    origin = typing.get_origin(hint)
    if origin is Annotated:
        return _annotated(*typing.get_args(hint))
    if origin is Literal:
        return froms(list(typing.get_args(hint)))
    if origin in (Union, types.UnionType):
        parts = [constraint_of(part) for part in typing.get_args(hint)]
        return None if None in parts else anys(*parts)
    if hint is bool:
        return bools()
    if hint is type(None) or (hint is None and origin is not None):
        return froms([None])
    if isinstance(hint, type) and issubclass(hint, enum.Enum) and list(hint):
        return froms(list(hint))
    return None


def _annotated(base: Any, *extras: Any) -> Constraint | None:
    ours = [extra for extra in extras if isinstance(extra, Constraint)]
    if len(ours) > 1:
        raise InvalidAnnotation(
            f"Annotated[…] holds two constraints, {ours[0]!r} and {ours[1]!r}",
            "keep one; anys(…) says a union",
        )
    if ours:
        return ours[0]
    # nobody can have written such a bound without having imported the library
    if "annotated_types" not in sys.modules:
        return constraint_of(base)
    return _bounded(base, extras)


def _bounded(base: Any, extras: tuple[Any, ...]) -> Constraint | None:
    import annotated_types as at

    known: dict[str, Any] = {}
    for extra in _spread(extras):
        if isinstance(extra, at.Predicate):
            return None  # it says more than bounds can
        for kind, names in _BOUNDS.items():
            if isinstance(extra, getattr(at, kind)):
                _narrow(known, {ours: getattr(extra, theirs) for theirs, ours in names.items()})
        if isinstance(extra, at.Gt):
            known["exclude_min"] = True
        if isinstance(extra, at.Lt):
            known["exclude_max"] = True
    known = {name: value for name, value in known.items() if value is not None}
    return _with_bounds(base, known) if known else constraint_of(base)


def _narrow(known: dict[str, Any], more: dict[str, Any]) -> None:
    """Take in another bound: the tighter of two counts."""
    for name, value in more.items():
        tighter = max if name.startswith("min") else min
        known[name] = value if known.get(name) is None else tighter(known[name], value)


_BOUNDS = {
    "Ge": {"ge": "min"},
    "Gt": {"gt": "min"},
    "Le": {"le": "max"},
    "Lt": {"lt": "max"},
    "MultipleOf": {"multiple_of": "multiple_of"},
    "MinLen": {"min_length": "min_len"},
    "MaxLen": {"max_length": "max_len"},
}


def _spread(extras: tuple[Any, ...]) -> list[Any]:
    import annotated_types as at

    spread: list[Any] = []
    for extra in extras:
        spread += list(extra) if isinstance(extra, at.GroupedMetadata) else [extra]
    return spread


def _with_bounds(base: Any, known: dict[str, Any]) -> Constraint | None:
    lengths = {name: known[name] for name in ("min_len", "max_len") if name in known}
    if base is int:
        low, high = known.get("min"), known.get("max")
        low = low + 1 if low is not None and known.get("exclude_min") else low
        high = high - 1 if high is not None and known.get("exclude_max") else high
        return ints(low, high, multiple_of=known.get("multiple_of"))
    if base is float and "multiple_of" not in known and not lengths:
        return floats(**known)
    if base is str and lengths:
        return strs(**lengths)
    if typing.get_origin(base) is list and lengths:
        inner = constraint_of(typing.get_args(base)[0])
        return None if inner is None else lists(inner, **lengths)
    return None
