"""A model: the arguments of one call as variables, so that relations between them hold."""

from __future__ import annotations

import ast
import itertools
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotest.constraints import Constraint
from annotest.constraints._dims import LARGEST_SIDE, SMALLEST_SIDE, Side, named_in
from annotest.relations.boxes import INF, Box, Empty
from annotest.relations.conditions import Always, Compare, Condition
from annotest.relations.making import Maker, axes
from annotest.relations.nodes import Drawer, Drawn, Fixed, Node, item_domain
from annotest.relations.problems import (
    Domain,
    Picker,
    Problem,
    Unsolvable,
    stand_in,
    whole_numbers,
)
from annotest.relations.reading import Reader
from annotest.relations.sequences import as_term
from annotest.relations.statements import Statement
from annotest.relations.symbols import Given, NotUnderstood, Symbol
from annotest.relations.terms import Number, Variable

MOST_WAYS = 64
MOST_SIZES = 20
KEPT_CONTENTS = 256

BUILT, FILTERED = "built", "filtered"


@dataclass(frozen=True)
class Argument:
    """One argument; `left_out` says that it may be, and `default` what it then is."""

    name: str
    constraint: Constraint
    left_out: bool = False
    default: Any = None


@dataclass(frozen=True)
class Chosen:
    """What was chosen for a call: the recipes of its arguments, and those left out."""

    recipes: dict[str, Any]
    left_out: frozenset[str]


@dataclass
class Way:
    """One way to make the call: which alternatives are taken, which arguments left out."""

    names: tuple[str, ...]
    nodes: dict[str, Node]
    left_out: frozenset[str]
    statements: tuple[Statement, ...]
    dims: dict[str, Domain]
    lengths: tuple[tuple[str, Side], ...]
    sized: Problem | None = None
    given: dict[str, ast.expr] = field(default_factory=dict)
    understood: set[int] = field(default_factory=set)
    _contents: dict[tuple[int, ...], Problem | None] = field(default_factory=dict)

    @property
    def size_domains(self) -> dict[str, Domain]:
        """The variables that say how long things are."""
        return {name: one for node in self.nodes.values() for name, one in node.sizes().items()}

    def prepare(self) -> None:
        """Read the conditions; Empty where they cannot hold together."""
        sizes = self.size_domains
        if sizes:
            domains = {**sizes, **self._scalars(dict.fromkeys(sizes, 0))}
            self.sized = self._problem(None, domains, tuple(sizes))
        elif self._content(()) is None:
            raise Empty

    def _scalars(self, sizes: dict[str, int]) -> dict[str, Domain]:
        found = dict(self.dims)
        for node in self.nodes.values():
            found |= node.domains(sizes)
        return found

    def _problem(
        self, sizes: dict[str, int] | None, domains: dict[str, Domain], first: tuple[str, ...]
    ) -> Problem:
        reader = self.reader(sizes)
        conditions: list[tuple[Condition, dict[str, Any]]] = []
        for place, statement in enumerate(self.statements):
            reader.scope = statement.scope
            try:
                found = reader.condition(statement.tree)
            except NotUnderstood:
                continue
            if found == Always(False):
                raise Empty
            self.understood.add(place)
            conditions.append((found, statement.scope))
        for name, side in self.lengths:
            conditions.append((self._agreement(name, side, sizes, reader), {}))
        for node in self.nodes.values():
            for term in node.sides():
                conditions.append((Compare(Number(0), "<=", term), {}))
        domains |= {name: stand_in(*ends) for name, ends in reader.stand_ins.items()}
        self.given |= reader.given
        given = tuple(self.given)
        domains |= {name: stand_in(-INF, INF) for name in given}
        used = {name for one, _ in conditions for name in one.variables()}
        if sizes is not None:
            for node in self.nodes.values():
                for group in node.items(sizes):
                    domains |= group if used & group.keys() else {}
        kept = {
            name: one
            for name, one in domains.items()
            if one.is_chosen or name in used or name in given
        }
        return Problem(kept, conditions, first, given)

    def _agreement(
        self, name: str, side: Side, sizes: dict[str, int] | None, reader: Reader
    ) -> Condition:
        length = Variable(name)
        term = as_term(reader.read(side.tree))
        if sizes is not None:
            return Compare(Number(sizes[name]), "==", term)
        return Compare(length, "==", term)

    def reader(self, sizes: dict[str, int] | None) -> Reader:
        """Return who reads conditions on these nodes."""
        symbols: dict[str, Symbol] = {name: Variable(name) for name in self.dims}
        symbols |= {name: node.symbol(sizes) for name, node in self.nodes.items()}
        return Reader(symbols, {})

    def _content(self, sizes: tuple[int, ...]) -> Problem | None:
        """Return the problem of all values, given the lengths; None where it has no solution."""
        if sizes not in self._contents:
            if len(self._contents) >= KEPT_CONTENTS:
                self._contents.clear()
            named = dict(zip(self.size_domains, sizes, strict=True))
            try:
                self._contents[sizes] = self._problem(named, self._scalars(named), ())
            except Empty:
                self._contents[sizes] = None
        return self._contents[sizes]

    def choose(self, picker: Picker, drawer: Drawer, values: dict[str, Any]) -> Chosen:
        """Choose a call; `values` are those drawn before, as they were built."""
        given = self._given_values(values)
        if self.sized is None:
            return self._chosen((), picker, drawer, given)
        names = tuple(self.size_domains)
        for attempt in range(MOST_SIZES):
            box = self.sized.solve(_Sizing(picker, len(names) + len(given), attempt), given)
            sizes = tuple(int(box.values[name]) for name in names)
            try:
                return self._chosen(sizes, picker, drawer, given)
            except Unsolvable:
                continue
        raise Unsolvable

    def _chosen(
        self, sizes: tuple[int, ...], picker: Picker, drawer: Drawer, given: dict[str, Any]
    ) -> Chosen:
        problem = self._content(sizes)
        if problem is None:
            raise Unsolvable
        box = problem.solve(picker, given)
        named = dict(zip(self.size_domains, sizes, strict=True))
        return Chosen(self._recipes(box, named, drawer), self.left_out)

    def _recipes(self, box: Box, sizes: dict[str, int], drawer: Drawer) -> dict[str, Any]:
        return {
            name: node.recipe(box, sizes, drawer)
            for name, node in self.nodes.items()
            if name in self.names and name not in self.left_out and not isinstance(node, Drawn)
        }

    def _given_values(self, values: dict[str, Any]) -> dict[str, Any]:
        found = {}
        scope = {k: v for statement in self.statements for k, v in statement.scope.items()}
        for name, tree in self.given.items():
            code = compile(ast.fix_missing_locations(ast.Expression(tree)), "<given>", "eval")
            try:
                value = eval(code, scope | values)
            except Exception:
                raise Unsolvable from None
            if not isinstance(value, int | float):
                raise Unsolvable
            found[name] = value
        return found


class _Sizing:
    """Chooses lengths, and of everything else the first value that will do."""

    def __init__(self, picker: Picker, count: int, attempt: int) -> None:
        self._picker = picker
        self._count = count
        self._attempt = attempt

    def place(
        self, all_values: Sequence[Any], values: Sequence[Any], chosen: dict[str, Any]
    ) -> int:
        if len(chosen) >= self._count:
            return 0
        return self._picker.place(all_values, values, chosen) + self._attempt

    def real(self, low: float, high: float) -> float:
        return low


class Model:
    """The arguments of a call that are related to each other."""

    def __init__(
        self,
        arguments: Sequence[Argument],
        statements: Sequence[Statement],
        dims: dict[str, Constraint] | None = None,
        drawn: Sequence[str] = (),
        fixed: dict[str, Any] | None = None,
    ) -> None:
        self.fixed = fixed or {}
        self.statements = tuple(statements)
        self.dims = dims or {}
        self.drawn = tuple(drawn)
        self._all_arguments = tuple(arguments)
        self.arguments = self._related(arguments)
        self.ways = self._feasible_ways()

    def _related(self, arguments: Sequence[Argument]) -> tuple[Argument, ...]:
        """Return the arguments that stand in a relation, or whose shape is named."""
        mentioned = {name for statement in self.statements for name in statement.names}
        mentioned |= {name for one in arguments for name in named_in(one.constraint)}
        return tuple(one for one in arguments if one.name in mentioned or named_in(one.constraint))

    @property
    def names(self) -> tuple[str, ...]:
        """The arguments that are chosen together."""
        return tuple(one.name for one in self.arguments)

    def _axes(self) -> list[tuple[str, int]]:
        found = [(f"{one.name}=", 2) for one in self.arguments if one.left_out]
        found += [axis for one in self.arguments for axis in axes(one.constraint, one.name)]
        return found

    def _feasible_ways(self) -> list[Way]:
        found = self._axes()
        ways, seen = [], set()
        for places in _places([count for _, count in found]):
            variation = dict(zip((path for path, _ in found), places, strict=True))
            if not _is_sensible(variation):
                continue
            try:
                way = self._way(variation)
                key = repr(way.nodes)
                if key in seen:
                    continue
                seen.add(key)
                way.prepare()
            except Empty:
                continue
            ways.append(way)
        return ways

    def _way(self, variation: dict[str, int]) -> Way:
        left_out = {one.name for one in self.arguments if variation.get(f"{one.name}=")}
        numbers = {
            one.name
            for one in self.arguments
            if (domain := item_domain(one.constraint)) and domain.is_number
        }
        dims = self._dimensions(numbers)
        symbols: dict[str, Symbol] = {name: Variable(name) for name in (*dims, *numbers)}
        symbols |= {name: Given(name) for name in self.drawn}
        reader = Reader(symbols, {})
        maker = Maker(variation, lambda side: reader.read(side.tree))
        nodes: dict[str, Node] = {}
        lengths: list[tuple[str, Side]] = []
        for one in self.arguments:
            if one.name in left_out:
                nodes[one.name] = Fixed(one.default)
            else:
                nodes[one.name] = maker.node(one.constraint, one.name)
                text = getattr(one.constraint, "len", None)
                if isinstance(text, str):
                    lengths.append((f"len({one.name})", Side(text)))
        nodes |= {name: Fixed(value) for name, value in self.fixed.items()}
        for name in self.drawn:
            nodes.setdefault(name, Drawn(name, None))  # type: ignore[arg-type]
        way = Way(self.names, nodes, frozenset(left_out), self.statements, dims, tuple(lengths))
        way.given |= reader.given
        return way

    def _dimensions(self, numbers: set[str]) -> dict[str, Domain]:
        names = {name for one in self.arguments for name in named_in(one.constraint)}
        names |= {
            name for statement in self.statements for name in statement.names & set(self.dims)
        }
        found = {}
        for name in sorted(one for one in names - numbers if one.isidentifier()):
            found[name] = dimension_domain(self.dims.get(name))
        return found

    @property
    def needs_first(self) -> tuple[str, ...]:
        """The arguments that must be drawn and built before the others are chosen."""
        found = {}
        for way in self.ways:
            for name, node in way.nodes.items():
                if isinstance(node, Drawn):
                    found[name] = True
        return tuple(found)

    def conflict(self) -> tuple[int, ...] | None:
        """Return the places of the fewest statements that cannot hold together; None if all can.

        Where numbers are rounded nothing is certain, and nothing is said. Where there are no
        statements at all, it is the dimensions that cannot agree.
        """
        if self.ways or self._has_reals() or not self.names:
            return None
        if not self._with(()).ways:
            return ()
        for count in (1, 2):
            for places in itertools.combinations(range(len(self.statements)), count):
                if not self._with(places).ways:
                    return places
        return tuple(range(len(self.statements)))

    def _has_reals(self) -> bool:
        domains = (item_domain(one.constraint) for one in self.arguments)
        return any(one is not None and one.values is None for one in domains)

    def _with(self, places: tuple[int, ...]) -> Model:
        statements = [self.statements[place] for place in places]
        return Model(self._all_arguments, statements, self.dims, self.drawn, self.fixed)

    def state_of(self, place: int) -> str:
        """Say how a statement is met in every way there is: built, or filtered."""
        return BUILT if all(place in way.understood for way in self.ways) else FILTERED


def _is_inside(path: str, name: str) -> bool:
    """Say whether a path leads into an argument."""
    return path.startswith(name) and path[len(name) : len(name) + 1] in ("|", "[", "?")


def dimension_domain(constraint: Constraint | None) -> Domain:
    """Return the sizes that a dimension may have: those said, or a few small ones."""
    domain = None if constraint is None else item_domain(constraint)
    return domain or whole_numbers(range(SMALLEST_SIDE, LARGEST_SIDE + 1))


def _places(counts: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield all ways to take one of each; some of them, where there are too many."""
    if math.prod(counts) <= MOST_WAYS:
        yield from itertools.product(*map(range, counts))
        return
    chance = random.Random(0)
    for _ in range(MOST_WAYS):
        yield tuple(chance.randrange(count) for count in counts)


def _is_sensible(variation: dict[str, int]) -> bool:
    """Leave out ways that differ only in what is not there."""
    for path, place in variation.items():
        if not place:
            continue
        for other, taken in variation.items():
            if path.startswith(f"{other}|") and not path.startswith(f"{other}|{taken}"):
                return False
            if other.endswith("=") and taken and _is_inside(path, other[:-1]):
                return False
    return True


__all__ = ["Argument", "Chosen", "Model", "Unsolvable", "Way"]
