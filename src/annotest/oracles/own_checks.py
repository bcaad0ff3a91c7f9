"""The condition under which a function's own check raises, read from the source of the function.

It is read where nothing but `if`, and exits before it, decide: no loop, `try` or `with` around it.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from functools import cache, lru_cache
from types import CodeType
from typing import NamedTuple

from annotest.plan.preconditions import free_names
from annotest.relations.reading.statements import joinable, unparsed

LONGEST = 100
_STARRED = 0x04, 0x08  # of the flags of code: it takes *args, it takes **kwargs
_SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef
_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_NOT_TWICE = ast.Await | ast.Yield | ast.YieldFrom | ast.NamedExpr
_EXITS = ast.Return | ast.Raise | ast.Assert
_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.Lt: ast.GtE,
    ast.Gt: ast.LtE,
    ast.In: ast.NotIn,
    ast.Is: ast.IsNot,
}
_OPPOSITE |= {opposite: operator for operator, opposite in _OPPOSITE.items()}


class OwnCheck(NamedTuple):
    """When a check raises, and the opposite, both as text; `names` are all that they mention."""

    when: str
    otherwise: str
    names: frozenset[str]


class _Unreadable(Exception):
    """The source does not tell when the check raises."""


@lru_cache(maxsize=1024)
def own_check_at(code: CodeType, line: int) -> OwnCheck | None:
    """Return when the `raise` on a line of a function is reached; None where that cannot be told.

    The text mentions arguments as they were passed, and names of the module and of Python.
    """
    function = _definition(code)
    if function is None:
        return None
    try:
        tests = list(_on_the_way(function.body, line))
    except _Unreadable:
        return None
    changed = set(_changed(function, line))
    if not tests or any(map(_is_odd, tests)):
        return None
    when = " and ".join(joinable(map(unparsed, tests)))
    otherwise = f"not ({when})" if len(tests) > 1 else unparsed(_negated(tests[0]))
    names = free_names(when)
    if not names.isdisjoint(changed | _locals(code)):
        return None
    is_plain = len(otherwise) <= LONGEST and not set('"\\\n') & set(when)
    return OwnCheck(when, otherwise, names) if is_plain else None


def _definition(code: CodeType) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """Return the definition that a code is compiled from."""
    for node in ast.walk(_tree(code.co_filename)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == code.co_name:
            first = min(each.lineno for each in (node, *node.decorator_list))
            if first == code.co_firstlineno:
                return node
    return None


@cache
def _tree(file: str) -> ast.Module:
    try:
        return ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):
        return ast.Module([], [])


def _on_the_way(body: list[ast.stmt], line: int) -> Iterator[ast.expr]:
    """Yield what holds where the `raise` on a line is reached, in the order it is asked."""
    for statement in body:
        if not _raises_at(statement, line):
            yield from _passed(statement)
        elif isinstance(statement, ast.If):
            is_inside = any(_raises_at(inner, line) for inner in statement.body)
            yield statement.test if is_inside else _negated(statement.test)
            yield from _on_the_way(statement.body if is_inside else statement.orelse, line)
            return
        elif isinstance(statement, ast.Raise):
            return
        else:
            break
    raise _Unreadable


def _raises_at(statement: ast.stmt, line: int) -> bool:
    raises = (node for node in _nodes_of(statement) if isinstance(node, ast.Raise))
    return any(node.lineno <= line <= (node.end_lineno or 0) for node in raises)


def _passed(statement: ast.stmt) -> Iterator[ast.expr]:
    """Yield what holds behind a statement that may leave the function, and has not."""
    if not any(isinstance(node, _EXITS) for node in _nodes_of(statement)):
        return
    match statement:
        case ast.Assert(test):
            yield test
        case ast.If(test, body, orelse) if _always_leaves(body):
            yield _negated(test)
            for inner in orelse:
                yield from _passed(inner)
        case _:
            raise _Unreadable


def _always_leaves(body: list[ast.stmt]) -> bool:
    match body[-1]:
        case ast.Return() | ast.Raise():
            return True
        case ast.If(body=inner, orelse=orelse) if orelse:
            return _always_leaves(inner) and _always_leaves(orelse)
    return False


def _nodes_of(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node with all inside it, but nothing of what has names of its own."""
    yield node
    if not isinstance(node, _SCOPES | _COMPREHENSIONS):
        for child in ast.iter_child_nodes(node):
            yield from _nodes_of(child)


def _changed(function: ast.AST, line: int) -> Iterator[str]:
    """Yield the names that mean something else by the time that a line is reached, or may do so."""
    for child in ast.iter_child_nodes(function):
        for node in _nodes_of(child):
            if getattr(node, "lineno", 0) <= line:
                yield from _changed_by(node)


def _changed_by(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(name, ast.Store() | ast.Del()):
            yield name
        case ast.Attribute(value, _, ast.Store() | ast.Del()) | ast.Subscript(
            value, _, ast.Store() | ast.Del()
        ):
            yield from (part.id for part in ast.walk(value) if isinstance(part, ast.Name))
        case ast.alias(name, asname):
            yield asname or name.partition(".")[0]
        case ast.ExceptHandler(name=str(name)) | ast.FunctionDef(name=name) | ast.ClassDef(name):
            yield name


def _locals(code: CodeType) -> set[str]:
    """Return the names that only the function itself knows: all but its arguments."""
    taken = code.co_argcount + code.co_kwonlyargcount
    taken += sum(bool(code.co_flags & flag) for flag in _STARRED)
    arguments = code.co_varnames[:taken]
    return {*code.co_varnames, *code.co_cellvars, *code.co_freevars}.difference(arguments)


def _is_odd(test: ast.expr) -> bool:
    return any(isinstance(node, _NOT_TWICE) for node in ast.walk(test))


def _negated(test: ast.expr) -> ast.expr:
    match test:
        case ast.UnaryOp(ast.Not(), operand):
            return operand
        case ast.Compare(left, [operator], right) if type(operator) in _OPPOSITE:
            return ast.Compare(left, [_OPPOSITE[type(operator)]()], right)
    return ast.UnaryOp(ast.Not(), test)
