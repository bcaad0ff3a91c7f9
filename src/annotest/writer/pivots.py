"""Two lists compared as a whole: a number is drawn first, and each list is made to fit it."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping

from annotest.frozen import frozen
from annotest.relations.arguments.items import Series
from annotest.relations.solving.domains import Domain, is_plain, item_domain, whole_numbers
from annotest.writer.clauses import Clause, Each, Fact, Total, asked_of, means_builtins

_SIGNS = {ast.Eq: "==", ast.LtE: "<=", ast.Lt: "<", ast.GtE: ">=", ast.Gt: ">"}
_MIRRORED = {"==": "==", "<=": ">=", "<": ">", ">=": "<=", ">": "<"}


@frozen
class Pivot:
    """A number of its own, and what it is to the two lists."""

    name: str
    domain: Domain
    facts: tuple[Fact, Fact]


def pivot_of(clause: Clause, series: Mapping[str, Series], taken: Collection[str]) -> Pivot | None:
    """Recognise `sum(a) <= sum(b)` and `max(a) < min(b)`, over lists that are drawn as a whole."""
    tree = clause.tree
    if not isinstance(tree, ast.Compare) or type(tree.ops[0]) not in _SIGNS:
        return None
    small, large = asked_of(tree.left), asked_of(tree.comparators[0])
    sign = _SIGNS[type(tree.ops[0])]
    if sign[0] == ">":
        small, large, sign = large, small, _MIRRORED[sign]
    if small is None or large is None or small[1] == large[1]:
        return None
    lists = series.get(small[1]), series.get(large[1])
    if lists[0] is None or lists[1] is None:
        return None
    if not means_builtins(clause):
        return None
    if (small[0], large[0]) == ("sum", "sum"):
        return _between_sums(lists[0], lists[1], sign, _free("total", taken))
    if (small[0], large[0]) == ("max", "min") and sign != "==":
        return _between_items(lists[0], lists[1], sign, _free("between", taken))
    return None


def _free(name: str, taken: Collection[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _between_sums(small: Series, large: Series, sign: str, name: str) -> Pivot | None:
    ends = [_sums(one) for one in (small, large)]
    if ends[0] is None or ends[1] is None:
        return None
    least = max(ends[0][0], ends[1][0]) if sign == "==" else ends[0][0]
    most = min(ends[0][1], ends[1][1] - (sign == "<"))
    if least > most:
        return None
    signs = ("==", "==") if sign == "==" else ("<=", _MIRRORED[sign])
    number = ast.Name(name, ast.Load())
    facts = Total(str(small.path), signs[0], number), Total(str(large.path), signs[1], number)
    return Pivot(name, whole_numbers(range(least, most + 1)), facts)


def _sums(series: Series) -> tuple[int, int] | None:
    domain = item_domain(series.element)
    if domain is None or not is_plain(domain):
        return None
    low, high = int(domain.low), int(domain.high)
    return min(low * one for one in series.lengths), max(high * one for one in series.lengths)


def _between_items(small: Series, large: Series, sign: str, name: str) -> Pivot | None:
    domains = [item_domain(one.element) for one in (small, large)]
    if any(one is None or not is_plain(one) for one in domains):
        return None
    if not (small.lengths[0] and large.lengths[0]):
        return None  # nothing is the largest of none
    least, most = int(domains[0].low), int(domains[1].high) - (sign == "<")  # type: ignore[union-attr]
    if least > most:
        return None
    item, number = ast.Name("item", ast.Load()), ast.Name(name, ast.Load())
    below = ast.Compare(item, [ast.LtE()], [number])
    above = ast.Compare(item, [ast.Gt() if sign == "<" else ast.GtE()], [number])
    facts = (
        Each(str(small.path), "item", below, below),
        Each(str(large.path), "item", above, above),
    )
    return Pivot(name, whole_numbers(range(least, most + 1)), facts)
