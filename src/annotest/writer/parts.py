"""Lists of tuples: the parts of each item are drawn one after the other."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence

from annotest.constraints import tuples
from annotest.errors import UnwritableValue
from annotest.relations.boxes import Empty
from annotest.relations.conditions import Condition, conjuncts, is_exact
from annotest.relations.domains import Domain, item_domain, stand_in
from annotest.relations.items import Series
from annotest.relations.nodes import Scalar
from annotest.relations.problems import Problem, Stated
from annotest.relations.symbols import NotUnderstood
from annotest.writer.clauses import Clause
from annotest.writer.drafts import Draft
from annotest.writer.reals import RealWriter, is_order
from annotest.writer.rooms import roomy
from annotest.writer.saying import local_name
from annotest.writer.wholes import WholeWriter


class PartsWriter:
    """Writes the draw of one item of a list of tuples, of whose parts something must hold."""

    def __init__(self, draft: Draft, series: Series, clauses: Sequence[Clause]) -> None:
        self._draft = draft
        self._series = series
        loops = [_loop(one.tree, series.path) for one in clauses]
        element = series.element
        if None in loops or not isinstance(element, tuples) or not element.is_fixed:
            raise UnwritableValue("items that are no tuples of each of which something holds")
        self._loops = [one for one in loops if one]
        self._scopes = [one.statement.scope for one in clauses]
        self.names = self._part_names(len(element.elements))
        found = {
            name: item_domain(one) for name, one in zip(self.names, element.elements, strict=True)
        }
        self._domains = {name: one for name, one in found.items() if one is not None}
        if len(self._domains) < len(found):
            raise UnwritableValue("parts of items that are no single values")

    def _part_names(self, count: int) -> list[str]:
        """Return what the parts are called: as the first precondition does, if that is free."""
        target = self._loops[0].generators[0].target
        if isinstance(target, ast.Tuple):
            names = [ast.unparse(one) for one in target.elts]
        else:
            names = [f"{ast.unparse(target)}_{place}" for place in range(count)]
        if len(names) != count or not all(map(str.isidentifier, names)):
            raise UnwritableValue("parts of items without names")
        if set(names) & self._draft.taken:
            names = [f"{local_name(self._series.path)}_{place}" for place in range(count)]
        if set(names) & self._draft.taken or len(set(names)) < count:
            raise UnwritableValue("parts of items whose names are taken")
        return names

    def lines(self) -> list[str]:
        """Return the statements that draw the parts of one item."""
        problem = self._problem()
        draft = self._draft.inside(problem)
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

    def _problem(self) -> Problem:
        stated = [Stated(one, {}) for one in self._conditions()]
        used = {name for one in stated for name in one.condition.variables()}
        if f"len({self._series.path})" in used:
            raise UnwritableValue("items that depend on how many there are")
        bounds = self._draft.box.bounds
        given = sorted(used - self._domains.keys())
        if not set(given) <= self._draft.known or not set(given) <= bounds.keys():
            raise UnwritableValue("parts of items that depend on what is drawn later")
        domains: dict[str, Domain] = {name: stand_in(*bounds[name]) for name in given}
        try:
            return roomy(self._domains | domains, stated, given=given)
        except Empty:
            raise UnwritableValue("items that there are not") from None

    def _conditions(self) -> Iterator[Condition]:
        reader = self._draft.case.reader
        for loop, scope in zip(self._loops, self._scopes, strict=True):
            reader.scope = scope
            symbols = [Scalar(name, self._domains[name]).symbol({}) for name in self.names]
            target = loop.generators[0].target
            if isinstance(target, ast.Tuple):
                called = [ast.unparse(one) for one in target.elts]
                tree = loop.elt
            else:
                called = self.names
                tree = _Parts(ast.unparse(target), self.names).visit(copy.deepcopy(loop.elt))
            reader.local = dict(zip(called, symbols, strict=True))
            try:
                found = reader.condition(tree)
            except NotUnderstood:
                raise UnwritableValue("a condition on items that is not understood") from None
            finally:
                reader.local = {}
            if not is_exact(found):
                raise UnwritableValue("a condition on items that is not understood")
            yield from conjuncts(found)


def _loop(tree: ast.expr, path: str) -> ast.GeneratorExp | ast.ListComp | None:
    """Return the loop of `all(… for item in path)`."""
    if not isinstance(tree, ast.Call) or ast.unparse(tree.func) != "all" or len(tree.args) != 1:
        return None
    loop = tree.args[0]
    if not isinstance(loop, ast.GeneratorExp | ast.ListComp) or len(loop.generators) != 1:
        return None
    one = loop.generators[0]
    return loop if ast.unparse(one.iter) == path and not one.ifs else None


class _Parts(ast.NodeTransformer):
    """Puts names for the parts of an item: `span_0` for `span[0]`, all of them for `span`."""

    def __init__(self, item: str, names: Sequence[str]) -> None:
        self._item = item
        self._names = names

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id == self._item:
            try:
                return ast.Name(self._names[int(ast.literal_eval(node.slice))], ast.Load())
            except (ValueError, TypeError, IndexError):
                raise UnwritableValue("a part of an item that is not known") from None
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id != self._item:
            return node
        if not isinstance(node.ctx, ast.Load):
            raise UnwritableValue("a name that an item has, and something else")
        return ast.Tuple([ast.Name(one, ast.Load()) for one in self._names], ast.Load())
