"""What a condition says of one list or number: what it is equal to, or how it may grow."""

from __future__ import annotations

import ast
import copy

AT_END, AT_FRONT = "at the end", "at the front"


def mentions(tree: ast.AST, name: str) -> bool:
    """Say whether an expression mentions a name."""
    return any(isinstance(one, ast.Name) and one.id == name for one in ast.walk(tree))


def solution(tree: ast.expr, name: str) -> ast.expr | None:
    """Return what a condition says that a name is equal to; its length may be part of that."""
    if not isinstance(tree, ast.Compare) or not isinstance(tree.ops[0], ast.Eq):
        return None
    sides = (tree.left, tree.comparators[0])
    for one, other in (sides, sides[::-1]):
        if isinstance(one, ast.Name) and one.id == name:
            if not mentions(_Lengths(name, "_").visit(copy.deepcopy(other)), name):
                return other
    return None


def with_length(tree: ast.expr, name: str, length: str) -> ast.expr:
    """Return an expression with the length of a list in another word."""
    found: ast.expr = _Lengths(name, length).visit(copy.deepcopy(tree))
    return found


class _Lengths(ast.NodeTransformer):
    """Replaces `len(name)`."""

    def __init__(self, name: str, length: str) -> None:
        self._text = f"len({name})"
        self._length = length

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if ast.unparse(node) == self._text:
            return ast.Name(self._length, ast.Load())
        return self.generic_visit(node)


def is_mirrored(tree: ast.expr, name: str) -> bool:
    """Say whether a condition is that a list is the same from both ends."""
    sides = ast.unparse(tree).split(" == ")
    turned = {f"{name}[::-1]", f"list(reversed({name}))", f"tuple(reversed({name}))"}
    return len(sides) == 2 and name in sides and bool(turned & set(sides))


def growth(tree: ast.expr, name: str, *, may_be_empty: bool) -> str | None:
    """Say where items may be added to a list one by one, with a condition true all the while.

    So it is where the condition is true of each list from which the last items, or the first ones,
    are taken away, and of nothing, if there may be none. None where that is not known.
    """
    if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.Or):
        parts = [one for one in tree.values if mentions(one, name)]
        return growth(parts[0], name, may_be_empty=may_be_empty) if len(parts) == 1 else None
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not):
        if ast.unparse(tree.operand).startswith("any("):
            return _of_loop(tree.operand, name)
        return AT_END if _is_common_part(tree.operand, name) else None
    text = ast.unparse(tree)
    if text.startswith("all("):
        return _of_loop(tree, name)
    if text in (f"len(set({name})) == len({name})", f"len({name}) == len(set({name}))"):
        return AT_END
    has_end = not may_be_empty and _is_at_most(tree, name)
    return AT_END if has_end or _is_subset(tree, name) else None


def _is_at_most(tree: ast.expr, name: str) -> bool:
    """Recognise a sum or a product that has an upper end: fewer items do not give more."""
    if not isinstance(tree, ast.Compare):
        return False
    small, large = tree.left, tree.comparators[0]
    if isinstance(tree.ops[0], ast.Gt | ast.GtE):
        small, large = large, small
    elif not isinstance(tree.ops[0], ast.Lt | ast.LtE):
        return False
    text = ast.unparse(small)
    return text.endswith((f"sum({name})", f"prod({name})")) and not mentions(large, name)


def _of_loop(tree: ast.expr, name: str) -> str | None:
    """Say where a list may grow of whose items something holds."""
    if not isinstance(tree, ast.Call) or len(tree.args) != 1:
        return None
    loop = tree.args[0]
    if not isinstance(loop, ast.GeneratorExp | ast.ListComp):
        return None
    found = {_direction(one.iter, name) for one in loop.generators} - {""}
    tests = [loop.elt, *(test for one in loop.generators for test in one.ifs)]
    if len(found) != 1 or not all(_is_by_place(one, name) for one in tests):
        return None
    return found.pop()


def _direction(node: ast.expr, name: str) -> str | None:
    """Say where more comes when a list grows: nothing, if not at all; None if it is not known."""
    if not mentions(node, name):
        return ""
    text = ast.unparse(node)
    if text == name or text in (f"{name}[1:]", f"{name}[2:]", f"{name}[:-1]"):
        return AT_END
    if text == f"{name}[::-1]" or text == f"reversed({name})":
        return AT_FRONT
    if not isinstance(node, ast.Call):
        return None
    called = ast.unparse(node.func).rpartition(".")[2]
    if called in ("zip", "enumerate", "pairwise", "combinations"):
        found = {_direction(one, name) for one in node.args} - {""}
        only = found.pop() if len(found) == 1 else None
        return only if called == "zip" or only == AT_END else None
    return AT_END if called == "range" and _is_counted(node.args[-1], name) else None


def _is_counted(node: ast.expr, name: str) -> bool:
    """Recognise the length of a list, or a little less, as the end of a range."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "min":
        return any(_is_counted(one, name) for one in node.args)
    return ast.unparse(node) in (f"len({name})", f"len({name}) - 1", f"len({name}) - 2")


def _is_by_place(tree: ast.expr, name: str) -> bool:
    """Say whether a list is mentioned only as its item at some place, counted from the first."""
    inside = [one for one in ast.walk(tree) if isinstance(one, ast.Subscript)]
    at_place = [
        one.value
        for one in inside
        if isinstance(one.value, ast.Name)
        and not isinstance(one.slice, ast.Slice)
        and not any(isinstance(part, ast.USub) for part in ast.walk(one.slice))
        and not mentions(one.slice, name)
    ]
    named = [one for one in ast.walk(tree) if isinstance(one, ast.Name) and one.id == name]
    return all(any(one is other for other in at_place) for one in named)


def _is_common_part(tree: ast.expr, name: str) -> bool:
    """Recognise `set(a) & set(name)`."""
    if not isinstance(tree, ast.BinOp) or not isinstance(tree.op, ast.BitAnd):
        return False
    sides = [tree.left, tree.right]
    own = [one for one in sides if ast.unparse(one) == f"set({name})"]
    return len(own) == 1 and not any(mentions(one, name) for one in sides if one is not own[0])


def _is_subset(tree: ast.expr, name: str) -> bool:
    """Recognise `set(name) <= set(a)`, and the other ways to say it."""
    if not isinstance(tree, ast.Compare) or len(tree.ops) != 1:
        return _is_subset_in_words(tree, name)
    small, large = tree.left, tree.comparators[0]
    if isinstance(tree.ops[0], ast.GtE):
        small, large = large, small
    elif not isinstance(tree.ops[0], ast.LtE):
        return False
    return ast.unparse(small) == f"set({name})" and not mentions(large, name)


def _is_subset_in_words(tree: ast.expr, name: str) -> bool:
    if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Attribute):
        return False
    words = ("issubset", "isdisjoint")
    own = ast.unparse(tree.func.value) == f"set({name})"
    return own and tree.func.attr in words and not any(mentions(one, name) for one in tree.args)


def permuted(tree: ast.expr, name: str) -> ast.expr | None:
    """Return what has the same items in another order: `sorted(name) == sorted(other)`."""
    if not isinstance(tree, ast.Compare) or not isinstance(tree.ops[0], ast.Eq):
        return None
    sides = (tree.left, tree.comparators[0])
    for one, other in (sides, sides[::-1]):
        if ast.unparse(one) == f"sorted({name})" and not mentions(other, name):
            is_sorted = isinstance(other, ast.Call) and ast.unparse(other.func) == "sorted"
            if is_sorted and len(other.args) == 1 and not other.keywords:  # type: ignore[attr-defined]
                return other.args[0]  # type: ignore[attr-defined, no-any-return]
    return None


def multiplied_to(tree: ast.expr, name: str) -> ast.expr | None:
    """Return what the product of a list is: `math.prod(name) == n`."""
    if not isinstance(tree, ast.Compare) or not isinstance(tree.ops[0], ast.Eq):
        return None
    sides = (tree.left, tree.comparators[0])
    for one, other in (sides, sides[::-1]):
        is_product = isinstance(one, ast.Call) and ast.unparse(one.func).endswith("prod")
        if is_product and ast.unparse(one).endswith(f"prod({name})") and not mentions(other, name):
            return other
    return None


def copied(tree: ast.expr) -> tuple[str, bool]:
    """Return the list whose items an expression gives, and whether all; "" if that is not known."""
    if isinstance(tree, ast.Name | ast.Attribute):
        return ast.unparse(tree), True
    if isinstance(tree, ast.Subscript) and isinstance(tree.slice, ast.Slice):
        name, has_all = copied(tree.value)
        return name, has_all and ast.unparse(tree.slice) in (":", "::-1")
    if isinstance(tree, ast.Call) and ast.unparse(tree.func) in _COPYING and tree.args:
        return copied(tree.args[0])
    return "", False


def item_of(tree: ast.expr) -> str:
    """Return the list of which an expression gives an item; "" if that is not known."""
    if isinstance(tree, ast.Subscript) and not isinstance(tree.slice, ast.Slice):
        return copied(tree.value)[0]
    if isinstance(tree, ast.Call) and ast.unparse(tree.func) in ("max", "min") and tree.args[:1]:
        return copied(tree.args[0])[0] if len(tree.args) == 1 else ""
    return ""


_COPYING = ("list", "tuple", "sorted", "reversed")
