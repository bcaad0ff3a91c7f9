"""Lazy functions: their results are brought to an end, in a run and in written calls alike."""

from __future__ import annotations

import inspect
import io
import itertools
import types
from collections.abc import AsyncIterator, Iterator
from typing import Any

from annotest.expr import Expr, Ref
from annotest.spec import underlying

MOST_ITEMS = 1000


# bound here, so that a call that replaces builtins changes nothing for what comes after it
_is = isinstance
_LAZY = (Iterator, types.CoroutineType, types.AsyncGeneratorType)


def is_lazy(result: Any) -> bool:
    """Say whether a result still has work to do."""
    return _is(result, _LAZY) and not _is(result, io.IOBase)


def finish(result: Any) -> None:
    """Bring a lazy result to its end: consume iterators up to a bound, run coroutines."""
    if isinstance(result, Iterator) and not isinstance(result, io.IOBase):
        for _ in itertools.islice(result, MOST_ITEMS):
            pass
    elif inspect.iscoroutine(result):
        _run(result)
    elif inspect.isasyncgen(result):
        _run(_consumed(result))


def finished(result: Any) -> Any:
    """Bring a lazy result to its end; return the items of a generator, what a coroutine returns.

    Of other iterators the object itself, which may be more than its items.
    """
    if inspect.isgenerator(result):
        return list(itertools.islice(result, MOST_ITEMS))
    if inspect.iscoroutine(result):
        return _run(result)
    if inspect.isasyncgen(result):
        return _run(_items(result))
    finish(result)
    return result


def _run(coroutine: Any) -> Any:
    import asyncio  # late: slow to import, and seldom needed

    return asyncio.run(coroutine)


async def _consumed(items: Any) -> None:
    async for _ in _first(items):
        pass


async def _items(items: Any) -> list[Any]:
    return [item async for item in _first(items)]


async def _first(items: Any) -> AsyncIterator[Any]:
    count = 0
    async for item in items:
        yield item
        count += 1
        if count == MOST_ITEMS:
            return


def finished_call(call: Expr, function: Any) -> Expr:
    """Return the source of a call that also brings the result of a lazy function to its end."""
    function = inspect.unwrap(underlying(function))
    if inspect.isgeneratorfunction(function):
        items = Ref("itertools", "islice")(call, MOST_ITEMS)
        return Ref("builtins", "list")(items)
    if inspect.iscoroutinefunction(function):
        return Ref("asyncio", "run", "asyncio")(call)
    if inspect.isasyncgenfunction(function):
        return Ref("annotest.strategies", "finish")(call)
    return call
