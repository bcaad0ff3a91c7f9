"""The sizes that values have on the sides that annotations name."""

from __future__ import annotations

from typing import Any

from annotest.constraints import Constraint, anys, tuples
from annotest.constraints._dims import NamedShape, Side, aligned
from annotest.constraints._shapes import shape_constraint


def sides_of(constraint: Constraint, value: Any) -> list[tuple[Side, int]]:
    """Return the named sides of an argument with the sizes that they have in a value."""
    if isinstance(constraint, anys):
        fitting = (sides_of(one, value) for one in constraint.constraints)
        return next((found for found in fitting if found), [])
    if isinstance(constraint, tuples) and constraint.is_fixed and isinstance(value, tuple):
        pairs = zip(constraint.elements, value, strict=False)
        return [one for part, item in pairs for one in sides_of(part, item)]
    text = getattr(constraint, "len", None)
    if isinstance(text, str):
        return [(Side(text), len(value))] if hasattr(value, "__len__") else []
    if not isinstance(getattr(constraint, "shape", None), str):
        return []
    shape = shape_constraint("shape", constraint.shape)  # type: ignore[attr-defined]
    sizes = getattr(value, "shape", None)
    if not isinstance(shape, NamedShape) or sizes is None:
        return []
    sizes = tuple(int(size) for size in sizes)
    fixed = sum(not side.starred for side in shape.sides)
    if len(sizes) < fixed or (fixed == len(shape.sides) and len(sizes) > fixed):
        return []
    return [(side, sizes[place]) for place, side in aligned(shape.sides, len(sizes))]
