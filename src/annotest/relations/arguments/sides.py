"""The sizes that values have on the sides that annotations name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from annotest import frameworks
from annotest.constraints import Constraint
from annotest.constraints._sizes import Side, aligned
from annotest.constraints._structure import Alternatives
from annotest.relations.solving.variables import Group, Name, SharedDtype

Sizes = tuple[int, ...]
PlacedSide = tuple[int, Side]


def shapes_of(values: Mapping[str, Any], names: Iterable[str]) -> dict[str, Sizes]:
    """Return the shapes of arguments, of those that are arrays."""
    views = {name: frameworks.view(values.get(name)) for name in names}
    return {name: view.shape for name, view in views.items() if view is not None}


def sides_of(constraint: Constraint, value: Any) -> list[tuple[Side, int]]:
    """Return the named sides of an argument with the sizes that they have in a value."""
    every = []
    for part, item in _parts(constraint, value):
        named = _named_sides(part, item)
        if named is not None:
            sides, sizes = named
            every += [(side, sizes[place]) for place, side in aligned(sides, len(sizes))]
    return every


def placed_sides_of(constraint: Constraint, value: Any) -> list[tuple[Any, list[PlacedSide]]]:
    """Return the arrays and lists inside an argument with the sides that they name, and where."""
    named = ((item, _named_sides(part, item)) for part, item in _parts(constraint, value))
    return [(item, aligned(each[0], len(each[1]))) for item, each in named if each is not None]


def starred_sides_of(constraint: Constraint, value: Any) -> list[tuple[Name, tuple[int, ...]]]:
    """Return the parts of any length that have a name, such as *batch, with the sizes there."""
    starred = _starred(constraint, value)
    return [(Group(side.text), sizes) for side, sizes in starred if side.text != "..."]


def open_sizes_of(constraint: Constraint, value: Any) -> list[int]:
    """Return the sizes of sides that have no name: `_`, and those behind `...` and `*batch`."""
    alone = [size for side, size in sides_of(constraint, value) if side.is_open]
    return alone + [size for _, sizes in _starred(constraint, value) for size in sizes]


def _starred(constraint: Constraint, value: Any) -> list[tuple[Side, Sizes]]:
    every: list[tuple[Side, Sizes]] = []
    for part, item in _parts(constraint, value):
        sides, sizes = _named_sides(part, item) or ((), ())
        for place, side in enumerate(sides):
            if side.starred:
                end = len(sizes) - (len(sides) - 1 - place)
                every.append((side, sizes[place:end]))
    return every


def shared_dtypes_of(constraint: Constraint, value: Any) -> list[tuple[SharedDtype, str]]:
    """Return the dtypes that arguments share by name, as a value has them."""
    shared = ((part, frameworks.view(item)) for part, item in _parts(constraint, value))
    return [
        (SharedDtype(part.shared_dtype()), view.dtype)
        for part, view in shared
        if part.shared_dtype() and view is not None
    ]


def bounded_in(constraint: Constraint, value: Any) -> list[tuple[Any, Any]]:
    """Return the constraints whose bounds or shapes others give, each with its array or shape."""
    return [
        (part, item)
        for part, item in _parts(constraint, value)
        if (part.named_bounds() or part.shaped_after())
        and (isinstance(item, tuple) or frameworks.view(item) is not None)
    ]


def _parts(constraint: Constraint, value: Any) -> list[tuple[Constraint, Any]]:
    """Return the constraints that may have named sizes, each with its part of a value."""
    if isinstance(constraint.structure, Alternatives):
        each = (_parts(part, value) for part in constraint.structure.constraints)
        return next((parts for parts in each if any(_is_named(*part) for part in parts)), [])
    parts = [(constraint, value)]
    for _, inner, item in constraint.parts(value):
        parts += _parts(inner, item) if inner.is_named else []
    return parts


def _is_named(constraint: Constraint, value: Any) -> bool:
    """Say whether a value has sizes, bounds or a dtype that a constraint names."""
    of_array = constraint.shared_dtype() or constraint.named_bounds() or constraint.shaped_after()
    is_array = bool(of_array) and frameworks.view(value) is not None
    return is_array or _named_sides(constraint, value) is not None


def _named_sides(constraint: Constraint, value: Any) -> tuple[tuple[Side, ...], Sizes] | None:
    """Return the sides that a constraint names, and the sizes of a value that has them."""
    sides, sizes = constraint.named_sides(), _sizes_of(value)
    if not sides or sizes is None:
        return None
    fixed = sum(not side.starred for side in sides)
    if len(sizes) < fixed or (fixed == len(sides) and len(sizes) > fixed):
        return None
    return sides, sizes


def _sizes_of(value: Any) -> Sizes | None:
    """Return the shape of an array, or the length of a list as its only side."""
    view = frameworks.view(value)
    if view is not None:
        return view.shape
    return (len(value),) if isinstance(value, list) else None
