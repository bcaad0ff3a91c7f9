"""Proofs that conditions cannot hold together: each alternative ends in a circle of comparisons.

What is not understood is left out: what cannot hold without it cannot hold with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from annotest.relations.solving.conditions import All, Always, Compare, Condition, Either, Needed
from annotest.relations.solving.cycles import goes_round
from annotest.relations.solving.domains import Domain
from annotest.relations.solving.selecting import Extreme
from annotest.relations.solving.terms import Number, Sum, Term, Variable
from annotest.relations.solving.variables import Name, Named

MOST_CHECKS = 3000
ZERO = Variable(Named("0"))  # no argument is called so
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


class Unproven(Exception):
    """It would take too long to find out."""


@dataclass
class Refuter:
    """Looks for contradictions, no longer than a number of checks."""

    checks: int = MOST_CHECKS

    def refutes(self, conditions: Iterable[Condition], domains: Mapping[Name, Domain]) -> bool:
        """Say whether it is certain that no values satisfy some conditions."""
        chosen = {ZERO.name, *(name for name, domain in domains.items() if domain.is_chosen)}
        facts = [part for part in _parts(conditions) if chosen.issuperset(part.variables())]
        try:
            return self._is_refuted(facts, chosen)
        except Unproven:
            return False

    def _is_refuted(self, facts: list[Condition], names: set[Name]) -> bool:
        self.checks -= 1
        if self.checks < 0:
            raise Unproven
        if Always(False) in facts or goes_round(facts, names):
            return True
        open_ = [fact for fact in facts if isinstance(fact, Either)]
        if not open_:
            return False
        split = min(open_, key=lambda fact: len(fact.parts))
        rest = [fact for fact in facts if fact is not split]
        return all(self._is_refuted([*rest, *_parts([part])], names) for part in split.parts)


def _parts(conditions: Iterable[Condition]) -> Iterator[Condition]:
    """Yield what must hold, in simpler words."""
    for condition in conditions:
        if isinstance(condition, All):
            yield from _parts(condition.parts)
        elif isinstance(condition, Needed):
            yield from _parts([condition.part])
        elif isinstance(condition, Compare):
            yield from _simpler(condition)
        else:
            yield condition


def _simpler(comparison: Compare) -> Iterator[Condition]:
    left, sign, right = comparison.left, comparison.sign, comparison.right
    if isinstance(right, Extreme) and not isinstance(left, Extreme):
        left, sign, right = right, _TURNED[sign], left
    if isinstance(left, Extreme):
        yield from _of_extreme(left, sign, right)
    elif sign == "!=":
        yield Either((Compare(left, "<", right), Compare(left, ">", right)))
    else:
        yield Compare(_anchored(left), sign, _anchored(right))


def _anchored(term: Term) -> Term:
    """Return a number as its difference to zero, so that all are differences of variables."""
    if isinstance(term, Number) and type(term.value) is int:
        return Sum((ZERO, term))
    return term


def _of_extreme(extreme: Extreme, sign: str, right: Term) -> Iterator[Condition]:
    """Say of the items what is said of the largest or the smallest of them."""
    inside = ("<", "<=") if extreme.largest else (">", ">=")
    if sign == "!=":
        return
    if sign == "==":
        yield from _of_extreme(extreme, "<=", right)
        yield from _of_extreme(extreme, ">=", right)
        return
    parts = tuple(Compare(term, sign, right) for term in extreme.terms)
    if sign in inside:
        yield from _parts(parts)
    else:
        yield Either(parts)
