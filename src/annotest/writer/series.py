"""Lists, shapes and arrays whose items or sizes depend on what is drawn before them."""

from __future__ import annotations

from collections.abc import Iterable

from annotest.errors import UnwritableValue
from annotest.expr import Call, Expr, Local, Ref, hnp, st
from annotest.relations.arguments.items import Series
from annotest.relations.solving.domains import Domain, is_plain, item_domain
from annotest.relations.solving.levels import Level
from annotest.relations.solving.terms import Number, added
from annotest.relations.solving.variables import Length, Name, Named, ShapeOf
from annotest.source import is_writable
from annotest.writer.clauses import (
    Clause,
    Differing,
    Each,
    Fact,
    Ordered,
    Permuted,
    Product,
    Total,
    is_strict,
)
from annotest.writer.conditions import unparsed
from annotest.writer.drafts import Draft
from annotest.writer.ends import End, NotIsolated, difference_of
from annotest.writer.growing import GrowingWriter
from annotest.writer.products import ProductWriter
from annotest.writer.reals import RealWriter, is_order
from annotest.writer.saying import local_name
from annotest.writer.totals import TotalWriter
from annotest.writer.wholes import Range, WholeWriter, consecutive
from annotest.writer.words import words_of

MOST_SIDES = 32  # that Hypothesis draws


class SeriesWriter:
    """Writes the draw of a list, when its length is the next variable."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._lines: list[str] = []
        self._own: Name = Named("")  # the length

    def lines(self, level: Level) -> list[str]:
        """Return the statements that draw the list of which a variable is the length."""
        loose = self._draft.loose_at(level)
        assert isinstance(level.name, Length)
        path = str(level.name.of)
        series, facts = self._draft.case.series[path], self._draft.case.items.facts[path]
        self._lines, self._own = [], level.name
        name = local_name(path)
        permuted = [one for one in facts if isinstance(one, Permuted)]
        totals = [one for one in facts if isinstance(one, Total)]
        products = [one for one in facts if isinstance(one, Product)]
        if loose:
            self._growing(level, series, facts, loose)
        elif products:
            self._with_product(name, level, series, facts, products[0])
        elif permuted:
            self._permutation(name, level, series, facts, permuted[0])
        elif totals:
            self._with_total(name, level, series, facts, totals)
        else:
            self._plain(name, level, series, facts)
        self._draft.known.add(level.name)
        self._draft.drawn.add(path)
        return self._lines

    def _growing(
        self, level: Level, series: Series, facts: list[Fact], loose: list[Clause]
    ) -> None:
        """Draw a list that satisfies conditions as they stand, what is known of its items too."""
        case = self._draft.case
        clauses = {id(one): one for one in [*loose, *(case.items.clause(f) for f in facts)]}
        trees = [words_of(one, self._draft, local_name(series.path)) for one in clauses.values()]
        self._lines += GrowingWriter(self._draft, level, series).lines(
            list(clauses.values()), trees
        )

    def _plain(self, name: str, level: Level, series: Series, facts: list[Fact]) -> None:
        least, most = self._sizes(name, level)
        unique = any(isinstance(one, Differing) or is_strict(one) for one in facts)
        if self._is_shape(series, facts):
            self._shape(name, series, facts, least, most)
            return
        elements, ends = self._elements(series, facts)
        if unique:
            fewer = self._no_more_than(ends, series, most)
            if least == most != fewer:
                raise UnwritableValue("different items of a number drawn before")
            most = fewer
        strategy = st.lists(elements, min_size=least, max_size=most)
        if unique:
            strategy = st.lists(elements, min_size=least, max_size=most, unique=True)
        self._lines.append(self._draft.assigned(name, self._arranged(series, facts, strategy)))

    def _arranged(self, series: Series, facts: list[Fact], strategy: Expr) -> Expr:
        """Return the value that a list drawn in any order gives."""
        value = self._draft.draw(strategy)
        order = {one.reverse for one in facts if isinstance(one, Ordered)}
        if len(order) > 1:
            raise UnwritableValue("a list in two orders")
        if order:
            options = (("reverse", Local("True")),) if order.pop() else ()
            value = Call(Local(self._draft.word("sorted")), (value,), options)
        if series.kind is tuple:
            value = Call(Local(self._draft.word("tuple")), (value,))
        return value

    def _sizes(self, name: str, level: Level) -> tuple[Expr, Expr]:
        """Return the least and the most items that a list may have."""
        draft = self._draft
        domain = consecutive(draft.problem.domains[level.name])
        ahead = draft.ends_ahead(level)
        closed = [one for one in level.closed_by if set(one.variables()) != {level.name}]
        try:
            if not is_plain(domain):
                raise NotIsolated
            ends = draft.ends(level.name, closed)
        except NotIsolated:
            return self._size_drawn(name, level)
        between = Range(draft, domain, [*ends, *ahead])
        if not between.is_never_empty(level.closed_by):
            return self._size_drawn(name, level)
        draft.note(level, [*ends, *ahead])
        return between.least, between.most

    def _size_drawn(self, name: str, level: Level) -> tuple[Expr, Expr]:
        """Draw the length by itself, from those that fit."""
        length = self._length_name(name)
        self._draft.labels[level.name] = length
        self._lines += WholeWriter(self._draft).lines(level)
        del self._draft.labels[level.name]
        return Local(length), Local(length)

    def _length_name(self, name: str) -> str:
        found = f"{name}_len"
        if found in self._draft.taken:
            raise UnwritableValue("an argument has a name that the file needs")
        return found

    # items

    def _elements(self, series: Series, facts: list[Fact]) -> tuple[Expr, list[End]]:
        """Return the strategy of the items, and the ends that others give them."""
        draft = self._draft
        domain = item_domain(series.element)
        each = [one for one in facts if isinstance(one, Each)]
        if domain is None or not each:
            if series.element.is_named:
                raise UnwritableValue("items with dimensions")
            elements = series.element.strategy()
            if not is_writable(elements):
                raise UnwritableValue("items without source text")
            return elements, []
        name = Named(f"each {series.path}")
        conditions = [draft.case.items.condition(one) for one in each]
        for one in conditions:
            self._need(list(one.variables()), name)
        draft.box.bounds[name] = (domain.low, domain.high)
        if domain.values is None:
            for fact, one in zip(each, conditions, strict=True):
                if not is_order(one):  # rounding may break it
                    draft.check_place(draft.case.items.clause(fact).place)
            writer = RealWriter(draft, {name: domain})
            return writer.strategy(name, conditions), []
        try:
            if not is_plain(domain):
                raise NotIsolated
            ends = draft.ends(name, conditions)
        except NotIsolated:
            return self._fitting(series, each, domain), []
        between = Range(draft, domain, ends)
        return st.integers(min_value=between.least, max_value=between.most), ends

    def _fitting(self, series: Series, each: list[Each], domain: Domain) -> Expr:
        draft, item = self._draft, each[0].item
        if item in draft.taken or any(one.item != item for one in each) or not series.lengths[0]:
            raise UnwritableValue("items that are long to say")
        texts = list(dict.fromkeys(unparsed(one.said) for one in each))
        if not all(draft.can_say(text, item) for text in texts):
            raise UnwritableValue("items that depend on what is drawn later")
        reject = draft.names.of(Ref("hypothesis", "reject"))
        writer = WholeWriter(draft)
        self._lines.append(writer.listing(item, writer.values(domain), texts))
        return st.sampled_from(Local(f"fitting or {reject}()"))

    def _no_more_than(self, ends: list[End], series: Series, most: Expr) -> Expr:
        """Return the most items of a list in which no two are equal."""
        draft, domain = self._draft, item_domain(series.element)
        if domain is None or domain.values is None:
            return most
        lows = [one.term for one in ends if not one.is_upper] or [Number(domain.low)]
        highs = [one.term for one in ends if one.is_upper] or [Number(domain.high)]
        if (
            any(isinstance(one, Each) for one in draft.case.items.facts[str(series.path)])
            and not ends
        ):
            raise UnwritableValue("different items of an unknown number")
        texts, longest = [], draft.problem.domains[Length(series.path)].high
        for low in lows:
            for high in highs:
                count = added(difference_of(high, low), Number(1))
                if count.bounds(draft.box)[0] < longest:
                    texts.append(draft.said(count))
        if len(domain.values) < longest and not texts:
            texts.append(str(len(domain.values)))
        if not texts:
            return most
        return Local(f"{draft.word('min')}({', '.join([draft.renderer.flat(most), *texts])})")

    # as a whole

    def _permutation(
        self, name: str, level: Level, series: Series, facts: list[Fact], fact: Permuted
    ) -> None:
        domain = item_domain(series.element)
        if len(facts) > 1 or domain is None or domain.low > 0 or series.kind is not list:
            raise UnwritableValue("a permutation of which more is said")
        draft, term = self._draft, self._draft.case.items.term(fact)
        if set(term.variables()) <= draft.known:
            count = draft.said(term)
        else:  # the other number follows
            count = draft.renderer.flat(self._count(name, level))
        numbers = Local(f"{draft.word('range')}({count})")
        self._lines.append(draft.drawing(name, st.permutations(numbers)))

    def _count(self, name: str, level: Level) -> Expr:
        """Return the number of items, drawn by itself if it is not known."""
        least, most = self._sizes(name, level)
        if least == most:
            return least
        length = self._length_name(name)
        drawn = st.integers(min_value=least, max_value=most)
        self._lines.append(self._draft.drawing(length, drawn))
        return Local(length)

    def _need(self, names: Iterable[Name], own: Name | None = None) -> None:
        """Refuse items that depend on what is drawn later, or on how many they are."""
        if set(names) - self._draft.known - {own} or self._own in names:
            raise UnwritableValue("items that depend on what is drawn later")

    def _with_total(
        self, name: str, level: Level, series: Series, facts: list[Fact], totals: list[Total]
    ) -> None:
        if len(facts) > len(totals):
            raise UnwritableValue("a sum of which more is said")
        for fact in totals:
            self._need(list(self._draft.case.items.term(fact).variables()))
        writer = TotalWriter(self._draft, name, series)
        self._lines += writer.lines(totals, self._count(name, level))

    def _with_product(
        self, name: str, level: Level, series: Series, facts: list[Fact], fact: Product
    ) -> None:
        if len(facts) > 1:
            raise UnwritableValue("a product of which more is said")
        writer = ProductWriter(self._draft, name, series)
        if fact.series not in self._draft.case.items.made_by.values():
            self._need(list(self._draft.case.items.term(fact).variables()))
        self._lines += writer.lines(fact, self._count(name, level))

    # shapes and arrays

    def _is_shape(self, series: Series, facts: list[Fact]) -> bool:
        """Say whether a tuple is drawn as a shape: of an array, or of sides between two numbers."""
        domain = item_domain(series.element)
        is_plainly = domain is not None and is_plain(domain) and domain.low >= 0 and not facts
        may_be = series.kind is tuple and is_plainly and series.lengths[1] <= MOST_SIDES
        return may_be or isinstance(series.path, ShapeOf)

    def _shape(self, name: str, series: Series, facts: list[Fact], least: Expr, most: Expr) -> None:
        if any(not isinstance(one, Each) for one in facts):
            raise UnwritableValue("a shape of which more is said")
        domain = item_domain(series.element)
        assert domain is not None
        elements, _ = self._elements(series, facts)
        low, high = Local(str(int(domain.low))), Local(str(int(domain.high)))
        if isinstance(elements, Call) and elements.function == st.integers:
            options = dict(elements.kwargs)
            low, high = options["min_value"], options["max_value"]  # type: ignore[assignment]
        elif facts:
            raise UnwritableValue("a shape of which more is said")
        shapes = hnp.array_shapes(min_dims=least, max_dims=most, min_side=low, max_side=high)
        self._lines.append(self._draft.drawing(name, shapes))
