"""Preconditions as source text in a test file."""

from __future__ import annotations

import ast
import builtins
from types import ModuleType
from typing import Any

from annotest.errors import UnwritableValue
from annotest.expr import Ref
from annotest.plan.preconditions import Precondition, free_names, names_around
from annotest.relations.reading.statements import joinable, statement_of_function, unparsed
from annotest.source import Names, named
from annotest.writer.header import WIDTH
from annotest.writer.words import Replacing


def condition_text(
    precondition: Precondition, function: Any, names: Names, renamed: dict[str, str]
) -> str:
    """Return a precondition as an expression over the test's own names.

    `renamed` says what an argument is called in the test, where that differs. UnwritableValue for
    a precondition that cannot stand in another file.
    """
    text, needs = precondition.annotation.condition, precondition.needs
    scope, closure = names_around(precondition.annotation, function)
    if not isinstance(text, str):
        ref = named(text)
        if ref is not None:
            given = ", ".join(f"{name}={renamed.get(name, name)}" for name in needs)
            return f"{names.of(ref)}({given})"
        text = _body_of(text, scope)
    others = sorted(free_names(text) - set(needs))
    _check_known(others, closure, scope)
    changes = {name: renamed[name] for name in needs if name in renamed}
    for name in others:
        local = names.of(_global_ref(name, scope)) if name in scope else name
        changes |= {name: local} if local != name else {}
    if not changes and "\n" not in text and "#" not in text:
        return requoted(text.strip())
    return renamed_text(text, changes)


def _check_known(names: list[str], closure: dict[str, Any], scope: dict[str, Any]) -> None:
    """Refuse names that a file which imports the module does not know."""
    for name in names:
        if name in closure:
            raise UnwritableValue(f"{name} is known inside another function only")
        if name not in scope and not hasattr(builtins, name):
            raise UnwritableValue(f"{name} is not known")


def _body_of(condition: Any, scope: dict[str, Any]) -> str:
    """Return what a lambda says; it must know the names of the file it is written for: `scope`."""
    statement = statement_of_function(condition)
    if statement is None or getattr(condition, "__name__", "") != "<lambda>":
        raise UnwritableValue("a nameless condition has no source text")
    is_at_home = not scope or condition.__globals__ is scope
    if condition.__closure__ or condition.__defaults__ or not is_at_home:
        raise UnwritableValue("a nameless condition knows names that the file does not")
    return statement.text


def renamed_text(text: str, changes: dict[str, str]) -> str:
    """Return an expression in which names mean other ones, or whole expressions."""
    return formatted(Replacing(changes).visit(ast.parse(f"(\n{text}\n)", mode="eval").body))


def formatted(tree: ast.AST) -> str:
    """Return an expression as formatters write it."""
    return requoted(unparsed(tree))


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
        first, *others = joinable(map(formatted, tree.values))
        parts = [first, *(f"{word} {part}" for part in others)]
    return [f"{indent}{assume}(", *(inner + part for part in parts), f"{indent})"]
