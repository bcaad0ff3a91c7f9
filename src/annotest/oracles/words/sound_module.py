"""`sound_module`: every oracle that holds for any well-behaved module."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from annotest.discovery.targets import CONSTRUCTOR
from annotest.facts import Fault
from annotest.oracles.protocol import Again, Oracle, Outcome, TargetCall
from annotest.oracles.words import judges_calls, oracle_of
from annotest.plan.postconditions import PostconditionFailed
from annotest.promises import SOUND, WORDS, OracleWord, sound_module
from annotest.spec import Ensure

if TYPE_CHECKING:
    from annotest.discovery.targets import Target

# what holds of any method or function, whatever it is for
_OF_ANY = ("finite", "deterministic", "pure", "differentiable")
# other methods may be there to use some of the parameters only
_OF_METHODS = _OF_ANY[:-1]


@judges_calls(sound_module)
class SoundModule:
    """Asks the oracles of all its parts about the calls of a method that calling a module runs.

    Of another method or of a function, the parts that hold of any.
    """

    name = sound_module.name

    def __init__(self, note: Ensure) -> None:
        assert isinstance(note.condition, OracleWord)
        self._note = note
        except_ = note.condition.options.get("except_", ())
        self._except = {except_} if isinstance(except_, str) else set(except_)
        self._oracles: dict[str, Oracle] = {}

    def before(self, call: TargetCall) -> list[tuple[Oracle, Any]]:
        """Return the oracles with what each remembers."""
        oracles = map(self._oracle, self._parts(call.target))
        return [(oracle, oracle.before(call)) for oracle in oracles]

    def judge(
        self,
        call: TargetCall,
        outcome: Outcome,
        state: list[tuple[Oracle, Any]],
        again: Again,
    ) -> Iterator[Fault]:
        """Return what each has against the call."""
        for oracle, remembered in state:
            with suppress(PostconditionFailed):  # it finds nothing to judge, which nobody promised
                yield from oracle.judge(call, outcome, remembered, again)

    def _parts(self, target: Target) -> list[str]:
        return [name for name in parts_of(target) if name not in self._except]

    def _oracle(self, name: str) -> Oracle:
        make = partial(oracle_of, replace(self._note, condition=WORDS[name]), general=True)
        return self._oracles.get(name) or self._oracles.setdefault(name, make())


def parts_of(target: Target) -> tuple[str, ...]:
    """Return the names of the oracles that `sound_module` asks about the calls of a target."""
    assert target.plan is not None
    if target.kind == CONSTRUCTOR:
        return ()
    if target.plan.calls_instance:
        return SOUND
    return _OF_METHODS if target.needs_instance else _OF_ANY
