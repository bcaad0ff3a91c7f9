"""The order in which variables are chosen: what comes late must adapt to what came before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotest.relations.solving.boxes import INF, Box
from annotest.relations.solving.conditions import Compare, Condition
from annotest.relations.solving.dividing import Remainder
from annotest.relations.solving.domains import Domain
from annotest.relations.solving.guarded import Guarded
from annotest.relations.solving.terms import Compound, Term, Variable
from annotest.relations.solving.variables import Name


def ordered(
    domains: dict[Name, Domain],
    conditions: Sequence[Condition],
    first: Sequence[Name],
    box: Box,
    last: Mapping[Name, int],
) -> tuple[Name, ...]:
    """Order the variables: small ones first, so that large ones adapt to them.

    Whatever their size, some come before all others, and those in `last` after them.
    """
    chosen = [name for name, one in domains.items() if one.is_chosen]
    place = {name: number for number, name in enumerate(chosen)}
    made = _made_of_guarded(conditions)

    def key(name: Name) -> tuple[Any, ...]:
        domain = domains[name]
        size = domain.size
        if domain.is_number:
            low, high = box.bounds[name]
            size = min(size, high - low + 1) if domain.values is not None else INF
        return (last.get(name, 0), name not in first, name in made, size, place[name])

    found = sorted(chosen, key=key)
    divided = _divided(conditions)
    for name in [one for one in found if one in divided]:
        start = 0 if name in first else sum(one in first for one in found)
        _bring_forward(name, found, divided, start)
    return tuple(found)


def _made_of_guarded(conditions: Sequence[Condition]) -> set[Name]:
    """Return the variables that are a sum in which items may be missing: few numbers are one."""
    found = set()
    for one in conditions:
        if isinstance(one, Compare) and one.sign == "==":
            for side, other in ((one.left, one.right), (one.right, one.left)):
                if isinstance(side, Variable) and _has_guarded(other):
                    found.add(side.name)
    return found


def _has_guarded(term: Term) -> bool:
    if isinstance(term, Guarded):
        return True
    return isinstance(term, Compound) and any(map(_has_guarded, term.parts()))


def _bring_forward(
    name: Name, order: list[Name], divided: dict[Name, list[set[Name]]], start: int
) -> None:
    """Choose a divisor after one of the numbers that it divides, and before the others.

    What divides several numbers chosen before is 1 nearly always. So is what divides a divisor
    that was chosen for a number before: that one is chosen before the number.
    """
    place = {one: number for number, one in enumerate(order)}
    known = sorted(max(place.get(one, -1) for one in names) for names in divided[name])
    is_divided = any(name in names for each in divided.values() for names in each)
    if len(known) < 2 and not is_divided:
        return
    to = max(start, known[0] if is_divided else known[0] + 1)
    if to < place[name]:
        order.insert(to, order.pop(place[name]))


def _divided(conditions: Sequence[Condition]) -> dict[Name, list[set[Name]]]:
    """Return, of each divisor, the variables of all that it must divide, each once."""
    found: dict[Name, list[set[Name]]] = {}
    for one in conditions:
        for remainder in _remainders(one):
            names = set(remainder.left.variables())
            for divisor in dict.fromkeys(remainder.right.variables()):
                before = found.setdefault(divisor, [])
                if names and divisor not in names and names not in before:
                    before.append(names)
    return {name: each for name, each in found.items() if each}


def _remainders(one: Condition | Term) -> Iterator[Remainder]:
    """Yield the remainders that are to be something certain."""
    if isinstance(one, Remainder):
        yield one
    if isinstance(one, Compare):
        inside: Sequence[Any] = (one.left, one.right) if one.sign == "==" else ()
    elif isinstance(one, Compound):
        inside = one.parts()
    else:
        inside = getattr(one, "parts", ())
    for part in inside:
        yield from _remainders(part)
