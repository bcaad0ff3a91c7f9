"""Related arguments as a composite that draws them in the order of the plan."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable

from annotest.errors import UnwritableValue
from annotest.expr import Call, Expr, Local, Mapping, Sequence, st
from annotest.frozen import frozen
from annotest.plan.steps import Assume, Draw, Plan, Step
from annotest.relations.arguments.array_nodes import Array
from annotest.relations.arguments.items import Series
from annotest.relations.arguments.model import Model, Way
from annotest.relations.arguments.nodes import Drawn, Fixed, Node, Record, Scalar, Several
from annotest.relations.solving.boxes import Empty
from annotest.relations.solving.levels import Level
from annotest.relations.solving.problems import Problem
from annotest.relations.solving.variables import Length, Named
from annotest.source import Names, Renderer, is_writable, source_tree
from annotest.writer.arrays import ArrayWriter, dtype_lines
from annotest.writer.cases import Case, ListOrder, NoSuchWay
from annotest.writer.closing import ClosingWriter
from annotest.writer.combined import CombinedWriter
from annotest.writer.drafts import Draft, Effort
from annotest.writer.dtypes import arrays_of, labels_of, possible_labels
from annotest.writer.header import WIDTH
from annotest.writer.naming import identifier
from annotest.writer.orders import Order, best_draft
from annotest.writer.products import product_line
from annotest.writer.reals import RealWriter
from annotest.writer.saying import local_name
from annotest.writer.series import SeriesWriter
from annotest.writer.wholes import WholeWriter
from annotest.writer.words import words_of

MOST_BRANCHES = 4
# of independent arguments, the share that must be valid
WORTH_FILTERING = 0.5

First = Callable[[Draw], tuple[str, Expr]]


def locals_of(plan: Plan) -> set[str]:
    """Return the names that the draws of related arguments have for dimensions and dtypes."""
    ways = [] if plan.model is None else plan.model.ways
    dtypes = [path for way in ways for path in arrays_of(way.nodes)]
    dims = set(ways[0].dims) if ways else set()
    return dims | {label for path in dtypes for label in possible_labels(path)}


def must_be_built(plan: Plan) -> bool:
    """Say whether arguments drawn each by itself would not do: invalid, or too seldom valid."""
    if plan.model is None or not plan.model.ways:
        return False
    return plan.is_named or plan.model.share_of_all() < WORTH_FILTERING


def readable_ways(model: Model) -> list[Way]:
    """Return the ways to make a call with all its arguments, if plain draws can say them."""
    ways = [way for way in model.ways if not way.left_out and not way.is_hopeless]
    if not 1 <= len(ways) <= MOST_BRANCHES:
        raise UnwritableValue("the relations are met in many ways")
    names = _chosen_names(model, ways[0])
    if any(_chosen_names(model, way) != names for way in ways):
        raise UnwritableValue("an argument is related in one way, and not in another")
    return ways


def _chosen_names(model: Model, way: Way) -> tuple[str, ...]:
    """Return the related arguments without those that are drawn by themselves."""
    return tuple(name for name in model.names if not isinstance(way.nodes[name], Drawn))


@frozen
class Related:
    """The draws of related arguments, and the steps with the preconditions they do not meet."""

    names: tuple[str, ...]
    lines: tuple[str, ...]
    rest: tuple[Step, ...]
    functions: tuple[str, ...]


class RelatedWriter:
    """Writes the draws of one plan's related arguments.

    `first` says how an argument that others depend on is called and drawn. `snapshot` returns what
    undoes later changes of the file: of several drafts only one is kept. `effort` says how to meet
    what is said of lists.
    """

    def __init__(
        self,
        names: Names,
        renderer: Renderer,
        draw: str,
        first: First,
        snapshot: Callable[[], Callable[[], None]],
        effort: Effort,
    ) -> None:
        self.may_do_more = False  # whether another effort may come to more
        self._effort = effort
        self._names = names
        self._renderer = renderer
        self._draw = draw
        self._first = first
        self._title = ""
        self._snapshot = snapshot
        self._functions: list[str] = []
        self._reserved = {"st", "hnp", "arrays", "reject", "fitting", "assume", draw}

    def related(self, plan: Plan, conditions: dict[int, str]) -> Related:
        """Return the draws; `conditions` are the preconditions as the file may say them."""
        model = plan.model
        assert model is not None
        ways = readable_ways(model)
        names = _chosen_names(model, ways[0])
        function = plan.factory.function.__qualname__.replace(".__init__", ".init")
        self._title = f"fitting_arguments_of_{identifier(function)}"
        cases = _cases(ways, names, conditions, self._effort.order)
        self.may_do_more = any(one.loose for one in cases)
        met = set.intersection(*(one.met for one in cases))
        if not met and not plan.is_named:
            raise UnwritableValue("no draw depends on another")
        before = self._before(plan, cases)
        indent = "    " if len(cases) == 1 else "        "
        branches = [self._lines(plan, one, conditions, indent, before) for one in cases]
        lines = [self._drawn(label, strategy) for label, strategy in before.values()]
        lines += branches[0] if len(branches) == 1 else self._either(branches)
        texts = [*lines, *self._functions]
        if any(len(line) > WIDTH for text in texts for line in text.splitlines()):
            raise UnwritableValue("a line would be too long")
        return Related((*before, *names), tuple(lines), _rest(plan, met), tuple(self._functions))

    def _before(self, plan: Plan, cases: list[Case]) -> dict[str, tuple[str, Expr]]:
        """Return what is drawn before all else: the arguments whose attributes are sizes."""
        trees = [
            case.way.given.get(n) or case.reader.given[n] for case in cases for n in case.given
        ]
        roots = {node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name)}
        draws = [one for one in plan.draws if roots & set(one.names)]
        if any(len(one.names) > 1 for one in draws):
            raise UnwritableValue("several arguments that are one")
        return {one.key: self._first(one) for one in draws}

    def _drawn(self, name: str, strategy: Expr) -> str:
        value = Call(Local(self._draw), (strategy,))
        return f"    {name} = {self._renderer.layout(value, 4, len(name) + 3)}"

    def _either(self, branches: list[list[str]]) -> list[str]:
        """Return statements of which one branch is taken, the first where inputs are simplest."""
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
        self,
        plan: Plan,
        case: Case,
        conditions: dict[int, str],
        indent: str,
        before: dict[str, tuple[str, Expr]],
    ) -> list[str]:
        def new_draft(problem: Problem) -> Draft:
            draft = Draft(
                case, problem, self._names, self._renderer, self._draw, conditions, self._effort
            )
            draft.indent = indent
            draft.drawn |= set(before)
            renamed = {key: label for key, (label, _) in before.items()}
            draft.given = {
                name: _given_text(case.way.given.get(name) or case.reader.given[name], renamed)
                for name in problem.given
            }
            taken = self._taken(plan, case)
            draft.labels = labels_of(case.dtypes, taken)
            draft.taken = taken | set(draft.labels.values())
            return draft

        draft = self._numbers(case, new_draft)
        self._functions += draft.functions.values()
        written = draft.lines
        written += [line for name, node in case.nodes.items() for line in _put(draft, name, node)]
        written += draft.checks([one for one in draft.checked if draft.can_say(one)])
        later = [one for one in draft.checked if not draft.can_say(one)]
        arrays = ArrayWriter(draft)
        for name, node in case.nodes.items():
            if isinstance(node, Array):
                written += arrays.lines(name, node)
        written += draft.checks(later)
        return written

    def _numbers(self, case: Case, new_draft: Callable[[Problem], Draft]) -> Draft:
        """Return a draft with all numbers and lengths, in an order in which they fit."""
        go_back = self._snapshot()

        def write(order: Order) -> Draft:
            go_back()
            draft = new_draft(self._problem(case, order))
            draft.together = order.together
            draft.lines = self._in_order(draft)
            draft.restore = self._snapshot()
            return draft

        found = best_draft(case.problem, write)
        found.restore()
        return found

    def _problem(self, case: Case, order: Order) -> Problem:
        if order.names == case.problem.order:
            return case.problem
        try:
            return case.problem_in(order=order.names)
        except Empty:
            raise UnwritableValue("values that cannot be drawn in this order") from None

    def _in_order(self, draft: Draft) -> list[str]:
        """Return the statements for all numbers and lengths, in the order of the problem."""
        case, levels = draft.case, draft.problem.levels
        written = [self._fixed(draft, n, one) for n, one in case.nodes.items() if _is_fixed(one)]
        for level in levels:
            if level.name in case.items.made_by:
                continue
            if level.name not in draft.together:
                written += self._chosen(draft, level)
            elif level.name == draft.together[0]:
                both = [one for one in levels if one.name in draft.together]
                written += CombinedWriter(draft, self._title).lines(both)
        for name, path in case.items.made_by.items():
            written.append(product_line(draft, name, path))
            draft.drawn.add(str(name))
        return written

    def _taken(self, plan: Plan, case: Case) -> set[str]:
        """Return the names that a composite must not use for anything else."""
        found = {p.name for p in plan.parameters} | set(case.way.dims)
        order = [one for one in case.problem.order if one not in case.dtypes]
        locals_ = [local_name(one) for one in order if not isinstance(one, Length)]
        locals_ += [local_name(path) for path in case.series if not path.isidentifier()]
        made = {one for one in locals_ if Named(one) not in case.problem.order}
        if made & found or len(set(locals_)) < len(locals_):
            raise UnwritableValue("two things with one name")
        if {*locals_, *case.names} & self._reserved - {"fitting"} or "fitting" in locals_:
            raise UnwritableValue("a dimension has a name that the file needs")
        return found | set(locals_) | self._reserved

    def _chosen(self, draft: Draft, level: Level) -> list[str]:
        """Return the statements that choose one variable, or the list of that length."""
        if isinstance(level.name, Length):
            return SeriesWriter(draft).lines(level)
        loose = draft.loose_at(level)
        if loose:
            trees = [words_of(one, draft, draft.name_of(level)) for one in loose]
            lines = ClosingWriter(draft, level).lines(trees)
        elif level.name in draft.case.dtypes:
            lines = dtype_lines(draft, level)
        elif draft.problem.domains[level.name].values is None:
            lines = RealWriter(draft).lines(level)
        else:
            lines = WholeWriter(draft).lines(level)
        draft.drawn.add(str(level.name))
        return lines

    def _fixed(self, draft: Draft, name: str, node: Node) -> str:
        draft.drawn.add(name)
        return draft.assigned(name, _made(draft, node))


def _is_fixed(node: Node) -> bool:
    return isinstance(node, Fixed)


def _given_text(tree: ast.expr, renamed: dict[str, str]) -> str:
    """Return an expression over what is drawn first, as the file says it."""
    copied = ast.parse(ast.unparse(tree), mode="eval")
    for node in ast.walk(copied):
        if isinstance(node, ast.Name):
            node.id = renamed.get(node.id, node.id)
    return ast.unparse(copied)


def _cases(
    ways: list[Way], names: tuple[str, ...], texts: dict[int, str], order: ListOrder
) -> list[Case]:
    """Return the ways to make a call, with those apart in which other conditions hold."""
    found: list[Case] = []
    for way in ways:
        splits: list[int] = []
        first = _case(way, names, texts, splits, (), order)
        if len(splits) > MOST_BRANCHES:
            raise UnwritableValue("the relations are met in many ways")
        rest = list(itertools.product(*map(range, splits)))[1:]
        cases = [first, *(_case(way, names, texts, [], picks, order) for picks in rest)]
        found += [one for one in cases if one is not None]
    if not 1 <= len(found) <= MOST_BRANCHES:
        raise UnwritableValue("the relations are met in many ways, or in none")
    return found


def _case(
    way: Way,
    names: tuple[str, ...],
    texts: dict[int, str],
    splits: list[int],
    picks: tuple[int, ...],
    order: ListOrder,
) -> Case | None:
    try:
        return Case(way, names, texts, splits, picks, order)
    except NoSuchWay:
        return None


def _put(draft: Draft, name: str, node: Node) -> list[str]:
    """Return the statement that makes an argument of parts that are chosen one by one."""
    if isinstance(node, Scalar | Fixed | Array):
        return []
    if isinstance(node, Series) and str(node.path) in draft.case.series:
        return []
    draft.drawn.add(name)
    return [draft.assigned(name, _made(draft, node))]


def _made(draft: Draft, node: Node) -> Expr:
    if isinstance(node, Scalar):
        if str(node.path) not in draft.drawn:
            raise UnwritableValue("a part that is drawn with others")
        return Local(local_name(node.path))
    if isinstance(node, Fixed):
        value = source_tree(node.value)
        if not is_writable(value):
            raise UnwritableValue("a value has no source text")
        return value
    if isinstance(node, Record):
        return Mapping(tuple((source_tree(key), _made(draft, one)) for key, one in node.pairs))
    if isinstance(node, Several):
        return Sequence(tuple, tuple(_made(draft, one) for one in node.nodes))
    if not isinstance(node, Series):
        raise UnwritableValue("the relations reach into parts of an argument")
    if str(node.path) in draft.case.series:
        return Local(local_name(node.path))
    count = node.lengths[0]
    return Sequence(node.kind, tuple(_made(draft, node.item(one, count)) for one in range(count)))


def _rest(plan: Plan, met: set[int]) -> tuple[Step, ...]:
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
