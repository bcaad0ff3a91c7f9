"""The arguments of native functions, which Python cannot tell but their documentation does."""

from __future__ import annotations

import ast
import inspect
from typing import Any

# a signature may be continued on further lines
_MOST_LINES = 6


def raw_signature(function: Any) -> inspect.Signature:
    """Return the signature of a function, or the one with which its documentation begins."""
    try:
        return inspect.signature(function)
    except ValueError:
        arguments = _documented(function)
        if arguments is None:
            raise
        return _of(arguments)


def _documented(function: Any) -> ast.arguments | None:
    """Read `conv1d(input, weight, bias=None) -> Tensor`, as torch's documentation begins."""
    lines = (inspect.getdoc(function) or "").splitlines()[:_MOST_LINES]
    if not lines or not lines[0].startswith(f"{getattr(function, '__name__', '')}("):
        return None
    for count in range(1, len(lines) + 1):
        head = " ".join(lines[:count]).rstrip(": ")
        try:
            (statement,) = ast.parse(f"def {head}: ...").body
        except SyntaxError:
            continue
        return getattr(statement, "args", None)
    return None


def _of(arguments: ast.arguments) -> inspect.Signature:
    # by position: `one_hot(tensor, …)` says its documentation, and takes `input=`
    needed = len(arguments.args) - len(arguments.defaults)
    if needed > 0:
        arguments.posonlyargs += arguments.args[:needed]
        arguments.args = arguments.args[needed:]
    arguments.defaults = [_literal(node) for node in arguments.defaults]
    arguments.kw_defaults = [node and _literal(node) for node in arguments.kw_defaults]
    for each in ast.walk(arguments):
        if isinstance(each, ast.arg):
            each.annotation = None  # `List[int]` means nothing here
    function = ast.Expression(ast.Lambda(arguments, ast.Constant(None)))
    code = compile(ast.fix_missing_locations(function), "<documentation>", "eval")
    return inspect.signature(eval(code, {}))


def _literal(default: ast.expr) -> ast.expr:
    """Return a default; `...` for one that only the function knows, as it is never passed."""
    try:
        ast.literal_eval(default)
    except ValueError:
        return ast.Constant(...)
    return default
