"""Ctrl-C and SIGTERM: both end a run in order."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


def _take_note(number: int, frame: object) -> None:
    """Do nothing: the end is under way already."""


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the block as Ctrl-C does; further ones change nothing.

    Afterwards they still change nothing if one has come: what was found is yet to be told.
    """
    ending = False

    def interrupt(number: int, frame: object) -> None:
        nonlocal ending
        if not ending:
            ending = True
            raise KeyboardInterrupt

    numbers = [signal.SIGTERM, signal.SIGHUP]
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        numbers.append(signal.SIGINT)
    before = {number: signal.signal(number, interrupt) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, _take_note if ending else handler)
