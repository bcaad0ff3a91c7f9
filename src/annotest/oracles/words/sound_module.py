"""`sound_module`: every oracle that holds for any well-behaved module."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from annotest.facts import Fault
from annotest.oracles.protocol import Again, Oracle, Outcome, TargetCall
from annotest.oracles.words import judges_calls, oracle_of
from annotest.plan.postconditions import PostconditionFailed
from annotest.promises import WORDS, OracleWord, sound_module
from annotest.spec import Ensure


@judges_calls(sound_module)
class SoundModule:
    """Asks the oracles of the parts that hold of a target."""

    name = sound_module.name

    def __init__(self, note: Ensure) -> None:
        assert isinstance(note.condition, OracleWord)
        self._note, self._word = note, note.condition
        self._oracles: dict[str, Oracle] = {}

    def before(self, call: TargetCall) -> list[tuple[Oracle, Any]]:
        """Return the oracles with what each remembers."""
        oracles = map(self._oracle, call.target.sound_parts(self._word))
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

    def _oracle(self, name: str) -> Oracle:
        make = partial(oracle_of, replace(self._note, condition=WORDS[name]), general=True)
        return self._oracles.get(name) or self._oracles.setdefault(name, make())
