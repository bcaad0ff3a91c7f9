"""What is shown while a run is under way."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from annotest.cli.streams import silence
from annotest.controls import on_one_line
from annotest.events import (
    Event,
    FailureFound,
    HowTested,
    LaneWorks,
    ModuleOpened,
    Progress,
    RunEnded,
    TargetAdded,
    TargetFinished,
)
from annotest.reports.console import Console, ProgressLines, make_console, plural
from annotest.reports.findings import headline
from annotest.reports.paths import readable

EVERY = 0.1
PLAIN_EVERY = 15.0
SLOW = 2.0


def make_live(verbose: bool, quiet: bool) -> Live:
    """Return the progress of a run: moving on a terminal, plain lines elsewhere, none in CI."""
    in_ci = os.environ.get("CI", "").lower() not in ("", "0", "false", "no")
    return Live(make_console(stderr=True), verbose, quiet or in_ci)


@dataclass
class _Lane:
    doing: str = ""
    since: float = 0.0


class Live:
    """Keeps count of a run and shows it."""

    def __init__(self, console: Console, verbose: bool = False, quiet: bool = False) -> None:
        self._console = console
        self._verbose = verbose
        self._quiet = quiet
        self._lines = ProgressLines(console)
        self._moving = console.can_move and not quiet
        self._began = time.monotonic()
        self._targets: set[str] = set()
        self._done: set[str] = set()
        self._inputs = self._most = 0
        self._under_way: dict[str, Progress] = {}
        self._findings: set[str] = set()
        self._told: set[HowTested] = set()
        self._lanes: dict[int, _Lane] = {}
        self._shown_at = 0.0 if self._moving else self._began

    def listen(self, event: Event) -> None:
        """Take in one event; a run goes on if nothing of it can be shown."""
        try:
            self._take(event)
        except OSError:
            silence(2)

    def _take(self, event: Event) -> None:
        take = _TAKING.get(type(event))
        if take is not None:
            take(self, event)
        if not isinstance(event, RunEnded):
            self._show()

    def _lane_works(self, event: LaneWorks) -> None:
        self._lanes[event.lane] = _Lane(event.doing, time.monotonic())
        self._console.prepare()  # while the lane works

    def _module_opened(self, event: ModuleOpened) -> None:
        if event.targets and not self._quiet and not self._moving:
            self._say(f"{readable(event.path)}: {plural(event.targets, 'target')}")

    def _how_tested(self, event: HowTested) -> None:
        if self._verbose and event not in self._told:
            self._told.add(event)
            self._say(f"{readable(event.path)}: {event.text}")

    def _target_added(self, event: TargetAdded) -> None:
        self._targets.add(event.target)

    def _target_finished(self, event: TargetFinished) -> None:
        target = event.result.target.id
        self._targets.add(target)  # a module that cannot be imported was not added before
        self._done.add(target)
        self._inputs += event.result.inputs_run
        self._under_way.pop(target, None)

    def _progress(self, event: Progress) -> None:
        if not event.doing:
            self._under_way[event.target] = event

    def _found(self, event: FailureFound) -> None:
        failure = event.failure
        if failure.is_finding and failure.fingerprint not in self._findings:
            self._findings.add(failure.fingerprint)
            if self._verbose:
                self._say(f"found in {failure.seen_in}: {headline(failure)}")

    def _say(self, text: str) -> None:
        """Print a line that stays."""
        self._lines.clear()
        self._console.say(on_one_line(text))

    def _show(self) -> None:
        now = time.monotonic()
        if self._quiet or now - self._shown_at < (EVERY if self._moving else PLAIN_EVERY):
            return
        self._shown_at = now
        if self._moving:
            self._lines.show([self._summary(now), *self._busy(now)])
        else:
            self._say(" · ".join([self._summary(now), *(line.strip() for line in self._busy(now))]))

    def _summary(self, now: float) -> str:
        inputs = self._inputs + sum(progress.inputs_run for progress in self._under_way.values())
        # what was tried in vain, or by several workers at once, is not in the result
        inputs = self._most = max(self._most, inputs)
        rate = inputs / max(now - self._began, 0.1)
        targets = plural(len(self._targets), "target")
        parts = [
            f"{len(self._done):,} of {targets} done" if self._targets else "no target yet",
            f"{inputs:,} inputs, {rate:,.0f} a second",
            plural(len(self._findings), "finding"),
        ]
        return " · ".join(parts)

    def _busy(self, now: float) -> list[str]:
        """Return what each lane is on, and for how long."""
        lines = []
        for number, lane in sorted(self._lanes.items()):
            if lane.doing:
                seconds = now - lane.since
                spent = f" for {seconds:.0f} s" if seconds > SLOW else ""
                lines.append(f"  {number + 1}: {lane.doing}{spent}")
        return lines

    def close(self) -> None:
        """Take away what moves."""
        self._lines.clear()


_TAKING: dict[type, Callable[[Live, Any], None]] = {
    LaneWorks: Live._lane_works,
    ModuleOpened: Live._module_opened,
    HowTested: Live._how_tested,
    TargetAdded: Live._target_added,
    TargetFinished: Live._target_finished,
    Progress: Live._progress,
    FailureFound: Live._found,
}
