"""Symbols taken apart: numbers, lists and their lengths, dtypes."""

from __future__ import annotations

import ast

from annotest.relations.reading.symbols import (
    ArraySymbol,
    Choice,
    DtypeSymbol,
    Known,
    Listed,
    NotUnderstood,
    RecordSymbol,
    Symbol,
    Unsized,
)
from annotest.relations.solving.boxes import INF
from annotest.relations.solving.conditions import Condition
from annotest.relations.solving.selecting import Extreme
from annotest.relations.solving.terms import Number, Term, Variable, added, negated
from annotest.relations.solving.variables import Computed

_TOO_LARGE = 10**300  # such a number is no float, and may be one that Python does not print


def as_term(symbol: Symbol) -> Term:
    """Return a symbol that is a number."""
    if isinstance(symbol, Term):
        return symbol
    if isinstance(symbol, Known) and isinstance(symbol.value, int | float):
        value = symbol.value
        if value == value and (isinstance(value, float) or abs(value) < _TOO_LARGE):
            return Number(int(value) if isinstance(value, bool) else value)
    raise NotUnderstood


def whole_number(symbol: Symbol) -> int | None:
    """Return the whole number that a symbol is, whatever the variables; None if it is none."""
    if isinstance(symbol, Known):
        return symbol.value if type(symbol.value) is int else None
    if not isinstance(symbol, Term) or any(True for _ in symbol.variables()):
        return None
    try:
        value = eval(symbol.text(str), {})
    except ArithmeticError:
        return None
    return value if type(value) is int else None


def is_no_number(symbol: Symbol) -> bool:
    """Say whether a symbol cannot be reckoned with."""
    if isinstance(symbol, Known):
        return not isinstance(symbol.value, int | float)
    return isinstance(symbol, Choice)


def is_boolean(symbol: Symbol) -> bool:
    """Say whether a symbol is True or False, and nothing else."""
    if isinstance(symbol, Known):
        return isinstance(symbol.value, bool)
    return isinstance(symbol, Condition) or (isinstance(symbol, Choice) and symbol.is_bool)


def is_given(symbol: Symbol) -> bool:
    """Say whether a symbol stands for something that is known only when it is drawn."""
    return isinstance(symbol, Variable) and isinstance(symbol.name, Computed)


def is_sequence(symbol: Symbol) -> bool:
    """Say whether a symbol is a list or tuple."""
    if isinstance(symbol, Known):
        return type(symbol.value) in (list, tuple)
    return isinstance(symbol, Listed | Unsized)


def listed(symbol: Symbol) -> Listed:
    """Return a symbol as the list of its items."""
    if isinstance(symbol, Listed):
        return symbol
    if isinstance(symbol, Known) and isinstance(symbol.value, list | tuple | range):
        kind = tuple if isinstance(symbol.value, tuple) else list
        return Listed(tuple(Known(value) for value in symbol.value), kind)
    raise NotUnderstood


def length_of(symbol: Symbol) -> Term:
    """Return the length of a list, or of an array's first side."""
    if isinstance(symbol, Unsized):
        return symbol.length
    if isinstance(symbol, ArraySymbol):
        if isinstance(symbol.shape, Listed) and symbol.shape.items:
            return as_term(symbol.shape.items[0])
        raise NotUnderstood
    if isinstance(symbol, RecordSymbol):
        return Number(len(symbol.items))
    return Number(len(listed(symbol).items))


def slice_length(length: Term, start: int | None, end: int | None, step: int) -> Term:
    """Return how long a slice is, for the slices that are usual."""
    if step == -1 and start is None and end is None:
        return length
    if step != 1:
        raise NotUnderstood
    end_at = length if end is None else _from_either_end(length, end)
    stop = Extreme((end_at, length), False) if end is not None and end >= 0 else end_at
    begin = Number(0) if start is None else _from_either_end(length, start)
    return Extreme((added(stop, negated(begin)), Number(0)), True)


def _from_either_end(length: Term, place: int) -> Term:
    if place >= 0:
        return Number(place)
    return Extreme((added(length, Number(place)), Number(0)), True)


def joined(left: Symbol, right: Symbol) -> Symbol:
    """Return one list after another."""
    if isinstance(left, Unsized) or isinstance(right, Unsized):
        open_ = [side for side in (left, right) if isinstance(side, Unsized)]
        length = added(length_of(left), length_of(right))
        if len(open_) == 1 or open_[0].is_whole is None or open_[0].is_whole != open_[1].is_whole:
            return Unsized(length, -INF, INF, open_[0].kind)
        low, high = min(side.low for side in open_), max(side.high for side in open_)
        return Unsized(length, low, high, open_[0].kind, open_[0].is_whole)
    first, second = listed(left), listed(right)
    if first.kind is not second.kind:
        raise NotUnderstood
    return Listed(first.items + second.items, first.kind)


def dtype_symbol(symbol: Symbol) -> Symbol:
    """Return a dtype by its name, however it is written."""
    if isinstance(symbol, DtypeSymbol):
        return symbol.symbol
    if isinstance(symbol, Known):
        value = symbol.value
        name = str(getattr(value, "name", None) or getattr(value, "__name__", value))
        return Known(name.rpartition(".")[2])  # torch.float32 has no name but its repr
    raise NotUnderstood


def unpacked(target: ast.expr, item: Symbol) -> dict[str, Symbol]:
    """Return what the variables of a loop stand for in one turn of it."""
    if isinstance(target, ast.Name):
        return {target.id: item}
    if isinstance(target, ast.Tuple) and isinstance(item, Listed):
        bound: dict[str, Symbol] = {}
        if len(target.elts) != len(item.items):
            raise NotUnderstood
        for inner, part in zip(target.elts, item.items, strict=True):
            bound |= unpacked(inner, part)
        return bound
    raise NotUnderstood
