"""What `annotest.check` has come to: whether that is good, and the report as plain text."""

from __future__ import annotations

import io

from annotest.kinds import Status
from annotest.reports.console import plain_console, plural
from annotest.reports.findings import headline
from annotest.reports.listing import print_not_testable
from annotest.reports.terminal import print_numbers, print_outcome
from annotest.triage import Report

_UNTESTED = (Status.STARVED, Status.BLOCKED, Status.PREVENTED, Status.ENVIRONMENT)


def is_passed(report: Report) -> bool:
    """Say whether everything that was meant has been tested, and nothing has failed."""
    untried = any(result.unfinished and not result.inputs_run for result in report.results)
    untested = _untested(report) or report.untested or untried or report.interrupted
    return report.exit_status() == 0 and not untested


def _untested(report: Report) -> list[Status]:
    """Return what kept targets from being tested as they should be."""
    statuses = {result.status for result in report.results}
    return [status for status in _UNTESTED if status in statuses]


def headline_of(report: Report, name: str) -> str:
    """Return in one line why a check of something so named has failed."""
    if report.internal_errors:
        return f"{name}: annotest itself failed"
    if len(report.findings) == 1:
        return f"{name}: {headline(report.findings[0].failure)}"
    if report.findings:
        return f"{name}: {plural(len(report.findings), 'finding')}"
    if report.errors:
        return f"{name}: {plural(len(report.errors), 'mistake')} in its annotations"
    if untested := _untested(report):
        return f"{name}: {', '.join(untested)}"
    if report.not_testable:
        return f"{name}: not testable: {report.not_testable[0].reason}"
    if report.interrupted:
        return f"{name}: interrupted"
    if report.results:
        return f"{name}: not tested to its end"
    return f"{name}: nothing to test: it is private and has no annotations, or @exclude is on it"


def text_of(report: Report) -> str:
    """Return a report as it is shown on the terminal, without colours."""
    file = io.StringIO()
    console = plain_console(file)
    print_outcome(console, report)
    if not report.results:
        # those that are annotated have been told of
        bare = [function for function in report.not_testable if not function.annotated]
        print_not_testable(console, bare)
    print_numbers(console, report)
    return file.getvalue().rstrip()
