"""The search on one target: valid inputs, one after the other, until the budget is spent.

It runs in a child process. A failure is reported when it is first seen, and the search goes on:
further inputs that show a known failure count as if they had passed, so that what is drawn never
depends on what was found. Shrinking comes later, as a job of its own.
"""

from __future__ import annotations

import itertools
from typing import Any

from hypothesis.errors import HypothesisException, Unsatisfiable

from annotest import guard, process
from annotest.engine.child import wrong
from annotest.engine.child.attempt import Attempts
from annotest.engine.child.bench import Bench
from annotest.engine.child.counting import (
    Handover,
    SearchRun,
    ShardRun,
    take_up_tally,
    tallied,
)
from annotest.engine.child.footprint import Footprint
from annotest.engine.child.results import INVALID, REACHED, Attempt, InputResult
from annotest.engine.child.rounds import (
    AGAIN,
    MOST_TRIES,
    Choices,
    Damaged,
    Drawing,
    NotDrawn,
    RandomDraws,
    Round,
    Rounds,
    Stop,
    instance_recipe,
    recipes_of,
    run_round,
    skip,
    the_last,
)
from annotest.engine.child.telling import Teller
from annotest.engine.shards import (
    FIRST_FINDING,
    LONG_ROUND,
    SHORT_ROUND,
    SearchOptions,
    Shard,
    digest,
    seed_from,
)
from annotest.errors import Mistake
from annotest.events import (
    FailureFound,
    MadeWay,
    MistakeFound,
    Prevented,
    SearchEnded,
    ShardEnded,
    Warned,
)
from annotest.facts import Fault, Origin
from annotest.kinds import Kind, Verdict
from annotest.plan.pinning import NoSuchCall
from annotest.plan.strategy import DrawFailed, Tally
from annotest.plan.systematic import SystematicCase
from annotest.simplify import Form
from annotest.spec import Example

# so many rounds without an input that is new, and a shard ends
FRUITLESS = 3
# so many more refused inputs than valid ones, and the systematic cases end
MOST_REFUSED = 50
# after so many random inputs that have all failed in the same way, a shard ends
ALIKE = 25
STOPPED = f"{ALIKE} random inputs have failed in the same way, and none has passed"
# deaths that are known already cost time and tell nothing: after so many seconds of them the
# target is left
MOST_LOST = 10.0


class _OutOfTime(BaseException):
    """The target's time is spent."""


class _MakesWay(BaseException):
    """This process has grown too large, or is spoilt: the search goes on in another one."""


class Search:
    """The state of one search."""

    def __init__(
        self, bench: Bench, options: SearchOptions, attempts: Attempts, tally: Tally
    ) -> None:
        assert bench.target.plan is not None
        self.bench, self.target, self.plan = bench, bench.target, bench.target.plan
        self.options, self.attempts, self.tally = options, attempts, tally
        self.teller, self.send = Teller(bench), bench.send
        self.board, self.planner = bench.board, bench.contents.planner
        self.resume, self.handover = options.resume, Handover.read(options.handover)
        earlier = self.handover and self.handover.whole
        self.whole = earlier or SearchRun(set(options.reported))
        self.footprint = Footprint(bench.limits.memory, bench.device != "")
        self.round = Round(0, 0)
        self.is_spoilt = False

    def run(self) -> None:
        """Search the shards, report the failures, and say how it ended."""
        steps = self._begin_drawing, self._count_refused, self._build_early
        self.drawing = Drawing(self.plan, self.planner, self.tally, steps)
        self.strategy = self.drawing.of(None)
        sizes = (LONG_ROUND, SHORT_ROUND)
        self.rounds_of = {size: Rounds(self.strategy, self._input, size) for size in sizes}
        self.pinned: list[Any] = []  # the strategy of the systematic case under way
        self.simplest_of_case = Rounds(the_last(self.pinned), self._input, 1)
        self.random_of_case = RandomDraws(the_last(self.pinned), self._input)
        for shard in self.options.shards:
            self.shard = ShardRun(shard, self.target.info)
            self.counts = self.shard.counts
            self.tally.asked.clear()
            self.tally.held.clear()
            try:
                self._search_shard(shard)
            except _MakesWay:
                told = Handover(self.whole, self.shard, tallied(self.tally, self.target))
                grown = 0 if self.is_spoilt else self.footprint.grown
                self.send(MadeWay(grown, told.written()))
                return
            self.send(ShardEnded(shard.number, self.shard.result(self.tally)))
            if self.shard.is_last:
                break
        self.send(SearchEnded())

    def _search_shard(self, shard: Shard) -> None:
        self.board.start_log(self.resume)
        self.replayed = 0
        try:
            if shard.number == 0:
                self._try_known()
                self._try_examples()
            if self.plan.draws:
                self._try_cases(shard)
                self._rounds(shard)
            else:
                self._attempt({}, Origin())
                self.shard.exhausted = True
        except Stop:
            pass  # the shard has all its inputs, or an annotation is wrong
        except _OutOfTime:
            self.shard.unfinished = self.shard.unfinished or "its time was spent"
        self.resume = b""

    def _rest(self) -> None:
        """Between inputs: take over from another process, or make way for another one."""
        if self.replayed < len(self.resume):
            return
        handover, self.handover = self.handover, None
        if handover is not None:
            self.shard, self.counts = handover.shard, handover.shard.counts
            take_up_tally(handover.tallied, self.tally, self.target)
        elif self.footprint.is_full or self.is_spoilt:
            raise _MakesWay

    def _try_known(self) -> None:
        """Try the inputs first that failed in earlier runs."""
        form = Form(self.plan, self.planner)
        for origin in self.options.known:
            if origin.plain:
                recipes = recipes_of(origin, form, self.planner.live)
                if recipes is not None:
                    self._attempt(recipes, origin)
                continue

            def test(recipes: Any, origin: Origin = origin) -> None:
                self._input(recipes, origin)

            try:
                strategy = self.drawing.of(self.drawing.case_of(origin))
                run_round(strategy, test, 0, 1, AGAIN, Choices(origin.choices))
            except (NoSuchCall, HypothesisException):
                continue  # the annotations have changed: it is an input no longer
            except Damaged:
                what = f"the input that is kept of finding {origin.finding} is damaged"
                self.send(Warned(f"{what}; it is left out"))

    def _try_examples(self) -> None:
        for place, recipes in enumerate(self.plan.examples):
            before = self.counts.discarded
            instance = instance_recipe(self.target, self.bench.contents)
            if instance is None:
                return  # the search itself will say why none can be had
            self._attempt({**instance, **recipes}, Origin(example=place))
            if self.counts.discarded > before and not self.counts.blocked:
                self._refuse_example(place)

    def _try_cases(self, shard: Shard) -> None:
        """Try what belongs to this shard of the inputs in which some choices are pinned."""
        # a careful planner knows of preconditions that end their process: pins would ask them
        is_wanted = self.options.systematic and self.planner.survives is None
        numbers = shard.systematic if is_wanted else range(0)
        for number, case in zip(numbers, self.drawing.cases(numbers.start), strict=False):
            if self.counts.discarded + self.shard.undrawn > MOST_REFUSED + self.counts.reached:
                return  # filters decide here what is valid, and chance finds that as well
            self._try_case(number, case)

    def _try_case(self, number: int, case: SystematicCase) -> None:
        seed = seed_from(self.options.seed, "systematic", number)
        self.round = Round(seed, MOST_TRIES if case.is_random else 1, case=number)
        self.board.write(process.DRAWING)  # a model is made, which may call preconditions
        asked, held = self.tally.asked.copy(), self.tally.held.copy()
        try:
            self.pinned[:] = [self.drawing.of(case)]
            # the first input that Hypothesis draws is the simplest
            draw = self.random_of_case if case.is_random else self.simplest_of_case
            draw(seed)
        except (NoSuchCall, NotDrawn, HypothesisException):
            return  # no valid call is so, or hardly any
        finally:
            # how often preconditions hold is said of what chance draws
            self.tally.asked, self.tally.held = asked, held
        self._rest()

    def _rounds(self, shard: Shard) -> None:
        fruitless = 0
        for number in itertools.count():
            size = LONG_ROUND if number == 0 else SHORT_ROUND
            self.round = Round(seed_from(self.options.seed, shard.number, number), size)
            before = self.counts.reached
            self._draw_round()
            if self.round.drew_all:
                self.shard.exhausted = True
                return
            fruitless = fruitless + 1 if self.counts.reached == before else 0
            if fruitless == FRUITLESS or self.counts.is_starved:
                return

    def _draw_round(self) -> None:
        try:
            self.rounds_of[self.round.size](self.round.seed)
        except Unsatisfiable:
            return
        except HypothesisException as error:
            if self.counts.calls and not self.options.isolated:
                raise  # a call may have upset this process: try again with the calls apart
            self._stop_with(wrong.undrawable(error, self.target))

    def _refuse_example(self, place: int) -> None:
        note = self.target.signature.of_kind(Example)[place]
        condition = self.tally.refused_by
        assert condition is not None
        self._stop_with(wrong.invalid_example(note, condition, self.target))

    def _begin_drawing(self) -> None:
        self.round.start()
        self.board.write(process.DRAWING)

    def _build_early(self, recipes: dict[str, Any]) -> None:
        """Say which part of an input is built, and its attributes read, while drawing."""
        data = self.teller.dump(recipes) if recipes else b""
        self.board.write(process.DRAWING, data)

    def _count_refused(self) -> None:
        self._count(InputResult.REFUSED)

    def _count(self, result: InputResult) -> None:
        if result is InputResult.REFUSED and self.round.case is not None:
            self.shard.undrawn += 1  # of what is pinned, perhaps nothing is valid
        else:
            self.counts.count(result)

    def _input(self, recipes: Any, origin: Origin | None = None) -> None:
        """Deal with one drawn input; without an origin it comes from the round under way."""
        if origin is None:
            origin = self.round.origin(self.shard.number)
        if isinstance(recipes, DrawFailed):
            made = self.attempts.not_built(recipes.error, {})
            result = self._judge(made, {}, b"", origin)
        else:
            result = self._attempt(recipes, origin)
        self.round.results.append(result)
        self.round.valid += result not in INVALID
        self._check_examples()  # before another one is drawn in vain
        self._check_outcomes()
        # once, as there may be no other
        skip(result, origin.is_one_draw and result is InputResult.KNOWN and not origin.results)

    def _attempt(self, recipes: dict[str, Any], origin: Origin) -> InputResult:
        """Run an input, unless it is known what comes of it; return that."""
        is_replayed = self.replayed < len(self.resume)
        if not is_replayed:
            self._check_examples()
        data = self.teller.dump(recipes)
        name = digest(data)
        result, failed_as = self._known_result(name), self.whole.failed_as.get(name, "")
        if result is None:
            self._check_time()  # which what is only drawn again does not need
            made = self.attempts(recipes, data)
            self.is_spoilt = made.is_spoilt and not self.options.isolated
            result = self._judge(made, recipes, data, origin)
            # what is suspicious may well be so on every input
            failing = (f for f in made.faults if f.verdict is not Verdict.SUSPICIOUS)
            failed_as = " ".join(fault.fingerprint for fault in failing)
            if result in REACHED:
                self.footprint.look()
        if result not in INVALID:  # which is refused again, should it come again
            self.shard.run.add(name)
            self.whole.failed_as[name] = failed_as
        # how an input failed in a child that died is not known
        if result in REACHED and (failed_as or result is not InputResult.FAILED):
            self.shard.outcomes[failed_as] += self.round.is_random
        if not is_replayed:
            self.board.log(result)
        if self.round.case is None:  # of one, what is tallied is put back first
            self._rest()
        return result

    def _known_result(self, name: str) -> InputResult | None:
        """Return what came of an input in an earlier child, or that it has been run already."""
        result = None
        if self.replayed < len(self.resume):
            result = InputResult(self.resume[self.replayed])
            self.replayed += 1
            self.shard.failed_before |= result == InputResult.FAILED
        elif name and name in self.shard.run:
            result = InputResult.KNOWN
        elif name and name in self.whole.failed_as:
            result = InputResult.REPEATED
        if result is not None:
            self._count(result)
        return result

    def _check_time(self) -> None:
        """End the search when its time is spent."""
        limit = self.options.max_seconds
        if limit is not None and self.whole.seconds > limit:
            raise _OutOfTime

    def _check_examples(self) -> None:
        if self.counts.reached >= self.shard.examples:
            raise Stop

    def _check_outcomes(self) -> None:
        """End a shard in which chance finds nothing but one failure."""
        outcomes = +self.shard.outcomes
        if len(outcomes) == 1 and not outcomes[""] and outcomes.total() >= ALIKE:
            self.shard.stopped = STOPPED
            raise Stop

    def _judge(
        self, made: Attempt, recipes: dict[str, Any], data: bytes, origin: Origin
    ) -> InputResult:
        """Count an attempt and report what is new about it."""
        result = made.result
        self._count(result)
        self.teller.progress(self.counts.calls, shard=self.shard.number)
        if result is InputResult.RAN:
            self.counts.slowest = max(self.counts.slowest, made.seconds)
        if made.mistake is not None:
            self._stop_with(made.mistake)
        self.counts.prevented += made.excuse is not None
        for blocked in made.prevented:
            self._report_prevented(blocked, blocked == made.excuse, recipes)
        if made.faults:
            self.counts.blocked += result in INVALID
        for fault in made.faults:
            self._report(fault, recipes, data, origin, made)
        return result

    def _report_prevented(
        self, action: guard.Blocked, broke: bool, recipes: dict[str, Any]
    ) -> None:
        key = f"{action} {broke}"
        if key not in self.whole.prevented:
            self.whole.prevented.add(key)
            call = self.teller.call(recipes)
            told = action.action, action.what, action.allow, broke, call
            self.send(Prevented(self.target.info, *told))

    def _report(
        self, fault: Fault, recipes: dict[str, Any], data: bytes, origin: Origin, made: Attempt
    ) -> None:
        key = fault.fingerprint
        is_own = fault.target.id == self.target.info.id
        is_left = self._has_own_search(fault) and not is_own
        if fault.kind is Kind.GENERATOR or not is_own:
            self.shard.blocked_by = key
        if key not in self.shard.failures:
            if is_left:
                origin = Origin()  # the constructor's own search shrinks its bugs
            failure = self.teller.failure(fault, recipes, data, origin, made.start)
            self.shard.failures[key] = failure
            if key not in self.whole.reported:
                self.whole.reported.add(key)
                self.send(FailureFound(failure))
            if self.options.fail_fast and failure.is_finding and not is_left:
                self.shard.unfinished = FIRST_FINDING
                raise _OutOfTime
        elif fault.died:
            self.counts.lost += made.seconds
            if self.counts.lost > MOST_LOST:
                self.shard.unfinished = "too many of its calls hang or die"
                raise _OutOfTime

    def _has_own_search(self, fault: Fault) -> bool:
        is_searched = self.bench.contents.searches_constructor(fault.target.id)
        return is_searched and fault.kind is not Kind.GENERATOR

    def _stop_with(self, mistake: Mistake) -> None:
        self.shard.is_wrong = True
        self.send(MistakeFound(mistake))
        raise Stop
