"""`annotest explain`: a plan in words, measured on inputs that it makes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import partial
from itertools import islice
from typing import Any

from hypothesis.errors import HypothesisException

from annotest import process
from annotest.engine.child.bench import Bench
from annotest.engine.child.calling import bare_call
from annotest.engine.child.counting import Counts, rates_of
from annotest.engine.child.results import InputResult
from annotest.engine.child.rounds import run_round, skip
from annotest.events import Explained, ExplainedStep
from annotest.expr import Generated
from annotest.plan.lazy import takes_items
from annotest.plan.modes import ONLY_NEW
from annotest.plan.preconditions import Precondition, PreconditionFailed
from annotest.plan.recipe import BuildFailed
from annotest.plan.steps import Plan
from annotest.plan.strategy import DrawFailed, FilterFailed, Interpreter, Tally, run_steps
from annotest.plan.systematic import cases, factors_of
from annotest.relations.arguments.model import FILTERED
from annotest.relations.explaining import (
    all_items,
    conditions_on_elements,
    made_of_others,
    steps_of,
)
from annotest.source import shown

INPUTS = 200
MOST_CASES = 1000
SAMPLES = 6
LONGEST = 110


def explain(bench: Bench, seed: int) -> None:
    """Say how the inputs of a target are made, and show some."""
    plan = bench.target.plan
    assert plan is not None
    plans = [plan, *bench.contents.planner.plans.values()]
    measured = _Measured(bench, plan)
    measured.run(seed)
    bench.send(
        Explained(
            bench.target.info,
            _steps(bench, plan),
            tuple(_state(plans, precondition) for precondition in measured.tally.asked),
            rates_of(measured.tally),
            measured.counts.reached,
            measured.counts.discarded,
            tuple(measured.samples),
            measured.unbuilt,
            tuple((name, shown(default)) for name, default in plan.left_out.items()),
            *_items(bench),
            **_tried_first(bench, plan),
        )
    )


def _items(bench: Bench) -> tuple[int, float]:
    """Return how many items of a lazy result are taken, and for how long; nothing of others."""
    if not takes_items(bench.target.function):
        return 0, 0.0
    return bench.limits.items, bench.limits.seconds_of_items(bench.target.info.timeout)


def _tried_first(bench: Bench, plan: Plan) -> dict[str, Any]:
    """Return the choices that are pinned, and how many inputs that makes: alone, and in pairs."""
    planner = bench.contents.planner
    counts = Counter(len(case.pinned) > 1 for case in islice(cases(plan, planner), MOST_CASES))
    told = tuple(
        (factor.name_in(plan), tuple(pin.text for pin in factor.pins))
        for factor in factors_of(plan, planner)
    )
    return {"tried_first": told, "singles": counts[False], "pairs": counts[True]}


def _steps(bench: Bench, plan: Plan) -> tuple[ExplainedStep, ...]:
    related = set(plan.model.names) if plan.model is not None and plan.model.ways else set()
    first = set(plan.model.needs_first) if plan.model is not None else set()
    said = dict(bench.target.info.inputs)
    owner = f"an instance of {getattr(bench.target.owner, '__qualname__', 'its class')}"
    owner += _modes(plan)
    alone = [
        ExplainedStep(draw.key, said.get(draw.key) or owner, ())
        for draw in plan.draws
        if draw.key not in related or first & set(draw.names)
    ]
    early = [step for step in alone if first & set(step.name.split(", "))]
    chosen = []
    if plan.model is not None and plan.model.ways:
        made = {name: said.get(name, "") for name in made_of_others(plan.model)}
        chosen = [
            # what is a number or a list is best said as the annotation says it
            ExplainedStep(choice.name, made.get(choice.name) or choice.values, choice.conditions)
            for choice in steps_of(plan.model)
        ]
        known = {step.name for step in chosen}
        elements = conditions_on_elements(plan.model)
        chosen += [
            ExplainedStep(name, text, elements.get(name, ()))
            for name, text in made.items()
            if known.isdisjoint((name, all_items(name)))
        ]
    return (*early, *chosen, *(step for step in alone if step not in early))


def _modes(plan: Plan) -> str:
    """Say in which modes the instances of a method are, unless they are as they were made."""
    instances = (draw.strategy for draw in plan.draws if draw.key == plan.self_name)
    modes = next((tree.modes for tree in instances if isinstance(tree, Generated)), ONLY_NEW)
    return "" if modes == ONLY_NEW else f", {' or '.join(map(_in_mode, modes))}"


def _in_mode(mode: str) -> str:
    return f"after .{mode}()" if mode else "new"


def _state(plans: list[Plan], precondition: Precondition) -> str:
    """Say how a precondition is met, of the target itself or of a generator that it needs."""
    for model in [plan.model for plan in plans if plan.model is not None]:
        for place, statement in enumerate(model.statements):
            if statement is precondition.statement:
                return model.state_of(place)
    return FILTERED


def _one_line(lines: Iterable[str]) -> str:
    """Return a call on one line, cut where it is long."""
    parts = (f"{line.strip()} " if line.endswith(",") else line.strip() for line in lines)
    text = "".join(parts).strip()
    text = text.replace(", )", ")").replace(", ]", "]")
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


class _Measured:
    """Inputs made as a run makes them, built and checked, but not called with."""

    def __init__(self, bench: Bench, plan: Plan) -> None:
        self.bench = bench
        self.plan = plan
        self.tally = Tally()
        self.counts = Counts()
        self.samples: list[str] = []
        self.unbuilt = 0

    def run(self, seed: int) -> None:
        interpreter = Interpreter(self.bench.contents.planner, self.tally)
        strategy = interpreter.recipes(
            self.plan, partial(self.bench.board.write, process.DRAWING), self._refused
        )
        if not self.plan.draws:
            return
        try:
            run_round(strategy, self._input, seed, INPUTS)
        except HypothesisException:
            return  # it gave up: hardly any input is valid, as the counts say

    def _refused(self) -> None:
        self.counts.discarded += 1

    def _input(self, recipes: Any) -> None:
        if isinstance(recipes, DrawFailed):
            self.unbuilt += 1
            return
        try:
            values = run_steps(self.plan.steps, recipes, self.tally, self.plan.sizes)
        except (BuildFailed, PreconditionFailed, FilterFailed):
            self.unbuilt += 1  # `annotest run` reports these
            return
        if values is None:
            self.counts.count(InputResult.REFUSED)
            skip(InputResult.REFUSED)
            return
        self.counts.count(InputResult.RAN)
        call = _one_line(bare_call(self.bench.target, recipes))
        if len(self.samples) < SAMPLES and call not in self.samples:
            self.samples.append(call)
