"""Preconditions as trees, in the user's own words: taken apart, and with parts replaced."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator


class Unprintable(Exception):
    """The draws of a plan are not of the few shapes that are printed."""


def parsed(text: str) -> ast.expr:
    """Return the tree of an expression."""
    return ast.parse(text.strip(), mode="eval").body


def bound_in(tree: ast.expr) -> set[str]:
    """Return the names that loops and functions inside an expression bind."""
    nodes = list(ast.walk(tree))
    stored = [node for node in nodes if type(node) is ast.Name and type(node.ctx) is ast.Store]
    return {node.id for node in stored} | {node.arg for node in nodes if type(node) is ast.arg}


def free_in(tree: ast.expr) -> set[str]:
    """Return the names that an expression takes from around it."""
    return {node.id for node in ast.walk(tree) if type(node) is ast.Name} - bound_in(tree)


def conjuncts(tree: ast.expr) -> Iterator[ast.expr]:
    """Yield the conditions that must all hold; `a <= b < c` is two, `(a, b) == (c, d)` too."""
    match tree:
        case ast.BoolOp(ast.And(), parts):
            yield from itertools.chain.from_iterable(map(conjuncts, parts))
        case ast.Compare(left, [_, _, *_] as signs, others):
            for pair, sign in zip(itertools.pairwise([left, *others]), signs, strict=True):
                yield from conjuncts(ast.Compare(pair[0], [sign], [pair[1]]))
        case ast.Compare(ast.Tuple(a), [ast.Eq()], [ast.Tuple(b)]) if len(a) == len(b):
            for pair in zip(a, b, strict=True):
                yield ast.Compare(pair[0], [ast.Eq()], [pair[1]])
        case _:
            yield tree


class Replacing(ast.NodeTransformer):
    """Replaces expressions by what they mean, such as `x.shape[1]` by the name of that side."""

    def __init__(self, meanings: dict[str, str]) -> None:
        self.of = meanings

    def put_into(self, tree: ast.expr) -> ast.expr:
        """Return an expression with all that has a meaning replaced."""
        copied = parsed(ast.unparse(tree))
        return parsed(ast.unparse(self.visit(copied))) if self.of else copied

    def visit(self, node: ast.AST) -> ast.AST:
        """Replace one expression, or those inside it."""
        meaning = self.of.get(ast.unparse(node)) if isinstance(node, ast.expr) else None
        if meaning is not None:
            return parsed(meaning)
        self.generic_visit(node)
        return _item(node) if isinstance(node, ast.Subscript) else node


def _item(node: ast.Subscript) -> ast.expr:
    """Return an item of a tuple whose items are all known, or some of them."""
    if not isinstance(node.value, ast.Tuple):
        return node
    sides = node.value.elts
    try:
        taken = eval(f"{tuple(range(len(sides)))}[{ast.unparse(node.slice)}]", {})
    except Exception:
        return node  # which one, only a variable says
    if isinstance(taken, int):
        return sides[taken]
    return ast.Tuple([sides[place] for place in taken], ast.Load())
