"""Lazy functions: their results are brought to an end, in a run and in written calls alike."""

from __future__ import annotations

import inspect
import io
import itertools
import types
from collections.abc import Iterator
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


def _run(coroutine: Any) -> None:
    import asyncio  # late: slow to import, and seldom needed

    asyncio.run(coroutine)


async def _consumed(items: Any) -> None:
    count = 0
    async for _ in items:
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
