"""NaN, which no comparison but `!=` holds for: where one must hold, it need not be drawn."""

from __future__ import annotations

import ast
import builtins
from typing import Any

from annotest.relations.reading.statements import Statement

_FALSE_FOR_NAN = ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq
# what is reckoned with NaN is NaN; but `nan ** 0` is 1
_KEEP_NAN = ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod


def never_nan(statement: Statement) -> set[str]:
    """Return the names whose values, or items, are not NaN where a statement holds."""
    return _Reading(statement.scope).holding(statement.tree)


class _Reading:
    """Reads expressions whose names mean what a scope says."""

    def __init__(self, scope: dict[str, Any]) -> None:
        self._scope = scope

    def holding(self, node: ast.expr) -> set[str]:
        """Return the names that are not NaN where an expression is true."""
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
            return {name for part in node.values for name in self.holding(part)}
        if isinstance(node, ast.Compare):
            return self._compared(node)
        argument = self._argument(node, "all")
        if isinstance(argument, ast.GeneratorExp | ast.ListComp):
            return self._looped(argument)
        return set()

    def _compared(self, node: ast.Compare) -> set[str]:
        sides = [node.left, *node.comparators]
        names = set()
        for left, sign, right in zip(sides, node.ops, sides[1:], strict=False):
            if isinstance(sign, _FALSE_FOR_NAN):
                names |= self._reckoned(left) | self._reckoned(right)
        return names

    def _looped(self, node: ast.GeneratorExp | ast.ListComp) -> set[str]:
        loop = node.generators[0]
        if len(node.generators) > 1 or loop.ifs or not isinstance(loop.iter, ast.Name):
            return set()
        items = loop.target.id if isinstance(loop.target, ast.Name) else ""
        return {loop.iter.id} if items in self.holding(node.elt) else set()

    def _reckoned(self, node: ast.expr) -> set[str]:
        """Return the names that make a number NaN when they are."""
        if isinstance(node, ast.Name):
            return {node.id}
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
            return self._reckoned(node.operand)
        if isinstance(node, ast.BinOp) and isinstance(node.op, _KEEP_NAN):
            return self._reckoned(node.left) | self._reckoned(node.right)
        argument = self._argument(node, "abs", "sum")
        return set() if argument is None else self._reckoned(argument)

    def _argument(self, node: ast.expr, *functions: str) -> ast.expr | None:
        """Return what one of these functions is called with; None for another expression."""
        if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
            return None
        name = getattr(node.func, "id", "")
        is_own = self._scope.get(name) in (None, getattr(builtins, name, None))
        return node.args[0] if name in functions and is_own else None
