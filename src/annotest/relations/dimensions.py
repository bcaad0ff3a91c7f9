"""Named dimensions: which there are in a call, and what they are in given arguments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotest.constraints import Constraint, anys, tuples
from annotest.constraints._arrays import shape_constraint
from annotest.constraints._dims import NamedShape, Side, aligned
from annotest.relations.boxes import Empty
from annotest.relations.conditions import Compare
from annotest.relations.problems import Domain, Problem, Stated, Unsolvable
from annotest.relations.reading import Reader
from annotest.relations.sequences import as_term
from annotest.relations.symbols import NotUnderstood
from annotest.relations.terms import Number, Variable


@dataclass(frozen=True)
class NamedSizes:
    """The named dimensions of a call, as its arguments mention them."""

    constraints: dict[str, Constraint]
    domains: dict[str, Domain]

    def of(self, values: dict[str, Any]) -> dict[str, int | None]:
        """Return the dimensions that arguments have; None for those that they leave open."""
        found: dict[str, int] = {}
        others: list[tuple[Side, int]] = []
        for name, constraint in self.constraints.items():
            for side, size in sides_of(constraint, values.get(name)):
                if side.text in self.domains:
                    found.setdefault(side.text, size)
                elif not side.text.isdigit():
                    others.append((side, size))
        if not self.domains.keys() <= found.keys():
            found = self._solved(others, values, found)
        # one that no argument has, as those of a union may, is nothing that can be reckoned with
        return {**dict.fromkeys(self.domains), **found}

    def _solved(
        self, sides: list[tuple[Side, int]], values: dict[str, Any], found: dict[str, int]
    ) -> dict[str, int]:
        """Find the dimensions that stand in arithmetic only, such as h in 2*h."""
        symbols: dict[str, Any] = {name: Variable(name) for name in self.domains}
        reader = Reader(symbols, values)
        conditions: list[Stated] = []
        for side, size in sides:
            try:
                term = as_term(reader.read(side.tree))
            except NotUnderstood:
                continue
            conditions.append(Stated(Compare(term, "==", Number(size)), {}))
        for name, size in found.items():
            conditions.append(Stated(Compare(Variable(name), "==", Number(size)), {}))
        used = {name for one in conditions for name in one.condition.variables()}
        domains = {name: one for name, one in self.domains.items() if name in used}
        try:
            box = Problem(domains, conditions).solve(_First())
        except (Empty, Unsolvable):
            return found
        return {name: int(box.values[name]) for name in domains}


class _First:
    """Chooses the first value."""

    def place(self, all_values: Any, values: Any, chosen: dict[str, Any]) -> int:
        return 0

    def real(self, domain: Domain, low: float, high: float) -> float:
        return low


def sides_of(constraint: Constraint, value: Any) -> list[tuple[Side, int]]:
    """Return the named sides of an argument with the sizes that they have in a value."""
    if isinstance(constraint, anys):
        fitting = (sides_of(one, value) for one in constraint.constraints)
        return next((found for found in fitting if found), [])
    if isinstance(constraint, tuples) and constraint.is_fixed and isinstance(value, tuple):
        pairs = zip(constraint.elements, value, strict=False)
        return [one for part, item in pairs for one in sides_of(part, item)]
    text = getattr(constraint, "len", None)
    if isinstance(text, str):
        return [(Side(text), len(value))] if hasattr(value, "__len__") else []
    if not isinstance(getattr(constraint, "shape", None), str):
        return []
    shape = shape_constraint("shape", constraint.shape)  # type: ignore[attr-defined]
    sizes = getattr(value, "shape", None)
    if not isinstance(shape, NamedShape) or sizes is None:
        return []
    sizes = tuple(int(size) for size in sizes)
    fixed = sum(not side.starred for side in shape.sides)
    if len(sizes) < fixed or (fixed == len(shape.sides) and len(sizes) > fixed):
        return []
    return [(side, sizes[place]) for place, side in aligned(shape.sides, len(sizes))]
