"""Related arguments as a composite that draws them in the order of the plan."""

from __future__ import annotations

import ast
import dataclasses
import random
from collections.abc import Iterator
from typing import Any

from annotest.errors import UnwritableValue
from annotest.expr import ByRecipe, Call, Expr, Local, Ref, hnp, ours, st
from annotest.large import LARGE
from annotest.plan.steps import Plan
from annotest.relations.boxes import Box
from annotest.relations.domains import Domain
from annotest.relations.levels import Budget
from annotest.relations.model import Model, Way
from annotest.relations.nodes import Array, Fixed, Node, Scalar, Sides
from annotest.relations.pickers import Measuring
from annotest.relations.problems import Problem, Unsolvable
from annotest.relations.symbols import Known
from annotest.source import Names, Renderer, is_writable, source_tree
from annotest.writer.header import WIDTH

MOST_LISTED = 4096
TRIED, FEW, MOSTLY = 10, 3, 0.5


def readable_way(model: Model) -> Way:
    """Return the only way to make a call, if it can be written as plain draws."""
    ways = [way for way in model.ways if not way.left_out]
    if len(ways) != 1 or ways[0].sized is not None or ways[0].given or model.drawn:
        raise UnwritableValue("the relations are met in several ways")
    if not all(_is_plain(ways[0].nodes[name]) for name in model.names):
        raise UnwritableValue("the relations reach into lists")
    return ways[0]


def _is_plain(node: Node) -> bool:
    if isinstance(node, Array):
        sides = isinstance(node.shape, Sides) and node.shape.starred is None
        return sides and isinstance(node.dtype, Fixed) and not node.shape.anonymous  # type: ignore[attr-defined]
    return isinstance(node, Scalar)


class RelatedWriter:
    """Writes the draws of one plan's related arguments."""

    def __init__(self, names: Names, renderer: Renderer, draw: str) -> None:
        self._names = names
        self._renderer = renderer
        self._draw = draw
        self._arrays: set[str] = set()  # drawn last
        self._reserved = {"st", "hnp", "arrays", "reject", "fitting", draw}

    def lines(self, plan: Plan, conditions: dict[int, str]) -> list[str]:
        """Return the statements; `conditions` are the preconditions as the file may say them."""
        model = plan.model
        assert model is not None
        way = readable_way(model)
        self._arrays = {name for name in model.names if isinstance(way.nodes[name], Array)}
        problem = way.contents(())
        assert problem is not None
        if _success_rate(problem) < MOSTLY:
            raise UnwritableValue("drawn in order, the values would seldom fit")
        if _reaches_into_arrays(problem):
            raise UnwritableValue("a condition on the elements of an array")
        if any(level.name in self._reserved for level in problem.levels):
            raise UnwritableValue("a dimension has a name that the file needs")
        written = [
            line for level in problem.levels for line in self._chosen(problem, level, conditions)
        ]
        for name in model.names:
            node = way.nodes[name]
            if isinstance(node, Array):
                written.append(self._drawn(name, self._array(node, problem)))
        return written

    def _chosen(self, problem: Problem, level: Any, conditions: dict[int, str]) -> list[str]:
        """Return the statements that choose one variable."""
        texts = self._conditions(problem, level, conditions)
        name, domain = level.name, problem.domains[level.name]
        if any(set(one.variables()) == {name} for one in level.closed_by):
            domain = problem.declared[name]  # the condition itself says which are left
        if domain.values is None:
            if texts:
                raise UnwritableValue("a float in a relation")
            return [self._drawn(name, _floats(domain))]
        values = self._values(domain)
        if not texts:
            return [self._drawn(name, _whole(domain) or st.sampled_from(Local(values)))]
        reject = self._names.of(Ref("hypothesis", "reject"))
        fitting = f"[{name} for {name} in {values} if {' and '.join(texts)}]"
        line = self._drawn(name, st.sampled_from(Local(f"{fitting} or {reject}()")))
        if "\n" not in line:
            return [line]
        drawn = self._drawn(name, st.sampled_from(Local(f"fitting or {reject}()")))
        if len(f"    fitting = {fitting}") <= WIDTH:
            return [f"    fitting = {fitting}", drawn]
        inner = f"        {fitting[1:-1]}"
        parts = ["    fitting = [", inner]
        if len(inner) > WIDTH:
            parts = ["    fitting = [", f"        {name}", f"        for {name} in {values}"]
            parts += [f"        {word} {text}" for word, text in zip(_words(), texts, strict=False)]
        return [*parts, "    ]", drawn]

    def _conditions(self, problem: Problem, level: Any, conditions: dict[int, str]) -> list[str]:
        texts: dict[str, bool] = {}
        for _, place in problem.closing_statements(level):
            if place is None or place not in conditions:
                raise UnwritableValue("a condition in parts")
            if self._arrays & _names_in(conditions[place]):
                raise UnwritableValue("a condition that needs the array itself")
            texts[conditions[place]] = True
        if len(texts) > 1:
            return [_bracketed(text) for text in texts]
        return list(texts)

    def _values(self, domain: Domain) -> str:
        values = domain.values
        assert values is not None
        if len(values) > MOST_LISTED:
            raise UnwritableValue("too many values to be listed")
        if isinstance(values, range):
            step = f", {values.step}" if values.step != 1 else ""
            start = f"{values.start}, " if values.start or step else ""
            word = self._names.of(Ref("builtins", "range"))
            return f"{word}({start}{values.stop}{step})"
        listed = source_tree(list(values))
        if not is_writable(listed):
            raise UnwritableValue("a value has no source text")
        return self._renderer.flat(listed)

    def _array(self, node: Array, problem: Problem) -> Expr:
        assert isinstance(node.shape, Sides)
        largest = _largest(node.shape, problem)
        sides = ", ".join(_side(one) for one in node.shape.before)
        shape = Local(f"({sides},)" if len(node.shape.before) == 1 else f"({sides})")
        constraint: Any = node.constraint
        arrays = dataclasses.replace(constraint, shape=largest).strategy()
        arrays = arrays.call if isinstance(arrays, ByRecipe) else arrays
        if not isinstance(arrays, Call) or arrays.function not in (hnp.arrays, ours.arrays):
            raise UnwritableValue("arrays of several dtypes")
        kwargs = [(name, shape if name == "shape" else value) for name, value in arrays.kwargs]
        return Call(arrays.function, arrays.args, tuple(kwargs))

    def _drawn(self, name: str, strategy: Expr) -> str:
        drawn = Call(Local(self._draw), (strategy,))
        return f"    {name} = {self._renderer.layout(drawn, 4, len(name) + 3)}"


def _reaches_into_arrays(problem: Problem) -> bool:
    """Say whether a condition is on what stands for the elements of an array."""
    return any(
        not problem.domains[name].is_chosen
        for condition in problem.conditions
        for name in condition.variables()
    )


def _names_in(text: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}


def _words() -> Iterator[str]:
    yield "if"
    while True:
        yield "and"


def _success_rate(problem: Problem) -> float:
    """Return how often values fit that are chosen one after the other, without steps back."""
    chance, fitting = random.Random(0), 0
    for tried in range(TRIED):
        if tried == FEW == fitting:
            return 1.0  # no doubt is left that is worth the time
        try:
            problem.solve(Measuring(chance), budget=Budget(len(problem.levels)))
        except Unsolvable:
            continue
        fitting += 1
    return fitting / TRIED


def _side(symbol: Any) -> str:
    value = getattr(symbol, "value", None)
    if value is not None:
        return str(value)
    text = str(symbol.text(str))
    return text[1:-1] if text[:1] == "(" else text


def _largest(shape: Sides, problem: Problem) -> tuple[int, ...]:
    """Return the largest size of each side, whatever else must hold."""
    domains = problem.domains.items()
    box = Box({name: (one.low, one.high) for name, one in domains if one.is_number})
    ends = [one.value if isinstance(one, Known) else one.bounds(box)[1] for one in shape.before]
    return tuple(int(min(max(0, end), LARGE + 1)) for end in ends)


def _floats(domain: Domain) -> Expr:
    return st.floats(min_value=domain.low, max_value=domain.high)


def _whole(domain: Domain) -> Expr | None:
    values = domain.values
    if isinstance(values, range) and values.step == 1:
        return st.integers(min_value=values[0], max_value=values[-1])
    return None


def _bracketed(text: str) -> str:
    node = ast.parse(text, mode="eval").body
    loose = isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or)
    return f"({text})" if loose or isinstance(node, ast.IfExp | ast.Lambda) else text
