"""Oracles by name: what each word of `promises` judges, after a call or in the text of one.

Each word has a file of its name here, loaded when somebody uses it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module
from typing import Any, TypeVar

from annotest.facts import Fault
from annotest.oracles.judging import Unjudgeable
from annotest.oracles.protocol import Again, Oracle, Outcome, Returned, TargetCall
from annotest.plan.postconditions import RESULT, PostconditionFailed
from annotest.promises import WORDS, OracleWord
from annotest.records import record
from annotest.spec import Ensure

T = TypeVar("T", bound=Oracle)
# why a value of a call is not so, with the word's options: what stands behind the value's name,
# as in " is nan" and "[0] is nan"
Reasons = Callable[..., Iterator[str]]


@record
class Opinion:
    """What an oracle says of a value in the text of a condition: false where there is a reason.

    The reason stands behind the name of the value.
    """

    reason: str

    def __bool__(self) -> bool:
        return not self.reason


class Judged:
    """The oracle of a word that judges values: finds fault with the first that is not so."""

    def __init__(self, note: Ensure, reasons: Reasons) -> None:
        assert isinstance(note.condition, OracleWord)
        self._note, self._word, self._reasons = note, note.condition, reasons
        self.name = self._word.name

    def before(self, call: TargetCall) -> None:
        """Remember nothing."""

    def judge(
        self, call: TargetCall, outcome: Outcome, state: None, again: Again
    ) -> Iterator[Fault]:
        """Judge what was returned; of a lazy result, each item."""
        if not isinstance(outcome, Returned):
            return
        for place, value in outcome.each():
            reason = self._reason(value, call)
            if reason:
                said = f"{place}{RESULT}{reason}"
                yield call.fault(self.name, said, repr(self._word), self._note.site)
                return

    def _reason(self, value: Any, call: TargetCall) -> str:
        try:
            return next(self._reasons(value, call, **self._word.options), "")
        except Unjudgeable as error:
            raise PostconditionFailed(self._note, error) from None


_VALUES: dict[str, Reasons] = {}
_CALLS: dict[str, Callable[..., Oracle]] = {}


def judges_values(word: OracleWord) -> Callable[[Reasons], Reasons]:
    """Have a function give the reasons why a value is not what a word says."""

    def registered(reasons: Reasons) -> Reasons:
        return _VALUES.setdefault(word.name, reasons)

    return registered


def judges_calls(word: OracleWord) -> Callable[[type[T]], type[T]]:
    """Have a class be the oracle of a word: it is made of the annotation in which that stands."""

    def registered(made: type[T]) -> type[T]:
        _CALLS.setdefault(word.name, made)
        return made

    return registered


def oracle_of(note: Ensure, **more: Any) -> Oracle:
    """Return the oracle of a word that stands in an annotation; `more` is for one on calls."""
    assert isinstance(note.condition, OracleWord)
    name = note.condition.name
    load(name)
    return _CALLS[name](note, **more) if name in _CALLS else Judged(note, _VALUES[name])


def reasons_of(name: str) -> Reasons:
    """Return what an oracle that judges values says of one."""
    load(name)
    return _VALUES[name]


def load(name: str) -> None:
    """Load the file of a word."""
    import_module(f"{__name__}.{name}")


def in_text(names: Iterable[str], call: TargetCall) -> dict[str, Any]:
    """Return what words mean in the text of a condition: functions of a value and their options."""
    return {name: partial(_answer, name, call) for name in names}


def _answer(name: str, call: TargetCall, value: Any, *args: Any, **options: Any) -> Opinion:
    given = WORDS[name](*args, **options).options
    return Opinion(next(_VALUES[name](value, call, **given), ""))
