"""Lazy functions: items of their results are taken, in a run and in written calls alike."""

from __future__ import annotations

import inspect
import io
import types
from collections.abc import AsyncIterator, Iterator
from math import inf
from time import monotonic
from typing import Any

from annotest.expr import Expr, Ref
from annotest.spec import underlying

MOST_ITEMS = 1000

# of a time that was not enough for one result, what the next one has: the first are looked at
# longest, and all together take no longer than five times the first
_NEXT = 0.8
_LAZY_HINTS = ("Iterator", "Generator")

# bound here, so that a call that replaces builtins changes nothing for what comes after it
_is = isinstance
_LAZY = (Iterator, types.CoroutineType, types.AsyncGeneratorType)


def is_lazy(result: Any) -> bool:
    """Say whether a result still has work to do."""
    return _is(result, _LAZY) and not _is(result, io.IOBase)


class Taking:
    """How far lazy results are taken: so many items of each, for so many seconds.

    Between items only: one that hangs is ended by the limit of the call. At least one is taken.
    """

    def __init__(self, items: int = MOST_ITEMS, seconds: float = inf) -> None:
        self.items = items
        self.seconds = seconds
        self.begun = 0  # items of the result at hand that were asked for

    def start(self) -> None:
        """Begin with another result."""
        self.begun, self._until = 0, monotonic() + self.seconds

    def goes_on(self) -> bool:
        """Say whether another item is to be taken, which is then the one at hand."""
        if self.begun and (self.begun >= self.items or monotonic() >= self._until):
            return False
        self.begun += 1
        return True

    def took(self, seconds: float) -> None:
        """Have less time for the results to come, if one took all that it had."""
        if seconds >= self.seconds:
            self.seconds *= _NEXT


def finish(result: Any, items: int = MOST_ITEMS) -> None:
    """Bring a lazy result to its end: take items up to a bound, run coroutines."""
    take(result, Taking(items))


def take(result: Any, taking: Taking) -> None:
    """Bring a lazy result to its end, or to the bound; keep nothing of it."""
    taking.start()
    if _is(result, Iterator) and not _is(result, io.IOBase):
        for _ in _first(result, taking):
            pass
    elif inspect.iscoroutine(result):
        _run(result)
    elif inspect.isasyncgen(result):
        _run(_consumed(result, taking))


def taken(result: Any, taking: Taking) -> Any:
    """Bring a lazy result to its end; return the items of a generator, what a coroutine returns.

    Of other iterators the object itself, which may be more than its items.
    """
    taking.start()
    if inspect.isgenerator(result):
        return list(_first(result, taking))
    if inspect.iscoroutine(result):
        return _run(result)
    if inspect.isasyncgen(result):
        return _run(_items(result, taking))
    take(result, taking)
    return result


def has_items(result: Any) -> bool:
    """Say whether `taken` makes a list of a lazy result."""
    return inspect.isgenerator(result) or inspect.isasyncgen(result)


def _first(result: Iterator[Any], taking: Taking) -> Iterator[Any]:
    if taking.goes_on():
        for item in result:
            yield item
            if not taking.goes_on():
                return


def _run(coroutine: Any) -> Any:
    import asyncio  # late: slow to import, and seldom needed

    return asyncio.run(coroutine)


async def _consumed(result: Any, taking: Taking) -> None:
    async for _ in _first_later(result, taking):
        pass


async def _items(result: Any, taking: Taking) -> list[Any]:
    return [item async for item in _first_later(result, taking)]


async def _first_later(result: Any, taking: Taking) -> AsyncIterator[Any]:
    if taking.goes_on():
        async for item in result:
            yield item
            if not taking.goes_on():
                return


def takes_items(function: Any) -> bool:
    """Say whether a function is seen to return items, without a call."""
    function = inspect.unwrap(underlying(function))
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        return True
    hint = getattr(function, "__annotations__", {}).get("return", "")
    hint = hint if isinstance(hint, str) else getattr(hint, "__name__", "")
    name = hint.partition("[")[0].rpartition(".")[2]
    return name.endswith(_LAZY_HINTS)


def finished_call(call: Expr, function: Any, items: int = 0) -> Expr:
    """Return the source of a call that also brings the result of a lazy function to its end.

    `items` are those that it took a call to fail; 0 where that is not known.
    """
    function = inspect.unwrap(underlying(function))
    if inspect.iscoroutinefunction(function):
        return Ref("asyncio", "run", "asyncio")(call)
    if inspect.isasyncgenfunction(function):
        return Ref("annotest.strategies", "finish")(call, *([items] if items else []))
    if inspect.isgeneratorfunction(function) or items:
        first = Ref("itertools", "islice")(call, items or MOST_ITEMS)
        return Ref("builtins", "list")(first)
    return call
