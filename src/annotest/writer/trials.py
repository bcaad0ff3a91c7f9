"""Trying what was written: how often the draws of a composite lead to an input.

The statements are run as they stand, with plain random choices in place of strategies.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import random
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import CodeType
from typing import Any, NamedTuple

from annotest.errors import UnwritableValue
from annotest.source import Names

TRIED = 16
_FILE = "<composite>"
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


class Outcome(NamedTuple):
    """How often draws come to their end, and what most often finds no value."""

    rate: float
    stuck: str = ""


def outcome(
    lines: Sequence[str], names: Names, draw: str, stand_ins: Mapping[str, Any], few: int
) -> Outcome:
    """Run statements that draw one value after the other; only a few times, if all is well.

    `stand_ins` are the functions that the file defines for them.
    """
    source = _source(lines, draw)
    trial, stuck = _function(source, names, stand_ins), Counter[str]()
    for number in range(TRIED):
        if number == few and not stuck:
            return Outcome(1.0)  # no doubt is left that is worth the time
        try:
            trial(lambda strategy: strategy.make())
        except _Rejected as rejected:
            stuck[_assigned_at(source, _line(rejected))] += 1
        except Exception as error:
            raise UnwritableValue(f"what would be written raises {error!r}") from error
    most = max(stuck, key=lambda one: stuck[one], default="")
    return Outcome(1 - stuck.total() / TRIED, most)


def _source(lines: Sequence[str], draw: str) -> str:
    head = [f"def trial({draw}):"]
    if lines and lines[0].startswith("        "):
        head.append("    if True:")
    return "\n".join([*head, *lines, f"{' ' * 4 * len(head)}pass"])


def _function(source: str, names: Names, stand_ins: Mapping[str, Any]) -> Callable[[Any], Any]:
    code = compile(source, _FILE, "exec")
    strategies = _Strategies()
    scope = {local: _meaning(module, name, strategies) for local, module, name in names.imported()}
    scope |= stand_ins
    missing = {name for name in _names_in(code) if name not in scope}
    scope |= {name: _meaningless for name in missing if not hasattr(builtins, name)}
    exec(code, scope)
    return scope["trial"]  # type: ignore[no-any-return]


def _line(error: Exception) -> int:
    """Return the line of the statements at which an exception came up."""
    frames = [one for one, _ in traceback.walk_tb(error.__traceback__)]
    places = [number for _, number in traceback.walk_tb(error.__traceback__)]
    own = [n for one, n in zip(frames, places, strict=True) if one.f_code.co_name == "trial"]
    return own[0] if own else 0


def _assigned_at(source: str, line: int) -> str:
    """Return the name that gets its value at a line, or did just before."""
    found = ""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign | ast.Expr) and node.lineno <= line:
            found = _given_value(node) or found
    return found


def _given_value(node: ast.Assign | ast.Expr) -> str:
    if isinstance(node, ast.Assign):
        target = node.targets[0]
        return ast.unparse(target.elts[0] if isinstance(target, ast.Tuple) else target)
    call = node.value
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
        return ast.unparse(call.func.value)  # items.append(…)
    return ""


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
