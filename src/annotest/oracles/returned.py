"""The oracle of `@returns` and of precise return hints: the result satisfies a constraint."""

from __future__ import annotations

from collections.abc import Iterator

from annotest.facts import Fault
from annotest.oracles.ordinary import is_ordinary
from annotest.oracles.protocol import Again, Outcome, Raised, Returned, TargetCall
from annotest.oracles.telling import short
from annotest.plan.returning import InCall, NotCallable, Returning
from annotest.spec import ReturnsCalls

RETURNS = "returns"


class Satisfied:
    """Finds fault with a result that is outside its constraint."""

    name = RETURNS

    def __init__(self, returning: Returning) -> None:
        self._returning = returning

    def before(self, call: TargetCall) -> InCall:
        """Remember what the names in sizes mean: the call may change its arguments."""
        return self._returning.known(lambda: call.names)

    def judge(
        self, call: TargetCall, outcome: Outcome, state: InCall, again: Again
    ) -> Iterator[Fault]:
        """Look at what was returned; of a lazy result, at each item."""
        if not isinstance(outcome, Returned):
            return
        note, asked = self._returning.annotation, self._returning
        for place, value in outcome.each():
            reason = next(asked.reasons(value, state), "")
            if reason and not self._is_ordinary(again):
                reason = next(asked.reasons(value, state, is_ordinary=False), "")
            if reason:
                yield call.fault(self.name, f"{place}{reason}", what=note.text(), site=note.site)
                return

    def _is_ordinary(self, again: Again) -> bool:
        """Say whether NaN and infinity count, as the arguments were before the call."""
        return is_ordinary(again.built(), self._returning.arguments)


class Called:
    """Finds fault with a result that is to be called and cannot be."""

    name = RETURNS

    def __init__(self, note: ReturnsCalls) -> None:
        self._note = note

    def before(self, call: TargetCall) -> None:
        """Remember nothing."""

    def judge(
        self, call: TargetCall, outcome: Outcome, state: None, again: Again
    ) -> Iterator[Fault]:
        """Tell of what was returned instead."""
        if isinstance(outcome, Raised) and isinstance(outcome.error, NotCallable):
            result = outcome.error.result
            message = f"result: expected a callable, got {short(result)} ({type(result).__name__})"
            yield call.fault(self.name, message, what=self._note.text(), site=self._note.site)
