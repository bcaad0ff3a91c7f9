"""Related arguments as a composite that draws them in the order of the plan."""

from __future__ import annotations

import ast
import dataclasses
import random
from collections.abc import Iterator
from typing import Any

from annotest.errors import UnwritableValue
from annotest.expr import ByRecipe, Call, Expr, Local, Ref, hnp, ours, st
from annotest.frozen import frozen
from annotest.large import LARGE
from annotest.plan.steps import Assume, Plan, Step
from annotest.relations.boxes import Box
from annotest.relations.domains import Domain
from annotest.relations.levels import Budget
from annotest.relations.model import Model, Way
from annotest.relations.nodes import Array, Drawn, Fixed, Node, Scalar, Sides
from annotest.relations.pickers import Measuring
from annotest.relations.problems import Problem, Unsolvable
from annotest.relations.symbols import Known
from annotest.source import Names, Renderer, is_writable, source_tree
from annotest.writer.conditions import assume_lines
from annotest.writer.header import WIDTH
from annotest.writer.reals import Bounds, RealWriter, is_order

MOST_LISTED = 4096
MOST_BRANCHES = 3
TRIED, FEW, MOSTLY = 10, 3, 0.5


def dimensions_of(plan: Plan) -> set[str]:
    """Return the dimensions that the draws of related arguments have as local names."""
    ways = [] if plan.model is None else plan.model.ways
    return set(ways[0].dims) if ways else set()


def readable_ways(model: Model) -> list[Way]:
    """Return the ways to make a call with all its arguments, if plain draws can say them."""
    ways = [way for way in model.ways if not way.left_out and not way.is_hopeless]
    if not 1 <= len(ways) <= MOST_BRANCHES or any(way.sized is not None for way in ways):
        raise UnwritableValue("the relations are met in many ways")
    names = _chosen_names(model, ways[0])
    if any(_chosen_names(model, way) != names for way in ways):
        raise UnwritableValue("an argument is related in one way, and not in another")
    if not all(_is_plain(way.nodes[name]) for way in ways for name in names):
        raise UnwritableValue("the relations reach into lists")
    return ways


def _chosen_names(model: Model, way: Way) -> tuple[str, ...]:
    """Return the related arguments without those that are drawn by themselves."""
    return tuple(name for name in model.names if not isinstance(way.nodes[name], Drawn))


def _is_plain(node: Node) -> bool:
    if isinstance(node, Array):
        sides = isinstance(node.shape, Sides) and node.shape.starred is None
        return sides and isinstance(node.dtype, Fixed) and not node.shape.anonymous  # type: ignore[attr-defined]
    return isinstance(node, Scalar | Fixed)


@frozen
class Related:
    """The draws of related arguments, and the steps with the preconditions they do not meet."""

    names: tuple[str, ...]
    lines: tuple[str, ...]
    rest: tuple[Step, ...]


class RelatedWriter:
    """Writes the draws of one plan's related arguments."""

    def __init__(self, names: Names, renderer: Renderer, draw: str) -> None:
        self._names = names
        self._renderer = renderer
        self._draw = draw
        self._indent = "    "
        self._arrays: set[str] = set()  # drawn last
        self._bounds: Bounds = {}
        self._checked: dict[str, bool] = {}  # conditions that rounding may break
        self._reserved = {"st", "hnp", "arrays", "reject", "fitting", "assume", draw}

    def related(self, plan: Plan, conditions: dict[int, str]) -> Related:
        """Return the draws; `conditions` are the preconditions as the file may say them."""
        model = plan.model
        assert model is not None
        ways = readable_ways(model)
        names = _chosen_names(model, ways[0])
        problems = [_problem_of(way) for way in ways]
        met = set.intersection(
            *(_met(one) | way.understood for one, way in zip(problems, ways, strict=True))
        )
        if not any(map(_met, problems)) and not plan.is_named:
            raise UnwritableValue("no draw depends on another")
        self._indent = "    " if len(ways) == 1 else "        "
        branches = [
            self._lines(names, way, one, conditions)
            for one, way in zip(problems, ways, strict=True)
        ]
        lines = branches[0] if len(branches) == 1 else self._either(branches)
        if any(len(line) > WIDTH for text in lines for line in text.splitlines()):
            raise UnwritableValue("a line would be too long")
        return Related(names, tuple(lines), _rest(plan, met))

    def _either(self, branches: list[list[str]]) -> list[str]:
        """Return statements of which one branch is taken, the first where inputs are simplest."""
        self._indent = "    "
        if len(branches) == 2:
            chosen = self._renderer.flat(Call(Local(self._draw), (st.booleans(),)))
            heads, lines = [f"if {chosen}:", "else:"], []
            branches = branches[::-1]
        else:
            heads = [f"elif way == {place}:" for place in range(len(branches))]
            heads[0], heads[-1] = "if way == 0:", "else:"
            lines = [self._drawn("way", st.integers(min_value=0, max_value=len(branches) - 1))]
        for head, branch in zip(heads, branches, strict=True):
            lines += [f"    {head}", *branch]
        return lines

    def _lines(
        self, names: tuple[str, ...], way: Way, problem: Problem, conditions: dict[int, str]
    ) -> list[str]:
        self._checked.clear()
        self._arrays = {name for name in names if isinstance(way.nodes[name], Array)}
        if _success_rate(problem) < MOSTLY:
            raise UnwritableValue("drawn in order, the values would seldom fit")
        if _reaches_into_arrays(problem):
            raise UnwritableValue("a condition on the elements of an array")
        if any(level.name in self._reserved for level in problem.levels):
            raise UnwritableValue("a dimension has a name that the file needs")
        self._bounds = dict(problem.root.bounds)
        written = [
            self._fixed(name, node) for name in names if isinstance(node := way.nodes[name], Fixed)
        ]
        written += [
            line for level in problem.levels for line in self._chosen(problem, level, conditions)
        ]
        if self._checked:
            assume = self._names.of(Ref("hypothesis", "assume"))
            written += ["\n".join(assume_lines(one, self._indent, assume)) for one in self._checked]
        for name in names:
            node = way.nodes[name]
            if isinstance(node, Array):
                written.append(self._drawn(name, self._array(node, problem)))
        return written

    def _chosen(self, problem: Problem, level: Any, conditions: dict[int, str]) -> list[str]:
        """Return the statements that choose one variable."""
        if problem.domains[level.name].values is None:
            return [self._real(problem, level, conditions)]
        texts = self._conditions(problem, level, conditions)
        name, domain = level.name, problem.domains[level.name]
        if any(set(one.variables()) == {name} for one in level.closed_by):
            domain = problem.declared[name]  # the condition itself says which are left
        values = self._values(domain)
        if not texts:
            return [self._drawn(name, _simple(domain) or st.sampled_from(Local(values)))]
        reject = self._names.of(Ref("hypothesis", "reject"))
        fitting = f"[{name} for {name} in {values} if {' and '.join(texts)}]"
        line = self._drawn(name, st.sampled_from(Local(f"{fitting} or {reject}()")))
        if "\n" not in line:
            return [line]
        drawn = self._drawn(name, st.sampled_from(Local(f"fitting or {reject}()")))
        indent = self._indent
        if len(f"{indent}fitting = {fitting}") <= WIDTH:
            return [f"{indent}fitting = {fitting}", drawn]
        inner = f"{indent}    {fitting[1:-1]}"
        parts = [inner]
        if len(inner) > WIDTH:
            clauses = [name, f"for {name} in {values}"]
            clauses += [f"{word} {text}" for word, text in zip(_words(), texts, strict=False)]
            parts = [f"{indent}    {clause}" for clause in clauses]
        return [f"{indent}fitting = [", *parts, f"{indent}]", drawn]

    def _fixed(self, name: str, node: Fixed) -> str:
        value = source_tree(node.value)
        if not is_writable(value):
            raise UnwritableValue("a value has no source text")
        return self._assigned(name, value)

    def _real(self, problem: Problem, level: Any, conditions: dict[int, str]) -> str:
        """Return the statement that chooses a float."""
        known = set(problem.order[: problem.order.index(level.name)])
        writer = RealWriter(self._names, problem, self._bounds, known)
        for part in level.closed_by:
            place = problem.place_of(part)
            if not is_order(part):  # rounding may break it
                if place not in conditions:
                    raise UnwritableValue("a condition that the file cannot say")
                self._checked[conditions[place]] = True
        solution = writer.solution(level.name, level.closed_by)
        if solution is not None:
            return self._assigned(level.name, Local(solution))
        return self._drawn(level.name, writer.strategy(level.name, level.touching))

    def _conditions(self, problem: Problem, level: Any, conditions: dict[int, str]) -> list[str]:
        texts: dict[str, bool] = {}
        for _, place in problem.closing_statements(level):
            if place is None or place not in conditions:
                raise UnwritableValue("a condition in parts")
            if self._arrays & _names_in(conditions[place]):
                raise UnwritableValue("a condition that needs the array itself")
            texts[conditions[place]] = True
        return [_bracketed(text, alone=len(texts) == 1) for text in texts]

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
        return self._assigned(name, Call(Local(self._draw), (strategy,)))

    def _assigned(self, name: str, value: Expr) -> str:
        indent = len(self._indent)
        return f"{self._indent}{name} = {self._renderer.layout(value, indent, len(name) + 3)}"


def _problem_of(way: Way) -> Problem:
    problem = way.contents(())
    assert problem is not None
    if problem.given:
        raise UnwritableValue("the relations depend on what is drawn before")
    return problem


def _met(problem: Problem) -> set[int | None]:
    """Return the places of the statements that the draws of some variable meet."""
    found = (problem.closing_statements(level) for level in problem.levels)
    return {place for pairs in found for _, place in pairs}


def _rest(plan: Plan, met: set[Any]) -> tuple[Step, ...]:
    """Return the steps without the preconditions that are met."""
    assert plan.model is not None
    done = {id(one) for place, one in enumerate(plan.model.statements) if place in met}
    rest = tuple(
        step
        for step in plan.steps
        if not (isinstance(step, Assume) and id(step.precondition.statement) in done)
    )
    known = {p.name for p in plan.parameters} | {plan.self_name}
    if any(set(step.precondition.needs) - known for step in rest if isinstance(step, Assume)):
        raise UnwritableValue("a condition on dimensions that are known while drawing only")
    return rest


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


def _simple(domain: Domain) -> Expr | None:
    values = domain.values
    if values == (False, True):
        return st.booleans()
    if isinstance(values, range) and values.step == 1:
        return st.integers(min_value=values[0], max_value=values[-1])
    return None


def _bracketed(text: str, *, alone: bool) -> str:
    """Return a condition as it may stand behind `if` in a list, alone or with `and`."""
    node = ast.parse(text, mode="eval").body
    loose = isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and not alone
    return f"({text})" if loose or isinstance(node, ast.IfExp | ast.Lambda) else text
