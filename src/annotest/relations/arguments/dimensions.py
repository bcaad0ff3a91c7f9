"""Named dimensions: which there are in a call, and what they are in given arguments."""

from __future__ import annotations

from collections.abc import Iterator, Set
from functools import cached_property
from typing import Any

from annotest.constraints import Constraint
from annotest.constraints._dims import LARGEST_SIDE, SMALLEST_SIDE, presences
from annotest.constraints._sizes import Meanings, NoSize, Side
from annotest.records import record
from annotest.relations.arguments.array_nodes import told_by
from annotest.relations.arguments.sides import (
    bounded_in,
    open_sizes_of,
    shapes_of,
    shared_dtypes_of,
    sides_of,
    starred_sides_of,
)
from annotest.relations.reading.reader import Reader
from annotest.relations.reading.sequences import as_term
from annotest.relations.reading.symbols import NotUnderstood, Symbol
from annotest.relations.solving.boxes import Empty
from annotest.relations.solving.conditions import Compare
from annotest.relations.solving.domains import Domain
from annotest.relations.solving.levels import Stated
from annotest.relations.solving.pickers import At
from annotest.relations.solving.problems import Problem
from annotest.relations.solving.searching import Unsolvable
from annotest.relations.solving.terms import Number, Variable
from annotest.relations.solving.variables import Name, Named

OPEN_SIZES = frozenset(range(SMALLEST_SIDE, LARGEST_SIDE + 1))


@record
class NamedSizes:
    """The named dimensions of a call, as its arguments mention them."""

    constraints: dict[str, Constraint]
    domains: dict[str, Domain]
    sided: tuple[str, ...] = ()  # the arguments whose optional sides are settled here

    def of(self, values: dict[str, Any]) -> dict[str, int | None]:
        """Return the dimensions that arguments have; None for those that they leave open."""
        if len(self._variants) == 1:
            return self._of(values)
        variants = [sizes for sizes in self._variants if sizes._agrees(values)] or self._variants
        best = max(variants, key=lambda sizes: len(sizes._fitting(values)))
        return {**dict.fromkeys(self.domains), **best._of(values)}

    def agree(self, values: dict[str, Any]) -> bool:
        """Say whether every dimension and every shared dtype is the same throughout a call.

        Sides that have no name must be of the sizes from which they are drawn.
        """
        return any(sizes._agrees(values) for sizes in self._variants)

    @cached_property
    def _variants(self) -> list[NamedSizes]:
        """The same with and without its optional sides."""
        optional = [name for c in self.constraints.values() for name in c.optional_names]
        if not optional:
            return [self]
        names = tuple(dict.fromkeys(optional))
        return [self._with_sides(names, present) for present in presences(names)]

    def _with_sides(self, names: tuple[str, ...], present: Set[str]) -> NamedSizes:
        constraints = {
            name: constraint.with_sides(present) for name, constraint in self.constraints.items()
        }
        there = {
            name: domain
            for name, domain in self.domains.items()
            if name not in names or name in present
        }
        sided = tuple(name for name, c in self.constraints.items() if c.optional_names)
        return NamedSizes(constraints, there, sided)

    def _fitting(self, values: dict[str, Any]) -> list[str]:
        """Return the arguments that have the sides that are optional elsewhere."""
        return [name for name in self.sided if values.get(name) in self.constraints[name]]

    def _of(self, values: dict[str, Any]) -> dict[str, int | None]:
        sizes: dict[str, int] = {}
        sides = list(self._sides(values))
        for side, size in sides:
            if side.text in self.domains:
                sizes.setdefault(side.text, size)
        sizes = self._solved(sides, values, sizes)
        # one that no argument has, as those of a union may, is nothing that can be reckoned with
        return {**dict.fromkeys(self.domains), **sizes}

    def _agrees(self, values: dict[str, Any]) -> bool:
        if not all(map(is_looked_into, self.constraints.values())):
            return False
        if len(self._fitting(values)) < len(self.sided) or not self._is_usual(values):
            return False
        sides = [(side, size) for side, size in self._sides(values) if side.text != "_"]
        shared: list[tuple[Name, Any]] = []
        for name, constraint in self.constraints.items():
            shared += starred_sides_of(constraint, values.get(name))
            shared += shared_dtypes_of(constraint, values.get(name))
        known = dict(shared)
        if any(known[what] != has for what, has in shared):
            return False
        sizes = {side.text: size for side, size in sides if side.text in self.domains}
        sizes = self._solved(sides, values, sizes)
        if not all(_allows(self.domains[name], size) for name, size in sizes.items()):
            return False
        names = {**values, **sizes}
        return all(_evaluates_to(side, size, names) for side, size in sides) and all(
            _is_within(part, item, names) for part, item in self._bounded(values)
        )

    def _is_usual(self, values: dict[str, Any]) -> bool:
        """Say whether sides without a name have sizes from which they are drawn."""
        return all(
            OPEN_SIZES.issuperset(open_sizes_of(constraint, values.get(name)))
            for name, constraint in self.constraints.items()
        )

    def _sides(self, values: dict[str, Any]) -> Iterator[tuple[Side, int]]:
        """Yield the sides that arguments name, with the sizes that they have."""
        for name, constraint in self.constraints.items():
            yield from sides_of(constraint, values.get(name))

    def _bounded(self, values: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
        """Yield the constraints of arrays whose bounds or shapes others give, with the arrays."""
        for name, constraint in self.constraints.items():
            yield from bounded_in(constraint, values.get(name))

    def _solved(
        self, sides: list[tuple[Side, int]], values: dict[str, Any], known: dict[str, int]
    ) -> dict[str, int]:
        """Find the dimensions that stand in arithmetic only, such as h in 2*h."""
        if self.domains.keys() <= known.keys():
            return known
        symbols: dict[str, Symbol] = {name: Variable(Named(name)) for name in self.domains}
        reader = Reader(symbols, values)
        conditions: list[Stated] = []
        for side, size in sides:
            try:
                term = as_term(reader.read(side.tree))
            except NotUnderstood:
                continue
            conditions.append(Stated(Compare(term, "==", Number(size)), {}))
        for part, item in self._bounded(values):
            conditions += [Stated(bound, {}) for bound in _bounds_of(part, item, reader)]
        for name, size in known.items():
            conditions.append(Stated(Compare(Variable(Named(name)), "==", Number(size)), {}))
        used = {name for stated in conditions for name in stated.condition.variables()}
        sizes = {Named(name): domain for name, domain in self.domains.items()}
        domains: dict[Name, Domain] = {name: sizes[name] for name in sizes if name in used}
        try:
            box = Problem(domains, conditions).solve(At(0))
        except (Empty, Unsolvable):
            return known
        return {name.name: int(box.values[name]) for name in sizes if name in used}


def is_looked_into(constraint: Constraint) -> bool:
    """Say whether the named sizes of a constraint are all where `sides_of` looks for them."""
    if not constraint.is_named:
        return True
    return constraint.structure.shows_sizes and all(map(is_looked_into, constraint.children()))


def _bounds_of(constraint: Any, array: Any, reader: Reader) -> Iterator[Compare]:
    """Yield what the elements of an array say of the names in its bounds."""
    try:
        yield from told_by(constraint, array, lambda side: as_term(reader.read(side.tree)))
    except NotUnderstood:
        return


def _is_within(constraint: Constraint, array: Any, names: dict[str, Any]) -> bool:
    try:
        shapes = shapes_of(names, constraint.shape_names)
        return array in constraint.sized(Meanings(names, {}, shapes))
    except NoSize:
        return False


def _allows(domain: Domain, size: int) -> bool:
    return domain.values is None or size in domain.values


def _evaluates_to(side: Side, size: int, values: dict[str, Any]) -> bool:
    try:
        return side.size(values) == size
    except NoSize:
        return False
