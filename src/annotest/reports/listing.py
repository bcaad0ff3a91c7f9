"""`annotest list` on the screen: targets, what is not testable, what cannot be read."""

from __future__ import annotations

from itertools import groupby

from annotest.facts import NotTestable, TargetResult
from annotest.reports.asides import print_asides
from annotest.reports.console import Console, Piece, plural
from annotest.reports.findings import headline, where_of
from annotest.reports.paths import readable
from annotest.reports.prevented import print_prevented
from annotest.reports.terminal import print_interrupted, print_mistakes, print_own_failures
from annotest.triage import Report

# of a constraint, so many characters are shown
LONGEST = 1000


def print_listing(console: Console, report: Report) -> None:
    """Print every target, then every function that is not testable."""
    print_mistakes(console, report.mistakes)
    print_unread(console, report)
    print_prevented(console, report.prevented)
    _print_targets(console, report.results)
    print_not_testable(console, report.not_testable)
    print_interrupted(console, report)
    total = len(report.results)
    lacking = f"{len(report.not_testable):,} not testable"
    console.say(f"{plural(total, 'target')} · {lacking}", style="bold")


def print_unread(console: Console, report: Report) -> None:
    """Print the modules that do not parse or cannot be imported, or on which annotest failed."""
    for finding in report.findings:
        failure = finding.failure
        told = f"{where_of(failure)}: {headline(failure)}"
        console.say((f"{failure.kind} ", "bold red"), told)
    print_asides(console, report.asides)
    print_own_failures(console, report)
    if report.findings or report.internal_errors:
        console.say()


def _print_targets(console: Console, results: list[TargetResult]) -> None:
    lines: list[tuple[Piece, ...]] = []
    for file, group in groupby(results, key=lambda result: result.target.file):
        lines.append(((readable(file), "bold"),))
        for result in group:
            lines += _target_lines(result)
        lines.append(())
    console.say_lines(lines)


def _target_lines(result: TargetResult) -> list[tuple[Piece, ...]]:
    info = result.target
    note = "  wrong annotation" if info.error else ""
    name = f"  {info.line:>5}  {info.id}"
    lines: list[tuple[Piece, ...]] = [(name, (f"  {info.kind}", "dim"), (note, "red"))]
    inputs = [f"{name}: {_cut(constraint)}" for name, constraint in info.inputs]
    dims = ", ".join(f"{name}={constraint}" for name, constraint in info.dims)
    notes = [*inputs, *([f"@dims({dims})"] if dims else []), *info.preconditions, *info.promises]
    lines += [((f"             {text}", "dim"),) for text in notes]
    return lines


def _cut(constraint: str) -> str:
    """Return what is shown of a constraint: of a million listed values the first will do."""
    return constraint if len(constraint) <= LONGEST else f"{constraint[:LONGEST]}…"


def print_not_testable(console: Console, listed: list[NotTestable]) -> None:
    """Print why functions are not testable, and what to add."""
    if not listed:
        return
    lines: list[tuple[Piece, ...]] = [(("not testable", "bold yellow"),)]
    for file, group in groupby(listed, key=lambda function: function.file):
        lines.append(((readable(file), "bold"),))
        for function in group:
            said = f"  {function.line:>5}  {function.id}: {function.reason}"
            lines.append((said,))
            if function.add:
                lines.append(((f"             add {function.add}", "dim"),))
    console.say_lines([*lines, ()])
