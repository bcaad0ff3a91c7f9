"""The arguments of functions that do not tell them: documentation and overloads do."""

from __future__ import annotations

import ast
import inspect
import types
import typing
from typing import Any

from annotest.signature.parts import STARRED

# a signature may be continued on further lines
_MOST_LINES = 6


def raw_signature(function: Any) -> inspect.Signature:
    """Return the signature of a function; if that says little, what its author says elsewhere."""
    try:
        signature = inspect.signature(function)
    except ValueError:
        arguments = _documented(function)
        if arguments is None:
            raise
        return _of(arguments)
    return _of_forwarding(function, signature) or signature


def _of_forwarding(function: Any, signature: inspect.Signature) -> inspect.Signature | None:
    """Return what `def f(*args, **kwargs)` takes: its first overload says, or its documentation.

    `torch.nn.LSTM` is constructed by such a function, `max_pool2d` is one.
    """
    kinds = [p.kind for p in signature.parameters.values()]
    if kinds[-2:] != list(STARRED):
        return None
    if isinstance(function, types.FunctionType) and (overloads := typing.get_overloads(function)):
        return inspect.signature(overloads[0])
    arguments = _documented(function) if kinds == list(STARRED) else None
    return None if arguments is None else _of(arguments)


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
