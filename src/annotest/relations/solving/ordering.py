"""The order in which variables are chosen: what comes late must adapt to what came before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
) -> tuple[Name, ...]:
    """Order the variables: small ones first, so that large ones adapt to them.

    Whatever their size, those in `first` come before all others.
    """
    chosen = [name for name, domain in domains.items() if domain.is_chosen]
    place = {name: number for number, name in enumerate(chosen)}
    made = _made_of_guarded(conditions)

    def key(name: Name) -> tuple[Any, ...]:
        domain = domains[name]
        size = domain.size
        if domain.is_number:
            low, high = box.bounds[name]
            size = min(size, high - low + 1) if domain.values is not None else INF
        return (name not in first, name in made, size, place[name])

    order = sorted(chosen, key=key)
    divided = _divided(conditions)
    for name in [other for other in order if other in divided]:
        start = 0 if name in first else sum(other in first for other in order)
        _bring_forward(name, order, divided, start)
    return tuple(order)


def _made_of_guarded(conditions: Sequence[Condition]) -> set[Name]:
    """Return the variables that are a sum in which items may be missing: few numbers are one."""
    made = set()
    for condition in conditions:
        if isinstance(condition, Compare) and condition.sign == "==":
            for side, other in (
                (condition.left, condition.right),
                (condition.right, condition.left),
            ):
                if isinstance(side, Variable) and _has_guarded(other):
                    made.add(side.name)
    return made


def _has_guarded(term: Term) -> bool:
    if isinstance(term, Guarded):
        return True
    return isinstance(term, Compound) and any(map(_has_guarded, term.parts()))


def _bring_forward(
    name: Name, order: list[Name], divided: dict[Name, list[set[Name]]], start: int
) -> None:
    """Move a divisor of several numbers to just behind the first of them.

    A divisor that is chosen after two numbers is nearly always 1. If something must divide the
    divisor itself, the divisor comes even before its first number, for the same reason.
    """
    place = {other: number for number, other in enumerate(order)}
    known = sorted(max(place.get(other, -1) for other in names) for names in divided[name])
    is_divided = any(name in names for each in divided.values() for names in each)
    if len(known) < 2 and not is_divided:
        return
    to = max(start, known[0] if is_divided else known[0] + 1)
    if to < place[name]:
        order.insert(to, order.pop(place[name]))


def _divided(conditions: Sequence[Condition]) -> dict[Name, list[set[Name]]]:
    """Return, of each divisor, the variables of all that it must divide, each once."""
    divided: dict[Name, list[set[Name]]] = {}
    for condition in conditions:
        for remainder in _remainders(condition):
            names = set(remainder.left.variables())
            for divisor in dict.fromkeys(remainder.right.variables()):
                before = divided.setdefault(divisor, [])
                if names and divisor not in names and names not in before:
                    before.append(names)
    return {name: each for name, each in divided.items() if each}


def _remainders(whole: Condition | Term) -> Iterator[Remainder]:
    """Yield the remainders that are to be something certain."""
    if isinstance(whole, Remainder):
        yield whole
    if isinstance(whole, Compare):
        inside: Sequence[Any] = (whole.left, whole.right) if whole.sign == "==" else ()
    elif isinstance(whole, Compound):
        inside = whole.parts()
    else:
        inside = getattr(whole, "parts", ())
    for part in inside:
        yield from _remainders(part)
