"""Related floats: each is drawn between bounds that depend on those drawn before it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from annotest.errors import UnwritableValue
from annotest.expr import Expr, Local, Method, st
from annotest.relations.solving.boxes import INF
from annotest.relations.solving.conditions import Compare, Condition
from annotest.relations.solving.dividing import Quotient
from annotest.relations.solving.domains import LARGEST, Domain
from annotest.relations.solving.levels import Level
from annotest.relations.solving.terms import Extreme, Negative, Number, Sum, Term, Variable
from annotest.relations.solving.variables import Name, Named
from annotest.writer.bounds import Bound, Reckoned, Total, constant, inner, is_kept
from annotest.writer.drafts import Draft
from annotest.writer.ends import End, NotIsolated, ends_of
from annotest.writer.saying import local_name, said_condition

EXACT = 2.0**53  # below it every whole number is a float


class RealWriter:
    """Writes the draw of a float; `others` are variables that are no part of the problem."""

    def __init__(self, draft: Draft, others: dict[Name, Domain] | None = None) -> None:
        self._draft = draft
        self._domains = {**draft.problem.domains, **(others or {})}
        self._name: Name = Named("")
        self._exact: set[int] = set()  # conditions that the draw meets, however it is rounded
        self._reached: set[int] = set()  # those that leave out an end, which is drawn

    def lines(self, level: Level) -> list[str]:
        """Return the statement that chooses a float."""
        draft, name = self._draft, local_name(level.name)
        apart = [one for one in level.closed_by if _is_apart(one)]
        closed = [one for one in level.closed_by if not _is_apart(one)]
        solution = self._solution(level.name, closed)
        if solution is not None:
            line = draft.assigned(name, Local(solution))
        else:
            strategy = self.strategy(level.name, [*closed, *self._ahead(level)])
            texts = [said_condition(part, draft.called) for part in apart]
            for text in dict.fromkeys([*texts, *self._filters(name, closed)]):
                strategy = Method(strategy, "filter", (Local(f"lambda {name}: {text}"),))
            line = draft.drawing(name, strategy)
        for part in closed:
            if not is_order(part) and id(part) not in self._exact:  # rounding may break it
                draft.check(part)
        draft.note(level, [End(Number(0), True, False, one) for one in level.touching])
        return [line]

    def _filters(self, name: str, closed: Sequence[Condition]) -> Iterator[str]:
        """Yield the preconditions that do not hold at an end which is drawn all the same."""
        for part in closed:
            clause = self._draft.case.clause_of.get(id(part))
            if id(part) in self._reached and clause and self._draft.can_say(clause.text, name):
                self._exact.add(id(part))
                yield clause.text

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

    def _solution(self, name: Name, conditions: Sequence[Condition]) -> str | None:
        """Return the only value that an equation leaves, or None where there is no equation."""
        self._name = name
        equations = [one for one in conditions if isinstance(one, Compare) and one.sign == "=="]
        if not equations:
            return None
        total = self._ends(equations[0], upper=True)[0].total
        low, high = self._declared(upper=False), self._declared(upper=True)
        least, most = total.ends(self._draft)
        text = total.text(self._draft)
        if least == most == 0:
            text = "0.0"
        elif not self._is_real(total):
            text = f"{self._draft.word('float')}({text})"
        if least < low.constant:
            text = self._extreme("max", [self._edge(low), text])
        if most > high.constant:
            text = self._extreme("min", [self._edge(high), text])
        if low.constant <= least and most <= high.constant and _are_plain(equations[0]):
            self._exact.add(id(equations[0]))
        return text

    def strategy(self, name: Name, conditions: Sequence[Condition]) -> Expr:
        """Return the floats that leave all conditions possible; its bounds are noted."""
        self._name = name
        low, low_sums = self._nearest(conditions, upper=False)
        high, high_sums = self._nearest(conditions, upper=True)
        low_sums, high_sums = (
            self._eased(low_sums, low, high, upper=False),
            self._eased(high_sums, high, low, upper=True),
        )
        low, high = self._eased_numbers(low, low_sums, high, high_sums)
        if low_sums and high_sums and not self._cannot_cross(low_sums, high_sums):
            raise UnwritableValue("several floats bound another, and may leave nothing")
        options: dict[str, Any] = {}
        for word, own, sums, far in (("min", low, low_sums, high), ("max", high, high_sums, low)):
            if sums:
                options[f"{word}_value"] = Local(self._kept(sums, own, far, upper=word == "max"))
            elif own.is_left_out or abs(own.constant) < LARGEST:
                options[f"{word}_value"] = Local(own.total.text(self._draft))
            else:
                options |= {"allow_nan": False, "allow_infinity": False}
            if self._leaves_out(sums, own):
                options[f"exclude_{word}"] = True
        self._draft.box.bounds[name] = (-inner(low, upper=False), inner(high, upper=True))
        return st.floats(**dict(sorted(options.items(), key=lambda one: "value" not in one[0])))

    def _eased(self, ends: list[Bound], own: Bound, far: Bound, *, upper: bool) -> list[Bound]:
        """Return ends that may be reached where leaving them out might leave nothing.

        Only those of conditions that are checked when all is drawn.
        """
        if all(
            one.is_left_out and not any(self._passes(one, own, far, upper=upper)) for one in ends
        ):
            return ends
        eased = [self._reachable(one) for one in ends]
        return [one for one in eased if self._matters(one, own, upper=upper)]

    def _eased_numbers(
        self, low: Bound, lows: list[Bound], high: Bound, highs: list[Bound]
    ) -> tuple[Bound, Bound]:
        """Return the two numbers that are not passed: reachable where an end is kept to them."""
        below = [self._passes(one, low, high, upper=False) for one in lows]
        above = [self._passes(one, high, low, upper=True) for one in highs]
        if any(own for own, _ in below) or any(far for _, far in above):
            low = self._reachable(low)
        if any(own for own, _ in above) or any(far for _, far in below):
            high = self._reachable(high)
        return low, high

    def _reachable(self, end: Bound) -> Bound:
        """Return an end that may be reached, if its condition is checked when all is drawn."""
        if not end.is_left_out or end.condition is None or is_order(end.condition):
            return end
        self._reached.add(id(end.condition))
        return replace(end, is_left_out=False)

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
            if not end.depends and inner(end, upper=upper) < inner(own, upper=upper):
                own = end
        reached = constant(self._draft.box.bounds[self._name][upper])
        if inner(reached, upper=upper) < inner(own, upper=upper):
            own = reached
        return own, [end for end in ends if end.depends and self._matters(end, own, upper=upper)]

    def _declared(self, *, upper: bool) -> Bound:
        domain = self._domains[self._name]
        return constant(domain.high if upper else domain.low)

    def _matters(self, end: Bound, own: Bound, *, upper: bool) -> bool:
        nearest = constant(end.total.ends(self._draft)[not upper], end.is_left_out)
        return inner(nearest, upper=upper) < inner(own, upper=upper)

    def _kept(self, ends: list[Bound], own: Bound, far: Bound, *, upper: bool) -> str:
        """Return the nearest of some ends, kept between the two numbers that must not be passed."""
        words = ("min", "max") if upper else ("max", "min")
        passed = [self._passes(one, own, far, upper=upper) for one in ends]
        for end, each in zip(ends, passed, strict=True):
            self._refuse_edges(end, any(each))
        texts = list(dict.fromkeys(one.total.text(self._draft) for one in ends))
        if any(passes_own for passes_own, _ in passed):
            texts.insert(0, self._edge(own))
        text = self._extreme(words[0], texts)
        if any(passes_far for _, passes_far in passed):
            return self._extreme(words[1], [self._edge(far), text])
        self._exact |= {id(one.condition) for one in ends if is_kept(one, self._draft)}
        return text

    def _refuse_edges(self, end: Bound, is_passing: bool) -> None:
        """Raise UnwritableValue for an end that may leave no float."""
        if self._is_given(end.total):
            return
        ends = end.total.ends(self._draft)
        if not all(abs(one) < EXACT for one in ends) and not self._is_real(end.total):
            raise UnwritableValue("a whole number that no float equals")
        if (end.is_left_out and is_passing) or not all(map(math.isfinite, ends)):
            raise UnwritableValue("a float that another may leave no value")

    def _passes(self, end: Bound, own: Bound, far: Bound, *, upper: bool) -> tuple[bool, bool]:
        """Say whether an end may lie beyond the number on its side, and beyond the other one."""
        if self._is_given(end.total):
            return True, True
        ends = end.total.ends(self._draft)
        farthest = constant(ends[upper], end.is_left_out)
        nearest = constant(ends[not upper], end.is_left_out)
        passes_own = inner(farthest, upper=upper) > inner(own, upper=upper)
        return passes_own, inner(nearest, upper=upper) < -inner(far, upper=not upper)

    def _edge(self, end: Bound) -> str:
        if end.is_left_out:
            raise UnwritableValue("one end is left out, and another is not")
        return end.total.text(self._draft)

    def _extreme(self, word: str, texts: list[str]) -> str:
        return texts[0] if len(texts) == 1 else f"{self._draft.word(word)}({', '.join(texts)})"

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
        plus: list[Name] = []
        minus: list[Name] = []
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
    return isinstance(condition, Compare) and condition.sign != "==" and _are_plain(condition)


def _are_plain(condition: Compare) -> bool:
    return all(isinstance(one, Variable | Number) for one in (condition.left, condition.right))


def _is_apart(condition: Condition) -> bool:
    return isinstance(condition, Compare) and condition.sign == "!="
