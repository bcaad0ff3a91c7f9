"""`round_trips`: what is saved of an instance is all that its results depend on."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from annotest.oracles.calls import CallOracle, Objection, compared, instance_of, module_of
from annotest.oracles.comparing import Leaf, kept
from annotest.oracles.exceptions import message_of, type_name
from annotest.oracles.protocol import Again, TargetCall
from annotest.oracles.words import judges_calls
from annotest.promises import round_trips

LOADED = "from an instance made with other random numbers that has loaded its state"
UNPICKLED = "from the instance pickled and unpickled"


@judges_calls(round_trips)
class RoundTrips(CallOracle):
    """Calls an instance that has loaded the state of another, and an unpickled copy.

    As a part of `sound_module` it is silent about what cannot be pickled: a lambda will do.
    """

    name = round_trips.name

    def remembered(self, call: TargetCall) -> Any:
        """Leave out what has no instance."""
        return None if instance_of(call) is None else ()

    def objections(
        self, call: TargetCall, result: Any, state: Any, again: Again
    ) -> Iterator[Objection]:
        """Yield in what the results of the loaded and of the unpickled instance are otherwise."""
        was, name = kept(result), call.target.signature.self_name
        fresh = again.built()[name]
        module = module_of(call)
        if module is not None:
            _, kind = module
            other = again.built(luck=1)[name]
            load = partial(_loaded, kind.restore, other, fresh)
            yield from self._tried(call, was, again, "loading", load, LOADED)
        yield from self._tried(call, was, again, "pickling", partial(_copy, fresh), UNPICKLED)

    def _tried(
        self,
        call: TargetCall,
        was: list[Leaf],
        again: Again,
        what: str,
        make: Callable[[], Any],
        when: str,
    ) -> Iterator[Objection]:
        """Yield what is wrong with the result of another instance, or with making it."""
        name = call.target.signature.self_name
        try:
            other = make()
        except Exception as error:
            if not (self.general and what == "pickling"):
                yield Objection(f"{what} raises {type_name(error)}: {message_of(error)}", what)
            return
        if reason := compared(call, was, again({name: other}), when):
            yield Objection(reason, what)


def _loaded(restore: Callable[[Any, Any], None], other: Any, fresh: Any) -> Any:
    restore(other, fresh)
    return other


def _copy(instance: Any) -> Any:
    return pickle.loads(pickle.dumps(instance))
