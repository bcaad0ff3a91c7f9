"""How much each target may have: of inputs and of time."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, inf
from time import monotonic

from annotest.discovery.scan import ModuleFile
from annotest.discovery.targets import METHOD, PROPERTY
from annotest.engine.parent.options import RunOptions
from annotest.engine.tasks import SearchTarget
from annotest.facts import TargetInfo

# of the time left to a run, the share given to searching; the rest is for shrinking
SEARCHING = 0.8


def targets_in(files: Iterable[ModuleFile]) -> int:
    """Return how many targets files may have, before they are imported."""
    return sum(len(file.wanted_names) or 1 for file in files)


class TimeBudget:
    """Divides what a run may take; its time begins now."""

    def __init__(self, options: RunOptions, files: Iterable[ModuleFile], lanes: int) -> None:
        self._options = options
        self._lanes = lanes
        seconds = options.run_seconds
        self._deadline = inf if seconds is None else monotonic() + seconds
        self._examples = options.max_examples
        if options.run_examples is not None:
            each = options.run_examples // max(1, targets_in(files))
            self._examples = max(1, min(options.max_examples, each))
        self._until: dict[tuple[int, int], float] = {}

    @property
    def is_limited(self) -> bool:
        """Whether the run has a limit of time."""
        return self._deadline != inf

    @property
    def is_spent(self) -> bool:
        """Whether the run's time is over."""
        return monotonic() > self._deadline

    @property
    def _left(self) -> float:
        return max(0.0, self._deadline - monotonic())

    def examples_of(self, info: TargetInfo) -> int:
        """Return how many inputs a target gets: one where nothing is drawn."""
        if not info.inputs and info.kind not in (METHOD, PROPERTY):
            return 1
        return info.examples or self._examples

    def settle_seconds(self, waiting: int) -> float:
        """Return how long one failure may be shrunk: half of its share, to run it again too."""
        return self._left / 2 / ceil((waiting + 1) / self._lanes)

    def search_seconds(self, task: SearchTarget, waiting: int) -> float:
        """Return what is left of a target's time; so many others have yet to be searched."""
        key = (task.module, task.place)
        if key not in self._until:
            self._until[key] = monotonic() + self._seconds_of(task.info, waiting)
        return max(0.0, self._until[key] - monotonic())

    def _seconds_of(self, info: TargetInfo, waiting: int) -> float:
        """Return how long a target may be searched: its own limit, or its share of the run's."""
        asked_for = [info.seconds, self._options.target_seconds]
        limits = [limit for limit in asked_for if limit is not None]
        share = SEARCHING * self._left * self._lanes / max(self._lanes, waiting + 1)
        return min(share, *(limits or [self._options.limits.target]))
