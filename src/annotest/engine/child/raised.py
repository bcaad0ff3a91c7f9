"""Conditions that raise: what to do about them, by what was raised and where."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from types import FrameType
from typing import Any

from annotest.errors import did_you_mean
from annotest.oracles.exceptions import is_a, message_of, plain_attribute
from annotest.oracles.project import is_own
from annotest.plan.postconditions import PostconditionFailed
from annotest.plan.preconditions import PreconditionFailed
from annotest.source import shown

PLAIN = "guard it, or correct it"
# what is longer than this helps nobody who reads a hint
LONG = 60
MOST_KEYS = 8
MOST_NAMES = 10_000

# what can be evaluated once more without calling anything
_READ = ast.Name, ast.Attribute, ast.Subscript
_REPEATABLE = *_READ, ast.Constant, ast.UnaryOp, ast.unaryop, ast.Load
_DIVISIONS = ast.Div, ast.FloorDiv, ast.Mod
_AMBIGUOUS = "The truth value of a", "Boolean value of Tensor"


class _NoHint(Exception):
    """Nothing better than the plain hint is known."""


@dataclass(frozen=True, eq=False)
class _Place:
    """The part of a condition that raised, and the frame it did so in."""

    node: ast.expr
    frame: FrameType

    def value(self, node: ast.expr) -> Any:
        """Return what a part of the condition is there."""
        if not all(isinstance(part, _REPEATABLE) for part in ast.walk(node)):
            raise _NoHint
        code = compile(ast.Expression(node), "<hint>", "eval")
        return eval(code, self.frame.f_globals, self.frame.f_locals)

    def is_none(self, node: ast.AST) -> bool:
        """Say whether a part of the condition has a value that is None."""
        try:
            return isinstance(node, _READ) and self.value(node) is None
        except Exception:
            return False  # it may be this very part that raises


def remedy_of(failed: PreconditionFailed | PostconditionFailed) -> str:
    """Return what to do about a condition that raises."""
    error = failed.error
    try:
        if message_of(error).startswith(_AMBIGUOUS):
            return "write `.all()` or `.any()` behind each comparison, as in `(x > 0).all()`"
        advise = next(advise for kind, advise in _ADVICE.items() if is_a(error, kind))
        return advise(error, _place_of(failed))
    except BaseException:  # the values have code of their own
        return PLAIN


def _place_of(failed: PreconditionFailed | PostconditionFailed) -> _Place:
    trace = plain_attribute(failed.error, BaseException, "__traceback__")
    while is_own(trace.tb_frame.f_code.co_filename):
        trace = trace.tb_next
    # a comprehension has a frame of its own
    while trace.tb_next and trace.tb_next.tb_frame.f_code in trace.tb_frame.f_code.co_consts:
        trace = trace.tb_next
    code = trace.tb_frame.f_code
    lines = linecache.getlines(code.co_filename)
    source = f"(\n{failed.source}\n)" if failed.source else "".join(lines)
    line, end_line, column, end_column = next(
        islice(code.co_positions(), trace.tb_lasti // 2, None)
    )
    extent = ast.Pass(
        lineno=line, end_lineno=end_line, col_offset=column, end_col_offset=end_column
    )
    part = ast.get_source_segment(source, extent)
    return _Place(ast.parse(f"({part})", mode="eval").body, trace.tb_frame)


def _attribute(error: BaseException, place: _Place) -> str:
    name, value = (
        plain_attribute(error, AttributeError, attribute) for attribute in ("name", "obj")
    )
    node = place.node
    if not isinstance(node, ast.Attribute) or node.attr != name:
        raise _NoHint
    if value is None:
        return _guard(node.value, ast.Is(), ast.Constant(None), "or")
    owner = f"{_text(node.value)} is of type {type(value).__qualname__}"
    meant = _meant(name, dir(value))
    having = ast.Call(ast.Name("hasattr"), [node.value, ast.Constant(node.attr)], [])
    return f"{owner}.{meant}" if meant else f"{owner}: {_guarded(having, 'and')}"


def _key(error: BaseException, place: _Place) -> str:
    node = place.node
    if not isinstance(node, ast.Subscript):
        raise _NoHint
    held, key = place.value(node.value), place.value(node.slice)
    if key in held:
        raise _NoHint
    keys = list(islice(held.keys(), MOST_NAMES))
    listed = ", ".join([*map(_shortened, keys[:MOST_KEYS]), *["…"] * (len(keys) > MOST_KEYS)])
    there = f"{_text(node.value)} has " + (f"the keys {listed}" if keys else "no keys")
    meant = _meant(key, keys)
    return f"{there}.{meant}" if meant else f"{there}: {_guard(node.slice, ast.In(), node.value)}"


def _index(error: BaseException, place: _Place) -> str:
    node = place.node
    if not isinstance(node, ast.Subscript):
        raise _NoHint
    held, index = place.value(node.value), place.value(node.slice)
    count, needed = len(held), index + 1 if index >= 0 else -index
    if count >= needed:
        raise _NoHint
    length = ast.Call(ast.Name("len"), [node.value], [])
    bound = node.slice if index >= 0 else ast.Constant(needed - 1)
    there = f"{_text(node.value)} has {count} item{'s' * (count != 1)}"
    hint = f"{there}: {_guard(length, ast.Gt(), bound)}"
    is_list = isinstance(node.value, ast.Name) and isinstance(held, list | str)
    is_fixed = not any(isinstance(part, ast.Name) for part in ast.walk(node.slice))
    return f"{hint}, or annotate it with min_len={needed}" if is_list and is_fixed else hint


def _division(error: BaseException, place: _Place) -> str:
    node = place.node
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, _DIVISIONS):
        raise _NoHint
    return f"{_guard(node.right, ast.NotEq(), ast.Constant(0))}, or annotate a range without 0"


def _type(error: BaseException, place: _Place) -> str:
    if "NoneType" not in message_of(error):
        raise _NoHint
    none = next(part for part in ast.walk(place.node) if place.is_none(part))
    assert isinstance(none, ast.expr)
    return _guard(none, ast.Is(), ast.Constant(None), "or")


_ADVICE: dict[type[BaseException], Callable[[BaseException, _Place], str]] = {
    AttributeError: _attribute,
    KeyError: _key,
    IndexError: _index,
    ZeroDivisionError: _division,
    TypeError: _type,
}


def _guard(left: ast.expr, operator: ast.cmpop, right: ast.expr, joined: str = "and") -> str:
    return _guarded(ast.Compare(left, [operator], [right]), joined)


def _guarded(node: ast.expr, joined: str) -> str:
    return f"guard it with `{_text(node)} {joined} …`"


def _text(node: ast.expr) -> str:
    text = ast.unparse(node)
    if len(text) > LONG:
        raise _NoHint
    return text


def _shortened(key: Any) -> str:
    text = shown(key)
    return text if len(text) <= LONG else text[:LONG] + "…"


def _meant(word: Any, known: Iterable[Any]) -> str:
    """Return a question after the known name that is close to a word; comparing takes time."""
    names = [name for name in islice(known, MOST_NAMES) if type(name) is str and len(name) <= LONG]
    return did_you_mean(word, names) if type(word) is str and len(word) <= LONG else ""
