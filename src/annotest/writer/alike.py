"""Lists that have the same items: what one of them cannot have, the other cannot either."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterable

from annotest.constraints import ints
from annotest.relations.arguments.items import Series
from annotest.relations.solving.domains import is_plain, item_domain
from annotest.writer.clauses import Clause
from annotest.writer.growth import copied


def alike(clause: Clause, series: dict[str, Series]) -> tuple[str, str] | None:
    """Return the two lists of which a clause says that they have the same items."""
    tree = clause.tree
    if not isinstance(tree, ast.Compare) or not isinstance(tree.ops[0], ast.Eq):
        return None
    (one, has_all), (other, has_these) = copied(tree.left), copied(tree.comparators[0])
    is_about_both = one in series and other in series and one != other
    return (one, other) if is_about_both and has_all and has_these else None


def narrowed(series: dict[str, Series], pairs: Iterable[tuple[str, str]]) -> dict[str, Series]:
    """Return lists of which those that are alike have the same limits."""
    found = dict(series)
    for one, other in pairs:
        domains = [item_domain(found[path].element) for path in (one, other)]
        low = max(found[path].lengths[0] for path in (one, other))
        high = min(found[path].lengths[1] for path in (one, other))
        if low > high or any(domain is None or not is_plain(domain) for domain in domains):
            continue
        least = max(int(domain.low) for domain in domains if domain)
        most = min(int(domain.high) for domain in domains if domain)
        if least > most:
            continue
        for path in (one, other):
            found[path] = dataclasses.replace(
                found[path], element=ints(least, most), lengths=(low, high)
            )
    return found
