"""Comparisons of symbols, as conditions."""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from annotest.relations.reading.sequences import (
    as_term,
    dtype_symbol,
    is_boolean,
    is_given,
    is_no_number,
    length_of,
    listed,
    whole_number,
)
from annotest.relations.reading.symbols import (
    ArraySymbol,
    Choice,
    Counting,
    Distinct,
    DtypeSymbol,
    ElementBound,
    Elements,
    Given,
    Known,
    Listed,
    NotUnderstood,
    RecordSymbol,
    Sorted,
    Symbol,
    Unknown,
    Unsized,
)
from annotest.relations.reading.templates import pieces_of
from annotest.relations.solving.checked import Checked, ConstantPiece, Hole
from annotest.relations.solving.conditions import (
    UNDECIDED,
    Always,
    Compare,
    Condition,
    Needed,
    either,
    together,
)
from annotest.relations.solving.terms import Number, Term

_ORDERS = {  # by whether it is reversed, and without equal items
    (False, False): ast.LtE,
    (False, True): ast.Lt,
    (True, False): ast.GtE,
    (True, True): ast.Gt,
}
_SIGNS = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}


def compared(left: Symbol, sign: ast.cmpop, right: Symbol) -> Condition | Elements:
    """Return what a comparison says: of two values, or of each element of an array."""
    if isinstance(sign, ast.In | ast.NotIn):
        member = _member(left, right)
        return member if isinstance(sign, ast.In) else member.negated()
    if isinstance(sign, ast.Is | ast.IsNot):
        same = _identical(left, right)
        return same if isinstance(sign, ast.Is) else same.negated()
    written = _SIGNS[type(sign)]
    if isinstance(left, Known) and isinstance(right, Known):
        return natively(written, left.value, right.value)
    for kind, compare in _BY_KIND:
        if isinstance(left, kind) or isinstance(right, kind):
            return compare(left, written, right)
    return _of_values(left, written, right)


def _of_values(left: Symbol, sign: str, right: Symbol) -> Condition:
    """Compare lists, numbers, and what is neither."""
    if sign in ("==", "!="):
        equal = _sequences(left, right)
        if equal is not None:
            return equal if sign == "==" else equal.negated()
        if is_no_number(left) or is_no_number(right):
            return _choices(left, sign, right)
    return Compare(as_term(left), sign, as_term(right))


def _equivalent(left: Symbol, sign: str, right: Symbol) -> Condition:
    if sign not in ("==", "!=") or not (is_boolean(left) and is_boolean(right)):
        raise NotUnderstood
    a, b = truth(left), truth(right)
    if sign == "!=":
        b = b.negated()
    return together([either([a.negated(), b]), either([a, b.negated()])])


def _of_elements(left: Symbol, sign: str, right: Symbol) -> Elements:
    """Compare each element of an array with a number."""
    if isinstance(left, ArraySymbol) and isinstance(right, ArraySymbol):
        raise NotUnderstood
    sides = [side.element if isinstance(side, ArraySymbol) else side for side in (left, right)]
    return Elements(Compare(as_term(sides[0]), sign, as_term(sides[1])))


def _dtypes(left: Symbol, sign: str, right: Symbol) -> Condition:
    left, right = dtype_symbol(left), dtype_symbol(right)
    if sign not in ("==", "!="):
        raise NotUnderstood
    if isinstance(left, Known) and isinstance(right, Known):
        return natively(sign, left.value, right.value)
    return _choices(left, sign, right)


def _choices(left: Symbol, sign: str, right: Symbol) -> Condition:
    return Checked((*pieces_of(left), f" {sign} ", *pieces_of(right)))


def _sequences(left: Symbol, right: Symbol) -> Condition | None:
    """Return the condition that two lists are equal, or None if they are none."""
    in_order = _in_order(left, right) or _in_order(right, left)
    if in_order is not None:
        return in_order
    left, right = _as_listed(left), _as_listed(right)
    if isinstance(left, Unsized | Listed) and isinstance(right, Unsized | Listed):
        if left.kind is not right.kind:
            return Always(False)
        if isinstance(left, Listed) and isinstance(right, Listed):
            return _item_by_item(left, right)
        return Needed(Compare(length_of(left), "==", length_of(right)))
    if isinstance(left, Unsized | Listed | Sorted | Distinct):
        raise NotUnderstood
    return None


def _as_listed(symbol: Symbol) -> Symbol:
    is_list = isinstance(symbol, Known) and type(symbol.value) in (list, tuple)
    return listed(symbol) if is_list else symbol


def _condition_of(left: Symbol, sign: ast.cmpop, right: Symbol) -> Condition:
    condition = compared(left, sign, right)
    if not isinstance(condition, Condition):
        raise NotUnderstood
    return condition


def _in_order(items: Symbol, other: Symbol) -> Condition | None:
    """Understand `x == sorted(x)`, `x == sorted(set(x))` and `sorted(x) == list(range(n))`."""
    if not isinstance(other, Sorted):
        return None
    if isinstance(items, Counting):
        return _counted(items, other.of)
    if other.of == items and isinstance(items, Unsized):
        return UNDECIDED
    if isinstance(items, Listed) and other.of == items:
        sign = _ORDERS[other.reverse, other.distinct]()
        return together(_condition_of(a, sign, b) for a, b in pairwise(items.items))
    if isinstance(items, Listed | Known) and isinstance(other.of, Listed):
        return _permuted(other.of, listed(items))
    if isinstance(other.of, Unsized) and isinstance(items, Listed | Known):
        return Needed(Compare(other.of.length, "==", Number(len(listed(items).items))))
    raise NotUnderstood


def _how_many(left: Symbol, sign: str, right: Symbol) -> Condition:
    """Understand `len(set(x)) == len(x)` and `len(set(x)) == 1`: all differ, or none does."""
    different, number = (left, right) if isinstance(left, Distinct) else (right, left)
    if sign != "==" or isinstance(number, Distinct) or not isinstance(different, Distinct):
        raise NotUnderstood
    if isinstance(different.of, Unsized):
        return _enough_values(different.of, as_term(number))
    items, count = listed(different.of).items, whole_number(number)
    if count == len(items):
        pairs = itertools.combinations(items, 2)
        return together(_condition_of(a, ast.NotEq(), b) for a, b in pairs)
    if count == 1 and items:
        return together(_condition_of(items[0], ast.Eq(), item) for item in items[1:])
    raise NotUnderstood


def _item_by_item(left: Listed, right: Listed) -> Condition:
    if len(left.items) != len(right.items):
        return Always(False)
    pairs = zip(left.items, right.items, strict=True)
    return together([_condition_of(a, ast.Eq(), b) for a, b in pairs])


def _member(item: Symbol, container: Symbol) -> Condition:
    if isinstance(container, RecordSymbol) and isinstance(item, Known):
        return Always(item.value in container.items)
    if isinstance(container, Listed):
        return either(_condition_of(item, ast.Eq(), other) for other in container.items)
    if not isinstance(container, Known):
        raise NotUnderstood
    if isinstance(item, Known):
        return Always(item.value in container.value)
    values = container.value
    if isinstance(values, range) and values.step == 1 and isinstance(item, Term):
        low, high = Number(values.start), Number(values.stop)
        return together([Compare(low, "<=", item), Compare(item, "<", high)])
    if isinstance(values, list | tuple | set | frozenset | range) and len(values) <= 64:
        return either(_condition_of(item, ast.Eq(), Known(value)) for value in values)
    return Checked((*pieces_of(item), " in ", ConstantPiece(values)))


def _identical(left: Symbol, right: Symbol) -> Condition:
    """Understand `x is None`, `flag is True` and `type(x) is list`."""
    if not isinstance(right, Known):
        left, right = right, left
    if not isinstance(right, Known):
        raise NotUnderstood
    if isinstance(left, Known):
        return Always(left.value is right.value)
    if isinstance(left, Choice):
        return Checked((Hole(left.name), " is ", ConstantPiece(right.value)))
    if right.value is None or isinstance(right.value, bool | type):
        if isinstance(left, Given | Unknown) or is_given(left):
            raise NotUnderstood
        return Always(False)
    raise NotUnderstood


def truth(symbol: Symbol) -> Condition:
    """Return the condition that something counts as true."""
    if isinstance(symbol, Condition):
        return symbol
    if isinstance(symbol, Known):
        return Always(bool(symbol.value))
    if isinstance(symbol, Term):
        return Compare(symbol, "!=", Number(0))
    if isinstance(symbol, Choice):
        return Checked((Hole(symbol.name),))
    if isinstance(symbol, Unsized | Listed):
        return Compare(length_of(symbol), ">", Number(0))
    if isinstance(symbol, RecordSymbol):
        return Always(bool(symbol.items))
    raise NotUnderstood


def natively(sign: str, left: Any, right: Any) -> Condition:
    """Compare two values."""
    try:
        return Always(bool(eval(f"left {sign} right", {"left": left, "right": right})))
    except Exception:
        raise NotUnderstood from None


def _counted(numbers: Counting, items: Symbol) -> Condition:
    """Understand `sorted(x) == list(range(n))`: x holds each number below n once."""
    agree = Compare(length_of(items), "==", numbers.length)
    if isinstance(items, Unsized):
        return Needed(agree)
    values = Listed(tuple(Known(place) for place in range(len(listed(items).items))), list)
    return together([agree, _permuted(listed(items), values)])


def _permuted(items: Listed, values: Listed) -> Condition:
    """Return the condition that items are some values, in any order."""
    wanted = [value.value for value in values.items if isinstance(value, Known)]
    if len(wanted) < len(values.items) or len(set(wanted)) < len(wanted):
        raise NotUnderstood
    if len(wanted) != len(items.items):
        return Always(False)
    terms = [as_term(item) for item in items.items]
    within = [either(Compare(term, "==", Number(value)) for value in wanted) for term in terms]
    different = (Compare(a, "!=", b) for a, b in itertools.combinations(terms, 2))
    return together([*within, *different])


def _enough_values(items: Unsized, count: Term) -> Condition:
    """Return that there are as many values as items are to be different."""
    values = items.high - items.low + 1
    if not items.is_whole or not math.isfinite(values):
        return UNDECIDED
    return Needed(Compare(count, "<=", Number(int(values))))


def _bounded_elements(left: Symbol, sign: str, right: Symbol) -> Condition:
    """Understand `x.max() < n` and `x.min() >= 0`: each element is to be so."""
    if isinstance(right, ElementBound):
        turned = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
        left, sign, right = right, turned.get(sign, sign), left
    if not isinstance(left, ElementBound) or isinstance(right, ElementBound):
        raise NotUnderstood
    if sign not in (("<", "<=") if left.largest else (">", ">=")):
        raise NotUnderstood
    return Compare(left.element, sign, as_term(right))


# what is compared in a way of its own, if one of the sides is of that kind
_BY_KIND: tuple[tuple[type, Callable[[Symbol, str, Symbol], Condition | Elements]], ...] = (
    (Distinct, _how_many),
    (ElementBound, _bounded_elements),
    (Condition, _equivalent),
    (ArraySymbol, _of_elements),
    (DtypeSymbol, _dtypes),
)
