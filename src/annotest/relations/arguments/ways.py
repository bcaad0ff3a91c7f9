"""Ways to make a call: which alternatives are taken, and all values chosen to fit together."""

from __future__ import annotations

import ast
import itertools
import math
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from annotest.constraints._sizes import NoSize, Side
from annotest.large import MOST_ELEMENTS
from annotest.records import record
from annotest.relations.arguments.array_nodes import Array
from annotest.relations.arguments.nodes import Drawer, Drawn, Fixed, Node, Sizes, Solution, merged
from annotest.relations.reading.reader import Reader
from annotest.relations.reading.sequences import as_term
from annotest.relations.reading.statements import Statement
from annotest.relations.reading.symbols import Known, NotUnderstood, Symbol
from annotest.relations.solving.boxes import INF, Box, Empty
from annotest.relations.solving.checked import is_opaque
from annotest.relations.solving.conditions import UNDECIDED, Always, Compare, Condition, is_exact
from annotest.relations.solving.dividing import defined
from annotest.relations.solving.domains import Domain, stand_in
from annotest.relations.solving.levels import Allowance, Stated
from annotest.relations.solving.pickers import At, AtRandom, Nothing, Sizing
from annotest.relations.solving.problems import Problem
from annotest.relations.solving.refuting import Refuter
from annotest.relations.solving.searching import Picker, Unsolvable
from annotest.relations.solving.terms import Number, Term, Variable, multiplied
from annotest.relations.solving.variables import Computed, Name, Named
from annotest.source import shown

MOST_SIZES = 20
KEPT_PROBLEMS = 512
REALS_TRIED = 20
MOST_LENGTHS = 256  # of several lists together, looked at one by one for a proof


@record
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
    given: dict[Name, ast.expr] = field(default_factory=dict)
    shaped_by: tuple[Name, ...] = ()
    pinned: tuple[Compare, ...] = ()  # what a default says of the names in its sizes and bounds
    absent: tuple[str, ...] = ()  # optional sides that are not there
    awaits_shapes: bool = False  # of arguments that are built first
    _met: set[int] = field(default_factory=set)
    _missed: set[int] = field(default_factory=set)
    _sized: set[int] = field(default_factory=set)
    _settled: set[int] = field(default_factory=set)
    opaque: set[int] = field(default_factory=set)
    _problems: dict[tuple[int, ...], Problem | None] = field(default_factory=dict)

    @property
    def built(self) -> set[int]:
        """The places of the statements that what is chosen always satisfies."""
        return (self._met | self._settled) - self._missed

    @cached_property
    def _dimensions(self) -> dict[Name, Domain]:
        return {Named(name): domain for name, domain in self.dims.items()}

    def open_lengths(self, sizes: Sizes) -> dict[Name, Domain]:
        """Return the lengths that are chosen next, where some are chosen already."""
        lengths = merged(node.sizes(sizes) for node in self.nodes.values())
        return {name: domain for name, domain in lengths.items() if name not in sizes}

    @cached_property
    def fixed_lengths(self) -> Sizes:
        """The lengths that can be one number only."""
        sizes: Sizes = {}
        while True:
            domains = self.open_lengths(sizes).items()
            known = {
                name: domain.values[0]
                for name, domain in domains
                if domain.values and domain.size == 1
            }
            if not known:
                return sizes
            sizes |= known

    def prepare(self) -> None:
        """Read the conditions; Empty where they cannot hold together."""
        if self.problem({}) is None:
            raise Empty
        if self.open_lengths({}):
            self.some_contents()

    def _read_problem(self, sizes: Sizes) -> Problem:
        """Return the problem of the lengths that come next, or of all else when they are known."""
        lengths = self.open_lengths(sizes)
        scalars = merged([self._dimensions, *(node.domains(sizes) for node in self.nodes.values())])
        domains = {**lengths, **scalars}
        reader = self.reader(sizes)
        conditions = [*self._said(reader, bool(lengths)), *self._agreements(reader, sizes)]
        conditions += self._within_memory(domains)
        domains |= {name: stand_in(*ends) for name, ends in reader.stand_ins.items()}
        self.given |= reader.given
        used = {name for stated in conditions for name in stated.condition.variables()}
        conditions += self._of_dtypes(used)
        given = tuple(name for name in self.given if name in used or name in self.shaped_by)
        domains |= {name: stand_in(*ends) for name, ends in self._ends_of(given).items()}
        for node in self.nodes.values():
            for group in node.items(sizes):
                domains |= group if used & group.keys() else {}
        kept = {
            name: domain
            for name, domain in domains.items()
            if domain.is_chosen or name in used or name in given
        }
        return Problem(kept, conditions, tuple(lengths), given)

    def _said(self, reader: Reader, has_lengths: bool) -> Iterator[Stated]:
        """Yield what the preconditions say, while lengths are chosen or after that."""
        for place, statement in enumerate(self.statements):
            reader.scope = statement.scope
            try:
                condition = reader.condition(statement.tree)
            except NotUnderstood:
                condition = UNDECIDED
            if condition == Always(False):
                raise Empty
            if self._is_given(condition, reader):
                if condition.state(Box(self._ends_of(reader.given))) is False:
                    raise Empty
                if not has_lengths and place in self._sized:
                    self._settled.add(place)  # the lengths chosen for it are numbers now
                continue  # on drawn values only: nothing can be built for it
            if not has_lengths:
                (self._met if is_exact(condition) else self._missed).add(place)
            elif is_exact(condition):
                self._sized.add(place)
            if is_opaque(condition):
                self.opaque.add(place)
            yield Stated(condition, statement.scope, statement.text, place)

    def _agreements(self, reader: Reader, sizes: Sizes) -> Iterator[Stated]:
        """Yield what named lengths and sides must be."""
        for node in self.nodes.values():
            for measured in node.sides():
                yield from _at_least_zero(measured.symbol)
            for name, side in node.named_lengths():
                term = as_term(symbol_of(reader, side))
                yield from _at_least_zero(term)
                length = Number(sizes[name]) if name in sizes else Variable(name)
                yield Stated(Compare(length, "==", term), {}, f"{name} == {side.text}")
            for condition in node.conditions(sizes):
                terms = (*defined(condition.left), *defined(condition.right))
                yield from (Stated(each, {}) for each in (*terms, condition))
        yield from (Stated(condition, {}) for condition in self.pinned)

    def _within_memory(self, domains: dict[Name, Domain]) -> Iterator[Stated]:
        """Yield that arrays do not become too large, of those that can."""
        widest = Box({name: (domain.low, domain.high) for name, domain in domains.items()})
        for array in (node for node in self.nodes.values() if isinstance(node, Array)):
            sides = [as_term(measured.symbol) for measured in array.sides()]
            within = Compare(multiplied(sides), "<=", Number(MOST_ELEMENTS))
            if any(name not in domains for name in within.variables()):
                yield Stated(within, {})  # of an instance, which is given
            elif within.state(widest) is not True:
                texts = [measured.side.text for measured in array.sides()]
                product = " * ".join(t if t.isalnum() else f"({t})" for t in texts)
                yield Stated(within, {}, f"{product} <= {MOST_ELEMENTS:_}")

    def _of_dtypes(self, used: set[Name]) -> list[Stated]:
        """Return what the elements of arrays that are in a relation are, whatever the dtype."""
        arrays = [node for node in self.nodes.values() if isinstance(node, Array)]
        return [Stated(array.within_dtype(), {}) for array in arrays if array.element in used]

    def _is_given(self, condition: Condition, reader: Reader) -> bool:
        """Say whether a condition is on drawn values only: nothing can be built for it."""
        names = set(condition.variables())
        return bool(names) and names <= reader.given.keys()

    def _ends_of(self, given: Iterable[Name]) -> dict[Name, tuple[float, float]]:
        """Return what drawn values lie between: of texts, sets and maps the length is known."""
        ends: dict[Name, tuple[float, float]] = dict.fromkeys(given, (-INF, INF))
        if any(statement.scope.get("len", len) is not len for statement in self.statements):
            return ends
        for name, node in self.nodes.items():
            length = Computed(f"len({name})")
            constraint = node.constraint if isinstance(node, Drawn) else None
            # how long the texts of a pattern are, it alone says
            if length in ends and getattr(constraint, "pattern", None) is None:
                ends[length] = getattr(constraint, "lengths", (-INF, INF))
        return ends

    def reader(self, sizes: Sizes) -> Reader:
        """Return who reads conditions on these nodes."""
        symbols: dict[str, Symbol] = {name: Variable(Named(name)) for name in self.dims}
        symbols |= {name: node.symbol(sizes) for name, node in self.nodes.items()}
        return Reader(symbols, {})

    def problem(self, sizes: Sizes) -> Problem | None:
        """Return the problem to be solved next, given some lengths; None where it has no solution.

        Which lengths come next depends on those before, so their numbers are enough of a key.
        """
        key = tuple(sizes.values())
        if key not in self._problems:
            if len(self._problems) >= KEPT_PROBLEMS:
                self._problems.clear()
            try:
                self._problems[key] = self._read_problem(sizes)
            except Empty:
                self._problems[key] = None
        return self._problems[key]

    @cached_property
    def plain_problem(self) -> Problem | None:
        """The problem of all lengths that are not fixed, and of all else as far as it is known."""
        if not self.fixed_lengths:
            return self.problem({})
        try:
            return self._read_problem(self.fixed_lengths)
        except Empty:
            return None

    def choose(self, picker: Picker, drawer: Drawer, values: dict[str, Any]) -> Chosen:
        """Choose a call; `values` are those drawn before, as they were built."""
        if not self.open_lengths({}):
            return self._chosen({}, picker, drawer, values, Allowance())
        for attempt in range(MOST_SIZES):
            # no attempt takes all: what is not found at one length may be at another
            budget = Allowance.of_attempt(attempt)
            sizing = Sizing(picker, attempt)
            sizes = self._longer({}, sizing, values, budget)
            try:
                while self.open_lengths(sizes):
                    sizes = self._longer(sizes, sizing, values, budget)
                return self._chosen(sizes, picker, drawer, values, budget)
            except Unsolvable:
                continue
        raise Unsolvable

    def _longer(
        self, sizes: Sizes, sizing: Sizing, values: dict[str, Any], budget: Allowance
    ) -> Sizes:
        """Choose the lengths that come next."""
        problem = self._possible(sizes)
        lengths = self.open_lengths(sizes)
        sizing.count = len(lengths) + len(problem.given)
        box = problem.solve(sizing, self._given_values(problem, values), budget)
        return sizes | {name: int(box.values[name]) for name in lengths}

    def _possible(self, sizes: Sizes) -> Problem:
        problem = self.problem(sizes)
        if problem is None:
            raise Unsolvable
        return problem

    def _chosen(
        self,
        sizes: Sizes,
        picker: Picker,
        drawer: Drawer,
        values: dict[str, Any],
        budget: Allowance,
    ) -> Chosen:
        problem = self._possible(sizes)
        box = problem.solve(picker, self._given_values(problem, values), budget)
        dims = {name: box.values[Named(name)] for name in self.dims}
        dims |= dict.fromkeys(self.absent)
        solution = Solution(box, sizes, drawer, {**self._fixed, **values}, self.nodes)
        return Chosen(self._recipes(solution), self.left_out, dims)

    def some_contents(self) -> Problem | None:
        """Return the problem of the contents, for some lengths that occur."""
        return self.some_problems()[-1]

    def some_problems(self) -> list[Problem | None]:
        """Return the problems of lengths and, last, that of the contents, for some lengths."""
        problems: list[Problem | None] = [None]
        for wanted in (2, 1, 3, 0):
            sizes: Sizes = {}
            problems = [self.problem(sizes)]
            while problems[-1] is not None and (lengths := self.open_lengths(sizes)):
                try:
                    box = problems[-1].solve(At(wanted), dict.fromkeys(problems[-1].given, 2))
                except Unsolvable:
                    problems.append(None)
                    break
                sizes = sizes | {name: int(box.values[name]) for name in lengths}
                problems.append(self.problem(sizes))
            if problems[-1] is not None:
                return problems
        return problems

    @cached_property
    def is_hopeless(self) -> bool:
        """Whether no call was found in a few tries, so that it is better not to try again."""
        if self.given or self.awaits_shapes:
            return False
        tries: list[Picker] = [At(place) for place in range(3)]
        problem = self.some_contents()
        if problem is not None and any(level.domain.values is None for level in problem.levels):
            # of floats, the first ones say little
            tries += [AtRandom(random.Random(seed)) for seed in range(REALS_TRIED)]
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
        return self._is_refuted({}, Refuter(), 1)

    def _is_refuted(self, sizes: Sizes, refuter: Refuter, before: int) -> bool:
        """Say whether it is proven of all lengths that come next, of so many looked at in all."""
        problem = self.problem(sizes)
        if problem is None or refuter.refutes(problem.conditions, problem.domains):
            return True
        lengths = self.open_lengths(sizes)
        values = [problem.domains[name].values or () for name in lengths]
        count = before * math.prod(map(len, values))
        if not lengths or count > MOST_LENGTHS:
            return False
        every = (dict(zip(lengths, chosen, strict=True)) for chosen in itertools.product(*values))
        return all(self._is_refuted(sizes | chosen, refuter, count) for chosen in every)

    @property
    def _may_be_rounded(self) -> bool:
        """Whether floats are reckoned with."""
        sizes: Sizes = {}
        while lengths := self.open_lengths(sizes):
            sizes = sizes | dict.fromkeys(lengths, 1)
        groups = [group for node in self.nodes.values() for group in node.items(sizes)]
        scalars = [self._dimensions, *(node.domains(sizes) for node in self.nodes.values())]
        domains = [domain for group in (*scalars, *groups) for domain in group.values()]
        has_floats = any(domain.is_chosen and domain.values is None for domain in domains)
        return has_floats and not all(statement.never_rounds for statement in self.statements)

    def _recipes(self, solution: Solution) -> dict[str, Any]:
        try:
            return {
                name: node.recipe(solution)
                for name, node in self.nodes.items()
                if name in self.names and name not in self.left_out and not isinstance(node, Drawn)
            }
        except NoSize:
            raise Unsolvable from None

    @cached_property
    def _fixed(self) -> dict[str, Any]:
        """The arguments whose values are known from the beginning."""
        return {name: node.value for name, node in self.nodes.items() if isinstance(node, Fixed)}

    def _given_values(self, problem: Problem, values: dict[str, Any]) -> dict[Name, Any]:
        """Return the values of the expressions that a problem takes as given.

        Of one that need not be a number, what it raises stands for it: no condition needs it.
        """
        if not problem.given:
            return {}
        given: dict[Name, Any] = {}
        scope = {k: v for statement in self.statements for k, v in statement.scope.items()}
        for name in problem.given:
            whole = ast.fix_missing_locations(ast.Expression(self.given[name]))
            try:
                value = eval(compile(whole, "<given>", "eval"), {**scope, **values})
            except Exception as error:
                value = error
            if not isinstance(value, int | float) and problem.must_be_number(name):
                raise Unsolvable(_no_size(ast.unparse(whole), value))
            given[name] = value
        return given


def _no_size(text: str, value: Any) -> str:
    """Say what an expression is instead of a number."""
    if isinstance(value, Exception):
        return f"{text}: {type(value).__name__}: {value}"
    return f"{text} is {shown(value)}, which is no size"


def _at_least_zero(size: Symbol) -> Iterator[Stated]:
    """Yield what makes a number a size: first that it can be had at all."""
    term = as_term(size)
    for condition in (*defined(term), Compare(Number(0), "<=", term)):
        yield Stated(condition, {})


def symbol_of(reader: Reader, side: Side) -> Symbol:
    """Return what a size is in conditions; Empty where it is none whatever the names mean."""
    try:
        symbol = reader.read(side.tree)
        if isinstance(symbol, Known):
            as_term(symbol)
        return symbol
    except NotUnderstood:
        raise Empty from None


def term_of(reader: Reader, side: Side) -> Term:
    """Return the number that a size or a bound is in conditions; Empty where it is none."""
    try:
        return as_term(symbol_of(reader, side))
    except NotUnderstood:
        raise Empty from None
