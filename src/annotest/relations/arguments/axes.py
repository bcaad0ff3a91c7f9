"""Axes: on which a call can be made in several ways. What is left out, what is taken."""

from __future__ import annotations

from collections.abc import Iterator

from annotest.constraints import Constraint
from annotest.constraints._structure import Alternatives, Fields, Row
from annotest.relations.solving.variables import Inside, Member, Name

# which of its alternatives is taken on each axis
Variation = dict[Name, int]


class LeftOut(Inside):
    """Whether an argument is left out."""

    told = " left out"


class Present(Inside):
    """Whether a key that may be missing is there."""

    told = " present"


class HasSide(Name):
    """Whether shapes have an optional side."""

    told = "side {0.name}"
    name: str


class Alternative(Inside):
    """One of the alternatives of a union, in which there may be other axes."""

    told = " as alternative {0.place}"
    place: int


def axes(constraint: Constraint, path: Name) -> Iterator[tuple[Name, int]]:
    """Yield where a constraint can be met in several ways, and in how many."""
    match constraint.structure:
        case Alternatives(constraints):
            yield path, len(constraints)
            for place, part in enumerate(constraints):
                yield from axes(part, Alternative(path, place))
        case Row(elements):
            for place, part in enumerate(elements):
                yield from axes(part, Member(path, place))
        case Fields(record):
            for key, (part, optional) in record.items():
                if optional:
                    yield Present(Member(path, key)), 2
                yield from axes(part, Member(path, key))


def is_sensible(variation: Variation) -> bool:
    """Leave out ways that differ only in what is not there."""
    return all(_is_there(axis, variation) for axis, taken in variation.items() if taken)


def _is_there(axis: Name, variation: Variation) -> bool:
    argument, *inside = axis.path()
    if not isinstance(axis, LeftOut) and variation.get(LeftOut(argument)):
        return False
    unions = [step for step in inside if isinstance(step, Alternative)]
    return all(variation[step.of] == step.place for step in unions)
