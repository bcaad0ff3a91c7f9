"""One attempt at a call: build the values, check the preconditions, call, judge."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from time import monotonic
from types import ModuleType
from typing import Any, Protocol

from annotest import guard, process
from annotest.discovery.targets import Target, factory_info
from annotest.engine import wrong
from annotest.engine.calling import UnfitArguments, make_call
from annotest.engine.deaths import Death, fault_of
from annotest.engine.outcome import FAILED, RAN, REFUSED, UNBUILT, WRONG, Fault, Outcome
from annotest.engine.surroundings import Surroundings
from annotest.events import TargetInfo
from annotest.oracles.crash import Project, crash_of, is_a, is_failure
from annotest.plan.lazy import finish, is_lazy
from annotest.plan.preconditions import PreconditionFailed
from annotest.plan.recipe import BuildFailed, Factory
from annotest.plan.strategy import FilterFailed, Tally, run_steps
from annotest.process.limits import OUTPUT, Limits

# the modules without which nothing can be sent to another process
_modules = sys.modules
_set_trace = sys.settrace
_OWN = ("annotest", "hypothesis")
_OURS: dict[str, ModuleType] = {}

NotBuilt = BuildFailed | PreconditionFailed | FilterFailed


def remember_modules() -> None:
    """Remember our own modules, to put them back should a call take them away."""
    _OURS.update({k: v for k, v in _modules.items() if k.split(".")[0] in _OWN})


class Attempts(Protocol):
    """Something that makes attempts: in this process, or in others."""

    def __call__(self, recipes: dict[str, Any], data: bytes, count: int) -> Outcome:
        """Make the call that the recipes describe, the one with this number."""

    def not_built(self, error: NotBuilt, recipes: dict[str, Any]) -> Outcome:
        """Judge what the user's code raised before the call."""


_REFUSED = Outcome(REFUSED)


@dataclass
class InProcess:
    """Makes attempts in this very process."""

    target: Target
    project: Project
    board: process.Blackboard
    output: process.Output
    tally: Tally
    guard_log: guard.Log
    surroundings: Surroundings
    limits: Limits

    def __post_init__(self) -> None:
        if not _OURS:
            remember_modules()
        assert self.target.plan is not None
        self._steps, self._sizes = self.target.plan.steps, self.target.plan.sizes
        self.moved()

    def moved(self) -> None:
        """Take this process for the one that makes the attempts."""
        self._pid = os.getpid()

    def __call__(self, recipes: dict[str, Any], data: bytes, count: int) -> Outcome:
        """Build, check, call."""
        self.board.start_output(self.output.start_call())
        self.guard_log.start_call()
        outcome = self._attempt(recipes, data, count)
        if self._has_printed_too_much():
            outcome = self._too_much()
        self.board.write(process.IDLE, count + 1, data)  # it may yet die of the call
        return outcome

    def _has_printed_too_much(self) -> bool:
        return 0 < self.limits.output < self.output.size_of_call()

    def _too_much(self) -> Outcome:
        """Judge what ended before whoever watches this process saw how much it printed."""
        death = Death(self.board.read().phase, 0, OUTPUT, self.output.of_call())
        self.board.start_output(self.output.size)  # nor is it to be seen from now on
        return self.died(death, self.limits.call)

    def died(self, death: Death, call_limit: float) -> Outcome:
        """Judge an attempt that died, or went past a limit."""
        fault = fault_of(death, self.target.info, self.project, self.limits, call_limit)
        return Outcome(UNBUILT if fault.kind == "generator" else FAILED, fault)

    def _attempt(self, recipes: dict[str, Any], data: bytes, count: int) -> Outcome:
        self.board.write(process.BUILDING, count, data)
        self.surroundings.before_call()
        try:
            values = run_steps(self._steps, recipes, self.tally, self._sizes)
        except (BuildFailed, PreconditionFailed, FilterFailed) as error:
            return self.not_built(error, recipes)
        if values is None:
            return _REFUSED
        if self._has_printed_too_much():
            return self._too_much()  # which is no fault of the call
        self.board.write(process.CALLING, count + 1, data)
        return self._called(values, recipes)

    def _called(self, values: dict[str, Any], recipes: dict[str, Any]) -> Outcome:
        began = monotonic()
        error: BaseException | None = None
        result = None
        try:
            result = make_call(self.target, values)
        except UnfitArguments as unfit:
            return self.not_built(BuildFailed(Factory(self.target.function, ()), unfit), recipes)
        except BaseException as raised:
            error = raised
        _set_trace(None)  # one that the call left would be asked about each of our own calls
        self.surroundings.restore()  # before anything else: the call may have changed anything
        if _modules.get(__name__) is not _OURS[__name__]:
            _modules.update(_OURS)
        self._end_copies()
        if is_lazy(result):
            error = self._finish(result)
        seconds = monotonic() - began
        if error is None or not is_failure(error):
            return Outcome(RAN, prevented=self.guard_log.blocked, seconds=seconds)
        return self._failed(error)

    def _finish(self, result: Any) -> BaseException | None:
        """Bring a lazy result to its end; return what it raised."""
        try:
            finish(result)
        except BaseException as raised:
            return raised
        finally:
            self.surroundings.restore()
            self._end_copies()
        return None

    def _failed(self, error: BaseException) -> Outcome:
        prevented = self._prevented(error)
        if prevented:
            return Outcome(FAILED, prevented=prevented)
        kind = "exit" if is_a(error, SystemExit) else "exception"
        return self._fault(error, kind, self.target.info, FAILED)

    def _prevented(self, error: BaseException) -> tuple[guard.Blocked, ...]:
        """Return what the guard prevented, if the failure may be due to it."""
        explained = self.guard_log.explains(error)
        return self.guard_log.blocked or (() if explained is None else (explained,))

    def _end_copies(self) -> None:
        """End this process if it is a copy that the call forked and let come back here."""
        if os.getpid() != self._pid:
            os._exit(0)

    def not_built(self, error: NotBuilt, recipes: dict[str, Any]) -> Outcome:
        """Judge what a generator, a constructor or an annotation raised before the call."""
        self.surroundings.restore()
        self._end_copies()
        if isinstance(error, BuildFailed):
            return self._build_failed(error)
        mistake = wrong.raising_annotation(error, recipes, self.target)
        return Outcome(WRONG, mistake=mistake)

    def _build_failed(self, failed: BuildFailed) -> Outcome:
        factory, error = failed.factory, failed.error
        if not is_failure(error):
            return Outcome(WRONG, mistake=wrong.leaving_generator(factory, self.target))
        prevented = self._prevented(error)
        if prevented:
            return Outcome(UNBUILT, prevented=prevented)
        kind = "exception" if factory.is_constructor else "generator"
        if is_a(error, SystemExit) and factory.is_constructor:
            kind = "exit"
        return self._fault(error, kind, factory_info(factory), UNBUILT)

    def _fault(self, error: BaseException, kind: str, info: TargetInfo, result: int) -> Outcome:
        crash = crash_of(error, self.project, kind, info.id)
        return Outcome(result, Fault(kind, info, crash, self.output.of_call()))
