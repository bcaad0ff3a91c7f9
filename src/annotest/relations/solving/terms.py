"""Terms: numbers made of variables. Each has bounds, and can narrow those of its variables."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, ClassVar

from annotest.records import record
from annotest.relations.solving.boxes import Box, Empty, hull, product
from annotest.relations.solving.variables import Name

Bounds = tuple[float, float]
Namer = Callable[[Any], str]
NO_BOUNDS: Bounds = (0, 0)  # of what nothing adds up to


class Term:
    """A number that depends on variables."""

    __slots__ = ()

    @property
    def is_whole(self) -> bool:
        """Whether it is a whole number, whatever the variables are."""
        return True

    def variables(self) -> Iterator[Name]:
        """Yield the variables, some perhaps twice."""
        return iter(())

    def bounds(self, box: Box) -> Bounds:
        """Return what the number lies between."""
        raise NotImplementedError(type(self).__name__)  # each term has its own

    def narrow(self, box: Box, low: float, high: float) -> None:
        """Narrow the variables to values for which the number can lie between these bounds."""
        raise NotImplementedError(type(self).__name__)  # each term has its own

    def text(self, name: Namer) -> str:
        """Return the term as Python, given what variables are called there."""
        raise NotImplementedError(type(self).__name__)  # each term has its own


@record
class Number(Term):
    """A constant."""

    value: float

    @property
    def is_whole(self) -> bool:
        return isinstance(self.value, int)

    def bounds(self, box: Box) -> Bounds:
        return self.value, self.value

    def narrow(self, box: Box, low: float, high: float) -> None:
        if self.value < low or self.value > high:
            raise Empty

    def text(self, name: Namer) -> str:
        shown = repr(self.value) if math.isfinite(self.value) else f'float("{self.value}")'
        return f"({shown})" if self.value < 0 else shown


@record
class Variable(Term):
    """A variable as a number; `is_whole` if its values are whole numbers."""

    name: Name
    is_whole: bool = True

    def variables(self) -> Iterator[Name]:
        yield self.name

    def bounds(self, box: Box) -> Bounds:
        return box.bounds[self.name]

    def narrow(self, box: Box, low: float, high: float) -> None:
        box.narrow(self.name, low, high, self.is_whole)

    def text(self, name: Namer) -> str:
        return name(self.name)


class Compound(Term):
    """A term made of others."""

    __slots__ = ()

    def parts(self) -> tuple[Term, ...]:
        """Return the terms it is made of."""
        raise NotImplementedError(type(self).__name__)  # each term has its own

    @cached_property
    def is_whole(self) -> bool:
        return all(part.is_whole for part in self.parts())

    def variables(self) -> Iterator[Name]:
        for part in self.parts():
            yield from part.variables()


@record
class Many(Compound):
    """A term made of any number of others."""

    terms: tuple[Term, ...]

    def parts(self) -> tuple[Term, ...]:
        return self.terms

    def listed(self, name: Namer) -> str:
        """Return the terms as Python, with commas between them."""
        return ", ".join(term.text(name) for term in self.terms)


@record
class Sum(Many):
    """The sum of terms."""

    def bounds(self, box: Box) -> Bounds:
        low = high = 0.0 if not self.is_whole else 0
        for term in self.terms:
            least, most = term.bounds(box)
            low, high = low + least, high + most
        return low, high

    def narrow(self, box: Box, low: float, high: float) -> None:
        bounds = [term.bounds(box) for term in self.terms]
        # what the terms before each one add up to, and those behind it: with floats, a small one
        # that is taken from the sum of all would be lost beside a large one
        before = list(itertools.accumulate(bounds, _added, initial=NO_BOUNDS))
        least, most = before[-1]
        if least > high or most < low:
            raise Empty
        if low <= least and most <= high:
            return
        behind = list(itertools.accumulate(bounds[::-1], _added, initial=NO_BOUNDS))[::-1]
        for place, term in enumerate(self.terms):
            least, most = _added(before[place], behind[place + 1])
            rounding = 0 if self.is_whole else len(bounds) * _grain(low, high, least, most)
            term.narrow(box, low - most - rounding, high - least + rounding)

    def text(self, name: Namer) -> str:
        if not self.terms:
            return "0"
        first, *others = self.terms
        return f"({first.text(name)}{''.join(_added_text(term, name) for term in others)})"


def _added_text(term: Term, name: Namer) -> str:
    """Return a term as it stands behind others: what is negative is taken away."""
    if isinstance(term, Negative) or (isinstance(term, Number) and term.value < 0):
        return f" - {negated(term).text(name)}"
    return f" + {term.text(name)}"


def _added(bounds: Bounds, other: Bounds) -> Bounds:
    return bounds[0] + other[0], bounds[1] + other[1]


def _grain(*numbers: float) -> float:
    """Return by how much some numbers may be off because they were rounded."""
    return max(math.ulp(number) if math.isfinite(number) else 0.0 for number in numbers)


@record
class Negative(Compound):
    """Minus a term."""

    term: Term

    def parts(self) -> tuple[Term, ...]:
        return (self.term,)

    def bounds(self, box: Box) -> Bounds:
        low, high = self.term.bounds(box)
        return -high, -low

    def narrow(self, box: Box, low: float, high: float) -> None:
        self.term.narrow(box, -high, -low)

    def text(self, name: Namer) -> str:
        return f"(-{self.term.text(name)})"


@record
class Operation(Compound):
    """Two terms with a sign between them."""

    left: Term
    right: Term
    sign: ClassVar[str]

    def parts(self) -> tuple[Term, ...]:
        return self.left, self.right

    def text(self, name: Namer) -> str:
        return f"({self.left.text(name)} {self.sign} {self.right.text(name)})"


@record
class Product(Operation):
    """The product of two terms."""

    sign = "*"

    def bounds(self, box: Box) -> Bounds:
        a, b = self.left.bounds(box)
        c, d = self.right.bounds(box)
        if a >= 0 and c >= 0:
            return product(a, c), product(b, d)
        return hull([product(a, c), product(a, d), product(b, c), product(b, d)])

    def narrow(self, box: Box, low: float, high: float) -> None:
        for factor, other in ((self.left, self.right), (self.right, self.left)):
            ends = _quotient((low, high), other.bounds(box), self.is_whole)
            if ends is not None:
                factor.narrow(box, *ends)


@record
class Total(Product):
    """The sum of whole numbers that are not yet known: their mean, times how many there are."""

    @property
    def is_whole(self) -> bool:
        return True


def _quotient(wanted: Bounds, by: Bounds, whole: bool) -> Bounds | None:
    """Return the bounds of what, multiplied by `by`, lies within bounds; None for anything."""
    (low, high), (least, most) = wanted, by
    if least <= 0:
        return None
    return (
        _divided(low, most if low >= 0 else least, whole),
        -_divided(-high, least if high >= 0 else most, whole),
    )


def _divided(end: float, by: float, whole: bool) -> float:
    """Return an end divided by a number above zero; rounded down, if all are whole numbers."""
    if math.isinf(end) or math.isinf(by):
        return end if math.isinf(end) else min(end, 0)
    return math.floor(end) // int(by) if whole else end / by


def added(*terms: Term) -> Term:
    """Return a sum, flat and with its constants added up."""
    flat: list[Term] = []
    constant: float = 0
    for term in terms:
        for part in term.terms if isinstance(term, Sum) else (term,):
            if isinstance(part, Number):
                constant += part.value
            else:
                flat.append(part)
    if constant or not flat:
        flat.append(Number(constant))
    return flat[0] if len(flat) == 1 else Sum(tuple(flat))


def multiplied(terms: list[Term]) -> Term:
    """Return a product."""
    whole: Term = Number(1)
    for term in terms:
        whole = term if whole == Number(1) else Product(whole, term)
    return whole


def negated(term: Term) -> Term:
    """Return minus a term."""
    if isinstance(term, Number):
        return Number(-term.value)
    return term.term if isinstance(term, Negative) else Negative(term)
