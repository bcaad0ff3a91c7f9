"""One attempt at a call: build the values, check the preconditions, call, judge."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic
from types import ModuleType
from typing import Any, Protocol, TypeVar

from annotest import frameworks, process
from annotest.discovery.targets import CONSTRUCTOR, factory_info
from annotest.engine.child import wrong
from annotest.engine.child.bench import Bench
from annotest.engine.child.calling import UnfitArguments, is_unfinished, make_call
from annotest.engine.child.results import Attempt, InputResult, OracleFailed
from annotest.engine.child.seeding import Seeding
from annotest.engine.child.surroundings import Surroundings
from annotest.engine.deaths import Death, fault_of
from annotest.facts import Fault
from annotest.kinds import Kind
from annotest.oracles import keeps_results, oracles_of
from annotest.oracles.crash import DO_WITHOUT, Crash, kind_of, raised
from annotest.oracles.exceptions import is_failure
from annotest.oracles.protocol import Oracle, Outcome, Raised, Returned, TargetCall
from annotest.oracles.verdicts import for_want_of_package, for_want_of_user, leave_out
from annotest.plan.lazy import Taking, has_items, take, taken
from annotest.plan.postconditions import PostconditionFailed
from annotest.plan.preconditions import PreconditionFailed
from annotest.plan.recipe import DIMENSIONS, BuildFailed, Factory
from annotest.plan.strategy import FilterFailed, Tally, run_steps
from annotest.process.own import os

# the modules without which nothing can be sent to another process
_modules = sys.modules
_set_trace = sys.settrace
_exit, _getpid = os._exit, os.getpid  # a call may have replaced them when it ends
_OWN = ("annotest", "hypothesis")
_OURS: dict[str, ModuleType] = {}

T = TypeVar("T")
NotBuilt = BuildFailed | PreconditionFailed | PostconditionFailed | FilterFailed


def remember_modules() -> None:
    """Remember our own modules, to put them back should a call take them away."""
    _OURS.update({k: v for k, v in _modules.items() if k.split(".")[0] in _OWN})


class Attempts(Protocol):
    """Something that makes attempts: in this process, or in others."""

    def __call__(self, recipes: dict[str, Any], data: bytes) -> Attempt:
        """Make the call that the recipes describe; `data` is what they are as bytes."""

    def not_built(self, error: NotBuilt, recipes: dict[str, Any]) -> Attempt:
        """Judge what the user's code raised before the call."""


class _Instead(BaseException):
    """There is no call to judge: this is what the attempt came to instead."""

    def __init__(self, attempt: Attempt) -> None:
        self.attempt = attempt


_REFUSED = Attempt(InputResult.REFUSED)


@dataclass
class InProcess:
    """Makes attempts in this very process.

    With `patience`, lazy results have so many times the time: what failed once must be met again.
    """

    bench: Bench
    tally: Tally
    patience: float = 1.0

    def __post_init__(self) -> None:
        if not _OURS:
            remember_modules()
        bench = self.bench
        self.target, self.board, self.output = bench.target, bench.board, bench.output
        self.limits, self.guard_log = bench.limits, bench.guard_log
        self.workplace = bench.workplace
        go_to = os.chdir if self.workplace is None else self.workplace.enter
        self.surroundings = bench.surroundings or Surroundings(go_to)
        self.seeding = Seeding()
        assert self.target.plan is not None
        self._steps, self._sizes = self.target.plan.steps, self.target.plan.sizes
        self._parameters = self.target.plan.parameters
        self._oracles = oracles_of(self.target, bench.suspicious)
        # where nobody looks at results none is kept: the items of a generator may take much memory,
        # and an instance may hold open files, which are closed after the call
        is_looked_at = keeps_results(self._oracles)
        self._take: Callable[[Any, Taking], Any] = taken if is_looked_at else take
        seconds = self.limits.seconds_of_items(self.target.info.timeout)
        self.taking = Taking(self.limits.items, self.patience * seconds)
        self._drops_instances = self.target.kind == CONSTRUCTOR and not is_looked_at
        self._printed: str | None = None
        self.moved()

    def moved(self) -> None:
        """Take this process for the one that makes the attempts."""
        self._pid = os.getpid()
        if self.workplace is not None:
            self.workplace.clear()  # another one may have died there
            self.workplace.enter()

    def _clear_workplace(self) -> None:
        if self.workplace is not None:
            self.workplace.clear()

    def __call__(self, recipes: dict[str, Any], data: bytes) -> Attempt:
        """Build, check, call, judge."""
        self._printed = None
        self._start_output()
        self.guard_log.start_call()
        try:
            attempt = self._attempt(recipes, data)
        except _Instead as instead:
            attempt = instead.attempt
        if self._has_printed_too_much():
            attempt = self._too_much()
        self.board.write(process.IDLE, data)  # it may yet die of the call
        self.guard_log.start_call()  # what is built while drawing is another matter
        self._clear_workplace()
        self.seeding.end()
        return attempt

    def _start_output(self) -> None:
        self.board.start_output(self.output.start_call())

    def _output_judged(self) -> str:
        """Return what the call printed that is judged, and not what others did since."""
        return self.output.of_call() if self._printed is None else self._printed

    def _has_printed_too_much(self) -> bool:
        return 0 < self.limits.output < self.output.size_of_call()

    def _too_much(self) -> Attempt:
        """Judge what ended before whoever watches this process saw how much it printed."""
        death = Death(self.board.read().phase, 0, Kind.OUTPUT, self.output.of_call())
        self.board.start_output(self.output.size)  # nor is it to be seen from now on
        return self.died(death, self.limits.call)

    def died(self, death: Death, call_limit: float) -> Attempt:
        """Judge an attempt that died, or went past a limit."""
        fault = fault_of(death, self.target.info, self.bench.project, self.limits, call_limit)
        fault = replace(fault, remarks=fault.remarks + self.guard_log.remarks)
        is_unbuilt = fault.kind is Kind.GENERATOR
        result = InputResult.UNBUILT if is_unbuilt else _result_of((fault,))
        return Attempt(result, (fault,), prevented=self.guard_log.blocked)

    def _attempt(self, recipes: dict[str, Any], data: bytes) -> Attempt:
        self.board.write(process.BUILDING, data)
        call = self._built(recipes, data, self.tally)
        states = [
            self._asked(oracle, recipes, partial(oracle.before, call)) for oracle in self._oracles
        ]
        if self._has_printed_too_much():
            return self._too_much()  # which is no fault of the call
        self.board.write(process.CALLING, data)
        began = monotonic()
        try:
            outcome = self._made(call.values)
        except UnfitArguments as unfit:
            return self.not_built(BuildFailed(Factory(self.target.function, ()), unfit), recipes)
        seconds = monotonic() - began
        self.taking.took(seconds)
        faults = self._faults(call, outcome, states, _CallAgain(self, recipes, data))
        if faults:
            return self._failed(faults, outcome)
        return Attempt(InputResult.RAN, prevented=self.guard_log.blocked, seconds=seconds)

    def _built(
        self, recipes: dict[str, Any], data: bytes, tally: Tally, luck: int | None = None
    ) -> TargetCall:
        """Build the call of an input; with some luck, once more."""
        self.surroundings.before_call()
        seen: dict[str, Any] = {}
        try:
            with frameworks.on_device(self.bench.device):
                if luck is None:
                    self.seeding.start(recipes, data)
                else:
                    self.seeding.restart(luck)
                values = run_steps(self._steps, recipes, tally, self._sizes, seen)
        except (BuildFailed, PreconditionFailed, FilterFailed) as error:
            raise _Instead(self.not_built(error, recipes)) from None
        if values is None:
            raise _Instead(_REFUSED)
        sizes = partial(self._dims, recipes, seen)
        return TargetCall(self.target, self.bench.project, values, seen, sizes, recipes)

    def _dims(self, recipes: dict[str, Any], seen: dict[str, Any]) -> Mapping[str, Any]:
        """Return what the named dimensions of a call are."""
        if self._sizes is None:
            return {}
        return recipes.get(DIMENSIONS) or self._sizes.of(seen)

    def _made(self, values: dict[str, Any]) -> Outcome:
        """Make the call and bring it to its end."""
        self.taking.start()
        outcome = self._ended(partial(make_call, self.target, values))
        if isinstance(outcome, Returned) and is_unfinished(self.target, outcome.value):
            return self._ended(partial(self._take, outcome.value, self.taking), outcome.value)
        return outcome

    def _ended(self, run: Callable[[], Any], lazy: Any = None) -> Outcome:
        """Run code under test to its end, and put back what it changed.

        `lazy` is the result that is brought to its end by that.
        """
        value, error = None, None
        try:
            value = run()
            if self.bench.device:
                frameworks.synchronize()  # what goes wrong there is told late
        except UnfitArguments:
            raise
        except BaseException as raised:
            error = raised
        if self._drops_instances:
            value = None
        _set_trace(None)  # one that the call left would be asked about each of our own calls
        self._end_copies()
        self.surroundings.restore()  # before anything else: the call may have changed anything
        if _modules.get(__name__) is not _OURS[__name__]:
            _modules.update(_OURS)
        return Returned(value, has_items(lazy)) if error is None else Raised(error)

    def again(
        self,
        recipes: dict[str, Any],
        data: bytes,
        changes: Mapping[str, Any],
        luck: int,
        late: bool,
    ) -> Outcome:
        """Make the call of an attempt once more, for an oracle."""
        values = self.built_again(recipes, data, 0 if late else luck)
        if late:
            self.seeding.restart(luck)
        known = {self.target.signature.self_name, *(p.name for p in self._parameters)}
        unknown = changes.keys() - known
        if unknown:
            raise TypeError(f"again: there is no argument {', '.join(sorted(unknown))}")
        return self._made({**values, **changes})

    def built_again(self, recipes: dict[str, Any], data: bytes, luck: int) -> dict[str, Any]:
        """Build the arguments of an attempt once more, as for another call."""
        if self._has_printed_too_much():
            raise _Instead(self._too_much())
        self._printed = self._output_judged()
        self._start_output()
        self._clear_workplace()
        self.board.write(process.CALLING, data)  # with time of its own
        return self._built(recipes, data, Tally(), luck).values

    def _faults(
        self, call: TargetCall, outcome: Outcome, states: list[Any], again: _CallAgain
    ) -> tuple[Fault, ...]:
        """Return what the oracles have against a call, each thing once."""
        faults: dict[str, Fault] = {}
        for oracle, state in zip(self._oracles, states, strict=True):
            judge = partial(_listed, oracle.judge, call, outcome, state, again)
            for fault in self._asked(oracle, again.recipes, judge):
                faults.setdefault(fault.fingerprint, fault)
        return tuple(faults.values())

    def _asked(self, oracle: Oracle, recipes: dict[str, Any], ask: Callable[[], T]) -> T:
        """Ask an oracle something; what it raises is its own error, or that of an annotation."""
        try:
            return ask()
        except _Instead:
            raise
        except (PreconditionFailed, PostconditionFailed) as error:
            raise _Instead(self.not_built(error, recipes)) from None
        except BaseException:
            if isinstance(oracle, Crash):
                raise  # it looks at nothing of the user's: the call has upset its process
            where = f"the oracle {oracle.name!r} failed on {self.target.info.id}"
            raise OracleFailed(f"{where}\n{traceback.format_exc()}") from None

    def _failed(self, faults: tuple[Fault, ...], outcome: Outcome) -> Attempt:
        error = outcome.error if isinstance(outcome, Raised) else None
        excused = self._excused(InputResult.FAILED, error)
        return excused or self._found(InputResult.FAILED, faults, error)

    def _excused(self, result: InputResult, error: BaseException | None) -> Attempt | None:
        """Return the attempt if what it raised is the guard's doing."""
        if error is None:
            return None
        excuse = self.guard_log.explains(error, self._output_judged())
        if excuse is None:
            return None
        prevented = dict.fromkeys([*self.guard_log.blocked, excuse])
        return Attempt(result, prevented=tuple(prevented), excuse=excuse)

    def _found(
        self, result: InputResult, faults: tuple[Fault, ...], error: BaseException | None = None
    ) -> Attempt:
        """Return an attempt that failed, whatever was prevented before."""
        output = self.bench.project.unmirrored(self._output_judged())
        told = partial(replace, output=output, items=self.taking.begun)
        faults = tuple(map(told, faults))
        if error is not None and not self.target.info.annotated:
            reasons = error, self.output.asked_for_input, leave_out(self.target.info)
            faults = tuple(for_want_of_user(fault, *reasons) for fault in faults)
        remarks = self.guard_log.remarks
        faults = tuple(replace(fault, remarks=fault.remarks + remarks) for fault in faults)
        if result is InputResult.FAILED:
            result = _result_of(faults)
        if self.bench.device and frameworks.is_spoilt():
            faults = tuple(replace(fault, died=True) for fault in faults)
            return Attempt(result, faults, prevented=self.guard_log.blocked, is_spoilt=True)
        start = self.seeding.used()
        return Attempt(result, faults, prevented=self.guard_log.blocked, start=start)

    def _end_copies(self) -> None:
        """End this process if it is a copy that the call forked and let come back here."""
        if _getpid() != self._pid:
            _exit(0)

    def not_built(self, error: NotBuilt, recipes: dict[str, Any]) -> Attempt:
        """Judge what a generator, a constructor or an annotation raised before the call."""
        self._end_copies()
        self.surroundings.restore()
        if isinstance(error, BuildFailed):
            return self._build_failed(error)
        mistake = wrong.raising_annotation(error, recipes, self.target)
        return Attempt(InputResult.WRONG, mistake=mistake)

    def _build_failed(self, failed: BuildFailed) -> Attempt:
        factory, error = failed.factory, failed.error
        if failed.is_allowed:
            return _REFUSED
        if not is_failure(error):
            mistake = wrong.leaving_generator(factory, self.target)
            return Attempt(InputResult.WRONG, mistake=mistake)
        project = self.bench.project
        info, target = factory_info(factory), self.target.info
        if not info.file:  # what is built in has no place of its own
            info = replace(info, file=target.file, line=target.line)
        fault = raised(error, kind_of(error), info, project)
        if not factory.is_constructor:
            # with the identity that its own search gives it, and every other target that uses it
            fault = replace(fault, kind=Kind.GENERATOR)
        fault = for_want_of_package(fault, error, project, DO_WITHOUT)
        excused = self._excused(InputResult.UNBUILT, error)
        return excused or self._found(InputResult.UNBUILT, (fault,))


@dataclass
class _CallAgain:
    """Makes the call of an attempt once more."""

    attempts: InProcess
    recipes: dict[str, Any]
    data: bytes

    def __call__(self, changes: Mapping[str, Any], luck: int = 0, late: bool = False) -> Outcome:
        """Make it, with other values for some arguments."""
        return self.attempts.again(self.recipes, self.data, changes, luck, late)

    def built(self, luck: int = 0) -> dict[str, Any]:
        """Build its arguments, and make no call."""
        return self.attempts.built_again(self.recipes, self.data, luck)


def _result_of(faults: tuple[Fault, ...]) -> InputResult:
    """Return what a call came to with which fault is found, or which is only noted."""
    has_failed = any(fault.is_finding for fault in faults)
    return InputResult.FAILED if has_failed else InputResult.RAN


def _listed(judge: Callable[..., Iterable[Fault]], *about: Any) -> tuple[Fault, ...]:
    """Have an oracle judge to its end, should it do so one fault at a time."""
    return tuple(judge(*about))
