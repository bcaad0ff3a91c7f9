"""The search on one target: valid inputs, one after the other, until the budget is spent.

It runs in a child process. A failure is reported when it is first seen, and the search goes on:
further inputs that show a known failure count as if they had passed, so that what is drawn never
depends on what was found. Shrinking comes later, as a job of its own.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from hypothesis.errors import HypothesisException, Unsatisfiable

from annotest import guard, process
from annotest.discovery.targets import CONSTRUCTOR
from annotest.engine.child import wrong
from annotest.engine.child.attempt import Attempts
from annotest.engine.child.bench import Bench
from annotest.engine.child.counting import Counts, rates_of
from annotest.engine.child.results import INVALID, Attempt, InputResult
from annotest.engine.child.rounds import (
    AGAIN,
    Choices,
    Damaged,
    Rounds,
    Stop,
    instance_recipe,
    recipes_of,
    run_round,
    skip,
)
from annotest.engine.child.telling import Teller
from annotest.engine.options import (
    LONG_ROUND,
    SHORT_ROUND,
    SearchOptions,
    Shard,
    seed_from,
)
from annotest.errors import Mistake
from annotest.events import (
    FailureFound,
    MistakeFound,
    Prevented,
    Progress,
    SearchEnded,
    ShardEnded,
    Warned,
)
from annotest.facts import Failure, Fault, Origin, TargetResult
from annotest.kinds import Kind, Status
from annotest.plan.strategy import DrawFailed, Interpreter, Tally
from annotest.simplify import Form
from annotest.spec import Example

PROGRESS_EVERY = 0.1
# so many rounds without an input that is new, and a shard ends
FRUITLESS = 3
# deaths that are known already cost time and tell nothing: after so many seconds of them the
# target is left
MOST_LOST = 10.0
# fewer invalid draws than this do not make Hypothesis give up: it has then drawn all there is
FEW_INVALID = 100


class _OutOfTime(BaseException):
    """The target's time is spent."""


@dataclass
class _Round:
    """What a round has come to so far."""

    seed: int
    size: int
    results: bytearray = field(default_factory=bytearray)
    started: int = 0
    valid: int = 0


class Search:
    """The state of one search."""

    def __init__(
        self, bench: Bench, options: SearchOptions, attempts: Attempts, tally: Tally
    ) -> None:
        assert bench.target.plan is not None
        self.bench, self.target, self.plan = bench, bench.target, bench.target.plan
        self.options = options
        self.attempts, self.tally = attempts, tally
        self.teller, self.send = Teller(bench), bench.send
        self.board, self.planner = bench.board, bench.contents.planner
        self.began = monotonic()
        self.reported: set[str] = set(self.options.reported)
        self.prevented: set[str] = set()
        self.run_ever: set[int] = set()
        self.resume = self.options.resume
        self.failed_before = False
        self.wrong = False
        self.exhausted = False
        self.unfinished = ""
        self.round = _Round(0, 0)
        self.reported_at = 0.0

    def run(self) -> None:
        """Search the shards, report the failures, and say how it ended."""
        interpreter = Interpreter(self.planner, self.tally)
        told = self._begin_drawing, self._count_refused, self._build_early
        self.strategy = interpreter.recipes(self.plan, *told)
        sizes = (LONG_ROUND, SHORT_ROUND)
        self.rounds_of = {size: Rounds(self.strategy, self._input, size) for size in sizes}
        for shard in self.options.shards:
            self._begin_shard(shard)
            self._search_shard(shard)
            self.send(ShardEnded(shard.number, self._result()))
            if self.exhausted or self.wrong or self.unfinished:
                break
        self.send(SearchEnded())

    def _begin_shard(self, shard: Shard) -> None:
        """Forget the shard before: what comes of this one must not depend on it."""
        self.shard = shard
        self.shard_began = monotonic()
        self.counts = Counts()
        self.failures: dict[str, Failure] = {}
        self.run_before: set[int] = set()
        self.blocked_by = ""
        self.tally.asked.clear()
        self.tally.held.clear()
        self.board.start_log(self.resume)
        self.replayed = 0

    def _search_shard(self, shard: Shard) -> None:
        try:
            if shard.number == 0:
                self._try_known()
                self._try_examples()
            if self.plan.draws:
                self._rounds(shard)
            else:
                self._attempt({}, Origin())
                self.exhausted = True
        except Stop:
            pass  # the shard has all its inputs, or an annotation is wrong
        except _OutOfTime:
            self.unfinished = self.unfinished or "its time was spent"
        self.resume = b""

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
                run_round(self.strategy, test, 0, 1, AGAIN, Choices(origin.choices))
            except HypothesisException:
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

    def _rounds(self, shard: Shard) -> None:
        fruitless = 0
        for number in itertools.count():
            size = LONG_ROUND if number == 0 else SHORT_ROUND
            self.round = _Round(seed_from(self.options.seed, shard.number, number), size)
            before = self.counts.reached
            self._draw_round()
            if self._drew_all():
                self.exhausted = True
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

    def _drew_all(self) -> bool:
        """Say whether Hypothesis ended the round early because there is nothing else to draw."""
        valid, invalid = self.round.valid, self.round.started - self.round.valid
        return valid < self.round.size and invalid < FEW_INVALID

    def _refuse_example(self, place: int) -> None:
        note = self.target.signature.of_kind(Example)[place]
        condition = self.tally.refused_by
        assert condition is not None
        self._stop_with(wrong.invalid_example(note, condition, self.target))

    def _begin_drawing(self) -> None:
        self.round.started += 1
        self.board.write(process.DRAWING)

    def _build_early(self, recipes: dict[str, Any]) -> None:
        """Say which part of an input is built, and its attributes read, while drawing."""
        data = self.teller.dump(recipes) if recipes else b""
        self.board.write(process.DRAWING, data)

    def _count_refused(self) -> None:
        self.counts.discarded += 1

    def _input(self, recipes: Any, origin: Origin | None = None) -> None:
        """Deal with one drawn input; without an origin it comes from the round under way."""
        if origin is None:
            now = self.round
            origin = Origin(self.shard.number, now.seed, now.size, bytes(now.results))
        if isinstance(recipes, DrawFailed):
            made = self.attempts.not_built(recipes.error, {})
            result = self._judge(made, {}, b"", origin)
        else:
            result = self._attempt(recipes, origin)
        self.round.results.append(result)
        self.round.valid += result not in INVALID
        self._check_examples()  # before another one is drawn in vain
        skip(result)

    def _attempt(self, recipes: dict[str, Any], origin: Origin) -> InputResult:
        """Run an input, unless it is known what comes of it; return that."""
        self._check_budget()
        data = self.teller.dump(recipes)
        result = self._known_result(data)
        if result is None:
            made = self.attempts(recipes, data)
            result = self._judge(made, recipes, data, origin)
        if result not in INVALID:  # which is refused again, should it come again
            self.run_before.add(hash(data))
            self.run_ever.add(hash(data))
        if self.replayed >= len(self.resume):
            self.board.log(result)
        return result

    def _known_result(self, data: bytes) -> InputResult | None:
        """Return what came of an input in a child that died, or that it has been run already."""
        name = hash(data)
        result = None
        if self.replayed < len(self.resume):
            result = InputResult(self.resume[self.replayed])
            self.replayed += 1
            self.failed_before |= result == InputResult.FAILED
        elif data and name in self.run_before:
            result = InputResult.KNOWN
        elif data and name in self.run_ever:
            result = InputResult.REPEATED
        if result is not None:
            self.counts.count(result)
        return result

    def _check_budget(self) -> None:
        """End the search when its budget is spent."""
        limit = self.options.max_seconds
        if limit is not None and monotonic() - self.began > limit:
            raise _OutOfTime
        self._check_examples()

    def _check_examples(self) -> None:
        if self.counts.reached >= self.shard.examples:
            raise Stop

    def _judge(
        self, made: Attempt, recipes: dict[str, Any], data: bytes, origin: Origin
    ) -> InputResult:
        """Count an attempt and report what is new about it."""
        result = made.result
        self.counts.count(result)
        self._show_progress()
        if result is InputResult.RAN:
            self.counts.slowest = max(self.counts.slowest, made.seconds)
        if made.mistake is not None:
            self._stop_with(made.mistake)
        for blocked in made.prevented:
            self._report_prevented(blocked, result, recipes)
        if made.faults:
            self.counts.blocked += result in INVALID
        for fault in made.faults:
            self._report(fault, recipes, data, origin, made.seconds)
        return result

    def _show_progress(self) -> None:
        now = monotonic()
        if now - self.reported_at > PROGRESS_EVERY:
            self.reported_at = now
            self.send(Progress(self.target.info.id, self.counts.calls, shard=self.shard.number))

    def _report_prevented(
        self, action: guard.Blocked, result: InputResult, recipes: dict[str, Any]
    ) -> None:
        broke = result != InputResult.RAN
        self.counts.prevented += broke
        key = f"{action} {broke}"
        if key not in self.prevented:
            self.prevented.add(key)
            call = self.teller.call(recipes)
            told = action.action, action.what, action.allow, broke, call
            self.send(Prevented(self.target.info, *told))

    def _report(
        self, fault: Fault, recipes: dict[str, Any], data: bytes, origin: Origin, seconds: float
    ) -> None:
        key = fault.fingerprint
        is_own = fault.target.id == self.target.info.id
        if fault.kind is Kind.GENERATOR or not is_own:
            self.blocked_by = key
        if key not in self.failures:
            if self._has_own_search(fault) and not is_own:
                origin = Origin()  # the constructor's own search shrinks its bugs
            failure = self.teller.failure(fault, recipes, data, origin, monotonic() - self.began)
            self.failures[key] = failure
            if key not in self.reported:
                self.reported.add(key)
                self.send(FailureFound(failure))
        elif fault.died:
            self.counts.lost += seconds
            if self.counts.lost > MOST_LOST:
                self.unfinished = "too many of its calls hang or die"
                raise _OutOfTime

    def _has_own_search(self, fault: Fault) -> bool:
        targets = [target for target in self.bench.contents.targets if target.plan is not None]
        searched = {target.info.id for target in targets if target.kind == CONSTRUCTOR}
        return fault.kind is not Kind.GENERATOR and fault.target.id in searched

    def _stop_with(self, mistake: Mistake) -> None:
        self.wrong = True
        self.send(MistakeFound(mistake))
        raise Stop

    def _result(self) -> TargetResult:
        counts = self.counts
        status, reason = self._status()
        return TargetResult(
            self.target.info,
            status,
            counts.calls,
            counts.discarded,
            monotonic() - self.shard_began,
            reason,
            self.blocked_by if status == Status.BLOCKED else "",
            rates_of(self.tally),
            counts.slowest,
            self.exhausted,
            self.unfinished,
        )

    def _status(self) -> tuple[Status, str]:
        counts = self.counts
        own = [failure for failure in self.failures.values() if self._is_own(failure)]
        if self.wrong:
            return Status.ERROR, "an annotation is wrong"
        if own or self.failed_before:
            return Status.FAILED, ""
        if counts.prevented:
            return Status.PREVENTED, "the guard kept calls from what they do"
        if counts.reached == 0 and self.blocked_by:
            return Status.BLOCKED, f"no input could be built: see finding {self.blocked_by}"
        if self.counts.is_starved and not self.unfinished:
            return Status.STARVED, self.counts.why_starved(self.tally)
        return Status.PASSED, ""

    def _is_own(self, failure: Failure) -> bool:
        return failure.kind is not Kind.GENERATOR and failure.target.id == self.target.info.id
