"""What numbers leave when they are divided: the sum of even numbers is even."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from annotest.relations.solving.conditions import Compare
from annotest.relations.solving.dividing import Remainder
from annotest.relations.solving.domains import Domain
from annotest.relations.solving.terms import (
    Compound,
    Negative,
    Number,
    Product,
    Sum,
    Term,
    Variable,
)
from annotest.relations.solving.variables import Name

MOST_VALUES = 4096
MOST_DIVISORS = 4
LARGEST_DIVISOR = 64

# a term, what it is divided by, and what is left
Left = tuple[Term, int, int]


def cannot_be_equal(facts: Sequence[Compare], domains: Mapping[Name, Domain]) -> bool:
    """Say whether the sides of an equation leave different remainders, whatever the values."""
    equations = [one for one in facts if one.sign == "=="]
    whole = [one for one in equations if one.left.is_whole and one.right.is_whole]
    stated = [found for one in whole if (found := _stated(one)) is not None]
    for divisor in _divisors(whole):
        left = _Remainders(divisor, domains, stated)
        if any(not left.of(one.left) & left.of(one.right) for one in whole):
            return True
        if any(by == divisor and rest not in left.of(term) for term, by, rest in stated):
            return True
    return False


def _stated(equation: Compare) -> Left | None:
    """Understand `a % 2 == 1`."""
    for one, other in ((equation.left, equation.right), (equation.right, equation.left)):
        if isinstance(one, Remainder) and isinstance(other, Number):
            by = one.right
            if isinstance(by, Number) and by.value > 0:
                return one.left, int(by.value), int(other.value)
    return None


def _divisors(equations: Sequence[Compare]) -> list[int]:
    """Return the numbers that others are divided by, or multiplied with."""
    sides = [side for one in equations for side in (one.left, one.right)]
    found = dict.fromkeys(number for side in sides for number in _factors(side))
    return [one for one in found if 1 < one <= LARGEST_DIVISOR][:MOST_DIVISORS]


def _factors(term: Term) -> Iterator[int]:
    if not isinstance(term, Compound):
        return
    for part in term.parts():
        if isinstance(part, Number) and isinstance(term, Remainder | Product):
            yield abs(int(part.value))
        yield from _factors(part)


@dataclass
class _Remainders:
    """What terms may leave when they are divided by a number."""

    divisor: int
    domains: Mapping[Name, Domain]
    stated: Sequence[Left]

    def of(self, term: Term) -> set[int]:
        if isinstance(term, Number):
            return {int(term.value) % self.divisor}
        if isinstance(term, Variable):
            return self._of_variable(term)
        if isinstance(term, Negative):
            return {-one % self.divisor for one in self.of(term.term)}
        if isinstance(term, Sum):
            return self._joined(term.terms, lambda a, b: a + b)
        if type(term) is Product:
            return self._joined((term.left, term.right), lambda a, b: a * b)
        return set(range(self.divisor))

    def _joined(self, terms: Sequence[Term], join: Callable[[int, int], int]) -> set[int]:
        found = self.of(terms[0])
        for term in terms[1:]:
            other = self.of(term)
            found = {join(one, two) % self.divisor for one in found for two in other}
        return found

    def _of_variable(self, variable: Variable) -> set[int]:
        values = self.domains[variable.name].values
        found = set(range(self.divisor))
        if values is not None and len(values) <= MOST_VALUES:
            found = {value % self.divisor for value in values}
        for term, by, rest in self.stated:
            if term == variable:
                common = math.gcd(by, self.divisor)
                found = {one for one in found if (one - rest) % common == 0}
        return found
