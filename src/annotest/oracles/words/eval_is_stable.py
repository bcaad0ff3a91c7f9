"""`eval_is_stable`: in eval mode a module neither draws random numbers nor remembers calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotest.oracles.calls import CallOracle, Objection, compared, is_in_training, module_of
from annotest.oracles.comparing import kept
from annotest.oracles.protocol import Again, TargetCall
from annotest.oracles.words import judges_calls
from annotest.promises import eval_is_stable

WHEN = "when called once more in eval mode, with other random numbers"


@judges_calls(eval_is_stable)
class EvalIsStable(CallOracle):
    """Calls the same instance once more, with the same arguments and other random numbers."""

    name = eval_is_stable.name

    def remembered(self, call: TargetCall) -> Any:
        """Leave out modules that are in train mode."""
        return None if module_of(call) is None or is_in_training(call) else ()

    def objections(
        self, call: TargetCall, result: Any, state: Any, again: Again
    ) -> Iterator[Objection]:
        """Yield what is otherwise in a second call of the instance."""
        was, name = kept(result), call.target.signature.self_name
        second = again({name: call.values[name]}, luck=1, late=True)
        if reason := compared(call, was, second, WHEN):
            yield Objection(reason)
