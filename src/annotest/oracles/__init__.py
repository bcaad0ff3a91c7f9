"""From the outcome of a call to faults: the oracles, and where they are registered."""

from __future__ import annotations

from annotest.oracles.crash import Crash
from annotest.oracles.protocol import Oracle

_REGISTERED: dict[str, Oracle] = {}


def register(oracle: Oracle) -> None:
    """Have an oracle judge every call that this process and its children make from now on.

    A worker makes calls for one module: what that module registers holds for its targets. One of
    the same name takes the place of an earlier one.
    """
    _REGISTERED[oracle.name] = oracle


def registered() -> tuple[Oracle, ...]:
    """Return the oracles, in the order in which they are asked."""
    return tuple(_REGISTERED.values())


register(Crash())
