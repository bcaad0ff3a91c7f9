"""Attempts that may die: each in a child of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

from annotest import process
from annotest.engine.attempt import InProcess, NotBuilt
from annotest.engine.counting import attempted, outcome_of
from annotest.engine.deaths import Death, fingerprint
from annotest.engine.outcome import FAILED, Attempted, Fault, Outcome
from annotest.engine.postmortem import DUMP_SIGNAL
from annotest.oracles.crash import Crash

POLL = 0.02


@dataclass
class Isolated:
    """Makes attempts in children, and survives them.

    The process that forks them only draws inputs: it builds nothing and calls nothing.
    """

    attempts: InProcess
    call_limit: float

    def __post_init__(self) -> None:
        process.adopt_orphans()
        self._board = process.Blackboard()  # the children's; ours says that nothing is under way
        self._idle = self.attempts.board
        self.attempts.board = self._board

    def __call__(self, recipes: dict[str, Any], data: bytes, count: int) -> Outcome:
        """Make one attempt in a child."""
        began = monotonic()
        self._idle.write(process.IDLE, count + 1, data)
        self._board.clear()
        self.attempts.output.clear()
        answers = process.Channel()
        segments = process.watched()
        made = 0 if segments is None else segments.mark()

        def attempt() -> None:
            answers.writing_end()
            answers.send(self._attempt(recipes, data, count))

        pid = process.fork(attempt, lambda text: answers.send(text))
        answers.reading_end()
        try:
            outcome = self._wait(pid, answers)
            return outcome if outcome.seconds else replace(outcome, seconds=monotonic() - began)
        finally:
            answers.close()
            process.kill(pid)
            process.reap(pid)
            process.end_strays()
            if segments is not None:
                segments.remove(made)

    def _attempt(self, recipes: dict[str, Any], data: bytes, count: int) -> Attempted:
        """Make the attempt, in the child."""
        attempts, tally = self.attempts, self.attempts.tally
        attempts.moved()
        tally.asked.clear()
        tally.held.clear()
        return attempted(attempts(recipes, data, count), tally, attempts.target)

    def not_built(self, error: NotBuilt, recipes: dict[str, Any]) -> Outcome:
        """Judge what the user's code raised while the input was drawn, in this process."""
        return self.attempts.not_built(error, recipes)

    def _wait(self, pid: int, answers: process.Channel) -> Outcome:
        attempts = self.attempts
        watch = process.Watch(attempts.limits, self.call_limit, self._board, attempts.output)
        while True:
            try:
                answer = answers.receive(POLL)
            except process.Gone:
                return self._died(pid, "")
            if isinstance(answer, str):
                return self._upset(answer)
            if answer is not None:
                return outcome_of(answer, attempts.tally, attempts.target)
            exceeded = watch.exceeded(pid)
            if exceeded:
                return self._died(pid, exceeded)

    def _upset(self, text: str) -> Outcome:
        return upset(self.attempts, self._board.read().phase, text, self.attempts.output.tail())

    def _died(self, pid: int, exceeded: str) -> Outcome:
        phase = self._board.read().phase
        if exceeded:
            process.ask_for_dump(pid, DUMP_SIGNAL)
            process.kill(pid)
        status = process.reap(pid)
        death = Death(phase, status, exceeded, self.attempts.output.tail())
        return self.attempts.died(death, self.call_limit)


def upset(attempts: InProcess, phase: int, text: str, output: str) -> Outcome:
    """Judge a child in which our own code failed: if a call had begun, the call upset it."""
    if phase in (process.DRAWING, process.BUILDING):
        raise RuntimeError(text)
    why = (text.strip().splitlines() or [""])[-1]
    info = attempts.target.info
    message = f"the call left its process in disorder: {why}"
    crash = Crash("", message, None, None, fingerprint("died", info))
    return Outcome(FAILED, Fault("died", info, crash, output))
