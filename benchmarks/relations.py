"""What building inputs to a relation is worth, against drawing each argument and filtering.

For each relation of `relations_table.py`, `relations_arrays.py` and `relations_hard.py`:

- recognised: every precondition is built, and 99 of 100 inputs started reach the call;
- acceptance: inputs that reach the call, of those started; without those that Hypothesis itself
  cuts short, which it does with any strategy to begin with small inputs;
- speed-up: valid inputs per second, relative to independent draws under `hypothesis.assume`;
- non-trivial: the share of inputs that are more than the simplest, and beside it that share when
  independent draws are filtered. As in a run, an input is counted once in a shard.

Both sides draw in the rounds of a run: a long one and short ones, until a shard is full.

    python benchmarks/relations.py            # needs numpy in this environment
    python benchmarks/relations.py --quick
    python benchmarks/relations.py --only matmul --only coprime
"""

from __future__ import annotations

import argparse
import pickle
import statistics
import sys
from collections.abc import Callable
from dataclasses import dataclass
from time import process_time
from typing import Any

import hypothesis.strategies as st
import relations_arrays  # noqa: F401 (it adds to the table)
import relations_hard  # noqa: F401 (it adds to the table)
from hypothesis import HealthCheck, assume, given, reject, seed, settings
from hypothesis.control import current_build_context
from hypothesis.errors import FailedHealthCheck, StopTest, Unsatisfiable
from hypothesis.internal.conjecture.data import Status
from relations_table import RELATIONS, Relation

from annotest.engine.child.rounds import DRAW, draw_a_little, run_round
from annotest.engine.shards import LONG_ROUND, SHARD, SHORT_ROUND
from annotest.outside import annotations_of
from annotest.plan.planner import Planner
from annotest.plan.steps import Draw, Plan
from annotest.plan.strategy import DrawFailed, Interpreter, Tally, run_steps
from annotest.signature import read_signature

ACCEPTANCE, SPEED_UP, NONTRIVIAL, RECOGNISED = 0.99, 2.5, 0.8, 36 / 40
# a filter that found so few inputs goes on, until the time for hopeless ones is spent
ENOUGH = 50
HEALTH_ROUNDS = 2
# so many inputs of each relation are checked against its annotations
CHECKED = 200


@dataclass(frozen=True)
class Budget:
    """Seconds of processor time for each side of a relation."""

    usual: float
    hopeless: float


WHOLE, QUICK = Budget(0.4, 3.0), Budget(0.15, 0.5)


class Side:
    """One of the two ways to draw: what it has started, what was valid, and what it took."""

    def __init__(self, function: Any) -> None:
        self.planner = Planner()
        name = function.__qualname__
        notes = annotations_of(function, f"{function.__module__}:{name}")
        self.plan = self.planner.plan_function(function, read_signature(function, notes, name))
        self.tally = Tally()
        self.interpreter = Interpreter(self.planner, self.tally)
        self.later = tuple(step for step in self.plan.steps if not isinstance(step, Draw))
        self.strategy = self.watched()
        self.started = self.cut = self.rounds = self.count = 0
        self.seconds = 0.0
        self.shards: list[list[dict[str, Any]]] = []

    def make(self) -> Any:
        raise NotImplementedError

    def watched(self) -> Any:
        """Return the strategy, counting what Hypothesis cuts short."""
        strategy = self.make()

        @st.composite
        def drawing(draw: Any) -> Any:
            try:
                return draw(strategy)
            except StopTest:
                self.cut += current_build_context().data.status is Status.OVERRUN
                raise

        return drawing()

    def begin(self) -> None:
        self.started += 1

    def called(self, recipes: Any) -> dict[str, Any] | None:
        """Return the arguments of the call that recipes make, or None where they are refused."""
        if isinstance(recipes, DrawFailed):
            return None
        return run_steps(self.later, recipes, self.tally, self.plan.sizes)

    def test(self, recipes: Any) -> None:
        """Take one input."""
        values = self.called(recipes)
        assume(values is not None)
        self.count += 1
        self.shards[-1].append(values or {})

    def shard(self, most: float) -> None:
        """Draw the rounds of one shard, or fewer where they take too long."""
        self.shards.append([])
        sizes = [LONG_ROUND, *[SHORT_ROUND] * -(-(SHARD - LONG_ROUND) // SHORT_ROUND)]
        for size in sizes:
            if self.seconds < most:
                self._round(size)

    def _round(self, size: int) -> None:
        began = process_time()
        try:
            run_round(self.strategy, self.test, self.rounds, size)
        except Unsatisfiable:
            pass
        self.seconds += process_time() - began
        self.rounds += 1

    @property
    def rate(self) -> float:
        """Valid inputs in a second; one, where none was found."""
        return max(1, self.count) / self.seconds

    def inputs(self) -> list[dict[str, Any]]:
        """Return the valid inputs, each once in a shard."""
        different = [{pickle.dumps(one): one for one in shard} for shard in self.shards]
        return [one for shard in different for one in shard.values()]


class Ours(Side):
    """Inputs as a run of annotest draws them."""

    def make(self) -> Any:
        return self.interpreter.recipes(self.plan, self.begin, lambda: None)


class Filtered(Side):
    """Each argument drawn by its own constraint, and those kept that are related."""

    def make(self) -> Any:
        draws = {step.key: self.interpreter.drawing(step) for step in self.plan.draws}
        return st.fixed_dictionaries(draws)


@dataclass(frozen=True)
class Measured:
    """What was found about one relation."""

    relation: Relation
    built: bool
    acceptance: float
    speed_up: float
    at_least: bool
    nontrivial: float
    nontrivial_filtered: float
    unhealthy: tuple[str, ...]
    wrong: int

    @property
    def recognised(self) -> bool:
        return self.built and self.acceptance >= ACCEPTANCE

    def line(self) -> str:
        """Return it as a line of the table."""
        theirs = "–" if self.at_least else f"{100 * self.nontrivial_filtered:.0f} %"
        how = "yes" if self.recognised else "built" if self.built else "no"
        sign = "≥" if self.at_least else " "
        notes = [f"HEALTH: {', '.join(self.unhealthy)}"] if self.unhealthy else []
        notes += [f"WRONG: {self.wrong} inputs"] if self.wrong else []
        return (
            f"{self.relation.name:<22}{'hard' if self.relation.hard else '':<6}{how:<7}"
            f"{100 * self.acceptance:>8.1f} %{sign:>3}{self.speed_up:>9.2f}"
            f"{100 * self.nontrivial:>10.0f} %{theirs:>11}  "
            f"{' '.join(notes)}".rstrip()
        )


HEAD = (
    f"{'relation':<28}{'recog.':<7}{'acceptance':>10}{'speed-up':>12}{'non-trivial':>12}"
    f"{'filtered':>11}"
)


def is_built(plan: Plan) -> bool:
    """Say whether every precondition of a call is met by construction, as its model says."""
    model = plan.model
    if model is None or not model.ways:
        return False
    return all(model.state_of(place) == "built" for place in range(len(model.statements)))


def measure(relation: Relation, budget: Budget) -> Measured:
    """Draw by turns in both ways, so that both meet the same machine."""
    ours, filtered = Ours(relation.function), Filtered(relation.plainly)
    while not (is_done(ours, budget) and is_done(filtered, budget)):
        for side in (ours, filtered):
            if not is_done(side, budget):
                side.shard(budget.hopeless)
    return Measured(
        relation,
        is_built(ours.plan),
        ours.count / (ours.started - ours.cut),
        ours.rate / filtered.rate,
        not filtered.count,
        share(ours.inputs(), relation),
        share(filtered.inputs(), relation),
        health(relation.function),
        wrong_inputs(ours, filtered, relation),
    )


def is_done(side: Side, budget: Budget) -> bool:
    enough = side.count >= ENOUGH
    return side.seconds >= (budget.usual if enough else budget.hopeless)


def share(inputs: list[dict[str, Any]], relation: Relation) -> float:
    """Return the share of inputs that are not trivial."""
    return sum(bool(relation.nontrivial(**one)) for one in inputs) / max(1, len(inputs))


def wrong_inputs(ours: Side, filtered: Side, relation: Relation) -> int:
    """Count the inputs outside their annotations, or outside the relation as a precondition."""
    constraints = {one.name: one.constraint for one in ours.plan.parameters}
    wrong = 0
    for values in ours.inputs()[:CHECKED]:
        outside = any(value not in constraints[name] for name, value in values.items())
        breaks = relation.plainly is not relation.function and filtered.called(values) is None
        wrong += outside or breaks
    return wrong


def health(function: Any) -> tuple[str, ...]:
    """Return the health checks that fail where none is suppressed."""
    side = Ours(function)
    found: dict[str, bool] = {}

    def test(recipes: Any) -> None:
        if side.called(recipes) is None:
            reject()

    chosen = settings(deadline=None, database=None, phases=DRAW)
    for number in range(HEALTH_ROUNDS):
        run: Callable[[], None] = chosen(seed(number)(given(side.strategy)(test)))
        try:
            run()
        except FailedHealthCheck as error:
            text = str(error)
            found |= {one.name: True for one in HealthCheck if f"HealthCheck.{one.name}" in text}
        except Unsatisfiable:
            found["unsatisfiable"] = True
    return tuple(found)


def summary(found: list[Measured]) -> bool:
    """Print what was promised, and say whether it was kept."""
    recognised = [one for one in found if one.recognised]
    low = [one.relation.name for one in found if one.nontrivial < NONTRIVIAL]
    unhealthy = [one.relation.name for one in recognised if one.unhealthy]
    wrong = [one.relation.name for one in found if one.wrong]
    speed_up = statistics.median(one.speed_up for one in found)
    nontrivial = statistics.median(one.nontrivial for one in found)
    least = min((one.acceptance for one in recognised), default=0.0)
    wanted = round(RECOGNISED * len(found))
    promises = [
        (
            f"{len(recognised)} of {len(found)} relations are recognised",
            f"at least {wanted}, 36 of 40",
            len(recognised) >= wanted,
        ),
        (
            f"of those, {100 * least:.1f} % of inputs or more are accepted",
            f"at least {100 * ACCEPTANCE:.0f} %",
            least >= ACCEPTANCE,
        ),
        (f"of those, {len(unhealthy)} fail a health check", "none", not unhealthy),
        (f"median speed-up {speed_up:.2f}", f"at least {SPEED_UP}", speed_up >= SPEED_UP),
        (
            f"median share of non-trivial inputs {100 * nontrivial:.0f} %",
            f"at least {100 * NONTRIVIAL:.0f} %",
            nontrivial >= NONTRIVIAL,
        ),
        (f"{len(wrong)} relations have inputs that are not valid", "none", not wrong),
    ]
    for text, limit, kept in promises:
        print(f"{text} (promised: {limit}){'' if kept else '  NOT KEPT'}")
    print(f"not recognised: {named(one.relation.name for one in found if not one.recognised)}")
    print(f"slower than filtering: {named(o.relation.name for o in found if o.speed_up < 1)}")
    print(f"non-trivial below {100 * NONTRIVIAL:.0f} %: {named(low)}")
    return all(kept for _, _, kept in promises)


def named(names: Any) -> str:
    return ", ".join(names) or "none"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    names = [one.name for one in RELATIONS]
    parser.add_argument("--only", action="append", choices=names, metavar="NAME")
    parser.add_argument("--quick", action="store_true", help="a third of the time, more noise")
    options = parser.parse_args()
    draw_a_little()
    print(HEAD)
    found = []
    for relation in RELATIONS:
        if options.only is None or relation.name in options.only:
            found.append(measure(relation, QUICK if options.quick else WHOLE))
            print(found[-1].line(), flush=True)
    print()
    sys.exit(not summary(found))


if __name__ == "__main__":
    main()
