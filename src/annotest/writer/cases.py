"""One way to make a call, read for writing: its numbers and lengths, and what is said of lists."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from annotest.errors import UnwritableValue
from annotest.relations.boxes import INF, Box, Empty
from annotest.relations.conditions import (
    Always,
    Compare,
    Condition,
    Either,
    conjuncts,
    is_exact,
    together,
)
from annotest.relations.domains import Domain, common, stand_in
from annotest.relations.items import Series
from annotest.relations.nodes import (
    Array,
    Fixed,
    Node,
    Record,
    Scalar,
    Several,
    Sides,
    item_domain,
)
from annotest.relations.problems import Problem, Stated
from annotest.relations.reading import Reader
from annotest.relations.sequences import as_term
from annotest.relations.symbols import NotUnderstood
from annotest.relations.terms import Number, Term, Variable, multiplied
from annotest.relations.ways import Way
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
    clauses_of,
    fact_of,
    names_said,
    near_total,
)
from annotest.writer.rooms import implied, room_needed

MOST_ITEMS = 6
MOST_LISTED = 4096
ROUNDS = 3


class NoSuchWay(UnwritableValue):
    """What is to hold together cannot."""


class Case:
    """What must hold in one way to make a call, in the parts in which it is written.

    `problem` has the numbers and the lengths, `facts` says what the items of lists must be, and
    `elements` those of arrays. `met` are the places of the preconditions that are met so. Of
    conditions on floats of which one must hold, `picks` says which is taken; how many there are
    is added to `splits`.
    """

    def __init__(
        self,
        way: Way,
        names: tuple[str, ...],
        texts: dict[int, str],
        splits: list[int],
        picks: tuple[int, ...] = (),
    ) -> None:
        self._splits = splits
        self._picks = picks
        self.way = way
        self.names = names
        self.nodes = {name: way.nodes[name] for name in names}
        self.clauses = {
            place: clauses_of(place, statement, texts[place])
            for place, statement in enumerate(way.statements)
            if place in texts
        }
        self.series = self._open_series()
        self.sizes = _fixed_sizes(self.nodes)
        self.reader = self._reader()
        self._domains = self._all_domains()
        self.facts: dict[str, list[Fact]] = {path: [] for path in self.series}
        self.elements: dict[str, list[Condition]] = {}
        self.clause_of: dict[int, Clause] = {}
        self.met: set[int] = set()
        self._needs: list[Condition] = []
        self._scopes: dict[int, dict[str, Any]] = {}
        self.fact_places: dict[int, int] = {}
        self.made_by: dict[str, str] = {}  # numbers that are the product of a list
        stated = [one for place in range(len(way.statements)) for one in self._read(place)]
        self.problem = self._whole_problem([*stated, *self._agreements()])

    # what there is

    def _open_series(self) -> dict[str, Series]:
        """Return the lists and shapes that are drawn as a whole."""
        found = {}
        for name, node in self.nodes.items():
            inner = node.shape if isinstance(node, Array) else node
            if isinstance(inner, Series):
                low, high = inner.lengths
                if low < high or (not isinstance(node, Array) and self._is_said_as_a_whole(name)):
                    found[inner.path] = inner
                elif high > MOST_ITEMS:
                    raise UnwritableValue("many items, each by itself")
            elif not _is_in_parts(inner):
                raise UnwritableValue("the relations reach into parts of an argument")
            if isinstance(node, Array) and not isinstance(node.dtype, Fixed):
                raise UnwritableValue("arrays of several dtypes")
            if isinstance(inner, Sides) and (inner.starred is not None or inner.anonymous):
                raise UnwritableValue("a shape with any number of sides")
        return found

    def _is_said_as_a_whole(self, name: str) -> bool:
        mentioned = [
            one
            for clauses in self.clauses.values()
            for one in clauses
            if name in {node.id for node in ast.walk(one.tree) if isinstance(node, ast.Name)}
        ]
        facts = [near_total(one) or fact_of(one, {name}) for one in mentioned]
        has_tip = any(isinstance(one, Tip) for one in facts)
        has_order = any(isinstance(one, Ordered) for one in facts)
        return None not in facts and (has_order or not has_tip)

    def _reader(self) -> Reader:
        symbols: dict[str, Any] = {name: Variable(name) for name in self.way.dims}
        for name, node in self.way.nodes.items():
            inner = node.shape if isinstance(node, Array) else node
            is_open = isinstance(inner, Series) and inner.path in self.series
            symbols[name] = node.symbol({} if is_open else self.sizes)
        return Reader(symbols, {})

    def _all_domains(self) -> dict[str, Domain]:
        found = dict(self.way.dims)
        for node in self.nodes.values():
            inner = node.shape if isinstance(node, Array) else node
            if isinstance(inner, Series) and inner.path in self.series:
                parts = [inner.sizes({})]
            else:
                parts = [inner.domains(self.sizes), *inner.items(self.sizes)]
            for name, one in (pair for part in parts for pair in part.items()):
                found[name] = common(found[name], one) if name in found else one
        return found

    # what is said

    def _read(self, place: int) -> Iterator[Stated]:
        """Yield what a precondition says of numbers; note what it says of items."""
        is_met = True
        for clause in self.clauses.get(place, ()):
            fact = fact_of(clause, set(self.series))
            if fact is not None:
                self._note_fact(fact, clause)
                continue
            near = near_total(clause) or []
            if near and near[0].series in self.series:
                for one in near:
                    self._note_fact(one, clause)
                continue
            condition = self._condition(clause)
            if condition is None:
                is_met = False
            elif any(name.endswith("[…]") for name in condition.variables()):
                self._note_elements(condition)
            elif condition != Always(True):
                for part in self._picked(condition):
                    self.clause_of[id(part)] = clause
                    yield Stated(part, clause.statement.scope, clause.text, place)
        if is_met and place in self.clauses:
            self.met.add(place)
        elif place in self.way.understood:
            raise UnwritableValue("a relation that no draw meets")

    def _note_fact(self, fact: Fact, clause: Clause) -> None:
        self.facts[fact.series].append(fact)
        self._scopes[id(fact)] = clause.statement.scope
        self.fact_places[id(fact)] = clause.place

    def _settle_tips(self, path: str) -> None:
        """Turn what is said of the first or last item into what is said of all, in a list in order.

        It is then the largest or the smallest of them.
        """
        facts = self.facts[path]
        reverse = {one.reverse for one in facts if isinstance(one, Ordered)}
        for tip in [one for one in facts if isinstance(one, Tip)]:
            is_largest = reverse == {not tip.is_last}
            if len(reverse) != 1 or tip.sign[0] != ("<" if is_largest else ">"):
                raise UnwritableValue("one item of which more is said")
            if not self.series[path].lengths[0]:
                raise UnwritableValue("an item that there may not be")
            facts[facts.index(tip)] = tip.each
            self._scopes[id(tip.each)] = self._scopes[id(tip)]
            self.fact_places[id(tip.each)] = self.fact_places[id(tip)]

    def _picked(self, condition: Condition) -> Iterator[Condition]:
        """Yield the parts of a condition; of alternatives for floats one, and not those before."""
        for part in conjuncts(condition):
            if not isinstance(part, Either) or not any(map(self._is_wide, part.variables())):
                yield part
                continue
            number = len(self._splits)
            self._splits.append(len(part.parts))
            pick = self._picks[number] if number < len(self._picks) else 0
            before = [one.negated() for one in part.parts[:pick]]
            yield from conjuncts(together([*before, part.parts[pick]]))

    def _is_wide(self, name: str) -> bool:
        domain = self._domains.get(name)
        return domain is not None and domain.size > MOST_LISTED

    def _condition(self, clause: Clause) -> Condition | None:
        """Return a clause as a condition on numbers; None where it is more than that."""
        self.reader.scope = clause.statement.scope
        try:
            found = self.reader.condition(clause.tree)
        except NotUnderstood:
            return None
        names = set(found.variables())
        if not is_exact(found) or any(name.startswith("item ") for name in names):
            return None
        if names and names <= self.reader.given.keys():
            return None  # on drawn values only: nothing can be drawn for it
        if found == Always(False):
            raise NoSuchWay("a way that there is not")
        return found

    def _note_elements(self, condition: Condition) -> None:
        for part in conjuncts(condition):
            names = {name for name in part.variables() if name.endswith("[…]")}
            if len(names) != 1:
                raise UnwritableValue("a condition on the elements of several arrays")
            array = names.pop().removesuffix("[…]")
            self.elements.setdefault(array, []).append(part)

    def item_condition(self, fact: Each) -> Condition:
        """Return what must hold of each item, which is called `each …`."""
        series = self.series[fact.series]
        domain = item_domain(series.element)
        if domain is None:
            raise UnwritableValue("items that are no single values")
        item = Scalar(f"each {fact.series}", domain).symbol({})
        self.reader.scope = self._scopes[id(fact)]
        self.reader.local = {fact.item: item}
        try:
            found = self.reader.condition(fact.tree)
        except NotUnderstood:
            raise UnwritableValue("a condition on items that is not understood") from None
        finally:
            self.reader.local = {}
        if any(name.startswith("item ") or name.endswith("[…]") for name in found.variables()):
            raise UnwritableValue("items that depend on other items")
        return found

    def term(self, fact: Total | Product | Permuted) -> Term:
        """Return what a list is compared with, as a term."""
        self.reader.scope = self._scopes[id(fact)]
        try:
            found = as_term(self.reader.read(fact.tree))
        except NotUnderstood:
            raise UnwritableValue("a sum that is compared with something else") from None
        if any(name.startswith("item ") or name.endswith("[…]") for name in found.variables()):
            raise UnwritableValue("a sum that depends on items")
        return found

    # the problem

    def _agreements(self) -> list[Stated]:
        """Return the conditions that come from shapes and lengths with names."""
        found = []
        for name, side in self.way.lengths:
            path = name.removeprefix("len(").removesuffix(")")
            length = Variable(name) if path in self.series else Number(self.sizes[name])
            found.append(Compare(length, "==", as_term(self.reader.read(side.tree))))
        for side, size in self.way.pinned:
            found.append(Compare(as_term(self.reader.read(side.tree)), "==", Number(size)))
        for node in self.nodes.values():
            found += [Compare(Number(0), "<=", term) for term in node.sides()]
        return [Stated(one, {}) for one in found]

    def _whole_problem(self, stated: list[Stated]) -> Problem:
        """Return the problem of all numbers and lengths, with what items need of them."""
        domains = dict(self._domains)
        self.root = Box({n: (one.low, one.high) for n, one in domains.items() if one.is_number})
        given = {**self.way.given, **self.reader.given}
        self.root.bounds.update(dict.fromkeys(given, (-INF, INF)))
        parts = [one.condition for one in stated] + [
            part for parts in self.elements.values() for part in parts
        ]
        self._stated = {name for one in parts for name in one.variables()}
        for path in self.series:
            self._need_items(path)
        for array, parts in self.elements.items():
            node = self.nodes[array]
            assert isinstance(node, Array)
            self._needs += room_needed(parts, f"{array}[…]", (node.low, node.high), 1, self.root)
        stated += [Stated(one, {}) for one in self._needs]
        used = {name for one in stated for name in one.condition.variables()}
        self.given = tuple(one for one in given if one in used or one in self.way.shaped_by)
        domains |= {name: stand_in(-INF, INF) for name in self.given}
        first = [name for name in domains if not name.startswith("len(")]
        try:
            return self._closed(domains, stated, first)
        except Empty:
            raise NoSuchWay("a way that there is not") from None

    def _closed(
        self, domains: dict[str, Domain], stated: list[Stated], first: list[str]
    ) -> Problem:
        """Return a problem in which what two ends of a variable need of others is stated too."""
        problem = Problem(domains, stated, first, self.given)
        for _ in range(ROUNDS):
            needed = list(implied(problem, {one.condition for one in stated}))
            if not needed:
                break
            stated = [*stated, *(Stated(one, {}) for one in needed)]
            problem = Problem(domains, stated, first, self.given)
        return problem

    def _need_items(self, path: str) -> None:
        """Note what the numbers must be for the items of a list to be possible."""
        self._settle_tips(path)
        series, facts = self.series[path], self.facts[path]
        domain = item_domain(series.element)
        length = Variable(f"len({path})")
        parts = [self.item_condition(one) for one in facts if isinstance(one, Each)]
        if domain is None:
            if facts:
                raise UnwritableValue("items that are no single values")
            return
        ends = domain.low, domain.high
        if parts:
            apart = any(isinstance(one, Differing) or _is_strict(one) for one in facts)
            least = series.lengths[0] if apart else min(1, series.lengths[0])
            self._needs += room_needed(parts, f"each {path}", ends, least, self.root)
        for fact in facts:
            if isinstance(fact, Total):
                self._need_total(self.term(fact), fact.sign, length, ends)
            elif isinstance(fact, Product):
                self._need_product(fact, domain.high ** series.lengths[1])
            elif isinstance(fact, Permuted):
                count = self.term(fact)
                self._needs += [Compare(length, "==", count)]
                most = Number(domain.high + 1)
                self._needs += [Compare(one, "<=", most) for one in (count, length)]

    def _need_product(self, fact: Product, most: float) -> None:
        term = self.term(fact)
        if isinstance(term, Variable) and self._is_free(term.name, fact):
            self.made_by[term.name] = fact.series
            return
        self._needs += [Compare(Number(1), "<=", term), Compare(term, "<=", Number(most))]

    def _is_free(self, name: str, fact: Product) -> bool:
        """Say whether a number may be whatever the items of a list give: it is in no relation."""
        domain = self._domains.get(name)
        if domain is None or not isinstance(domain.values, range) or domain.values.step != 1:
            return False
        others = [one for facts in self.facts.values() for one in facts if one is not fact]
        used = names_said(others) | self._stated
        return domain.low <= 1 <= domain.high and name not in used

    def _need_total(self, total: Term, sign: str, length: Term, ends: tuple[float, float]) -> None:
        low, high = (multiplied([Number(one), length]) if one else Number(0) for one in ends)
        if sign in ("==", "<=", "<"):
            self._needs.append(Compare(low, "<" if sign == "<" else "<=", total))
        if sign in ("==", ">=", ">"):
            self._needs.append(Compare(total, "<" if sign == ">" else "<=", high))


def _is_in_parts(node: Node) -> bool:
    """Say whether an argument is a single value, or made of such."""
    if isinstance(node, Several):
        return all(isinstance(one, Scalar | Fixed) for one in node.nodes)
    if isinstance(node, Record):
        return all(_is_in_parts(one) for _, one in node.pairs)
    return isinstance(node, Scalar | Fixed | Sides)


def _is_strict(fact: Fact) -> bool:
    return isinstance(fact, Ordered) and fact.strict


def _fixed_sizes(nodes: dict[str, Node]) -> dict[str, int]:
    found = [pair for node in nodes.values() for pair in node.sizes({}).items()]
    return {name: int(domain.low) for name, domain in found}
