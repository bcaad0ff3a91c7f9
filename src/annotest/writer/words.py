"""Conditions on lists in the user's words, over the names that a composite has so far."""

from __future__ import annotations

import ast
import copy
from typing import Any

from annotest.errors import UnwritableValue
from annotest.relations.arguments.array_nodes import Array, Sides
from annotest.relations.arguments.items import Series
from annotest.relations.arguments.nodes import Fixed, Node
from annotest.relations.reading.sequences import listed
from annotest.relations.reading.symbols import Choice, Known
from annotest.relations.solving.terms import Term
from annotest.relations.solving.variables import Length, Named
from annotest.writer.cases import Case
from annotest.writer.clauses import Clause
from annotest.writer.conditions import unparsed
from annotest.writer.drafts import Draft
from annotest.writer.saying import local_name


def words_of(clause: Clause, draft: Draft, own: str) -> ast.expr:
    """Return a condition in the names of the composite: `x_shape` for `x.shape`.

    All that it mentions is drawn already, but for what it is to choose: `own`.
    """
    case = draft.case
    mentioned = {one.id for one in ast.walk(clause.tree) if isinstance(one, ast.Name)}
    if {one for one in mentioned if one in case.way.nodes} - case.nodes.keys() - draft.drawn:
        raise UnwritableValue("a condition on something that is drawn elsewhere")
    found: ast.expr = _Words(case, draft).visit(copy.deepcopy(clause.said))
    names = {node.id for node in ast.walk(found) if isinstance(node, ast.Name)}
    if names & _later(case):
        raise UnwritableValue("a condition on the contents of arrays, or on parts")
    if names & _not_drawn(draft) - {own}:
        raise UnwritableValue("a condition on something that is drawn later")
    return found


def _not_drawn(draft: Draft) -> set[str]:
    order = {one for one in draft.problem.order if not isinstance(one, Length)}
    numbers = {str(one) for one in order - draft.known}
    return {local_name(one) for one in numbers | draft.case.series.keys() - draft.drawn}


def text_of(tree: ast.expr) -> str:
    """Return an expression as it is written."""
    return unparsed(tree)


def _later(case: Case) -> set[str]:
    """Return the arguments that are put together when all of their parts are drawn."""
    return {
        name
        for name, node in case.nodes.items()
        if isinstance(node, Array) or (case.variables_of[name] - {Named(name), Length(Named(name))})
    }


class _Words(ast.NodeTransformer):
    """Puts the parts of an argument where the argument itself is not made yet."""

    def __init__(self, case: Case, draft: Draft) -> None:
        self._case = case
        self._draft = draft

    def visit_Name(self, node: ast.Name) -> ast.expr:
        found = self._case.nodes.get(node.id)
        if isinstance(found, Series) and str(found.path) not in self._case.series:
            return self._in_parts(found)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        path = ast.unparse(node)
        if path in self._case.series:
            return ast.Name(local_name(path), ast.Load())
        found = self.generic_visit(node)
        if isinstance(node.value, ast.Tuple | ast.List):
            try:
                return node.value.elts[int(ast.literal_eval(node.slice))]
            except (ValueError, TypeError, IndexError):
                return found
        return found

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        array = self._array(node.value)
        if array is None or node.attr not in ("shape", "ndim", "size"):
            return self.generic_visit(node)
        shape = self._shape(array)
        if node.attr == "shape":
            return shape
        return _called(self._draft.word("len") if node.attr == "ndim" else self._draft.prod, shape)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id == "len" and len(node.args) == 1:
            array = self._array(node.args[0])
            if array is not None:
                first = ast.Subscript(self._shape(array), ast.Constant(0), ast.Load())
                return self.visit_Subscript(first)
        return self.generic_visit(node)

    def _array(self, node: ast.expr) -> Array | None:
        found = self._case.nodes.get(node.id) if isinstance(node, ast.Name) else None
        return found if isinstance(found, Array) else None

    def _shape(self, array: Array) -> ast.expr:
        shape = array.shape
        if isinstance(shape, Series) and str(shape.path) in self._case.series:
            return ast.Name(local_name(shape.path), ast.Load())
        return self._in_parts(shape)

    def _in_parts(self, node: Node) -> ast.expr:
        if isinstance(node, Fixed):
            return ast.Constant(node.value)
        if not isinstance(node, Series | Sides):
            raise UnwritableValue("a condition on parts of an argument")
        items = listed(node.symbol(self._case.sizes)).items
        texts = [self._said(one) for one in items]
        trees = [ast.parse(text, mode="eval").body for text in texts]
        is_list = isinstance(node, Series) and node.kind is list
        return ast.List(trees, ast.Load()) if is_list else ast.Tuple(trees, ast.Load())

    def _said(self, symbol: Any) -> str:
        if isinstance(symbol, Known):
            return str(symbol.value)
        if not isinstance(symbol, Term | Choice):
            raise UnwritableValue("items that are no single values")
        return (
            self._draft.called(symbol.name) if hasattr(symbol, "name") else self._draft.said(symbol)
        )


def _called(function: str, argument: ast.expr) -> ast.expr:
    return ast.Call(ast.parse(function, mode="eval").body, [argument], [])
