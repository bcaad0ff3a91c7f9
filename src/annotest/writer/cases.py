"""One way to make a call, read for writing: its numbers and lengths, and what is said of lists."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial
from typing import Any

from annotest.errors import UnwritableValue
from annotest.frozen import frozen
from annotest.relations.arguments.array_nodes import Array, Sides
from annotest.relations.arguments.items import Series
from annotest.relations.arguments.nodes import Fixed, Node, Record, Scalar, Several
from annotest.relations.arguments.ways import Way
from annotest.relations.reading.reader import Reader
from annotest.relations.reading.sequences import as_term
from annotest.relations.reading.symbols import NotUnderstood
from annotest.relations.solving.boxes import INF, Box, Empty
from annotest.relations.solving.conditions import (
    Always,
    Compare,
    Condition,
    Either,
    conjuncts,
    is_exact,
    together,
)
from annotest.relations.solving.domains import Domain, common, stand_in
from annotest.relations.solving.problems import Problem, Stated
from annotest.relations.solving.terms import Number, Term, Variable
from annotest.relations.solving.variables import Element, Length, Name, Named, StandIn
from annotest.writer.alike import alike, narrowed
from annotest.writer.clauses import (
    Clause,
    Ordered,
    Tip,
    clauses_of,
    fact_of,
    near_total,
)
from annotest.writer.dtypes import arrays_of, equated, parts_of, with_common_dtypes
from annotest.writer.growth import solution
from annotest.writer.items import Items
from annotest.writer.pivots import pivot_of
from annotest.writer.rooms import room_needed, roomy
from annotest.writer.saying import local_name

MOST_ITEMS = 6
MOST_LISTED = 4096


class NoSuchWay(UnwritableValue):
    """What is to hold together cannot."""


@frozen
class ListOrder:
    """In which order to draw what conditions on lists mention: numbers first, lists as declared.

    Or the other way round.
    """

    numbers_last: bool = False
    lists_turned: bool = False


class Case:
    """What must hold in one way to make a call, in the parts in which it is written.

    `problem` has the numbers and the lengths, `items` what those of lists must be, and
    `elements` those of arrays. `met` are the places of the preconditions that are met so. Of
    conditions on floats of which one must hold, `picks` says which is taken; how many there are
    is added to `splits`. What is said of lists in no way that is known is `loose`.
    """

    def __init__(
        self,
        way: Way,
        names: tuple[str, ...],
        texts: dict[int, str],
        splits: list[int],
        picks: tuple[int, ...],
        order: ListOrder,
    ) -> None:
        self._splits = splits
        self._picks = picks
        self._order = order
        self.way = way
        self.names = names
        self.nodes = {name: way.nodes[name] for name in names}
        self.clauses = {
            place: clauses_of(place, statement, texts[place])
            for place, statement in enumerate(way.statements)
            if place in texts
        }
        self.series = self._open_series()
        every = [clause for clauses in self.clauses.values() for clause in clauses]
        self.alike = [pair for one in every if (pair := alike(one, self.series))]
        self.series = narrowed(self.series, self.alike)
        self.sizes = self._fixed_sizes()
        if any(isinstance(one, Array) and one.has_dtypes for one in self.nodes.values()):
            self.nodes = with_common_dtypes(self.nodes, parts_of(self.clauses, self._reader()))
        self.dtypes = arrays_of(self.nodes)
        self.reader = self._reader()
        self.variables_of: dict[str, set[Name]] = {name: {Named(name)} for name in way.dims}
        self._domains = self._all_domains()
        self.items = Items(self.series, self.reader)
        self.elements: dict[str, list[Condition]] = {}
        self.clause_of: dict[int, Clause] = {}
        self.met: set[int] = set()
        self.loose: list[Clause] = []
        stated = [one for place in range(len(way.statements)) for one in self._read(place)]
        self.loose += self.items.unsettled()
        self.problem = self._whole_problem([*stated, *self._agreements()])

    # what there is

    def _open_series(self) -> dict[str, Series]:
        """Return the lists and shapes that are drawn as a whole."""
        found = {}
        for name, node in self.nodes.items():
            inner = node.shape if isinstance(node, Array) else node
            if not _is_in_parts(inner):
                raise UnwritableValue("the relations reach into parts of an argument")
            for one in _lists_in(inner):
                low, high = one.lengths
                if low < high or (one is node and self._is_said_as_a_whole(name)):
                    found[str(one.path)] = one
                elif high > MOST_ITEMS:
                    raise UnwritableValue("many items, each by itself")
            if isinstance(inner, Sides) and (inner.starred is not None or inner.anonymous):
                raise UnwritableValue("a shape with any number of sides")
        return found

    def _is_said_as_a_whole(self, name: str) -> bool:
        mentioned = [
            one
            for clauses in self.clauses.values()
            for one in clauses
            if name in {node.id for node in ast.walk(one.tree) if isinstance(node, ast.Name)}
        ]
        facts = [near_total(one) or fact_of(one, {name}) for one in mentioned]
        has_tip = any(isinstance(one, Tip) for one in facts)
        has_order = any(isinstance(one, Ordered) for one in facts)
        return None not in facts and (has_order or not has_tip)

    def _reader(self) -> Reader:
        symbols: dict[str, Any] = {name: Variable(Named(name)) for name in self.way.dims}
        for name, node in {**self.way.nodes, **self.nodes}.items():
            symbols[name] = node.symbol(self.sizes)
        return Reader(symbols, {})

    def _fixed_sizes(self) -> dict[Name, int]:
        """Return the lengths of the lists that are no longer than they are long at least."""
        found = [pair for node in self.nodes.values() for pair in node.sizes({}).items()]
        open_ = {Length(series.path) for series in self.series.values()}
        return {name: int(one.low) for name, one in found if name not in open_}

    def _all_domains(self) -> dict[Name, Domain]:
        """Return the variables as a run has them: the items of an argument after all others."""
        found: dict[Name, Domain] = {Named(n): one for n, one in self.way.dims.items()}
        items: list[dict[Name, Domain]] = []
        for key, node in self.nodes.items():
            inner = node.shape if isinstance(node, Array) else node
            lengths = {n: one for n, one in inner.sizes({}).items() if n not in self.sizes}
            parts, own = lengths | inner.domains(self.sizes), inner.items(self.sizes)
            if isinstance(node, Array):
                parts = parts | node.dtype.domains({})
            items += own
            self.variables_of[key] = {name for part in (parts, *own) for name in part}
            self.variables_of[key] |= {
                n for side in node.sides() for n in as_term(side.symbol).variables()
            }
            for name, one in parts.items():
                found[name] = common(found[name], one) if name in found else one
        return found | {name: one for part in items for name, one in part.items()}

    # what is said

    def _read(self, place: int) -> Iterator[Stated]:
        """Yield what a precondition says of numbers; note what it says of items."""
        is_met = True
        for clause in self.clauses.get(place, ()):
            if self._note_pivot(clause):
                continue
            fact = fact_of(clause, set(self.series))
            if fact is not None and self.items.note(fact, clause):
                continue
            near = near_total(clause) or []
            if near and near[0].series in self.series:
                for one in near:
                    self.items.note(one, clause)
                continue
            condition = self._condition(clause)
            if condition is None and place in self.way.understood:
                self.loose.append(clause)
            elif condition is None:
                is_met = False
            elif any(isinstance(name, Element) for name in condition.variables()):
                self._note_elements(condition)
            elif condition != Always(True):
                for part in self._picked(condition):
                    names = set(part.variables())
                    if len(names) == 1 and equated(part):
                        continue  # dtypes that are one variable
                    if not (len(names) == 1 and names <= self.dtypes.keys()):
                        self.clause_of[id(part)] = clause
                    yield Stated(part, clause.statement.scope, clause.text, place)
        if is_met and place in self.clauses:
            self.met.add(place)
        elif place in self.way.understood:  # it has no text
            raise UnwritableValue("a relation that no draw meets")

    def _note_pivot(self, clause: Clause) -> bool:
        """Note a number that stands between two lists, if a clause compares these."""
        pivot = pivot_of(clause, self.series, self.variables_of)
        if pivot is None:
            return False
        self.variables_of[pivot.name] = {Named(pivot.name)}
        self.reader.symbols[pivot.name] = Variable(Named(pivot.name))
        self._domains[Named(pivot.name)] = pivot.domain
        for fact in pivot.facts:
            self.items.note(fact, clause)
        return True

    def _picked(self, condition: Condition) -> Iterator[Condition]:
        """Yield the parts of a condition; of alternatives for floats one, and not those before."""
        for part in conjuncts(condition):
            if not isinstance(part, Either) or not any(map(self._is_wide, part.variables())):
                yield part
                continue
            number = len(self._splits)
            self._splits.append(len(part.parts))
            pick = self._picks[number] if number < len(self._picks) else 0
            before = [one.negated() for one in part.parts[:pick]]
            yield from conjuncts(together([*before, part.parts[pick]]))

    def _is_wide(self, name: Name) -> bool:
        domain = self._domains.get(name)
        return domain is not None and domain.size > MOST_LISTED

    def _condition(self, clause: Clause) -> Condition | None:
        """Return a clause as a condition on numbers; None where it is more than that."""
        self.reader.scope = clause.statement.scope
        try:
            found = self.reader.condition(clause.tree)
        except NotUnderstood:
            return None
        names = set(found.variables())
        if not is_exact(found) or any(isinstance(name, StandIn) for name in names):
            return None
        if names and names <= self.reader.given.keys():
            return None  # on drawn values only: nothing can be drawn for it
        if found == Always(False):
            raise NoSuchWay("a way that there is not")
        return found

    def _note_elements(self, condition: Condition) -> None:
        for part in conjuncts(condition):
            names = {name for name in part.variables() if isinstance(name, Element)}
            if len(names) != 1:
                raise UnwritableValue("a condition on the elements of several arrays")
            array = str(names.pop().of)
            self.elements.setdefault(array, []).append(part)

    # what is said loosely

    def _late(self) -> dict[Name, int]:
        """Return what is drawn after all else, and when; last, what is equal to something."""
        if not self.loose:
            return {}
        late: dict[Name, int] = {}
        if self._order.lists_turned:
            lists = reversed(self.series.values())
            late = {Length(series.path): place for place, series in enumerate(lists, 1)}
        if self._order.numbers_last:
            named = {name for clause in self.loose for name in self.mentioned(clause)}
            found = {one for one in named if not isinstance(one, Length)}
            trees = [clause.tree for clause in self.loose]
            late |= {
                name: len(self.series)
                + 1
                + any(solution(tree, str(name)) is not None for tree in trees)
                for name in found
            }
        return late

    def mentioned(self, clause: Clause) -> set[Name]:
        """Return the variables that a clause mentions."""
        found: set[Name] = set()
        waiting: list[ast.AST] = [clause.tree]
        while waiting:
            node = waiting.pop()
            path = ast.unparse(node) if isinstance(node, ast.Subscript) else ""
            if path in self.series:
                found.add(Length(self.series[path].path))
            elif isinstance(node, ast.Name):
                found |= self.variables_of.get(node.id, set())
            else:
                waiting += ast.iter_child_nodes(node)
        return found

    def series_called(self, name: str) -> Series | None:
        """Return the list or shape that a composite calls so."""
        for path, one in self.series.items():
            if local_name(path) == name:
                return one
        return None

    # the problem

    def _agreements(self) -> list[Stated]:
        """Return the conditions that come from shapes and lengths with names."""
        found = []
        for name, side in [pair for node in self.nodes.values() for pair in node.named_lengths()]:
            length = Number(self.sizes[name]) if name in self.sizes else Variable(name)
            found.append(Compare(length, "==", as_term(self.reader.read(side.tree))))
        for one, other in self.alike:
            lengths = [Variable(Length(self.series[path].path)) for path in (one, other)]
            found.append(Compare(lengths[0], "==", lengths[1]))
        for side, size in self.way.pinned:
            found.append(Compare(as_term(self.reader.read(side.tree)), "==", Number(size)))
        for node in self.nodes.values():
            found += [Compare(Number(0), "<=", term) for term in map(_term_of, node.sides())]
        return [Stated(one, {}) for one in found]

    def _whole_problem(self, stated: list[Stated]) -> Problem:
        """Return the problem of all numbers and lengths, with what items need of them."""
        domains = dict(self._domains)
        self.root = Box({n: (one.low, one.high) for n, one in domains.items() if one.is_number})
        given = {**self.way.given, **self.reader.given}
        self.root.bounds.update(dict.fromkeys(given, (-INF, INF)))
        parts = [one.condition for one in stated] + [
            part for parts in self.elements.values() for part in parts
        ]
        used = {name for one in parts for name in one.variables()}
        used |= {name for clause in self.loose for name in self.mentioned(clause)}
        needs = list(self.items.needs(self.root, domains, used))
        for array, parts in self.elements.items():
            node = self.nodes[array]
            assert isinstance(node, Array)
            needs += room_needed(parts, node.element, (node.low, node.high), 1, self.root)
        stated += [Stated(one, {}) for one in needs]
        used = {name for one in stated for name in one.condition.variables()}
        self.given = tuple(one for one in given if one in used or one in self.way.shaped_by)
        domains |= {name: stand_in(-INF, INF) for name in self.given}
        late = self._late()
        first = [name for name in domains if not isinstance(name, Length) and name not in late]
        self.problem_in = partial(roomy, domains, stated, first, self.given, late)
        try:
            return self.problem_in()
        except Empty:
            raise NoSuchWay("a way that there is not") from None


def _is_in_parts(node: Node) -> bool:
    """Say whether an argument is a single value, or made of such."""
    if isinstance(node, Several):
        return all(isinstance(one, Scalar | Fixed) for one in node.nodes)
    if isinstance(node, Record):
        return all(_is_in_parts(one) for _, one in node.pairs)
    return isinstance(node, Scalar | Fixed | Sides | Series)


def _lists_in(node: Node) -> Iterator[Series]:
    """Yield a list, or those in a record."""
    if isinstance(node, Series):
        yield node
    elif isinstance(node, Record):
        for _, one in node.pairs:
            yield from _lists_in(one)


def _term_of(measured: Any) -> Term:
    return as_term(measured.symbol)
