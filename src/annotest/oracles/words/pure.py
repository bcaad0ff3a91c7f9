"""`pure`: a call leaves its arguments as they were."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotest import frameworks
from annotest.oracles.calls import CallOracle, Objection
from annotest.oracles.comparing import Leaf, difference, kept
from annotest.oracles.leaves import leaves
from annotest.oracles.protocol import Again, TargetCall
from annotest.oracles.words import judges_calls
from annotest.promises import pure


@judges_calls(pure)
class Pure(CallOracle):
    """Compares arguments with copies from before; of modules in eval mode, all their arrays.

    In train mode modules may count and average what they see, as batch norm does.
    """

    name = pure.name
    only_ordinary = False

    def remembered(self, call: TargetCall) -> dict[str, list[Leaf]]:
        """Return what each argument is made of, and remember which modules are to stay so."""
        self._watched = set(map(id, filter(_is_in_use, _leaves_of(call))))
        return {name: self._parts(value, name) for name, value in call.values.items()}

    def objections(
        self, call: TargetCall, result: Any, state: dict[str, list[Leaf]], again: Again
    ) -> Iterator[Objection]:
        """Yield what is otherwise in each argument."""
        for name, was in state.items():
            now = self._parts(call.values[name], name)
            if reason := difference(was, now, None, "after the call"):
                yield Objection(reason, name)

    def _parts(self, value: Any, name: str) -> list[Leaf]:
        """Return what an argument is made of, with the arrays of the modules in it."""
        parts: list[Leaf] = []
        for at, leaf in leaves(value):
            kind = frameworks.module_kind(type(leaf))
            if kind is None:
                parts += kept(leaf, f"{name}{at}")
            elif id(leaf) in self._watched:
                for inner, array in kind.state(leaf).items():
                    parts += kept(array, f"{name}{at}.{inner}")
        return parts


def _leaves_of(call: TargetCall) -> Iterator[Any]:
    return (leaf for value in call.values.values() for _, leaf in leaves(value))


def _is_in_use(value: Any) -> bool:
    """Say whether a value is a module that is not in train mode."""
    kind = frameworks.module_kind(type(value))
    return kind is not None and not kind.is_new(value)
