"""Statements: the source of preconditions, whether written as text or as a small function."""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

_HARMLESS = {
    *("abs", "all", "any", "bool", "divmod", "enumerate", "float", "int", "isinstance", "len"),
    *("list", "max", "min", "pow", "range", "round", "set", "sorted", "sum", "tuple", "type"),
    "zip",
}
_ORDERING = {
    *("all", "any", "enumerate", "len", "list", "max", "min", "range", "set", "sorted", "zip"),
}


@dataclass(frozen=True, eq=False)
class Statement:
    """A precondition as an expression, and what its names mean beside the arguments."""

    tree: ast.expr
    scope: dict[str, Any]
    text: str

    @cached_property
    def names(self) -> frozenset[str]:
        """The names that it mentions."""
        return frozenset(node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name))

    @cached_property
    def names_asked_more(self) -> frozenset[str]:
        """The names of which it asks more than the length."""
        is_usual = self.scope.get("len", len) is len
        calls = (node for node in ast.walk(self.tree) if isinstance(node, ast.Call))
        called = (node for node in calls if getattr(node.func, "id", "") == "len" and node.args)
        lengths = {id(node.args[0]) for node in called if is_usual}
        asked = (node for node in ast.walk(self.tree) if id(node) not in lengths)
        return frozenset(node.id for node in asked if isinstance(node, ast.Name))

    @property
    def never_rounds(self) -> bool:
        """Whether it only compares numbers and items, and reckons with none."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.BinOp):
                return False
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") not in _ORDERING:
                return False
        return self.is_harmless

    @property
    def is_harmless(self) -> bool:
        """Whether it only calls builtins, and reads what arrays have."""
        return all(map(self._is_harmless, ast.walk(self.tree)))

    def _is_harmless(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else ""
            return name in _HARMLESS and self.scope.get(name) in (None, getattr(builtins, name))
        if isinstance(node, ast.Attribute):
            owner = node.value.id if isinstance(node.value, ast.Name) else "self"
            return owner != "self" and node.attr in ("shape", "ndim", "size", "dtype")
        return True


def unparsed(tree: ast.AST) -> str:
    """Return the text of an expression, its loops as they stand in a call: `any(x for x in xs)`."""
    text = ast.unparse(tree)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and len(node.args) == 1]
    for loop in (call.args[0] for call in calls if isinstance(call.args[0], ast.GeneratorExp)):
        text = text.replace(f"({ast.unparse(loop)})", ast.unparse(loop))
    return text


def joinable(texts: Iterable[str]) -> list[str]:
    """Return conditions as they may stand with `and` between them."""
    every = list(texts)
    return [f"({text})" if _is_loose(text) else text for text in every] if len(every) > 1 else every


def _is_loose(text: str) -> bool:
    """Say whether `and` before or behind a text would take it apart."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return False
    is_or = isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.Or)
    return is_or or isinstance(tree, ast.IfExp | ast.Lambda)


def statement_of_text(text: str, scope: dict[str, Any]) -> Statement:
    """Return the statement of an expression."""
    return Statement(ast.parse(f"(\n{text}\n)", mode="eval").body, scope, " ".join(text.split()))


def statement_of_function(function: Any) -> Statement | None:
    """Return the statement of a lambda or of a function that only returns; None for others."""
    code = getattr(function, "__code__", None)
    if code is None:
        return None
    tree = _returned(function)
    if tree is None:
        return None
    closure = inspect.getclosurevars(function)
    scope = {**vars(builtins), **closure.globals, **closure.nonlocals, **_defaults(function)}
    return Statement(tree, scope, ast.unparse(tree))


def _defaults(function: Any) -> dict[str, Any]:
    parameters = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in parameters if p.default is not p.empty}


def statement_of_call(function: Any, needs: tuple[str, ...]) -> Statement:
    """Return the statement that a function holds, of which nothing else is known."""
    text = f"condition({', '.join(f'{name}={name}' for name in needs)})"
    return Statement(ast.parse(text, mode="eval").body, {"condition": function}, text)


def _returned(function: Any) -> ast.expr | None:
    try:
        source = textwrap.dedent(inspect.getsource(function))
    except (OSError, TypeError):
        return None
    if function.__name__ != "<lambda>":
        return _only_return(source)
    lambdas = [node for node in ast.walk(_parsed(source)) if isinstance(node, ast.Lambda)]
    # several on one line: the one with the same instructions
    same = [node for node in lambdas if _compiled(node, function) == function.__code__.co_code]
    return same[0].body if len(same) == 1 else None


def _only_return(source: str) -> ast.expr | None:
    tree = _parsed(source)
    if not isinstance(tree, ast.Module) or not isinstance(tree.body[0], ast.FunctionDef):
        return None
    body = [statement for statement in tree.body[0].body if not _is_docstring(statement)]
    if len(body) == 1 and isinstance(body[0], ast.Return):
        return body[0].value
    return None


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _parsed(source: str) -> ast.AST:
    """Parse a piece of source that need not be whole: a decorator, an argument of a call."""
    for text in (source, f"{source.rstrip()}\ndef _(): pass", f"({source.strip().rstrip(',')})"):
        try:
            return ast.parse(text)
        except SyntaxError:
            continue
    return ast.Module([], [])


def _compiled(node: ast.Lambda, function: Any) -> bytes:
    outer = ", ".join(function.__code__.co_freevars)
    # compiled inside a function with the same names around it, so that they are looked up alike
    text = f"def _({outer}):\n return {ast.unparse(node)}"
    namespace: dict[str, Any] = {}
    exec(compile(text, "<lambda>", "exec"), namespace)
    made = [constant for constant in namespace["_"].__code__.co_consts if inspect.iscode(constant)]
    return made[0].co_code if made else b""
