"""A failing input, run again: whether it fails each time, and if not, how often."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from annotest.facts import Repeats

MOST = 10
# an input that always fails is run so often, if that takes less than so many seconds
CONFIRMED, CONFIRMING_SECONDS = 3, 20.0
# and more often, as long as it is cheap
CHEAP_SECONDS = 2.0
# for a rate, an input is run at least so often, and at most for so many seconds
LEAST_FOR_RATE, RATING_SECONDS = 2, 10.0


@dataclass
class Repeating:
    """Runs one input again; `is_slow` where each run goes to the end of a limit."""

    fails: Callable[[], bool]
    is_slow: bool

    def __post_init__(self) -> None:
        self._seconds = 0.0
        self._failed = self._times = 0

    def fails_always(self) -> bool:
        """Run the input until it passes, or has failed often enough."""
        while self._failed == self._times and self._is_in_doubt():
            self._run()
        return self._failed == self._times

    def _is_in_doubt(self) -> bool:
        if self._times == 0:
            return True
        if self._times < CONFIRMED and not self.is_slow and self._seconds < CONFIRMING_SECONDS:
            return True
        return self._times < MOST and self._seconds < CHEAP_SECONDS

    def rate(self) -> Repeats:
        """Run the input until it can be said how often it fails."""
        while self._times < LEAST_FOR_RATE or (
            self._times < MOST and self._seconds < RATING_SECONDS
        ):
            self._run()
        return Repeats(self._failed, self._times)

    def _run(self) -> None:
        began = monotonic()
        self._failed += self.fails()
        self._times += 1
        self._seconds += monotonic() - began
