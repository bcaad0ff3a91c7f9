"""`deterministic`: the same call again gives the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotest.oracles.calls import CallOracle, Objection, compared
from annotest.oracles.comparing import kept
from annotest.oracles.protocol import Again, TargetCall
from annotest.oracles.words import judges_calls
from annotest.promises import deterministic


@judges_calls(deterministic)
class Deterministic(CallOracle):
    """Makes the call again, with the same seed and everything built afresh."""

    name = deterministic.name

    def objections(
        self, call: TargetCall, result: Any, state: Any, again: Again
    ) -> Iterator[Objection]:
        """Yield what is otherwise when the call is made again."""
        was = kept(result)
        if reason := compared(call, was, again({}), "when called again"):
            yield Objection(reason)
