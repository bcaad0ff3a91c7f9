"""A run in a process of its own: the one that asks may have threads, and must not be forked."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from dataclasses import dataclass

from annotest import process
from annotest.cli.signals import ended_by_signals
from annotest.engine.parent.options import RunOptions
from annotest.engine.parent.run import Run
from annotest.errors import UsageError, hides_from_pytest
from annotest.events import AnnotestFailed, Event, TargetFinished
from annotest.kinds import Status
from annotest.triage import Report

__tracebackhide__ = hides_from_pytest
# so long is waited for the next event before the process is looked at
POLL = 1.0
# how long it may take to end its own processes
PATIENCE = 10.0


@dataclass
class ToldRun:
    """The run, in its own process: tells all that happens to whoever asked."""

    options: RunOptions
    events: process.Channel

    def run(self) -> None:
        """Test what was asked for."""
        self.events.writing_end()
        with ended_by_signals():
            try:
                Run(self.options, self._tell).test()
            except UsageError as error:
                self.events.send(error)

    def _tell(self, event: Event) -> None:
        if isinstance(event, TargetFinished) and event.result.status is Status.SKIPPED:
            return  # nobody has asked for it
        self.events.send(event)

    def failed(self, text: str) -> None:
        """Tell that annotest itself failed."""
        self.events.send(AnnotestFailed(text))


def report_of(options: RunOptions) -> Report:
    """Return what a run in another process has brought; nothing of it is left running."""
    report, asked = Report(), _Asked(options)
    try:
        for message in asked.messages():
            if isinstance(message, UsageError):
                raise message
            report.take(message)
    finally:
        status = asked.stop()
    if status != 0 and not report.internal_errors:
        ending = process.describe_status(status)
        report.take(AnnotestFailed(f"the process of the run {ending} before its end"))
    return report


class _Asked:
    """The hold on the process of a run."""

    def __init__(self, options: RunOptions) -> None:
        self._events = process.Channel()
        program = ToldRun(options, self._events)
        self._pid = process.spawn(program, signal.SIGTERM, process.Ground.here())
        self._status: int | None = None
        self._events.reading_end()

    def messages(self) -> Iterator[Event | UsageError]:
        """Yield what the run tells, until its process has ended."""
        while self._status is None:
            self._status = process.reap_if_ended(self._pid)  # before its last words are read
            try:
                while (message := self._events.receive(self._patience)) is not None:
                    yield message
            except process.Gone:
                self._status = process.reap_within(self._pid, PATIENCE)

    @property
    def _patience(self) -> float:
        return POLL if self._status is None else 0

    def stop(self) -> int:
        """End the process if it has not ended; return its status."""
        self._events.close()  # nobody will read what it still says
        if self._status is None:
            process.send_signal(self._pid, signal.SIGTERM)
            self._status = process.reap_within(self._pid, PATIENCE)
        return self._status
