"""Lists of tuples: the parts of each item are drawn one after the other."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from annotest.constraints import tuples
from annotest.errors import UnwritableValue
from annotest.frozen import frozen
from annotest.relations.arguments.items import Series
from annotest.relations.arguments.nodes import Scalar
from annotest.relations.reading.symbols import Listed, NotUnderstood
from annotest.relations.solving.boxes import Box, Empty
from annotest.relations.solving.conditions import Condition, conjuncts, is_exact
from annotest.relations.solving.domains import (
    Domain,
    is_plain,
    item_domain,
    stand_in,
    whole_numbers,
)
from annotest.relations.solving.problems import Problem, Stated
from annotest.relations.solving.terms import Variable
from annotest.relations.solving.variables import Length, Name, Named
from annotest.writer.clauses import Clause
from annotest.writer.drafts import Draft
from annotest.writer.reals import RealWriter, is_order
from annotest.writer.rooms import roomy
from annotest.writer.saying import local_name
from annotest.writer.wholes import WholeWriter


@frozen
class Loop:
    """What holds of each item, or of each with the one before it: then there are two targets."""

    targets: tuple[ast.expr, ...]
    tree: ast.expr
    scope: dict[str, Any]


class PartsWriter:
    """Writes the draw of one item of a list of tuples, of whose parts something must hold."""

    def __init__(self, draft: Draft, series: Series, clauses: Sequence[Clause]) -> None:
        self._draft = draft
        self._series = series
        element = series.element
        if not isinstance(element, tuples) or not element.is_fixed:
            raise UnwritableValue("items that are no tuples of so many parts")
        self._loops = [_loop(one, str(series.path)) for one in clauses]
        self.names = self._part_names(len(element.elements))
        found = {
            name: item_domain(one) for name, one in zip(self.names, element.elements, strict=True)
        }
        self._domains: dict[Name, Domain] = {
            Named(name): one for name, one in found.items() if one is not None
        }
        if len(self._domains) < len(found):
            raise UnwritableValue("parts of items that are no single values")

    @property
    def goes_in_pairs(self) -> bool:
        """Whether an item depends on the one before it."""
        return any(len(one.targets) > 1 for one in self._loops)

    def _part_names(self, count: int) -> list[str]:
        """Return what the parts are called: as the first precondition does, if that is free."""
        target = self._loops[0].targets[-1]
        if isinstance(target, ast.Tuple):
            names = [ast.unparse(one) for one in target.elts]
        else:
            names = [f"{ast.unparse(target)}_{place}" for place in range(count)]
        if len(names) != count or not all(map(str.isidentifier, names)):
            raise UnwritableValue("parts of items without names")
        if set(names) & {*self._draft.taken, "_"}:
            names = [f"{local_name(self._series.path)}_{place}" for place in range(count)]
        if set(names) & self._draft.taken or len(set(names)) < count:
            raise UnwritableValue("parts of items whose names are taken")
        return names

    def lines(self, *, is_first: bool = False) -> list[str]:
        """Return the statements that draw the parts of one item, with or without one before it."""
        problem = self._problem(is_first)
        draft = self._draft.inside(problem)
        path = local_name(self._series.path)
        draft.given |= {one: f"{path}[-1][{place}]" for place, one in enumerate(self._before)}
        draft.known |= set(self._before)
        lines: list[str] = []
        for level in problem.levels:
            if problem.domains[level.name].values is None:
                if not all(map(is_order, level.closed_by)):
                    raise UnwritableValue("parts of items that are rounded")
                lines += RealWriter(draft).lines(level)
            else:
                lines += WholeWriter(draft).lines(level)
        self._draft.rejects |= draft.rejects
        return lines

    @property
    def _before(self) -> list[Name]:
        """The parts of the item before, as variables."""
        return [Named(f"{name} before") for name in self.names]

    def _problem(self, is_first: bool) -> Problem:
        stated = [Stated(one, {}) for one in self._conditions(is_first)]
        used = {name for one in stated for name in one.condition.variables()}
        if Length(self._series.path) in used:
            raise UnwritableValue("items that depend on how many there are")
        bounds = dict(self._draft.box.bounds)
        for name, before in zip(self._domains, self._before, strict=True):
            bounds[before] = (self._domains[name].low, self._domains[name].high)
        given = sorted(used - self._domains.keys(), key=str)
        if set(given) - self._draft.known - set(self._before) or set(given) - bounds.keys():
            raise UnwritableValue("parts of items that depend on what is drawn later")
        domains: dict[Name, Domain] = {name: stand_in(*bounds[name]) for name in given}
        try:
            root = Problem(self._domains | domains, stated).root
            own = {name: _cut(name, one, root) for name, one in self._domains.items()}
            return roomy(own | domains, stated, given=given)
        except Empty:
            raise UnwritableValue("items that there are not") from None

    def _conditions(self, is_first: bool) -> Iterator[Condition]:
        own: list[Any] = [Scalar(name, domain).symbol({}) for name, domain in self._domains.items()]
        before: list[Any] = [Variable(name) for name in self._before]
        for loop in self._loops:
            if is_first and len(loop.targets) > 1:
                continue
            sides = [before, own][-len(loop.targets) :]
            pairs = zip(loop.targets, sides, strict=True)
            local = {name: one for target, side in pairs for name, one in _bound(target, side)}
            yield from conjuncts(self._read(loop, local))

    def _read(self, loop: Loop, local: dict[str, Any]) -> Condition:
        reader = self._draft.case.reader
        reader.scope, reader.local = loop.scope, local
        try:
            found = reader.condition(loop.tree)
        except NotUnderstood:
            raise UnwritableValue("a condition on items that is not understood") from None
        finally:
            reader.local = {}
        if not is_exact(found):
            raise UnwritableValue("a condition on items that is not understood")
        return found


def _cut(name: Name, domain: Domain, root: Box) -> Domain:
    """Return a domain without the numbers that conditions rule out from the beginning."""
    if not is_plain(domain):
        return domain
    low, high = root.bounds[name]
    return whole_numbers(range(int(low), int(high) + 1))


def _bound(target: ast.expr, parts: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    """Yield what the names in a target stand for."""
    if isinstance(target, ast.Tuple):
        if len(target.elts) != len(parts):
            raise UnwritableValue("a tuple with other parts")
        yield from zip(map(ast.unparse, target.elts), parts, strict=True)
    else:
        yield ast.unparse(target), Listed(tuple(parts))


def _loop(clause: Clause, path: str) -> Loop:
    """Read `all(… for item in path)`, or `all(… for one, next in zip(path, path[1:]))`."""
    tree, scope = clause.tree, clause.statement.scope
    if isinstance(tree, ast.Call) and ast.unparse(tree.func) == "all" and len(tree.args) == 1:
        loop = tree.args[0]
        if isinstance(loop, ast.GeneratorExp | ast.ListComp) and len(loop.generators) == 1:
            one = loop.generators[0]
            if ast.unparse(one.iter) == path and not one.ifs:
                return Loop((one.target,), loop.elt, scope)
            in_pairs = (f"zip({path}, {path}[1:])", f"pairwise({path})")
            is_pair = isinstance(one.target, ast.Tuple) and len(one.target.elts) == 2
            if ast.unparse(one.iter).removeprefix("itertools.") in in_pairs and is_pair:
                if not one.ifs:
                    return Loop(tuple(one.target.elts), loop.elt, scope)  # type: ignore[attr-defined]
    raise UnwritableValue("items that are no tuples of each of which something holds")
