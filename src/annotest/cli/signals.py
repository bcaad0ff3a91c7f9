"""Ctrl-C and SIGTERM: both end a run in order."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the block as Ctrl-C does, even where Ctrl-C was ignored."""

    def interrupt(number: int, frame: object) -> NoReturn:
        for one in numbers:
            signal.signal(one, signal.SIG_IGN)  # once is enough: the end is under way
        raise KeyboardInterrupt

    numbers = [signal.SIGTERM, signal.SIGHUP]
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        numbers.append(signal.SIGINT)
    before = {one: signal.signal(one, interrupt) for one in numbers}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
