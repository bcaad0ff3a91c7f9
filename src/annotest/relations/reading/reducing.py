"""Many items made one: sums, products, the largest and the smallest."""

from __future__ import annotations

from annotest.relations.reading.sequences import as_term, listed
from annotest.relations.reading.symbols import (
    ArraySymbol,
    ElementBound,
    Elements,
    FilteredItems,
    NotUnderstood,
    Reads,
    Symbol,
    Unsized,
)
from annotest.relations.solving.checked import is_opaque
from annotest.relations.solving.conditions import Always, Condition, is_exact
from annotest.relations.solving.dividing import Power
from annotest.relations.solving.guarded import Guarded
from annotest.relations.solving.selecting import Extreme
from annotest.relations.solving.terms import Number, Product, Term, Total, added, multiplied


def item_of(reader: Reads, items: Unsized) -> Term:
    """Return a number that stands for any item of a list whose length is open."""
    if items.is_whole is None:
        raise NotUnderstood
    return reader.stand_in(items, items.is_whole)


def total(reader: Reads, items: Symbol) -> Term:
    """Return the sum of items."""
    if isinstance(items, Unsized):
        mean = reader.stand_in(items, False)
        return Total(mean, items.length) if items.is_whole else Product(mean, items.length)
    return added(*(_guarded(guard, _counted(item), 0) for guard, item in _filtered(items).items))


def product(reader: Reads, items: Symbol) -> Term:
    """Return the product of items."""
    if isinstance(items, Unsized):
        return Power(reader.stand_in(items, False), items.length)
    return multiplied([_guarded(guard, as_term(item), 1) for guard, item in _filtered(items).items])


def extreme(reader: Reads, largest: bool, *items: Symbol) -> Symbol:
    """Return the largest or the smallest of items, which may be in one list."""
    if len(items) == 1 and isinstance(items[0], Unsized):
        return item_of(reader, items[0])
    if len(items) == 1 and isinstance(items[0], ArraySymbol):
        return ElementBound(items[0].element, largest)
    every = listed(items[0]).items if len(items) == 1 else items
    if not every:
        raise NotUnderstood
    return Extreme(tuple(as_term(item) for item in every), largest)


def of_all(elements: Symbol, every: bool) -> Condition:
    """Return that something holds of every element of an array."""
    if not every or not isinstance(elements, Elements):
        raise NotUnderstood
    return elements.condition


def _filtered(items: Symbol) -> FilteredItems:
    """Return a list as items of which each may be there or not."""
    if isinstance(items, FilteredItems):
        return items
    return FilteredItems(tuple((Always(True), item) for item in listed(items).items))


def _counted(item: Symbol) -> Term:
    """Return an item of a sum: a condition counts as one where it holds."""
    return _guarded(item, Number(1), 0) if isinstance(item, Condition) else as_term(item)


def _guarded(guard: Condition, term: Term, otherwise: int) -> Term:
    """Return a term that is there where a condition holds."""
    if guard == Always(True):
        return term
    if not is_exact(guard) or is_opaque(guard):
        raise NotUnderstood
    return Guarded(guard, term, otherwise)
