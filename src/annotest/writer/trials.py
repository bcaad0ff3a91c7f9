"""Trying what was written: how often the draws of a composite lead to an input.

The statements are run as they stand, with plain random choices in place of strategies.
"""

from __future__ import annotations

import builtins
import importlib
import random
from collections.abc import Callable, Iterator, Sequence
from types import CodeType
from typing import Any

from annotest.errors import UnwritableValue
from annotest.source import Names

TRIED, FEW = 10, 3
_UNIQUE_TRIED = 20


class _Rejected(Exception):
    """Nothing fits what was drawn before."""


class _Strategy:
    """A choice in place of a strategy."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make

    def filter(self, rule: Callable[[Any], Any]) -> _Strategy:
        return _Strategy(lambda: self._passing(rule))

    def _passing(self, rule: Callable[[Any], Any]) -> Any:
        for _ in range(_UNIQUE_TRIED):
            value = self.make()
            if rule(value):
                return value
        raise _Rejected

    def map(self, rule: Callable[[Any], Any]) -> _Strategy:
        return _Strategy(lambda: rule(self.make()))


class _Strategies:
    """Stands for the modules of strategies; what it does not know gives values without meaning."""

    def __init__(self) -> None:
        self._chance = random.Random(0)

    def __getattr__(self, name: str) -> Callable[..., _Strategy]:
        return _meaningless

    def integers(self, min_value: int, max_value: int) -> _Strategy:
        return _Strategy(lambda: self._chance.randint(min_value, max_value))

    def floats(self, min_value: Any = None, max_value: Any = None, **options: Any) -> _Strategy:
        low = -1e3 if min_value is None else min_value
        high = max(low, 1e3) if max_value is None else max_value
        if low > high:
            raise ValueError("no number lies between these")
        return _Strategy(lambda: min(max(self._chance.uniform(low, high), low), high))

    def booleans(self) -> _Strategy:
        return self.sampled_from((False, True))

    def sampled_from(self, values: Sequence[Any]) -> _Strategy:
        return _Strategy(lambda: self._chance.choice(values))

    def permutations(self, values: Sequence[Any]) -> _Strategy:
        return _Strategy(lambda: self._chance.sample(values, len(values)))

    def tuples(self, *parts: _Strategy) -> _Strategy:
        return _Strategy(lambda: tuple(part.make() for part in parts))

    def lists(
        self, elements: _Strategy, min_size: int, max_size: int, unique: bool = False
    ) -> _Strategy:
        return _Strategy(
            lambda: self._items(elements, self._chance.randint(min_size, max_size), unique)
        )

    def _items(self, elements: _Strategy, count: int, unique: bool) -> list[Any]:
        found: list[Any] = []
        for _ in range(count):
            others = elements.filter(lambda one: one not in found) if unique else elements
            found.append(others.make())
        return found

    def array_shapes(self, min_dims: int, max_dims: int, min_side: int, max_side: int) -> _Strategy:
        sides = self.lists(self.integers(min_side, max_side), min_dims, max_dims)
        return sides.map(tuple)


def _meaningless(*args: Any, **kwargs: Any) -> _Strategy:
    return _Strategy(object)


def _reject() -> None:
    raise _Rejected


def _assume(condition: Any) -> None:
    if not condition:
        raise _Rejected


def success_rate(lines: Sequence[str], names: Names, draw: str) -> float:
    """Return how often statements that draw one value after the other come to their end."""
    trial = _function(lines, names, draw)
    fitting = 0
    for tried in range(TRIED):
        if tried == FEW == fitting:
            return 1.0  # no doubt is left that is worth the time
        try:
            trial(lambda strategy: strategy.make())
        except _Rejected:
            continue
        except Exception as error:
            raise UnwritableValue(f"what would be written raises {error!r}") from error
        fitting += 1
    return fitting / TRIED


def _function(lines: Sequence[str], names: Names, draw: str) -> Callable[[Any], Any]:
    head = [f"def trial({draw}):"]
    if lines[0].startswith("        "):
        head.append("    if True:")
    code = compile("\n".join([*head, *lines]), "<composite>", "exec")
    strategies = _Strategies()
    scope = {local: _meaning(module, name, strategies) for local, module, name in names.imported()}
    missing = {name for name in _names_in(code) if name not in scope}
    scope |= {name: _meaningless for name in missing if not hasattr(builtins, name)}
    exec(code, scope)
    return scope["trial"]  # type: ignore[no-any-return]


def _meaning(module: str, name: str, strategies: _Strategies) -> Any:
    if module == "hypothesis":
        return {"reject": _reject, "assume": _assume}.get(name)
    if module.startswith(("hypothesis.", "annotest.")):
        return getattr(strategies, name) if name else strategies
    found = importlib.import_module(module)
    return getattr(found, name) if name else found


def _names_in(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _names_in(one)
