"""Attempts that may die where nothing is forked: in a worker that imports the module again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

from annotest import process
from annotest.engine.child.attempt import InProcess, NotBuilt
from annotest.engine.child.counting import attempt_of
from annotest.engine.child.isolated import upset
from annotest.engine.child.results import Attempt, Attempted
from annotest.engine.jobs import AttemptInput
from annotest.engine.lane.supervisor import InternalError, ModuleWorker
from annotest.engine.worker.worker import Worker


@dataclass
class Apart:
    """Makes attempts in a worker, which is kept until a call kills it: importing takes long.

    What kills a worker that made calls before may be due to those. Unless a fresh one has died in
    the same way, it is tried again in a fresh one, and what comes of it there counts.
    """

    attempts: InProcess
    worker: ModuleWorker
    place: int
    call_limit: float

    @classmethod
    def below(cls, above: Worker, place: int, attempts: InProcess, call_limit: float) -> Apart:
        """Return what makes attempts in a worker below another one."""
        # nobody is told what it says of its module: that has been told
        module = ModuleWorker(
            above.file, above.options, above.limits, lambda event: None, is_kept=True
        )
        return cls(attempts, module, place, call_limit)

    def __post_init__(self) -> None:
        self._deaths: set[str] = set()

    def __call__(self, recipes: dict[str, Any], data: bytes) -> Attempt:
        """Make one attempt in the worker; in this process where the input cannot be sent."""
        if not data:
            return self.attempts(recipes, data)
        self.attempts.board.write(process.IDLE, data)
        self.worker.ensure_running()
        was_used = self.worker.is_used
        attempt = self._attempt(data)
        if was_used and self._is_doubtful(attempt):
            self.worker.ensure_running()
            attempt = self._attempt(data)
        if not self.worker.is_running:
            self._deaths.add(_name(attempt))
        return attempt

    def _is_doubtful(self, attempt: Attempt) -> bool:
        """Say whether the worker died as no fresh one has, or not while it made the call."""
        if self.worker.is_running:
            return False
        return _name(attempt) not in self._deaths or self.worker.phase == process.IDLE

    def not_built(self, error: NotBuilt, recipes: dict[str, Any]) -> Attempt:
        """Judge what the user's code raised while the input was drawn, in this process."""
        return self.attempts.not_built(error, recipes)

    def _attempt(self, data: bytes) -> Attempt:
        began = monotonic()  # when the worker runs: starting it is no fault of the call
        attempt = self._made(AttemptInput(self.place, data))
        return attempt if attempt.seconds else replace(attempt, seconds=monotonic() - began)

    def _made(self, job: AttemptInput) -> Attempt:
        attempts, worker = self.attempts, self.worker
        try:
            ended = worker.do(job, self.call_limit)
        except InternalError as error:
            return upset(attempts, worker.phase, str(error), worker.output)
        made = ended.last(Attempted)
        if made is None:
            return attempts.died(ended.death, self.call_limit)
        return attempt_of(made, attempts.tally, attempts.target)


def _name(attempt: Attempt) -> str:
    return attempt.faults[0].fingerprint if attempt.faults else ""
