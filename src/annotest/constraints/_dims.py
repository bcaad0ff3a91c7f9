"""Named dimensions: shapes as text, in which a name means one number throughout a call."""

from __future__ import annotations

import ast
import copy
import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from annotest.constraints._base import Constraint, Mismatch
from annotest.errors import InvalidAnnotation
from annotest.expr import Expr, ours
from annotest.frozen import frozen

# the values of a dimension about which nothing else is said
SMALLEST_SIDE, LARGEST_SIDE = 1, 8
MOST_STARRED = 2

_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.Pow)


@frozen
class Side:
    """One part of a named shape: a side, or (`starred`) any number of them."""

    text: str
    starred: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The dimensions that it mentions."""
        if self.starred or self.text == "_":
            return ()
        found, tree = {}, self.tree
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and not _is_root(node, tree):
                found[node.id] = True
        return tuple(found)

    @property
    def roots(self) -> tuple[str, ...]:
        """The objects whose attributes it mentions."""
        if self.starred or self.text == "_":
            return ()
        tree = self.tree
        names = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
        return tuple(name.id for name in names if _is_root(name, tree))

    @property
    def tree(self) -> ast.expr:
        """The expression of one side."""
        return ast.parse(self.text, mode="eval").body


def _is_root(name: ast.Name, tree: ast.expr) -> bool:
    """Say whether a name is the object whose attribute is meant, as in self.units."""
    return any(isinstance(node, ast.Attribute) and node.value is name for node in ast.walk(tree))


@cache
def read_shape(owner: str, text: str) -> tuple[Side, ...]:
    """Read a shape such as "b 2*h w+1 3", "... c" or "*batch n"."""
    sides = [_read_side(owner, text, token) for token in text.split()]
    if sum(side.starred for side in sides) > 1:
        raise InvalidAnnotation(
            f"{owner}: the shape {text!r} has two parts of any length", "keep one of them"
        )
    return tuple(sides)


def _read_side(owner: str, text: str, token: str) -> Side:
    if token == "...":
        return Side("...", True)
    if token.startswith("*") and token[1:].isidentifier():
        return Side(token[1:], True)
    return Side(read_length(owner, text, token))


def read_length(owner: str, text: str, token: str) -> str:
    """Check that a text is a number, a name, or arithmetic of them; return it."""
    try:
        tree = ast.parse(token, mode="eval").body
    except (SyntaxError, ValueError):
        tree = None
    if tree is None or not _is_arithmetic(tree):
        raise InvalidAnnotation(
            f"{owner}: {token!r} in {text!r} is no size",
            "use names, whole numbers and arithmetic without blanks, as in 'b 2*h w+1 3'",
        )
    return token


def _is_arithmetic(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return type(node.value) is int and node.value >= 0
    if isinstance(node, ast.BinOp):
        parts = _is_arithmetic(node.left) and _is_arithmetic(node.right)
        return isinstance(node.op, _OPERATORS) and parts
    if isinstance(node, ast.Attribute):
        return isinstance(node.value, ast.Name) or _is_arithmetic(node.value)
    return isinstance(node, ast.Name)


@dataclass(frozen=True, eq=False, repr=False)
class NamedShape(Constraint):
    """Shape tuples whose sides are named; the names mean the same in the whole call."""

    name: ClassVar[str] = "named shape"
    text: str

    def __post_init__(self) -> None:
        read_shape("a shape", self.text)

    @property
    def sides(self) -> tuple[Side, ...]:
        """The parts of the shape."""
        return read_shape("a shape", self.text)

    def __repr__(self) -> str:
        return repr(self.text)

    def strategy(self) -> Expr:
        return ours.named_shapes(self.text)

    def decides(self) -> bool:
        return False  # the names are known to the whole call only

    def mismatches(self, value: Any, at: str = "value") -> Iterator[Mismatch]:
        if not isinstance(value, tuple):
            yield Mismatch(at, "a shape tuple", value)
            return
        fixed = [side for side in self.sides if not side.starred]
        starred = len(fixed) < len(self.sides)
        if len(value) < len(fixed) or (not starred and len(value) > len(fixed)):
            wanted = f"at least {len(fixed)}" if starred else f"{len(fixed)}"
            yield Mismatch(f"len({at})", f"{wanted} sides as in {self.text!r}", len(value))
            return
        yield from self._wrong_sides(value, at)

    def _wrong_sides(self, value: tuple[Any, ...], at: str) -> Iterator[Mismatch]:
        known: dict[str, int] = {}
        for place, side in aligned(self.sides, len(value)):
            if side.text.isdigit() and value[place] != int(side.text):
                yield Mismatch(f"{at}[{place}]", side.text, value[place])
            elif side.text.isidentifier() and side.text != "_":
                if known.setdefault(side.text, value[place]) != value[place]:
                    wanted = f"{side.text} = {known[side.text]}"
                    yield Mismatch(f"{at}[{place}]", wanted, value[place])


def aligned(sides: tuple[Side, ...], count: int) -> list[tuple[int, Side]]:
    """Return the sides that are not starred, with their places in a shape of so many sides."""
    found, place = [], 0
    for side in sides:
        if side.starred:
            place += count - (len(sides) - 1)
        else:
            found.append((place, side))
            place += 1
    return found


_NAMED = "_named_in"


def named_in(constraint: Constraint) -> tuple[str, ...]:
    """Return the dimensions that a constraint mentions, and its own marks of being named."""
    kept: tuple[str, ...] | None = constraint.__dict__.get(_NAMED)
    if kept is None:  # asked again and again, and always the same
        kept = _names_of_sizes(constraint)
        object.__setattr__(constraint, _NAMED, kept)
    return kept


def _names_of_sizes(constraint: Constraint) -> tuple[str, ...]:
    found: dict[str, bool] = {}
    for one in with_parts(constraint):
        text = getattr(one, "shape", None)
        if isinstance(text, str):
            found["…"] = True
            found |= {name: True for side in NamedShape(text).sides for name in side.names}
        if getattr(getattr(one, "dtype", None), "name", "") == "same":
            found["…"] = True
        text = getattr(one, "len", None)
        if isinstance(text, str):
            found["…"] = True
            found |= dict.fromkeys(Side(text).names, True)
    return tuple(name for name in found if name != "…") or (("…",) if found else ())


def starred_in(constraint: Constraint) -> dict[str, str]:
    """Return the names that stand for several sides, with the slice of a shape that they are."""
    found: dict[str, str] = {}
    for one in with_parts(constraint):
        text = getattr(one, "shape", None)
        sides = NamedShape(text).sides if isinstance(text, str) else ()
        for place, side in enumerate(sides):
            if side.starred and side.text != "...":
                before, after = place or "", place + 1 - len(sides) or ""
                found.setdefault(side.text, f"[{before}:{after}]" if len(sides) > 1 else "")
    return found


def roots_in(constraint: Constraint) -> tuple[str, ...]:
    """Return the objects whose attributes stand in shapes and lengths, such as self."""
    found: dict[str, bool] = {}
    if not named_in(constraint):
        return ()
    for one in with_parts(constraint):
        sides = NamedShape(one.shape).sides if isinstance(getattr(one, "shape", None), str) else ()
        length = getattr(one, "len", None)
        for side in (*sides, *((Side(length),) if isinstance(length, str) else ())):
            found |= dict.fromkeys(side.roots, True)
    return tuple(found)


def with_parts(constraint: Constraint) -> Iterator[Any]:
    """Yield a constraint and all those inside it."""
    yield constraint
    for one in constraint.children():
        yield from with_parts(one)


def resolved(constraint: Constraint, sizes: dict[str, Any]) -> Constraint:
    """Return a constraint with what is known in the place of its dimensions and shared dtypes."""
    found = copy.copy(constraint)
    found.__dict__.pop(_NAMED, None)
    for field in dataclasses.fields(constraint):  # type: ignore[arg-type]
        value = getattr(constraint, field.name)
        if field.name == "shape" and isinstance(value, str):
            value = " ".join(_sized(side, sizes) for side in NamedShape(value).sides)
            sides = value.split()
            if all(side.isdigit() for side in sides):
                value = tuple(int(side) for side in sides)
        elif field.name == "len" and isinstance(value, str):
            value = int(_sized(Side(value), sizes))
        elif field.name == "dtype" and getattr(value, "name", "") == "same":
            value = sizes.get(f"dtype {value.label}", value)
        else:
            value = _resolved_inside(value, sizes)
        object.__setattr__(found, field.name, value)
    return found


def _sized(side: Side, sizes: dict[str, Any]) -> str:
    if side.starred or side.text == "_":
        return f"*{side.text}" if side.starred and side.text != "..." else side.text
    return str(max(0, int(eval(side.text, {}, sizes))))


def _resolved_inside(value: Any, sizes: dict[str, Any]) -> Any:
    if isinstance(value, Constraint):
        return resolved(value, sizes)
    if type(value) in (list, tuple):
        return type(value)(_resolved_inside(one, sizes) for one in value)
    if type(value) is dict:
        return {key: _resolved_inside(one, sizes) for key, one in value.items()}
    return value
