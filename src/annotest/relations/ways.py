"""Ways to make a call: which alternatives are taken, and all values chosen to fit together."""

from __future__ import annotations

import ast
import itertools
import math
import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from annotest.constraints._dims import Side
from annotest.frozen import frozen
from annotest.relations.boxes import INF, Box, Empty
from annotest.relations.conditions import Always, Compare, Condition, is_exact, is_opaque
from annotest.relations.domains import Domain, common, stand_in
from annotest.relations.levels import Budget
from annotest.relations.nodes import Drawer, Drawn, Node
from annotest.relations.pickers import At, Measuring, Nothing, Sizing
from annotest.relations.problems import Picker, Problem, Stated, Unsolvable
from annotest.relations.reading import Reader
from annotest.relations.refuting import Refuter
from annotest.relations.sequences import as_term
from annotest.relations.statements import Statement
from annotest.relations.symbols import NotUnderstood, Symbol
from annotest.relations.terms import Number, Variable
from annotest.source import shown

MOST_SIZES = 20
KEPT_CONTENTS = 256
REALS_TRIED = 20
MOST_LENGTHS = 256  # of several lists together, looked at one by one for a proof


@frozen
class Chosen:
    """What was chosen for a call: recipes of its arguments, those left out, its dimensions."""

    recipes: dict[str, Any]
    left_out: frozenset[str]
    dims: dict[str, Any]


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
    opaque: set[int] = field(default_factory=set)
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
            if self._is_given(found, reader):
                if found.state(Box(self._ends_of(reader.given))) is False:
                    raise Empty
                continue  # on drawn values only: nothing can be built for it
            if sizes is not None and is_exact(found):
                self.understood.add(place)
            if is_opaque(found):
                self.opaque.add(place)
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
        used = {name for one in conditions for name in one.condition.variables()}
        given = tuple(name for name in self.given if name in used or name in self.shaped_by)
        domains |= {name: stand_in(*ends) for name, ends in self._ends_of(given).items()}
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

    def _ends_of(self, given: Iterable[str]) -> dict[str, tuple[float, float]]:
        """Return what drawn values lie between: of texts, sets and maps the length is known."""
        found: dict[str, tuple[float, float]] = dict.fromkeys(given, (-INF, INF))
        if any(one.scope.get("len", len) is not len for one in self.statements):
            return found
        for name, node in self.nodes.items():
            length = f"given len({name})"
            constraint = node.constraint if isinstance(node, Drawn) else None
            # how long the texts of a pattern are, it alone says
            if length in found and getattr(constraint, "pattern", None) is None:
                found[length] = getattr(constraint, "lengths", (-INF, INF))
        return found

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
        if self.sized is None:
            return self._chosen((), picker, drawer, values, Budget())
        names = tuple(self.size_domains)
        given = self._given_values(self.sized, values)
        for attempt in range(MOST_SIZES):
            # no attempt takes all: what is not found at one length may be at another
            budget = Budget.of_attempt(attempt)
            sizing = Sizing(picker, len(names) + len(given), attempt)
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
        dims = {name: box.values[name] for name in self.dims}
        return Chosen(self._recipes(box, named, drawer), self.left_out, dims)

    def some_contents(self) -> Problem | None:
        """Return the problem of the contents, for some lengths that occur."""
        if self.sized is None:
            return self.contents(())
        for wanted in (2, 1, 3, 0):
            try:
                box = self.sized.solve(At(wanted), dict.fromkeys(self.sized.given, 2))
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
        tries: list[Picker] = [At(place) for place in range(3)]
        problem = self.some_contents()
        if problem is not None and any(one.domain.values is None for one in problem.levels):
            # of floats, the first ones say little
            tries += [Measuring(random.Random(seed)) for seed in range(REALS_TRIED)]
        for picker in tries:
            try:
                self.choose(picker, Nothing(), {})
                return False
            except Unsolvable:
                continue
        return True

    @cached_property
    def is_impossible(self) -> bool:
        """Whether it is certain that no call can be made so."""
        if not self.is_hopeless or self._may_be_rounded:
            return False
        refuter = Refuter()
        if self.sized is None:
            lengths: list[tuple[int, ...]] = [()]
        elif refuter.refutes(self.sized.conditions, self.sized.domains):
            return True
        else:
            values = [self.sized.domains[name].values or () for name in self.size_domains]
            if math.prod(map(len, values)) > MOST_LENGTHS:
                return False
            lengths = list(itertools.product(*values))
        problems = map(self.contents, lengths)
        return all(one is None or refuter.refutes(one.conditions, one.domains) for one in problems)

    @property
    def _may_be_rounded(self) -> bool:
        """Whether floats are reckoned with."""
        sizes = dict.fromkeys(self.size_domains, 1)
        groups = [group for node in self.nodes.values() for group in node.items(sizes)]
        domains = [one for group in (self._scalars(sizes), *groups) for one in group.values()]
        has_floats = any(one.is_chosen and one.values is None for one in domains)
        return has_floats and not all(one.never_rounds for one in self.statements)

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
            text = ast.unparse(whole)
            try:
                value = eval(compile(whole, "<given>", "eval"), {**scope, **values})
            except Exception as error:
                raise Unsolvable(f"{text}: {type(error).__name__}: {error}") from None
            if not isinstance(value, int | float):
                raise Unsolvable(f"{text} is {shown(value)}, which is no size")
            found[name] = value
        return found
