"""Related floats: each is drawn between bounds that depend on those drawn before it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from annotest.errors import UnwritableValue
from annotest.expr import Expr, Local, Method, st
from annotest.frozen import frozen
from annotest.relations.boxes import INF
from annotest.relations.conditions import Compare, Condition
from annotest.relations.dividing import Quotient
from annotest.relations.domains import LARGEST, Domain
from annotest.relations.levels import Level
from annotest.relations.terms import Extreme, Negative, Number, Sum, Term, Variable
from annotest.writer.drafts import Draft
from annotest.writer.ends import End, NotIsolated, ends_of
from annotest.writer.saying import local_name, number_text, said_condition

EXACT = 2.0**53  # below it every whole number is a float


@frozen
class Total:
    """A sum of variables and a constant, in the order in which it is written and added up."""

    plus: tuple[str, ...]
    minus: tuple[str, ...]
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


class RealWriter:
    """Writes the draw of a float; `others` are variables that are no part of the problem."""

    def __init__(self, draft: Draft, others: dict[str, Domain] | None = None) -> None:
        self._draft = draft
        self._domains = {**draft.problem.domains, **(others or {})}
        self._name = ""

    def lines(self, level: Level) -> list[str]:
        """Return the statement that chooses a float."""
        draft, name = self._draft, local_name(level.name)
        apart = [one for one in level.closed_by if _is_apart(one)]
        closed = [one for one in level.closed_by if not _is_apart(one)]
        for part in closed:
            if not is_order(part):  # rounding may break it
                draft.check(part)
        solution = self._solution(level.name, closed)
        if solution is not None:
            line = draft.assigned(name, Local(solution))
        else:
            strategy = self.strategy(level.name, [*closed, *self._ahead(level)])
            for part in apart:
                text = said_condition(part, draft.called)
                strategy = Method(strategy, "filter", (Local(f"lambda {name}: {text}"),))
            line = draft.drawing(name, strategy)
        draft.note(level, [End(Number(0), True, False, one) for one in level.touching])
        return [line]

    def _ahead(self, level: Level) -> list[Condition]:
        """Return the conditions by which a float leaves room for what is drawn after it."""
        found, closed = [], {id(one) for one in level.closed_by}
        for one in level.touching:
            if id(one) in closed or _is_apart(one):
                continue
            try:
                list(ends_of(one, level.name, self._draft.known, self._draft.box))
            except NotIsolated:
                continue
            found.append(one)
        return found

    def _solution(self, name: str, conditions: Sequence[Condition]) -> str | None:
        """Return the only value that an equation leaves, or None where there is no equation."""
        self._name = name
        equations = [one for one in conditions if isinstance(one, Compare) and one.sign == "=="]
        if not equations:
            return None
        total = self._ends(equations[0], upper=True)[0].total
        low, high = self._declared(upper=False), self._declared(upper=True)
        least, most = total.ends(self._draft)
        text = total.text(self._draft)
        if not self._is_real(total):
            text = f"{self._draft.word('float')}({text})"
        if least < low.constant:
            text = self._clamped(text, low, "max")
        return text if most <= high.constant else self._clamped(text, high, "min")

    def strategy(self, name: str, conditions: Sequence[Condition]) -> Expr:
        """Return the floats that leave all conditions possible; its bounds are noted."""
        self._name = name
        low, low_sums = self._nearest(conditions, upper=False)
        high, high_sums = self._nearest(conditions, upper=True)
        if low_sums and high_sums and not self._cannot_cross(low_sums, high_sums):
            raise UnwritableValue("several floats bound another, and may leave nothing")
        options: dict[str, Any] = {}
        for word, own, sums, far in (("min", low, low_sums, high), ("max", high, high_sums, low)):
            if sums:
                kept = [self._kept(one, own, far, upper=word == "max") for one in sums]
                texts = list(dict.fromkeys(kept))
                nearest = f"{self._draft.word('min' if word == 'max' else 'max')}"
                text = texts[0] if len(texts) == 1 else f"{nearest}({', '.join(texts)})"
                options[f"{word}_value"] = Local(text)
            elif own.is_left_out or abs(own.constant) < LARGEST:
                options[f"{word}_value"] = Local(own.total.text(self._draft))
            else:
                options |= {"allow_nan": False, "allow_infinity": False}
            if self._leaves_out(sums, own):
                options[f"exclude_{word}"] = True
        self._draft.box.bounds[name] = (-_inner(low, upper=False), _inner(high, upper=True))
        return st.floats(**dict(sorted(options.items(), key=lambda one: "value" not in one[0])))

    def _leaves_out(self, sums: list[Bound], own: Bound) -> bool:
        found = {one.is_left_out for one in sums} or {own.is_left_out}
        if len(found) > 1:
            raise UnwritableValue("one end is left out, and another is not")
        return found.pop()

    def _cannot_cross(self, lows: list[Bound], highs: list[Bound]) -> bool:
        """Say whether two ends are of one condition, or in an order that others were drawn in."""
        for low in lows:
            for high in highs:
                if low.condition is high.condition and low.condition is not None:
                    continue
                ordered = low.condition is not None and high.condition is not None
                if not ordered or not (is_order(low.condition) and is_order(high.condition)):
                    return False
                if low.is_left_out and high.is_left_out:
                    return False  # between two floats there may be no other
        return True

    def _is_real(self, total: Total | Reckoned) -> bool:
        if isinstance(total, Reckoned):
            return not total.term.is_whole
        names = (*total.plus, *total.minus)
        return bool(total.constant) or any(
            name in self._domains
            and self._domains[name].values is None
            and name not in self._draft.problem.given
            for name in names
        )

    def _nearest(
        self, conditions: Sequence[Condition], *, upper: bool
    ) -> tuple[Bound, list[Bound]]:
        """Return the nearest end that is a number, and those nearer that are sums."""
        ends = [end for one in conditions for end in self._ends(one, upper=upper)]
        own = self._declared(upper=upper)
        for end in ends:
            if not end.depends and _inner(end, upper=upper) < _inner(own, upper=upper):
                own = end
        reached = constant(self._draft.box.bounds[self._name][upper])
        if _inner(reached, upper=upper) < _inner(own, upper=upper):
            own = reached
        return own, [end for end in ends if end.depends and self._matters(end, own, upper=upper)]

    def _declared(self, *, upper: bool) -> Bound:
        domain = self._domains[self._name]
        return constant(domain.high if upper else domain.low)

    def _matters(self, end: Bound, own: Bound, *, upper: bool) -> bool:
        nearest = constant(end.total.ends(self._draft)[not upper], end.is_left_out)
        return _inner(nearest, upper=upper) < _inner(own, upper=upper)

    def _kept(self, end: Bound, own: Bound, far: Bound, *, upper: bool) -> str:
        """Return an end as text, kept between the two numbers that must not be passed."""
        if self._is_given(end.total):
            text = end.total.text(self._draft)
            text = self._clamped(text, own, "min" if upper else "max")
            return self._clamped(text, far, "max" if upper else "min")
        ends = end.total.ends(self._draft)
        farthest = constant(ends[upper], end.is_left_out)
        nearest = constant(ends[not upper], end.is_left_out)
        passes_own = _inner(farthest, upper=upper) > _inner(own, upper=upper)
        passes_far = _inner(nearest, upper=upper) < -_inner(far, upper=not upper)
        if not all(abs(one) < EXACT for one in ends) and not self._is_real(end.total):
            raise UnwritableValue("a whole number that no float equals")
        is_edge_out = end.is_left_out and (passes_own or passes_far)
        if is_edge_out or not all(map(math.isfinite, ends)):
            raise UnwritableValue("a float that another may leave no value")
        text = end.total.text(self._draft)
        if passes_own:
            text = self._clamped(text, own, "min" if upper else "max")
        if passes_far:
            text = self._clamped(text, far, "max" if upper else "min")
        return text

    def _clamped(self, text: str, end: Bound, word: str) -> str:
        if end.is_left_out:
            raise UnwritableValue("one end is left out, and another is not")
        return f"{self._draft.word(word)}({end.total.text(self._draft)}, {text})"

    def _ends(self, condition: Condition, *, upper: bool) -> list[Bound]:
        """Return what a condition says of this float, whatever is drawn after it."""
        draft = self._draft
        try:
            found = list(ends_of(condition, self._name, draft.known, draft.box))
        except NotIsolated:
            raise UnwritableValue("a float in a relation that is no comparison") from None
        return [self._bound(one, condition) for one in found if one.is_upper == upper]

    def _bound(self, end: End, condition: Condition) -> Bound:
        total = self._total(end.term, upper=end.is_upper)
        # what is more than a sum is checked: there it does not matter whether it is left out
        is_left_out = end.is_left_out and not isinstance(total, Reckoned)
        if self._is_given(total):
            self._draft.check(condition)
            is_left_out = False
        return Bound(total, is_left_out, condition)

    def _is_given(self, total: Total | Reckoned) -> bool:
        """Say whether an end depends on what is drawn first, which may be any number."""
        if isinstance(total, Reckoned):
            names = set(total.term.variables())
        else:
            names = {*total.plus, *total.minus}
        return bool(names & set(self._draft.problem.given))

    def _total(self, term: Term, *, upper: bool) -> Total | Reckoned:
        plus: list[str] = []
        minus: list[str] = []
        number = 0.0
        for one in term.terms if isinstance(term, Sum) else (term,):
            inner = one.term if isinstance(one, Negative) else one
            if isinstance(one, Number):
                number += one.value
            elif isinstance(inner, Variable):
                (plus if inner is one else minus).append(inner.name)
            else:
                return Reckoned(self._without_zero(term, upper=upper))
        return Total(tuple(plus), tuple(minus), number)

    def _without_zero(self, term: Term, *, upper: bool) -> Term:
        """Return a quotient whose divisor is not so small that its end no longer matters."""
        if not isinstance(term, Quotient) or term.right.bounds(self._draft.box)[0] > 0:
            return term
        high = self._domains[self._name].high
        if not upper or not isinstance(term.left, Number) or not 0 < high < INF:
            raise UnwritableValue("a float that is divided by zero")
        least = Number(term.left.value / high)
        return Quotient(term.left, Extreme((least, term.right), True), False)


def is_order(condition: Condition | None) -> bool:
    """Say whether a condition only compares variables and numbers: rounding cannot break it."""
    return (
        isinstance(condition, Compare)
        and condition.sign != "=="
        and isinstance(condition.left, Variable | Number)
        and isinstance(condition.right, Variable | Number)
    )


def _is_apart(condition: Condition) -> bool:
    return isinstance(condition, Compare) and condition.sign == "!="


def _inner(end: Bound, *, upper: bool) -> float:
    """Return the last float within an end, so that a smaller number is always the nearer end."""
    value = end.constant if upper else -end.constant
    return math.nextafter(value, -INF) if end.is_left_out else value
