"""Orders that go round: `a < b`, `b < c` and `c < a` cannot all hold, whatever the bounds."""

from __future__ import annotations

from collections.abc import Iterable

from annotest.relations.solving.conditions import Compare, Condition
from annotest.relations.solving.terms import Number, Sum, Term, Variable
from annotest.relations.solving.variables import Name

# a difference, and by how many of them it must be undercut: first - second <= size, or < size
Gap = tuple[int, int]
Edges = dict[tuple[Name, Name], Gap]


def goes_round(conditions: Iterable[Condition], names: set[Name]) -> bool:
    """Say whether some comparisons of these variables, all of which must hold, go in a circle."""
    edges: Edges = {}
    for condition in conditions:
        for pair, gap in _gaps(condition):
            if names.issuperset(pair):
                edges[pair] = min(gap, edges.get(pair, gap))
    inner = _inner(edges)
    nearest = {name: (0, 0) for pair in inner for name in pair}
    for _ in range(len(nearest) + 1):
        changed = False
        for (first, second), (size, strict) in inner.items():
            far = nearest[second][0] + size, nearest[second][1] + strict
            if far < nearest[first]:
                nearest[first], changed = far, True
        if not changed:
            return False
    return bool(nearest)


def _inner(edges: Edges) -> Edges:
    """Leave out what begins or ends a chain: it lies on no circle."""
    while True:
        lower, upper = {pair[0] for pair in edges}, {pair[1] for pair in edges}
        both = lower & upper
        kept = {pair: gap for pair, gap in edges.items() if both.issuperset(pair)}
        if len(kept) == len(edges):
            return kept
        edges = kept


def _gaps(condition: Condition) -> list[tuple[tuple[Name, Name], Gap]]:
    if not isinstance(condition, Compare) or condition.sign == "!=":
        return []
    left, right, sign = _parts(condition.left), _parts(condition.right), condition.sign
    if left is None or right is None:
        return []
    if sign in (">", ">="):
        left, right, sign = right, left, "<" if sign == ">" else "<="
    (lower, below), (upper, above) = left, right
    whole = lower.is_whole and upper.is_whole
    if above != below and not whole:
        return []  # what is added to floats is rounded
    strict = sign == "<"
    gap = (above - below - (strict and whole), -int(strict and not whole))
    gaps = [((lower.name, upper.name), gap)]
    if sign == "==":
        gaps.append(((upper.name, lower.name), (below - above, 0)))
    return gaps


def _parts(term: Term) -> tuple[Variable, int] | None:
    """Return a variable and the whole number that is added to it; None for another term."""
    if isinstance(term, Variable):
        return term, 0
    if isinstance(term, Sum) and len(term.terms) == 2:
        number, more = term.terms
        if isinstance(number, Variable) and isinstance(more, Number) and type(more.value) is int:
            return number, more.value
    return None
