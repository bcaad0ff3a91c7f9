"""From the outcome of a call to faults: the oracles, and where they are registered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from annotest.oracles.crash import Crash
from annotest.oracles.ensured import Ensured
from annotest.oracles.protocol import Oracle
from annotest.oracles.required import Required
from annotest.oracles.returned import Called, Satisfied
from annotest.oracles.suspicious import Suspicious, suspicious_of
from annotest.oracles.words import oracle_of
from annotest.plan.postconditions import Postcondition
from annotest.plan.raising import Raising
from annotest.plan.returning import Returning
from annotest.promises import BY_DEFAULT, heard
from annotest.spec import ReturnsCalls

if TYPE_CHECKING:
    from annotest.discovery.targets import Target

_REGISTERED: dict[str, Oracle] = {}


def register(oracle: Oracle) -> None:
    """Have an oracle judge every call that this process and its children make from now on.

    A worker makes calls for one module: what that module registers holds for its targets. One of
    the same name takes the place of an earlier one.
    """
    _REGISTERED[oracle.name] = oracle


def registered() -> tuple[Oracle, ...]:
    """Return the oracles that judge every call, in the order in which they are asked."""
    return tuple(_REGISTERED.values())


def oracles_of(target: Target, suspicious: Iterable[str] = BY_DEFAULT) -> tuple[Oracle, ...]:
    """Return the oracles that judge the calls of a target: all, then what is promised of it.

    What nobody has promised is judged last, by those that are named.
    """
    suspects = suspicious_of(target, heard(suspicious))
    return (*registered(), *_promised(target), *([suspects] if suspects else []))


def keeps_results(oracles: Iterable[Oracle]) -> bool:
    """Say whether some oracle looks at what is kept for it alone: items, and new instances."""
    return any(not isinstance(oracle, Crash | Suspicious) for oracle in oracles)


def _promised(target: Target) -> Iterator[Oracle]:
    assert target.plan is not None
    for promise in target.plan.promises:
        if isinstance(promise, Postcondition):
            yield Ensured(promise)
        elif isinstance(promise, Raising):
            yield Required(promise)
        elif isinstance(promise, Returning):
            yield Satisfied(promise)
        elif isinstance(promise, ReturnsCalls):
            yield Called(promise)
        else:
            yield oracle_of(promise)


register(Crash())
