"""What constructors of constraints check, and how they say what is wrong."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from annotest.constraints._base import Constraint
from annotest.errors import InvalidAnnotation
from annotest.source import shown


def checked(owner: str, value: Any) -> Constraint:
    """Return `value`, which must be a constraint, or say what to write instead."""
    if isinstance(value, Constraint):
        return value
    if isinstance(value, type) and issubclass(value, Constraint):
        raise InvalidAnnotation(
            f"{owner}: {value.name} is not called", f"write {value.name}(), with its arguments"
        )
    hint = f"for this one value, write froms([{shown(value)}])"
    raise InvalidAnnotation(
        f"{owner}: expected a constraint, got {shown(value)} ({type(value).__name__})", hint
    )


def checked_lengths(owner: Constraint, low: Any, high: Any, names: tuple[str, str]) -> None:
    """Check that two lengths are whole numbers, not negative, in order."""
    for name, value in zip(names, (low, high), strict=True):
        if value is not None and (type(value) is not int or value < 0):
            raise owner.refuse(
                f"has a wrong {name}: expected a whole number from 0, got {shown(value)}",
                f"give {name} as a whole number",
            )
        if value is not None and value > sys.maxsize:
            raise InvalidAnnotation(
                f"{owner.name}({name}=…): nothing in Python is longer than {sys.maxsize}",
                f"lower {name}",
            )
    if low is not None and high is not None and low > high:
        raise owner.refuse(
            f"allows nothing: {names[0]}={low} is above {names[1]}={high}",
            f"make {names[0]} at most {names[1]}",
        )


def keep_bounds(owner: Any, low: Any, high: Any, checked: Callable[[str, str, Any], Any]) -> None:
    """Keep the bounds of numbers, however they are spelled, as they are when `checked`."""
    for name, other in (("min", low), ("max", high)):
        given = merge_alias(owner.name, name, getattr(owner, name), f"{name}_value", other)
        object.__setattr__(owner, name, checked(owner.name, name, given))


def refuse_empty(owner: Constraint, low: Any, high: Any) -> None:
    """Refuse bounds between which nothing lies."""
    if low is not None and high is not None and low > high:
        raise owner.refuse(f"allows nothing: min={low} is above max={high}", "make min at most max")


def merge_alias(owner: str, name: str, value: Any, alias: str, other: Any) -> Any:
    """Return the one of two spellings of an argument that was given; both is a mistake."""
    if other is None:
        return value
    if value is not None:
        raise InvalidAnnotation(
            f"{owner}() got {name} and {alias}, which mean the same", f"keep {name}"
        )
    return other
