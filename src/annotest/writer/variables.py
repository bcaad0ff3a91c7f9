"""How the writer calls the variables of a problem: all that it knows of their own names."""

from __future__ import annotations

from annotest.writer.naming import identifier


def length_of(path: str) -> str:
    """Return the variable that is the length of a list, or the number of sides of a shape."""
    return f"len({path})"


def side_of(array: str, place: int) -> str:
    """Return the variable that is one side of an array."""
    return f"{array}.shape[{place}]"


def is_item_of(variable: str, path: str) -> bool:
    """Say whether a variable is an item of a list, or part of one."""
    return variable.startswith(f"{path}[")


def local_name(variable: str) -> str:
    """Return what a variable is called in a test: `x_0` is a side of x, `sizes_len` a length."""
    if variable.startswith("len("):
        return f"{identifier(variable[4:-1])}_len"
    return identifier(variable.replace(".shape[", "_").removesuffix("]"))
