"""The report of a run on the screen: mistakes, failures, what was not tested, the summary."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

from annotest.errors import Mistake
from annotest.facts import TargetResult
from annotest.kinds import Status
from annotest.reports.asides import counted, print_asides
from annotest.reports.console import Console, plural
from annotest.reports.findings import print_findings
from annotest.reports.json import summary
from annotest.reports.paths import readable, shown_mistake
from annotest.reports.prevented import print_prevented
from annotest.triage import Report

NOTHING = 5


def print_report(console: Console, report: Report) -> None:
    """Print what a run has come to, then the summary."""
    print_outcome(console, report)
    print_summary(console, report)


def print_outcome(console: Console, report: Report) -> None:
    """Print mistakes, findings and what was not tested as it should be."""
    print_mistakes(console, report.errors)
    print_findings(console, report.findings)
    for result in report.results:
        if result.status in (Status.STARVED, Status.BLOCKED):
            print_starved(console, result)
    print_prevented(console, report.prevented)
    print_asides(console, report.asides)
    unfinished = [result for result in report.results if result.unfinished]
    print_ended(console, "unfinished", unfinished, lambda result: result.unfinished)
    failed = [result for result in report.results if result.status == Status.FAILED]
    stopped = [result for result in failed if result.reason and not result.unfinished]
    print_ended(console, "stopped early", stopped, lambda result: result.reason)
    print_mistakes(console, report.warnings + report.untested)
    for text in report.notices:
        console.say(("warning ", "yellow"), text)
    print_own_failures(console, report)


def print_own_failures(console: Console, report: Report) -> None:
    """Print where annotest itself failed."""
    for text in report.internal_errors:
        console.say("annotest itself failed; please report this:", style="bold red")
        console.say(text.rstrip())


def print_mistakes(console: Console, mistakes: list[Mistake]) -> None:
    """Print wrong annotations, or doubtful ones."""
    for mistake in map(shown_mistake, mistakes):
        label, style = ("warning", "yellow") if mistake.warning else ("mistake", "bold red")
        console.say((f"{label} ", style), str(mistake))
        if mistake.remedy:
            console.say(f"        {mistake.remedy}", style="dim")
    if mistakes:
        console.say()


def print_ended(
    console: Console,
    how: str,
    results: list[TargetResult],
    why_of: Callable[[TargetResult], str],
) -> None:
    """Name the targets that did not get all of their inputs."""
    for why, group in groupby(sorted(results, key=why_of), key=why_of):
        listed = list(group)
        count = plural(len(listed), "target")
        console.say((f"{count} {how}", "yellow"), f": {why}")
        for result in listed:
            ran = plural(result.inputs_run, "input")
            console.say(f"        {result.target.id}, {ran} run")
    if results:
        console.say()


def print_starved(console: Console, result: TargetResult) -> None:
    """Print a target that could not be tested as it should be."""
    where = f"{readable(result.target.file)}:{result.target.line}"
    said = f"{where}: {result.target.qualname}: {result.reason}"
    console.say((f"{result.status} ", "bold yellow"), said)
    for rate in result.preconditions if len(result.preconditions) > 1 else ():
        if rate.held < rate.asked:
            share = f"{100 * rate.held / rate.asked:.3g}%"
            said = f"        {rate.text} held for {share} of {rate.asked:,}"
            console.say(said, style="dim")
    console.say()


def print_summary(console: Console, report: Report) -> None:
    """Print the numbers of a run, and why there are none where nothing was tested."""
    print_interrupted(console, report)
    if report.exit_status() == NOTHING:
        console.say(_nothing(report), style="yellow")
    print_numbers(console, report)


def print_numbers(console: Console, report: Report) -> None:
    """Print the numbers of a run in one line."""
    numbers = summary(report)
    parts = [
        plural(numbers["targets"], "target"),
        f"{plural(numbers['inputs_run'], 'input')} run",
        f"{numbers['inputs_discarded']:,} invalid discarded",
    ]
    for status in (Status.STARVED, Status.BLOCKED, Status.SKIPPED):
        parts.append(f"{numbers[status]} {status}")
    for status in (Status.PREVENTED, Status.UNFINISHED):
        if numbers[status]:
            parts.append(f"{numbers[status]} {status}")
    if numbers["errors"]:
        parts.append(f"{numbers['errors']} in error")
    parts += [*counted(report), plural(numbers["findings"], "finding")]
    parts += [f"{report.seconds:.1f} s", f"seed {report.seed}"]
    good = report.exit_status() == 0
    console.say(" · ".join(parts), style="green" if good else "bold")


def print_interrupted(console: Console, report: Report) -> None:
    """Say so if somebody has ended the command before its end."""
    if report.interrupted:
        console.say("interrupted; this is what was found so far", style="bold yellow")


def _nothing(report: Report) -> str:
    if report.nothing_asked:
        return f"nothing to test: {report.nothing_asked}"
    if not report.files:
        return "nothing to test: there is no Python file here"
    if any(result.unfinished for result in report.results):
        return "nothing was tested: the run ended before it came to that"
    if report.results:
        return "nothing to test: none of the targets is selected"
    if report.untested:
        return "nothing to test: no annotated function has all that it needs"
    return (
        f"nothing to test: {plural(report.files, 'file')} read, none with annotations; "
        "`annotest list` says what to add"
    )
