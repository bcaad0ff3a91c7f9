"""A model in words: in which order things are chosen, and from what."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from typing import Any

from annotest import frameworks
from annotest.frozen import frozen
from annotest.relations.arguments.model import Model
from annotest.relations.arguments.nodes import Drawn, Fixed, Scalar
from annotest.relations.arguments.ways import Way
from annotest.relations.solving.conditions import Condition, Constant
from annotest.relations.solving.domains import Domain, choice, whole_numbers
from annotest.relations.solving.problems import Problem
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
    ways = sorted(_possible(model), key=lambda one: len(one.left_out))
    lists = _lists_of_open_length(ways)
    known: set[int | None] = set()
    for way in ways:
        place, told = 0, {text for one in found for text in one.conditions}
        for one in [*_fixed(way, made), *_choices_of(way, lists, known)]:
            # with another order, a condition is complete at another choice: told once is enough
            one.conditions = {k: v for k, v in one.conditions.items() if k not in told}
            same = next((at for at, other in enumerate(found) if other.name == one.name), None)
            if same is None:
                found.insert(place, one)
            else:
                _join(found[same], one)
            place = 1 + (place if same is None else max(place, same))
        known |= _statements_told(way)
    shown = _items_together(found)
    return [Step(one.name, _values_of(one.domains), tuple(one.conditions)) for one in shown]


def made_of_others(model: Model) -> list[str]:
    """Return the arguments that are made when the numbers are chosen: arrays, lists, dicts."""
    each = [way.nodes for way in _possible(model)]
    return [
        name
        for name in model.names
        if any(not isinstance(nodes[name], Scalar | Fixed | Drawn) for nodes in each)
    ]


def conditions_on_elements(model: Model) -> dict[str, tuple[str, ...]]:
    """Return what the elements of arrays are built to satisfy."""
    found: dict[str, dict[str, bool]] = {}
    for way in _possible(model):
        contents = way.some_contents()
        if contents is None:
            continue
        for part in contents.conditions:
            place = contents.place_of(part)
            arrays = {one.partition("[")[0] for one in part.variables() if one.endswith("[…]")}
            if place is not None and place in way.built:
                for name in arrays:
                    found.setdefault(name, {})[way.statements[place].text] = True
    return {name: tuple(texts) for name, texts in found.items()}


def _possible(model: Model) -> list[Way]:
    return [way for way in model.ways if not way.is_hopeless] or model.ways


@dataclass
class _Choice:
    """A choice in some of the ways: from which values, and what it must then satisfy.

    Conditions are texts, with the variables that they mention.
    """

    name: str
    domains: list[Domain]
    conditions: dict[str, set[str]]


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


def _lists_of_open_length(ways: list[Way]) -> set[str]:
    """Return the lists that are longer in some calls than in others."""
    found: dict[str, set[Any]] = {}
    for way in ways:
        for problem in filter(None, way.some_problems()[:-1]):
            for level in problem.levels:
                if _is_length(level.name):
                    found.setdefault(level.name[4:-1], set()).update(level.domain.values or ())
    return {name for name, values in found.items() if len(values) > 1}


def _is_length(name: str) -> bool:
    return name.startswith("len(")


def _statements_told(way: Way) -> set[int | None]:
    """Return the places of the statements that choices of a way must satisfy."""
    return {
        problem.place_of(part)
        for problem in filter(None, way.some_problems())
        for level in problem.levels
        for part, _, _ in problem.closed_at(level)
    }


def _choices_of(way: Way, lists: set[str], known: set[int | None]) -> list[_Choice]:
    """Return the choices of a way; `known` are statements told before, in other ways.

    What is said of an argument left out has its default in it: it is told as a whole, and once.
    """
    filled = {at for at, one in enumerate(way.statements) if one.names & way.left_out}
    *before, contents = way.some_problems()
    found: list[_Choice] = []
    for problem in filter(None, before):
        each = _choices(problem, not found, filled, known)
        found += [one for one in each if _is_length(one.name)]
    if contents is not None:
        is_fixed = not any(one.name[4:-1] in lists for one in found)
        found += _choices(contents, is_fixed, filled, known)
    together: dict[str, _Choice] = {}
    for one in found:
        one.name = _called(one.name, lists)
        if one.name in together:
            _join(together[one.name], one)
        else:
            together[one.name] = one
    return list(together.values())


def _choices(
    problem: Problem, cut: bool, filled: set[int], known: set[int | None]
) -> list[_Choice]:
    """Return the choices; with `cut`, among the values that are possible at all.

    Without it lengths are known, as numbers that others are in other calls: a part of a condition
    would show them. The whole is told when all of it is complete.
    """
    found: list[_Choice] = []
    for level in problem.levels:
        texts: dict[str, set[str]] = {}
        for part, said, is_whole in problem.closed_at(level):
            place = problem.place_of(part)
            if place not in filled or place not in known:
                whole = is_whole or not cut or place in filled
                texts.setdefault(said if whole else _text(part), set()).update(part.variables())
        for one in found:
            for text in texts.keys() & one.conditions.keys():
                texts[text] |= one.conditions.pop(text)
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
        converts = (adapter.dtype for adapter in frameworks.imported())
        is_dtype = callable(one.value) and any(one.value == convert for convert in converts)
        return "" if is_dtype else shown(one.value)
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


_PLACE = re.compile(r"\[\d+\]")


def _called(name: str, lists: set[str] | None = None) -> str:
    """Return what a choice is called if it is one for all items of a list, of these or of any."""
    path = name[4:-1] if _is_length(name) else name
    for match in _PLACE.finditer(path):
        outside, inside = path[: match.start()], _PLACE.sub("", path[match.end() :])
        if lists is None or outside in lists:
            parts = ["len"] if _is_length(name) else []
            parts += [inside.lstrip(".")] if inside else []
            return " of ".join([*parts, f"the items of {outside}"])
    return name


def _items_together(choices: list[_Choice]) -> list[_Choice]:
    """Put the items of a list into one choice, where it is the same for all of them."""
    groups: dict[str, list[int]] = {}
    for place, one in enumerate(choices):
        name = one.name if "the items of" in one.name else _called(one.name)
        groups.setdefault(name, []).append(place)
    found = []
    for place, one in enumerate(choices):
        name, places = next(pair for pair in groups.items() if place in pair[1])
        if not _are_alike(choices, places):
            found.append(one)
        elif place == places[0]:
            found.append(replace(one, name=name))
        else:
            _join(found[-1], one)
    return found


def _are_alike(choices: list[_Choice], places: list[int]) -> bool:
    """Say whether choices have the same values and follow each other, and need none after them."""
    items = [choices[place] for place in places]
    later = {one.name for one in choices[places[-1] + 1 :]}
    return (
        len(items) > 1
        and places[-1] - places[0] == len(items) - 1
        and len({_values_of(one.domains) for one in items}) == 1
        and not any(names & later for one in items for names in one.conditions.values())
    )
