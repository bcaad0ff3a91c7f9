"""A model: the arguments of one call as variables, so that relations between them hold."""

from __future__ import annotations

import ast
import itertools
import math
import random
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

from annotest import frameworks
from annotest.constraints import Constraint
from annotest.constraints._dims import LARGEST_SIDE, SMALLEST_SIDE
from annotest.constraints._sizes import Side
from annotest.records import record
from annotest.relations.arguments.array_nodes import told_by
from annotest.relations.arguments.axes import HasSide, LeftOut, Variation, axes, is_sensible
from annotest.relations.arguments.making import Maker
from annotest.relations.arguments.nodes import Drawn, Fixed, Node, Scalar
from annotest.relations.arguments.sides import bounded_in, sides_of
from annotest.relations.arguments.ways import Chosen, Way, symbol_of, term_of
from annotest.relations.reading.nans import never_nan
from annotest.relations.reading.reader import Reader
from annotest.relations.reading.statements import Statement
from annotest.relations.reading.symbols import Given, Known, Symbol
from annotest.relations.reading.templates import names_in
from annotest.relations.solving.boxes import Empty
from annotest.relations.solving.conditions import Compare
from annotest.relations.solving.domains import Domain, choice, item_domain, whole_numbers
from annotest.relations.solving.searching import Unsolvable
from annotest.relations.solving.terms import Number, Term, Variable
from annotest.relations.solving.variables import Name, Named, SharedDtype

MOST_WAYS = 64

BUILT, FILTERED = "built", "filtered"


@record
class Argument:
    """One argument; `left_out` says that it may be, and `default` what it then is."""

    name: str
    constraint: Constraint
    left_out: bool = False
    default: Any = None


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

    def _related(self, arguments: Sequence[Argument]) -> tuple[Argument, ...]:
        """Return the arguments that stand in a relation, or whose shape is named.

        Those of which a statement says that they are not NaN, without it.
        """
        mentioned = {name for statement in self.statements for name in statement.names}
        for argument in arguments:
            constraint = argument.constraint
            mentioned |= {*constraint.size_names, *constraint.size_roots, *constraint.shape_names}
        numbers = {name for statement in self.statements for name in never_nan(statement)}
        return tuple(
            replace(argument, constraint=argument.constraint.without_nan())
            if argument.name in numbers
            else argument
            for argument in arguments
            if argument.name in mentioned or argument.constraint.is_named
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The arguments that are chosen together."""
        return tuple(argument.name for argument in self.arguments)

    def _axes(self) -> list[tuple[Name, int]]:
        every: list[tuple[Name, int]] = [
            (LeftOut(Named(argument.name)), 2) for argument in self.arguments if argument.left_out
        ]
        every += [(HasSide(name), 2) for name in self._optional]
        for argument in self.arguments:
            every += axes(argument.constraint, Named(argument.name))
        return every

    @cached_property
    def ways(self) -> list[Way]:
        """The ways to make the call that are possible; made when they are first asked for."""
        every = self._axes()
        ways, seen = [], set()
        for places in _places([count for _, count in every]):
            variation = dict(zip((axis for axis, _ in every), places, strict=True))
            if not is_sensible(variation):
                continue
            try:
                way = self._way(variation)
                if every and (key := repr(way.nodes)) in seen:
                    continue
                seen |= {key} if every else set()
                way.prepare()
            except Empty:
                continue
            ways.append(way)
        return ways

    @cached_property
    def _optional(self) -> tuple[str, ...]:
        """The sides that all arguments that name them have, or none."""
        names = (name for argument in self.arguments for name in argument.constraint.optional_names)
        return tuple(dict.fromkeys(names))

    def _with_sides(self, present: Set[str], left_out: Set[str]) -> Model:
        """Return the model of the calls with these optional sides; the names of others are None."""
        absent = dict.fromkeys(name for name in self._optional if name not in present)
        fixed = {**self.fixed, **absent}
        model = Model(self._all_arguments, self.statements, self.dims, self.drawn, fixed)
        model.arguments = tuple(
            replace(argument, constraint=argument.constraint.with_sides(present))
            for argument in self.arguments
        )
        for argument, settled in zip(self.arguments, model.arguments, strict=True):
            is_settled = bool(argument.constraint.optional_names) and argument.name in left_out
            if is_settled and argument.default not in settled.constraint:
                raise Empty  # it has other sides
        model.dimensions = {
            name: domain for name, domain in self.dimensions.items() if name not in absent
        }
        return model

    def _way(self, variation: Variation) -> Way:
        if self._optional:
            present = {name for name in self._optional if variation[HasSide(name)]}
            way = self._with_sides(present, self._left_out(variation))._way(variation)
            way.absent = tuple(name for name in self._optional if name not in present)
            return way
        left_out = self._left_out(variation)
        reader = Reader(self._symbols(left_out), {})
        node_of = partial(self._node, left_out)
        maker = Maker(variation, partial(symbol_of, reader), self._measured, node_of)
        nodes = self._nodes(maker, left_out)
        way = Way(self.names, nodes, left_out, self.statements, self.dimensions)
        way.given |= reader.given
        asked = (name for argument in self.arguments for name in argument.constraint.shape_names)
        way.awaits_shapes = any(isinstance(nodes[name], Drawn) for name in asked)
        way.shaped_by = tuple(reader.given)
        way.pinned = tuple(
            condition
            for argument in self.arguments
            if argument.name in left_out
            for condition in _said_by_default(argument, partial(term_of, reader))
        )
        return way

    def _left_out(self, variation: Variation) -> frozenset[str]:
        names = (argument.name for argument in self.arguments)
        return frozenset(name for name in names if variation.get(LeftOut(Named(name))))

    def _symbols(self, left_out: Set[str]) -> dict[str, Symbol]:
        """Return what the names in sizes stand for."""
        symbols: dict[str, Symbol] = {
            name: Variable(Named(name)) for name in (*self.dimensions, *self._numbers)
        }
        symbols |= dict.fromkeys(self.drawn, Given())
        for argument in self.arguments:
            if argument.constraint.is_built_late():
                symbols[argument.name] = Given()
            if argument.name in left_out:
                symbols[argument.name] = Known(argument.default)
        return symbols | {name: Known(value) for name, value in self.fixed.items()}

    def _nodes(self, maker: Maker, left_out: Set[str]) -> dict[str, Node]:
        nodes: dict[str, Node] = {}
        for argument in self.arguments:
            nodes[argument.name] = self._node(left_out, maker, argument.name)
            nodes |= _dtypes_of(argument) if argument.name in left_out else {}
        nodes |= {name: Fixed(value) for name, value in self.fixed.items()}
        for name in self.drawn:
            nodes.setdefault(name, Drawn())
        return nodes

    def _node(self, left_out: Set[str], maker: Maker, name: str) -> Node:
        argument = next(argument for argument in self.arguments if argument.name == name)
        if name in left_out:
            return Fixed(argument.default)
        return maker.argument(argument.constraint, name)

    @cached_property
    def _numbers(self) -> set[str]:
        """The arguments that are single numbers."""
        domains = [(argument.name, item_domain(argument.constraint)) for argument in self.arguments]
        return {name for name, domain in domains if domain is not None and domain.is_number}

    @cached_property
    def _measured(self) -> set[Name]:
        """The lists of which the statements ask the length, and nothing else."""
        asked = {name for statement in self.statements for name in statement.names_asked_more}
        return {
            Named(argument.name)
            for argument in self.arguments
            if argument.constraint.kind in (list, tuple) and argument.name not in asked
        }

    @cached_property
    def dimensions(self) -> dict[str, Domain]:
        """The dimensions that are no arguments, with the sizes that they may have."""
        names = {name for argument in self.arguments for name in argument.constraint.size_names}
        names |= {
            name for statement in self.statements for name in statement.names & set(self.dims)
        }
        chosen = sorted(filter(str.isidentifier, names - self._numbers - self.fixed.keys()))
        return {name: dimension_domain(self.dims.get(name)) for name in chosen}

    @property
    def needs_first(self) -> tuple[str, ...]:
        """The arguments that must be drawn and built before the others are chosen."""
        nodes = (item for way in self.ways for item in way.nodes.items())
        return tuple(dict.fromkeys(name for name, node in nodes if isinstance(node, Drawn)))

    def asked_of(self, names: set[str]) -> tuple[str, ...]:
        """Return the expressions, on these arguments alone, that the others depend on."""
        trees = [tree for way in self.ways for tree in way.given.values()]
        known = [tree for tree in trees if names_in(tree) <= names]
        return tuple(dict.fromkeys(map(ast.unparse, known)))

    def conflict(self) -> tuple[int, ...] | None:
        """Return the places of the fewest statements that cannot hold together; None if all can.

        Where numbers are rounded nothing is certain, and nothing is said. Where there are no
        statements at all, it is the dimensions that cannot agree.
        """
        if not self.names or self._is_possible:
            return None
        certain = self._certain()
        fewer = (itertools.combinations(certain, count) for count in (0, 1, 2))
        for places in (*itertools.chain.from_iterable(fewer), certain):
            model = self._with(places)
            if model._has_all_ways and not model._is_possible:
                return places
        return None

    @property
    def _has_all_ways(self) -> bool:
        return math.prod(count for _, count in self._axes()) <= MOST_WAYS

    @property
    def _is_possible(self) -> bool:
        """Whether it is not certain that no call can be made in one of the ways."""
        if not all(statement.is_harmless for statement in self.statements):
            return bool(self.ways)  # to look for a call, their functions would be called
        return not all(way.is_impossible for way in self.ways)

    def _certain(self) -> tuple[int, ...]:
        """Return the places of the statements that do not reckon with numbers that are rounded."""
        domains = {argument.name: item_domain(argument.constraint) for argument in self.arguments}
        reals = {
            name for name, domain in domains.items() if domain is not None and domain.values is None
        }
        return tuple(
            place
            for place, statement in enumerate(self.statements)
            if statement.never_rounds or not reals & statement.names
        )

    def narrowed(
        self,
        constraints: dict[str, Constraint],
        dims: dict[str, Constraint],
        left_out: Set[str],
        optional: Set[str] = frozenset(),
    ) -> Model:
        """Return the model of the calls with narrower arguments and sizes, some always left out.

        Of the narrower arguments only the `optional` ones may be left out.
        """
        arguments = [
            replace(
                argument,
                constraint=constraints[argument.name],
                left_out=argument.left_out and argument.name in optional,
            )
            if argument.name in constraints
            else argument
            for argument in self._all_arguments
        ]
        model = Model(arguments, self.statements, {**self.dims, **dims}, self.drawn, self.fixed)
        # all dimensions stay, though an argument that mentions one may be something else now
        model.dimensions = {
            name: dimension_domain(dims[name]) if name in dims else domain
            for name, domain in self.dimensions.items()
        }
        wanted = left_out & set(model.names)
        model.ways = [way for way in model.ways if wanted <= way.left_out]
        return model

    def _with(self, places: tuple[int, ...]) -> Model:
        statements = [self.statements[place] for place in places]
        return Model(self._all_arguments, statements, self.dims, self.drawn, self.fixed)

    @cached_property
    def hard(self) -> tuple[Statement, ...]:
        """The statements for which values may be missed: those known as Python only, or all."""
        places = sorted({place for way in self.ways for place in way.opaque})
        return tuple(self.statements[place] for place in places) or self.statements

    def state_of(self, place: int) -> str:
        """Say how a statement is met in every way there is: built, or filtered."""
        return BUILT if all(place in way.built for way in self.ways) else FILTERED


def _said_by_default(argument: Argument, term_of: Callable[[Side], Term]) -> Iterator[Compare]:
    """Yield what a default says of the names in the sizes and bounds of its argument."""
    for side, size in sides_of(argument.constraint, argument.default):
        if side.text != "_":
            yield Compare(term_of(side), "==", Number(size))
    for part, array in bounded_in(argument.constraint, argument.default):
        if part.shaped_after():
            raise Empty  # a default does not follow what is chosen for others
        yield from told_by(part, array, term_of)


def _dtypes_of(argument: Argument) -> dict[str, Node]:
    """Return the shared dtype that a default has, as a variable with that one value."""
    shared = argument.constraint.shared_dtype()
    view = frameworks.view(argument.default) if shared else None
    if view is None:
        return {}
    label = SharedDtype(shared)
    return {f"{label} of {argument.name}": Scalar(label, choice((view.dtype,)))}


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


__all__ = ["Argument", "Chosen", "Model", "Unsolvable", "Way"]
