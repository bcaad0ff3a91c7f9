"""Preconditions as source text in a test file."""

from __future__ import annotations

import ast
import builtins
import inspect
from types import ModuleType
from typing import Any

from annotest.errors import UnwritableValue
from annotest.expr import Ref
from annotest.plan.preconditions import Precondition, closure_of, free_names
from annotest.relations.reading.statements import joinable, statement_of_function
from annotest.source import Names, named
from annotest.spec import underlying
from annotest.writer.header import WIDTH
from annotest.writer.words import Replacing


def condition_text(
    precondition: Precondition, function: Any, names: Names, renamed: dict[str, str]
) -> str:
    """Return a precondition as an expression over the test's own names.

    `renamed` says what an argument is called in the test, where that differs.
    """
    condition = precondition.annotation.condition
    if not isinstance(condition, str):
        ref = named(condition)
        if ref is None:
            return _text_condition(_body_of(condition), precondition, function, names, renamed)
        args = ", ".join(f"{name}={renamed.get(name, name)}" for name in precondition.needs)
        return f"{names.of(ref)}({args})"
    return _text_condition(condition, precondition, function, names, renamed)


def check_writable(precondition: Precondition, function: Any) -> None:
    """Raise UnwritableValue for a precondition that cannot stand in another file."""
    condition = precondition.annotation.condition
    code = inspect.unwrap(underlying(function))
    if not isinstance(condition, str):
        if named(condition) is not None:
            return
        condition = _body_of(condition, getattr(code, "__globals__", None))
    for name in free_names(condition) - set(precondition.needs):
        if name in closure_of(code):
            raise UnwritableValue(f"{name} is known inside another function only")
        if name not in getattr(code, "__globals__", {}) and not hasattr(builtins, name):
            raise UnwritableValue(f"{name} is not known")


def _body_of(condition: Any, scope: Any = None) -> str:
    """Return what a lambda says; it must know the names of the file it is written for: `scope`."""
    statement = statement_of_function(condition)
    if statement is None or getattr(condition, "__name__", "") != "<lambda>":
        raise UnwritableValue("a nameless condition has no source text")
    is_at_home = scope is None or condition.__globals__ is scope
    if condition.__closure__ or condition.__defaults__ or not is_at_home:
        raise UnwritableValue("a nameless condition knows names that the file does not")
    return statement.text


def _text_condition(
    text: str, precondition: Precondition, function: Any, names: Names, renamed: dict[str, str]
) -> str:
    code = inspect.unwrap(underlying(function))
    scope = getattr(code, "__globals__", {})
    changes = {name: renamed[name] for name in precondition.needs if name in renamed}
    for name in sorted(free_names(text) - set(precondition.needs)):
        if name in scope:
            local = names.of(_global_ref(name, scope))
            if local != name:
                changes[name] = local
    if not changes and "\n" not in text and "#" not in text:
        return requoted(text.strip())
    return renamed_text(text, changes)


def renamed_text(text: str, changes: dict[str, str]) -> str:
    """Return an expression in which names mean other ones, or whole expressions."""
    return unparsed(Replacing(changes).visit(ast.parse(f"(\n{text}\n)", mode="eval").body))


def unparsed(tree: ast.AST) -> str:
    """Return an expression as formatters write it."""
    text = ast.unparse(tree)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and len(node.args) == 1]
    for loop in (call.args[0] for call in calls if isinstance(call.args[0], ast.GeneratorExp)):
        text = text.replace(f"({ast.unparse(loop)})", ast.unparse(loop))
    return requoted(text)


def requoted(text: str) -> str:
    """Return an expression with the quotes that formatters write."""
    # where there are no others, each of them begins or ends a text
    return text if '"' in text or "\\" in text else text.replace("'", '"')


def _global_ref(name: str, scope: dict[str, Any]) -> Ref:
    value = scope[name]
    if isinstance(value, ModuleType):
        return Ref(value.__name__, "", name)
    return Ref(scope["__name__"], name)


def assume_lines(text: str, indent: str, assume: str) -> list[str]:
    """Return the statement that assumes a condition, over several lines where it is long."""
    line, inner = f"{indent}{assume}({text})", f"{indent}    "
    if len(line) <= WIDTH:
        return [line]
    tree, parts = ast.parse(text, mode="eval").body, [text]
    if len(inner + text) > WIDTH and isinstance(tree, ast.BoolOp):
        word = "or" if isinstance(tree.op, ast.Or) else "and"
        first, *others = joinable(map(unparsed, tree.values))
        parts = [first, *(f"{word} {part}" for part in others)]
    return [f"{indent}{assume}(", *(inner + part for part in parts), f"{indent})"]
