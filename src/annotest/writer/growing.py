"""Lists that satisfy conditions on them as a whole: equal to something, grown, or listed."""

from __future__ import annotations

import ast
import math

from annotest.constraints import tuples
from annotest.errors import UnwritableValue
from annotest.expr import Call, Local, Ref, st
from annotest.relations.arguments.items import Series
from annotest.relations.solving.domains import Domain, is_plain, item_domain
from annotest.relations.solving.levels import Level
from annotest.source import is_writable
from annotest.writer.clauses import Clause
from annotest.writer.drafts import Draft
from annotest.writer.growth import (
    AT_END,
    copied,
    growth,
    is_mirrored,
    item_of,
    mentions,
    multiplied_to,
    permuted,
    solution,
    with_length,
)
from annotest.writer.header import WIDTH
from annotest.writer.parts import PartsWriter
from annotest.writer.placing import Placed, PlacingWriter, placed
from annotest.writer.products import ProductWriter
from annotest.writer.saying import local_name
from annotest.writer.wholes import WholeWriter, consecutive
from annotest.writer.words import text_of

MOST_GROWN = 1024  # values of one item
MOST_CANDIDATES = 5000  # lists
_OWN = {"longer", "item", "items", "size", "candidates", "half", "others"}


class GrowingWriter:
    """Writes the draw of a list of which more is said than what its items are."""

    def __init__(self, draft: Draft, level: Level, series: Series) -> None:
        self._draft = draft
        self._level = level
        self._series = series
        self._name = local_name(series.path)
        self._length = f"{self._name}_len"
        if ({*_OWN, self._length} & draft.taken) - {self._name}:
            raise UnwritableValue("an argument has a name that the file needs")

    def lines(self, clauses: list[Clause], trees: list[ast.expr]) -> list[str]:
        """Return the statements that draw a list for which conditions hold.

        `trees` are the conditions in the words of the composite.
        """
        if any(
            mentions(tree, name) for tree in trees for name in {*_OWN, "fitting"} - {self._name}
        ):
            raise UnwritableValue("a condition has a name that the file needs")
        if isinstance(self._series.element, tuples) and not self._draft.effort.may_list:
            return self._by_parts(clauses)
        for tree in trees:
            value = solution(tree, self._name)
            if value is not None:
                return self._equal(value, [text_of(one) for one in trees if one is not tree])
            source = permuted(tree, self._name)
            if source is not None:
                return self._shuffled(source, [text_of(one) for one in trees if one is not tree])
            total = multiplied_to(tree, self._name)
            if total is not None and len(trees) == 1 and not self._are_few:
                return self._multiplied(text_of(total))
        if len(trees) == 1 and is_mirrored(trees[0], self._name):
            return self._mirrored()
        known = [one for tree in trees if (one := placed(tree, self._name))]
        if known:
            others = [text_of(one) for one in trees if not placed(one, self._name)]
            return self._around(known, others)
        may_be_empty = not self._series.lengths[0]
        where = {growth(tree, self._name, may_be_empty=may_be_empty) for tree in trees}
        if len(where) == 1 and None not in where:
            return self._grown([text_of(one) for one in trees], at_end=where == {AT_END})
        if self._are_few and (self._draft.effort.may_list or multiplied_to(trees[0], self._name)):
            return self._listed([text_of(one) for one in trees])
        raise UnwritableValue("a list of which more is said")

    # equal to something

    def _equal(self, value: ast.expr, texts: list[str]) -> list[str]:
        draft, name = self._draft, self._name
        said = text_of(with_length(value, name, self._length))
        lines = []
        if said != text_of(value):
            lines = self._length_drawn([f"{draft.word('len')}({said}) == {self._length}"])
        else:
            texts = [*self._length_texts(copied(value)), *texts]
        if isinstance(value, ast.Name) and self._series.kind is list:
            said = f"{draft.word('list')}({said})"  # another one, if a call changes it
        lines.append(draft.assigned(name, Local(said)))
        texts += self._limits(value, is_sized=bool(lines[1:]))
        return [*lines, *draft.checks(texts)]

    def _shuffled(self, source: ast.expr, texts: list[str]) -> list[str]:
        draft = self._draft
        value = draft.draw(st.permutations(Local(text_of(source))))
        if self._series.kind is tuple:
            value = Call(Local(draft.word("tuple")), (value,))
        limits = self._limits(source, is_sized=False)
        texts = [*self._length_texts(copied(source)), *texts, *limits]
        return [draft.assigned(self._name, value), *draft.checks(texts)]

    def _length_texts(self, source: tuple[str, bool]) -> list[str]:
        """Return what is said of the length, but that it is that of the list it is made of."""
        called, (other, has_all) = self._draft.word("len"), source
        lengths = [f"{called}({one})" for one in (self._name, other)]
        same = {" == ".join(lengths), " == ".join(reversed(lengths))} if has_all else set()
        return [one for one in self._draft.clause_texts(self._level) if one not in same]

    def _limits(self, value: ast.expr, *, is_sized: bool) -> list[str]:
        """Return what must be checked of a list that is equal to something: its declared limits."""
        source, has_all = copied(value)
        other = self._draft.case.series_called(source)
        domain = item_domain(self._series.element)
        texts = []
        if other is None or not is_within(item_domain(other.element), domain):
            if other is None or other.element != self._series.element:
                texts.append(self._items_within(domain))
        low, high = self._series.lengths
        if has_all and other is not None and low <= other.lengths[0] and other.lengths[1] <= high:
            return texts
        length = f"{self._draft.word('len')}({self._name})"
        return texts if is_sized else [f"{low} <= {length} <= {high}", *texts]

    def _items_within(self, domain: Domain | None) -> str:
        if domain is None:
            raise UnwritableValue("items that may be others than those allowed")
        each = f"{within(self._draft, 'item', domain)} for item in {self._name}"
        return f"{self._draft.word('all')}({each})"

    def _length_drawn(self, texts: list[str]) -> list[str]:
        """Return the statements that draw the length by itself."""
        draft, name = self._draft, self._level.name
        draft.labels[name], draft.extra[name] = self._length, texts
        lines = WholeWriter(draft).lines(self._level)
        del draft.labels[name]
        return lines

    # made of parts

    def _mirrored(self) -> list[str]:
        draft, length, series = self._draft, self._length, self._series
        elements = series.element.strategy()
        if not is_writable(elements):
            raise UnwritableValue("items without source text")
        most = Local(f"({length} + 1) // 2")
        half = draft.draw(st.lists(elements, min_size=most, max_size=most))
        if series.kind is tuple:
            half = Call(Local(draft.word("tuple")), (half,))
        return [
            *self._length_drawn([]),
            draft.assigned("half", half),
            draft.assigned(self._name, Local(f"half + half[: {length} // 2][::-1]")),
        ]

    def _around(self, known: list[Placed], texts: list[str]) -> list[str]:
        lines = self._length_drawn([])
        writer = PlacingWriter(self._draft, self._name, self._series, self._length)
        limits = [text for one in known for text in self._limit(one.value)]
        if limits and not self._draft.effort.may_check:
            raise UnwritableValue("an item that may be another than those allowed")
        return [*lines, *writer.lines(known, limits), *self._draft.checks(texts)]

    def _limit(self, value: ast.expr) -> list[str]:
        """Return what must be checked of one item: that it is one of those declared."""
        draft, domain = self._draft, item_domain(self._series.element)
        if is_within(domain_of(value, draft), domain):
            return []
        if domain is None:
            raise UnwritableValue("items that may be others than those allowed")
        return [within(draft, text_of(value), domain)]

    def _multiplied(self, total: str) -> list[str]:
        draft = self._draft
        writer = ProductWriter(draft, self._name, self._series)
        lines = self._length_drawn([f"{total} <= {writer.high}**{self._length}"])
        return [*lines, *writer.making(Local(self._length), total)]

    def _by_parts(self, clauses: list[Clause]) -> list[str]:
        indent, name = self._draft.indent, self._name
        writer = PartsWriter(self._draft, self._series, clauses)
        item = ", ".join(writer.names) + ("," if len(writer.names) == 1 else "")
        if not writer.goes_in_pairs:
            head = self._counted_loop(f"{indent}{name} = []")
        elif not self._series.lengths[0]:
            raise UnwritableValue("items before which there may be none")
        else:
            head = [
                *self._length_drawn([]),
                *writer.lines(is_first=True),
                f"{indent}{name} = [({item})]",
                f"{indent}for _ in {self._draft.word('range')}({self._length} - 1):",
            ]
        with self._draft.deeper():
            parts = writer.lines()
        kind = self._draft.converted(name, self._series.kind)
        return [*head, *parts, f"{indent}    {name}.append(({item}))", *kind]

    # grown

    def _grown(self, texts: list[str], *, at_end: bool) -> list[str]:
        """Add item after item, each so that all conditions hold of the list so far."""
        draft, name = self._draft, self._name
        values = self._values(MOST_GROWN)
        together = f"*{name}, item" if at_end else f"item, *{name}"
        longer = f"[{together}]" if self._series.kind is list else f"({together})"
        indent = draft.indent
        lines = [
            *self._counted_loop(f"{indent}{name} = {'[]' if self._series.kind is list else '()'}"),
            f"{indent}    longer = [{longer} for item in {values}]",
        ]
        with draft.deeper():
            return [*lines, *self._chosen("longer", texts)]

    def _counted_loop(self, start: str) -> list[str]:
        """Return the head of a loop over the length, which has a name only if it is long to say."""
        head = f"{self._draft.indent}for _ in {self._draft.word('range')}("
        drawn = self._length_drawn([])
        short = drawn[-1].removeprefix(f"{self._draft.indent}{self._length} = ")
        if len(drawn) == 1 and len(f"{head}{short}):") <= WIDTH and "\n" not in short:
            return [start, f"{head}{short}):"]
        return [*drawn, start, f"{head}{self._length}):"]

    def _chosen(self, values: str, texts: list[str]) -> list[str]:
        """Return the statements that draw one of some lists, of those that satisfy conditions."""
        draft = self._draft
        draft.rejects = True
        one = st.sampled_from(Local(f"fitting or {draft.names.of(Ref('hypothesis', 'reject'))}()"))
        listing = WholeWriter(draft).listing(self._name, values, texts)
        return [listing, draft.drawing(self._name, one)]

    def _values(self, most: int) -> str:
        """Return the values of an item as text."""
        domains = self._item_domains()
        if not domains or self._item_count > most:
            raise UnwritableValue("items that are too many to be tried")
        texts = [WholeWriter(self._draft).values(one) for one in domains]
        if isinstance(self._series.element, tuples):
            return f"{self._draft.names.of(Ref('itertools', 'product'))}({', '.join(texts)})"
        return texts[0]

    def _item_domains(self) -> list[Domain]:
        """Return the values of an item, or of its parts if it is a tuple; none if not known."""
        element = self._series.element
        parts = element.elements if isinstance(element, tuples) and element.is_fixed else (element,)
        found = [item_domain(one) for one in parts]
        return [one for one in found if one] if all(found) else []

    @property
    def _item_count(self) -> float:
        """How many different items there are."""
        return math.prod(one.size for one in self._item_domains())

    # listed

    @property
    def _are_few(self) -> bool:
        """Whether the lists that there are can be listed."""
        low, high = self._series.lengths
        counts = (self._item_count**size for size in range(low, high + 1))
        return bool(self._item_domains()) and sum(counts) <= MOST_CANDIDATES

    def _listed(self, texts: list[str]) -> list[str]:
        """List all lists that there are, and draw one of those that fit."""
        draft, whole = self._draft, WholeWriter(self._draft)
        values = self._values(MOST_CANDIDATES)
        item = "items" if self._series.kind is tuple else f"{draft.word('list')}(items)"
        product = draft.names.of(Ref("itertools", "product"))
        sizes = whole.values(whole.domain(self._level))
        loops = [f"for size in {sizes}", f"for items in {product}({values}, repeat=size)"]
        return [
            draft.listed("candidates", [item, *loops]),
            *self._chosen("candidates", [*draft.clause_texts(self._level), *texts]),
        ]


def domain_of(value: ast.expr, draft: Draft) -> Domain | None:
    """Return the values that a number or an item of a list may have, if they are known."""
    for name, domain in draft.problem.domains.items():
        if local_name(name) == text_of(value):
            return domain
    series = draft.case.series_called(item_of(value))
    if series is not None:
        return item_domain(series.element)
    return _part_domain(value, draft) if isinstance(value, ast.Subscript) else None


def _part_domain(value: ast.Subscript, draft: Draft) -> Domain | None:
    """Return the values of a part of an item: `layers[0][1]`."""
    series = draft.case.series_called(item_of(value.value))
    if series is None or not isinstance(series.element, tuples) or not series.element.is_fixed:
        return None
    try:
        return item_domain(series.element.elements[int(ast.literal_eval(value.slice))])
    except (ValueError, TypeError, IndexError):
        return None


def within(draft: Draft, name: str, domain: Domain) -> str:
    """Return the condition that a value is one of those declared."""
    domain = consecutive(domain)
    if is_plain(domain):
        return f"{int(domain.low)} <= {name} <= {int(domain.high)}"
    if domain.values is None:
        raise UnwritableValue("floats that are computed")
    return f"{name} in {WholeWriter(draft).values(domain)}"


def is_within(inner: Domain | None, outer: Domain | None) -> bool:
    """Say whether all values of one domain are also in another."""
    if inner is None or outer is None:
        return False
    inner, outer = consecutive(inner), consecutive(outer)
    if is_plain(inner) and is_plain(outer):
        return outer.low <= inner.low and inner.high <= outer.high
    return inner == outer
