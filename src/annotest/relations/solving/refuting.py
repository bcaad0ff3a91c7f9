"""Proofs that conditions cannot hold together: all alternatives, each to its contradiction.

What is not understood is left out: what cannot hold without it cannot hold with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from annotest.relations.solving.conditions import (
    All,
    Always,
    Compare,
    Condition,
    Either,
    Needed,
    either,
)
from annotest.relations.solving.cycles import goes_round
from annotest.relations.solving.domains import Domain
from annotest.relations.solving.remainders import cannot_be_equal
from annotest.relations.solving.terms import Extreme, Number, Sum, Term, Variable
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
        chosen = {name: one for name, one in domains.items() if one.is_chosen}
        known = [one for one in _parts(conditions) if chosen.keys() >= set(one.variables())]
        if cannot_be_equal([one for one in known if isinstance(one, Compare)], chosen):
            return True
        facts = _Facts([], [], {*chosen, ZERO.name})
        for part in [*_ends(chosen), *known]:
            facts.add(part)
        try:
            return self._is_refuted(facts)
        except Unproven:
            return False

    def _is_refuted(self, facts: _Facts) -> bool:
        if self._is_false(facts) or self._add_what_is_left(facts):
            return True
        if not facts.open:
            return False
        split = min(facts.open, key=lambda one: len(one.parts))
        return all(self._is_refuted(facts.with_one(split, part)) for part in split.parts)

    def _is_false(self, facts: _Facts) -> bool:
        self.checks -= 1
        if self.checks < 0:
            raise Unproven
        return facts.is_false or goes_round(facts.certain, facts.names)

    def _add_what_is_left(self, facts: _Facts) -> bool:
        """Add the only alternatives that can be; return whether there is one with none."""
        changed = True
        while changed:
            changed = False
            for one in list(facts.open):
                left = [part for part in one.parts if not self._is_false(facts.with_one(one, part))]
                if not left:
                    return True
                if len(left) < len(one.parts):
                    changed = True
                    facts.open.remove(one)
                    facts.add(either(left))
        return False


@dataclass
class _Facts:
    """Comparisons that must hold, and alternatives of which one must."""

    certain: list[Condition]
    open: list[Either]
    names: set[Name]
    is_false: bool = False

    def add(self, condition: Condition) -> None:
        for part in _parts([condition]):
            if isinstance(part, Either):
                self.open.append(part)
            elif part == Always(False):
                self.is_false = True
            elif isinstance(part, Compare):
                self.certain.append(Compare(_anchored(part.left), part.sign, _anchored(part.right)))

    def with_one(self, split: Either, part: Condition) -> _Facts:
        """Return what is known where one alternative holds."""
        others = [one for one in self.open if one is not split]
        found = _Facts([*self.certain], others, self.names, self.is_false)
        found.add(part)
        return found


def _parts(conditions: Iterable[Condition]) -> Iterator[Condition]:
    """Yield what must hold, in simpler words."""
    for one in conditions:
        if isinstance(one, All):
            yield from _parts(one.parts)
        elif isinstance(one, Needed):
            yield from _parts([one.part])
        elif isinstance(one, Compare):
            yield from _simpler(one)
        else:
            yield one


def _simpler(one: Compare) -> Iterator[Condition]:
    if isinstance(one.right, Extreme) and not isinstance(one.left, Extreme):
        one = Compare(one.right, _TURNED[one.sign], one.left)
    left, sign, right = one.left, one.sign, one.right
    if isinstance(left, Extreme):
        yield from _of_extreme(left, sign, right)
    elif sign == "!=":
        yield Either((Compare(left, "<", right), Compare(left, ">", right)))
    else:
        yield one


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


def _anchored(term: Term) -> Term:
    """Return a number as its difference to zero, so that all are differences of variables."""
    if isinstance(term, Number) and isinstance(term.value, int):
        return Sum((ZERO, term))
    return term


def _ends(domains: Mapping[Name, Domain]) -> Iterator[Condition]:
    """Yield that numbers lie between the ends of their domains."""
    for name, domain in domains.items():
        if domain.is_number and domain.values is not None:
            number = Variable(name)
            yield Compare(Number(int(domain.low)), "<=", number)
            yield Compare(number, "<=", Number(int(domain.high)))
