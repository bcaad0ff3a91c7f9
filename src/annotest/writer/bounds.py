"""The ends of what a float may be, and whether rounding can break what they are there for."""

from __future__ import annotations

import ast
import math

from annotest.frozen import frozen
from annotest.relations.solving.boxes import INF
from annotest.relations.solving.conditions import Compare, Condition
from annotest.relations.solving.terms import Sum, Term, Variable
from annotest.relations.solving.variables import Name
from annotest.writer.drafts import Draft
from annotest.writer.saying import number_text


@frozen
class Total:
    """A sum of variables and a constant, in the order in which it is written and added up."""

    plus: tuple[Name, ...]
    minus: tuple[Name, ...]
    constant: float

    def text(self, draft: Draft) -> str:
        """Return the sum as it is written by hand: `1.0 - (a + b)`."""
        text = " + ".join(draft.called(one) for one in self.plus)
        if not text:
            text = number_text(self.constant)
        elif self.constant:
            text += f" {'+' if self.constant > 0 else '-'} {number_text(abs(self.constant))}"
        if not self.minus:
            return text
        taken = " + ".join(draft.called(one) for one in self.minus)
        return f"{text} - ({taken})" if len(self.minus) > 1 else f"{text} - {taken}"

    def ends(self, draft: Draft) -> tuple[float, float]:
        """Return the least and the most that it can be, rounded as the program rounds."""
        return self._at(draft, 0), self._at(draft, 1)

    def _at(self, draft: Draft, end: int) -> float:
        bounds = draft.box.bounds
        given = sum(bounds[name][end] for name in self.plus) + self.constant
        return given - sum(bounds[name][1 - end] for name in self.minus)


@frozen
class Reckoned:
    """A term that is no sum; what it can be is told with some room for rounding."""

    term: Term

    def text(self, draft: Draft) -> str:
        """Return the term as text."""
        return draft.said(self.term)

    def ends(self, draft: Draft) -> tuple[float, float]:
        """Return what it lies between."""
        low, high = self.term.bounds(draft.box)
        if "Sum" not in repr(self.term):
            return low, high  # rounding keeps the order
        return low - abs(low) * 1e-9, high + abs(high) * 1e-9


@frozen
class Bound:
    """One end of what a float may be; `is_left_out` if it is not included."""

    total: Total | Reckoned
    is_left_out: bool = False
    condition: Condition | None = None

    @property
    def depends(self) -> bool:
        """Whether it depends on other values."""
        return isinstance(self.total, Reckoned) or bool(self.total.plus or self.total.minus)

    @property
    def constant(self) -> float:
        """The number that it is, if it does not depend on others."""
        return self.total.constant if isinstance(self.total, Total) else math.nan


def constant(value: float, is_left_out: bool = False) -> Bound:
    """Return an end that is a number."""
    return Bound(Total((), (), value), is_left_out)


def inner(end: Bound, *, upper: bool) -> float:
    """Return the last float within an end, so that a smaller number is always the nearer end."""
    value = end.constant if upper else -end.constant
    return math.nextafter(value, -INF) if end.is_left_out else value


def is_kept(end: Bound, draft: Draft) -> bool:
    """Say whether a float that does not pass an end meets its condition, however it is rounded."""
    condition = end.condition
    if not isinstance(condition, Compare) or end.is_left_out != (condition.sign in ("<", ">")):
        return False
    return _is_said(end, draft) or _is_rounded_down(end, draft)


def _is_said(end: Bound, draft: Draft) -> bool:
    """Say whether a precondition compares a float with just what the end is."""
    clause = draft.case.clause_of.get(id(end.condition))
    if clause is None or not isinstance(clause.said, ast.Compare):
        return False
    text = ast.dump(ast.parse(end.total.text(draft), mode="eval").body)
    one, other = clause.said.left, clause.said.comparators[0]
    return any(
        isinstance(own, ast.Name) and ast.dump(rest) == text
        for own, rest in ((one, other), (other, one))
    )


def _is_rounded_down(end: Bound, draft: Draft) -> bool:
    """Say whether it is b <= c - a, for `a + b <= c`, with a from 0 to c and c even.

    Of c - a at most half of c's last place is lost, so that a + b is rounded to c at most.
    """
    condition, total = end.condition, end.total
    assert isinstance(condition, Compare)
    if not isinstance(total, Total) or total.plus or len(total.minus) != 1:
        return False
    low, high = draft.box.bounds[total.minus[0]]
    is_even = int(math.frexp(total.constant)[0] * 2**53) % 2 == 0
    sides = [one for one in (condition.left, condition.right) if isinstance(one, Sum)]
    plain = [all(isinstance(each, Variable) for each in one.terms) for one in sides]
    return plain == [True] and is_even and low >= 0 and high <= total.constant
