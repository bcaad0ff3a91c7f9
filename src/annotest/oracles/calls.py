"""Oracles that judge a call by others of the same input: what they have in common."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotest import frameworks
from annotest.discovery.targets import CONSTRUCTOR
from annotest.facts import Fault
from annotest.frameworks import ModuleKind
from annotest.oracles.comparing import Leaf, Rounding, difference, kept
from annotest.oracles.exceptions import message_of, type_name
from annotest.oracles.protocol import Again, Outcome, Raised, Returned, TargetCall
from annotest.promises import OracleWord
from annotest.records import record
from annotest.spec import Ensure


@record
class Objection:
    """What an oracle has against a call; `what` tells apart what one may find with a target."""

    message: str
    what: str = ""


class CallOracle:
    """The oracle of a word on calls: it judges those that return something.

    One that is `general` is a part of `sound_module`: nobody has said that it holds for this very
    function, so that it is silent where it may be meant otherwise.
    """

    name: str
    only_ordinary = True

    def __init__(self, note: Ensure, general: bool = False) -> None:
        assert isinstance(note.condition, OracleWord)
        self.note, self.general = note, general
        self.options = {} if general else note.condition.options

    def before(self, call: TargetCall) -> Any:
        """Remember what is asked of the time before the call, where it is to be judged."""
        if call.target.kind == CONSTRUCTOR or (self.only_ordinary and not call.is_ordinary):
            return None
        return self.remembered(call)

    def judge(
        self, call: TargetCall, outcome: Outcome, state: Any, again: Again
    ) -> Iterator[Fault]:
        """Return what is wrong with a call that returned something."""
        if state is None or not isinstance(outcome, Returned):
            return
        for objection in self.objections(call, outcome.value, state, again):
            yield call.fault(self.name, objection.message, objection.what, self.note.site)

    def remembered(self, call: TargetCall) -> Any:
        """Return what to remember; None where the call is not to be judged."""
        return ()

    def objections(
        self, call: TargetCall, result: Any, state: Any, again: Again
    ) -> Iterator[Objection]:
        """Yield what is wrong with a call, given its result."""
        raise NotImplementedError


def compared(call: TargetCall, was: list[Leaf], now: Outcome, when: str) -> str:
    """Say in what another call came to something else than the first; nothing where in nothing."""
    if isinstance(now, Raised):
        return f"it returned, and raises {type_name(now.error)} {when}: {message_of(now.error)}"
    found = difference(was, kept(now.value), None, when)
    # tolerances take time, and are rarely needed
    return found and difference(was, kept(now.value), Rounding.of(call), when)


def instance_of(call: TargetCall) -> Any:
    """Return the instance whose method is called; None where there is none."""
    return call.values.get(call.target.signature.self_name) if call.target.needs_instance else None


def module_of(call: TargetCall) -> tuple[Any, ModuleKind] | None:
    """Return the module whose method is called, and how such are used; else None."""
    instance = instance_of(call)
    kind = frameworks.module_kind(type(instance))
    return None if kind is None else (instance, kind)


def is_in_training(call: TargetCall) -> bool:
    """Say whether a method is called of a module in the mode in which it is trained."""
    found = module_of(call)
    return found is not None and found[1].is_new(found[0])
