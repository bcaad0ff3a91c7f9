"""A model: the arguments of one call as variables, so that relations between them hold."""

from __future__ import annotations

import ast
import itertools
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from annotest.constraints import Constraint, same
from annotest.constraints._dims import LARGEST_SIDE, SMALLEST_SIDE, Side, named_in
from annotest.relations.boxes import INF, Box, Empty
from annotest.relations.conditions import Always, Compare, Condition, is_exact
from annotest.relations.making import Maker, axes
from annotest.relations.nodes import Drawer, Drawn, Fixed, Node, Scalar, item_domain
from annotest.relations.problems import (
    Budget,
    Domain,
    Picker,
    Problem,
    Stated,
    Unsolvable,
    choice,
    common,
    stand_in,
    whole_numbers,
)
from annotest.relations.reading import Reader
from annotest.relations.sequences import as_term
from annotest.relations.sides import sides_of
from annotest.relations.statements import Statement
from annotest.relations.symbols import Given, Known, NotUnderstood, Symbol
from annotest.relations.terms import Number, Variable

MOST_WAYS = 64
MOST_SIZES = 20
SHARES_MEASURED = 30
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
    shaped_by: tuple[str, ...] = ()
    pinned: tuple[tuple[Side, int], ...] = ()  # sizes that a default has
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
            self.some_contents()
        elif self.contents(()) is None:
            raise Empty

    def _scalars(self, sizes: dict[str, int]) -> dict[str, Domain]:
        found = dict(self.dims)
        for node in self.nodes.values():
            for name, domain in node.domains(sizes).items():
                found[name] = common(found[name], domain) if name in found else domain
        return found

    def _problem(
        self, sizes: dict[str, int] | None, domains: dict[str, Domain], first: tuple[str, ...]
    ) -> Problem:
        reader = self.reader(sizes)
        conditions: list[Stated] = []
        for place, statement in enumerate(self.statements):
            reader.scope = statement.scope
            try:
                found = reader.condition(statement.tree)
            except NotUnderstood:
                continue
            if found == Always(False):
                raise Empty
            if sizes is not None and is_exact(found) and not self._is_given(found, reader):
                self.understood.add(place)
            conditions.append(Stated(found, statement.scope, statement.text, place))
        for name, side in self.lengths:
            agreement = self._agreement(name, side, sizes, reader)
            conditions.append(Stated(agreement, {}, f"{name} == {side.text}"))
        for side, size in self.pinned:
            agreement = Compare(as_term(reader.read(side.tree)), "==", Number(size))
            conditions.append(Stated(agreement, {}))
        for node in self.nodes.values():
            for term in node.sides():
                conditions.append(Stated(Compare(Number(0), "<=", term), {}))
        domains |= {name: stand_in(*ends) for name, ends in reader.stand_ins.items()}
        self.given |= reader.given
        given = tuple(dict.fromkeys((*self.shaped_by, *reader.given)))
        domains |= {name: stand_in(-INF, INF) for name in given}
        used = {name for one in conditions for name in one.condition.variables()}
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

    def _is_given(self, condition: Condition, reader: Reader) -> bool:
        """Say whether a condition is on drawn values only: nothing can be built for it."""
        names = set(condition.variables())
        return bool(names) and names <= reader.given.keys()

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

    def contents(self, sizes: tuple[int, ...]) -> Problem | None:
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
        budget = Budget()
        if self.sized is None:
            return self._chosen((), picker, drawer, values, budget)
        names = tuple(self.size_domains)
        given = self._given_values(self.sized, values)
        for attempt in range(MOST_SIZES):
            sizing = _Sizing(picker, len(names) + len(given), attempt)
            box = self.sized.solve(sizing, given, budget)
            sizes = tuple(int(box.values[name]) for name in names)
            try:
                return self._chosen(sizes, picker, drawer, values, budget)
            except Unsolvable:
                continue
        raise Unsolvable

    def _chosen(
        self,
        sizes: tuple[int, ...],
        picker: Picker,
        drawer: Drawer,
        values: dict[str, Any],
        budget: Budget,
    ) -> Chosen:
        problem = self.contents(sizes)
        if problem is None:
            raise Unsolvable
        box = problem.solve(picker, self._given_values(problem, values), budget)
        named = dict(zip(self.size_domains, sizes, strict=True))
        return Chosen(self._recipes(box, named, drawer), self.left_out)

    def some_contents(self) -> Problem | None:
        """Return the problem of the contents, for some lengths that occur."""
        if self.sized is None:
            return self.contents(())
        for wanted in (2, 1, 3, 0):
            try:
                box = self.sized.solve(_At(wanted), dict.fromkeys(self.sized.given, 2))
            except Unsolvable:
                continue
            problem = self.contents(tuple(int(box.values[name]) for name in self.size_domains))
            if problem is not None:
                return problem
        return None

    @cached_property
    def is_hopeless(self) -> bool:
        """Whether no call was found in a few tries, so that it is better not to try again."""
        if self.given:
            return False
        for place in range(3):
            try:
                self.choose(_At(place), _Nothing(), {})
                return False
            except Unsolvable:
                continue
        return True

    def _recipes(self, box: Box, sizes: dict[str, int], drawer: Drawer) -> dict[str, Any]:
        return {
            name: node.recipe(box, sizes, drawer)
            for name, node in self.nodes.items()
            if name in self.names and name not in self.left_out and not isinstance(node, Drawn)
        }

    def _given_values(self, problem: Problem, values: dict[str, Any]) -> dict[str, Any]:
        """Return the values of the expressions that a problem takes as given."""
        if not problem.given:
            return {}
        found = {}
        scope = {k: v for statement in self.statements for k, v in statement.scope.items()}
        for name in problem.given:
            whole = ast.fix_missing_locations(ast.Expression(self.given[name]))
            try:
                value = eval(compile(whole, "<given>", "eval"), {**scope, **values})
            except Exception:
                raise Unsolvable from None
            if not isinstance(value, int | float):
                raise Unsolvable
            found[name] = value
        return found


class _At:
    """Chooses the value at some place."""

    def __init__(self, place: int) -> None:
        self._place = place

    def place(
        self, all_values: Sequence[Any], values: Sequence[Any], chosen: dict[str, Any]
    ) -> int:
        return min(self._place, len(values) - 1)

    def real(self, domain: Domain, low: float, high: float) -> float:
        return low


class _Measuring:
    """Chooses at random, and notes how large a share of the values was left each time."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self.share = 1.0

    def place(
        self, all_values: Sequence[Any], values: Sequence[Any], chosen: dict[str, Any]
    ) -> int:
        self.share *= len(values) / len(all_values)
        return self._chance.randrange(len(values))

    def real(self, domain: Domain, low: float, high: float) -> float:
        if math.isfinite(high - low):
            return self._chance.uniform(low, high)
        return low


class _Nothing:
    """Draws nothing, where it is only asked whether a call can be made."""

    def value(self, constraint: Constraint) -> Any:
        return None

    def items(self, constraint: Constraint, count: int) -> list[Any]:
        return [None] * count

    def array(self, constraint: Constraint, changed: dict[str, Any]) -> Any:
        return None

    def once(self, constraint: Constraint) -> Any:
        return None


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

    def real(self, domain: Domain, low: float, high: float) -> float:
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
        symbols |= {one.name: Known(one.default) for one in self.arguments if one.name in left_out}
        symbols |= {name: Known(value) for name, value in self.fixed.items()}
        reader = Reader(symbols, {})
        maker = Maker(variation, lambda side: reader.read(side.tree))
        nodes: dict[str, Node] = {}
        lengths: list[tuple[str, Side]] = []
        for one in self.arguments:
            if one.name in left_out:
                nodes[one.name] = Fixed(one.default)
                nodes |= _dtypes_of(one)
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
        way.shaped_by = tuple(reader.given)
        way.pinned = tuple(
            pair
            for one in self.arguments
            if one.name in left_out
            for pair in sides_of(one.constraint, one.default)
            if pair[0].text != "_"
        )
        return way

    def _dimensions(self, numbers: set[str]) -> dict[str, Domain]:
        names = {name for one in self.arguments for name in named_in(one.constraint)}
        names |= {
            name for statement in self.statements for name in statement.names & set(self.dims)
        }
        found = {}
        for name in sorted(names - numbers - self.fixed.keys()):
            if not name.isidentifier():
                continue
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

    def share_of_all(self) -> float:
        """Estimate how many of the calls with independent arguments satisfy the statements."""
        chance, shares = random.Random(0), []
        for _ in range(SHARES_MEASURED):
            measuring = _Measuring(chance)
            try:
                chance.choice(self.ways).choose(measuring, _Nothing(), {})
            except Unsolvable:
                continue
            shares.append(measuring.share)
        return sum(shares) / len(shares) if shares else 1.0

    def state_of(self, place: int) -> str:
        """Say how a statement is met in every way there is: built, or filtered."""
        return BUILT if all(place in way.understood for way in self.ways) else FILTERED


def _is_inside(path: str, name: str) -> bool:
    """Say whether a path leads into an argument."""
    return path.startswith(name) and path[len(name) : len(name) + 1] in ("|", "[", "?")


def _dtypes_of(argument: Argument) -> dict[str, Node]:
    """Return the shared dtype that a default has, as a variable with that one value."""
    shared = getattr(argument.constraint, "dtype", None)
    dtype = getattr(argument.default, "dtype", None)
    if not isinstance(shared, same) or dtype is None:
        return {}
    label = f"dtype {shared.label}"
    return {f"{label} of {argument.name}": Scalar(label, choice((str(dtype),)))}


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
