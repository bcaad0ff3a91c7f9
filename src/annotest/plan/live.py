"""Live objects: what recipes of a plan may hold that has no source, and is named by its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotest.constraints import froms
from annotest.errors import InvalidAnnotation
from annotest.expr import Call, Expr, Opaque, Ref, resolve, st, walk
from annotest.records import record


@record
class LateList:
    """The values that a function lists each time they are wanted."""

    function: Any

    def values(self) -> list[Any]:
        """Return the values; none where the function does not list any."""
        try:
            return froms(self.function).listed()
        except InvalidAnnotation:
            return []


def live_in(strategy: Expr) -> Iterator[Any]:
    """Yield the objects without source in a strategy, and the lists that are made late."""
    for node in walk(strategy):
        if isinstance(node, Opaque):
            yield node.value
        elif isinstance(node, Call) and node.function == st.sampled_from:
            yield from _made_late(node.args[0])


def _made_late(listed: Expr) -> Iterator[LateList]:
    match listed:
        case Call(Opaque(function)):
            yield LateList(function)
        case Call(Ref(module, qualname)):
            yield LateList(resolve(module, qualname))
