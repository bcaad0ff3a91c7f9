"""What is said of the items of lists, and what that needs of numbers and lengths."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import permutations

from annotest.errors import UnwritableValue
from annotest.relations.arguments.items import Series
from annotest.relations.arguments.nodes import Scalar
from annotest.relations.reading.reader import Reader
from annotest.relations.reading.sequences import as_term
from annotest.relations.reading.symbols import NotUnderstood
from annotest.relations.solving.boxes import Box
from annotest.relations.solving.conditions import Compare, Condition
from annotest.relations.solving.domains import Domain, is_plain, item_domain
from annotest.relations.solving.terms import Number, Term, Variable, added, multiplied
from annotest.relations.solving.variables import Element, Length, Name, Named, StandIn
from annotest.writer.clauses import (
    Clause,
    Differing,
    Each,
    Fact,
    Ordered,
    Permuted,
    Product,
    Tip,
    Total,
    is_strict,
    names_said,
)
from annotest.writer.rooms import room_needed


class Items:
    """The facts of each list, with the clauses that say them.

    `made_by` has the numbers that nothing else is said of than that they are a list's product.
    """

    def __init__(self, series: Mapping[str, Series], reader: Reader) -> None:
        self._series = series
        self._reader = reader
        self.facts: dict[str, list[Fact]] = {path: [] for path in series}
        self.made_by: dict[Name, str] = {}
        self._clauses: dict[int, Clause] = {}

    def note(self, fact: Fact, clause: Clause) -> bool:
        """Note what is said of a list; False if it is compared with what no term can say."""
        self._clauses[id(fact)] = clause
        if isinstance(fact, Tip):
            self._clauses[id(fact.each)] = clause
        try:
            if isinstance(fact, Total | Product | Permuted):
                self.term(fact)
            elif isinstance(fact, Each | Tip):
                self.condition(fact.each if isinstance(fact, Tip) else fact)
        except UnwritableValue:
            return False
        self.facts[fact.series].append(fact)
        return True

    def clause(self, fact: Fact) -> Clause:
        """Return the clause that says a fact."""
        return self._clauses[id(fact)]

    def condition(self, fact: Each) -> Condition:
        """Return what must hold of each item, which is called `each …`."""
        domain = item_domain(self._series[fact.series].element)
        if domain is None:
            raise UnwritableValue("items that are no single values")
        item = Scalar(Named(f"each {fact.series}"), domain).symbol({})
        self._reader.scope = self.clause(fact).statement.scope
        self._reader.local = {fact.item: item}
        try:
            found = self._reader.condition(fact.tree)
        except NotUnderstood:
            raise UnwritableValue("a condition on items that is not understood") from None
        finally:
            self._reader.local = {}
        if any(isinstance(name, StandIn | Element) for name in found.variables()):
            raise UnwritableValue("items that depend on other items")
        return found

    def term(self, fact: Total | Product | Permuted) -> Term:
        """Return what a list is compared with, as a term."""
        self._reader.scope = self.clause(fact).statement.scope
        try:
            found = as_term(self._reader.read(fact.tree))
        except NotUnderstood:
            raise UnwritableValue("a sum that is compared with something else") from None
        if any(isinstance(name, StandIn | Element) for name in found.variables()):
            raise UnwritableValue("a sum that depends on items")
        return found

    def unsettled(self) -> list[Clause]:
        """Return the clauses on first and last items that are not such on all, and forget them.

        In a list in order the others are: such an item is the largest or the smallest.
        """
        found = []
        for path, facts in self.facts.items():
            order = {one.reverse for one in facts if isinstance(one, Ordered)}
            for tip in [one for one in facts if isinstance(one, Tip)]:
                is_largest = order == {not tip.is_last}
                is_told = len(order) == 1 and tip.sign[0] == ("<" if is_largest else ">")
                if is_told and self._series[path].lengths[0]:
                    facts[facts.index(tip)] = tip.each
                else:
                    facts.remove(tip)
                    found.append(self.clause(tip))
        return found

    # needs

    def needs(
        self, root: Box, domains: Mapping[Name, Domain], used: Collection[Name]
    ) -> Iterator[Condition]:
        """Yield what the numbers must be for the items to be possible.

        `used` are the names of which more is said elsewhere.
        """
        for path, facts in self.facts.items():
            domain = item_domain(self._series[path].element)
            if domain is not None:
                yield from self._room(path, facts, domain, root)
                yield from self._between(facts, domain)
                for fact in facts:
                    yield from self._need(fact, domain, domains, used)
            elif facts:
                raise UnwritableValue("items that are no single values")

    def _room(self, path: str, facts: list[Fact], domain: Domain, root: Box) -> Iterator[Condition]:
        parts = [self.condition(one) for one in facts if isinstance(one, Each)]
        apart = any(isinstance(one, Differing) or is_strict(one) for one in facts)
        if apart and domain.values is not None:
            yield Compare(
                Variable(Length(self._series[path].path)), "<=", Number(len(domain.values))
            )
        if parts:
            least = self._series[path].lengths[0]
            count = least if apart else min(1, least)
            yield from room_needed(
                parts, Named(f"each {path}"), (domain.low, domain.high), count, root
            )

    def _between(self, facts: list[Fact], domain: Domain) -> Iterator[Condition]:
        """Yield that what a sum must reach is no more than what it may not pass."""
        totals = [one for one in facts if isinstance(one, Total)]
        for least, most in permutations(totals, 2):
            if least.sign[0] in "=>" and most.sign[0] in "=<":
                strict = [one for one in (least.sign, most.sign) if len(one) == 1]
                low, high = self.term(least), self.term(most)
                if domain.values is not None:
                    low, strict = added(low, Number(len(strict))), []
                yield Compare(low, "<" if strict else "<=", high)

    def _need(
        self, fact: Fact, domain: Domain, domains: Mapping[Name, Domain], used: Collection[Name]
    ) -> Iterator[Condition]:
        length = Variable(Length(self._series[fact.series].path))
        if isinstance(fact, Total):
            yield from _for_total(self.term(fact), fact.sign, length, (domain.low, domain.high))
        elif isinstance(fact, Permuted):
            count, most = self.term(fact), Number(domain.high + 1)
            yield Compare(length, "==", count)
            yield from (Compare(one, "<=", most) for one in (count, length))
        elif isinstance(fact, Product):
            term = self.term(fact)
            if isinstance(term, Variable) and self._is_free(term.name, fact, domains, used):
                self.made_by[term.name] = fact.series
            else:
                most = Number(domain.high ** self._series[fact.series].lengths[1])
                yield from (Compare(Number(1), "<=", term), Compare(term, "<=", most))

    def _is_free(
        self, name: Name, fact: Product, domains: Mapping[Name, Domain], used: Collection[Name]
    ) -> bool:
        """Say whether a number may be whatever the items of a list give: it is in no relation."""
        domain = domains.get(name)
        if domain is None or not is_plain(domain):
            return False
        others = [one for facts in self.facts.values() for one in facts if one is not fact]
        return (
            domain.low <= 1 <= domain.high
            and name not in used
            and str(name) not in names_said(others)
        )


def _for_total(
    total: Term, sign: str, length: Term, ends: tuple[float, float]
) -> Iterator[Condition]:
    low, high = (multiplied([Number(one), length]) if one else Number(0) for one in ends)
    if sign in ("==", "<=", "<"):
        yield Compare(low, "<" if sign == "<" else "<=", total)
    if sign in ("==", ">=", ">"):
        yield Compare(total, "<" if sign == ">" else "<=", high)
