"""Plans at work: drawing recipes with Hypothesis, building values, checking preconditions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

import hypothesis.strategies as st
from hypothesis import reject

from annotest.constraints import Constraint
from annotest.constraints._calls import truth
from annotest.expr import Expr, evaluate
from annotest.plan.by_name import with_factories
from annotest.plan.choosing import Strategies, Ways
from annotest.plan.edges import Edges
from annotest.plan.pinning import PinnedCall, PinsOfPlans, pinned_call
from annotest.plan.planner import Planner
from annotest.plan.preconditions import Precondition, PreconditionFailed
from annotest.plan.recipe import (
    DIMENSIONS,
    LEFT_OUT,
    Applied,
    BuildFailed,
    Factory,
    Made,
    build,
    constructed,
    unpacked,
)
from annotest.plan.recursion import DEEPEST, MOST, emptied, ending
from annotest.plan.steps import INIT, Assume, Build, Draw, Let, Plan, Step
from annotest.records import record
from annotest.relations.arguments.dimensions import NamedSizes
from annotest.relations.arguments.model import Model, Unsolvable
from annotest.signature import EMPTY

Drawing = Callable[[Any], dict[str, Any]]
Needed = Callable[[dict[str, Any]], None]


class FilterFailed(Exception):
    """The predicate of a `.where` raised instead of being true or false."""

    def __init__(self, predicate: Any, error: BaseException) -> None:
        super().__init__(predicate, error)
        self.predicate = predicate
        self.error = error


@dataclass
class Tally:
    """How often each precondition was asked, and held; `refused` if the last answer was no."""

    asked: Counter[Precondition] = field(default_factory=Counter)
    held: Counter[Precondition] = field(default_factory=Counter)
    refused: bool = False
    refused_by: Precondition | None = None
    unsolved: str = ""  # why no sizes were found that fit together

    def check(self, precondition: Precondition, values: dict[str, Any]) -> bool:
        """Ask one precondition, counting."""
        self.asked[precondition] += 1
        holds = precondition.holds(values)
        self.held[precondition] += holds
        self.refused = not holds
        if not holds:
            self.refused_by = precondition
        return holds


@record
class DrawFailed:
    """Stands for a recipe when drawing it failed in the user's code."""

    error: BuildFailed | PreconditionFailed | FilterFailed


class Interpreter:
    """Evaluates the trees of plans to strategies of recipes."""

    def __init__(self, planner: Planner, tally: Tally, pins: PinsOfPlans | None = None) -> None:
        self._planner = planner
        self._tally = tally
        self._pins = pins or {}
        self._made: dict[tuple[int, ...], st.SearchStrategy[Made]] = {}
        self._inside: tuple[int, ...] = ()  # the recursive generators whose values are around
        self._nested = 0  # how many values of such generators the outermost one has so far

    def generated(self, factory: Any, modes: tuple[str, ...] = ("",)) -> st.SearchStrategy[Made]:
        """Return the strategy of what a generator or class builds, as recipes, in some modes."""
        key = (id(factory), *sorted(self._inside))
        if key not in self._made:
            self._made[key] = self._made_inside(factory)
        made = self._made[key]
        return made if modes == ("",) else st.builds(_in_mode, made, st.sampled_from(modes))

    def _made_inside(self, factory: Any) -> st.SearchStrategy[Made]:
        """Return the strategy of a value, or of none where as many of its kind are around it."""
        if self._full() and not self._ends(factory):
            return st.nothing()
        if id(factory) not in self._planner.recursive:
            return self._made_by(self._planner.plans[id(factory)])
        is_outermost = not self._inside
        nested, last = (self._made_below(factory, times) for times in (1, DEEPEST))

        def made(draw: Any) -> Made:
            self._nested = 0 if is_outermost else self._nested + 1
            return cast(Made, draw(nested if self._nested < MOST else last))

        return _generated(made)

    def _made_below(self, factory: Any, times: int) -> st.SearchStrategy[Made]:
        """Return the strategy of a value inside which this counts as so many of its kind."""
        outside = self._inside
        self._inside += (id(factory),) * times
        try:
            return self._made_by(self._planner.plans[id(factory)])
        finally:
            self._inside = outside

    def _full(self) -> set[int]:
        """Return the generators of which no more values may stand inside the others."""
        return {key for key in self._inside if self._inside.count(key) >= DEEPEST}

    def _ends(self, factory: Any) -> bool:
        return id(factory) in ending(self._planner.plans, without=self._full())

    def mapped(self, strategy: Any, function: Callable[[Any], Any]) -> Any:
        """Return the strategy of recipes to which `function` is applied when built."""
        return strategy.map(partial(Applied, function))

    def filtered(self, strategy: Any, predicate: Callable[[Any], Any]) -> Any:
        """Return the strategy of recipes whose built value satisfies `predicate`."""

        def keeps(recipe: Any) -> bool:
            value = build(recipe)
            try:
                self._tally.refused = not truth(predicate(value))
            except BaseException as error:  # it may leave, too
                raise FilterFailed(predicate, error) from error
            return not self._tally.refused

        return strategy.filter(keeps)

    def drawing(self, draw: Draw) -> Any:
        """Return the strategy of one drawing step, leaving out included."""
        strategy = self._evaluated(draw.strategy)
        return strategy if draw.default is EMPTY else _sometimes_left_out(strategy)

    def _drawing(self, plan: Plan, needed: Needed | None = None) -> Drawing:
        """Return who draws the recipes of a call, its related arguments together."""
        pinned = pinned_call(plan, self._pins.get(id(plan), {}))
        strategies = {step.key: self._strategy(plan, step, pinned) for step in plan.draws}
        unpinned = {
            key: constraint
            for key, constraint in _constraints_of(plan).items()
            if key not in pinned.constraints
        }
        if pinned.model is None or not pinned.model.ways:
            return Edges(strategies, unpinned).drawn
        made = Strategies(partial(self._evaluated_later, plan, self._inside))
        related = plan, pinned.model, strategies, unpinned
        return _RelatedDrawing(*related, made, self._tally, needed).drawn

    def _strategy(self, plan: Plan, step: Draw, pinned: PinnedCall) -> Any:
        """Return the strategy of one drawing step, as far as it is not pinned."""
        if step.key in pinned.left_out:
            return st.just(LEFT_OUT)
        if step.key not in pinned.constraints:
            return self.drawing(step)
        tree = pinned.constraints[step.key].strategy()
        strategy = self._evaluated_later(plan, self._inside, tree)
        is_given = step.default is EMPTY or step.key not in pinned.optional
        return strategy if is_given else _sometimes_left_out(strategy)

    def _evaluated(self, tree: Expr) -> Any:
        return evaluate(emptied(tree, self._ends) if self._full() else tree, self)

    def _evaluated_later(self, plan: Plan, inside: tuple[int, ...], tree: Expr) -> Any:
        outside, self._inside = self._inside, inside
        try:
            return self._evaluated(with_factories(tree, plan.factory.function))
        finally:
            self._inside = outside

    def _made_by(self, plan: Plan) -> st.SearchStrategy[Made]:
        if plan.calls:
            return st.sampled_from(plan.calls).map(lambda call: Made(plan.factory, call))
        drawing = self._drawing(plan)
        later = tuple(step for step in plan.steps if not isinstance(step, Draw))
        checks = any(isinstance(step, Assume) for step in later)

        def made(draw: Any) -> Made:
            recipes = drawing(draw)
            if checks and run_steps(later, recipes, self._tally, plan.sizes) is None:
                reject()
            return Made(plan.factory, recipes)

        return _generated(made)

    def recipes(
        self,
        plan: Plan,
        started: Callable[[], None],
        refused: Callable[[], None],
        needed: Needed | None = None,
    ) -> Any:
        """Return the strategy of a whole call's recipes.

        `started` is told of each attempt, `refused` of those that a precondition or a `.where`
        ended while drawing, `needed` of what must be built while drawing.
        """
        drawing = self._drawing(plan, needed)
        tally = self._tally

        def call(draw: Any) -> dict[str, Any] | DrawFailed:
            started()
            tally.refused = False
            drawn = False
            try:
                recipes = drawing(draw)
                drawn = True
                return recipes
            except (BuildFailed, PreconditionFailed, FilterFailed) as error:
                return DrawFailed(error)
            finally:
                # Hypothesis also gives up drawings that grow too long: those are not invalid
                if not drawn and tally.refused:
                    refused()

        return _called(call)


def _constraints_of(plan: Plan) -> dict[str, Constraint | None]:
    return {p.name: p.constraint for p in plan.parameters}


class _RelatedDrawing:
    """Draws calls: first what must be built, then what is related to it, then all the others.

    `needed` is told of the recipes whose values the others depend on, before they are built,
    and of none when that is done.
    """

    def __init__(
        self,
        plan: Plan,
        model: Model,
        strategies: dict[str, Any],
        constraints: dict[str, Constraint | None],
        made: Strategies,
        tally: Tally,
        needed: Needed | None,
    ) -> None:
        self._plan, self._model, self._tally = plan, model, tally
        self._strategies, self._made = strategies, made
        self._ways = Ways(model)
        first = set(model.needs_first)
        self._early = [step for step in plan.draws if first & set(step.known)]
        self._needed = needed if self._early and needed is not None else _tell_nobody
        together = {*model.names, *(step.key for step in self._early)}
        alone = {key: strategy for key, strategy in strategies.items() if key not in together}
        self._edges = Edges(alone, constraints)

    def drawn(self, draw: Any) -> dict[str, Any]:
        """Return the recipes of a call."""
        recipes = {step.key: draw(self._strategies[step.key]) for step in self._early}
        self._needed(recipes)
        values: dict[str, Any] = {}
        for step in self._early:
            _build_step(step, recipes[step.key], values, {})
        dims = self._choose(draw, recipes, values)
        self._needed({})
        recipes |= self._edges.drawn(draw)
        in_order = {key: recipes[key] for key in self._strategies}
        return {**in_order, DIMENSIONS: dims} if self._plan.sizes is not None else in_order

    def _choose(self, draw: Any, recipes: dict[str, Any], values: dict[str, Any]) -> dict[str, Any]:
        """Add the recipes of the related arguments; return what the dimensions are."""
        try:
            chosen = self._ways.choose(draw, self._made, values)
        except Unsolvable as error:
            if self._plan.is_named:
                self._note_unsolved(str(error))
                reject()  # drawn each by itself, their dimensions would not agree
            late = [name for name in self._model.names if name not in recipes]
            recipes |= {name: draw(self._strategies[name]) for name in late}
            return {}
        recipes |= {**chosen.recipes, **dict.fromkeys(chosen.left_out, LEFT_OUT)}
        return chosen.dims

    def _note_unsolved(self, why: str) -> None:
        """Count an input for which no sizes were found."""
        conditions = self._plan.preconditions
        self._tally.refused = True
        self._tally.unsolved = why or _unmet(conditions)
        if not why:
            hard = (
                condition for condition in conditions if condition.statement in self._model.hard
            )
            self._tally.asked.update(hard)


def _tell_nobody(recipes: dict[str, Any]) -> None:
    """Take no notice."""


def _unmet(preconditions: tuple[Precondition, ...]) -> str:
    texts = " and ".join(precondition.annotation.text() for precondition in preconditions)
    return "no sizes were found that fit together" + (f" and meet {texts}" if texts else "")


def _in_mode(made: Made, mode: str) -> Made:
    return Made(made.factory, made.values, mode)


# made once for all: Hypothesis reads and parses the source of each composite. Two of them, as it
# takes what one has drawn for alike, and mixes it
@st.composite
def _generated(draw: Any, made: Callable[[Any], Made]) -> Made:
    return made(draw)


@st.composite
def _called(draw: Any, call: Callable[[Any], Any]) -> Any:
    return call(draw)


@st.composite
def _sometimes_left_out(draw: Any, strategy: Any) -> Any:
    # once in four times: one_of would leave out half of all arguments with a default;
    # left out is the simplest, so that a shrunk call is as short as can be
    return draw(strategy) if draw(_LEFT_OUT_IN) else LEFT_OUT


_LEFT_OUT_IN = st.integers(0, 3)


def run_steps(
    steps: tuple[Step, ...],
    recipes: dict[str, Any],
    tally: Tally,
    sizes: NamedSizes | None = None,
    seen: dict[str, Any] | None = None,
) -> dict[str, Any] | None:
    """Run the steps after drawing; return the values by name, or None where one must not go on.

    An argument that is left out is missing from what is passed, but preconditions see its default:
    what they see is put into `seen`, if that is given.
    """
    seen = {} if seen is None else seen
    passed: dict[str, Any] = {}
    for step in steps:
        if isinstance(step, Let):
            seen[step.name] = step.value
            if step.name in recipes:  # an example may give it all the same
                seen[step.name] = passed[step.name] = build(recipes[step.name])
        elif isinstance(step, Build):
            _build_step(step.draw, recipes[step.draw.key], seen, passed)
        elif isinstance(step, Assume):
            if sizes is not None and not set(step.precondition.needs) <= seen.keys():
                seen |= recipes.get(DIMENSIONS) or sizes.of(seen)
            if not tally.check(step.precondition, seen):
                return None
    return passed


def _build_step(draw: Draw, recipe: Any, seen: dict[str, Any], passed: dict[str, Any]) -> None:
    if recipe is LEFT_OUT:
        seen[draw.key] = draw.default
        return
    if draw.with_init:
        value, seen[INIT] = constructed(recipe)
    else:
        value = build(recipe)
    parts = unpacked(draw.names, value, _factory_of(recipe))
    seen.update(parts)
    passed.update(parts)


def _factory_of(recipe: Any) -> Factory:
    return recipe.factory if isinstance(recipe, Made) else Factory(type(recipe), ())
