"""Calls that do not come back as calls should."""

import asyncio
import os
import sys
import time

from annotest import arg, budget, ints, timeout


@arg(n=ints(0, 9))
def exits_with_3(n):
    if n == 4:
        sys.exit(3)


@arg(n=ints(0, 9))
def exits_with_0(n):
    sys.exit(0)


@arg(n=ints(0, 9))
def interrupts(n):
    if n == 4:
        raise KeyboardInterrupt


@arg(n=ints(0, 9))
def segfaults(n):
    if n == 4:
        import ctypes

        ctypes.string_at(0)


@arg(n=ints(0, 9))
def leaves(n):
    if n == 4:
        os._exit(0)


@timeout(1)
@arg(n=ints(0, 9))
def hangs(n):
    while n == 4:
        time.sleep(0.01)


@timeout(1)
@arg(n=ints(0, 9))
def slow_once(n):
    mark = os.environ["ANNOTEST_TEST_MARK"]
    if n == 4 and not os.path.exists(mark):
        with open(mark, "w"):
            time.sleep(30)


@arg(n=ints(0, 9))
def lazy(n):
    yield 1
    if n == 4:
        raise ValueError("while being consumed")


@arg(n=ints(0, 9))
async def later(n):
    await asyncio.sleep(0)
    if n == 4:
        raise ValueError("while awaited")


@arg(n=ints(0, 9))
@budget(examples=3)
def three_inputs(n):
    return n


@arg(n=ints(0, 9))
def healthy(n):
    return n
