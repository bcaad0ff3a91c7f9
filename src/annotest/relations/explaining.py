"""A model in words: in which order things are chosen, and from what."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import Any, TypeGuard

from annotest import frameworks
from annotest.records import record
from annotest.relations.arguments.model import Model
from annotest.relations.arguments.nodes import Drawn, Fixed, Scalar
from annotest.relations.arguments.ways import Way
from annotest.relations.solving.checked import ConstantPiece
from annotest.relations.solving.conditions import Condition
from annotest.relations.solving.domains import Domain, whole_numbers
from annotest.relations.solving.domains import choice as one_of
from annotest.relations.solving.problems import Problem
from annotest.relations.solving.variables import (
    Computed,
    Element,
    Inside,
    Length,
    Member,
    Name,
    Named,
)
from annotest.source import shown

MOST_LISTED = 8


@record
class Step:
    """One choice: of what, among which values, and which conditions it must then satisfy."""

    name: str
    values: str
    conditions: tuple[str, ...]


def steps_of(model: Model) -> list[Step]:
    """Return the choices of a call, as its ways make them."""
    choices: list[_Choice] = []
    made = made_of_others(model)
    ways = sorted(_possible(model), key=lambda way: len(way.left_out))
    lists = _lists_of_open_length(ways)
    known: set[int | None] = set()
    for way in ways:
        told = {text for choice in choices for text in choice.conditions}
        _add(choices, [*_fixed(way, made), *_choices_of(way, lists, known)], told)
        known |= _statements_told(way)
    return [
        Step(choice.name, _values_of(choice.domains), tuple(choice.conditions))
        for choice in _items_together(choices)
    ]


def _add(choices: list[_Choice], more: list[_Choice], told: set[str]) -> None:
    """Put the choices of another way where they belong among those of the ways before it."""
    place = 0
    for choice in more:
        # with another order, a condition is complete at another choice: told once is enough
        choice.conditions = {k: v for k, v in choice.conditions.items() if k not in told}
        same = next((at for at, other in enumerate(choices) if other.name == choice.name), None)
        if same is None:
            choices.insert(place, choice)
        else:
            _join(choices[same], choice)
        place = 1 + (place if same is None else max(place, same))


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
    said: dict[str, dict[str, bool]] = {}
    for way in _possible(model):
        contents = way.some_contents()
        if contents is None:
            continue
        for part in contents.stated:
            elements = (name for name in part.variables() if isinstance(name, Element))
            if part.place is not None and part.place in way.built:
                for name in {str(next(element.path())) for element in elements}:
                    said.setdefault(name, {})[way.statements[part.place].text] = True
    return {name: tuple(texts) for name, texts in said.items()}


def _possible(model: Model) -> list[Way]:
    return [way for way in model.ways if not way.is_hopeless] or model.ways


@dataclass
class _Choice:
    """A choice in some of the ways: from which values, and what it must then satisfy.

    Where it is one for all the items of a list, `items_of` is that list. Conditions are texts,
    with the variables that they mention.
    """

    variable: Name
    domains: list[Domain]
    conditions: dict[str, set[Name]]
    items_of: Name | None = None

    @property
    def name(self) -> str:
        """What the choice is called."""
        return _called(self.variable, self.items_of)


def _join(choice: _Choice, other: _Choice) -> None:
    choice.domains += [domain for domain in other.domains if domain not in choice.domains]
    choice.conditions |= other.conditions


def _fixed(way: Way, made: list[str]) -> list[_Choice]:
    """Return the arguments that are one value in a way, and may be others in other ways."""
    return [
        _Choice(Named(name), [one_of((node.value,))], {})
        for name, node in way.nodes.items()
        if isinstance(node, Fixed) and name in {*way.names} - way.left_out - {*made}
    ]


def _lists_of_open_length(ways: list[Way]) -> set[Name]:
    """Return the lists that are longer in some calls than in others."""
    lengths: dict[Name, set[Any]] = {}
    for way in ways:
        for problem in filter(None, way.some_problems()[:-1]):
            for level in problem.levels:
                if isinstance(level.name, Length):
                    lengths.setdefault(level.name.of, set()).update(level.domain.values or ())
    return {name for name, values in lengths.items() if len(values) > 1}


def _statements_told(way: Way) -> set[int | None]:
    """Return the places of the statements that choices of a way must satisfy."""
    return {
        part.place
        for problem in filter(None, way.some_problems())
        for level in problem.levels
        for part, _ in problem.closed_at(level)
    }


def _choices_of(way: Way, lists: set[Name], known: set[int | None]) -> list[_Choice]:
    """Return the choices of a way; `known` are statements told before, in other ways.

    A condition on an argument that is left out has the default in it. It is told as a whole, once.
    """
    filled = {at for at, said in enumerate(way.statements) if said.names & way.left_out}
    *before, contents = way.some_problems()
    choices: list[_Choice] = []
    for problem in filter(None, before):
        each = _choices(problem, not choices, filled, known)
        choices += [choice for choice in each if isinstance(choice.variable, Length)]
    if contents is not None:
        lengths = (choice.variable for choice in choices)
        is_fixed = not any(isinstance(name, Length) and name.of in lists for name in lengths)
        choices += _choices(contents, is_fixed, filled, known)
    together: dict[str, _Choice] = {}
    for choice in choices:
        choice.items_of = _list_of(choice.variable, lists)
        if choice.name in together:
            _join(together[choice.name], choice)
        else:
            together[choice.name] = choice
    return list(together.values())


def _choices(
    problem: Problem, cut: bool, filled: set[int], known: set[int | None]
) -> list[_Choice]:
    """Return the choices; with `cut`, among the values that are possible at all.

    Without `cut`, lengths have been given example numbers, which a part of a condition would show.
    So a condition is then told as a whole, at the choice that completes it.
    """
    choices: list[_Choice] = []
    for level in problem.levels:
        texts: dict[str, set[Name]] = {}
        for part, is_whole in problem.closed_at(level):
            if part.place not in filled or part.place not in known:
                whole = is_whole or not cut or part.place in filled
                text = part.text if whole else _text(part.condition)
                texts.setdefault(text, set()).update(part.variables())
        for choice in choices:
            for text in texts.keys() & choice.conditions.keys():
                texts[text] |= choice.conditions.pop(text)
        alone = any(set(part.variables()) == {level.name} for part in level.stated)
        domain = (problem.domains if cut and not alone else problem.declared)[level.name]
        choices.append(_Choice(level.name, [domain], texts))
    return choices


def _text(condition: Condition) -> str:
    """Return a condition as it may be read."""
    text = condition.text(_named)
    try:
        return ast.unparse(ast.parse(text, mode="eval"))  # without brackets that are not needed
    except SyntaxError:
        return text


def _named(piece: Name | ConstantPiece) -> str:
    """Return a variable or a constant as it may be read; a dtype has the name of its variable."""
    if isinstance(piece, ConstantPiece):
        converts = (adapter.dtype for adapter in frameworks.imported())
        is_dtype = callable(piece.value) and any(piece.value == convert for convert in converts)
        return "" if is_dtype else shown(piece.value)
    return piece.text if isinstance(piece, Computed) else str(piece)


def _values_of(domains: list[Domain]) -> str:
    """Return the values of a choice as they may be read, ranges that meet as one."""
    joined: list[Domain] = []
    for domain in domains:
        for place, other in enumerate(joined):
            if (both := _as_one(domain, other)) is not None:
                joined[place] = both
                break
        else:
            joined.append(domain)
    return " or ".join(dict.fromkeys(map(_values, joined)))


def _as_one(domain: Domain, other: Domain) -> Domain | None:
    a, b = domain.values, other.values
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


def all_items(of: object) -> str:
    """Return what all the items of a list are called."""
    return f"the items of {of}"


def _list_of(variable: Name, lists: set[Name] | None = None) -> Name | None:
    """Return the outermost list, of these or of any, of whose items a variable is a part."""
    items = (step for step in variable.path() if _is_item(step))
    return next((item.of for item in items if lists is None or item.of in lists), None)


def _is_item(step: Name) -> TypeGuard[Member]:
    return isinstance(step, Member) and step.is_place


def _called(variable: Name, items_of: Name | None) -> str:
    """Return what a choice is called: of a variable, or of the same part of all items of a list."""
    if items_of is None:
        return str(variable)
    part = variable.of if isinstance(variable, Length) else variable
    steps = list(part.path())[len(list(items_of.path())) :]
    inside = [step.step for step in steps if isinstance(step, Inside) and not _is_item(step)]
    what = "" if part is variable else "len"
    return " of ".join(filter(None, (what, "".join(inside).lstrip("."), all_items(items_of))))


def _items_together(choices: list[_Choice]) -> list[_Choice]:
    """Put the items of a list into one choice, where it is the same for all of them."""
    groups: dict[str, list[int]] = {}
    lists = [choice.items_of or _list_of(choice.variable) for choice in choices]
    for place, choice in enumerate(choices):
        groups.setdefault(_called(choice.variable, lists[place]), []).append(place)
    together: list[_Choice] = []
    for place, choice in enumerate(choices):
        places = next(places for places in groups.values() if place in places)
        if not _are_alike(choices, places):
            together.append(choice)
        elif place == places[0]:
            together.append(replace(choice, items_of=lists[place]))
        else:
            _join(together[-1], choice)
    return together


def _are_alike(choices: list[_Choice], places: list[int]) -> bool:
    """Say whether choices have the same values and follow each other, and need none after them."""
    items = [choices[place] for place in places]
    after = choices[places[-1] + 1 :]
    later = {choice.variable for choice in after if choice.items_of is None}
    return (
        len(items) > 1
        and places[-1] - places[0] == len(items) - 1
        and len({_values_of(item.domains) for item in items}) == 1
        and not any(names & later for item in items for names in item.conditions.values())
    )
