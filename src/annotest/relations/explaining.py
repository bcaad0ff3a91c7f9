"""A model in words: in which order things are chosen, and from what."""

from __future__ import annotations

import ast
import re

from annotest.frozen import frozen
from annotest.relations.conditions import Condition, Constant
from annotest.relations.domains import Domain
from annotest.relations.model import Model
from annotest.relations.nodes import Drawn, Fixed, Scalar
from annotest.relations.problems import Problem
from annotest.source import shown

MOST_LISTED = 8


@frozen
class Step:
    """One choice: of what, among which values, and which conditions it must then satisfy."""

    name: str
    values: str
    conditions: tuple[str, ...]


def steps_of(model: Model) -> list[Step]:
    """Return the choices of a call, as one of its ways makes them."""
    way = max(model.ways, key=lambda one: -len(one.left_out))
    found: list[Step] = []
    if way.sized is not None:
        lengths = set(way.size_domains)
        found += [one for one in _steps(way.sized, True) if one.name in lengths]
    problem = way.some_contents()
    if problem is not None:
        found += _steps(problem, way.sized is None)
    return _items_together(found)


def made_of_others(model: Model) -> list[str]:
    """Return the arguments that are made when the numbers are chosen: arrays, lists, dicts."""
    nodes = model.ways[0].nodes
    return [name for name in model.names if not isinstance(nodes[name], Scalar | Fixed | Drawn)]


def _steps(problem: Problem, cut: bool) -> list[Step]:
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
        found.append(Step(level.name, _values(domain), tuple(texts)))
    return found


def _text(condition: Condition) -> str:
    """Return a condition as it may be read."""
    text = condition.text(lambda one: shown(one.value) if isinstance(one, Constant) else str(one))
    try:
        return ast.unparse(ast.parse(text, mode="eval"))  # without brackets that are not needed
    except SyntaxError:
        return text


def _values(domain: Domain) -> str:
    values = domain.values
    if values is None:
        return f"{domain.low:g} to {domain.high:g}"
    if isinstance(values, range) and values.step == 1 and len(values) > 1:
        return f"{values[0]}..{values[-1]}"
    listed = [shown(value) for value in values[:MOST_LISTED]]
    more = f", … ({len(values):,} in all)" if len(values) > MOST_LISTED else ""
    return ", ".join(listed) + more


_ITEM = re.compile(r"(.+)\[\d+\]$")


def _items_together(steps: list[Step]) -> list[Step]:
    """Put the items of a list into one step."""
    found: dict[str, Step] = {}
    for step in steps:
        match = _ITEM.match(step.name)
        name = f"the items of {match.group(1)}" if match else step.name
        before = found.get(name)
        if before is None:
            found[name] = Step(name, step.values, step.conditions)
        else:
            conditions = tuple(dict.fromkeys((*before.conditions, *step.conditions)))
            values = before.values
            if step.values not in values.split(" or "):
                values = f"{values} or {step.values}"
            found[name] = Step(name, values, conditions)
    return list(found.values())
