"""Terms and conditions as they are written by hand."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable

from annotest.relations.solving.conditions import Condition
from annotest.relations.solving.dividing import Quotient
from annotest.relations.solving.terms import Extreme, Negative, Number, Product, Sum, Term, Variable
from annotest.relations.solving.variables import Name
from annotest.writer.conditions import unparsed

Called = Callable[[Name], str]


def said(term: Term, called: Called) -> str:
    """Return a term as text; `called` says what variables are called."""
    return unparsed(_tree(term, called))


def said_condition(condition: Condition, called: Called) -> str:
    """Return a condition as text, with the brackets that it needs."""
    tree = ast.parse(condition.text(called), mode="eval").body
    return unparsed(_Tidy().visit(tree))


def number_text(value: float) -> str:
    """Return a number as text: no negative zero, and exponents as formatters write them."""
    return repr(value + 0).replace("e+", "e")


def _tree(term: Term, called: Called) -> ast.expr:
    if isinstance(term, Variable):
        return _parsed(called(term.name))
    if isinstance(term, Number):
        return _parsed(number_text(term.value))
    if isinstance(term, Negative):
        return ast.UnaryOp(ast.USub(), _tree(term.term, called))
    if isinstance(term, Product):
        return ast.BinOp(_tree(term.left, called), ast.Mult(), _tree(term.right, called))
    if isinstance(term, Quotient):
        sign = ast.FloorDiv() if term.floors else ast.Div()
        return ast.BinOp(_tree(term.left, called), sign, _tree(term.right, called))
    if isinstance(term, Sum):
        return _sum(term, called)
    if isinstance(term, Extreme):
        word = ast.Name("max" if term.largest else "min", ast.Load())
        return ast.Call(word, [_tree(one, called) for one in term.terms], [])
    return _Tidy().visit(ast.parse(term.text(called), mode="eval").body)  # type: ignore[no-any-return]


def _parsed(text: str) -> ast.expr:
    if text.isidentifier():
        return ast.Name(text, ast.Load())
    if text.isdecimal():
        return ast.Constant(int(text))
    return ast.parse(text, mode="eval").body


def _sum(term: Sum, called: Called) -> ast.expr:
    """Return a sum: what is added first, then what is taken away."""
    plus = [one for one in term.terms if not isinstance(one, Negative | Number)]
    minus = [one.term for one in term.terms if isinstance(one, Negative)]
    constant = math.fsum(one.value for one in term.terms if isinstance(one, Number))
    constant = int(constant) if term.is_whole else constant
    added = [_tree(one, called) for one in plus]
    taken = [_tree(one, called) for one in minus]
    if constant < 0:
        taken.append(_parsed(number_text(-constant)))
    elif constant or not added:
        added.append(_parsed(number_text(constant)))
    if not plus and constant <= 0:
        added = [ast.UnaryOp(ast.USub(), taken.pop(0))]
    whole = added[0]
    for one in added[1:]:
        whole = ast.BinOp(whole, ast.Add(), one)
    for one in taken:
        whole = ast.BinOp(whole, ast.Sub(), one)
    return whole


class _Tidy(ast.NodeTransformer):
    """Writes `a - b` for `a + -b`, and `a != b` for `not a == b`."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Tidy a sum."""
        self.generic_visit(node)
        if isinstance(node.op, ast.Add) and _is_negative(node.right):
            return ast.BinOp(node.left, ast.Sub(), node.right.operand)  # type: ignore[attr-defined]
        if isinstance(node.op, ast.Add) and _is_negative(node.left):
            return ast.BinOp(node.right, ast.Sub(), node.left.operand)  # type: ignore[attr-defined]
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """Tidy a negation."""
        self.generic_visit(node)
        inner = node.operand
        if isinstance(node.op, ast.Not) and isinstance(inner, ast.Compare) and len(inner.ops) == 1:
            if isinstance(inner.ops[0], ast.Eq):
                return ast.Compare(inner.left, [ast.NotEq()], inner.comparators)
        return node


def _is_negative(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)


def local_name(name: Name | str) -> str:
    """Return what a part of an argument is called: `a_shape_1` for `a.shape[1]`."""
    text = str(name)
    return text if text.isidentifier() else re.sub(r"\W+", "_", text).strip("_")
