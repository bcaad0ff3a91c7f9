"""The oracle of `@ensure`: a condition that holds after each call."""

from __future__ import annotations

import types
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from annotest.discovery.targets import CONSTRUCTOR
from annotest.facts import Fault
from annotest.oracles.copies import copied
from annotest.oracles.protocol import Again, Outcome, Returned, TargetCall
from annotest.oracles.telling import told_parts
from annotest.oracles.words import in_text, load
from annotest.plan.postconditions import OLD, RESULT, SELF, Postcondition
from annotest.relations.reading.statements import statement_of_function
from annotest.source import shown

ENSURE = "ensure"


class Ensured:
    """Finds fault with a call after which a condition does not hold."""

    name = ENSURE

    def __init__(self, condition: Postcondition) -> None:
        self._condition = condition
        for name in condition.words:
            load(name)

    def before(self, call: TargetCall) -> Any:
        """Remember what the condition asks of the time before the call."""
        if not self._condition.olds:
            return {}
        return copied(self._condition.before(call.names))

    def judge(
        self, call: TargetCall, outcome: Outcome, state: Any, again: Again
    ) -> Iterator[Fault]:
        """Evaluate the condition; of a lazy result, for each item."""
        if not isinstance(outcome, Returned):
            return
        for place, value in outcome.each():
            names = self._names(call, value, state)
            if not self._condition.holds(names):
                note = self._condition.annotation
                message = f"{place}{self._told(names)}"
                yield call.fault(self.name, message, what=self._text, site=note.site)
                return

    def _names(self, call: TargetCall, value: Any, state: Any) -> dict[str, Any]:
        """Return what the names of the condition mean after the call."""
        words = in_text(self._condition.words, call)
        old = state if self._condition.text else types.SimpleNamespace(**state)
        names = {**words, **call.names, RESULT: value, OLD: old}
        own_name = call.target.signature.self_name
        if call.target.kind == CONSTRUCTOR:
            names[own_name] = value
        return {**names, SELF: names.get(own_name)} if self._condition.is_invariant else names

    def _told(self, names: dict[str, Any]) -> str:
        """Say which condition does not hold, with what its parts were."""
        condition = self._condition
        if not condition.text:
            values = (f"{name} was {shown(names[name])}" for name in condition.needs if name != OLD)
            return f"{self._text}: {', '.join(values)}"
        told = ", ".join(told_parts(condition, names))
        return f"{self._text}: {told or 'it was false'}"

    @cached_property
    def _text(self) -> str:
        """The condition as it is written."""
        condition = self._condition.annotation.condition
        if isinstance(condition, str):
            return condition
        statement = statement_of_function(condition)
        return self._condition.annotation.said if statement is None else statement.text
