"""Sizes as text: the one place that says what a side or a length is, given what its names mean."""

from __future__ import annotations

import ast
import operator
from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import cache, cached_property
from types import CodeType
from typing import Any

from annotest.errors import InvalidAnnotation
from annotest.records import record

_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.Pow)
_FUNCTIONS = {"min": min, "max": max, "abs": abs}
_LONGEST = 4000  # bits of a power: none longer is a size, and to work it out may take for ever
MOST_STARRED = 2


def _power(base: int, exponent: int) -> int:
    if base.bit_length() * exponent > _LONGEST:
        raise OverflowError("too large for a size")
    return operator.index(base**exponent)


# no argument has the name **
_SCOPE: dict[str, Any] = {"__builtins__": {}, **_FUNCTIONS, "**": _power}


class _PowersCalled(ast.NodeTransformer):
    """Has powers worked out by a function of ours."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Pow):
            return node
        call = ast.Call(ast.Name("**", ast.Load()), [node.left, node.right], [])
        return ast.fix_missing_locations(ast.copy_location(call, node))


class NoSize(Exception):
    """What is written as a size is none in this call: negative, no whole number, or it raises."""

    told = "is no size"


class NoRange(NoSize):
    """The bounds that names give in this call leave no value."""

    told = "allows nothing"


@record
class Meanings:
    """What the names in sizes, and the labels of shared dtypes, mean in one call.

    `shapes` are those of arguments, as far as somebody asks for them.
    """

    names: Mapping[str, Any]
    dtypes: Mapping[str, str] = field(default_factory=dict)
    shapes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


@record
class Side:
    """One part of a named shape: a side, or (`starred`) any number of them.

    One that is `optional` is there in all shapes of a call that name it so, or in none.
    """

    text: str
    starred: bool = False
    optional: bool = False

    def number(self, names: Mapping[str, Any]) -> int:
        """Return the whole number that these names make it; NoSize where that is none."""
        try:
            return operator.index(eval(self._code, _SCOPE, names))
        except Exception:  # whatever an attribute of the user's does
            raise NoSize(self.text) from None

    def size(self, names: Mapping[str, Any]) -> int:
        """Return the size that these names make it; NoSize where that is none."""
        size = self.number(names)
        if size < 0:
            raise NoSize(self.text)
        return size

    @property
    def is_open(self) -> bool:
        """Whether it may be of any size: `_`, `...` and `*batch`."""
        return self.starred or self.text == "_"

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The dimensions that it mentions."""
        roots = set(self.roots)
        return tuple(dict.fromkeys(name for name in self._all_names() if name not in roots))

    @cached_property
    def roots(self) -> tuple[str, ...]:
        """The objects whose attributes it mentions, such as self."""
        return tuple(dict.fromkeys(root for root, _ in self.attributes))

    @cached_property
    def attributes(self) -> tuple[tuple[str, str], ...]:
        """The attributes that it mentions, each behind the object whose it is."""
        return () if self.is_open else attributes_in(self.tree)

    def _all_names(self) -> Iterator[str]:
        if self.is_open:
            return
        called = {id(node.func) for node in ast.walk(self.tree) if isinstance(node, ast.Call)}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Name) and id(node) not in called:
                yield node.id

    @cached_property
    def tree(self) -> ast.expr:
        """The expression of one side."""
        return ast.parse(self.text, mode="eval").body

    @cached_property
    def _code(self) -> CodeType:
        tree = ast.parse(self.text, mode="eval")
        return compile(_PowersCalled().visit(tree), "<size>", "eval")


def attributes_in(tree: ast.AST) -> tuple[tuple[str, str], ...]:
    """Return the attributes of plain names, as ("self", "units")."""
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    named = ((node.value, node.attr) for node in nodes)
    return tuple((owner.id, name) for owner, name in named if isinstance(owner, ast.Name))


@cache
def read_shape(owner: str, text: str) -> tuple[Side, ...]:
    """Read a shape such as "b 2*h w+1 3", "... c" or "*batch n"."""
    sides = [_read_side(owner, text, token) for token in text.split()]
    if sum(side.starred for side in sides) > 1:
        raise InvalidAnnotation(
            f"{owner}: the shape {text!r} has two parts of any length", "keep one of them"
        )
    if any(side.starred for side in sides) and any(side.optional for side in sides):
        raise InvalidAnnotation(
            f"{owner}: the shape {text!r} has a part of any length beside an optional side",
            "keep one of them",
        )
    return tuple(sides)


def _read_side(owner: str, text: str, token: str) -> Side:
    if token == "...":
        return Side("...", True)
    if token.startswith("*") and token[1:].isidentifier():
        return Side(token[1:], True)
    if token.endswith("?") and token[:-1].isidentifier() and token != "_?":
        return Side(token[:-1], optional=True)
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
    if _is_never(Side(token)):
        raise InvalidAnnotation(
            f"{owner}: {token!r} in {text!r} is never a size",
            "make it a whole number from 0",
        )
    return token


def read_bound(owner: str, name: str, text: str) -> str:
    """Check that a bound as text is a number, a name, or arithmetic of them; return it."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        tree = None
    if tree is None or not _is_arithmetic(tree) or text == "_":
        raise InvalidAnnotation(
            f"{owner}({name}={text!r}): that is no number",
            f"use names, whole numbers and arithmetic, as in {name}='classes-1'",
        )
    return text.strip()


def _is_never(side: Side) -> bool:
    """Say whether it is no size whatever happens: arithmetic of numbers that gives none."""
    if side.names or side.roots or side.is_open:
        return False
    try:
        side.size({})
    except NoSize:
        return True
    return False


def _is_arithmetic(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return type(node.value) is int and node.value >= 0
    if isinstance(node, ast.BinOp):
        parts = _is_arithmetic(node.left) and _is_arithmetic(node.right)
        return isinstance(node.op, _OPERATORS) and parts
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and _is_arithmetic(node.operand)
    if isinstance(node, ast.Attribute):
        return isinstance(node.value, ast.Name) or _is_arithmetic(node.value)
    if isinstance(node, ast.Call):
        known = isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS
        return known and not node.keywords and all(map(_is_arithmetic, node.args))
    return isinstance(node, ast.Name)


def aligned(sides: tuple[Side, ...], count: int) -> list[tuple[int, Side]]:
    """Return the sides that are not starred, with their places in a shape of so many sides.

    Of the optional ones, the first are left out if there are too many.
    """
    missing = len(sides) - count
    for side in [side for side in sides if side.optional][: max(0, missing)]:
        sides = tuple(other for other in sides if other is not side)
    placed, place = [], 0
    for side in sides:
        if side.starred:
            place += count - (len(sides) - 1)
        else:
            placed.append((place, side))
            place += 1
    return placed
