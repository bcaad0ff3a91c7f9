"""Comparisons of symbols, as conditions."""

from __future__ import annotations

import ast
import itertools
import math
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
from annotest.relations.solving.conditions import (
    Always,
    Checked,
    Compare,
    Condition,
    Constant,
    Hole,
    Needed,
    Open,
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


class Comparer:
    """Compares symbols."""

    def _compared(self, left: Symbol, sign: ast.cmpop, right: Symbol) -> Any:
        if isinstance(sign, ast.In | ast.NotIn):
            found = self._member(left, right)
            return found if isinstance(sign, ast.In) else found.negated()
        if isinstance(sign, ast.Is | ast.IsNot):
            same = self._identical(left, right)
            return same if isinstance(sign, ast.Is) else same.negated()
        written = _SIGNS[type(sign)]
        if isinstance(left, Known) and isinstance(right, Known):
            return natively(written, left.value, right.value)
        if isinstance(left, Distinct) or isinstance(right, Distinct):
            return self._how_many(left, written, right)
        if isinstance(left, ElementBound) or isinstance(right, ElementBound):
            return bounded_elements(left, written, right)
        if isinstance(left, Condition) or isinstance(right, Condition):
            return self._equivalent(left, written, right)
        if isinstance(left, ArraySymbol) or isinstance(right, ArraySymbol):
            return self._of_elements(left, written, right)
        if isinstance(left, DtypeSymbol) or isinstance(right, DtypeSymbol):
            return self._dtypes(left, written, right)
        if written in ("==", "!=") and (equal := self._sequences(left, right)) is not None:
            return equal if written == "==" else equal.negated()
        if written in ("==", "!=") and (is_no_number(left) or is_no_number(right)):
            return self._choices(left, written, right)
        if isinstance(left, Listed) and isinstance(right, Listed):
            return self._ordered(left, written, right)
        return Compare(as_term(left), written, as_term(right))

    def _equivalent(self, left: Symbol, sign: str, right: Symbol) -> Condition:
        if sign not in ("==", "!=") or not (is_boolean(left) and is_boolean(right)):
            raise NotUnderstood
        a, b = self.truth(left), self.truth(right)
        if sign == "!=":
            b = b.negated()
        return together([either([a.negated(), b]), either([a, b.negated()])])

    def _of_elements(self, left: Symbol, sign: str, right: Symbol) -> Any:
        """Compare each element of an array with a number."""
        sides = [one.element if isinstance(one, ArraySymbol) else one for one in (left, right)]
        if all(isinstance(one, ArraySymbol) for one in (left, right)):
            raise NotUnderstood
        return Elements(Compare(as_term(sides[0]), sign, as_term(sides[1])))

    def _dtypes(self, left: Symbol, sign: str, right: Symbol) -> Condition:
        one, other = (dtype_symbol(side) for side in (left, right))
        if sign not in ("==", "!="):
            raise NotUnderstood
        if isinstance(one, Known) and isinstance(other, Known):
            return natively(sign, one.value, other.value)
        return self._choices(one, sign, other)

    def _choices(self, left: Symbol, sign: str, right: Symbol) -> Condition:
        return Checked((*pieces_of(left), f" {sign} ", *pieces_of(right)))

    def _sequences(self, left: Symbol, right: Symbol) -> Condition | None:
        """Return the condition that two lists are equal, or None if they are none."""
        found = self._in_order(left, right) or self._in_order(right, left)
        if found is not None:
            return found
        if isinstance(left, Known) and type(left.value) in (list, tuple):
            left = listed(left)
        if isinstance(right, Known) and type(right.value) in (list, tuple):
            right = listed(right)
        if isinstance(left, Unsized | Listed) and isinstance(right, Unsized | Listed):
            if left.kind is not right.kind:
                return Always(False)
            if isinstance(left, Listed) and isinstance(right, Listed):
                return self._item_by_item(left, right)
            return Needed(Compare(length_of(left), "==", length_of(right)))
        if isinstance(left, Unsized | Listed | Sorted | Distinct):
            raise NotUnderstood
        return None

    def _ordered(self, left: Listed, sign: str, right: Listed) -> Condition:
        """Compare lists as Python does: by the first items that are not equal."""
        if left.kind is not right.kind:
            raise NotUnderstood
        if not left.items or not right.items:
            return natively(sign, len(left.items), len(right.items))
        one, other = left.items[0], right.items[0]
        rest = self._ordered(Listed(left.items[1:]), sign, Listed(right.items[1:]))
        first = self._condition_of(one, ast.Lt() if sign[0] == "<" else ast.Gt(), other)
        return either([first, together([self._condition_of(one, ast.Eq(), other), rest])])

    def _condition_of(self, left: Symbol, sign: ast.cmpop, right: Symbol) -> Condition:
        found = self._compared(left, sign, right)
        if not isinstance(found, Condition):
            raise NotUnderstood
        return found

    def _in_order(self, items: Symbol, other: Symbol) -> Condition | None:
        """Understand `x == sorted(x)`, `x == sorted(set(x))` and `sorted(x) == list(range(n))`."""
        if not isinstance(other, Sorted):
            return None
        if isinstance(items, Counting):
            return _counted(items, other.of)
        if other.of == items and isinstance(items, Unsized):
            return Open()
        if isinstance(items, Listed) and other.of == items:
            sign = _ORDERS[other.reverse, other.distinct]()
            return together(self._condition_of(a, sign, b) for a, b in pairwise(items.items))
        if isinstance(items, Listed | Known) and isinstance(other.of, Listed):
            return _permuted(other.of, listed(items))
        if isinstance(other.of, Unsized) and isinstance(items, Listed | Known):
            return Needed(Compare(other.of.length, "==", Number(len(listed(items).items))))
        raise NotUnderstood

    def _how_many(self, left: Symbol, sign: str, right: Symbol) -> Condition:
        """Understand `len(set(x)) == len(x)` and `len(set(x)) == 1`: all differ, or none does."""
        one, other = (left, right) if isinstance(left, Distinct) else (right, left)
        if sign != "==" or isinstance(other, Distinct):
            raise NotUnderstood
        if isinstance(one.of, Unsized):
            return _enough_values(one.of, as_term(other))
        items, count = listed(one.of).items, whole_number(other)
        if count == len(items):
            pairs = itertools.combinations(items, 2)
            return together(self._condition_of(a, ast.NotEq(), b) for a, b in pairs)
        if count == 1 and items:
            return together(self._condition_of(items[0], ast.Eq(), one) for one in items[1:])
        raise NotUnderstood

    def _item_by_item(self, left: Listed, right: Listed) -> Condition:
        if len(left.items) != len(right.items):
            return Always(False)
        pairs = zip(left.items, right.items, strict=True)
        return together([self._condition_of(a, ast.Eq(), b) for a, b in pairs])

    def _member(self, item: Symbol, container: Symbol) -> Condition:
        if isinstance(container, RecordSymbol) and isinstance(item, Known):
            return Always(item.value in container.items)
        if isinstance(container, Listed):
            return either(self._compared(item, ast.Eq(), one) for one in container.items)
        if not isinstance(container, Known):
            raise NotUnderstood
        if isinstance(item, Known):
            return Always(item.value in container.value)
        values = container.value
        if isinstance(values, range) and values.step == 1 and isinstance(item, Term):
            low, high = Number(values.start), Number(values.stop)
            return together([Compare(low, "<=", item), Compare(item, "<", high)])
        if isinstance(values, list | tuple | set | frozenset | range) and len(values) <= 64:
            return either(self._compared(item, ast.Eq(), Known(one)) for one in values)
        return Checked((*pieces_of(item), " in ", Constant(values)))

    def _identical(self, left: Symbol, right: Symbol) -> Condition:
        """Understand `x is None`, `flag is True` and `type(x) is list`."""
        if not isinstance(right, Known):
            left, right = right, left
        if not isinstance(right, Known):
            raise NotUnderstood
        if isinstance(left, Known):
            return Always(left.value is right.value)
        if isinstance(left, Choice):
            return Checked((Hole(left.name), " is ", Constant(right.value)))
        if right.value is None or isinstance(right.value, bool | type):
            if isinstance(left, Given | Unknown) or is_given(left):
                raise NotUnderstood
            return Always(False)
        raise NotUnderstood

    def truth(self, symbol: Symbol) -> Condition:
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
    wanted = [one.value for one in values.items if isinstance(one, Known)]
    if len(wanted) < len(values.items) or len(set(wanted)) < len(wanted):
        raise NotUnderstood
    if len(wanted) != len(items.items):
        return Always(False)
    terms = [as_term(item) for item in items.items]
    within = [either(Compare(one, "==", Number(value)) for value in wanted) for one in terms]
    return together([*within, different(terms)])


def different(terms: list[Term]) -> Condition:
    """Return the condition that numbers all differ."""
    pairs = ((a, b) for place, a in enumerate(terms) for b in terms[place + 1 :])
    return together(Compare(a, "!=", b) for a, b in pairs)


def _enough_values(items: Unsized, count: Term) -> Condition:
    """Return that there are as many values as items are to be different."""
    values = items.high - items.low + 1
    if not items.is_whole or not math.isfinite(values):
        return Open()
    return Needed(Compare(count, "<=", Number(int(values))))


def bounded_elements(left: Symbol, sign: str, right: Symbol) -> Condition:
    """Understand `x.max() < n` and `x.min() >= 0`: each element is to be so."""
    if not isinstance(left, ElementBound):
        turned = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
        left, sign, right = right, turned.get(sign, sign), left
    understood = ("<", "<=") if left.largest else (">", ">=")
    if isinstance(right, ElementBound) or sign not in understood:
        raise NotUnderstood
    return Compare(as_term(left.element), sign, as_term(right))
