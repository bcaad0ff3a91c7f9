"""How a test calls the variables of a problem."""

from __future__ import annotations

from annotest.relations.solving.variables import Length, Member, Name, Named, ShapeOf
from annotest.writer.naming import identifier


def length_of(argument: str) -> Name:
    """Return the variable that is the length of a list."""
    return Length(Named(argument))


def count_of_sides(argument: str) -> Name:
    """Return the variable that says how many sides an array has."""
    return Length(ShapeOf(Named(argument)))


def side_of(argument: str, place: int) -> Name:
    """Return the variable that is one side of an array."""
    return Member(ShapeOf(Named(argument)), place)


def local_name(variable: Name) -> str:
    """Return what a variable is called in a test: `x_0` is a side of x, `sizes_len` a length."""
    match variable:
        case Length(of):
            return f"{identifier(str(of))}_len"
        case Member(ShapeOf(of), place):
            return identifier(f"{of}_{place}")
    return identifier(str(variable))
