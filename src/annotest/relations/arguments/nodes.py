"""Nodes: an argument as variables to be chosen, and as the recipe made of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

from annotest import frameworks
from annotest.constraints import Constraint
from annotest.constraints._sizes import Meanings, Side
from annotest.records import record
from annotest.relations.reading.symbols import (
    Choice,
    Given,
    Known,
    Listed,
    RecordSymbol,
    Symbol,
    Unknown,
)
from annotest.relations.solving.boxes import Box
from annotest.relations.solving.conditions import Compare
from annotest.relations.solving.domains import Domain, choice, common
from annotest.relations.solving.terms import Variable
from annotest.relations.solving.variables import (
    Name,
    Named,
    SharedDtype,
)

Sizes = dict[Name, int]


class Drawer(Protocol):
    """Who draws what is no variable."""

    def value(self, constraint: Constraint) -> Any: ...
    def array(self, constraint: Constraint, changed: dict[str, Any]) -> Any: ...
    def once(self, constraint: Constraint) -> Any: ...


@dataclass
class Solution:
    """All that has been chosen for a call, from which its recipes are made.

    `known` are the values that names have without being chosen: defaults, what was built before.
    """

    box: Box
    sizes: Sizes
    drawer: Drawer
    known: Mapping[str, Any]
    nodes: Mapping[str, Node]

    @cached_property
    def meanings(self) -> Meanings:
        """What names in sizes mean in this call."""
        chosen = self.box.values.items()
        names = {name.name: value for name, value in chosen if isinstance(name, Named)}
        dtypes = {name.label: value for name, value in chosen if isinstance(name, SharedDtype)}
        return Meanings({**self.known, **names}, dtypes)

    def meanings_for(self, constraint: Constraint) -> Meanings:
        """Return the same, and the shapes that a constraint asks for, as far as they are known."""
        asked = constraint.shape_names
        shapes = {name: self._shape(name) for name in asked}
        known = {name: shape for name, shape in shapes.items() if shape is not None}
        return replace(self.meanings, shapes=known) if known else self.meanings

    def _shape(self, name: str) -> tuple[int, ...] | None:
        node = self.nodes.get(name)
        shape = None if node is None else node.shape_of(self)
        view = frameworks.view(self.known.get(name))
        return shape if shape is not None or view is None else view.shape


@record
class Measured:
    """A side, and what it is in conditions."""

    side: Side
    symbol: Symbol

    def size(self, solution: Solution) -> int:
        """Return the size that was chosen for it."""
        if isinstance(self.symbol, Variable):
            return int(solution.box.values[self.symbol.name])
        return self.side.size(solution.meanings.names)


class Node:
    """One argument, or a part of one."""

    is_chosen = True  # else it is drawn

    def symbol(self, sizes: Sizes) -> Symbol:
        """Return what it is called in conditions; `sizes` are the lengths known so far."""
        raise NotImplementedError(type(self).__name__)  # each node has its own

    def sizes(self, known: Sizes) -> dict[Name, Domain]:
        """Return the variables that say how long things are, of those that are there for sure.

        How many lists there are in a list is known when its own length is.
        """
        return {}

    def domains(self, sizes: Sizes) -> dict[Name, Domain]:
        """Return its other variables."""
        return {}

    def items(self, sizes: Sizes) -> list[dict[Name, Domain]]:
        """Return the variables of the items of each list: they are needed together or not."""
        return []

    def sides(self) -> list[Measured]:
        """Return the sizes that must be there: they must not be negative."""
        return []

    def named_lengths(self) -> list[tuple[Name, Side]]:
        """Return the variables of lengths that are named, with what they must be."""
        return []

    def conditions(self, sizes: Sizes) -> list[Compare]:
        """Return what must hold besides: of the elements of arrays whose bounds are named, say."""
        return []

    def shape_of(self, solution: Solution) -> tuple[int, ...] | None:
        """Return the shape that was chosen for it, if it is an array."""
        return None

    def recipe(self, solution: Solution) -> Any:
        """Return the recipe that chosen values make."""
        raise NotImplementedError(type(self).__name__)  # each node has its own


@record
class Scalar(Node):
    """One variable."""

    path: Name
    domain: Domain

    def symbol(self, sizes: Sizes) -> Symbol:
        if not self.domain.is_number:
            values = self.domain.values or ()
            return Choice(self.path, all(type(value) is bool for value in values))
        return Variable(self.path, self.domain.values is not None)

    def domains(self, sizes: Sizes) -> dict[Name, Domain]:
        return {self.path: self.domain}

    def recipe(self, solution: Solution) -> Any:
        return solution.box.values[self.path]


@record
class Fixed(Node):
    """A value that is known."""

    value: Any

    def symbol(self, sizes: Sizes) -> Symbol:
        return Known(self.value)

    def recipe(self, solution: Solution) -> Any:
        return self.value


@record
class Drawn(Node):
    """A value that is drawn before the others are chosen."""

    is_chosen = False

    constraint: Constraint | None = None

    def symbol(self, sizes: Sizes) -> Symbol:
        return Given()


@record
class Late(Node):
    """A value that mentions dimensions somewhere inside, drawn when they are chosen."""

    is_chosen = False

    constraint: Constraint
    needed: tuple[Measured, ...] = ()
    bounds: tuple[Compare, ...] = ()

    def symbol(self, sizes: Sizes) -> Symbol:
        return Unknown()

    def domains(self, sizes: Sizes) -> dict[Name, Domain]:
        return shared_dtypes(self.constraint)

    def sides(self) -> list[Measured]:
        return list(self.needed)

    def conditions(self, sizes: Sizes) -> list[Compare]:
        return list(self.bounds)

    def recipe(self, solution: Solution) -> Any:
        meanings = solution.meanings_for(self.constraint)
        return solution.drawer.once(self.constraint.sized(meanings))


@record
class Several(Node):
    """A tuple of nodes."""

    nodes: tuple[Node, ...]

    def symbol(self, sizes: Sizes) -> Symbol:
        return Listed(tuple(node.symbol(sizes) for node in self.nodes))

    def sizes(self, known: Sizes) -> dict[Name, Domain]:
        return merged(node.sizes(known) for node in self.nodes)

    def domains(self, sizes: Sizes) -> dict[Name, Domain]:
        return merged(node.domains(sizes) for node in self.nodes)

    def items(self, sizes: Sizes) -> list[dict[Name, Domain]]:
        return [group for node in self.nodes for group in node.items(sizes)]

    def sides(self) -> list[Measured]:
        return [side for node in self.nodes for side in node.sides()]

    def named_lengths(self) -> list[tuple[Name, Side]]:
        return [length for node in self.nodes for length in node.named_lengths()]

    def conditions(self, sizes: Sizes) -> list[Compare]:
        return [condition for node in self.nodes for condition in node.conditions(sizes)]

    def recipe(self, solution: Solution) -> Any:
        return tuple(node.recipe(solution) for node in self.nodes)


@record
class Record(Several):
    """A dict with these keys, and a node for each."""

    keys: tuple[Any, ...]

    def symbol(self, sizes: Sizes) -> Symbol:
        symbols = (node.symbol(sizes) for node in self.nodes)
        return RecordSymbol(dict(zip(self.keys, symbols, strict=True)))

    def recipe(self, solution: Solution) -> Any:
        return dict(zip(self.keys, super().recipe(solution), strict=True))


def shared_dtypes(constraint: Constraint) -> dict[Name, Domain]:
    """Return the dtypes that arrays inside a constraint share with others, as variables."""
    parts: Iterable[Any] = constraint.with_parts()
    shared = (array for array in parts if array.shared_dtype())
    return merged({SharedDtype(array.shared_dtype()): choice(array.dtypes)} for array in shared)


def merged(groups: Iterable[dict[Name, Domain]]) -> dict[Name, Domain]:
    """Return variables together, each with the values that all leave it."""
    every: dict[Name, Domain] = {}
    for group in groups:
        for name, domain in group.items():
            every[name] = common(every[name], domain) if name in every else domain
    return every
