"""The oracle of `@raises(…, when=…)`: where the condition holds, a call that returns is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotest.facts import Fault
from annotest.oracles.protocol import Again, Outcome, Returned, TargetCall
from annotest.oracles.telling import short, told_parts
from annotest.plan.raising import Raising

RAISES = "raises"


class Required:
    """Finds fault with a call that returns where it must raise."""

    name = RAISES

    def __init__(self, raising: Raising) -> None:
        self._raising = raising

    def before(self, call: TargetCall) -> bool:
        """Say whether the exception is required, as the arguments are before the call."""
        return self._raising.is_due(call.names)

    def judge(
        self, call: TargetCall, outcome: Outcome, state: bool, again: Again
    ) -> Iterator[Fault]:
        """Find fault with a call that came back; the crash oracle judges what was raised."""
        if not state or not isinstance(outcome, Returned):
            return
        note = self._raising.annotation
        expected = " or ".join(kind.__name__ for kind in note.types)
        names = {**call.names, **again.built()}  # as they were before the call
        message = f"{expected} expected, as {self._reason(names)}; {_ended(outcome)}"
        yield call.fault(self.name, message, what=note.text(), site=note.site)

    def _reason(self, names: dict[str, Any]) -> str:
        when = self._raising.when
        assert when is not None
        parts = (
            told_parts(when, names, holds=True)
            if when.text
            else (f"{name} was {short(names[name])}" for name in when.needs)
        )
        return ": ".join(filter(None, (when.statement.text.strip(), ", ".join(parts))))


def _ended(outcome: Returned) -> str:
    if outcome.lazy:
        count = len(outcome.value)
        return f"it ended after {count} item{'s' * (count != 1)}"
    return f"it returned {short(outcome.value)}"
