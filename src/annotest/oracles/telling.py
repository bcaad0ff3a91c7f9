"""Why a condition holds, or does not: which of its parts were what."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from annotest import frameworks
from annotest.oracles.words import Opinion
from annotest.plan.postconditions import Postcondition, as_written
from annotest.plan.preconditions import Precondition
from annotest.source import shown

LONG = 200
Condition = Postcondition | Precondition
# values that nobody wants to be told
_SILENT = ModuleType, FunctionType, BuiltinFunctionType, type


def told_parts(
    condition: Condition, names: Mapping[str, Any], holds: bool = False
) -> Iterator[str]:
    """Yield `part was value` for the parts that decide, in the order they are written.

    Why the condition does not hold, or why it `holds`.
    """
    told: set[str] = set()
    tree = ast.parse(condition.text.strip(), mode="eval").body
    for part in _Deciding(condition, names).parts(tree, holds):
        line = _line(part, condition, names)
        if line and line not in told:
            told.add(line)
            yield line


def _line(part: ast.expr, condition: Condition, names: Mapping[str, Any]) -> str:
    """Say what a part was; nothing where that is no news."""
    try:
        if isinstance(part, ast.GeneratorExp):
            return _counterexample(part, condition, names)
        value = condition.value_of(part, names)
    except Exception:
        return ""  # it is guarded by another part
    if isinstance(value, Opinion):
        return f"{_judged(part)}{value.reason or ' is so'}"
    return "" if isinstance(value, _SILENT) else f"{as_written(part)} was {short(value)}"


def _counterexample(every: ast.GeneratorExp, condition: Condition, names: Mapping[str, Any]) -> str:
    """Say for which values the condition inside `all` is false, the first of them."""
    held = [node.id for each in every.generators for node in _names_in(each.target)]
    *others, last = every.generators
    wrong = ast.UnaryOp(ast.Not(), every.elt)
    last = ast.comprehension(last.target, last.iter, [*last.ifs, wrong], last.is_async)
    values = ast.List([ast.Name(name, ast.Load()) for name in held], ast.Load())
    first = ast.Subscript(ast.ListComp(values, [*others, last]), ast.Constant(0), ast.Load())
    met = condition.value_of(ast.fix_missing_locations(first), names)
    listed = ", ".join(f"{n} = {short(value)}" for n, value in zip(held, met, strict=True))
    return f"{as_written(every.elt)} is false for {listed}"


def _names_in(target: ast.expr) -> Iterator[ast.Name]:
    return (node for node in ast.walk(target) if isinstance(node, ast.Name))


def short(value: Any) -> str:
    """Return the source of a value on one line, cut where it is long."""
    text = " ".join(shown(_plain(value)).split())
    return text if len(text) <= LONG else f"{text[:LONG]}…"


def _judged(part: ast.expr) -> str:
    """Return the text of what an oracle was asked about."""
    about = part.args[0] if isinstance(part, ast.Call) and part.args else part
    text = as_written(about)
    is_short = isinstance(about, ast.Name | ast.Attribute | ast.Subscript | ast.Call)
    return text if is_short else f"({text})"


def _plain(value: Any) -> Any:
    """Return the number that an array of one element without sides, or a NumPy scalar, holds."""
    view = frameworks.view(value)
    if (view is not None and view.shape == ()) or type(value).__module__ == "numpy":
        try:
            return value.item()
        except Exception:
            return value
    return value


@dataclass
class _Deciding:
    """Finds the parts that make an expression what it is, whose values a person wants to see."""

    condition: Condition
    names: Mapping[str, Any]

    def parts(self, node: ast.expr, holds: bool) -> Iterator[ast.expr]:
        """Yield the parts that make an expression true, if it `holds`, or false."""
        match node:
            case ast.BoolOp(op, values) if isinstance(op, ast.Or) is holds:
                yield from self.parts(self._last_asked(values, holds), holds)
            case ast.BoolOp(values=values):
                for value in values:
                    yield from self.parts(value, holds)
            case ast.UnaryOp(ast.Not(), operand):
                yield from self.parts(operand, not holds)
            case ast.Compare(left, _, others):
                yield from filter(_is_news, (left, *others))
            case ast.Call(ast.Name("all"), [ast.GeneratorExp() as every]) if not holds:
                yield every
            case ast.Call(func, args, keywords) if not self._is_word(node):
                yield from _asked_of(func)
                yield from filter(_is_news, [*args, *(keyword.value for keyword in keywords)])
            case _:
                yield from filter(_is_news, (node,))

    def _last_asked(self, values: list[ast.expr], holds: bool) -> ast.expr:
        """Return the operand at which `and` has stopped, or `or`."""
        for value in values[:-1]:
            try:
                if bool(self.condition.value_of(value, self.names)) is holds:
                    return value
            except Exception:
                return value
        return values[-1]

    def _is_word(self, node: ast.Call) -> bool:
        return isinstance(node.func, ast.Name) and node.func.id in self.condition.words


def _asked_of(func: ast.expr) -> Iterator[ast.expr]:
    """Yield what a method is asked of: of `torch.isfinite(x).all()` the x."""
    if not isinstance(func, ast.Attribute):
        return
    if isinstance(func.value, ast.Call):
        yield from _asked_of(func.value.func)
        yield from filter(_is_news, func.value.args)
    else:
        yield func.value


def _is_news(node: ast.expr) -> bool:
    """Say whether a part has a value that its text does not tell: no number, no lambda."""
    silent = ast.Constant, ast.Lambda, ast.GeneratorExp, ast.Starred
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return not isinstance(inner, silent)
