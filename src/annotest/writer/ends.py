"""What a comparison says of one variable: where it ends, given what is drawn before it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from annotest.frozen import frozen
from annotest.relations.solving.boxes import Box
from annotest.relations.solving.conditions import Compare, Condition, conjuncts
from annotest.relations.solving.dividing import Quotient
from annotest.relations.solving.terms import (
    Extreme,
    Negative,
    Number,
    Product,
    Size,
    Sum,
    Term,
    Variable,
    added,
    multiplied,
    negated,
)
from annotest.relations.solving.variables import Name

Parts = list[tuple[float, Term]]


class NotIsolated(Exception):
    """A condition says of a variable more than where it ends."""


@frozen
class End:
    """One end of what a variable may be; `is_left_out` if it may not be that itself."""

    term: Term
    is_upper: bool
    is_left_out: bool
    condition: Condition


def comparisons(condition: Condition) -> list[Compare]:
    """Return the comparisons that a condition consists of: all of them must hold."""
    found: list[Compare] = []
    for part in conjuncts(condition):
        if not isinstance(part, Compare):
            raise NotIsolated
        found += _split(part)
    return found


def _split(part: Compare) -> list[Compare]:
    """Take sizes and extremes apart: `abs(x) <= a`, `x <= min(a, b)`."""
    small, sign, large = part.left, part.sign, part.right
    if sign in (">", ">="):
        small, sign, large = large, "<" if sign == ">" else "<=", small
    if sign not in ("<", "<="):
        return [part]
    if isinstance(small, Size):
        ends = (small.term, negated(small.term))
        return [one for end in ends for one in _split(Compare(end, sign, large))]
    if isinstance(small, Extreme) and small.largest:
        return [one for end in small.terms for one in _split(Compare(end, sign, large))]
    if isinstance(large, Extreme) and not large.largest:
        return [one for end in large.terms for one in _split(Compare(small, sign, end))]
    return [Compare(small, sign, large)]


def ends_of(condition: Condition, name: Name, known: set[Name], box: Box) -> Iterator[End]:
    """Yield the ends that a condition gives a variable, whatever is drawn after it.

    Of what is not yet known, they leave room for the value that leaves most.
    """
    for one in comparisons(condition):
        if name not in one.variables():
            continue
        left, sign, right = one.left, one.sign, one.right
        if sign == "!=":
            raise NotIsolated
        if sign in (">", ">="):
            left, right = right, left
        left, right = _multiplied_out(left, right, box)
        parts = _merged([*_signed(left, 1), *_signed(right, -1)])
        own = [(factor, term) for factor, term in parts if name in term.variables()]
        if len(own) != 1:
            raise NotIsolated
        rest = [part for part in parts if name not in part[1].variables()]
        strict = one.sign in ("<", ">")
        for turn in (1, -1) if sign == "==" else (1,):
            turned = [(-turn * factor, term) for factor, term in rest]
            yield _end(turn * own[0][0], own[0][1], turned, (name, known, box), strict, condition)


def _multiplied_out(left: Term, right: Term, box: Box) -> tuple[Term, Term]:
    """Return the sides of a comparison without a division by what is above zero."""
    if isinstance(left, Quotient) and not left.floors and left.right.bounds(box)[0] > 0:
        return left.left, multiplied([right, left.right])
    if isinstance(right, Quotient) and not right.floors and right.right.bounds(box)[0] > 0:
        return multiplied([left, right.right]), right.left
    return left, right


def _end(
    factor: float,
    own: Term,
    rest: Parts,
    where: tuple[Name, set[Name], Box],
    strict: bool,
    condition: Condition,
) -> End:
    """Return the end that `factor * own <= rest` gives the variable in `own`."""
    _, known, box = where
    is_upper = factor > 0
    bound = added(*(_times(one if is_upper else -one, term) for one, term in rest))
    bound = leaving_most(bound, known, box, upper=is_upper)
    # of what is not yet known, the least leaves most below an end, and the most above one
    guess = int(not is_upper) if bound.bounds(box)[0] >= 0 else None
    divisor = _divisor(own, where, guess)
    whole = own.is_whole and bound.is_whole
    if whole and strict:
        bound, strict = added(bound, Number(-1 if is_upper else 1)), False
    size = multiplied([Number(abs(factor)), *divisor]) if abs(factor) != 1 else multiplied(divisor)
    if size != Number(1):
        bound = _divided(bound, size, whole, is_upper)
    return End(bound, is_upper, strict, condition)


def _divisor(own: Term, where: tuple[Name, set[Name], Box], guess: int | None) -> list[Term]:
    """Return what the variable is multiplied with: above zero, and known or at one of its ends."""
    name, known, box = where
    if isinstance(own, Variable):
        return []
    if not isinstance(own, Product):
        raise NotIsolated
    for one, other in ((own.left, own.right), (own.right, own.left)):
        low, high = other.bounds(box)
        if name in other.variables() or not (low > 0 or (low == 0 < high and not own.is_whole)):
            continue
        if set(other.variables()) <= known:
            return [other, *_divisor(one, where, guess)]
        if guess is not None and low > 0 and math.isfinite(high):
            return [Number((low, high)[guess]), *_divisor(one, where, guess)]
    raise NotIsolated


def _divided(bound: Term, by: Term, whole: bool, is_upper: bool) -> Term:
    if not whole:
        if isinstance(bound, Number) and isinstance(by, Number):
            return Number(bound.value / by.value)
        return Quotient(bound, by, False)
    if is_upper:
        return Quotient(bound, by, True)
    return negated(Quotient(negated(bound), by, True))  # rounded up


def _signed(term: Term, sign: float) -> Iterator[tuple[float, Term]]:
    """Yield the parts of a sum, each with its factor."""
    if isinstance(term, Sum):
        for one in term.terms:
            yield from _signed(one, sign)
    elif isinstance(term, Negative):
        yield from _signed(term.term, -sign)
    elif isinstance(term, Product) and isinstance(term.left, Number) and term.left.value:
        yield from _signed(term.right, sign * term.left.value)
    elif isinstance(term, Product) and isinstance(term.right, Number) and term.right.value:
        yield from _signed(term.left, sign * term.right.value)
    else:
        yield sign, term


def _merged(parts: Parts) -> Parts:
    """Add up the factors of what stands in a sum more than once."""
    found: dict[Term, float] = {}
    for factor, term in parts:
        if isinstance(term, Number):
            factor, term = factor * term.value, Number(1)
        found[term] = found.get(term, 0) + factor
    return [(factor, term) for term, factor in found.items() if factor]


def _times(factor: float, term: Term) -> Term:
    if isinstance(term, Number):
        return Number(factor * term.value)
    if factor < 0:
        return negated(_times(-factor, term))
    return term if factor == 1 else Product(Number(factor), term)


def leaving_most(term: Term, known: set[Name], box: Box, *, upper: bool) -> Term:
    """Return a term over what is known that lies at or beyond another, in one direction."""
    if set(term.variables()) <= known:
        return term
    if isinstance(term, Sum):
        return added(*(leaving_most(one, known, box, upper=upper) for one in term.terms))
    if isinstance(term, Negative):
        return negated(leaving_most(term.term, known, box, upper=not upper))
    if isinstance(term, Product) and min(one.bounds(box)[0] for one in term.parts()) >= 0:
        return multiplied([leaving_most(one, known, box, upper=upper) for one in term.parts()])
    end = term.bounds(box)[upper]
    if not math.isfinite(end):
        raise NotIsolated
    return Number(end)


def difference_of(one: Term, other: Term) -> Term:
    """Return how much one term is above another, with what both have in common taken out."""
    parts = _merged([*_signed(one, 1), *_signed(other, -1)])
    return added(*(_times(factor, term) for factor, term in parts))
