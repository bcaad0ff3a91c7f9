"""Attempts that may die: each in a child of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

from annotest import process
from annotest.engine.child.attempt import InProcess, NotBuilt
from annotest.engine.child.counting import attempt_of, attempted
from annotest.engine.child.results import Attempt, Attempted, InputResult
from annotest.engine.deaths import Death
from annotest.kinds import Kind
from annotest.oracles.crash import died
from annotest.process.own import time

POLL = 0.02
SHORTEST_PAUSE = 0.0002


@dataclass
class Isolated:
    """Makes attempts in children, and survives them.

    The process that forks them only draws inputs: it builds nothing and calls nothing. Where a
    call harms its parent, a process in between is the parent.
    """

    attempts: InProcess
    call_limit: float
    shielded: bool = False

    def __post_init__(self) -> None:
        self._has_shield = self.shielded and process.CAN_SHIELD
        process.adopt_orphans()
        self._board = process.Blackboard()  # the children's; ours says that nothing is under way
        self._idle = self.attempts.board
        bench = replace(self.attempts.bench, board=self._board)
        self.attempts = replace(self.attempts, bench=bench)

    def __call__(self, recipes: dict[str, Any], data: bytes) -> Attempt:
        """Make one attempt in a child."""
        began = monotonic()
        self._idle.write(process.IDLE, data)
        self._board.clear()
        self.attempts.output.clear()
        answers = process.Channel()
        segments = process.watched()
        mark = 0 if segments is None else segments.mark()

        def attempt() -> None:
            answers.writing_end()
            answers.send(self._attempt(recipes, data))

        def begin() -> int:
            return process.fork(attempt, answers.send)

        pid = process.shielded(begin, answers.send) if self._has_shield else begin()
        answers.reading_end()
        try:
            made = self._wait(pid, answers)
            made = made if made.seconds else replace(made, seconds=monotonic() - began)
            self.attempts.taking.took(made.seconds)  # of the next child's too
            return made
        finally:
            answers.close()
            process.kill(pid)
            process.reap(pid)
            process.end_strays()
            if segments is not None:
                segments.remove(mark)

    def _attempt(self, recipes: dict[str, Any], data: bytes) -> Attempted:
        """Make the attempt, in the child."""
        attempts, tally = self.attempts, self.attempts.tally
        attempts.moved()
        tally.asked.clear()
        tally.held.clear()
        return attempted(lambda: attempts(recipes, data), tally, attempts.target)

    def not_built(self, error: NotBuilt, recipes: dict[str, Any]) -> Attempt:
        """Judge what the user's code raised while the input was drawn, in this process."""
        return self.attempts.not_built(error, recipes)

    def _wait(self, pid: int, answers: process.Channel) -> Attempt:
        attempts = self.attempts
        watch = process.Watch(attempts.limits, self.call_limit, self._board, attempts.output)
        pause = SHORTEST_PAUSE
        while True:
            # its end is not seen by the pipe: others may hold that, or it may have closed it
            status = process.reap_if_ended(pid)
            try:
                answer = answers.receive(POLL if status is None else 0)
            except process.Gone:
                answer = None
                time.sleep(pause)
                pause = min(2 * pause, POLL)
            if answer is not None:
                return self._answered(pid, answer)
            if status is not None:
                return self._judged(self._board.read().phase, status, None)
            ending = self._exceeded(pid, watch)
            if ending is not None:
                return ending

    def _answered(self, pid: int, answer: Attempted | str) -> Attempt:
        if isinstance(answer, str):
            phase, output = self._board.read().phase, self.attempts.output.tail()
            return upset(self.attempts, phase, answer, output)
        status = process.status_if_ended(pid) if self._has_shield else None
        if status is not None and process.was_sent(status):  # by the call, to its parent
            return self._judged(self._board.read().phase, status, None)
        return attempt_of(answer, self.attempts.tally, self.attempts.target)

    def _exceeded(self, pid: int, watch: process.Watch) -> Attempt | None:
        """End a child that is past a limit, or whose shield has been stopped; judge that."""
        child = process.behind(pid) if self._has_shield else pid
        exceeded = watch.exceeded(child)
        if not exceeded and not (self._has_shield and process.is_stopped(pid)):
            return None
        phase = self._board.read().phase
        if exceeded:
            process.ask_for_dump(child, self.attempts.output, exceeded is Kind.TIMEOUT)
        process.kill(pid)
        return self._judged(phase, process.reap(pid), exceeded)

    def _judged(self, phase: int, status: int, exceeded: Kind | None) -> Attempt:
        if self._has_shield and phase == process.IDLE and process.was_sent(status):
            phase = process.CALLING  # the call harmed its parent, and came back before its end
        death = Death(phase, status, exceeded, self.attempts.output.tail())
        return self.attempts.died(death, self.call_limit)


def upset(attempts: InProcess, phase: int, text: str, output: str) -> Attempt:
    """Judge a child in which our own code failed: if a call had begun, the call upset it."""
    if phase in (process.DRAWING, process.BUILDING):
        raise RuntimeError(text)
    why = (text.strip().splitlines() or [""])[-1]
    message = f"the call left its process in disorder: {why}"
    fault = died(Kind.DIED, attempts.target.info, message, output=output)
    return Attempt(InputResult.FAILED, (fault,))
