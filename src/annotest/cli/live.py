"""The progress line of a run."""

from __future__ import annotations

import time

from rich.console import Console

from annotest.events import (
    Event,
    FailureFound,
    ModuleOpened,
    ModuleStarted,
    Progress,
    TargetFinished,
    TargetStarted,
)
from annotest.reports.paths import readable
from annotest.reports.terminal import ProgressLine, plural

EVERY = 0.1
SLOW = 2.0


class Live:
    """Keeps count of a run and shows it in one line; plain lines where no one watches live."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._line = ProgressLine(console)
        self._done = 0
        self._inputs = 0
        self._under_way = 0
        self._current = ""
        self._since = time.monotonic()
        self._findings: set[str] = set()
        self._shown_at = 0.0

    def listen(self, event: Event) -> None:
        """Take in one event."""
        if isinstance(event, ModuleStarted):
            self._current, self._since = f"importing {readable(event.path)}", time.monotonic()
        elif isinstance(event, ModuleOpened):
            if event.targets and not self._console.is_terminal:
                count = plural(event.targets, "target")
                self._console.print(f"{readable(event.path)}: {count}")
        elif isinstance(event, TargetStarted):
            self._current, self._under_way = event.target.qualname, 0
            self._since = time.monotonic()
        elif isinstance(event, TargetFinished):
            self._done += 1
            self._inputs += event.result.inputs_run
            self._under_way = 0
        elif isinstance(event, Progress):
            self._under_way = event.inputs_run
        elif isinstance(event, FailureFound):
            self._findings.add(event.failure.fingerprint)
        self._show()

    def _show(self) -> None:
        now = time.monotonic()
        if now - self._shown_at < EVERY:
            return
        self._shown_at = now
        parts = [
            f"{plural(self._done, 'target')} done",
            f"{self._inputs + self._under_way:,} inputs",
            plural(len(self._findings), "finding"),
            self._current + (f" for {now - self._since:.0f} s" if now - self._since > SLOW else ""),
        ]
        self._line.show(" · ".join(part for part in parts if part))

    def close(self) -> None:
        """Take the line away."""
        self._line.clear()
