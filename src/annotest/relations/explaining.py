"""A model in words: in which order things are chosen, and from what."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import Any

from annotest.frozen import frozen
from annotest.relations.conditions import Condition, Constant
from annotest.relations.domains import Domain, choice, whole_numbers
from annotest.relations.model import Model
from annotest.relations.nodes import Drawn, Fixed, Scalar
from annotest.relations.problems import Problem
from annotest.relations.templates import dtype_type
from annotest.relations.ways import Way
from annotest.source import shown

MOST_LISTED = 8


@frozen
class Step:
    """One choice: of what, among which values, and which conditions it must then satisfy."""

    name: str
    values: str
    conditions: tuple[str, ...]


def steps_of(model: Model) -> list[Step]:
    """Return the choices of a call, as its ways make them."""
    found: list[_Choice] = []
    made = made_of_others(model)
    for way in sorted(_possible(model), key=lambda one: len(one.left_out)):
        place, told = 0, {text for one in found for text in one.conditions}
        for one in [*_fixed(way, made), *_choices_of(way)]:
            # with another order, a condition is complete at another choice: told once is enough
            one.conditions = {text: True for text in one.conditions if text not in told}
            same = next((at for at, other in enumerate(found) if other.name == one.name), None)
            if same is None:
                found.insert(place, one)
            else:
                _join(found[same], one)
            place = 1 + (place if same is None else max(place, same))
    return [Step(one.name, _values_of(one.domains), tuple(one.conditions)) for one in found]


def made_of_others(model: Model) -> list[str]:
    """Return the arguments that are made when the numbers are chosen: arrays, lists, dicts."""
    each = [way.nodes for way in _possible(model)]
    return [
        name
        for name in model.names
        if any(not isinstance(nodes[name], Scalar | Fixed | Drawn) for nodes in each)
    ]


def _possible(model: Model) -> list[Way]:
    return [way for way in model.ways if not way.is_hopeless] or model.ways


@dataclass
class _Choice:
    """A choice in some of the ways: from which values, and what it must then satisfy."""

    name: str
    domains: list[Domain]
    conditions: dict[str, bool]


def _join(one: _Choice, other: _Choice) -> None:
    one.domains += [domain for domain in other.domains if domain not in one.domains]
    one.conditions |= other.conditions


def _fixed(way: Way, made: list[str]) -> list[_Choice]:
    """Return the arguments that are one value in a way, and may be others in other ways."""
    return [
        _Choice(name, [choice((node.value,))], {})
        for name, node in way.nodes.items()
        if isinstance(node, Fixed) and name in {*way.names} - way.left_out - {*made}
    ]


def _choices_of(way: Way) -> list[_Choice]:
    *before, contents = way.some_problems()
    found: list[_Choice] = []
    for problem in filter(None, before):
        each = _choices(problem, cut=not found)
        found += [one for one in each if one.name.startswith("len(")]
    if contents is not None:
        found += _choices(contents, not before)
    return _items_together(found)


def _choices(problem: Problem, cut: bool) -> list[_Choice]:
    """Return the choices; with `cut`, among the values that are possible at all.

    Without it lengths are known, as numbers that others are in other calls: a part of a condition
    would show them.
    """
    found = []
    for level in problem.levels:
        texts = {
            said or _text(part): True for part, said in problem.closed_at(level, in_full=not cut)
        }
        alone = any(set(part.variables()) == {level.name} for part in level.closed_by)
        domain = (problem.domains if cut and not alone else problem.declared)[level.name]
        found.append(_Choice(level.name, [domain], texts))
    return found


def _text(condition: Condition) -> str:
    """Return a condition as it may be read."""
    text = condition.text(_named)
    try:
        return ast.unparse(ast.parse(text, mode="eval"))  # without brackets that are not needed
    except SyntaxError:
        return text


def _named(one: Any) -> str:
    """Return a variable or a constant as it may be read; a dtype has the name of its variable."""
    if isinstance(one, Constant):
        return "" if one.value is dtype_type() else shown(one.value)
    return str(one)


def _values_of(domains: list[Domain]) -> str:
    """Return the values of a choice as they may be read, ranges that meet as one."""
    joined: list[Domain] = []
    for one in domains:
        for place, other in enumerate(joined):
            if (both := _as_one(one, other)) is not None:
                joined[place] = both
                break
        else:
            joined.append(one)
    return " or ".join(dict.fromkeys(map(_values, joined)))


def _as_one(one: Domain, other: Domain) -> Domain | None:
    a, b = one.values, other.values
    if not isinstance(a, range) or not isinstance(b, range) or (a.step, b.step) != (1, 1):
        return None
    if a.start > b.stop or b.start > a.stop:
        return None
    return whole_numbers(range(min(a.start, b.start), max(a.stop, b.stop)))


def _values(domain: Domain) -> str:
    values = domain.values
    if values is None:
        return f"{domain.low:g} to {domain.high:g}"
    if isinstance(values, range) and values.step == 1 and len(values) > 1:
        return f"{values[0]}..{values[-1]}"
    listed = [shown(value) for value in values[:MOST_LISTED]]
    more = f", … ({len(values):,} in all)" if len(values) > MOST_LISTED else ""
    return ", ".join(listed) + more


_ITEM = re.compile(r"(len\()?(.+?)\[\d+\](.*?)\)?$")
_PLACE = re.compile(r"\[\d+\]")


def _called(name: str) -> str:
    """Return what a choice is called: the items of a list are chosen alike."""
    match = _ITEM.match(name)
    if match is None:
        return name
    length, outside, inside = match.groups()
    parts = ["len"] if length else []
    parts += [part.lstrip(".") for part in (_PLACE.sub("", inside),) if part]
    return " of ".join([*parts, f"the items of {outside}"])


def _items_together(choices: list[_Choice]) -> list[_Choice]:
    """Put the items of a list into one choice."""
    found: dict[str, _Choice] = {}
    for one in choices:
        name = _called(one.name)
        if name in found:
            _join(found[name], one)
        else:
            found[name] = _Choice(name, one.domains, one.conditions)
    return list(found.values())
