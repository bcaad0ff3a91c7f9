"""Lists, shapes and arrays whose items or sizes depend on what is drawn before them."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterable
from typing import Any

from annotest.constraints._dims import named_in
from annotest.errors import UnwritableValue
from annotest.expr import ByRecipe, Call, Expr, Local, Ref, hnp, ours, st
from annotest.large import LARGE
from annotest.relations.boxes import Box
from annotest.relations.conditions import Condition
from annotest.relations.domains import Domain
from annotest.relations.items import Series
from annotest.relations.levels import Level
from annotest.relations.nodes import Array, Fixed, Sides, item_domain
from annotest.relations.symbols import Known
from annotest.relations.terms import Number, added
from annotest.source import is_writable
from annotest.writer.clauses import Differing, Each, Fact, Ordered, Permuted, Product, Total
from annotest.writer.conditions import requoted
from annotest.writer.drafts import Draft, local_name
from annotest.writer.ends import End, NotIsolated, difference_of
from annotest.writer.products import ProductWriter
from annotest.writer.reals import RealWriter, is_order
from annotest.writer.saying import number_text
from annotest.writer.wholes import Range, WholeWriter, consecutive, is_plain


class SeriesWriter:
    """Writes the draw of a list, when its length is the next variable."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._lines: list[str] = []
        self._own = ""  # the length

    def lines(self, level: Level) -> list[str]:
        """Return the statements that draw the list of which a variable is the length."""
        path = level.name[4:-1]
        series, facts = self._draft.case.series[path], self._draft.case.facts[path]
        self._lines, self._own = [], level.name
        name = local_name(path)
        permuted = [one for one in facts if isinstance(one, Permuted)]
        totals = [one for one in facts if isinstance(one, Total)]
        products = [one for one in facts if isinstance(one, Product)]
        if products:
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

    def _plain(self, name: str, level: Level, series: Series, facts: list[Fact]) -> None:
        least, most = self._sizes(name, level)
        unique = any(isinstance(one, Differing) or _is_strict(one) for one in facts)
        if self._is_shape(series):
            self._shape(name, series, facts, least, most)
            return
        elements, ends = self._elements(series, facts)
        if unique:
            most = self._no_more_than(ends, series, most)
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
        draft.steps.append((level, between.at))
        return between.least, between.most

    def _size_drawn(self, name: str, level: Level) -> tuple[Expr, Expr]:
        """Draw the length by itself, from those that fit."""
        length = self._length_name(name)
        self._draft.length_names[level.name] = length
        self._lines += WholeWriter(self._draft).lines(level)
        del self._draft.length_names[level.name]
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
            if named_in(series.element):
                raise UnwritableValue("items with dimensions")
            elements = series.element.strategy()
            if not is_writable(elements):
                raise UnwritableValue("items without source text")
            return elements, []
        name = f"each {series.path}"
        conditions = [draft.case.item_condition(one) for one in each]
        for one in conditions:
            self._need(list(one.variables()), name)
        draft.box.bounds[name] = (domain.low, domain.high)
        if domain.values is None:
            for fact, one in zip(each, conditions, strict=True):
                if not is_order(one):  # rounding may break it
                    draft.check_place(draft.case.fact_places[id(fact)])
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
        texts = list(dict.fromkeys(requoted(ast.unparse(one.said)) for one in each))
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
        if any(isinstance(one, Each) for one in draft.case.facts[series.path]) and not ends:
            raise UnwritableValue("different items of an unknown number")
        texts = []
        for low in lows:
            for high in highs:
                count = added(difference_of(high, low), Number(1))
                if count.bounds(draft.box)[0] < series.lengths[1]:
                    texts.append(draft.said(count))
        if len(domain.values) < series.lengths[1] and not texts:
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
        draft, term = self._draft, self._draft.case.term(fact)
        draft.steps.append((level, lambda box: [term.bounds(box)[0]]))
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

    def _need(self, names: Iterable[str], own: str = "") -> None:
        """Refuse items that depend on what is drawn later, or on how many they are."""
        if set(names) - self._draft.known - {own} or self._own in names:
            raise UnwritableValue("items that depend on what is drawn later")

    def _with_total(
        self, name: str, level: Level, series: Series, facts: list[Fact], totals: list[Total]
    ) -> None:
        """Draw item after item, each so that those to come can still make the sum."""
        domain = item_domain(series.element)
        is_only = len(facts) == len(totals) and series.kind is list
        if not is_only or domain is None or not (domain.values is None or is_plain(domain)):
            raise UnwritableValue("a sum of which more is said")
        draft, indent = self._draft, self._draft.indent
        if {"left", "so_far", "least", "most"} & draft.taken:
            raise UnwritableValue("an argument has a name that the file needs")
        count = self._count(name, level)
        reversed_, range_, sum_ = (draft.word(one) for one in ("reversed", "range", "sum"))
        self._lines += [
            f"{indent}{name} = []",
            f"{indent}for left in {reversed_}({range_}({draft.renderer.flat(count)})):",
            f"{indent}    so_far = {sum_}({name})",
            *(f"{indent}    {line}" for line in self._next_item(name, domain, totals)),
        ]
        if domain.values is None:  # what is added up may be rounded
            for fact in totals:
                draft.check_place(draft.case.fact_places[id(fact)])

    def _next_item(self, name: str, domain: Domain, totals: list[Total]) -> list[str]:
        """Return the statements that draw an item: `left` are still to come after it."""
        draft, whole = self._draft, domain.values is not None
        low, high = (int(one) if whole else float(one) for one in (domain.low, domain.high))
        lows, highs = [], []
        for fact in totals:
            term = draft.case.term(fact)
            self._need(list(term.variables()))
            if whole and not term.is_whole:
                raise UnwritableValue("a sum of whole numbers that is none")
            if whole and len(fact.sign) == 1:
                term = added(term, Number(-1 if fact.sign == "<" else 1))
            text = f"{draft.said(term)} - so_far"
            if fact.sign[0] in "=>":
                lows.append(f"{text}{_times(-high, 'left')}")
            if fact.sign[0] in "=<":
                highs.append(f"{text}{_times(-low, 'left')}")
        least, most = number_text(low), number_text(high)
        lines = []
        max_, min_ = draft.word("max"), draft.word("min")
        if lows:
            text = f"{max_}({', '.join([least, *lows])})"
            # rounding must not let the ends pass each other
            lines.append(f"least = {text}" if whole else f"least = {min_}({most}, {text})")
            least = "least"
        if highs:
            text = f"{min_}({', '.join([most, *highs])})"
            lines.append(f"most = {text}" if whole else f"most = {max_}({least}, {text})")
            most = "most"
        numbers = st.integers if whole else st.floats
        item = draft.draw(numbers(min_value=Local(least), max_value=Local(most)))
        append = Call(Local(f"{name}.append"), (item,))
        return [*lines, draft.renderer.layout(append, len(draft.indent) + 4)]

    def _with_product(
        self, name: str, level: Level, series: Series, facts: list[Fact], fact: Product
    ) -> None:
        if len(facts) > 1 or series.kind is not list:
            raise UnwritableValue("a product of which more is said")
        writer = ProductWriter(self._draft, name, series)
        if fact.series not in self._draft.case.made_by.values():
            self._need(list(self._draft.case.term(fact).variables()))
        self._lines += writer.lines(fact, self._count(name, level))

    # shapes and arrays

    def _is_shape(self, series: Series) -> bool:
        return series.path.endswith(".shape")

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


class ArrayWriter:
    """Writes the draw of an array whose sides are known."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self.before: list[str] = []

    def lines(self, name: str, node: Array) -> list[str]:
        """Return the statements that draw an array."""
        self.before = []
        shape, largest = self._shape(node)
        constraint: Any = node.constraint
        arrays = dataclasses.replace(constraint, shape=largest).strategy()
        arrays = arrays.call if isinstance(arrays, ByRecipe) else arrays
        if not isinstance(arrays, Call) or arrays.function not in (hnp.arrays, ours.arrays):
            raise UnwritableValue("arrays of several dtypes")
        options = dict(arrays.kwargs) | {"shape": shape}
        if name in self._draft.case.elements:
            options |= self._bounds(name, node, options)
        call = Call(arrays.function, arrays.args, tuple(options.items()))
        return [*self.before, self._draft.drawing(name, call)]

    def _shape(self, node: Array) -> tuple[Expr, tuple[int, ...]]:
        """Return a shape as text, and the largest that it can be."""
        draft = self._draft
        if isinstance(node.shape, Sides):
            sides = [_side(one, draft) for one in node.shape.before]
            ends = [_largest(one, draft.box) for one in node.shape.before]
        elif isinstance(node.shape, Series) and node.shape.path in draft.case.series:
            high = item_domain(node.shape.element)
            assert high is not None
            return Local(local_name(node.shape.path)), (int(high.high),) * node.shape.lengths[1]
        elif isinstance(node.shape, Fixed):
            return Local(str(node.shape.value)), node.shape.value
        else:
            symbols = node.shape.symbol(draft.case.sizes).items
            sides = [_side(one, draft) for one in symbols]
            ends = [_largest(one, draft.box) for one in symbols]
        text = f"({sides[0]},)" if len(sides) == 1 else f"({', '.join(sides)})"
        return Local(text), tuple(int(min(max(0, end), LARGE + 1)) for end in ends)

    def _bounds(self, name: str, node: Array, options: dict[str, Expr]) -> dict[str, Expr]:
        """Return the options of an array whose elements lie between ends that are drawn."""
        draft, element = self._draft, f"{name}[…]"
        if not node.is_whole or not node.has_bounds:
            raise UnwritableValue("elements that are rounded")
        draft.box.bounds[element] = (node.low, node.high)
        parts: list[Condition] = draft.case.elements[name]
        try:
            ends = draft.ends(element, parts)
        except NotIsolated:
            return {"elements": self._fitting(name, node, parts)}
        between = Range(draft, Domain(None, node.low, node.high), ends)
        if "elements" in options:
            return {"elements": st.integers(min_value=between.least, max_value=between.most)}
        return {"min": between.least, "max": between.most}

    def _fitting(self, name: str, node: Array, parts: list[Condition]) -> Expr:
        """Return the elements that fit, for a draw of one of them."""
        draft = self._draft
        draft.length_names[f"{name}[…]"] = "element"
        if "element" in draft.taken:
            raise UnwritableValue("an argument has a name that the file needs")
        texts = [draft.own_words(one) for one in parts]
        domain = Domain(range(int(node.low), int(node.high) + 1), node.low, node.high)
        writer = WholeWriter(draft)
        self.before = [writer.listing("element", writer.values(domain), texts)]
        return st.sampled_from(Local(f"fitting or {draft.names.of(Ref('hypothesis', 'reject'))}()"))


def _is_strict(fact: Fact) -> bool:
    return isinstance(fact, Ordered) and fact.strict


def _times(factor: float, name: str) -> str:
    if not factor:
        return ""
    sign, size = "+" if factor > 0 else "-", abs(factor)
    return f" {sign} {name}" if size == 1 else f" {sign} {number_text(size)} * {name}"


def _side(symbol: Any, draft: Draft) -> str:
    return str(symbol.value) if isinstance(symbol, Known) else draft.said(symbol)


def _largest(symbol: Any, box: Box) -> float:
    return symbol.value if isinstance(symbol, Known) else symbol.bounds(box)[1]  # type: ignore[no-any-return]
