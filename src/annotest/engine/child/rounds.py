"""Rounds of drawing: Hypothesis draws inputs from a seed, and shrinks those that fail."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Any
from unittest import SkipTest

import hypothesis.strategies as st
from hypothesis import HealthCheck, Phase, Verbosity, given, reject, seed, settings
from hypothesis.database import ExampleDatabase
from hypothesis.errors import HypothesisException

from annotest.discovery.targets import Contents, Target
from annotest.engine.child.results import INVALID
from annotest.facts import Origin
from annotest.plan import plain
from annotest.plan.ordinary import random_recipes
from annotest.plan.pinning import NoSuchCall
from annotest.plan.planner import Planner
from annotest.plan.preconditions import PreconditionFailed
from annotest.plan.recipe import BuildFailed
from annotest.plan.steps import Plan
from annotest.plan.strategy import DrawFailed, FilterFailed, Interpreter, Tally
from annotest.plan.systematic import SystematicCase, cases
from annotest.simplify import Form

DRAW = (Phase.generate,)
DRAW_AND_SHRINK = (Phase.generate, Phase.shrink)
AGAIN = (Phase.reuse,)
AGAIN_AND_SHRINK = (Phase.reuse, Phase.shrink)


# fewer invalid draws than this do not make Hypothesis give up: it has then drawn all there is
FEW_INVALID = 100
# of a systematic case, so many inputs are drawn until one is valid, and new
MOST_TRIES = 10
# of random bytes, so many are enough for nearly every input; one that needs more is not drawn
ENOUGH = 2**14
# Hypothesis keeps inputs that are not the smallest under keys of their own
_UNSHRUNK, _LESS_IMPORTANT = b".secondary", b".pareto"


class Stop(BaseException):
    """Ends a round at once; not an Exception, so that Hypothesis lets it through."""


class NotDrawn(BaseException):
    """Ends a round in which no valid input was drawn in a few tries."""


class Damaged(Exception):
    """Choices that Hypothesis cannot read."""


class Choices(ExampleDatabase):
    """Gives Hypothesis the choices of one input, and keeps those of the smallest that failed."""

    def __init__(self, given: bytes = b"") -> None:
        super().__init__()
        self._given = given
        self.last = given
        self.unshrunk = b""

    def fetch(self, key: bytes) -> Iterable[bytes]:
        if key.endswith(_UNSHRUNK):
            return [self.unshrunk] if self.unshrunk else []
        return [self._given] if self._given and not key.endswith(_LESS_IMPORTANT) else []

    def save(self, key: bytes, value: bytes) -> None:
        if key.endswith(_UNSHRUNK):
            self.unshrunk = value
        elif not key.endswith(_LESS_IMPORTANT):
            self.last = value

    def delete(self, key: bytes, value: bytes) -> None:
        """Keep it: whoever gave it decides."""


def run_round(
    strategy: Any,
    test: Callable[[Any], None],
    round_seed: int,
    size: int,
    phases: tuple[Phase, ...] = DRAW,
    choices: Choices | None = None,
) -> None:
    """Draw so many inputs, or fewer where there are no more, and give each to `test`."""
    run = _round(strategy, test, round_seed, size, phases, choices)
    try:
        run()
    except SkipTest as skipped:  # there was nothing to draw from
        raise Damaged from skipped


@dataclass
class Round:
    """What a round has come to so far."""

    seed: int
    size: int
    results: bytearray = field(default_factory=bytearray)
    started: int = 0
    valid: int = 0
    case: int | None = None

    def start(self) -> None:
        """Count that an input is drawn; NotDrawn where a systematic case has had its tries."""
        self.started += 1
        if self.case is not None and self.started > MOST_TRIES:
            raise NotDrawn

    @property
    def is_random(self) -> bool:
        """Whether its inputs are drawn at random: not before the first round, nor for a case."""
        return self.size > 0 and self.case is None

    def origin(self, shard: int) -> Origin:
        """Return where the next input comes from."""
        return Origin(shard, self.seed, self.size, bytes(self.results), case=self.case)

    @property
    def drew_all(self) -> bool:
        """Whether Hypothesis ended the round early because there is nothing else to draw."""
        return self.valid < self.size and self.started - self.valid < FEW_INVALID


class Rounds:
    """Rounds that differ in nothing but their seeds: what runs them is made once."""

    def __init__(self, strategy: Any, test: Callable[[Any], None], size: int) -> None:
        self._run = _round(strategy, test, 0, size)

    def __call__(self, round_seed: int) -> None:
        """Run a round."""
        seed(round_seed)(self._run)()


class RandomDraws:
    """Inputs drawn from random bytes, one for each seed: what draws them is made once.

    A round would draw the simplest input first, and take as long for it as for the other.
    """

    def __init__(
        self, strategy: Any, test: Callable[[Any], None], choices: Choices | None = None
    ) -> None:
        run: Any = _round(strategy, test, 0, 1, choices=choices)
        self._draw = run.hypothesis.fuzz_one_input

    def __call__(self, draw_seed: int) -> None:
        """Draw an input and give it to the test, again while that rejects it."""
        random = Random(draw_seed)
        for _ in range(MOST_TRIES):
            if self._draw(random.randbytes(ENOUGH)) is not None:
                return


def _round(
    strategy: Any,
    test: Callable[[Any], None],
    round_seed: int,
    size: int,
    phases: tuple[Phase, ...] = DRAW,
    choices: Choices | None = None,
) -> Callable[[], None]:
    chosen = settings(
        max_examples=size,
        phases=phases,
        database=choices,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        print_blob=False,
        verbosity=Verbosity.quiet,
    )
    # the settings last: a seed would take the database away from them
    drawing: Any = given(strategy)
    run: Callable[[], None] = chosen(seed(round_seed)(drawing(_property(test))))
    return run


# Hypothesis reads the source of what it runs, in every round: this has none
_PROPERTY = compile("def holds(recipes):\n    test(recipes)", "<annotest>", "exec")


def _property(test: Callable[[Any], None]) -> Callable[[Any], None]:
    scope: dict[str, Any] = {"test": test}
    exec(_PROPERTY, scope)
    holds: Callable[[Any], None] = scope["holds"]
    return holds


UNTOLD = (lambda: None, lambda: None)


@st.composite
def the_last(draw: Any, strategies: list[Any]) -> Any:
    """Draw from whatever strategy is the last of a list by then."""
    return draw(strategies[-1])


@dataclass
class Drawing:
    """Strategies of a call's recipes: of all there are, and of those with some choices pinned."""

    plan: Plan
    planner: Planner
    tally: Tally
    told: tuple[Any, ...]

    def of(self, case: SystematicCase | None) -> Any:
        """Return the strategy of a systematic case, or of all inputs; NoSuchCall if none is so."""
        if case is None:
            return random_recipes(self.plan, self.planner, self.tally, *self.told)
        interpreter = Interpreter(self.planner, self.tally, case.pins)
        return interpreter.recipes(self.plan, *self.told)

    def case_of(self, origin: Origin) -> SystematicCase | None:
        """Return the systematic case for which an input was drawn, if it was for one."""
        if origin.case is None:
            return None
        case = next(self.cases(origin.case), None)
        if case is None:
            raise NoSuchCall
        return case

    def cases(self, first: int) -> Iterator[SystematicCase]:
        """Return the systematic cases from a number on."""
        return islice(cases(self.plan, self.planner), first, None)


def run_from(
    origin: Origin,
    drawing: Drawing,
    test: Callable[[Any], None],
    smaller: Choices | None = None,
) -> None:
    """Draw again from where an input came; NoSuchCall where the annotations have changed.

    With `smaller`, an input that fails is shrunk: there the choices of the smallest are kept.
    """
    strategy = drawing.of(drawing.case_of(origin))
    if origin.choices:
        phases = AGAIN_AND_SHRINK if smaller else AGAIN
        run_round(strategy, test, 0, 1, phases, smaller or Choices(origin.choices))
    elif not origin.is_one_draw:
        phases = DRAW_AND_SHRINK if smaller else DRAW
        run_round(strategy, test, origin.seed, origin.size, phases, smaller)
    elif smaller is None:
        RandomDraws(strategy, test)(origin.seed)
    else:
        _draw_and_shrink(strategy, test, origin.seed, smaller)


def _draw_and_shrink(
    strategy: Any, test: Callable[[Any], None], draw_seed: int, smaller: Choices
) -> None:
    """Draw an input from random bytes; have Hypothesis make its choices smaller if it fails."""
    try:
        RandomDraws(strategy, test, smaller)(draw_seed)
    except Exception:
        if not smaller.unshrunk:
            raise  # it is not the input that fails
        run_round(strategy, test, 0, 1, AGAIN_AND_SHRINK, smaller)


def drawn_again(origin: Origin, drawing: Drawing) -> dict[str, Any] | None:
    """Return the recipes of an input drawn before, or None where it can no longer be drawn."""
    earlier = iter(origin.results)
    drawn: list[Any] = []

    def look(recipes: Any) -> None:
        result = next(earlier, None)
        if result is None:
            drawn.append(recipes)
            raise Stop
        skip(result, origin.is_one_draw)

    try:
        run_from(origin, drawing, look)
    except (Stop, NoSuchCall, HypothesisException):
        pass  # the input is there, or it can no longer be drawn
    if not drawn or isinstance(drawn[0], DrawFailed):
        return None
    return dict(drawn[0])


def skip(result: int, draw_another: bool = False) -> None:
    """Tell Hypothesis what came of an input, without running it again."""
    if draw_another or result in INVALID:
        reject()


def recipes_from(origin: Origin, target: Target, contents: Contents) -> dict[str, Any] | None:
    """Return the recipes of an input of a target, drawn again or taken from its examples."""
    plan = target.plan
    assert plan is not None
    if not plan.draws:
        return {}
    if origin.example is not None:
        return _example(origin.example, target, contents)
    if origin.plain:
        return recipes_of(origin, Form(plan, contents.planner), contents.planner.live)
    if not origin.can_shrink:
        return None
    return drawn_again(origin, Drawing(plan, contents.planner, Tally(), UNTOLD))


def _example(place: int, target: Target, contents: Contents) -> dict[str, Any] | None:
    assert target.plan is not None
    instance, examples = instance_recipe(target, contents), target.plan.examples
    if instance is None or not 0 <= place < len(examples):
        return None
    return {**instance, **examples[place]}


def instance_recipe(target: Target, contents: Contents) -> dict[str, Any] | None:
    """Return a simplest instance for the examples of a method, or None if there is none."""
    if not target.needs_instance:
        return {}
    interpreter = Interpreter(contents.planner, Tally())
    instance = simplest(interpreter.generated(target.owner))
    return None if instance is None else {target.signature.self_name: instance}


def recipes_of(origin: Origin, form: Form, live: list[Any]) -> dict[str, Any] | None:
    """Return an input that was kept as it is, or None where the annotations allow it no more."""
    try:
        recipes = plain.read(origin.plain, live)
    except plain.NotPlain:
        return None
    return recipes if form.fits(recipes) else None


def simplest(strategy: Any) -> Any | None:
    """Return the simplest recipe of a strategy, or None where none can be drawn."""
    drawn: list[Any] = []

    def first(recipe: Any) -> None:
        drawn.append(recipe)
        raise Stop

    try:
        run_round(strategy, first, 0, 1)
    except (Stop, HypothesisException, BuildFailed, PreconditionFailed, FilterFailed):
        pass  # the first is there, or the user's code lets none be drawn
    return drawn[0] if drawn else None


def draw_a_little() -> None:
    """Draw a few numbers, so that what Hypothesis makes once is made before forks.

    Once in twenty numbers it takes a constant from the source of the modules that are loaded,
    and reads them all for that: a hundred numbers make sure of it.
    """
    numbers = st.lists(st.integers(0, 9), min_size=100, max_size=100)
    run_round(st.tuples(numbers, st.floats(0, 1), st.booleans()), lambda drawn: None, 0, 2)
