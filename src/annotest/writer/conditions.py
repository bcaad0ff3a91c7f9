"""Preconditions as source text in a test file."""

from __future__ import annotations

import ast
import builtins
import inspect
import io
import tokenize
from types import ModuleType
from typing import Any

from annotest.errors import UnwritableValue
from annotest.expr import Ref
from annotest.plan.preconditions import Precondition, closure_of, free_names
from annotest.relations.reading.statements import statement_of_function
from annotest.source import Names, named
from annotest.spec import underlying
from annotest.writer.header import WIDTH


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
    tree = _Renamed(changes).visit(ast.parse(f"(\n{text}\n)", mode="eval"))
    return unparsed(tree)


def unparsed(tree: ast.AST) -> str:
    """Return an expression as formatters write it."""
    text = ast.unparse(tree)
    loops = [
        one.args[0]
        for one in ast.walk(ast.parse(text, mode="eval"))
        if isinstance(one, ast.Call) and len(one.args) == 1 and not one.keywords
    ]
    pairs = [
        (one.col_offset, one.end_col_offset or 0)
        for one in loops
        if isinstance(one, ast.GeneratorExp) and text[one.col_offset - 1] == "("
    ]
    if text.isascii():  # else places are not counted in characters
        dropped = {start for start, _ in pairs} | {end - 1 for _, end in pairs}
        text = "".join(one for place, one in enumerate(text) if place not in dropped)
    return requoted(text)


def requoted(text: str) -> str:
    """Return an expression with the quotes that formatters write."""
    if "'" not in text or '"' in text or "\\" in text:
        return text
    found = list(tokenize.generate_tokens(io.StringIO(text).readline))
    for token in reversed([one for one in found if one.type == tokenize.STRING]):
        (_, start), (_, end) = token.start, token.end
        if token.string.startswith("'") and not token.string.startswith("'''"):
            text = f'{text[:start]}"{token.string[1:-1]}"{text[end:]}'
    return text


def _global_ref(name: str, scope: dict[str, Any]) -> Ref:
    value = scope[name]
    if isinstance(value, ModuleType):
        return Ref(value.__name__, "", name)
    return Ref(scope["__name__"], name)


class _Renamed(ast.NodeTransformer):
    """Gives names their meaning in the test file."""

    def __init__(self, changes: dict[str, str]) -> None:
        self.changes = changes

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Replace one name."""
        if node.id not in self.changes:
            return node
        return ast.parse(self.changes[node.id], mode="eval").body


def assume_lines(text: str, indent: str, assume: str) -> list[str]:
    """Return the statement that assumes a condition, over several lines where it is long."""
    line = f"{indent}{assume}({text})"
    if len(line) <= WIDTH:
        return [line]
    inner = indent + "    "
    return [f"{indent}{assume}(", *wrapped(text, inner), f"{indent})"]


def wrapped(text: str, indent: str) -> list[str]:
    """Break an expression between its tokens, so that no line is too long."""
    pieces = _pieces(text)
    lines, line = [], indent
    for piece in pieces:
        if len(line) + len(piece.rstrip()) > WIDTH and line.strip():
            lines.append(line.rstrip())
            line = indent + piece.lstrip()
        else:
            line += piece if line.strip() else piece.lstrip()
    return [*lines, line.rstrip()]


def _pieces(text: str) -> list[str]:
    starts = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        breaks = token.type not in (tokenize.NEWLINE, tokenize.NL, tokenize.ENDMARKER)
        # a break before a dot or an opening bracket reads badly
        if breaks and token.string not in (".", "(", "[", ")", "]", ",", ":"):
            starts.append(token.start[1])
    starts = sorted({0, *starts})
    return [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]
